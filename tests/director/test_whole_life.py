"""The whole life of a tournament: a Swiss of twenty-four, groups and a final, and all that happens.

A late pair, a withdrawal, a dispute, a correction after the next round was paired, and an undo.
"""

import pytest

from tests.audited import assert_history_is_complete
from tests.clubs import SYSTEM, arbiter, the_round
from tests.support.day import entry, late_pair, the_people
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.queries.drafts import warnings_of
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.tournaments import effects
from tournaments.director.services.absences import check_in, close_check_in, withdraw
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.restoring import go_back
from tournaments.director.services.rounds import draw_again, swap
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.ranking import StandingsLine, ranking
from tournaments.domain.scores import Score
from tournaments.domain.stages import current_stage
from tournaments.models import Entry, Match, Result, Round, Tournament
from tournaments.results.services.matches import correct_result, dispute_result, rule_on_dispute
from tournaments.results.services.reports import confirm_result, report_result

pytestmark = pytest.mark.django_db

STAGES = [
    {"format": "swiss", "rules": {"rounds": 4}, "name": "Suizo"},
    {"format": "groups", "rules": {"groups": 2, "take": 8}, "name": "Grupos"},
    {"format": "knockout", "rules": {"take": 2, "third_place": True}, "name": "Final"},
]
ENTERED = 24


def lines(tournament: Tournament, stage: int = 0) -> tuple[StandingsLine, ...]:
    rows = rows_of(tournament)
    return ranking(rows, rows.stages[stage])


def speaker(side: Entry | None) -> Actor:
    assert side is not None
    return Actor.for_entry(Entry.objects.select_related("tournament__club").get(pk=side.pk))


def score_of(match: Match) -> Score:
    """The earlier entry wins; no two matches end with the same points."""
    assert match.away is not None
    points = 250 + 5 * match.home.number + 2 * match.away.number
    if match.home.number < match.away.number:
        return Score(3, match.table % 3, points, 150 + match.table)
    return Score(match.table % 3, 3, 150 + match.table, points)


def reported(match: Match) -> None:
    """The home side reports, the other confirms, and only then does it count."""
    report_result(speaker(match.home), match, score=score_of(match))
    assert not match.results.counting().exists()
    confirm_result(speaker(match.away), match)
    assert match.results.counting().count() == 1


def pending(round_: Round) -> list[Match]:
    return list(Match.objects.with_names().filter(round=round_, state="pending").order_by("table"))


def played(tournament: Tournament, number: int) -> None:
    round_ = publish_round(SYSTEM, the_round(tournament, number))
    for match in pending(round_):
        reported(match)
    close_round(SYSTEM, the_round(tournament, number))


@pytest.mark.slow
def test_a_tournament_lives_from_its_entries_to_its_champion() -> None:
    club, pairs = the_people(ENTERED + 1)
    tournament = create_tournament(
        SYSTEM, club, "Gran torneo", NewTournament(GameSettings(options={"to": 3}), stages=STAGES)
    )
    enter_newcomers(SYSTEM, tournament, pairs[:ENTERED])
    the_night_begins(tournament)
    a_round_with_a_dispute(tournament)
    a_round_drawn_before_a_correction(tournament)
    an_undo_in_time(tournament)
    the_groups_and_the_final(tournament)
    assert_history_is_complete()


def the_night_begins(tournament: Tournament) -> None:
    """One pair does not come; another comes when the first round is running."""
    for number in range(1, ENTERED):
        check_in(SYSTEM, entry(tournament, number))
    assert close_check_in(SYSTEM, tournament) == 1
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    resting = Match.objects.get(round=the_round(tournament, 1), state="bye").home
    late = enter_late(SYSTEM, tournament, late_pair(tournament))
    table = Match.objects.with_names().get(round=the_round(tournament, 1), away=late)
    assert table.home == resting
    for match in pending(the_round(tournament, 1)):
        reported(match)
    close_round(SYSTEM, the_round(tournament, 1))
    assert len(lines(tournament)) == ENTERED


def a_round_with_a_dispute(tournament: Tournament) -> None:
    """What counted before an objection counts until the arbiter has ruled."""
    withdraw(speaker(entry(tournament, 7)), entry(tournament, 7), "they have to leave")
    draw_next(SYSTEM, tournament, after=1)
    publish_round(SYSTEM, the_round(tournament, 2))
    first, *others = pending(the_round(tournament, 2))
    for match in others:
        reported(match)
    before = lines(tournament)
    reported(first)
    standings_lines = lines(tournament)
    assert standings_lines != before
    dispute = dispute_result(speaker(first.away), first, "the last hand was theirs")
    assert lines(tournament) == standings_lines
    with refusal(Reason.ROUND_UNFINISHED):
        close_round(SYSTEM, the_round(tournament, 2))
    judge = arbiter(tournament.club)
    rule_on_dispute(judge, dispute, "amend", reason="both agree now", score=Score(3, 2, 400, 390))
    live = first.results.live().get()
    assert (live.home_hands, live.away_hands) == (3, 2)
    assert first.results.count() >= 2
    close_round(SYSTEM, the_round(tournament, 2))


def a_round_drawn_before_a_correction(tournament: Tournament) -> None:
    """A correction moves the standings, keeps both versions, and pairs nobody again."""
    draw_next(SYSTEM, tournament, after=2)
    publish_round(SYSTEM, the_round(tournament, 3))
    paired = list(Match.objects.filter(round__number=3).values_list("home", "away"))
    wrong = (
        Match.objects.with_names().filter(round__number=1, state="accepted").order_by("table")[0]
    )
    before = lines(tournament)
    was = wrong.results.live().get()
    correct_result(
        arbiter(tournament.club),
        wrong,
        Score(was.away_hands, was.home_hands, was.away_points, was.home_points),
        reason="the slip was read upside down",
    )
    assert lines(tournament) != before
    assert wrong.results.count() == Result.objects.filter(match=wrong, live=False).count() + 1
    assert list(Match.objects.filter(round__number=3).values_list("home", "away")) == paired
    for match in pending(the_round(tournament, 3)):
        reported(match)
    close_round(SYSTEM, the_round(tournament, 3))


def an_undo_in_time(tournament: Tournament) -> None:
    """A round published too soon is taken back; one that was played on is not."""
    draw_next(SYSTEM, tournament, after=3)
    round_ = the_round(tournament, 4)
    match, other = Match.objects.with_names().filter(round=round_, away__isnull=False)[:2]
    swap(SYSTEM, round_, match.home, other.home)
    publish_round(SYSTEM, the_round(tournament, 4))
    point = tournament.restore_points.filter(verb="round.published").latest("pk")
    go_back(SYSTEM, point)
    draw_again(SYSTEM, the_round(tournament, 4))
    assert warnings_of(the_round(tournament, 4)) == ()
    played(tournament, 4)
    assert effects(tournament, point).live
    with refusal(Reason.UNDO_LIVE):
        go_back(SYSTEM, point)


def the_groups_and_the_final(tournament: Tournament) -> None:
    """Eight go into two groups, four into the semi-finals, one is champion."""
    best = [line.entrant for line in lines(tournament)[:8]]
    number = 4
    while current_stage(rows_of(tournament)) is not None:
        draw_next(SYSTEM, tournament, after=number)
        drafts = Round.objects.filter(stage__tournament=tournament, state="draft")
        for number in sorted(drafts.values_list("number", flat=True)):
            played(tournament, number)
    with refusal(Reason.NOTHING_TO_DRAW):
        draw_next(SYSTEM, tournament, after=number)
    assert sorted(tournament.stages.get(number=2).entrants) == sorted(best)
    final = tournament.stages.get(number=3)
    assert len(final.entrants) == 4
    table = lines(tournament, 2)
    assert [line.rank for line in table] == [1, 2, 3, 4]
    assert table[0].entrant == min(final.entrants)
    finish(SYSTEM, tournament)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
