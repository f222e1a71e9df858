"""Flat Monte Carlo, a yardstick for the bots of the house: worlds drawn evenly, cards played out.

It knows what they know and speaks by the rules of thumb. In each world every card that may be
played is played, and the hand to its end, by chance alone or by the rules of thumb.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Final

import engine
from engine.bots.strong import setting
from engine.bots.strong.judging import outcome
from engine.bots.strong.playing import next_random, play, seed_random
from engine.bots.strong.thinking import load_world
from engine.cards import CARD_NAMES, CARDS, mask_of
from engine.fast import masks as at
from engine.fast.compiling import compiled, fractions, subroutine, whole_numbers
from engine.fast.masks import (
    BEST,
    CHANCE,
    COUPLE,
    FREE_WHILE_STOCK,
    HANDS,
    HOLDER,
    ON_POINTS,
    ON_TABLE,
    PLAYERS,
    STOCK,
    SUIT,
    TRICKS_LEFT,
    TURN,
    VALUES,
    Suits,
    beats,
    count_bits,
    legal,
    side_of,
)

G: Final = "int64[::1]"
F: Final = "float64[::1]"
_NEVER: Final = 1 << 40
_DEAR: Final = 10
_ACE: Final = 9


@subroutine()
def by_chance(game: Any, cards: int) -> int:
    """Any legal card."""
    left = next_random(game, CHANCE) * count_bits(cards) >> 31
    while left:
        cards &= cards - 1
        left -= 1
    return int(count_bits((cards & -cards) - 1))


@subroutine()
def price(card: int, hand: int) -> int:
    """What giving a card away costs: points, a trump's power, a couple; then its rank."""
    dear = VALUES[card] + (8 if card < 10 else 0)
    couple = COUPLE << 10 * (card // 10)
    if couple >> card & 1 and hand & couple == couple:
        dear += 15
    return int(10 * dear + card % 10)


@subroutine()
def least(cards: int, hand: int, how: int) -> int:
    """The cheapest card, or the dearest of a plain suit to take (1) or to give away (2) with.

    A plain suit comes first; with trumps alone, the cheapest to take with.
    """
    lowest_card, lowest = -1, _NEVER
    for card in range(40):
        if not cards >> card & 1:
            continue
        cost = price(card, hand)
        if how == 1 and card > 9:
            cost = -10 * VALUES[card] - 1000
        if how == 2:
            cost = card % 10 - 10 * VALUES[card] + (1000 if card < 10 else 0)
        if cost < lowest:
            lowest_card, lowest = card, cost
    return lowest_card


@subroutine()
def led_by_rule(game: Any, cards: int) -> int:
    """A plain ace of the shortest suit, else the cheapest card."""
    hand = game[HANDS + game[TURN]]
    led_card, shortest = -1, 11
    if not (game[STOCK] and game[FREE_WHILE_STOCK]):
        for suit in range(1, 4):
            length = count_bits(hand & SUIT[10 * suit])
            if cards >> 10 * suit + _ACE & 1 and length < shortest:
                led_card, shortest = 10 * suit + _ACE, length
    return led_card if led_card >= 0 else least(cards, hand, 0)


@subroutine()
def followed_by_rule(game: Any, cards: int) -> int:
    """Points for the partner's trick; a dear trick as cheaply as it goes; else the cheapest."""
    hand, best = game[HANDS + game[TURN]], game[BEST]
    last = game[ON_TABLE] == game[PLAYERS] - 1
    winning = 0
    for card in range(40):
        if cards >> card & 1 and beats(card, best):
            winning |= 1 << card
    losing = cards & ~winning
    partner_holds = side_of(game, game[HOLDER]) == side_of(game, game[TURN])
    if partner_holds and losing and (last or best % 10 == _ACE):
        return least(losing, hand, 2)
    if winning and (last or game[ON_POINTS] >= _DEAR or not losing):
        return least(winning, hand, 1 if last else 0)
    return least(losing or cards, hand, 0)


@subroutine()
def chosen(game: Any, by_rule: int) -> int:
    """The next card of a hand that is played out."""
    cards = legal(game)
    if not cards & cards - 1:
        return int(count_bits(cards - 1))
    if not by_rule:
        return by_chance(game, cards)
    return followed_by_rule(game, cards) if game[ON_TABLE] else led_by_rule(game, cards)


@compiled(f"void({G}, {G}, {G}, int64, {G}, int64, int64, int64, {F})")
def play_on(
    start: Any,
    game: Any,
    worlds: Any,
    trials: int,
    moves: Any,
    count: int,
    seed: int,
    by_rule: int,
    values: Any,
) -> None:
    """What the side in turn makes in all after each of some moves, one trial in each world."""
    side = side_of(start, start[TURN])
    for number in range(count):
        values[number] = 0.0
    for trial in range(trials):
        for number in range(count):
            load_world(start, worlds, trial, game)
            seed_random(game, seed + trial * 2654435761)
            play(game, moves[number])
            while game[TRICKS_LEFT]:
                play(game, chosen(game, by_rule))
            values[number] += outcome(game, side)


@compiled(f"int64({G}, int64)")
def rule_of_thumb(game: Any, by_rule: int) -> int:
    """The card that would be played next; for tests."""
    return chosen(game, by_rule)


@dataclass(frozen=True)
class FlatMonteCarlo:
    """Plays the hand out once in each of a number of worlds, after every card."""

    trials: int
    by_rule: bool
    seed: bytes = b""
    _sayings: engine.Sensible = field(default_factory=engine.Sensible)

    def choose(self, view: engine.View) -> str:
        """The card that makes most; it says what the simple bot says."""
        if any(":" in token for token in view.legal):
            return self._sayings.choose(view)
        if len(view.legal) == 1:
            return view.legal[0]
        knowledge = engine.knowledge_of(view)
        suits = Suits(knowledge.trump, knowledge.players)
        moves = setting.distinct_cards(knowledge, mask_of(CARDS[card] for card in view.legal))
        text = " ".join([view.seat, *view.hand, "|", *(token for _seat, token in view.history)])
        seed = int.from_bytes(hashlib.sha256(self.seed + text.encode()).digest()[:6], "big")
        worlds = engine.sample_worlds(knowledge, self.trials, str(seed))
        rows = [setting.world_row(world, knowledge, suits) for world in worlds]
        shares = fractions([0.0] * len(moves))
        play_on(
            setting.current_game(view, knowledge, suits),
            whole_numbers([0] * at.GAME),
            whole_numbers([number for row in rows for number in row]),
            self.trials,
            whole_numbers([suits.card(card) for card in moves]),
            len(moves),
            seed,
            int(self.by_rule),
            shares,
        )
        best = max(range(len(moves)), key=lambda number: float(shares[number]))
        return CARD_NAMES[moves[best]]
