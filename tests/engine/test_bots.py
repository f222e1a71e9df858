"""House bots play by the rules, repeatably, and the sensible one is worth its name."""

from typing import Any

import pytest

import engine
from engine.bots.table import BotError

RULES = engine.RULESETS["parejas-online"]


def match(ac: str, bd: str, seed: bytes, label: str, **options: int) -> dict[str, Any]:
    bots = {
        seat: engine.HOUSE_BOTS[ac if seat in "AC" else bd](seed + seat.encode())
        for seat in RULES.seats
    }
    return engine.play_match(RULES, bots, seed, label, list("wxyz"), options or {"to": 3})


@pytest.mark.parametrize(
    ("ac", "bd"), [("random", "random"), ("simple", "random"), ("simple", "simple")]
)
def test_what_bots_play_passes_the_audit(ac: str, bd: str) -> None:
    for number in range(20):
        record = match(ac, bd, b"seed", f"audit {number}")
        verdict = engine.audit(record)
        assert verdict.valid, verdict.faults
        assert "match.unfinished" not in [notice.code for notice in verdict.notices]


def test_the_same_seed_plays_the_same_match() -> None:
    assert match("random", "simple", b"one", "m") == match("random", "simple", b"one", "m")
    assert match("random", "simple", b"one", "m") != match("random", "simple", b"two", "m")


def test_the_sensible_bot_beats_the_random_one_clearly() -> None:
    won = 0
    for number in range(30):
        sides = ("simple", "random") if number % 2 else ("random", "simple")
        winner = match(*sides, b"duel", f"duel {number}")["winner"]
        won += winner == ("AC" if number % 2 else "BD")
    assert won >= 21  # an even contest gets there once in fifty times; measured 27


def test_the_sensible_bot_declares_all_it_can() -> None:
    for number in range(30):
        record = match("simple", "simple", b"declare", f"declare {number}")
        assert [n.code for n in engine.audit(record).notices if n.code == "declare.omitted"] == []


def test_a_bot_sees_its_own_hand_only() -> None:
    seen: list[engine.View] = []

    class Watcher(engine.Chance):
        def choose(self, view: engine.View) -> str:
            seen.append(view)
            return super().choose(view)

    bots = {seat: Watcher(seat.encode()) for seat in RULES.seats}
    record = engine.play_match(RULES, bots, b"seed", "watch", list("wxyz"), {"deals": 1})
    dealt = record["hands"][0]["deal"]
    for view in seen:
        assert set(view.hand) <= set(dealt[view.seat].split())
        assert all(token in view.hand for token in view.legal if token and ":" not in token)
    assert not hasattr(seen[0], "seed")


def test_a_bot_that_answers_what_it_was_not_offered_is_named() -> None:
    class Cheat:
        def choose(self, view: engine.View) -> str:
            return f"{view.legal[0]} {view.legal[0]}"

    bots = {seat: Cheat() if seat == "B" else engine.Chance(b"x") for seat in RULES.seats}
    with pytest.raises(BotError) as error:
        engine.play_match(RULES, bots, b"seed", "cheat", list("wxyz"))
    assert error.value.seat == "B"
    assert error.value.token not in error.value.legal
