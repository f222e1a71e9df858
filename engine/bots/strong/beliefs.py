"""Weighs sampled worlds by a learnt policy: how likely the others were to play as they did in each.

What kind of player sits at a seat is not known. So each seat is a mixture of the kinds of
:data:`~engine.bots.strong.policy.KINDS` and of a player *at random*; its plays show which fits.
"""

from math import exp, log
from typing import Any, Final

from engine.bots.strong.playing import DECLARES, excluded_cards
from engine.bots.strong.policy import (
    CHANCES,
    KIND_COUNT,
    card_chances,
    describe_cards,
    describe_moment,
)
from engine.bots.strong.thinking import UNSAID, load_first, scale_likelihoods
from engine.fast.compiling import compiled, subroutine
from engine.fast.masks import (
    LACKS,
    MOVES,
    ON_TABLE,
    TURN,
    declare,
    forfeit,
    legal,
    play_card,
    take_trick,
    undeclared_couples,
)

G: Final = "int64[::1]"
F: Final = "float64[::1]"

PRIORS: Final = KIND_COUNT + 1
"""The kinds of players and the one at random, for each seat."""
RANDOM_SHARE: Final = 0.1
"""How often a player at random is expected; the other kinds are equally likely."""
DOUBT: Final = 0.03
"""The share of its cards that a player of a known kind plays against its kind."""
NEGLIGIBLE: Final = 6.0
"""A world this far, as a logarithm, below the likeliest so far is given up: it counts 1/400."""


@subroutine()
def begin_seats(logs: Any) -> None:
    """Sets each seat's mixture to what is expected before the first card."""
    for place in range(4 * PRIORS):
        logs[place] = log((1.0 - RANDOM_SHARE) / KIND_COUNT)
    for seat in range(4):
        logs[seat * PRIORS + KIND_COUNT] = log(RANDOM_SHARE)


@subroutine()
def mixture(logs: Any, me: int) -> float:
    """The log-likelihood of all that the other seats did, over all kinds of players."""
    total = 0.0
    for seat in range(4):
        if seat != me:
            best, share = -1e300, 0.0
            for place in range(seat * PRIORS, (seat + 1) * PRIORS):
                best = max(best, logs[place])
            for place in range(seat * PRIORS, (seat + 1) * PRIORS):
                share += exp(logs[place] - best)
            total += best + log(share)
    return total


@subroutine()
def note_silence(game: Any, logs: Any) -> None:
    """Before a lead: couples that were due to be declared are lost, and count (R6.2, R6.6)."""
    undeclared = undeclared_couples(game)
    if undeclared:
        for seat in range(4):
            if undeclared >> 4 * seat & 15:
                for kind in range(KIND_COUNT):
                    logs[seat * PRIORS + kind] -= UNSAID
                logs[seat * PRIORS + KIND_COUNT] -= log(2.0)
        forfeit(game, undeclared)


@subroutine()
def note_card(
    game: Any, trump: int, card: int, weights: Any, features: Any, scratch: Any, logs: Any
) -> None:
    """A seat that had a choice played a card: how likely each kind was to play it."""
    offset = game[TURN] * PRIORS
    count = card_chances(game, trump, weights, features, scratch)
    for number in range(count):
        if game[MOVES + number] == card:
            for kind in range(KIND_COUNT):
                chance = scratch[CHANCES + number * KIND_COUNT + kind]
                logs[offset + kind] += log((1.0 - DOUBT) * chance + DOUBT / count)
    logs[offset + KIND_COUNT] -= log(float(count))


@subroutine()
def repeat_token(game: Any, token: int) -> None:
    """Plays a card, or declares, as it was: nothing is declared that was not."""
    if token >= DECLARES:
        declare(game, token - DECLARES >> 2, token - DECLARES & 3)
        return
    game[LACKS + game[TURN]] |= excluded_cards(game, token)
    if play_card(game, token):
        take_trick(game)


@subroutine()
def replay_world(
    game: Any,
    trump: int,
    tokens: Any,
    length: int,
    me: int,
    least: float,
    weights: Any,
    features: Any,
    scratch: Any,
    logs: Any,
) -> float:
    """Repeats what was played and declared; the log-likelihood that the others did so.

    Below ``least`` the world is given up: with each trick it becomes less likely, never more.
    """
    begin_seats(logs)
    for number in range(length):
        token = tokens[number]
        if token >= DECLARES:
            logs[(token - DECLARES >> 2) * PRIORS + KIND_COUNT] -= log(2.0)
        else:
            if not game[ON_TABLE]:
                if mixture(logs, me) < least:
                    return -1e300
                note_silence(game, logs)
            cards = legal(game)
            if game[TURN] != me and cards & cards - 1:
                note_card(game, trump, token, weights, features, scratch, logs)
        repeat_token(game, token)
    return mixture(logs, me)


@compiled(f"void({G}, {G}, int64, {G}, int64, int64, {G}, int64, {F}, {F}, {F}, {F}, {F})")
def weigh_by_policy(
    first: Any,
    game: Any,
    trump: int,
    tokens: Any,
    length: int,
    me: int,
    worlds: Any,
    count: int,
    weights: Any,
    features: Any,
    scratch: Any,
    logs: Any,
    likelihoods: Any,
) -> None:
    """The likelihood of the others' plays and declarations in each world, the likeliest being 1.

    For two pairs without a stock. ``first`` is the game before its first lead, in whose hands stand
    the cards that were played; ``logs`` has room for :data:`PRIORS` numbers a seat.
    """
    max_log = -1e300
    for world in range(count):
        load_first(first, worlds, world, game)
        least = max_log - NEGLIGIBLE
        likelihoods[world] = replay_world(
            game, trump, tokens, length, me, least, weights, features, scratch, logs
        )
        max_log = max(max_log, likelihoods[world])
    scale_likelihoods(likelihoods, count, max_log)


@compiled(f"int64({G}, int64, {F}, {F})")
def describe_choice(game: Any, trump: int, features: Any, scratch: Any) -> int:
    """Lists the legal cards and writes what is seen of the moment and of each; for learning."""
    describe_moment(game, scratch)
    return describe_cards(game, trump, features, scratch)


@compiled(f"void({G}, int64)")
def repeat(game: Any, token: int) -> None:
    """Plays a card or declares, as it was in a hand; for learning."""
    if token < DECLARES and not game[ON_TABLE]:
        forfeit(game, undeclared_couples(game))
    repeat_token(game, token)
