"""Signs of life: when a worker last served each queue."""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

QUEUES: Final = ("default", "matches", "analysis", "webhooks")
"""The queues of messages, each served by some worker."""


class Pulse(models.Model):
    """When a worker last took a message out of a queue, by the database's clock.

    One row a queue, for the workers of all machines. The message comes from the scheduler.
    """

    queue = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("sign of life")
        verbose_name_plural = _("signs of life")

    def __str__(self) -> str:
        return self.queue
