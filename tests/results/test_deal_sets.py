"""A tournament of deal sets: what can be agreed, who may enter, and that it travels."""

from typing import Any

import pytest

from tests.clubs import SYSTEM, a_club, csv, house_bots, new_tournament
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.entries import enter_newcomers, import_entries
from tournaments.director.services.tournaments import create_tournament
from tournaments.domain.match_parts import MAX_SETS
from tournaments.models import AuditEvent, Tournament

pytestmark = pytest.mark.django_db

TEST = {"model": "points", "low": -5, "high": 5}


def of_sets(**more: Any) -> Tournament:
    agreed: dict[str, Any] = {"deal_sets": 20, "options": {"deals": 1}, **more}
    return create_tournament(SYSTEM, a_club(), "Escalera", new_tournament(**agreed))


def test_a_match_can_be_deal_sets_with_a_test_that_ends_it_early() -> None:
    tournament = of_sets(stop=TEST)
    tournament.refresh_from_db()
    assert tournament.deal_sets == 20
    assert tournament.stop == {**TEST, "alpha": 0.05, "beta": 0.05}
    (event,) = AuditEvent.objects.filter(verb="tournament.created")
    assert (event.facts["deal_sets"], event.facts["stop"]) == (20, tournament.stop)


def test_without_a_word_about_them_there_are_no_sets() -> None:
    tournament = of_sets(deal_sets=0)
    assert (tournament.deal_sets, tournament.stop) == (0, {})
    assert "deal_sets" not in AuditEvent.objects.get(verb="tournament.created").facts


@pytest.mark.parametrize(
    "agreed",
    [
        {"deal_sets": -1},
        {"deal_sets": MAX_SETS + 1},
        {"deal_sets": True},
        {"deal_sets": 2, "cotos": 2, "options": {"to": 3}},
        {"deal_sets": 2, "stages": [{"format": "individual"}]},
        {"deal_sets": 2, "stages": [{"format": "duplicate"}], "ruleset": "parejas"},
    ],
    ids=str,
)
def test_sets_that_cannot_be_are_refused(agreed: dict[str, Any]) -> None:
    with refusal(Reason.BAD_OPTIONS) as refused:
        of_sets(**agreed)
    assert refused.value.params["text"] == "deal_sets"


@pytest.mark.parametrize(
    "stop",
    [
        {"low": -5},
        {"low": 5, "high": -5},
        {"low": "-5", "high": 5},
        {"low": True, "high": 5},
        {"low": float("-inf"), "high": 5},
        {"low": 0, "high": float("nan")},
        {"low": 0, "high": 5, "alpha": 0},
        {"low": 0, "high": 5, "alpha": 0.6, "beta": 0.5},
        {"low": 0, "high": 5, "model": "luck"},
        {"low": 0, "high": 5, "sets": 3},
    ],
    ids=str,
)
def test_a_test_that_is_none_is_refused(stop: dict[str, Any]) -> None:
    with refusal(Reason.BAD_OPTIONS) as refused:
        of_sets(stop=stop)
    assert refused.value.params["text"] == "stop"


@pytest.mark.parametrize(
    "agreed",
    [{"deal_sets": 0}, {"ruleset": "arrastrado", "stages": [{"format": "threes"}]}],
    ids=["without sets", "three sides"],
)
def test_a_test_needs_sets_and_two_sides(agreed: dict[str, Any]) -> None:
    with refusal(Reason.BAD_OPTIONS) as refused:
        of_sets(stop=TEST, **agreed)
    assert refused.value.params["text"] == "stop"


def test_three_bots_at_a_table_play_sets_too() -> None:
    assert of_sets(ruleset="arrastrado", stages=[{"format": "threes"}]).deal_sets == 20


def test_only_bots_enter_where_deal_sets_are_played() -> None:
    tournament = of_sets()
    with refusal(Reason.BOTS_ONLY) as refused:
        import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    assert refused.value.params["text"]
    assert not tournament.entries.exists()
    assert len(enter_newcomers(SYSTEM, tournament, house_bots())) == 2


def test_the_tournament_file_says_how_many_sets_make_a_match() -> None:
    tournament = of_sets(stop=TEST)
    assert rows_of(tournament).options == {
        "deals": 1,
        "deal_sets": 20,
        "stop": {**TEST, "alpha": 0.05, "beta": 0.05},
    }
