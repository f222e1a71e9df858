"""The ladder: rounds without end in which everybody meets everybody equally often.

Each round pairs everybody who is here by the one matching that costs least (:data:`CRITERIA`). As
long as the same entrants come, rounds follow Berger's tables in the order that suits the ranking:
of those that are still owed the one in which the best meet the best. So after any number of rounds
no two have met twice more often than two others, and nobody has had two byes before everybody has
rested. Entrants who come, or come back, start level with the others (`balanced_turns`), and are
never paired more often than they are to make up for missed rounds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from typing import TYPE_CHECKING, Final

from tournaments.domain.awards import awards
from tournaments.domain.pairing.base import (
    CannotDraw,
    Draw,
    Field,
    Format,
    PairingReason,
)
from tournaments.domain.pairing.berger import berger
from tournaments.domain.pairing.past import pair as key_of
from tournaments.domain.pairing.past import stage_history, was_played
from tournaments.domain.pairing.swiss import choose_sides, join_values, number_tables, shared_labels
from tournaments.domain.rows import (
    MAX_ROUNDS,
    Bye,
    Entrant,
    Points,
    Round,
    Scale,
    Stage,
    StageRules,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from tournaments.domain.pairing.matching import Integers

MAX_ENTRANTS: Final = 512  # chosen: bounds the time of the matching of a round

CRITERIA: Final = ("apart", "rests", "meetings", "off_schedule", "distance")
"""The sums that are minimised, the first one first.

- ``apart``: two who are to be kept apart.
- ``rests``: the square of how much oftener the one with the bye has had a bye than who did so
least.
- ``meetings``: the square of how much oftener the two have met than those who did so least.
- ``off_schedule``: one for each table that is not in the round of Berger's tables that fits best.
- ``distance``: the square of how many stand between the two in the present ranking.
"""

Pairs = Counter[tuple[int, int]]
Sides = tuple[int, ...]


@dataclass
class Turns:
    """Counts meetings and byes, as far as they are still to be evened out."""

    meetings: Pairs = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)
    present: frozenset[int] = frozenset()

    def admit(self, entrants: frozenset[int]) -> None:
        """Add the entrants of a round; those who were not in the one before start level.

        That is, as if they had met everybody as often as those who have met least often, and rested
        as often as those who have had the most byes.
        """
        stayed, new = sorted(entrants & self.present), entrants - self.present
        if stayed and new:
            min_meetings = min((self.meetings[two] for two in combinations(stayed, 2)), default=0)
            max_byes = max(self.byes[entrant] for entrant in stayed)
            for entrant in new:
                self.byes[entrant] = max(self.byes[entrant], max_byes)
                for other in entrants - {entrant}:
                    two = key_of(entrant, other)
                    self.meetings[two] = max(self.meetings[two], min_meetings)
        self.present = entrants

    def play(self, round_: Round) -> None:
        """Count a round."""
        for table in round_.tables:
            if table.bye is Bye.PAIRING:
                self.byes[table.entrants[0]] += 1
            elif was_played(table):
                self.meetings[key_of(*table.entrants)] += 1


def balanced_turns(stage: Stage, present_entrants: Sequence[int]) -> Turns:
    """Go through the rounds of a stage up to those who are here for the next."""
    turns = Turns()
    for round_ in stage.rounds:
        tables = (table for table in round_.tables if table.bye in {None, Bye.PAIRING})
        turns.admit(frozenset(entrant for table in tables for entrant in table.entrants))
        turns.play(round_)
    turns.admit(frozenset(present_entrants))
    return turns


def ladder_order(stage: Stage, entrants: Sequence[int]) -> list[int]:
    """Order entrants, given in seeding order, by their mean of match points a match played.

    Those who have played none are in the middle, at the mean of all points.
    """
    points: dict[int, Fraction] = {}
    matches_played: Counter[int] = Counter()
    tables = {(number, table.number): table for number, table in stage.tables()}
    for key, each in awards(stage).items():
        for side, side_points in zip(tables[key].sides, each, strict=True):
            for entrant in side if not tables[key].is_bye else ():
                points[entrant] = points.get(entrant, Points(0)) + side_points
                matches_played[entrant] += 1
    middle = sum(points.values(), Points(0)) / (matches_played.total() or 1)
    mean = {entrant: points[entrant] / matches_played[entrant] for entrant in points}
    return sorted(entrants, key=lambda entrant: -mean.get(entrant, middle))


def draw(field: Field) -> Draw:
    """Answer the next round; ``quality`` are the sums of :data:`CRITERIA` over its new tables.

    Raises CannotDraw: ``stage_over``, ``too_few``.
    """
    if is_over(field.stage, field.entrants):
        raise CannotDraw("stage_over")
    if len(field.present) < FORMAT.min_entrants:
        raise CannotDraw("too_few", least=FORMAT.min_entrants)
    fixed = {entrant for table in field.pinned_tables for entrant in table.entrants}
    pool = tuple(entrant for entrant in field.present if entrant not in fixed)
    sides, quality = _cheapest(field, pool)
    before, seeds = (
        stage_history(field.stage, field.entrants),
        {entrant: n for n, entrant in enumerate(field.present)},
    )
    sides = [
        choose_sides(before, seeds, field.stage.seed, *entrants)[0]
        if len(entrants) > 1
        else entrants
        for entrants in sides
    ]
    tables = tuple(number_tables(field.pinned_tables, sides))
    reasons = tuple(reason for table in tables for reason in _reasons(field, table))
    return Draw(tables, reasons, quality)


def rounds(entrants: int, rules: StageRules) -> int | None:
    """Return the rounds that were agreed; without any there is no end to them."""
    del entrants
    return rules.rounds


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether every round that was agreed has been drawn, or as many as there can be."""
    del entrants
    return len(stage.rounds) >= (stage.rules.rounds or MAX_ROUNDS)


FORMAT: Final = Format(
    name="ladder",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=("mean_match_points", "direct_encounter", "point_difference"),
    settings=("rounds",),
    rules=StageRules(scale=Scale(bye=Points(0), full=Points(0), half=Points(0))),
    max_entrants=MAX_ENTRANTS,
    is_endless=True,
)


# --- the matching ------------------------------------------------------------------------------


def _cheapest(field: Field, pool: Sequence[int]) -> tuple[list[Sides], dict[str, int]]:
    """Return the sides of the new tables, the best in the ranking first, and what they cost."""
    import numpy as np  # only draws need numpy's 19 MiB

    from tournaments.domain.pairing.matching import perfect_matching

    if not pool:
        return [], dict.fromkeys(CRITERIA, 0)
    nodes = len(pool) + len(pool) % 2
    places = {entrant: index for index, entrant in enumerate(ladder_order(field.stage, pool))}
    costs = _costs(field, pool, [places[entrant] for entrant in pool])
    first, second = np.triu_indices(nodes, 1)
    edges = perfect_matching(nodes, first, second, [table[first, second] for table in costs])
    assert edges is not None  # noqa: S101 - all edges are there, and the nodes are even
    lower, other = np.array(edges).T
    quality = {
        name: int(table[lower, other].sum()) for name, table in zip(CRITERIA, costs, strict=True)
    }
    tables = [tuple(pool[node] for node in edge if node < len(pool)) for edge in edges]
    return sorted(
        tables, key=lambda sides: (len(sides) == 1, min(places[n] for n in sides))
    ), quality


def _costs(field: Field, pool: Sequence[int], places: Sequence[int]) -> list[Integers]:
    """Return each criterion as a table of nodes by nodes; the last node has a bye when odd."""
    import numpy as np

    turns, nodes, odd = (
        balanced_turns(field.stage, field.present),
        len(pool) + len(pool) % 2,
        len(pool) % 2,
    )
    separation, byes, meetings, distance = (np.zeros((nodes, nodes), np.int64) for _ in range(4))
    meeting_counts = {
        two: turns.meetings[key_of(pool[two[0]], pool[two[1]])] for two in _pairs(len(pool))
    }
    min_meetings, fewest = (
        min(meeting_counts.values(), default=0),
        min(turns.byes[entrant] for entrant in pool),
    )
    for (lower, other), times in meeting_counts.items():
        meetings[lower, other] = (times - min_meetings) ** 2
        distance[lower, other] = (places[lower] - places[other]) ** 2
        separation[lower, other] = bool(shared_labels(field, pool[lower], pool[other]))
    if odd:
        byes[: len(pool), -1] = [(turns.byes[entrant] - fewest) ** 2 for entrant in pool]
    costs = [separation, byes, meetings, distance]
    for table in costs:
        table += table.T
    chairs = sorted(range(len(pool)), key=lambda node: _lot(field.stage.seed, pool[node]))
    costs.insert(3, _off_schedule(chairs, costs))
    return costs


def _pairs(nodes: int) -> Iterator[tuple[int, int]]:
    return combinations(range(nodes), 2)


def _off_schedule(chairs: Sequence[int], costs: Sequence[Integers]) -> Integers:
    """Return 0 for the pairs of the round of Berger's tables that costs least, 1 for others."""
    import numpy as np

    rows = np.array([*chairs, len(chairs)])[_tables_of_berger(len(chairs))]
    sums = [table[rows[..., 0], rows[..., 1]].sum(axis=1) for table in costs]
    best = rows[np.lexsort(sums[::-1])[0]]
    off = np.ones_like(costs[0])
    off[best[:, 0], best[:, 1]] = off[best[:, 1], best[:, 0]] = 0
    return off


@lru_cache(maxsize=16)
def _tables_of_berger(chairs: int) -> Integers:
    """Return rounds by tables by the two chairs, from 0; the empty chair is the last."""
    import numpy as np

    return np.array(
        [
            [
                (pairing.home - 1, chairs if pairing.away is None else pairing.away - 1)
                for pairing in meetings
            ]
            for meetings in berger(max(chairs, 2))
        ]
    )


def _lot(seed: str, entrant: int) -> bytes:
    return sha256(f"{seed}:chair:{entrant}".encode()).digest()


# --- tables and reasons ------------------------------------------------------------------------


def _reasons(field: Field, table: Table) -> Iterator[PairingReason]:
    """Yield why a table came about, in numbers of what really was."""
    if table in field.pinned_tables:
        yield PairingReason("pinned", table.number, table.entrants)
    elif table.is_bye:
        byes = sum(
            past_table.bye is Bye.PAIRING and past_table.entrants == table.entrants
            for _, past_table in field.stage.tables()
        )
        yield PairingReason("ladder_rest", table.number, table.entrants, {"rests": byes})
    else:
        meeting_count = sum(
            set(past_table.entrants) == set(table.entrants)
            for _, past_table in field.stage.tables()
        )
        code = "ladder_again" if meeting_count else "ladder_first"
        yield PairingReason(code, table.number, table.entrants, {"met": meeting_count})
        if labels := shared_labels(field, *table.entrants):
            yield PairingReason(
                "swiss_apart", table.number, table.entrants, {"labels": join_values(labels)}
            )
