"""Perft: how many legal lines a few endings have, by the engine as by the naive implementation.

The numbers were counted once by the naive implementation: with plays only, and with every
declaration that may be made (R6). A line is `depth` tokens long, or ends earlier with the hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

import engine
from tests.engine import chance
from tests.engine.naive_play import SEATS, SIDES, Play, count_lines, seat_after


@dataclass(frozen=True)
class Ending:
    """A moment of a hand, and how many lines there are from it."""

    trump: str
    turn: str
    hands: str
    tricks_won: str
    plays: int
    with_declarations: int
    depth: int = 99
    more: dict[str, Any] = field(default_factory=dict)

    def position(self) -> dict[str, Any]:
        """The moment as F4 writes it."""
        hands = dict(zip(SEATS, self.hands.split(" | "), strict=True))
        won = dict(zip(SIDES, map(int, self.tricks_won.split("-")), strict=True))
        named = {"ruleset": "parejas-online", "trump": self.trump, "turn": self.turn}
        return {**named, "hands": hands, "tricks_won": won, "last_trick": self.turn, **self.more}


ENDINGS = {
    "three cards, a forty and a twenty to declare": Ending(
        trump="o",
        turn="A",
        hands="Ro Co Re | 1o 2e 3c | Rc Cc 4o | 5o 6o 7c",
        tricks_won="4-3",
        plays=32,
        with_declarations=160,
    ),
    "three cards, everything forfeited": Ending(
        trump="o",
        turn="B",
        hands="7c Rc Cc | Rb 2b Cb | 5c Ce Re | 2e 5e 6c",
        tricks_won="3-4",
        plays=1296,
        with_declarations=1296,
        more={"forfeited": {"A": ["20c"], "B": ["40", "20b"], "C": ["20e"]}},
    ),
    "three cards, the second of a trick": Ending(
        trump="c",
        turn="C",
        hands="5e Rc Cc | 6e 4e | Co Ce Re | So 4o 6o",
        tricks_won="5-2",
        plays=72,
        with_declarations=144,
        more={"trick": "7o", "last_trick": "B"},
    ),
    "four cards, everything forfeited": Ending(
        trump="o",
        turn="C",
        hands="Rc 5b 6o 6b | 4c 5c 4e 7e | Re Cb Co Ce | 2c 5e 6e 6c",
        tricks_won="6-0",
        plays=8832,
        with_declarations=8832,
        more={"forfeited": {"A": ["20c"], "C": ["40", "20e", "20b"]}},
    ),
    "four cards, the last of a trick": Ending(
        trump="e",
        turn="A",
        hands="2e Re 3o Ce | 3c Cb Rb | Sb 7o 4b | Rc 5e Cc",
        tricks_won="2-4",
        plays=400,
        with_declarations=800,
        more={"trick": "Sc 1b 4e", "last_trick": "B"},
    ),
    "four cards, three combinations in one side": Ending(
        trump="o",
        turn="A",
        hands="Co 5c Sc Ro | Cb 6c 5b 3b | Re Cc Rc Ce | Rb So 6b 1c",
        tricks_won="1-5",
        plays=2448,
        with_declarations=8952,
        depth=9,
    ),
    "four cards, one of them said in this window": Ending(
        trump="o",
        turn="A",
        hands="Co 5c Sc Ro | Cb 6c 5b 3b | Re Cc Rc Ce | Rb So 6b 1c",
        tricks_won="1-5",
        plays=2448,
        with_declarations=4416,
        depth=9,
        more={"declared": {"C": ["20c"]}, "window": ["C:20c"]},
    ),
    "five cards, a tute of kings and one of knights": Ending(
        trump="b",
        turn="C",
        hands="Ce 6o Co Cc Cb | 4e 4o 5b 6e 5e | Ro Rc Re Rb 5o | 3e 6b 2o 4b 1b",
        tricks_won="1-4",
        plays=885,
        with_declarations=887,
        depth=9,
    ),
    "five cards, three combinations at the first trick won": Ending(
        trump="b",
        turn="C",
        hands="Ce 6o Re Rc Cc | 4e 4o 5b 6e 5e | Ro Co Rb Cb 5o | 3e 6b 2o 4b 1b",
        tricks_won="1-4",
        plays=1752,
        with_declarations=6152,
        depth=9,
    ),
    "five cards, a forty forfeited and twenties left": Ending(
        trump="c",
        turn="B",
        hands="4e 2c 4c 1e 2b | Re Ce Cb Cc Rb | Sb 5c 3b 1b Sc | 5b 6b 2e 4b 7b",
        tricks_won="3-2",
        plays=3264,
        with_declarations=6080,
        depth=9,
        more={"forfeited": {"B": ["40"]}},
    ),
    "five cards, one side with a forty and a twenty": Ending(
        trump="e",
        turn="B",
        hands="Cb 6o Rb Sb 2b | Ro 5e 2e 3o Co | 5o 6e 7o 3b 5c | Cc Ce Re 3e 5b",
        tricks_won="4-1",
        plays=5076,
        with_declarations=10404,
        depth=9,
    ),
}


def lines(state: engine.State, *, declarations: bool, depth: int) -> int:
    """How many legal lines the engine knows from here."""
    if depth == 0 or state.over:
        return 1
    tokens = [token for token in state.legal_tokens() if declarations or ":" not in token]
    return sum(
        lines(state.apply(token), declarations=declarations, depth=depth - 1) for token in tokens
    )


@pytest.mark.parametrize("name", ENDINGS)
def test_an_ending_has_as_many_lines_of_play_as_counted(name: str) -> None:
    ending = ENDINGS[name]
    state = engine.position_from_dict(ending.position())
    assert lines(state, declarations=False, depth=ending.depth) == ending.plays


@pytest.mark.parametrize("name", ENDINGS)
def test_an_ending_has_as_many_lines_with_declarations_as_counted(name: str) -> None:
    ending = ENDINGS[name]
    state = engine.position_from_dict(ending.position())
    assert lines(state, declarations=True, depth=ending.depth) == ending.with_declarations


@pytest.mark.parametrize("name", ENDINGS)
def test_the_counts_are_those_of_the_naive_implementation(name: str) -> None:
    ending = ENDINGS[name]
    depth = min(ending.depth, 8)
    state = engine.position_from_dict(ending.position())
    play = Play.from_position(ending.position())
    for declarations in [False, True]:
        counted = count_lines(play, declarations=declarations, depth=depth)
        assert lines(state, declarations=declarations, depth=depth) == counted


def an_ending(seed: int, cards_left: int) -> Play | None:
    """A hand played by chance until so many cards are left; kings and knights are kept for long."""
    rng = Random(seed)
    cards = chance.deal(rng)
    dealer = rng.choice(SEATS)
    play = Play(cards, rng.choice(cards[dealer])[1], seat_after(dealer))
    while sum(len(hand) for hand in play.hands.values()) > cards_left:
        if play.window_side is not None:
            chance.declare(rng, play, 0.3)
        if play.over:
            return None
        can = play.legal_cards()
        play.apply(rng.choice([card for card in can if card[0] not in "RC"] or can))
    return play


def position_of(play: Play) -> dict[str, Any]:
    """A naive moment as F4 writes it."""
    position: dict[str, Any] = {"ruleset": "parejas-online", "trump": play.trump, "turn": play.turn}
    position["hands"] = {seat: " ".join(play.hands[seat]) for seat in SEATS}
    position["trick"] = " ".join(play.cards_on_table())
    position["tricks_won"] = dict(play.tricks_won)
    position["last_trick"] = play.last_winner
    for name, said in [("declared", play.declared), ("forfeited", play.forfeited)]:
        position[name] = {seat: [what for other, what in said if other == seat] for seat, _ in said}
    return position


@pytest.mark.parametrize("seed", range(60))
def test_endings_reached_by_chance_have_the_same_lines_in_both(seed: int) -> None:
    play = an_ending(seed, cards_left=[8, 9, 10, 11, 12][seed % 5])
    if play is None:
        return
    state = engine.position_from_dict(position_of(play))
    for declarations in [False, True]:
        counted = count_lines(play, declarations=declarations, depth=7)
        assert lines(state, declarations=declarations, depth=7) == counted
