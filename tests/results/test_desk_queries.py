"""The desk of a round, and an entry at its own table."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.clubs import (
    NOBODY,
    SYSTEM,
    arbiter,
    organiser,
    program,
    stranger,
    the_liguilla,
    the_match,
    the_round,
    user,
)
from tests.support.counting import count_queries
from tests.support.day import a_day, entry, late_pair, next_round, play_round
from tests.support.event_tables import WON, by_code, table_1
from tests.support.refusals import refusal
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.director.queries.desk import clock_of, desk_page, desk_table
from tournaments.director.queries.tournaments import open_fetched_tournament
from tournaments.director.services.absences import check_in
from tournaments.director.services.draws import draw_next
from tournaments.director.services.entries import enter_late
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.domain.scores import Score
from tournaments.models import Round, Stage, Tournament
from tournaments.results.queries.own_table import own_entry, own_table_page
from tournaments.results.services.matches import (
    correct_result,
    decide,
    dispute_result,
    postpone,
    rule_on_dispute,
)
from tournaments.results.services.reports import confirm_result, report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def liguilla(db: None) -> Tournament:
    """The club night with its first round published: four tables."""
    return the_liguilla(published=1)


def reported(tournament: Tournament, table: int) -> None:
    match = the_match(tournament, 1, table)
    report_result(by_code(match, "home"), match, score=WON)


def test_tables_are_counted_by_how_far_they_are(liguilla: Tournament) -> None:
    reported(liguilla, 1)
    postpone(SYSTEM, the_match(liguilla, 1, 2), None)
    correct_result(SYSTEM, the_match(liguilla, 1, 3), WON, reason="De la mesa.")
    page = desk_page(liguilla.slug, arbiter(liguilla.club))
    assert (page.round, page.rounds, page.total) == (1, (1,), 4)
    assert page.counts == {
        "waiting": 1,
        "reported": 1,
        "disputed": 0,
        "postponed": 1,
        "done": 1,
    }
    assert [row.group for row in page.rows] == ["reported", "postponed", "done", "waiting"]
    judge = arbiter(liguilla.club, "blanca")
    first = desk_table(liguilla.slug, judge, 1, 1)
    assert first is not None
    assert (first.reported_by, first.version) == (table_1(liguilla).home.name, 1)
    assert desk_table(liguilla.slug, judge, 1, 9) is None


def test_the_desk_of_a_group_keeps_the_counts_of_all(liguilla: Tournament) -> None:
    reported(liguilla, 1)
    page = desk_page(liguilla.slug, arbiter(liguilla.club), group="reported")
    assert [row.match.table for row in page.rows] == [1]
    assert page.total == 4
    assert len(desk_page(liguilla.slug, SYSTEM, group="no such").rows) == 4


def test_the_desk_is_for_the_clubs_people(liguilla: Tournament) -> None:
    with refusal(Reason.SIGN_IN):
        desk_page(liguilla.slug, NOBODY)
    for viewer in (
        stranger(),
        by_code(table_1(liguilla), "home"),
        program(liguilla.club, "games:read"),
    ):
        with refusal(Reason.FORBIDDEN):
            desk_page(liguilla.slug, viewer)


def test_who_is_missing_is_said_at_each_table(liguilla: Tournament) -> None:
    judge = arbiter(liguilla.club)
    assert {row.missing for row in desk_page(liguilla.slug, judge).rows} == {()}
    check_in(judge, the_match(liguilla, 1, 2).home)
    reported(liguilla, 1)
    rows = desk_page(liguilla.slug, judge).rows
    assert [row.missing for row in rows[:3]] == [("away",), ("away",), ("home", "away")]
    assert rows[0].at
    assert rows[1].at
    assert rows[0].at > rows[1].at
    assert rows[1].at == Round.objects.get(pk=table_1(liguilla).round_id).published_at


def test_a_latecomer_makes_nobody_missing_where_no_check_in_is_held() -> None:
    tournament = a_day(5)
    publish_round(SYSTEM, the_round(tournament, 1))
    enter_late(SYSTEM, tournament, late_pair(tournament))
    judge = arbiter(tournament.club)
    assert {row.missing for row in desk_page(tournament.slug, judge).rows} == {()}


def test_one_who_has_played_a_round_is_not_missing_in_the_next() -> None:
    tournament = a_day(4)
    play_round(tournament, 1)
    next_round(tournament, 1)
    judge = arbiter(tournament.club)
    check_in(judge, entry(tournament, 1))
    assert {row.missing for row in desk_page(tournament.slug, judge).rows} == {()}


@pytest.mark.parametrize("kind", ["swiss", "liguilla", "lives"])
def test_who_rests_is_named_below_the_tables_of_a_round_and_of_a_draft(kind: str) -> None:
    night = a_day(entered=5, late=0, format=kind)
    drafted = desk_page(night.slug, SYSTEM)
    assert (drafted.draft, len(drafted.bye_names)) == (1, 1)
    publish_round(SYSTEM, the_round(night, 1))
    page = desk_page(night.slug, SYSTEM, group="done")
    rows = desk_page(night.slug, SYSTEM).rows
    seated = {side.shown_name for row in rows for side in row.match.sides}
    assert page.bye_names == drafted.bye_names
    assert not seated.intersection(page.bye_names)
    assert page.total == 2
    client = Client(headers={"accept-language": "en"})
    organiser(night.club)
    client.force_login(user("olga"))
    html = client.get(f"/t/{night.slug}/control/").content.decode()
    assert "<strong>Rests this round:</strong> " + page.bye_names[0] in html


def test_what_holds_up_the_next_round_is_one_step_at_a_time(liguilla: Tournament) -> None:
    judge, boss = arbiter(liguilla.club), organiser(liguilla.club)

    def step() -> tuple[str, int | None, list[int]]:
        page = desk_page(liguilla.slug, boss)
        return page.step.kind, page.step.round, [row.match.table for row in page.step.tables]

    assert step() == ("results", 1, [1, 2, 3, 4])
    for table in (1, 2):
        reported(liguilla, table)
    dispute = dispute_result(SYSTEM, table_1(liguilla), "Al revés.")
    assert step() == ("rule", 1, [1])
    rule_on_dispute(judge, dispute, "uphold", reason="Está bien.")
    assert step() == ("results", 1, [3, 4])
    for table in (3, 4):
        correct_result(SYSTEM, the_match(liguilla, 1, table), WON, reason="De la mesa.")
    assert step() == ("confirm", 1, [2])
    confirm_result(SYSTEM, the_match(liguilla, 1, 2), version=1)
    assert step() == ("close", 1, [])
    close_round(boss, table_1(liguilla).round)
    page = desk_page(liguilla.slug, boss)
    assert (step()[:2], page.draft, len(page.rows)) == (("publish", 2), 2, 4)
    assert page.tables == ()


def test_a_postponed_match_is_the_step_once_all_rounds_are_closed() -> None:
    tournament = a_day(4, rounds=1)
    round_ = publish_round(SYSTEM, the_round(tournament, 1))
    correct_result(SYSTEM, the_match(tournament, 1, 1), WON, reason="De la mesa.")
    postpone(SYSTEM, the_match(tournament, 1, 2), None)
    close_round(SYSTEM, round_)
    boss = organiser(tournament.club)
    step = desk_page(tournament.slug, boss).step
    assert (step.kind, step.round) == ("play", 1)
    assert [row.match.table for row in step.tables] == [2]
    report_result(SYSTEM, the_match(tournament, 1, 2), score=WON)
    assert desk_page(tournament.slug, boss).step.kind == "finish"


def test_who_goes_on_from_a_level_match_is_asked_before_the_next_round_is_drawn() -> None:
    tournament = a_day(4, format="knockout")
    round_ = publish_round(SYSTEM, the_round(tournament, 1))
    level, won = the_match(tournament, 1, 1), the_match(tournament, 1, 2)
    correct_result(SYSTEM, won, WON, reason="De la mesa.")
    correct_result(SYSTEM, level, Score(2, 2, 0, 0), reason="Se fue la luz.")
    boss = organiser(tournament.club)
    for close in (lambda: None, lambda: close_round(SYSTEM, round_)):
        close()
        step = desk_page(tournament.slug, boss).step
        assert (step.kind, [row.match.table for row in step.tables]) == ("decide", [1])
    with pytest.raises(Refusal, match="Ronda 1, mesa 1"):
        draw_next(SYSTEM, tournament, after=1)
    decide(SYSTEM, the_match(tournament, 1, 1), "home", reason="Por sorteo.")
    step = desk_page(tournament.slug, boss).step
    assert (step.kind, step.round) == ("draw", 2)


def test_who_is_out_since_a_correction_is_named_in_the_round_drawn_before_it() -> None:
    tournament = a_day(4, format="knockout")
    round_ = publish_round(SYSTEM, the_round(tournament, 1))
    for table in (1, 2):
        report_result(SYSTEM, the_match(tournament, 1, table), score=WON)
    close_round(SYSTEM, round_)
    draw_next(SYSTEM, tournament, after=1)
    boss, first = organiser(tournament.club), the_match(tournament, 1, 1)

    def out() -> tuple[str, ...]:
        return desk_page(tournament.slug, boss).no_longer_through

    assert out() == ()
    correct_result(SYSTEM, first, Score(1, 3, 0, 0), reason="Al revés.")
    assert out() == ()  # the draft was drawn again
    correct_result(SYSTEM, first, WON, reason="Estaba bien.")
    publish_round(SYSTEM, the_round(tournament, 2))
    assert out() == ()
    correct_result(SYSTEM, first, Score(1, 3, 0, 0), reason="Al revés.")
    assert out() == (first.home.shown_name,)


def test_disputes_of_other_rounds_wait_at_the_desk_too(liguilla: Tournament) -> None:
    reported(liguilla, 1)
    dispute_result(SYSTEM, table_1(liguilla), "Al revés.")
    Round.objects.filter(stage__tournament=liguilla, number=1).update(
        state="closed", closed_at=timezone.now()
    )
    page = desk_page(liguilla.slug, arbiter(liguilla.club))
    assert (page.round, page.draft, page.tables) == (None, 2, ())
    assert [dispute.dispute.reason for dispute in page.disputes] == ["Al revés."]


def test_the_desk_takes_as_many_queries_however_many_tables_there_are(
    liguilla: Tournament,
) -> None:
    judge = arbiter(liguilla.club)
    empty = count_queries(lambda: desk_page(liguilla.slug, judge))[1]
    for table in (1, 2, 3):
        reported(liguilla, table)
    report = count_queries(lambda: desk_page(liguilla.slug, judge))[1]
    for table in (1, 2):
        dispute_result(SYSTEM, the_match(liguilla, 1, table), "Al revés.")
    full = count_queries(lambda: desk_page(liguilla.slug, judge))[1]
    assert (empty, report) == (report, empty)
    assert full <= 10


# --- One's own table ----------------------------------------------------------------------------


def test_an_entry_finds_its_table(liguilla: Tournament) -> None:
    match = table_1(liguilla)
    viewer = by_code(match, "away")
    assert viewer.entry is not None
    page = own_table_page(open_fetched_tournament(liguilla, viewer), viewer.entry, viewer)
    assert page.current is not None
    assert (page.current.match.pk, page.current.own_side, page.by_code) == (match.pk, "away", True)
    assert (page.clock, page.bye, page.others) == (None, None, ())


def test_what_was_put_off_is_still_to_be_played(liguilla: Tournament) -> None:
    match = table_1(liguilla)
    postpone(SYSTEM, match, None)
    Round.objects.filter(stage__tournament=liguilla, number=1).update(
        state="closed", closed_at=timezone.now()
    )
    viewer = by_code(match, "home")
    page = own_table_page(open_fetched_tournament(liguilla, viewer), match.home, viewer)
    assert page.current is None
    assert [other.pk for other in page.others] == [match.pk]


def test_nobody_has_an_entry_of_another_tournament(liguilla: Tournament) -> None:
    viewer = by_code(table_1(liguilla), "home")
    other = the_liguilla(club=liguilla.club, published=0)
    assert own_entry(liguilla, viewer) == viewer.entry
    assert own_entry(other, viewer) is None
    assert own_entry(other, NOBODY) is None
    assert own_entry(other, Actor.for_user(stranger().user)) is None


def test_a_clock_that_stands_still_keeps_what_was_left() -> None:
    start = timezone.now() - timedelta(minutes=30)
    stage = Stage()
    round_ = Round(stage=stage, minutes=40, clock_started_at=start)
    running = clock_of(round_)
    assert running is not None
    assert (running.minutes_left, running.state) == (10, "running")
    round_.clock_stopped_at = start + timedelta(minutes=5)
    stopped = clock_of(round_)
    assert stopped is not None
    assert (stopped.minutes_left, stopped.state) == (35, "stopped")
    over = clock_of(Round(stage=stage, minutes=20, clock_started_at=start))
    assert over is not None
    assert (over.left, over.state) == (0, "over")
    assert clock_of(Round(minutes=20)) is None
