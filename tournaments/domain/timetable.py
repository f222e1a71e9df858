"""The due times of a weekly schedule: a time of the day on some days of the week.

Times are those of a place with its summer time. A time that the clocks leave out on a day is due at
the moment at which they jump; one that they show twice is due the first time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

EVERY_DAY: Final = tuple(range(7))
DAY: Final = timedelta(days=1)
USUAL_ZONE: Final = "Europe/Madrid"


@dataclass(frozen=True, slots=True)
class Timetable:
    """At ``at`` o'clock in ``zone`` on ``days`` of the week (0 is Monday)."""

    at: time
    zone: str = USUAL_ZONE
    days: tuple[int, ...] = EVERY_DAY

    def __post_init__(self) -> None:
        """Refuse what is none: ValueError naming the field."""
        if self.at.tzinfo is not None or self.at.second or self.at.microsecond:
            raise ValueError("at")
        if self.zone not in zones():
            raise ValueError("zone")
        are_ints = all(type(day) is int for day in self.days)
        if not are_ints or not self.days or tuple(sorted(set(self.days))) != self.days:
            raise ValueError("days")
        if not set(self.days) <= set(EVERY_DAY):
            raise ValueError("days")

    def after(self, moment: datetime) -> datetime:
        """Return the next time after a moment, in UTC."""
        return next(self.times(moment))

    def next_times(self, moment: datetime, count: int) -> tuple[datetime, ...]:
        """Return the next times of a schedule after a moment, in UTC."""
        return tuple(islice(self.times(moment), count))

    def times(self, moment: datetime) -> Iterator[datetime]:
        """Yield the times after a moment, one a day at most."""
        day = moment.astimezone(ZoneInfo(self.zone)).date() - DAY
        last = moment.astimezone(UTC)
        while True:
            due = self._first_moment(day)
            if day.weekday() in self.days and due > last:
                yield due
                last = due
            day += DAY

    def _first_moment(self, day: date) -> datetime:
        """Return the first moment at which the place's clocks show the time or a later one."""
        zone = ZoneInfo(self.zone)
        local_time = datetime.combine(day, self.at.replace(fold=0))
        due = local_time.replace(tzinfo=zone).astimezone(UTC)
        if due.astimezone(zone).replace(tzinfo=None) == local_time:
            return due
        before, after = due - 2 * DAY, due
        while after - before > timedelta(seconds=1):
            middle = before + (after - before) // 2
            if middle.astimezone(zone).replace(tzinfo=None) < local_time:
                before = middle
            else:
                after = middle
        return after.replace(microsecond=0)


@cache
def zones() -> frozenset[str]:
    """Return the names of the time-zone database that name a place."""
    odd = ("Etc/", "SystemV/", "posix/", "right/")
    names = (name for name in available_timezones() if "/" in name and not name.startswith(odd))
    return frozenset({"UTC", *names})


def weekdays(days: Iterable[int]) -> tuple[int, ...]:
    """Return days of the week in order, each once."""
    return tuple(sorted(set(days)))
