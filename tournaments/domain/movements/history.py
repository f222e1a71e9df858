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
"""A table as it was: its sides; one side alone had a bye."""

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
    in; ``separations`` the twos who must not meet; ``past_rounds`` the rounds before. ``seed``
    names the chance.
    """

    players: tuple[int, ...]
    rounds: int
    joined: tuple[int, ...]
    separations: frozenset[tuple[int, int]] = frozenset()
    past_rounds: Facts = ()
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

        places = {player: place for place, player in enumerate(task.players)}
        size = len(places)
        partners, opponents, separations = (np.zeros((size, size), np.int64) for _ in range(3))
        for sides in (sides for round_ in task.past_rounds for sides in round_):
            for counts, pairs in (
                (partners, partner_pairs(sides)),
                (opponents, opponent_pairs(sides)),
            ):
                for player, other in pairs:
                    if player in places and other in places:
                        _count(counts, places[player], places[other])
        for player, other in task.separations:
            if player in places and other in places:
                _count(separations, places[player], places[other])
        return cls(partners, opponents, separations)

    def add(self, tables: Sequence[Seated]) -> None:
        """Count a round, its players by their places."""
        for table in tables:
            for side in table:
                _count(self.partners, *side)
            for player, other in product(*table):
                _count(self.opponents, player, other)


def partner_pairs(sides: Sides) -> Iterator[tuple[int, int]]:
    """Yield those who were partners at a table."""
    return (two for side in sides for two in combinations(side, 2))


def opponent_pairs(sides: Sides) -> Iterator[tuple[int, int]]:
    """Yield those who were opponents at a table."""
    return (two for pair in combinations(sides, 2) for two in product(*pair))


def _count(counts: Matrix, player: int, other: int) -> None:
    counts[player, other] += 1
    counts[other, player] += 1


def sit_out_counts(past: Facts) -> dict[int, int]:
    """Return how often each player has sat out, as it counts for sitting out next.

    Players who come late, or come back, start no lower than the least of those who were there, so
    that they need not make up for rounds that they missed.
    """
    counts: dict[int, int] = {}
    before: set[int] = set()
    for round_ in past:
        players = players_in_round(round_)
        admit(counts, players, before)
        for sides in round_:
            if len(sides) == 1:
                for player in sides[0]:
                    counts[player] += 1
        before = players
    return counts


def sit_out_counts_for(task: Task) -> list[int]:
    """Return the levels of a task's players, newcomers admitted."""
    counts = sit_out_counts(task.past_rounds)
    before = players_in_round(task.past_rounds[-1]) if task.past_rounds else set()
    admit(counts, set(task.players), before)
    return [counts[player] for player in task.players]


def admit(counts: dict[int, int], players: set[int], before: set[int]) -> None:
    """Let those who were not there before start no lower than the least of those who were."""
    min_count = min((counts[player] for player in players & before), default=0)
    for player in players - before:
        counts[player] = max(counts.get(player, 0), min_count)
