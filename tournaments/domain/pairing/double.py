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
from tournaments.domain.pairing.tree import Match, SideSource, Tree
from tournaments.domain.rows import StageRules

MAX_ENTRANTS: Final = 512  # chosen: some 1,000 matches; the knock-out takes more


@lru_cache(maxsize=64)
def build(entrants: int, rules: StageRules) -> Tree:
    """Return both boards and the final, in the order of their rounds."""
    above = main_board(entrants)
    last = len(above)
    if not last:
        return ()
    matches = [
        Match(max(1, 2 * match.place - 2), match.sides) for round_ in above for match in round_
    ]
    top = SideSource(len(matches) - 1)
    bottom = SideSource(0, won=False) if last == 1 else _lower(above, matches)
    matches.append(Match(2 * last, (top, bottom), loser_rank=2, winner_rank=0))
    final = len(matches) - 1
    if rules.reset_final:
        again = SideSource(final, won=False), SideSource(final)
        matches.append(Match(2 * last + 1, again, 2, 0, if_upset=final))
    return tuple(matches)


def _lower(above: tuple[tuple[Match, ...], ...], matches: list[Match]) -> SideSource:
    """Add the lower board; return who comes out of it."""
    end = 2 * len(above)

    def add(place: int, one: SideSource, other: SideSource) -> SideSource:
        matches.append(Match(place, (one, other), loser_rank=STEP * (end - place) + 2))
        return SideSource(len(matches) - 1)

    count = len(above[0]) // 2
    inside = [
        add(2, SideSource(2 * n, won=False), SideSource(2 * n + 1, won=False)) for n in range(count)
    ]
    known = [set(range(4 * n, 4 * n + 4)) for n in range(count)]
    first = len(above[0])
    for place, round_ in enumerate(above[1:], start=2):
        drop = _drop(known, place)
        inside = [
            add(2 * place - 1, SideSource(first + (n ^ drop), won=False), inside[n])
            for n in range(len(round_))
        ]
        known = [known[n] | set(_block(n ^ drop, place)) for n in range(len(round_))]
        first += len(round_)
        if len(round_) > 1:
            pairs = range(0, len(round_), 2)
            inside = [add(2 * place, inside[n], inside[n + 1]) for n in pairs]
            known = [known[n] | known[n + 1] for n in pairs]
    return inside[0]


def _block(match: int, place: int) -> range:
    """Return the places of the tree whose people can have played in a match of a round."""
    return range(match << place, (match + 1) << place)


def _drop(known: list[set[int]], place: int) -> int:
    """Return the exchange of places with the fewest possible rematches; the widest of equals.

    Rematches in this round weigh more than those in the next, when neighbours meet.
    """

    def rematches(drop: int) -> tuple[int, int]:
        coming = [set(_block(n ^ drop, place)) for n in range(len(known))]
        after = [known[n] | coming[n] for n in range(len(known))]
        neighbours = zip(after[::2], after[1::2], strict=False)
        return (
            sum(len(known[n] & coming[n]) for n in range(len(known))),
            sum(len(one & other) for one, other in neighbours),
        )

    return min(reversed(range(len(known))), key=rematches)


def rounds(entrants: int, rules: StageRules) -> None:
    """Return nothing: whether the final is played again depends on its result."""
    del entrants, rules


FORMAT: Final = tree_format("double", build, ("reset_final",), rounds=rounds, most=MAX_ENTRANTS)
