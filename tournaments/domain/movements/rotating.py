"""Rotating partners without a design: matchings round by round, then annealing as a whole.

A round is two perfect matchings of least cost: first everybody with a partner, then the
partnerships with each other. The rounds of a schedule are drawn one after the other, each knowing
those before, and then improved together: two players of a round change places if that makes the
whole schedule more even. Chance comes from a seed alone, so the same facts give the same schedule.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import TYPE_CHECKING, Final, NamedTuple

from tournaments.domain.movements.history import PairHistory, Task, sit_out_counts_for
from tournaments.domain.movements.whist import Seated

if TYPE_CHECKING:
    from tournaments.domain.movements.history import Matrix

APART, AGAIN, LATER, MET = 10**15, 10**12, 10**8, 10**5
"""What a matching costs: two who must not meet; partners again; a sit-out for each group of players
who came later; each time the two have met. What is below decides between equals by lot."""

SEATS: Final = 4

STEPS: Final = 20_000
"""Changes of places that are tried."""

WARM, COLD = 6.0, 0.5
"""Temperatures of the annealing, in units of its energy (`PairHistory.energy`)."""


class PlannedRound(NamedTuple):
    """A round of a schedule: its tables, and who has a bye."""

    tables: tuple[Seated, ...]
    out: tuple[int, ...]


def schedule(task: Task, former: Sequence[Sequence[Seated]] = ()) -> tuple[PlannedRound, ...]:
    """Return the rounds of a task, as even as was found.

    ``former`` are the tables of a schedule that was made for others: those whose four are all here
    and need not sit out may stay as they are. No partnership comes twice while that can be avoided:
    where the matchings find none twice, the annealing makes none; where they do, it looks for a
    schedule without, and finding none leaves the partnerships as they were matched.
    """
    drafts = [Draft.draw_by_matching(task)]
    if former:
        drafts.append(Draft.draw_by_matching(task, former))
    for draft in drafts:
        draft.anneal()
    clean = [draft for draft in drafts if draft.repeats == 0]
    if clean:
        return min(clean, key=lambda draft: draft.energy).to_rounds()
    draft = Draft.draw_by_matching(task)
    draft.anneal(whole_sides=True)
    return draft.to_rounds()


Change = tuple[int, int, int, int]
"""Two players, and what is added to their rounds as partners and as opponents."""


@dataclass(slots=True)
class Draft:
    """A schedule in the making. Players are places in the task; four seats in a row are a table."""

    task: Task
    seats: list[list[int]]
    out: list[list[int]]
    partners: list[list[int]]
    opponents: list[list[int]]
    apart: list[list[int]]
    chance: random.Random = field(default_factory=random.Random)

    @classmethod
    def draw_by_matching(cls, task: Task, former: Sequence[Sequence[Seated]] = ()) -> Draft:
        """Draw round after round by matchings."""
        chance = random.Random(f"rotating {task.seed}")  # noqa: S311 - drawn again from the seed
        history, sat_out = PairHistory.of(task), sit_out_counts_for(task)
        places = {player: place for place, player in enumerate(task.players)}
        seats, outs = [], []
        for index in range(task.rounds):
            former_tables = [
                table
                for table in (former[index] if index < len(former) else ())
                if all(player in places for side in table for player in side)
            ]
            stay = [
                ((places[a], places[c]), (places[b], places[d])) for (a, c), (b, d) in former_tables
            ]
            tables, out = _draw_round(task, history, sat_out, stay, chance)
            history.add(tables)
            for place in out:
                sat_out[place] += 1
            seats.append([place for table in tables for side in table for place in side])
            outs.append(out)
        counts = (history.partners.tolist(), history.opponents.tolist(), history.apart.tolist())
        return cls(task, seats, outs, *counts, chance)

    def to_rounds(self) -> tuple[PlannedRound, ...]:
        """Return the rounds, with the players' numbers."""
        players = self.task.players
        return tuple(
            PlannedRound(
                tuple(
                    ((players[a], players[c]), (players[b], players[d]))
                    for a, c, b, d in zip(*[iter(seats)] * 4, strict=True)
                ),
                tuple(players[place] for place in out),
            )
            for seats, out in zip(self.seats, self.out, strict=True)
        )

    @property
    def repeats(self) -> int:
        """The partnerships of the schedule that were there before, or should not be."""
        return sum(
            self.partners[a][c] > 1 or self.apart[a][c] > 0
            for seats in self.seats
            for a, c in zip(seats[0::2], seats[1::2], strict=True)
        )

    @property
    def energy(self) -> int:
        """The energy that the annealing minimises, over all twos."""
        size = range(len(self.task.players))
        return sum(
            _energy(self.partners[a][b], self.opponents[a][b], self.apart[a][b])
            for a, b in combinations(size, 2)
        )

    @property
    def min_energy(self) -> int:
        """A lower bound of the energy: everything spread evenly over all twos."""
        size, rows = len(self.task.players), (self.partners, self.opponents)
        pairs = size * (size - 1) // 2
        totals = [sum(map(sum, row)) // 2 for row in rows]
        squares = [
            pairs * each * each + remainder * (2 * each + 1)
            for each, remainder in (divmod(total, pairs) for total in totals)
        ]
        return PARTNERS * squares[0] + OPPONENTS * squares[1]

    def anneal(self, *, whole_sides: bool = False) -> None:
        """Swap two players of a round, or two partnerships, as long as that may help."""
        if len(self.task.players) < SEATS:
            return
        now, min_energy = self.energy, self.min_energy
        fall = math.exp(math.log(COLD / WARM) / STEPS)
        heat = WARM
        for _ in range(STEPS):
            if now <= min_energy:
                return
            heat *= fall
            seats = self.chance.choice(self.seats)
            swap = self._swap_sides(seats) if whole_sides else self._swap_players(seats)
            if swap is None:
                continue
            exchanged, changes = swap
            delta = self._add(changes)
            if delta <= 0 or self.chance.random() < math.exp(-delta / heat):
                now += delta
                for seat, other in exchanged:
                    seats[seat], seats[other] = seats[other], seats[seat]
            else:
                self._add([(a, b, -p, -o) for a, b, p, o in changes])

    def _swap_players(self, seats: list[int]) -> tuple[list[tuple[int, int]], list[Change]] | None:
        """Two players who are not partners change places."""
        seat, other = (int(self.chance.random() * len(seats)) for _ in range(2))
        if seat // 2 == other // 2:
            return None
        x, y, with_x, with_y = seats[seat], seats[other], seats[seat ^ 1], seats[other ^ 1]
        changes: list[Change]
        if seat // 4 == other // 4:
            changes = [
                (x, with_x, -1, 1), (y, with_y, -1, 1), (x, with_y, 1, -1), (y, with_x, 1, -1)
            ]  # fmt: skip
        else:
            changes = [
                (x, with_x, -1, 0), (y, with_y, -1, 0), (x, with_y, 1, 0), (y, with_x, 1, 0)
            ]  # fmt: skip
            for player, newcomer, place in ((x, y, seat), (y, x, other)):
                first = (place ^ 2) & ~1
                for against in seats[first : first + 2]:
                    changes += [(player, against, 0, -1), (newcomer, against, 0, 1)]
        return [(seat, other)], changes

    def _swap_sides(self, seats: list[int]) -> tuple[list[tuple[int, int]], list[Change]] | None:
        """Two partnerships of different tables change places."""
        seat, other = (int(self.chance.random() * (len(seats) // 2)) * 2 for _ in range(2))
        if seat // 4 == other // 4:
            return None
        changes: list[Change] = []
        for old_seat, new_seat in ((seat, other), (other, seat)):
            against = old_seat ^ 2
            for a, b in product(range(2), repeat=2):
                facing = seats[against + b]
                changes += [
                    (seats[old_seat + a], facing, 0, -1),
                    (seats[new_seat + a], facing, 0, 1),
                ]
        return [(seat, other), (seat + 1, other + 1)], changes

    def _add(self, changes: Sequence[Change]) -> int:
        """Make the changes and return what they add to the energy."""
        delta = 0
        for a, b, partners, opponents in changes:
            p, o, separations = self.partners[a][b], self.opponents[a][b], self.apart[a][b]
            delta += _energy(p + partners, o + opponents, separations) - _energy(p, o, separations)
            self.partners[a][b] = self.partners[b][a] = p + partners
            self.opponents[a][b] = self.opponents[b][a] = o + opponents
        return delta


PARTNERS, OPPONENTS, BOTH, FORBIDDEN = 1000, 4, 2, 100_000


def _energy(partners: int, opponents: int, separations: int) -> int:
    """The energy of two players: repeated partnerships first, then the spread of the opponents."""
    return (
        PARTNERS * partners * partners
        + OPPONENTS * opponents * opponents
        + BOTH * partners * opponents
        + FORBIDDEN * separations * (partners + opponents)
    )


def _draw_round(
    task: Task,
    history: PairHistory,
    sat_out: Sequence[int],
    stay: Sequence[Seated],
    chance: random.Random,
) -> tuple[list[Seated], list[int]]:
    """Draw a round; return its tables and who has a bye."""
    must, candidates, quota = _sit_outs(sat_out)
    if stay:
        busy = {place for table in stay for side in table for place in side}
        candidates.sort(key=lambda place: (-task.joined[place], place in busy, chance.random()))
        must, candidates, quota = must + candidates[:quota], [], 0
        stay = [table for table in stay if not {*table[0], *table[1]} & set(must)]
    seated_places = {place for table in stay for side in table for place in side}
    rest = [
        place for place in range(len(sat_out)) if place not in seated_places and place not in must
    ]
    sides, sit_outs = _match_partners(task, history, rest, candidates, quota, chance)
    return [*stay, *_match_sides(history, sides, chance)], must + sit_outs


def _sit_outs(sat_out: Sequence[int]) -> tuple[list[int], list[int], int]:
    """Return who must sit out, and how many more of the others: those who did least."""
    quota = len(sat_out) % 4
    if not quota:
        return [], [], 0
    last = sorted(sat_out)[quota - 1]
    must = [place for place, times in enumerate(sat_out) if times < last]
    candidates = [place for place, times in enumerate(sat_out) if times == last]
    return must, candidates, quota - len(must)


def _match_partners(
    task: Task,
    history: PairHistory,
    players: list[int],
    candidates: Sequence[int],
    quota: int,
    chance: random.Random,
) -> tuple[list[tuple[int, int]], list[int]]:
    """Match players with partners, and ``quota`` of ``candidates`` with an empty chair."""
    import numpy as np  # only draws need numpy's 19 MiB

    size = len(players)
    pick = np.ix_(players, players)
    cost = _random_costs(size + quota, chance)
    cost[:size, :size] += (
        APART * history.apart[pick] + AGAIN * history.partners[pick] + MET * history.opponents[pick]
    )
    cost[:, size:] = -1
    came = sorted({task.joined[place] for place in candidates}, reverse=True)
    for row, place in enumerate(players):
        if place in candidates:
            later = LATER * came.index(task.joined[place])
            cost[row, size:] = later + chance.randrange(256)
    pairs = _matching(cost)
    sit_outs = [players[index] for index, other in pairs if other >= size]
    return [(players[index], players[other]) for index, other in pairs if other < size], sit_outs


def _match_sides(
    history: PairHistory, sides: list[tuple[int, int]], chance: random.Random
) -> list[Seated]:
    """Match partnerships with each other."""
    import numpy as np

    if not sides:
        return []
    meeting_costs = MET * (2 * history.opponents + history.partners) + APART * history.apart
    cost = _random_costs(len(sides), chance)
    first_players, other = np.array(sides).T
    for first, second in product((first_players, other), repeat=2):
        cost += meeting_costs[np.ix_(first, second)]
    return [(sides[a], sides[b]) for a, b in _matching(cost)]


def _random_costs(size: int, chance: random.Random) -> Matrix:
    """Return a small random cost for every two, which decides between equals."""
    import numpy as np

    noise = np.frombuffer(chance.randbytes(size * size), np.uint8)
    return noise.reshape(size, size).astype(np.int64)


def _matching(cost: Matrix) -> list[tuple[int, int]]:
    """Return the perfect matching of least cost, read from its upper half; below 0 is no edge."""
    import numpy as np
    import rustworkx as rx

    size = len(cost)
    rows, columns = np.triu_indices(size, 1)
    costs = cost[rows, columns]
    mask = costs >= 0
    rows, columns, costs = rows[mask], columns[mask], costs[mask]
    if not len(costs):
        return []
    weights = int(costs.max()) + 1 - costs
    graph = rx.PyGraph(multigraph=True)
    graph.add_nodes_from(range(size))
    graph.extend_from_weighted_edge_list(
        list(zip(rows.tolist(), columns.tolist(), weights.tolist(), strict=True))
    )
    matching = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(two), max(two)) for two in matching)
