"""Gives the chance of each legal card for each kind of player, by a small learnt net.

The net scores a card by what a player sees of the moment and of the card; each kind has a row of
weights of its own for the last layer. ``benchmarks/beliefs.py`` learns the weights from games of
the house bots; :mod:`engine.bots.strong.policy_weights` holds them.
"""

from math import exp
from typing import Any, Final

from engine.bots.strong.judging import describe
from engine.bots.strong.playing import FEATURES
from engine.cards import PACK
from engine.fast.compiling import subroutine
from engine.fast.masks import (
    BEST,
    COUPLE,
    HANDS,
    HOLDER,
    LED,
    MOVES,
    ON_TABLE,
    SEEN,
    TRICKS_LEFT,
    TRUMPS,
    TURN,
    VALUES,
    beats,
    count_bits,
    higher_cards,
)

RULESET: Final = "parejas-online"
"""The game in which the cards were learnt."""
KINDS: Final = ("simple", "quick", "strong")
"""The kinds of players whose cards are learnt."""
KIND_COUNT: Final = len(KINDS)

MOMENT: Final = 14
"""What is seen of the moment, the same for all cards."""
CARD: Final = FEATURES + 21
"""What is seen of a card: that of :func:`~engine.bots.strong.judging.describe`, and more."""
FIRST: Final = 32
SECOND: Final = 16
"""Places of the two hidden layers."""

# --- the weights, layer after layer, in one row ---------------------------------------------------
CARD_WEIGHTS: Final = MOMENT * FIRST
FIRST_BIAS: Final = CARD_WEIGHTS + CARD * FIRST
SECOND_WEIGHTS: Final = FIRST_BIAS + FIRST
SECOND_BIAS: Final = SECOND_WEIGHTS + FIRST * SECOND
KIND_WEIGHTS: Final = SECOND_BIAS + SECOND
POLICY_WEIGHTS: Final = KIND_WEIGHTS + SECOND * KIND_COUNT

# --- what a choice is computed in, in one row -----------------------------------------------------
BASE: Final = MOMENT
"""The first layer before what is seen of a card."""
LAYER: Final = BASE + FIRST
NEXT: Final = LAYER + FIRST
CARDS_SEEN: Final = NEXT + SECOND
CHANCES: Final = CARDS_SEEN + 20 * CARD
"""For each legal card and kind, the chance."""
ROOM: Final = CHANCES + 20 * KIND_COUNT

_ANY: Final = 1_000_000.0
"""More than any price."""


@subroutine()
def describe_moment(game: Any, scratch: Any) -> None:
    """Writes what the player in turn sees of the trick and of the hand's progress."""
    turn, table, best = game[TURN], game[ON_TABLE], game[BEST]
    hand = game[HANDS + turn]
    unseen = PACK & ~game[SEEN] & ~hand
    for place in range(MOMENT):
        scratch[place] = 0.0
    scratch[table] = 1.0
    if table and not (game[HOLDER] ^ turn) & 1:
        scratch[4] = 1.0
    scratch[5] = game[TRICKS_LEFT] / 10.0
    scratch[6] = count_bits(unseen & TRUMPS) / 10.0
    scratch[7] = float(unseen >> 9 & 1)
    if table:
        scratch[8] = best % 10 / 9.0
        scratch[9] = 1.0 if best < 10 else 0.0
        scratch[10] = 1.0 if best % 10 == 9 else 0.0
        scratch[11] = 0.0 if unseen & higher_cards(best) else 1.0
        scratch[12] = 1.0 if game[LED] == TRUMPS else 0.0
        scratch[13] = 1.0 if hand & game[LED] else 0.0


@subroutine()
def price(game: Any, card: int, trump: int) -> float:
    """What it costs to give a card away, as the simple bot reckons; no two cards cost the same.

    ``trump`` is the suit of trumps by its own name: of equal cards the simple bot takes the first.
    """
    suit, dear = card // 10, float(VALUES[card])
    if not suit:
        dear += 8.0
    couple = COUPLE << 10 * suit
    if couple >> card & 1 and game[HANDS + game[TURN]] & couple == couple:
        dear += 15.0
    own_suit = trump if not suit else 0 if suit == trump else suit
    return dear * 1000.0 + card % 10 * 10.0 + own_suit


@subroutine()
def gift(card: int, trump: int) -> float:
    """What a card is worth on the partner's trick, as the simple bot reckons."""
    suit = card // 10
    own_suit = trump if not suit else 0 if suit == trump else suit
    return (_ANY if suit else 0.0) + float(VALUES[card]) * 1000.0 - card % 10 * 10.0 - own_suit


@subroutine()
def compare_prices(game: Any, count: int, trump: int, scratch: Any) -> None:
    """Writes where each legal card stands among the others by what it costs and gives."""
    table, best = game[ON_TABLE], game[BEST]
    for number in range(count):  # the places of the chances are free until the cards are scored
        card, place = game[MOVES + number], CHANCES + number * KIND_COUNT
        scratch[place] = price(game, card, trump)
        scratch[place + 1] = gift(card, trump)
        scratch[place + 2] = 1.0 if not table or beats(card, best) else 0.0
    for number in range(count):
        own = CHANCES + number * KIND_COUNT
        cheaper, cheaper_alike, better_gifts = 0, 0, 0
        for other in range(CHANCES, CHANCES + count * KIND_COUNT, KIND_COUNT):
            alike = scratch[other + 2] == scratch[own + 2]
            if scratch[other] < scratch[own]:
                cheaper += 1
                cheaper_alike += 1 if alike else 0
            if alike and scratch[other + 1] > scratch[own + 1]:
                better_gifts += 1
        wins = scratch[own + 2] > 0.0
        offset = CARDS_SEEN + number * CARD + FEATURES
        scratch[offset] = cheaper / 9.0
        scratch[offset + 1] = 0.0 if cheaper else 1.0
        scratch[offset + 2] = 1.0 if table and wins and not cheaper_alike else 0.0
        scratch[offset + 3] = 1.0 if table and not wins and not cheaper_alike else 0.0
        scratch[offset + 4] = 1.0 if table and not wins and not better_gifts else 0.0


@subroutine()
def describe_place(hand: int, unseen: int, card: int, offset: int, scratch: Any) -> None:
    """Writes where a card stands in its suit, among the hand's cards and those not seen."""
    suit, rank = card // 10, card % 10
    for place in range(16):
        scratch[offset + place] = 0.0
    scratch[offset + rank] = 1.0
    below = hand & (1 << card) - (1 << 10 * suit)
    scratch[offset + 10] = 0.0 if below else 1.0
    scratch[offset + 11] = 0.0 if hand & higher_cards(card) else 1.0
    scratch[offset + 12] = count_bits(below) / 4.0
    if below and rank < 5:
        while below & below - 1:
            below &= below - 1
        between = (1 << card) - (below << 1)
        scratch[offset + 13] = 0.0 if between & unseen else 1.0  # a lower card does the same
    if rank < 9:
        scratch[offset + 14] = float(unseen >> 10 * suit + 9 & 1)
        scratch[offset + 15] = float(hand >> 10 * suit + 9 & 1)


@subroutine()
def describe_cards(game: Any, trump: int, features: Any, scratch: Any) -> int:
    """Lists the legal cards and writes what is seen of each; their number."""
    count = describe(game, features)
    hand = game[HANDS + game[TURN]]
    unseen = PACK & ~game[SEEN] & ~hand
    compare_prices(game, count, trump, scratch)
    for number in range(count):
        offset = CARDS_SEEN + number * CARD
        for feature in range(FEATURES):
            scratch[offset + feature] = features[number * FEATURES + feature]
        describe_place(hand, unseen, game[MOVES + number], offset + FEATURES + 5, scratch)
    return count


@subroutine(inline=True)
def add_layer(
    scratch: Any, inputs: int, size: int, outputs: int, units: int, weights: Any, start: int
) -> None:
    """Adds to each output the inputs times their weights; most inputs are 0."""
    for place in range(size):
        seen = scratch[inputs + place]
        if seen != 0.0:
            for unit in range(units):
                scratch[outputs + unit] += seen * weights[start + place * units + unit]


@subroutine(inline=True)
def cut_negatives(scratch: Any, first: int, size: int) -> None:
    """Sets what is below 0 to 0: what makes two layers more than one."""
    for place in range(first, first + size):
        scratch[place] = max(scratch[place], 0.0)


@subroutine()
def score_cards(count: int, weights: Any, scratch: Any) -> None:
    """Writes the score of each legal card for each kind."""
    for unit in range(FIRST):
        scratch[BASE + unit] = weights[FIRST_BIAS + unit]
    add_layer(scratch, 0, MOMENT, BASE, FIRST, weights, 0)
    for number in range(count):
        for unit in range(FIRST):
            scratch[LAYER + unit] = scratch[BASE + unit]
        add_layer(scratch, CARDS_SEEN + number * CARD, CARD, LAYER, FIRST, weights, CARD_WEIGHTS)
        cut_negatives(scratch, LAYER, FIRST)
        for unit in range(SECOND):
            scratch[NEXT + unit] = weights[SECOND_BIAS + unit]
        add_layer(scratch, LAYER, FIRST, NEXT, SECOND, weights, SECOND_WEIGHTS)
        cut_negatives(scratch, NEXT, SECOND)
        scores = CHANCES + number * KIND_COUNT
        for kind in range(KIND_COUNT):
            scratch[scores + kind] = 0.0
        add_layer(scratch, NEXT, SECOND, scores, KIND_COUNT, weights, KIND_WEIGHTS)


@subroutine()
def card_chances(game: Any, trump: int, weights: Any, features: Any, scratch: Any) -> int:
    """Lists the legal cards and writes the chance of each for each kind; their number."""
    describe_moment(game, scratch)
    count = describe_cards(game, trump, features, scratch)
    score_cards(count, weights, scratch)
    for kind in range(KIND_COUNT):
        max_score, total = -1e300, 0.0
        for number in range(count):
            max_score = max(max_score, scratch[CHANCES + number * KIND_COUNT + kind])
        for number in range(count):
            place = CHANCES + number * KIND_COUNT + kind
            scratch[place] = exp(scratch[place] - max_score)
            total += scratch[place]
        for number in range(count):
            scratch[CHANCES + number * KIND_COUNT + kind] /= total
    return count
