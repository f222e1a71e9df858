"""The days of a tournament: planned before the draw, kept when it is undone, moved one by one."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import pytest
import time_machine

from tests.clubs import (
    SYSTEM,
    a_club,
    a_draft,
    a_swiss,
    arbiter,
    organiser,
    play_out,
    the_liguilla,
    the_round,
)
from tests.director.test_single_substitutes import an_individual
from tests.support.day import entry
from tournaments.core.errors import Reason, Refusal
from tournaments.director.queries.days import (
    days_of,
    days_page,
    next_day,
    overdue_matches,
    rounds_to_plan,
    week_page,
)
from tournaments.director.services.absences import withdraw
from tournaments.director.services.days import (
    DayPlan,
    NewDay,
    add_day,
    change_day,
    plan_days,
    remove_day,
)
from tournaments.director.services.draws import draw, draw_again, draw_next
from tournaments.director.services.replanning import replan
from tournaments.director.services.restoring import go_back
from tournaments.director.services.rounds import draw_again as draw_round_again
from tournaments.director.services.tournaments import discard_tournament, publish_round
from tournaments.models import AuditEvent, Day, Round, Tournament
from tournaments.results.queries.own_table import own_table_version
from tournaments.results.services.matches import postpone

pytestmark = pytest.mark.django_db

MADRID = ZoneInfo("Europe/Madrid")
TUESDAYS = DayPlan(on=(1,), at=time(20, 30), first=date(2026, 3, 3), count=7)


def at(month: int, day: int, hour: int = 20, minute: int = 30) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=MADRID)


def rounds_by_day(tournament: Tournament) -> list[tuple[int, ...]]:
    return [day.rounds for day in days_of(tournament, member=True)]


def numbers_of_days(tournament: Tournament) -> list[int | None]:
    rounds = Round.objects.filter(stage__tournament=tournament).order_by("number")
    return list(rounds.values_list("day__number", flat=True))


def undo(tournament: Tournament) -> None:
    point = tournament.restore_points.first()
    assert point is not None
    go_back(SYSTEM, point)


def test_days_are_planned_before_the_draw_and_kept_when_it_is_undone() -> None:
    league = the_liguilla(published=0)
    undo(league)
    league.refresh_from_db()
    plan_days(organiser(league.club), league, TUESDAYS)
    before = [(day.number, day.when) for day in days_of(league)]
    assert len(before) == 7
    draw(SYSTEM, league)
    assert numbers_of_days(league) == [1, 2, 3, 4, 5, 6, 7]
    undo(league)
    assert Round.objects.filter(stage__tournament=league).count() == 0
    assert [(day.number, day.when) for day in days_of(league)] == before
    undo(league)  # the draw comes back
    assert numbers_of_days(league) == [1, 2, 3, 4, 5, 6, 7]


def test_rounds_that_are_drawn_already_take_the_days() -> None:
    league = the_liguilla(published=2)
    play_out(the_round(league, 1))
    plan_days(SYSTEM, league, TUESDAYS)
    assert numbers_of_days(league) == [None, 1, 2, 3, 4, 5, 6]
    plan_days(SYSTEM, league, DayPlan((3,), time(21), date(2026, 4, 2), 6))
    assert numbers_of_days(league) == [None, 1, 2, 3, 4, 5, 6]
    days = list(league.days.order_by("number"))
    assert [day.starts_at for day in days[:2]] == [at(3, 3), at(4, 2, 21, 0)]


def test_a_swiss_takes_the_next_day_round_by_round() -> None:
    swiss = a_swiss(rounds=3)
    publish_round(SYSTEM, the_round(swiss, 1))
    plan_days(SYSTEM, swiss, DayPlan((1,), time(20, 30), date(2026, 3, 3), 3))
    play_out(the_round(swiss, 1))
    day = swiss.days.get(number=2)
    change_day(SYSTEM, day, {"starts_at": at(3, 25)})  # a Wednesday after the third
    draw_next(SYSTEM, swiss, after=1)
    assert numbers_of_days(swiss) == [1, 3]
    assert rounds_by_day(swiss) == [(1,), (2,), ()]


def test_a_new_plan_and_the_week_sheet_look_at_the_rounds_that_there_are() -> None:
    swiss = a_swiss(rounds=3)
    plan_days(SYSTEM, swiss, TUESDAYS)
    play_out(publish_round(SYSTEM, the_round(swiss, 1)))
    # The second round is not drawn yet: its day has no matches to print.
    with time_machine.travel(at(3, 5), tick=False):
        assert days_page(swiss.slug, SYSTEM).week_from == date(2026, 3, 3)
        week = week_page(swiss.slug, SYSTEM, None)
    assert [len(day.matches) for day in week.days] == [3]
    assert rounds_to_plan(swiss) == 2


def test_a_day_is_moved_and_people_are_told() -> None:
    league = the_liguilla()
    plan_days(SYSTEM, league, TUESDAYS)
    day = league.days.get(number=5)
    boss = organiser(league.club)
    changes = {"starts_at": at(4, 2), "place": "Bar  Central"}
    day = change_day(boss, day, changes, announcement="Round 5 is on Thursday.")
    assert (day.starts_at, day.moved_from, day.sequence) == (at(4, 2), at(3, 31), 1)
    league.refresh_from_db()
    assert league.announcement == "Round 5 is on Thursday."
    (row,) = [row for row in days_of(league) if row.number == 5]
    assert (row.rounds, row.place, row.due_on) == ((5,), "Bar Central", date(2026, 4, 2))
    change_day(boss, day, changes)  # said twice
    (event,) = AuditEvent.objects.filter(verb="day.changed")
    before, after = event.facts["before"], event.facts["after"]
    assert datetime.fromisoformat(before["starts_at"]) == at(3, 31)
    assert datetime.fromisoformat(after["starts_at"]) == at(4, 2)
    assert (before["rounds"], after["rounds"], after["place"]) == ([5], [5], "Bar Central")
    day = change_day(boss, day, {"starts_at": at(3, 31)})
    assert (day.moved_from, day.sequence) == (None, 2)


def test_the_page_of_one_s_own_table_changes_with_the_days() -> None:
    league = the_liguilla()
    plan_days(SYSTEM, league, TUESDAYS)
    versions = [own_table_version(entry(league, 1))]
    day = change_day(SYSTEM, league.days.get(number=5), {"starts_at": at(4, 2)})
    versions.append(own_table_version(entry(league, 1)))
    change_day(SYSTEM, day, {}, rounds=[4])
    versions.append(own_table_version(entry(league, 1)))
    assert len(set(versions)) == 3


def test_rounds_are_put_on_a_day_by_hand() -> None:
    league = the_liguilla()
    plan_days(SYSTEM, league, TUESDAYS)
    change_day(SYSTEM, league.days.get(number=1), {}, rounds=[1, 2])
    assert numbers_of_days(league)[:3] == [1, 1, 3]
    with pytest.raises(Refusal) as refused:
        change_day(SYSTEM, league.days.get(number=1), {}, rounds=[8])
    assert refused.value.reason is Reason.BAD_DAYS


def test_a_day_that_is_removed_leaves_its_round_to_the_next_free_one() -> None:
    league = the_liguilla()
    plan_days(SYSTEM, league, TUESDAYS)
    remove_day(SYSTEM, league.days.get(number=3))
    assert numbers_of_days(league) == [1, 2, None, 4, 5, 6, 7]
    added = add_day(SYSTEM, league, NewDay(starts_at=at(3, 19)))
    assert added.number == 8
    assert numbers_of_days(league)[2] == 8
    verbs = AuditEvent.objects.filter(verb__startswith="day.").order_by("pk")
    assert [event.verb for event in verbs] == ["day.removed", "day.added"]


def test_a_restore_point_of_before_a_removed_day_can_be_gone_back_to() -> None:
    league = the_liguilla(published=1)
    plan_days(SYSTEM, league, TUESDAYS)
    undo(league)  # the publication; the point that is kept names seven days
    Day.objects.filter(tournament=league, number__gt=5).delete()
    undo(league)
    assert numbers_of_days(league) == [1, 2, 3, 4, 5, None, None]


@pytest.mark.parametrize(
    "plan",
    [
        DayPlan((), time(20), date(2026, 3, 3), 3),
        DayPlan((7,), time(20), date(2026, 3, 3), 3),
        DayPlan((1,), time(20), date(2026, 3, 3), 0),
        DayPlan((1,), time(20), date(2026, 3, 3), 201),
        DayPlan((1,), time(20), date(2026, 3, 3), 3, [(date(2026, 4, 2), date(2026, 4, 1))]),
        DayPlan((1,), time(20), date.max, 3),
        DayPlan((1,), time(20), date(9999, 12, 1), 1, play_within=365),
        DayPlan((1,), time(20), date(2026, 3, 3), 3, play_within=-1),
        DayPlan((1,), time(20), date(2026, 3, 3), 3, holds=0),
    ],
)
def test_a_plan_that_cannot_be_is_refused(plan: DayPlan) -> None:
    league = a_draft(a_club())
    with pytest.raises(Refusal) as refused:
        plan_days(SYSTEM, league, plan)
    assert refused.value.reason is Reason.BAD_DAYS


def test_days_are_planned_by_organisers_and_not_of_what_is_over() -> None:
    league = the_liguilla(published=1)
    with pytest.raises(Refusal) as refused:
        plan_days(arbiter(league.club), league, TUESDAYS)
    assert refused.value.reason is Reason.FORBIDDEN
    Tournament.objects.filter(pk=league.pk).update(state="finished")
    with pytest.raises(Refusal) as refused:
        add_day(SYSTEM, league, NewDay(starts_at=at(3, 3)))
    assert refused.value.reason is Reason.TOURNAMENT_OVER


def test_a_draft_is_discarded_with_its_days() -> None:
    draft = a_draft(a_club())
    plan_days(SYSTEM, draft, TUESDAYS)
    discard_tournament(SYSTEM, draft)
    assert not Day.objects.exists()


def test_matches_are_overdue_from_the_day_after_their_last_day() -> None:
    league = the_liguilla(published=2)
    plan = DayPlan((1,), time(20, 30), date(2026, 3, 24), 7, play_within=5)
    plan_days(SYSTEM, league, plan)  # round 1 by 29 March, when the clocks change

    def overdue(moment: datetime) -> list[tuple[int, int]]:
        with time_machine.travel(moment, tick=False):
            return [(row.match.round, row.match.table) for row in overdue_matches(league)]

    assert overdue(at(3, 29, 23, 59)) == []
    assert overdue(at(3, 30, 0, 0)) == [(1, table) for table in (1, 2, 3, 4)]
    play_out(the_round(league, 1))
    assert overdue(at(3, 30, 0, 0)) == []
    assert overdue(at(4, 6, 0, 0)) == [(2, table) for table in (1, 2, 3, 4)]
    later = the_round(league, 2).matches.get(table=1)
    postpone(SYSTEM, later, at(4, 20))
    postpone(SYSTEM, the_round(league, 2).matches.get(table=2), None)  # to be agreed on
    assert overdue(at(4, 20, 23, 59)) == [(2, 3), (2, 4)]
    assert overdue(at(4, 21, 0, 0)) == [(2, 3), (2, 4), (2, 1)]


def test_the_next_day_is_the_first_that_is_not_over() -> None:
    league = the_liguilla(published=2)
    plan_days(SYSTEM, league, TUESDAYS)
    with time_machine.travel(at(3, 10, 23), tick=False):
        day = next_day(days_of(league))
    assert day is not None
    assert day.number == 2
    with time_machine.travel(at(12, 1), tick=False):
        assert next_day(days_of(league)) is None


def test_rounds_that_are_drawn_again_keep_their_days() -> None:
    tournament = an_individual(8, rounds=4)
    plan_days(SYSTEM, tournament, TUESDAYS)
    change_day(SYSTEM, tournament.days.get(number=1), {}, rounds=[1, 2])
    change_day(SYSTEM, tournament.days.get(number=6), {}, rounds=[3])
    kept = [1, 1, 6, 4]
    assert numbers_of_days(tournament) == kept
    before = set(Round.objects.values_list("pk", flat=True))
    draw_again(SYSTEM, tournament.stages.get(), reason="a name was missing")
    assert numbers_of_days(tournament) == kept
    draw_round_again(SYSTEM, the_round(tournament, 2))
    withdraw(SYSTEM, entry(tournament, 5))
    assert numbers_of_days(tournament) == kept
    for number in (1, 2, 3, 4):
        publish_round(SYSTEM, the_round(tournament, number))
    withdraw(SYSTEM, entry(tournament, 6))
    replan(SYSTEM, the_round(tournament, 1))
    assert numbers_of_days(tournament) == kept
    assert before.isdisjoint(Round.objects.values_list("pk", flat=True))
