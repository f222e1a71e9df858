"""Tournaments of several cotos, and duplicates with their deals, taken elsewhere."""

import json

import pytest

from tests.clubs import SYSTEM, the_match, the_round
from tests.director.test_boards import a_duplicate, play
from tests.exchange.test_imports import elsewhere, exported, standings
from tests.support.coto_matches import best_of_three, submit_coto
from tests.support.event_tables import table_1
from tests.support.refusals import refusal
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import play_match
from tournaments.core.errors import Reason
from tournaments.director.services.tournaments import publish_round
from tournaments.exchange.services.imports import import_tournament
from tournaments.models import Match, Tournament
from tournaments.results.services.results import score_so_far

pytestmark = pytest.mark.django_db


def half_played() -> Tournament:
    """A match of three cotos, and another in play."""
    tournament = best_of_three()
    for winner, number in (("home", 1), ("away", 1), ("home", 2)):
        submit_coto(SYSTEM, table_1(tournament), winner, number)
    others = the_round(tournament, 1).matches.with_names()
    submit_coto(SYSTEM, others.get(table=2), "away")
    tournament.refresh_from_db()
    return tournament


def test_cotos_come_along() -> None:
    tournament = half_played()
    document, table = exported(tournament), standings(tournament)
    copy = import_tournament(SYSTEM, elsewhere(), document)
    assert (copy.cotos, standings(copy)) == (2, table)
    in_play = the_match(copy, 1, 2)
    so_far = score_so_far(in_play)
    assert so_far is not None
    assert so_far.hands == (0, 1)
    submit_coto(SYSTEM, in_play, "away", 2)
    assert Match.objects.get(pk=in_play.pk).state == "accepted"


@pytest.mark.parametrize(
    ("field", "value", "place"),
    [("winner", "away", "hand_scores/0"), ("home", 7, "hand_scores/0")],
)
def test_a_result_is_what_its_cotos_come_to(field: str, value: object, place: str) -> None:
    document = json.loads(exported(half_played()))
    document["results"][0]["hand_scores"][0][field] = value
    club = elsewhere()
    with refusal(Reason.BAD_EXPORT) as refused:
        import_tournament(SYSTEM, club, json.dumps(document))
    assert refused.value.params["where"] == f"/results/0/{place}"


def test_more_cotos_than_were_won_are_not_imported() -> None:
    document = json.loads(exported(half_played()))
    document["results"][0]["away_hands"] = 0
    club = elsewhere()
    with refusal(Reason.BAD_EXPORT) as refused:
        import_tournament(SYSTEM, club, json.dumps(document))
    assert refused.value.params["where"] == "/results/0/away_hands"


def test_a_duplicate_goes_on_with_the_same_deals() -> None:
    tournament = a_duplicate(bots=6)
    play(tournament, 1)
    tournament.refresh_from_db()
    document, seed = exported(tournament), tournament.stages.get().deal_seed
    copy = import_tournament(SYSTEM, elsewhere(), document)
    stage = copy.stages.get()
    assert (stage.deal_seed, len(stage.commitment)) == (seed, 64)
    publish_round(SYSTEM, the_round(copy, 2))
    play_round(SYSTEM, the_round(copy, 2))
    for match in the_round(copy, 2).matches.all():
        assert play_match(match.pk) == "accepted"


def test_a_board_without_the_points_of_a_side_is_refused() -> None:
    tournament = a_duplicate(bots=6)
    play(tournament, 1)
    document = json.loads(exported(tournament))
    del document["results"][0]["hand_scores"][0]["home"]
    with refusal(Reason.BAD_EXPORT) as refused:
        import_tournament(SYSTEM, elsewhere(), json.dumps(document))
    assert refused.value.params["where"] == "/results/0/hand_scores/0"
