"""The knock-out: who loses is out, for any number of entrants.

Seeds are put into the tree so that the best meet as late as they can (`seeding.places_in_tree`):
1 and 2 in opposite halves, and the byes of the first round go to the top seeds, never two to one
match. Who loses in the same round shares the place, unless third place is played for.
"""

from functools import lru_cache
from typing import Final

from tournaments.domain.pairing.brackets import tree_format
from tournaments.domain.pairing.tree import Side, SideSource, Tree, TreeMatch
from tournaments.domain.rows import StageRules
from tournaments.domain.seeding import places_in_tree, tree_size

MAX_ENTRANTS: Final = 1024  # ten rounds

STEP: Final = 10
"""Between the ranks of two rounds: room for the matches for a place."""


@lru_cache(maxsize=64)
def main_board(entrants: int) -> tuple[tuple[TreeMatch, ...], ...]:
    """Return the matches of a knock-out, round by round; sides count matches in this order."""
    size = tree_size(entrants)
    last = size.bit_length() - 1
    order = places_in_tree(size)
    sides: list[Side] = [seed if seed <= entrants else None for seed in order]
    rounds, before = [], 0
    for place in range(1, last + 1):
        pairs = [_better_first(*sides[n : n + 2]) for n in range(0, len(sides), 2)]
        rank = STEP * (last - place) + 2
        winner = 0 if place == last else None
        rounds.append(tuple(TreeMatch(place, pair, rank, winner) for pair in pairs))
        sides = [SideSource(before + n) for n in range(len(pairs))]
        before += len(pairs)
    return tuple(rounds)


def _better_first(side: Side, other: Side) -> tuple[Side, Side]:
    """Return two seeds with the better one first; winners stay in the order of the tree."""
    if isinstance(side, SideSource) or isinstance(other, SideSource):
        return side, other
    return (other, side) if side is None or (other is not None and other < side) else (side, other)


def third_place(rounds: tuple[tuple[TreeMatch, ...], ...]) -> tuple[TreeMatch, ...]:
    """Return the match of those who lost the semi-finals, if there were two of these."""
    if len(rounds) < 2:  # no semi-finals
        return ()
    final = sum(map(len, rounds)) - 1
    losers = SideSource(final - 2, won=False), SideSource(final - 1, won=False)
    return (TreeMatch(len(rounds), losers, loser_rank=STEP + 3, winner_rank=STEP + 1),)


@lru_cache(maxsize=64)
def build(entrants: int, rules: StageRules) -> Tree:
    """Return the tree, with the match for third place if the rules have one."""
    rounds = main_board(entrants)
    tree = tuple(match for round_ in rounds for match in round_)
    return tree + (third_place(rounds) if rules.third_place else ())


def rounds(entrants: int, rules: StageRules) -> int:
    """Return the number of rounds, one for each halving of the field."""
    del rules
    return tree_size(entrants).bit_length() - 1


FORMAT: Final = tree_format(
    "knockout",
    build,
    ("third_place",),
    rounds=rounds,
    max_entrants=MAX_ENTRANTS,
    out_is_placed=True,
)
