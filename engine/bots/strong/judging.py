"""Scores the legal cards by features of what a player sees, with weights learnt from play.

The score of a card is a sum of features, each times a weight that depends on the place in the trick
and on how far the hand has gone; cards are played with probabilities proportional to the exponents
of their scores. The same function plays hands out and gives the likelihood of a card played.
"""

from math import exp, log
from typing import Any

from engine.bots.strong.playing import FEATURES, PHASES, next_random, play
from engine.cards import PACK
from engine.fast.compiling import subroutine
from engine.fast.masks import (
    BEST,
    CHANCE,
    COUPLE,
    FIRST_ONLY,
    GOAL,
    GOAL_OF,
    HANDS,
    HOLDER,
    LACKS,
    LED,
    MADE,
    MOVES,
    ON_POINTS,
    ON_TABLE,
    PAIRS,
    PLAYERS,
    SEEN,
    SUIT,
    TRICKS_LEFT,
    TRUMPS,
    TURN,
    VALUES,
    WON,
    beats,
    count_bits,
    has_open_couple,
    higher_cards,
    legal,
    side_of,
)

_GOAL_VALUE = 100.0


@subroutine()
def context_of(game: Any) -> int:
    """The place in the trick and the part of the hand, as the first of their weights.

    A lead; a card on the other side's trick or on one's own, others to follow or none.
    """
    tricks_left, table = game[TRICKS_LEFT], game[ON_TABLE]
    phase = 0 if tricks_left > 7 else 1 if tricks_left > 4 else 2
    context = 0
    if table:
        partner_wins = game[PAIRS] and not (game[HOLDER] ^ game[TURN]) & 1
        context = 1 + (2 if partner_wins else 0) + (1 if table == game[PLAYERS] - 1 else 0)
    return FEATURES * (context * PHASES + phase)


@subroutine()
def couples_to_declare(game: Any, seat: int) -> int:
    """The cards of the couples that a seat may still declare."""
    cards = 0
    if not game[FIRST_ONLY] or not game[WON + side_of(game, seat)]:
        for suit in range(4):
            if has_open_couple(game, seat, suit):
                cards |= COUPLE << 10 * suit
    return cards


@subroutine()
def possible_trumpers(game: Any, led: int, unseen: int) -> int:
    """1 if an opponent who has yet to play may trump a suit, 2 if the partner may, 3 if both."""
    seat, trumpers = game[TURN], 0
    if led == TRUMPS:
        return 0
    for _ in range(game[PLAYERS] - 1 - game[ON_TABLE]):
        seat = seat + 1 if seat + 1 < game[PLAYERS] else 0
        may_hold = unseen & ~game[LACKS + seat]
        if not may_hold & led and may_hold & TRUMPS:
            trumpers |= 2 if game[PAIRS] and not (seat ^ game[TURN]) & 1 else 1
    return trumpers


@subroutine()
def describe(game: Any, features: Any) -> int:
    """List the legal cards and what can be said of each; their number."""
    turn, table, best = game[TURN], game[ON_TABLE], game[BEST]
    hand = game[HANDS + turn]
    unseen = PACK & ~game[SEEN] & ~hand
    stake = game[ON_POINTS] / 10.0
    safe = 0.0
    if table and not unseen & higher_cards(best) and (best < 10 or not unseen & TRUMPS):
        safe = 1.0
    couples = couples_to_declare(game, turn)
    own_trumps, other_trumps = count_bits(hand & TRUMPS), count_bits(unseen & TRUMPS)
    todo, count = legal(game), 0
    while todo:
        bit = todo & -todo
        todo ^= bit
        card = count_bits(bit - 1)
        suit = SUIT[card]
        trump = 1.0 if card < 10 else 0.0
        points = VALUES[card] / 10.0
        higher = count_bits(unseen & higher_cards(card))
        master = 0.0 if higher else 1.0
        wins = master
        if table:
            wins = 1.0 if beats(card, best) else 0.0
        length = count_bits(hand & suit)
        may_trump = possible_trumpers(game, game[LED] if table else suit, unseen)
        offset = count * FEATURES
        features[offset] = points
        features[offset + 1] = trump
        features[offset + 2] = card % 10 / 9.0
        features[offset + 3] = wins
        features[offset + 4] = wins * stake
        features[offset + 5] = wins * trump
        features[offset + 6] = 1.0 if bit & couples else 0.0
        features[offset + 7] = master
        features[offset + 8] = 1.0 if length == 1 and card > 9 and own_trumps else 0.0
        features[offset + 9] = length / 5.0
        features[offset + 10] = higher / 5.0
        features[offset + 11] = count_bits(unseen & suit) / 10.0
        features[offset + 12] = trump * own_trumps / 5.0
        features[offset + 13] = trump * other_trumps / 10.0
        features[offset + 14] = 0.0
        if may_trump & 1:
            features[offset + 14] = wins * (1.0 - trump) if table else 1.0
        features[offset + 15] = 0.0
        if may_trump & 2:
            features[offset + 15] = 1.0 - wins if table else 1.0
        features[offset + 16] = points * safe
        features[offset + 17] = wins if couples & ~bit else 0.0
        features[offset + 18] = points * master * wins
        features[offset + 19] = points * trump
        game[MOVES + count] = card
        count += 1
    return count


@subroutine()
def judge(game: Any, weights: Any, features: Any, scores: Any) -> int:
    """Lists the legal cards with their chances; the sum of the chances follows the last one."""
    count, base = describe(game, features), context_of(game)
    max_score = -1e300
    for number in range(count):
        score = 0.0
        for feature in range(FEATURES):
            score += weights[base + feature] * features[number * FEATURES + feature]
        scores[number] = score
        max_score = max(max_score, score)
    total = 0.0
    for number in range(count):
        scores[number] = exp(scores[number] - max_score)
        total += scores[number]
    scores[count] = total
    return count


@subroutine()
def likelihood(
    game: Any, card: int, doubt: float, weights: Any, features: Any, scores: Any
) -> float:
    """The logarithm of the chance that the player in turn plays this card.

    A share ``doubt`` of all cards is taken to be played at random.
    """
    count = judge(game, weights, features, scores)
    card_score = 0.0
    for number in range(count):
        if game[MOVES + number] == card:
            card_score = scores[number]
    return log((1.0 - doubt) * card_score / scores[count] + doubt / count)


@subroutine()
def play_out(game: Any, weights: Any, features: Any, scores: Any) -> None:
    """Play to the end, every card by its chance."""
    while game[TRICKS_LEFT]:
        cards = legal(game)
        if not cards & cards - 1:
            play(game, count_bits(cards - 1))
            continue
        count = judge(game, weights, features, scores)
        ticket = next_random(game, CHANCE) / 2147483648.0 * scores[count]
        choice = 0
        while choice < count - 1 and ticket >= scores[choice]:
            ticket -= scores[choice]
            choice += 1
        play(game, game[MOVES + choice])


@subroutine()
def outcome(game: Any, side: int) -> float:
    """The points of a side above the mean of the others, and the result of an undertaking."""
    sides = 2 if game[PAIRS] else game[PLAYERS]
    total = 0
    for each in range(sides):
        total += game[MADE + each]
    points = game[MADE + side]
    value = points - (total - points) / (sides - 1)
    if game[GOAL] and game[MADE + game[GOAL_OF]] >= game[GOAL]:
        value += _GOAL_VALUE if side == game[GOAL_OF] else -_GOAL_VALUE
    return float(value)
