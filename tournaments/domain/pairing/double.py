"""Double elimination: who loses twice is out.

Above is a knock-out; who loses there drops into the lower board, where everybody has lost once. The
two winners meet in the final; if the one who came up from below wins it, both have lost once, and
it is played again (``reset_final``). N entrants play 2N - 2 matches, or 2N - 1 with the second
final, when everybody turns up. Where a loser drops in is chosen round by round so that they are
kept away from those whom they may have met already.
"""

from functools import lru_cache
from typing import Final

from tournaments.domain.pairing.brackets import tree_format
from tournaments.domain.pairing.knockout import STEP, main_board
from tournaments.domain.pairing.tree import SideSource, Tree, TreeMatch
from tournaments.domain.rows import StageRules

MAX_ENTRANTS: Final = 512  # chosen: some 1,000 matches; the knock-out takes more


@lru_cache(maxsize=64)
def build(entrants: int, rules: StageRules) -> Tree:
    """Return both boards and the final, in the order of their rounds."""
    upper_board = main_board(entrants)
    last = len(upper_board)
    if not last:
        return ()
    matches = [
        TreeMatch(max(1, 2 * match.place - 2), match.sides)
        for round_ in upper_board
        for match in round_
    ]
    top = SideSource(len(matches) - 1)
    bottom = SideSource(0, won=False) if last == 1 else _lower(upper_board, matches)
    matches.append(TreeMatch(2 * last, (top, bottom), loser_rank=2, winner_rank=0))
    final = len(matches) - 1
    if rules.reset_final:
        reset_sides = SideSource(final, won=False), SideSource(final)
        matches.append(TreeMatch(2 * last + 1, reset_sides, 2, 0, if_upset=final))
    return tuple(matches)


def _lower(upper_board: tuple[tuple[TreeMatch, ...], ...], matches: list[TreeMatch]) -> SideSource:
    """Add the lower board; return who comes out of it."""
    end = 2 * len(upper_board)

    def add(place: int, side: SideSource, other: SideSource) -> SideSource:
        matches.append(TreeMatch(place, (side, other), loser_rank=STEP * (end - place) + 2))
        return SideSource(len(matches) - 1)

    count = len(upper_board[0]) // 2
    sources = [
        add(2, SideSource(2 * n, won=False), SideSource(2 * n + 1, won=False)) for n in range(count)
    ]
    candidates = [set(range(4 * n, 4 * n + 4)) for n in range(count)]
    first = len(upper_board[0])
    for place, round_ in enumerate(upper_board[1:], start=2):
        drop = _drop(candidates, place)
        sources = [
            add(2 * place - 1, SideSource(first + (n ^ drop), won=False), sources[n])
            for n in range(len(round_))
        ]
        candidates = [candidates[n] | set(_block(n ^ drop, place)) for n in range(len(round_))]
        first += len(round_)
        if len(round_) > 1:
            pairs = range(0, len(round_), 2)
            sources = [add(2 * place, sources[n], sources[n + 1]) for n in pairs]
            candidates = [candidates[n] | candidates[n + 1] for n in pairs]
    return sources[0]


def _block(match: int, place: int) -> range:
    """Return the places of the tree whose people can have played in a match of a round."""
    return range(match << place, (match + 1) << place)


def _drop(candidates: list[set[int]], place: int) -> int:
    """Return the exchange of places with the fewest possible rematches; the widest of equals.

    Rematches in this round weigh more than those in the next, when neighbours meet.
    """

    def rematches(drop: int) -> tuple[int, int]:
        arrivals = [set(_block(n ^ drop, place)) for n in range(len(candidates))]
        after = [candidates[n] | arrivals[n] for n in range(len(candidates))]
        neighbours = zip(after[::2], after[1::2], strict=False)
        return (
            sum(len(candidates[n] & arrivals[n]) for n in range(len(candidates))),
            sum(len(group & other) for group, other in neighbours),
        )

    return min(reversed(range(len(candidates))), key=rematches)


def rounds(entrants: int, rules: StageRules) -> None:
    """Return nothing: whether the final is played again depends on its result."""
    del entrants, rules


FORMAT: Final = tree_format(
    "double", build, ("reset_final",), rounds=rounds, max_entrants=MAX_ENTRANTS, out_is_placed=True
)
