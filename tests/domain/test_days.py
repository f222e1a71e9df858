"""Days are planned from weekdays and an hour, and given to rounds in order."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from tournaments.domain.days import RoundOnDay, give_days, plan_times
from tournaments.domain.timetable import Timetable

MADRID = ZoneInfo("Europe/Madrid")
TUESDAYS_AND_THURSDAYS = Timetable(time(20, 30), "Europe/Madrid", (1, 3))


def test_fifteen_rounds_over_a_summer_and_both_clock_changes() -> None:
    """From March to November 2026: summer time begins on 29 March and ends on 25 October."""
    summer = (date(2026, 4, 14), date(2026, 10, 5))
    times = plan_times(TUESDAYS_AND_THURSDAYS, date(2026, 3, 24), 15, [summer])
    local = [moment.astimezone(MADRID) for moment in times]
    assert [f"{moment:%d.%m.}" for moment in local] == [
        *("24.03.", "26.03.", "31.03.", "02.04.", "07.04.", "09.04."),
        *("06.10.", "08.10.", "13.10.", "15.10.", "20.10.", "22.10.", "27.10.", "29.10.", "03.11."),
    ]
    assert {moment.time() for moment in local} == {time(20, 30)}
    in_utc = [f"{moment:%H:%M}" for moment in times]
    assert in_utc == ["19:30"] * 2 + ["18:30"] * 10 + ["19:30"] * 3


def test_a_plan_begins_on_its_first_day_and_leaves_out_days_off() -> None:
    first = date(2026, 3, 3)
    off = (date(2026, 3, 5), date(2026, 3, 5))
    times = plan_times(TUESDAYS_AND_THURSDAYS, first, 2, [off])
    assert [moment.date() for moment in times] == [first, date(2026, 3, 10)]


def test_a_holiday_moves_the_evening_to_the_day_before_and_a_longer_pause_is_left_out() -> None:
    off = [(date(2026, 3, day), date(2026, 3, day)) for day in (5, 17, 25, 26)]
    pauses = [*off, (date(2026, 3, 10), date(2026, 3, 12))]
    times = plan_times(TUESDAYS_AND_THURSDAYS, date(2026, 3, 3), 6, pauses, before_holidays=True)
    assert [f"{moment.astimezone(MADRID):%d.%m. %H:%M}" for moment in times] == [
        *("03.03. 20:30", "04.03. 20:30", "16.03. 20:30", "19.03. 20:30", "24.03. 20:30"),
        "31.03. 20:30",
    ], "a day before that is off too is left out"


def test_a_plan_that_never_comes_to_its_end_is_refused() -> None:
    with pytest.raises(ValueError, match="count"):
        plan_times(TUESDAYS_AND_THURSDAYS, date(2026, 3, 3), 1, [(date(2026, 1, 1), date.max)])
    with pytest.raises(ValueError, match="count"):
        plan_times(TUESDAYS_AND_THURSDAYS, date(2026, 3, 3), 400)


def test_an_hour_that_the_clocks_leave_out_is_due_when_they_jump() -> None:
    night = Timetable(time(2, 30), "Europe/Madrid", (6,))
    (moment,) = plan_times(night, date(2026, 3, 29), 1)
    assert moment == datetime(2026, 3, 29, 3, 0, tzinfo=MADRID)
    assert moment.utcoffset() == timedelta(0)


ONE_EACH = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1}


def test_rounds_take_the_days_in_order_and_keep_those_they_have() -> None:
    rounds = [RoundOnDay(1, 1), RoundOnDay(2, 1, 1), RoundOnDay(3, 1)]
    assert give_days(rounds, ONE_EACH, {}) == {1: 2, 3: 3}


def test_boards_side_by_side_share_days_after_those_of_the_groups() -> None:
    groups = [RoundOnDay(1, 1, 1), RoundOnDay(2, 1, 2)]
    boards = [RoundOnDay(3, 2), RoundOnDay(4, 3), RoundOnDay(5, 2), RoundOnDay(6, 3)]
    given = give_days([*groups, *boards], ONE_EACH, {2: 1, 3: 1})
    assert given == {3: 3, 4: 3, 5: 4, 6: 4}


def test_a_day_holds_several_rounds_and_a_round_may_find_none() -> None:
    rounds = [RoundOnDay(number, 1) for number in range(1, 6)]
    assert give_days(rounds, {7: 2, 3: 2}, {}) == {1: 7, 2: 7, 3: 3, 4: 3}
