"""A double elimination is played to its end, though winners wait while the lower board plays."""

import os
from random import Random

import pytest

from tests.clubs import SYSTEM, the_round
from tests.quick import long, slow
from tests.support.day import entry, the_people
from tests.support.driver import PLANS, Event
from tournaments.core.errors import Reason, Refusal
from tournaments.director.queries.drafts import draft_page
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.absences import withdraw
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.ranking import ranking
from tournaments.domain.scores import Score
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import Match, Pair, Round, Tournament
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db

MAX_ROUNDS = 40
WAYS = ("api", "pages") if "BAZA_RANDOM_EVENTS" in os.environ else ()
"""`./baza test --long` plays every size both ways, the ordinary run each in one of them."""


def drawn(pairs: int, *before: dict[str, object]) -> Tournament:
    """A tournament of `pairs` pairs of a club that has one more."""
    club, people = the_people(pairs + 1)
    final = {"format": "double", "rules": {}}
    tournament = create_tournament(
        SYSTEM,
        club,
        "Doble",
        NewTournament(GameSettings(options={"to": 3}), stages=[*before, final]),
    )
    enter_newcomers(SYSTEM, tournament, people[:pairs])
    draw(SYSTEM, tournament)
    return tournament


def play(round_: Round, chance: Random) -> None:
    publish_round(SYSTEM, round_)
    for match in round_.matches.filter(state="pending").order_by("table"):
        score = Score(3, 1, 250, 150) if chance.random() < 0.5 else Score(1, 3, 150, 250)
        report_result(SYSTEM, Match.objects.with_names().get(pk=match.pk), score=score)
    close_round(SYSTEM, the_round(round_.stage.tournament, round_.number))


def play_to_the_end(tournament: Tournament, chance: Random, first: int = 1) -> int:
    """Play from a round on; return the number of the last."""
    for number in range(first, MAX_ROUNDS):
        play(the_round(tournament, number), chance)
        try:
            draw_next(SYSTEM, tournament, after=number)
        except Refusal as refusal:
            if refusal.reason is not Reason.NOTHING_TO_DRAW:
                raise
            return number
    raise AssertionError("the tournament does not end")


# The domain plays every size in milliseconds; these take seconds each.
@pytest.mark.parametrize("pairs", [4, *slow([5, 8, 9]), *long([6, 7, *range(10, 18)])])
def test_it_is_played_over_api_and_pages_and_the_proof_holds(pairs: int) -> None:
    for way in WAYS or (("api", "pages")[pairs % 2],):
        event = Event(PLANS["double"], f"double {pairs}", pairs, way, disturbances=0)
        while not event.is_over:
            event.step()
        rows = rows_of(event.tournament)
        ranks = [line.rank for line in ranking(rows, rows.stages[0])]
        assert ranks[:2] == [1, 2]
        assert len(event.matches(away__isnull=False)) in {2 * pairs - 2, 2 * pairs - 1}
        findings = verify(bundle_from_bytes(proof_file(event.tournament)))
        assert all_hold(findings), [finding for finding in findings if not finding.holds]


def test_it_is_played_as_a_final_stage_also_by_one_who_came_late_to_the_first() -> None:
    tournament = drawn(4, {"format": "swiss", "rules": {"rounds": 2}})
    chance = Random(1)
    play(the_round(tournament, 1), chance)
    newcomer = Pair.objects.exclude(pk__in=tournament.entries.values("pair")).get()
    assert enter_late(SYSTEM, tournament, newcomer).joined_round == 2
    draw_next(SYSTEM, tournament, after=1)
    assert play_to_the_end(tournament, chance, first=2) > 5
    finish(SYSTEM, tournament)
    rows = rows_of(tournament)
    assert len(ranking(rows, rows.stages[1])) == 5


def waiting(tournament: Tournament) -> tuple[Round, int]:
    """Play two rounds of eight; return the third, a draft, and a pair that waits in it."""
    for number in (1, 2):
        play(the_round(tournament, number), Random(8))
        draw_next(SYSTEM, tournament, after=number)
    tables = [table for _, table in rows_of(tournament).stages[0].tables()]
    lost = {table.entrants[1 - table.winner] for table in tables if table.winner is not None}
    return the_round(tournament, 3), min(set(range(1, 9)) - lost)


def test_a_pair_that_waits_is_no_objection_has_no_seat_and_may_leave() -> None:
    tournament = drawn(8)
    _, idle = waiting(tournament)
    page = draft_page(tournament.slug, 3, SYSTEM, "es")
    assert page.is_publishable
    assert not page.warnings
    assert not page.idle
    withdraw(SYSTEM, entry(tournament, idle))
    assert play_to_the_end(tournament, Random(3), first=3) > 3
    finish(SYSTEM, tournament)


def test_a_pair_that_waits_cannot_be_seated_by_hand() -> None:
    tournament = drawn(8)
    draft, idle = waiting(tournament)
    match = draft.matches.filter(away__isnull=False).order_by("table")[0]
    Match.objects.filter(pk=match.pk).update(home=entry(tournament, idle))
    with pytest.raises(Refusal) as refusal:
        publish_round(SYSTEM, the_round(tournament, 3))
    assert refusal.value.reason is Reason.ROUND_IMPOSSIBLE
