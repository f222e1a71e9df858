"""The ladder: rounds without end in which everybody meets everybody equally often.

Each round pairs everybody who is here by the one matching that costs least (:data:`CRITERIA`). As
long as the same entrants come, rounds follow Berger's tables in the order that suits the ranking:
of those that are still owed the one in which the best meet the best. So after any number of rounds
no two have met twice more often than two others, and nobody has rested twice before everybody has
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
    MAX_ROUNDS,
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
- ``rests``: the square of how much oftener the one who rests has rested than who did so least.
- ``meetings``: the square of how much oftener the two have met than those who did so least.
- ``off_schedule``: one for each table that is not in the round of Berger's tables that fits best.
- ``distance``: the square of how many stand between the two in the present ranking.
"""

Pairs = Counter[tuple[int, int]]
Sides = tuple[int, ...]


@dataclass
class Turns:
    """Counts meetings and rests, as far as they are still to be evened out."""

    met: Pairs = field(default_factory=Counter)
    rests: Counter[int] = field(default_factory=Counter)
    here: frozenset[int] = frozenset()

    def admit(self, here: frozenset[int]) -> None:
        """Add the entrants of a round; those who were not in the one before start level.

        That is, as if they had met everybody as often as those who have met least often, and rested
        as often as those who have rested most.
        """
        stayed, new = sorted(here & self.here), here - self.here
        if stayed and new:
            least = min((self.met[two] for two in combinations(stayed, 2)), default=0)
            most = max(self.rests[who] for who in stayed)
            for who in new:
                self.rests[who] = max(self.rests[who], most)
                for other in here - {who}:
                    two = key_of(who, other)
                    self.met[two] = max(self.met[two], least)
        self.here = here

    def play(self, drawn: Round) -> None:
        """Count a round."""
        for table in drawn.tables:
            if table.bye is Bye.PAIRING:
                self.rests[table.entrants[0]] += 1
            elif was_played(table):
                self.met[key_of(*table.entrants)] += 1


def balanced_turns(stage: Stage, here: Sequence[int]) -> Turns:
    """Go through the rounds of a stage up to those who are here for the next."""
    turns = Turns()
    for drawn in stage.rounds:
        tables = (table for table in drawn.tables if table.bye in {None, Bye.PAIRING})
        turns.admit(frozenset(who for table in tables for who in table.entrants))
        turns.play(drawn)
    turns.admit(frozenset(here))
    return turns


def ladder_order(stage: Stage, who: Sequence[int]) -> list[int]:
    """Order entrants, given in seeding order, by their mean of match points a match played.

    Those who have played none are in the middle, at the mean of all points.
    """
    points: dict[int, Fraction] = {}
    played: Counter[int] = Counter()
    tables = {(number, table.number): table for number, table in stage.tables()}
    for key, each in awards(stage).items():
        for side, worth in zip(tables[key].sides, each, strict=True):
            for one in side if not tables[key].is_bye else ():
                points[one] = points.get(one, Points(0)) + worth
                played[one] += 1
    middle = sum(points.values(), Points(0)) / (played.total() or 1)
    mean = {one: points[one] / played[one] for one in points}
    return sorted(who, key=lambda one: -mean.get(one, middle))


def draw(field: Field) -> Draw:
    """Answer the next round; ``quality`` are the sums of :data:`CRITERIA` over its new tables.

    Raises CannotDraw: ``stage_over``, ``too_few``.
    """
    if is_over(field.stage, field.entrants):
        raise CannotDraw("stage_over")
    if len(field.here) < FORMAT.least:
        raise CannotDraw("too_few", least=FORMAT.least)
    fixed = {who for table in field.pinned for who in table.entrants}
    free = tuple(who for who in field.here if who not in fixed)
    sides, quality = _cheapest(field, free)
    before, seeds = (
        stage_history(field.stage, field.entrants),
        {who: n for n, who in enumerate(field.here)},
    )
    sides = [
        choose_sides(before, seeds, field.stage.seed, *who)[0] if len(who) > 1 else who
        for who in sides
    ]
    tables = tuple(number_tables(field.pinned, sides))
    whys = tuple(why for table in tables for why in _reasons(field, table))
    return Draw(tables, whys, quality)


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
    most=MAX_ENTRANTS,
    is_endless=True,
)


# --- the matching ------------------------------------------------------------------------------


def _cheapest(field: Field, free: Sequence[int]) -> tuple[list[Sides], dict[str, int]]:
    """Return the sides of the new tables, the best in the ranking first, and what they cost."""
    import numpy as np  # only draws need numpy's 19 MiB

    from tournaments.domain.pairing.matching import perfect_matching

    if not free:
        return [], dict.fromkeys(CRITERIA, 0)
    nodes = len(free) + len(free) % 2
    place = {who: index for index, who in enumerate(ladder_order(field.stage, free))}
    costs = _costs(field, free, [place[who] for who in free])
    first, second = np.triu_indices(nodes, 1)
    found = perfect_matching(nodes, first, second, [table[first, second] for table in costs])
    assert found is not None  # noqa: S101 - all edges are there, and the nodes are even
    one, other = np.array(found).T
    quality = {
        name: int(table[one, other].sum()) for name, table in zip(CRITERIA, costs, strict=True)
    }
    tables = [tuple(free[node] for node in edge if node < len(free)) for edge in found]
    return sorted(tables, key=lambda who: (len(who) == 1, min(place[n] for n in who))), quality


def _costs(field: Field, free: Sequence[int], places: Sequence[int]) -> list[Integers]:
    """Return each criterion as a table of nodes by nodes; the last node rests when odd."""
    import numpy as np

    turns, nodes, odd = (
        balanced_turns(field.stage, field.here),
        len(free) + len(free) % 2,
        len(free) % 2,
    )
    apart, rests, meetings, distance = (np.zeros((nodes, nodes), np.int64) for _ in range(4))
    met = {two: turns.met[key_of(free[two[0]], free[two[1]])] for two in _pairs(len(free))}
    least, fewest = min(met.values(), default=0), min(turns.rests[who] for who in free)
    for (one, other), times in met.items():
        meetings[one, other] = (times - least) ** 2
        distance[one, other] = (places[one] - places[other]) ** 2
        apart[one, other] = bool(shared_labels(field, free[one], free[other]))
    if odd:
        rests[: len(free), -1] = [(turns.rests[who] - fewest) ** 2 for who in free]
    costs = [apart, rests, meetings, distance]
    for table in costs:
        table += table.T
    chairs = sorted(range(len(free)), key=lambda node: _lot(field.stage.seed, free[node]))
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
            [(one.home - 1, chairs if one.away is None else one.away - 1) for one in meetings]
            for meetings in berger(max(chairs, 2))
        ]
    )


def _lot(seed: str, who: int) -> bytes:
    return sha256(f"{seed}:chair:{who}".encode()).digest()


# --- tables and reasons ------------------------------------------------------------------------


def _reasons(field: Field, table: Table) -> Iterator[PairingReason]:
    """Yield why a table came about, in numbers of what really was."""
    if table in field.pinned:
        yield PairingReason("pinned", table.number, table.entrants)
    elif table.is_bye:
        rests = sum(
            one.bye is Bye.PAIRING and one.entrants == table.entrants
            for _, one in field.stage.tables()
        )
        yield PairingReason("ladder_rest", table.number, table.entrants, {"rests": rests})
    else:
        met = sum(set(one.entrants) == set(table.entrants) for _, one in field.stage.tables())
        code = "ladder_again" if met else "ladder_first"
        yield PairingReason(code, table.number, table.entrants, {"met": met})
        if labels := shared_labels(field, *table.entrants):
            yield PairingReason(
                "swiss_apart", table.number, table.entrants, {"labels": join_values(labels)}
            )
