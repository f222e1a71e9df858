"""Those who are out of a knock-out play for their places while the others play on."""

import json
from collections.abc import Sequence

import pytest

from tests.clubs import SYSTEM, the_round
from tests.director.test_boards_side_by_side import entries_of, play
from tests.support.day import the_people
from tests.support.refusals import refusal
from tools.verify_export import Report, check_proof
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import open_round_of, round_states, tournament_facts
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, finish, publish_round
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.plans import PLANS, Planned
from tournaments.domain.ranking import ranking
from tournaments.domain.scores import Score
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import Match, Round, Tournament
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db


def both_verifiers_hold(tournament: Tournament) -> None:
    """Expect that the proof of a tournament holds with ours and with the second verifier."""
    proof = proof_file(tournament)
    findings = verify(bundle_from_bytes(proof))
    assert all_hold(findings), [finding for finding in findings if not finding.holds]
    report = Report()
    check_proof(report, json.loads(proof), set())
    assert report.faults == []


def all_places(count: int, stages: Sequence[Planned] = ()) -> Tournament:
    """A knock-out for all places, or with other stages, after its first round."""
    club, pairs = the_people(count)
    stages = stages or PLANS["todos_los_puestos"].stages({"places": count})
    tournament = create_tournament(
        SYSTEM, club, "Torneo", NewTournament(GameSettings(options={"to": 3}), stages=stages)
    )
    enter_newcomers(SYSTEM, tournament, pairs)
    draw(SYSTEM, tournament)
    play(publish_round(SYSTEM, the_round(tournament, 1)))
    tournament.refresh_from_db()
    return tournament


@pytest.mark.parametrize(("count", "sittings"), [(8, 3), (11, 4), (16, 4)])
def test_all_places_are_played_in_as_many_sittings_as_the_first(count: int, sittings: int) -> None:
    tournament = all_places(count)
    played = 1
    while to_draw := tournament_facts(tournament).to_draw:
        for stage in to_draw:
            draw_next(SYSTEM, tournament, after=round_states(tournament)[-1].number, stage=stage)
        drafts = Round.objects.filter(stage__tournament=tournament, state="draft")
        publish_round(SYSTEM, drafts.order_by("number")[:1].get(), together=True)
        rounds = Round.objects.filter(stage__tournament=tournament, state="published")
        sitting = Match.objects.filter(round__in=rounds, away__isnull=False)
        tables = list(sitting.values_list("table", flat=True))
        assert len(set(tables)) == len(tables), "two matches at one table"
        assert count % 8 or len(tables) == count // 2, "everybody plays in each sitting"
        for round_ in rounds.select_related("stage__tournament__club").order_by("number"):
            play(round_)
        played += 1
    assert played == sittings
    finish(SYSTEM, tournament)
    rows = rows_of(tournament)
    places = [line.rank for line in ranking(rows, rows.stages[-1])]
    assert len(set(places)) == len(places)
    both_verifiers_hold(tournament)


def test_who_is_out_is_on_the_board_alone_and_leaves_its_next_round() -> None:
    tournament = all_places(8)
    assert tournament_facts(tournament).to_draw == (1, 2)
    board = publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=1, stage=2))
    semifinals = publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=2, stage=1))
    assert (board.number, semifinals.number) == (2, 3)
    out = entries_of(tournament, 2)
    in_semifinals = Match.objects.filter(round=semifinals).values_list(
        "home__number", "away__number"
    )
    assert not out & {number for match in in_semifinals for number in match}
    play(the_round(tournament, 2))
    entry = tournament.entries.get(number=min(out))
    assert open_round_of(entry) == 3, "not the first after the semifinals, which others play"
    assert tournament_facts(tournament).to_draw == (2,)


def test_a_pair_that_plays_for_a_place_cannot_be_published_in_the_semifinals() -> None:
    tournament = all_places(8)
    publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=1, stage=2))
    semifinals = draw_next(SYSTEM, tournament, after=2, stage=1)
    match = Match.objects.with_names().filter(round__number=1).order_by("table")[0]
    hands = (3, 0) if match.home.number in entries_of(tournament, 2) else (0, 3)
    correct_result(SYSTEM, match, Score(*hands, 200, 200), reason="a slip")
    with refusal(Reason.ROUND_IMPOSSIBLE) as refused:
        publish_round(SYSTEM, the_round(tournament, semifinals.number))
    assert "juega en la fase 2" in refused.value.message


def test_who_is_beaten_in_round_1_plays_board_b_beside_the_semifinals() -> None:
    tournament = all_places(7, PLANS["eliminatoria_tablero_b"].stages({"entrants": 7}))
    assert tournament_facts(tournament).to_draw == (1, 2)
    publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=1, stage=2))
    played = Match.objects.filter(round__number=1, away__isnull=False)
    numbers = played.values_list("home__number", "away__number")
    assert entries_of(tournament, 2) < {number for match in numbers for number in match}
    assert len(entries_of(tournament, 2)) == len(played) == 3


def test_who_is_out_of_three_ceros_plays_board_b_and_stays_there() -> None:
    stages = PLANS["tres_ceros"].stages({"lives": 1, "board_b_at": 4})
    tournament = all_places(8, stages)
    assert tournament_facts(tournament).to_draw == (1, 2)
    publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=1, stage=2))
    board_b = entries_of(tournament, 2)
    assert len(board_b) == 4
    play(the_round(tournament, 2))
    corrected = Match.objects.with_names().filter(round__number=1)[0]
    hands = (3, 0) if corrected.home.number in board_b else (0, 3)
    correct_result(SYSTEM, corrected, Score(*hands, 200, 200), reason="a slip")
    publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=2, stage=1))
    seated = Match.objects.filter(round__number=3).values_list("home__number", "away__number")
    assert not board_b & {number for match in seated for number in match}
    while rounds := Round.objects.filter(stage__tournament=tournament).exclude(state="closed"):
        for round_ in rounds.select_related("stage__tournament__club").order_by("number"):
            play(round_ if round_.state == "published" else publish_round(SYSTEM, round_))
        for stage in tournament_facts(tournament).to_draw:
            draw_next(SYSTEM, tournament, after=round_states(tournament)[-1].number, stage=stage)
    finish(SYSTEM, tournament)
    both_verifiers_hold(tournament)


def test_a_board_beside_three_ceros_is_refused_with_what_can_be_played_beside_a_stage() -> None:
    board_b = {"format": "swiss", "rules": {"source": 1, "take_from": 1}}
    tournament = all_places(4, [{"format": "lives", "rules": {"lives": 1}}, board_b])
    with refusal(Reason.CANNOT_DRAW) as refused:
        draw_next(SYSTEM, tournament, after=1, stage=2)
    assert "la fase 1, de la que salen sus participantes, no ha terminado" in refused.value.message
