"""A bot that cannot go on loses its hand and nothing more, and nobody else loses anything."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import engine
from engine.bots.base import Bot
from engine.bots.failures import CRASH, INFRASTRUCTURE, BotFailure
from engine.bots.table import Forfeit

TABLES = [
    *((name, rules.seat_counts[0], {}) for name, rules in engine.RULESETS.items()),
    ("arrastrado", 4, {"stakes": "plate", "deals": 6}),
    ("arrastrado", 3, {"stakes": "flat"}),
    ("mano-a-mano", 2, {"to": 3}),
]


class Failing(engine.Chance):
    """Plays on until it has been asked a number of questions."""

    def __init__(self, seed: bytes, questions: int, code: str = CRASH) -> None:
        super().__init__(seed)
        self.questions = questions
        self.code = code

    def choose(self, view: engine.View) -> str:
        self.questions -= 1
        if self.questions < 0:
            raise BotFailure(self.code, ending="code 1", detail="no memory")
        return super().choose(view)


class Listening(engine.Chance):
    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.heard: list[tuple[dict[str, int], str | None]] = []
        self.history: list[tuple[str, str]] = []

    def choose(self, view: engine.View) -> str:
        self.history = list(view.history)
        return super().choose(view)

    def end(
        self, points: Mapping[str, int], winner: str | None, since: Sequence[tuple[str, str]]
    ) -> None:
        self.heard.append((dict(points), winner))
        self.history += since


def played(
    ruleset: str, bots: Mapping[str, Bot], options: dict[str, Any], again: Bot | None
) -> tuple[dict[str, Any], list[Forfeit]]:
    forfeits: list[Forfeit] = []

    def on_forfeit(forfeit: Forfeit) -> Bot | None:
        forfeits.append(forfeit)
        return again

    names = [f"bot {seat}" for seat in bots]
    rules = engine.RULESETS[ruleset]
    return (
        engine.play_match(rules, bots, b"s", "m", names, options, on_forfeit=on_forfeit),
        forfeits,
    )


def at_b(seats: int, bot: Bot) -> dict[str, Bot]:
    bots: dict[str, Bot] = {seat: engine.Chance(seat.encode()) for seat in "ABCD"[:seats]}
    return {**bots, "B": bot}


@pytest.mark.parametrize(("ruleset", "seats", "options"), TABLES, ids=str)
def test_a_bot_that_fails_loses_that_hand_and_plays_the_next(
    ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    bots = at_b(seats, Failing(b"x", 3))
    record, forfeits = played(ruleset, bots, options, engine.Chance(b"y"))
    (forfeit,) = forfeits
    hands = record["hands"]
    lost = [number for number, hand in enumerate(hands, 1) if hand["play"] is None]
    assert lost == [forfeit.hand]
    assert "B" not in hands[forfeit.hand - 1]["winner"]
    assert sum(hands[forfeit.hand - 1]["points"].values()) == 130
    assert forfeit.seat == "B"
    assert forfeit.play
    verdict = engine.audit(record)
    assert verdict.valid, verdict.faults
    assert (verdict.score, verdict.winner) == (record["score"], record["winner"])


@pytest.mark.parametrize(("ruleset", "seats", "options"), TABLES, ids=str)
def test_a_benched_bot_loses_the_rest_unplayed(
    ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    record, forfeits = played(ruleset, at_b(seats, Failing(b"x", 3)), options, None)
    assert len(forfeits) == 1
    for hand in record["hands"][forfeits[0].hand - 1 :]:
        assert (hand["play"] is None) == bool(hand["deal"]["B"])
    verdict = engine.audit(record)
    assert verdict.valid, verdict.faults
    assert "B" not in (record["winner"] or "")


def test_an_illegal_answer_is_a_forfeit_too() -> None:
    class Cheat:
        def choose(self, view: engine.View) -> str:
            return f"8{view.trump}"

    record, forfeits = played("parejas", at_b(4, Cheat()), {"deals": 2}, engine.Chance(b"y"))
    assert isinstance(forfeits[0].error, engine.BotError)
    assert forfeits[0].error.token[0] == "8"
    assert record["hands"][0]["points"] == {"AC": 130, "BD": 0}


def test_two_opponents_get_the_same_and_the_next_in_order_wins() -> None:
    record, _forfeits = played("arrastrado", at_b(3, Failing(b"x", 0)), {"deals": 1}, None)
    assert record["hands"][0]["points"] == {"A": 65, "B": 0, "C": 65}
    assert record["hands"][0]["winner"] == "C"


def test_nobody_loses_a_hand_by_the_machine() -> None:
    with pytest.raises(BotFailure) as error:
        played("cuatro", at_b(4, Failing(b"x", 5, INFRASTRUCTURE)), {}, engine.Chance(b"y"))
    assert not error.value.is_bot_fault


def test_without_anybody_to_decide_a_failure_is_raised() -> None:
    with pytest.raises(BotFailure):
        engine.play_match(
            engine.RULESETS["cuatro"], at_b(4, Failing(b"x", 5)), b"s", "m", list("wxyz")
        )


@pytest.mark.parametrize(("ruleset", "seats", "options"), TABLES, ids=str)
def test_a_bot_that_listens_hears_every_hand_to_its_end(
    ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    listener = Listening(b"l")
    record, _ = played(ruleset, at_b(seats, listener), options, None)
    own_hands = [hand for hand in record["hands"] if hand["deal"]["B"]]
    assert listener.heard == [(hand["points"], hand["winner"]) for hand in own_hands]
    assert " ".join(token for _seat, token in listener.history) == own_hands[-1]["play"]
