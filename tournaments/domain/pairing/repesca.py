"""Knock-out with a repesca: losers of their first match play on in a second board.

The winners' board is a knock-out. Those who lose the first match they play go into the losers'
board, also a knock-out: losers of the first round from the start, a seed that had a bye in it and
then lost from the second round on. Winners of a match above are ranked before everybody below, and
the winner below before the others there.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from tournaments.domain.pairing.brackets import tree_format
from tournaments.domain.pairing.knockout import MAX_ENTRANTS, STEP, main_board, third_place
from tournaments.domain.pairing.tree import SideSource, Tree, TreeMatch
from tournaments.domain.rows import StageRules

NEITHER_CAME: Final = 10**5
"""The rank of two who both missed their first match: below the losers' board."""

WITH_SEMIFINALS: Final = 2
WITH_QUARTERFINALS: Final = 3


@lru_cache(maxsize=64)
def build(entrants: int, rules: StageRules) -> Tree:
    """Return the winners' and the losers' board."""
    upper_board = main_board(entrants)
    matches = [match for round_ in upper_board for match in round_]
    had_bye = entrants < 2 * len(upper_board[0]) if upper_board else False
    if len(upper_board) > WITH_SEMIFINALS and rules.third_place:
        matches += _third_place(upper_board, had_bye=had_bye)
    if len(upper_board) >= WITH_SEMIFINALS:
        matches[: len(upper_board[0])] = [
            replace(match, loser_rank=NEITHER_CAME) for match in upper_board[0]
        ]
        _below(upper_board, matches, had_bye=had_bye)
    return tuple(matches)


def _third_place(
    upper_board: tuple[tuple[TreeMatch, ...], ...], *, had_bye: bool
) -> tuple[TreeMatch, ...]:
    """Return the match for third place.

    With five to seven entrants a seed that had a bye can lose its first match in the semi-finals.
    It goes into the losers' board, which is played in the same round, and not here.
    """
    matches = third_place(upper_board)
    if not (had_bye and len(upper_board) == WITH_QUARTERFINALS):
        return matches
    final = sum(map(len, upper_board)) - 1
    losers = (
        SideSource(final - 2, won=False, later_only=True),
        SideSource(final - 1, won=False, later_only=True),
    )
    return tuple(replace(match, sides=losers) for match in matches)


def _below(
    upper_board: tuple[tuple[TreeMatch, ...], ...], matches: list[TreeMatch], *, had_bye: bool
) -> None:
    """Add the losers' board."""
    base = STEP * (len(upper_board) + 2)
    end = len(upper_board) + 2

    def add(place: int, side: SideSource, other: SideSource) -> SideSource:
        rank = base + STEP * (end - place) + 2
        matches.append(TreeMatch(place, (side, other), loser_rank=rank, side_rank=base))
        return SideSource(len(matches) - 1)

    first, count = len(upper_board[0]), len(upper_board[1])
    sources = [
        add(2, SideSource(2 * n, won=False), SideSource(2 * n + 1, won=False)) for n in range(count)
    ]
    place = 3
    if had_bye and len(upper_board) >= WITH_QUARTERFINALS:
        sources = [
            add(
                place,
                SideSource(first + (n ^ (count - 1)), won=False, first_only=True),
                sources[n],
            )
            for n in range(count)
        ]
        place += 1
    while len(sources) > 1:
        sources = [add(place, *sources[n : n + 2]) for n in range(0, len(sources), 2)]
        place += 1
    final = sources[0].match
    matches[final] = replace(matches[final], winner_rank=base - STEP // 2)


def rounds(entrants: int, rules: StageRules) -> None:
    """Return nothing: a seed that has a bye and loses can make the losers' board longer."""
    del entrants, rules


FORMAT: Final = tree_format(
    "repesca", build, ("third_place",), rounds=rounds, max_entrants=MAX_ENTRANTS
)
