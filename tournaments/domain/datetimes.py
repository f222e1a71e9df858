"""Parses and writes dates with a time, each with its UTC offset."""

from datetime import UTC, datetime
from typing import Final

FIRST: Final = datetime.min.replace(tzinfo=UTC)
LAST: Final = datetime.max.replace(tzinfo=UTC)


def in_utc(moment: datetime) -> datetime:
    """Convert a moment to UTC: PostgreSQL takes no offset of sixteen hours and more.

    What would lie before the first day of the calendar, or after the last, is its very end.
    """
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return FIRST if moment.year == FIRST.year else LAST
