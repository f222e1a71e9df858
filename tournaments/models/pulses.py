"""Signs of life: when something that works in the background was last heard of."""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

QUEUES: Final = ("default", "matches", "analysis", "webhooks")
"""The queues of messages, each of which some worker has to serve."""


class Pulse(models.Model):
    """When a worker last took a message out of a queue, by the database's clock.

    One row a queue, whatever machine the worker runs on. The message comes from the scheduler.
    """

    queue = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("sign of life")
        verbose_name_plural = _("signs of life")

    def __str__(self) -> str:
        return self.queue
