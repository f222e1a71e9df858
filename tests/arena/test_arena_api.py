"""The API shows how bots compare and how far they are: what the pages show."""

from __future__ import annotations

import pytest

from tests.arena.test_arena_queries import TEST, two_bots, with_sets
from tests.clubs import the_match
from tests.support.bot_tables import a_bot_round, house_bot
from tests.support.caller import Caller
from tournaments.arena.services.playing import play_match
from tournaments.results.services.leases import claim_match

pytestmark = pytest.mark.django_db


def test_bots_are_compared_with_intervals_pairs_and_tests() -> None:
    tournament = two_bots(20, stop=TEST)
    with_sets(the_match(tournament, 1, 1), *[(150, 110), (140, 120), (130, 130)] * 4)
    body = Caller().read(f"tournaments/{tournament.slug}/arena/")
    assert (body["deal_sets"], body["matches"], body["sets"]) == (20, 1, 12)
    best, worst = body["bots"]
    assert (best["number"], best["bot"], best["sets"], best["forfeits"]) == (1, "simple-1", 12, 0)
    assert (best["margin"]["mean"], worst["margin"]["mean"]) == (10, -10)
    assert best["margin"]["low"] > 0
    assert best["rating"] is None
    (pair,) = body["pairs"]
    assert (pair["one"], pair["other"], pair["margin"]["mean"]) == (1, 2, 10)
    assert (pair["test"]["state"], pair["test"]["llr"]) == ("high", pytest.approx(18))


def test_before_anything_is_played_the_figures_are_null() -> None:
    tournament = two_bots()
    body = Caller().read(f"tournaments/{tournament.slug}/arena/")
    assert [(bot["margin"], bot["won"]) for bot in body["bots"]] == [(None, None)] * 2
    assert body["pairs"] == []


def test_the_progress_of_a_round_is_had_without_its_matches() -> None:
    round_ = a_bot_round(*(house_bot("random", n) for n in range(4)))
    first, second = round_.matches.order_by("pk").values_list("pk", flat=True)
    play_match(first)
    claim_match(second)
    slug = round_.stage.tournament.slug
    body = Caller().read(f"tournaments/{slug}/rounds/1/progress/")
    assert (body["total"], body["played"], body["running"], body["hands"]) == (2, 1, 1, 1)
    assert (body["rate"], body["estimated_end"], body["paused"]) == (None, None, False)
    assert len(body["workers"]) == 1
    assert body == Caller().read(f"tournaments/{slug}/rounds/1/")["progress"]
