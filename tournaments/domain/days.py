"""The days of a tournament: planned from weekdays and an hour, and given to its rounds."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from tournaments.domain.timetable import DAY, EVERY_DAY, Timetable

MAX_DAYS: Final = 200
"""Days of a tournament, at most; chosen: twice a week for two years."""

MAX_YEARS: Final = 3
"""Years that a plan reaches, at most; chosen: longer is a typing error."""

Pause = tuple[date, date]
"""The first and the last of some days without play; both are the same for one day off."""


def plan_times(
    timetable: Timetable,
    first: date,
    count: int,
    pauses: Sequence[Pause] = (),
    *,
    before_holidays: bool = False,
) -> tuple[datetime, ...]:
    """Return the next ``count`` times from ``first`` on that are in no pause, in UTC.

    With ``before_holidays`` a pause of one day moves the time to the day before, where that is free
    and not the time before; longer pauses are left out. ValueError where they reach further than
    `MAX_YEARS`.
    """
    zone, daily = ZoneInfo(timetable.zone), replace(timetable, days=EVERY_DAY)
    before = datetime.combine(first, time.min, zone) - timedelta(seconds=1)
    times: list[datetime] = []
    for moment in timetable.times(before):
        if len(times) == count:
            break
        day = moment.astimezone(zone).date()
        if day - first > MAX_YEARS * 366 * DAY:
            raise ValueError("count")
        if before_holidays and (day, day) in pauses:
            day -= DAY
            moment = daily.after(datetime.combine(day, time.min, zone) - timedelta(seconds=1))
        is_taken = day < first or moment in times
        if not is_taken and not any(begin <= day <= end for begin, end in pauses):
            times.append(moment)
    return tuple(times)


@dataclass(frozen=True, slots=True)
class RoundOnDay:
    """A round of a stage, and the number of its day, if it has one."""

    number: int
    stage: int
    day: int | None = None


def give_days(
    rounds: Iterable[RoundOnDay], days: Mapping[int, int], sources: Mapping[int, int]
) -> dict[int, int]:
    """Return the day of each round without one, by their numbers; a round may find none.

    ``days`` are in the order of time, each with how many rounds of a stage it holds; ``sources``
    names for a stage the one from which it is filled. A round takes the first day with room for its
    stage, after the days of the stages before: boards that are played side by side share days.
    """
    order = {number: index for index, number in enumerate(days)}
    given: dict[int, int] = {}
    used = {round_.number: round_ for round_ in rounds}
    for number in sorted(used):
        round_ = used[number]
        if round_.day is not None:
            continue
        taken = Counter(other.day for other in used.values() if other.stage == round_.stage)
        earlier = _stages_before(round_.stage, sources)
        past = [order[r.day] for r in used.values() if r.day is not None and r.stage in earlier]
        after = max(past, default=-1)
        free = (day for day, holds in days.items() if order[day] > after and taken[day] < holds)
        if (day := next(free, None)) is not None:
            given[number] = day
            used[number] = RoundOnDay(number, round_.stage, day)
    return given


def _stages_before(stage: int, sources: Mapping[int, int]) -> set[int]:
    """Return the stages through which the entrants of a stage came."""
    stages: set[int] = set()
    while (source := sources.get(stage)) is not None and source not in stages:
        stages.add(source)
        stage = source
    return stages
