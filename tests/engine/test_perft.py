"""Perft: how many legal lines a few endings have, by the engine as by the naive implementation.

The numbers were counted once by the naive implementation: for positions of `parejas-online` with
plays only, and with every declaration that may be made (R6); for hands of all rulesets with every
token. A line is `depth` tokens long, or ends earlier with the hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

import engine
from engine.replay import CarryOver
from tests.engine import chance, naive
from tests.engine.naive_play import SEATS, SIDES, Play, count_lines, seat_after
from tests.engine.naive_rules import NAMES, Table


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
        fields = {"ruleset": "parejas-online", "trump": self.trump, "turn": self.turn}
        return {**fields, "hands": hands, "tricks_won": won, "last_trick": self.turn, **self.more}


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
        line_count = count_lines(play, declarations=declarations, depth=depth)
        assert lines(state, declarations=declarations, depth=depth) == line_count


def an_ending(seed: int, cards_left: int) -> Play | None:
    """A hand played by chance until few cards are left; kings and knights are kept for long."""
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
    for name, sayings in [("declared", play.declared), ("forfeited", play.forfeited)]:
        position[name] = {
            seat: [saying for other, saying in sayings if other == seat] for seat, _ in sayings
        }
    return position


@pytest.mark.parametrize("seed", range(60))
def test_endings_reached_by_chance_have_the_same_lines_in_both(seed: int) -> None:
    play = an_ending(seed, cards_left=[8, 9, 10, 11, 12][seed % 5])
    if play is None:
        return
    state = engine.position_from_dict(position_of(play))
    for declarations in [False, True]:
        line_count = count_lines(play, declarations=declarations, depth=7)
        assert lines(state, declarations=declarations, depth=7) == line_count


# --------------------------------------------------------------------------- all six rulesets


@dataclass(frozen=True)
class Started:
    """A hand played as far as some token, and how many lines of a number of tokens go on from it.

    Every token counts: cards, declarations, exchanges, claims, support. The cards of a stock are
    known, so that a line goes on beyond the next draw.
    """

    ruleset: str
    dealer: str
    trump: str
    deal: str
    play: str
    depth: int
    lines: int
    stock: str = ""
    stakes: str = "none"
    deal_of_game: int = 1
    carried: str = ""

    @property
    def record(self) -> dict[str, Any]:
        piles = self.deal.split(" | ")
        hand: dict[str, Any] = {"dealer": self.dealer, "trump": self.trump, "play": self.play}
        hand["deal"] = dict(zip(SEATS, piles, strict=False))
        if self.stock:
            hand["stock"] = self.stock
        options = {} if self.stakes == "none" else {"stakes": self.stakes}
        head = {"format": "baza/1", "ruleset": self.ruleset, "options": options}
        return {**head, "seats": chance.NAMES[: len(piles)], "hands": [hand]}

    @property
    def carried_points(self) -> tuple[int, ...]:
        return tuple(map(int, self.carried.split("-"))) if self.carried else ()

    def state(self) -> engine.State:
        record = engine.parse_record(self.record)
        game = CarryOver(self.carried_points, self.deal_of_game)
        return list(engine.states(record.ruleset, record.hands[0], game))[-1]

    def by_the_naive_rules(self) -> Play:
        table = Table(self.ruleset, len(self.record["seats"]), self.stakes)
        carried = dict(zip(table.sides, self.carried_points, strict=False))
        due = naive.Due(deal_of_juego=self.deal_of_game, carried=carried)
        play = naive.start(self.record["hands"][0], table, due)
        for token in self.play.split():
            play.apply(token)
        return play


STARTED = {
    "habanero: x2, x7": Started(
        ruleset="habanero",
        dealer="A",
        trump="1e",
        deal="3b Rb Rc 2c 2o Re Cb 4c | So 7e 4e 5e 6c Sb 5c 5o",
        stock="3c Se 1o 7b 1c 6e 4o 3o Cc 2b 6o Sc Ce 7c Ro 6b 2e 4b 7o 3e 1b 5b Co 1e",
        play="5c Rc A:20b Re 4e 1o 5o 1c 6c 3b 7b 3c 5e 2b Rb Ce 6e Ro 3o 6o 4o 6b",
        depth=7,
        lines=3380,
    ),
    "habanero: 20o, x2, x7": Started(
        ruleset="habanero",
        dealer="A",
        trump="Re",
        deal="7b 6b Cb 4c 1o 5c 2b 7e | 4b 7o Se 6c 6e 1c 2o 2e",
        stock="Sc Ce 4e 4o Rc So 2c 7c 1e 5o 3e 3b Sb Rb 3o Ro 5e 6o Co 3c 1b 5b Cc Re",
        play="1c 5c Se Ce 1o 2o Cb 4b 4c 6c Sc Rc 2c 7c 4o 5o 4e 6e 1e 3e",
        depth=5,
        lines=2522,
    ),
    "mano-a-mano: 101, 20o": Started(
        ruleset="mano-a-mano",
        dealer="B",
        trump="7b",
        deal="3c 7e Ro 3b 7o 5o 2b 6c | Sc 1o 5e 6b 4e Cb 3e So",
        stock="4c 6o 7c Rc 6e Re 4b Sb Se 1e Cc 2e Rb 5b 1c 4o 1b 5c Ce Co 2o 3o 2c 7b",
        play=(
            "6c 3e 2b 6b 1o 7o Sc 7e 6e 5o Se 1e 4c 6o 3c 4e 3b 5b 1c 4b 4o Sb 2o So "
            "5c Rc 1b Cb 7b 3o Rb 5e"
        ),
        deal_of_game=2,
        carried="100-30",
        depth=99,
        lines=1542,
    ),
    "mano-a-mano: 101, 20b, 20e, 20o, 40, capote": Started(
        ruleset="mano-a-mano",
        dealer="A",
        trump="5c",
        deal="So Re Ce Sb Cb 5o Rb 5b | 2o 7c 6c 1b 5e 1o 4c 3o",
        stock="3c 4o Rc Ro 6e 7b Co 2b Cc 4e 3b 6b 4b Se 1c Sc 3e 7o 1e 6o 7e 2e 2c 5c",
        play="1b Sb 4c So 5e 5b 2o 4o 7b 3c 1o 4e 6e 6b 2b 5o 6c Sc Se 7o 1e 4b 7e 3b",
        deal_of_game=2,
        carried="72-58",
        depth=3,
        lines=378,
    ),
    "mano-a-mano: 40, capote, x2, x7": Started(
        ruleset="mano-a-mano",
        dealer="B",
        trump="3c",
        deal="4b Cb 3o Sc 7b 4c 6b 6e | 1b 1o Re Ro 1e Ce Se 1c",
        stock="Co Cc 4e 7e 7c Rb 2e Sb 5b 3e 5o 4o 3b 7o 6c 5c 5e 6o 2c 2b So 2o Rc 3c",
        play=("Sc 1c B:20o Se 6b B:20e Ro 6e 4e 4b 1b Sb 2e 7e A:20b 7b 4o 5o 1o 5b 3e 5e 3o 6c"),
        depth=4,
        lines=1754,
    ),
    "parejas: 40": Started(
        ruleset="parejas",
        dealer="B",
        trump="1e",
        deal=(
            "So 3e 4b Sb 5o 4e 2b 4o 5c 7o | 1c Sc Cc Ro 1o 1b 1e 7e Co Rc | 6e 6c Se "
            "Cb Re 3b 6o 2o 3o Ce | Rb 4c 2e 7b 5e 2c 5b 7c 3c 6b"
        ),
        play=(
            "Se 5e 3e 1e B:20c B:20o 1o 3o 2e 4o 7b Sb 1b 3b Sc 6c 3c 5c 5b 2b 7e Cb "
            "Ro 2o Rb So 1c 6e 2c 4e"
        ),
        depth=99,
        lines=1216,
    ),
    "parejas: 20c, 20e, 20o, 40, tuteR": Started(
        ruleset="parejas",
        dealer="C",
        trump="Cb",
        deal=(
            "2o 5o 6e 4c 2b 2e 1c Sb 3b 5b | 6b 3o 7c 4o 7b 5e Se So 4b 7o | 5c Rb Rc "
            "Ro Ce Cb Co 1b Re Cc | 6c 2c Sc 6o 4e 1e 1o 3c 7e 3e"
        ),
        play="Sc 1c 7c 5c",
        depth=4,
        lines=855,
    ),
    "parejas-online: 20b, 40": Started(
        ruleset="parejas-online",
        dealer="B",
        trump="6e",
        deal=(
            "Rb Ro 5b 1b Cb Se Co 2o 2c 2b | 5o 6e 3b 6b 4o 6o 7o 1e 5c Sb | 7e 7c Ce "
            "4e 3o Re Sc 1o 7b So | 3c 4c 1c 2e Cc 4b 3e Rc 5e 6c"
        ),
        play=(
            "4e 3e Se 1e D:20c 4o 3o 5e 2o 1c 2c 5c 7c 6c 2b 6e Sc 5o So 2e Co 4b 5b "
            "3b 7b 6b 7e 3c 1b"
        ),
        depth=99,
        lines=3600,
    ),
    "parejas-online: 20c, 20e, 20o, tuteR": Started(
        ruleset="parejas-online",
        dealer="C",
        trump="3b",
        deal=(
            "Rc 4b Ce Cc Co Re 4o Ro Cb Rb | 5c 5e Sc 7e 7b 6c 7c 3e Se Sb | So 2e 4e "
            "2o 5o 1c 6o 3b 7o 2c | 1e 5b 2b 1o 1b 3c 6b 6e 3o 4c"
        ),
        play="1b 4b 7b 3b 6b Cb Sb 2e",
        depth=4,
        lines=929,
    ),
    "cuatro: 20b, 20c, 40": Started(
        ruleset="cuatro",
        dealer="D",
        trump="3o",
        deal=(
            "3e 7b 6o Se Sb 4b 2b 5c 7e 3c | Rc 4e 1e 1o 6c 1c Cc 1b 7c Ce | 7o 2o Cb "
            "So 2c 3b Rb 5e 6b Sc | Co 5o 4o 6e 3o Ro 5b 4c 2e Re"
        ),
        play=(
            "6o 1o So 3o 1e 5e 6e 7e 4e 7o 2e Se Sc 4c 3c 1c 6c 2c 5o 5c 4o Sb 7c 2o 5b 7b 1b 6b"
        ),
        depth=99,
        lines=2240,
    ),
    "cuatro: 20c, 20e, 20o, 40, tuteC, tuteR": Started(
        ruleset="cuatro",
        dealer="C",
        trump="Cb",
        deal=(
            "2o 5o 6e 4c 2b 2e 1c Sb 3b 5b | 6b 3o 7c 4o 7b 5e Se So 4b 7o | 5c Rb Rc "
            "Ro Ce Cb Co 1b Re Cc | 6c 2c Sc 6o 4e 1e 1o 3c 7e 3e"
        ),
        play="Sc 1c 7c 5c",
        depth=4,
        lines=509,
    ),
    "arrastrado: 20c, 20e": Started(
        ruleset="arrastrado",
        dealer="B",
        trump="4o",
        deal=(
            "4c Ce 5b 3c Re 7e 5o 7c 2e Sb 5e 2c Cb |  | Co Cc 3o 1b So 1o 2o 1c 5c "
            "Ro 1e 2b Rc | 3e Se 4b 3b Sc 6e 4e 6b 6o 7b Rb 6c 7o"
        ),
        play=("1o 6o 5o 3o 7o 2e Ro 4b 2c Co 4e 4c So 6e 5b 2o 6b 5e 1b 7b Sb 1c 6c 7c 1e Se 7e"),
        depth=99,
        lines=800,
    ),
    "arrastrado: 20b, 20c, 20e, 40, tuteC, tuteR, x2, x7": Started(
        ruleset="arrastrado",
        dealer="C",
        trump="1o",
        deal=(
            "Sb 5c 5o 3o 7c Se 6e 6c 1e 3b 5e 3e 2b | Rc Rb 4b 6b 7e Cc Re Ce Cb Ro "
            "1c Co Sc |  | 3c So 2e 1b 4c 6o 5b 7o 2c 4o 7b 4e 2o"
        ),
        play="",
        stakes="flat",
        depth=4,
        lines=1373,
    ),
    "arrastrado: 20c, 20e, 20o, 40, paso, tuteC, tuteR, voy, x2": Started(
        ruleset="arrastrado",
        dealer="A",
        trump="7b",
        deal=(
            "7e 4c 1c 2e 4e 2c Sb 4b So 6o 2o 3e Se | 7c 5b Sc 3b 5e 6c 2b 1o 7o 6e "
            "4o 5o 3o | Cc 5c 1b Rb Ce 1e Re Co 6b Cb Ro Rc 3c"
        ),
        play="B:paso C:paso",
        stakes="plate",
        depth=5,
        lines=2160,
    ),
}


IN_POSITIONS = [name for name, hand in STARTED.items() if not hand.stock and hand.stakes != "plate"]
"""What F4 can say: neither the order of a stock nor who has yet to speak (R8.4)."""


def all_lines(state: engine.State, depth: int) -> int:
    """How many legal lines of `depth` tokens the engine knows from here."""
    if depth == 0 or state.over:
        return 1
    return sum(all_lines(state.apply(token), depth - 1) for token in state.legal_tokens())


def all_lines_by_the_naive_rules(play: Play, depth: int) -> int:
    if depth == 0 or play.over:
        return 1
    number = 0
    for token in play.legal_cards() + play.legal_sayings():
        after = play.copied()
        after.apply(token)
        number += all_lines_by_the_naive_rules(after, depth - 1)
    return number


def test_every_ruleset_has_two_hands_counted() -> None:
    rulesets = [started.ruleset for started in STARTED.values()]
    assert all(rulesets.count(ruleset) >= 2 for ruleset in NAMES)


@pytest.mark.parametrize("name", STARTED)
def test_a_hand_goes_on_in_as_many_lines_as_counted(name: str) -> None:
    started = STARTED[name]
    assert all_lines(started.state(), started.depth) == started.lines


@pytest.mark.parametrize("name", STARTED)
def test_the_lines_of_a_hand_are_those_of_the_naive_rules(name: str) -> None:
    started = STARTED[name]
    play = started.by_the_naive_rules()
    assert all_lines_by_the_naive_rules(play, started.depth) == started.lines


@pytest.mark.parametrize("name", IN_POSITIONS)
def test_a_hand_without_stock_goes_on_likewise_from_its_position(name: str) -> None:
    started = STARTED[name]
    read = engine.position_from_dict(engine.position_to_dict(started.state()))
    assert all_lines(read, started.depth) == started.lines


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_hands_by_chance_go_on_in_as_many_lines_in_both(seed: int, ruleset: str) -> None:
    rng = Random(seed)
    source = chance.match(rng, ruleset)
    record = engine.parse_record(source)
    for hand, start in zip(record.hands, naive.verdict(source).starts, strict=True):
        if start is None:
            continue
        carried = tuple(start.carried[side] for side in start.sides)
        game = CarryOver(carried, start.deal_of_juego) if record.ruleset.race_to else CarryOver()
        tokens = (hand.play or "").split()
        index = rng.randrange(len(tokens))
        play = start.copied()
        for token in tokens[:index]:
            play.apply(token)
        state = list(engine.states(record.ruleset, hand, game))[index]
        assert all_lines(state, 3) == all_lines_by_the_naive_rules(play, 3)
