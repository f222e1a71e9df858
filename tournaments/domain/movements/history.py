"""The history of a schedule's players, as far as the next rounds depend on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

from tournaments.domain.movements.whist import Seated
from tournaments.domain.rows import Bye, Round

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.int64]

Sides = tuple[tuple[int, ...], ...]
"""A table as it was: its sides; one side alone sat out."""

Facts = tuple[tuple[Sides, ...], ...]
"""The rounds that were played or published, asked-for byes left out."""


def rounds_as_sides(rounds: Iterable[Round]) -> Facts:
    """Return who sat with whom; a player with a requested bye counts as absent."""
    return tuple(
        tuple(
            table.sides
            for table in round_.tables
            if not table.is_bye or table.bye in (None, Bye.PAIRING)
        )
        for round_ in rounds
    )


def players_in_round(fact: Iterable[Sides]) -> set[int]:
    """Return the players who were there in a round, playing or sitting out."""
    return {player for sides in fact for side in sides for player in side}


@dataclass(frozen=True, slots=True)
class Task:
    """The input of a scheduler: players, rounds, history, seed.

    ``players`` are those who play all its ``rounds``; ``joined`` the first round each could play
    in; ``apart`` the twos who must not meet; ``past`` the rounds before. ``seed`` names the chance.
    """

    players: tuple[int, ...]
    rounds: int
    joined: tuple[int, ...]
    apart: frozenset[tuple[int, int]] = frozenset()
    past: Facts = ()
    seed: str = ""


@dataclass(slots=True)
class PairHistory:
    """The history of two players of a task, by their places in it."""

    partners: Matrix
    opponents: Matrix
    apart: Matrix

    @classmethod
    def of(cls, task: Task) -> PairHistory:
        """Count the past."""
        import numpy as np  # only draws need numpy's 19 MiB

        at = {player: place for place, player in enumerate(task.players)}
        size = len(at)
        partners, opponents, apart = (np.zeros((size, size), np.int64) for _ in range(3))
        for sides in (sides for round_ in task.past for sides in round_):
            for counts, twos in (
                (partners, partner_pairs(sides)),
                (opponents, opponent_pairs(sides)),
            ):
                for one, other in twos:
                    if one in at and other in at:
                        _count(counts, at[one], at[other])
        for one, other in task.apart:
            if one in at and other in at:
                _count(apart, at[one], at[other])
        return cls(partners, opponents, apart)

    def add(self, tables: Sequence[Seated]) -> None:
        """Count a round, its players by their places."""
        for table in tables:
            for side in table:
                _count(self.partners, *side)
            for one, other in product(*table):
                _count(self.opponents, one, other)


def partner_pairs(sides: Sides) -> Iterator[tuple[int, int]]:
    """Yield those who were partners at a table."""
    return (two for side in sides for two in combinations(side, 2))


def opponent_pairs(sides: Sides) -> Iterator[tuple[int, int]]:
    """Yield those who were opponents at a table."""
    return (two for pair in combinations(sides, 2) for two in product(*pair))


def _count(counts: Matrix, one: int, other: int) -> None:
    counts[one, other] += 1
    counts[other, one] += 1


def sit_out_counts(past: Facts) -> dict[int, int]:
    """Return how often each player has sat out, as it counts for sitting out next.

    Players who come late, or come back, start no lower than the least of those who were there, so
    that they need not make up for rounds that they missed.
    """
    found: dict[int, int] = {}
    before: set[int] = set()
    for round_ in past:
        here = players_in_round(round_)
        admit(found, here, before)
        for sides in round_:
            if len(sides) == 1:
                for player in sides[0]:
                    found[player] += 1
        before = here
    return found


def sit_out_counts_for(task: Task) -> list[int]:
    """Return the levels of a task's players, newcomers admitted."""
    found = sit_out_counts(task.past)
    before = players_in_round(task.past[-1]) if task.past else set()
    admit(found, set(task.players), before)
    return [found[player] for player in task.players]


def admit(found: dict[int, int], here: set[int], before: set[int]) -> None:
    """Let those who were not there before start no lower than the least of those who were."""
    least = min((found[player] for player in here & before), default=0)
    for player in here - before:
        found[player] = max(found.get(player, 0), least)
