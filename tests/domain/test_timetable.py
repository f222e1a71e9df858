"""Times of the day in a place with summer time: each chosen day once, never twice, never lost."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.quick import examples
from tournaments.domain.timetable import DAY, EVERY_DAY, Timetable, weekdays, zones

SINCE = datetime(2010, 1, 1, tzinfo=UTC)
MADRID, MINUTE = "Europe/Madrid", timedelta(minutes=1)
CHANGES = {
    "Europe/Madrid": (date(2026, 3, 29), date(2026, 10, 25)),
    "America/Havana": (date(2026, 3, 8), date(2026, 11, 1)),  # at midnight
    "America/Santiago": (date(2026, 9, 6), date(2026, 4, 5)),  # midnight is left out, or 23 twice
    "Australia/Lord_Howe": (date(2026, 10, 4), date(2026, 4, 5)),  # half an hour
    "Pacific/Apia": (date(2011, 12, 30), date(2011, 12, 31)),  # a day is left out
    "Asia/Kathmandu": (date(2026, 1, 1), date(2026, 7, 1)),
}


def local_text(moment: datetime, zone: str = MADRID) -> str:
    return moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M %z")


def first_moment(day: date, at: time, zone: str) -> datetime:
    """Walk minute by minute until the clocks show the time or more."""
    place, local = ZoneInfo(zone), datetime.combine(day, at)
    moment = local.replace(tzinfo=UTC) - timedelta(hours=40)
    while moment.astimezone(place).replace(tzinfo=None) < local:
        moment += MINUTE
    return moment


def test_every_night_at_three() -> None:
    table = Timetable(time(3), MADRID)
    start = datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert [local_text(moment) for moment in table.next_times(start, 3)] == [
        "2026-05-02 03:00 +0200",
        "2026-05-03 03:00 +0200",
        "2026-05-04 03:00 +0200",
    ]


def test_the_next_time_is_after_the_moment_and_never_at_it() -> None:
    table = Timetable(time(3), MADRID)
    due = table.after(datetime(2026, 5, 1, 12, tzinfo=UTC))
    assert table.after(due) == due + DAY
    assert table.after(due - timedelta(microseconds=1)) == due


def test_a_time_that_the_clocks_leave_out_is_due_when_they_jump() -> None:
    table = Timetable(time(2, 30), MADRID)
    night = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert [local_text(moment) for moment in table.next_times(night, 2)] == [
        "2026-03-29 03:00 +0200",
        "2026-03-30 02:30 +0200",
    ]


def test_a_time_that_the_clocks_show_twice_is_due_once() -> None:
    table = Timetable(time(2, 30), MADRID)
    night = datetime(2026, 10, 24, 12, tzinfo=UTC)
    assert [local_text(moment) for moment in table.next_times(night, 2)] == [
        "2026-10-25 02:30 +0200",
        "2026-10-26 02:30 +0100",
    ]


def test_only_on_the_days_chosen() -> None:
    table = Timetable(time(21), MADRID, (0, 4))
    start = datetime(2026, 5, 1, 20, tzinfo=UTC)  # a Friday, one hour after
    days = [moment.astimezone(ZoneInfo(MADRID)) for moment in table.next_times(start, 4)]
    assert [day.strftime("%a %d") for day in days] == ["Mon 04", "Fri 08", "Mon 11", "Fri 15"]


@given(
    st.sampled_from(sorted(CHANGES)),
    st.booleans(),
    st.integers(-1, 1),
    st.times().map(lambda at: at.replace(second=0, microsecond=0)),
)
@example("America/Santiago", False, 0, time(0, 0))
@example("America/Havana", True, 0, time(0, 30))
@settings(max_examples=examples(40), deadline=None)
def test_about_a_change_of_the_clocks_each_day_is_due_when_its_time_is_first_shown(
    zone: str, spring: bool, near: int, at: time
) -> None:
    day = CHANGES[zone][spring] + near * DAY
    moment = first_moment(day, at, zone)
    assert Timetable(at, zone).after(moment - timedelta(seconds=1)) == moment


@given(
    st.sampled_from(sorted(CHANGES)),
    st.integers(0, 24 * 366 * 20).map(lambda hours: SINCE + timedelta(hours=hours)),
    st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    st.sets(st.sampled_from(EVERY_DAY), min_size=1).map(weekdays),
)
@settings(max_examples=examples(60), deadline=None)
def test_no_day_is_lost_and_none_comes_twice(
    zone: str, start: datetime, at: time, days: tuple[int, ...]
) -> None:
    table = Timetable(at, zone, days)
    moments = table.next_times(start, 40)
    assert all(moment < other for moment, other in pairwise((start, *moments)))
    local_times = [moment.astimezone(ZoneInfo(zone)) for moment in moments]
    if zone == "Pacific/Apia" and local_times[0].year == 2011:
        return  # a day that never was is due at the beginning of the next
    assert all(moment.weekday() in days for moment in local_times)
    dates = [moment.date() for moment in local_times]
    span = [dates[0] + n * DAY for n in range((dates[-1] - dates[0]).days + 1)]
    assert dates == [day for day in span if day.weekday() in days]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"at": time(3, 0, 1)}, "at"),
        ({"at": time(3, tzinfo=UTC)}, "at"),
        ({"zone": "Europe/Atlantis"}, "zone"),
        ({"zone": "../../etc/passwd"}, "zone"),
        ({"zone": ""}, "zone"),
        ({"days": ()}, "days"),
        ({"days": (7,)}, "days"),
        ({"days": (-1, 2)}, "days"),
        ({"days": (2, 1)}, "days"),
        ({"days": (1, 1)}, "days"),
        ({"days": (True,)}, "days"),
    ],
)
def test_what_is_no_timetable_is_refused_by_the_name_of_its_field(
    fields: dict[str, object], wrong: str
) -> None:
    with pytest.raises(ValueError, match=f"^{wrong}$"):
        Timetable(**({"at": time(3)} | fields))  # type: ignore[arg-type]


def test_places_are_found_by_their_names() -> None:
    assert {"UTC", MADRID, "Atlantic/Canary", "America/Mexico_City"} <= zones()
    assert not [name for name in zones() if name.startswith(("Etc/", "posix/"))]
