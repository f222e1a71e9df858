"""The questions of the strong bot that take time: draw worlds, weigh them, play hands out."""

from math import exp
from typing import Any, Final

from engine.bots.strong.judging import judge, likelihood, outcome, play_out
from engine.bots.strong.playing import CHANCE_BITS, DECLARES, WORLD, next_random, play, seed_random
from engine.fast.compiling import compiled, subroutine
from engine.fast.masks import (
    DECLARED,
    DRAWS,
    FIRST_ONLY,
    FORFEITED,
    FORFEITS,
    GOAL,
    GOAL_OF,
    HANDS,
    LAST_SIDE,
    MADE,
    MAX_DRAWS,
    ON_TABLE,
    PLAYERS,
    SPOKEN,
    TURN,
    WON,
    count_bits,
    has_open_couple,
    legal,
    side_of,
)

G: Final = "int64[::1]"
F: Final = "float64[::1]"

UNSAID: Final = 4.0
"""Penalty, as a logarithm, for a world in which a seat held a couple and did not declare it."""

# --- a deal to be drawn: what a seat holds for certain, what may be where ------------------------
CERTAIN: Final = 0
HIDDEN: Final = 4
OTHERS: Final = 8
"""Three seats; where there are two, the last one is repeated with no cards."""
STATE: Final = 11
GROUPS: Final = 12
"""Eight sets of cards: those that the others may hold, as bits of their places in OTHERS."""
DEAL: Final = 24


@subroutine()
def draw_subset(deal: Any, cards: int, count: int) -> int:
    """Draws a number of cards from a set, evenly."""
    subset, cards_left = 0, count_bits(cards)
    while count:
        bit = cards & -cards
        cards ^= bit
        if next_random(deal, STATE) * cards_left >> 31 < count:
            subset |= bit
            count -= 1
        cards_left -= 1
    return subset


@subroutine()
def deal_weight(deal: Any, logs: Any, one: int, two: int, three: int) -> float:
    """The relative number of deals that share the groups out like this.

    ``one`` cards of the group of the first two seats go to the first, ``two`` of that of the first
    and the third to the first, ``three`` of that of the last two to the second; the group of all
    three fills what room is left. ``logs`` are logarithms of factorials.
    """
    both = count_bits(deal[GROUPS + 3])
    outer = count_bits(deal[GROUPS + 5])
    later = count_bits(deal[GROUPS + 6])
    free_count = count_bits(deal[GROUPS + 7])
    first = deal[HIDDEN] - count_bits(deal[GROUPS + 1]) - one - two
    second = deal[HIDDEN + 1] - count_bits(deal[GROUPS + 2]) - (both - one) - three
    third = free_count - first - second
    if first < 0 or second < 0 or third < 0:
        return 0.0
    if third + (outer - two) + (later - three) + count_bits(deal[GROUPS + 4]) != deal[HIDDEN + 2]:
        return 0.0
    return exp(
        logs[both]
        - logs[one]
        - logs[both - one]
        + logs[outer]
        - logs[two]
        - logs[outer - two]
        + logs[later]
        - logs[three]
        - logs[later - three]
        + logs[free_count]
        - logs[first]
        - logs[second]
        - logs[third]
        - logs[len(logs) - 1]
    )


@subroutine()
def write_hands(deal: Any, worlds: Any, offset: int, one: int, two: int, three: int) -> None:
    """Write the hands of a world whose groups are shared out like this."""
    hands = offset
    for seat in range(4):
        worlds[hands + seat] = deal[CERTAIN + seat]
    first, second, third = deal[GROUPS + 1], deal[GROUPS + 2], deal[GROUPS + 4]
    subset = draw_subset(deal, deal[GROUPS + 3], one)
    first |= subset
    second |= deal[GROUPS + 3] & ~subset
    subset = draw_subset(deal, deal[GROUPS + 5], two)
    first |= subset
    third |= deal[GROUPS + 5] & ~subset
    subset = draw_subset(deal, deal[GROUPS + 6], three)
    second |= subset
    third |= deal[GROUPS + 6] & ~subset
    subset = draw_subset(deal, deal[GROUPS + 7], deal[HIDDEN] - count_bits(first))
    first |= subset
    rest = deal[GROUPS + 7] & ~subset
    subset = draw_subset(deal, rest, deal[HIDDEN + 1] - count_bits(second))
    worlds[hands + deal[OTHERS]] |= first
    worlds[hands + deal[OTHERS + 1]] |= second | subset
    worlds[hands + deal[OTHERS + 2]] |= third | rest & ~subset


@compiled(f"int64({G}, {F}, {F}, {G}, int64, int64)")
def draw_worlds(deal: Any, logs: Any, shares: Any, worlds: Any, count: int, seed: int) -> int:
    """Draw worlds of a game without a stock, evenly; 0 if there is no deal at all, else 1.

    ``shares`` has room for 1331 numbers: one for each way to share the groups out.
    """
    ones = count_bits(deal[GROUPS + 3]) + 1
    twos = count_bits(deal[GROUPS + 5]) + 1
    threes = count_bits(deal[GROUPS + 6]) + 1
    total = 0.0
    for one in range(ones):
        for two in range(twos):
            for three in range(threes):
                share = deal_weight(deal, logs, one, two, three)
                shares[(one * twos + two) * threes + three] = share
                total += share
    if total == 0.0:
        return 0
    deal[STATE] = seed & CHANCE_BITS
    for world in range(count):
        ticket = next_random(deal, STATE) / 2147483648.0 * total
        index, last = 0, -1
        while index < ones * twos * threes and ticket >= 0.0:
            if shares[index] > 0.0:
                last = index
                ticket -= shares[index]
            index += 1
        rest = last // threes
        write_hands(deal, worlds, world * WORLD, rest // twos, rest % twos, last % threes)
    return 1


# --- worlds weighed by what was played in them ---------------------------------------------------


@subroutine()
def silence_likelihood(game: Any, me: int) -> float:
    """The log-likelihood that the side declared no more before a lead (R6.2, R6.6).

    :func:`~engine.bots.strong.playing.play` declares all that may be declared after a trick, so
    only what it leaves, a second couple, counts here; :mod:`engine.bots.strong.beliefs` counts all.
    """
    side, likely = game[LAST_SIDE], 0.0
    if side < 0 or (game[FIRST_ONLY] and game[WON + side] > 1):
        return 0.0
    for seat in range(game[PLAYERS]):
        if side_of(game, seat) != side or game[SPOKEN] >> 8 * seat & 255:
            continue
        for suit in range(4):
            if has_open_couple(game, seat, suit):
                if seat != me:
                    likely -= UNSAID
                if game[FORFEITS]:
                    game[FORFEITED] |= 1 << suit
    return likely


@subroutine()
def replay_likelihood(
    game: Any,
    tokens: Any,
    count: int,
    me: int,
    doubt: float,
    weights: Any,
    features: Any,
    scores: Any,
) -> float:
    """Play what was played and said; the logarithm of how likely the others were to do so."""
    likely = 0.0
    for number in range(count):
        token = tokens[number]
        if token >= DECLARES:
            game[DECLARED] |= 1 << (token - DECLARES & 3)
            game[SPOKEN] += 1 << 8 * (token - DECLARES >> 2)
            continue
        if not game[ON_TABLE]:
            likely += silence_likelihood(game, me)
        cards = legal(game)
        if game[TURN] != me and cards & cards - 1:
            likely += likelihood(game, token, doubt, weights, features, scores)
        play(game, token)
    return likely


@subroutine()
def load_first(first: Any, worlds: Any, world: int, game: Any) -> None:
    """Sets a game to the state before its first lead, with the hands of a world."""
    for field in range(DRAWS):
        game[field] = first[field]
    for seat in range(4):
        game[HANDS + seat] |= worlds[world * WORLD + seat]


@subroutine()
def scale_likelihoods(likelihoods: Any, count: int, max_log: float) -> None:
    """Converts logarithms to likelihoods, the likeliest being 1."""
    for world in range(count):
        likelihoods[world] = exp(likelihoods[world] - max_log)


@compiled(f"void({G}, {G}, {G}, int64, int64, {G}, int64, float64, {F}, {F}, {F}, {F})")
def weigh_worlds(
    first: Any,
    game: Any,
    tokens: Any,
    length: int,
    me: int,
    worlds: Any,
    count: int,
    doubt: float,
    weights: Any,
    features: Any,
    scores: Any,
    likelihoods: Any,
) -> None:
    """The likelihood of the others' plays in each world, the likeliest being 1.

    ``first`` is the game before its first lead, in whose hands stand the cards that were played.
    """
    max_log = -1e300
    for world in range(count):
        load_first(first, worlds, world, game)
        likelihoods[world] = replay_likelihood(
            game, tokens, length, me, doubt, weights, features, scores
        )
        max_log = max(max_log, likelihoods[world])
    scale_likelihoods(likelihoods, count, max_log)


# --- hands played out ----------------------------------------------------------------------------


@subroutine()
def load_world(start: Any, worlds: Any, world: int, game: Any) -> None:
    """Sets the array of a game to the present state, with the hands of a world."""
    for field in range(DRAWS):
        game[field] = start[field]
    offset = world * WORLD
    for seat in range(4):
        game[HANDS + seat] = worlds[offset + seat]
    for card in range(MAX_DRAWS):
        game[DRAWS + card] = worlds[offset + 4 + card]


@compiled(f"void({G}, {G}, {G}, {G}, int64, {G}, int64, int64, {F}, {F}, {F}, {F})")
def mean_margins(
    start: Any,
    game: Any,
    worlds: Any,
    picks: Any,
    trials: int,
    moves: Any,
    count: int,
    seed: int,
    weights: Any,
    features: Any,
    scores: Any,
    values: Any,
) -> None:
    """The mean margin of the side in turn after each of some moves.

    Trial by trial in the world that ``picks`` names, each move with the same chances. A move below
    0 leaves the first card to chance, too.
    """
    side = side_of(start, start[TURN])
    for number in range(count):
        values[number] = 0.0
    for trial in range(trials):
        for number in range(count):
            load_world(start, worlds, picks[trial], game)
            seed_random(game, seed + trial * 2654435761)
            if moves[number] >= 0:
                play(game, moves[number])
            play_out(game, weights, features, scores)
            values[number] += outcome(game, side) / trials


@compiled(f"float64({G}, {G}, {G}, int64, int64, int64, {F}, {F}, {F})")
def goal_share(
    start: Any,
    game: Any,
    worlds: Any,
    count: int,
    trials: int,
    seed: int,
    weights: Any,
    features: Any,
    scores: Any,
) -> float:
    """In which part of the trials the side of the goal makes it."""
    successes = 0
    for trial in range(trials):
        load_world(start, worlds, trial % count, game)
        seed_random(game, seed + trial * 2654435761)
        play_out(game, weights, features, scores)
        if game[MADE + game[GOAL_OF]] >= game[GOAL]:
            successes += 1
    return successes / trials


@compiled(f"int64({G}, {F}, {F}, {F})")
def list_moves(game: Any, weights: Any, features: Any, scores: Any) -> int:
    """List the legal cards, what can be said of each and its chance; for learning and for tests."""
    return judge(game, weights, features, scores)


@compiled(f"void({G}, int64)")
def step(game: Any, card: int) -> None:
    """Play one card; for tests."""
    play(game, card)
