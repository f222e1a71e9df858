"""Heartbeats: when a worker last ran the heartbeat task of a queue."""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

QUEUES: Final = ("default", "matches", "analysis", "webhooks")
"""The queues of messages, each served by some worker."""


class Heartbeat(models.Model):
    """When the heartbeat task last ran for a name, by the database's clock.

    The names are those of the queues, for the workers of all machines; ``queue@host``, for those of
    one host; and one for each worker that `manage.py up` supervises. ``missed`` counts the
    heartbeats of a queue that other hosts stored since this host's last.
    """

    # Table and column keep their first names, so that the release before this one can still run.
    name = models.CharField(max_length=80, primary_key=True, db_column="queue")
    at = models.DateTimeField()
    missed = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        db_table = "tournaments_pulse"
        verbose_name = _("sign of life")
        verbose_name_plural = _("signs of life")

    def __str__(self) -> str:
        return self.name
