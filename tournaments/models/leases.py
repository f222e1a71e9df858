"""Rows that workers hold for a time, by a lease, and are sent messages about."""

from datetime import timedelta
from typing import ClassVar, Self, TypeVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

Row = TypeVar("Row", bound=models.Model)


class LeasedQuerySet(models.QuerySet[Row]):
    """Rows selected by their lease (``lease_until``) and their last message (``woken_at``).

    Both are times of the database's clock.
    """

    patience: ClassVar[timedelta]
    """How long a message may wait in the queue before the sweep sends another."""

    def leased(self) -> Self:
        """Keep those that a worker holds now."""
        return self.filter(lease_until__gte=Now())

    def unleased(self) -> Self:
        """Keep those that no worker holds now."""
        return self.filter(Q(lease_until__isnull=True) | Q(lease_until__lt=Now()))

    def without_recent_message(self) -> Self:
        """Keep those without a message within `patience`."""
        return self.filter(Q(woken_at__isnull=True) | Q(woken_at__lt=Now() - self.patience))
