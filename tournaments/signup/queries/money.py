"""Sums of the cash book."""

from typing import Final

from django.db.models import Sum

from tournaments.models import CashEntry, Tournament

TAKINGS: Final = (CashEntry.Kind.PAID, CashEntry.Kind.REFUND)
"""Kinds that make up what was taken."""


def takings_of(tournament: Tournament) -> int:
    """Return what was taken less what was returned, in cents; one query."""
    rows = CashEntry.objects.filter(tournament=tournament, kind__in=TAKINGS)
    return rows.aggregate(total=Sum("cents"))["total"] or 0
