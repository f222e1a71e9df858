"""Parses and writes dates with a time, each with its UTC offset."""

from datetime import UTC, datetime, timedelta
from typing import Final

# A day inside the calendar, so that the moment has a local time in every zone.
FIRST: Final = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
LAST: Final = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


def in_utc(moment: datetime) -> datetime:
    """Convert a moment to UTC: PostgreSQL takes no offset of sixteen hours and more.

    What lies before the second day of the calendar, or after the last but one, is its end.
    """
    try:
        return min(max(moment.astimezone(UTC), FIRST), LAST)
    except OverflowError:
        return FIRST if moment.year == FIRST.year else LAST
