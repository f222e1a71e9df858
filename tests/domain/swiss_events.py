"""Simulated Swiss events, and an oracle that knows the rules but none of the program's code."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import networkx as nx

from tournaments.domain.pairing.base import Draw, Field
from tournaments.domain.pairing.swiss import FORMAT
from tournaments.domain.rows import (
    Bye,
    ByeRule,
    Entrant,
    Mark,
    Points,
    Round,
    Scale,
    Stage,
    StageRules,
    State,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

Cost = tuple[int, ...]
Edge = tuple[int, int]
REST = 0
"""The bye, among the numbers of entrants."""

SCALES = (
    Scale(),
    Scale(win=Points(3), full=Points(3), bye=Points(3), forfeit_win=Points(3)),
    Scale(Points(1), Points(1, 2), Points(0), Points(1), Points(1), Points(1, 2), Points(1)),
    Scale(win=Points(5, 3), tie=Points(2, 3), bye=Points(5, 3), half=Points(2, 3)),
)


@dataclass(frozen=True)
class Drawn:
    """A round of an event, and what it was drawn from."""

    field: Field
    draw: Draw


def event(seed: int, least: int, most: int, rule: ByeRule | None = None) -> Iterator[Drawn]:
    """Play an event of chance: sizes, ratings, families, clubs, who comes late, rests or leaves.

    Every other one gives byes by the rule of before, if none is asked for.
    """
    chance = random.Random(f"swiss:{seed}")
    size = chance.randint(least, most)
    last = chance.randint(3, min(9, size + 1))
    entrants = {entrant.number: entrant for entrant in _entrants(chance, size, last)}
    order = sorted(entrants.values(), key=lambda one: (one.joined, -one.rating, one.number))
    rules = StageRules(
        rounds=last,
        scale=chance.choice(SCALES),
        late=chance.choice([Bye.ZERO, Bye.HALF, Bye.FULL]),
        byes=rule or (ByeRule.GAPS, ByeRule.LOWEST)[seed % 2],
    )
    stage = Stage(1, "swiss", rules, tuple(entrant.number for entrant in order), seed=f"{seed:x}")
    for number in range(1, last + 1):
        requested_byes = {
            n: entrant.bye_in(number) for n, entrant in entrants.items() if entrant.is_here(number)
        }
        present = tuple(
            n for n in stage.entrants if n in requested_byes and requested_byes[n] is None
        )
        byes = {n: bye for n, bye in requested_byes.items() if bye is not None}
        if len(present) < 2:
            return
        field = Field(stage, entrants, number, present, byes)
        if chance.random() < 0.15:
            field = replace(
                field,
                pinned_tables=(
                    Table(min(2, len(present) // 2), ((present[-1],), (present[0],)), pinned=True),
                ),
            )
        draw = FORMAT.draw(field)
        yield Drawn(field, draw)
        tables = [_played(chance, entrants, table) for table in draw.tables]
        tables += [Table(100 + n, ((n,),), bye=bye) for n, bye in byes.items()]
        stage = replace(stage, rounds=(*stage.rounds, Round(number, tuple(tables), State.CLOSED)))


def _entrants(chance: random.Random, size: int, last: int) -> Iterator[Entrant]:
    families = chance.choice([0, 0, size // 4, size // 2])
    for number in chance.sample(range(1, 3 * size), size):
        absences: tuple[tuple[int, int | None], ...] = ()
        if chance.random() < 0.08:
            start = chance.randint(2, last)
            absences = ((start, chance.choice([None, start + 1])),)
        yield Entrant(
            number,
            rating=chance.gauss(1500, 200),
            club=chance.choice(["", "Oro", "Copa", "Espada"]),
            apart=(f"family {chance.randrange(families)}",) if families else (),
            joined=chance.randint(2, 3) if chance.random() < 0.08 else 1,
            absences=absences,
            byes=((chance.randint(1, last), chance.choice([Bye.HALF, Bye.ZERO, Bye.FULL])),)
            if chance.random() < 0.08
            else (),
        )


def _played(chance: random.Random, entrants: dict[int, Entrant], table: Table) -> Table:
    if table.is_bye:
        return table
    fate = chance.random()
    if fate < 0.03:
        return table
    if fate < 0.08:
        return replace(table, forfeits=chance.choice([(0,), (1,), (0, 1)]))
    strength, other = (
        entrants[entrant].rating + chance.gauss(0, 200) for entrant in table.entrants
    )
    hands = (2, 2) if abs(strength - other) < 40 else (4, 1) if strength > other else (1, 4)
    return replace(table, marks=tuple(Mark(won) for won in hands))


class Oracle:
    """What the rows say about a round, computed independently and slowly."""

    def __init__(self, field: Field) -> None:
        self.field, self.rules = field, field.stage.rules
        self.points: defaultdict[int, Fraction] = defaultdict(Fraction)
        self.meetings: Counter[frozenset[int]] = Counter()
        self.rests: Counter[int] = Counter()
        self.balance: Counter[int] = Counter()
        self.down: set[int] = set()
        self.up: set[int] = set()
        for round_ in field.stage.rounds:
            self._read(round_)
        fixed = {entrant for table in field.pinned_tables for entrant in table.entrants}
        self.free = [entrant for entrant in field.present if entrant not in fixed]
        self.nodes = self.free + [REST] * (len(self.free) % 2)
        halves = [2 * self.points[entrant] for entrant in self.free]
        unit = 1
        while any((half * unit).denominator > 1 for half in halves):
            unit += 1
        self.scores = {entrant: int(2 * self.points[entrant] * unit) for entrant in self.free} | {
            REST: -unit
        }
        self.standing = [*sorted(self.free, key=lambda entrant: -self.points[entrant]), REST]
        self.seeds = {entrant: seed for seed, entrant in enumerate([*self.free, REST])}

    def _read(self, round_: Round) -> None:
        scale, before, self.down, self.up = self.rules.scale, dict(self.points), set(), set()
        present = {actor for table in round_.tables for actor in table.entrants}
        for table in round_.tables:
            if table.bye is not None:
                self._unplayed(table.entrants[0], scale.bye_points(table.bye), table.bye)
                continue
            first, other = table.entrants
            if table.forfeits:
                for side, entry_number in enumerate((first, other)):
                    lost = side in table.forfeits
                    worth = scale.forfeit_loss if lost else scale.forfeit_win
                    self._unplayed(
                        entry_number, worth, None if lost or len(table.forfeits) == 2 else True
                    )
                continue
            self.meetings[frozenset((first, other))] += 1
            self.balance[first] += 1
            self.balance[other] -= 1
            gap = before.get(first, 0) - before.get(other, 0)
            if gap:
                self.down.add(first if gap > 0 else other)
                self.up.add(other if gap > 0 else first)
            if table.marks:
                hands, other_hands = (mark.hands for mark in table.marks)
                if hands == other_hands:
                    self.points[first] += scale.tie
                    self.points[other] += scale.tie
                else:
                    self.points[first if hands > other_hands else other] += scale.win
                    self.points[other if hands > other_hands else first] += scale.loss
        for entry_number, entrant in self.field.entrants.items():
            if entrant.joined > round_.number and entry_number not in present:
                self.points[entry_number] += scale.bye_points(self.rules.late)
                self.rests[entry_number] += self.rules.late is Bye.FULL

    def _unplayed(self, entrant: int, worth: Points, bye: Bye | bool | None) -> None:
        self.points[entrant] += worth
        self.rests[entrant] += bye in (True, Bye.PAIRING, Bye.FULL)
        if worth > self.rules.scale.loss:
            self.down.add(entrant)

    def clashes(self, one: int, other: int) -> int:
        """How often two have met, and 1 when they are to be kept apart."""
        if REST in (one, other):
            return 0
        groups, other_groups = (set(self.field.entrants[entrant].apart) for entrant in (one, other))
        return self.meetings[frozenset((one, other))] + bool(groups & other_groups)

    def cost(self, one: int, other: int) -> Cost:
        """All criteria of two, or of one who rests."""
        one, other = sorted((one, other), key=self.standing.index)
        lowest = self.rules.byes is ByeRule.LOWEST
        gap = abs(self.scores[one] - self.scores[other])
        between = self.standing.index(other) - self.standing.index(one) - 1
        seeds = (self.seeds[one] - self.seeds[other]) ** 2
        if other == REST:
            gaps = (self.scores[one], 0) if lowest else (gap**2,)
            return 0, self.rests[one], *gaps, int(one in self.down), 0, between, seeds
        group = [entrant for entrant in self.free if self.points[entrant] == self.points[one]]
        fold = between if gap else abs(between + 1 - len(group) // 2)
        floats = (one in self.down) + (other in self.up) if gap else 0
        clubs = {self.field.entrants[entrant].club for entrant in (one, other)}
        is_same_club = len(clubs) == 1 and clubs != {""}
        deal = min(
            sum(max(abs(self.balance[entrant] + turn) - 1, 0) ** 2 for entrant, turn in sides)
            for sides in (((one, 1), (other, -1)), ((one, -1), (other, 1)))
        )
        gaps = (0, gap**2) if lowest else (gap**2,)
        return self.clashes(one, other), 0, *gaps, floats + is_same_club, deal, fold, seeds

    def by_brute_force(self) -> Cost:
        """Try every pairing there is."""
        costs = {(a, b): self.cost(a, b) for a, b in combinations(self.nodes, 2)}

        def least(left: tuple[int, ...]) -> Cost:
            if not left:
                return (0,) * len(next(iter(costs.values())))
            first, rest = left[0], left[1:]
            return min(
                added(
                    costs[first, other],
                    least(tuple(entrant for entrant in rest if entrant != other)),
                )
                for other in rest
            )

        return least(tuple(self.nodes))

    def by_blossoms(self) -> Cost:
        """Ask another library's matching."""
        costs = {(a, b): self.cost(a, b) for a, b in combinations(self.nodes, 2)}
        graph = nx.Graph()
        for (entrant, other), cost in costs.items():
            packed = 0
            for value in cost:
                packed = packed * 10**9 + value
            graph.add_edge(entrant, other, weight=-packed)
        matching = nx.max_weight_matching(graph, maxcardinality=True)
        return self.total([edge if edge in costs else edge[::-1] for edge in matching])

    def can_avoid_clashes(self) -> bool:
        """Whether there is a pairing without a meeting that should not be."""
        graph = nx.Graph()
        graph.add_nodes_from(self.nodes)
        pairs = combinations(self.nodes, 2)
        graph.add_edges_from((a, b) for a, b in pairs if not self.clashes(a, b))
        matching = nx.max_weight_matching(graph, maxcardinality=True)
        return 2 * len(matching) == len(self.nodes)

    def bye_below(self, draw: Draw) -> int | None:
        """One with fewer points who has not rested more often and could rest without a clash.

        Without more clashes than the draw has; found by trying the bye on each of them.
        """
        rests = [resting for resting, other in self.edges(draw) if other == REST]
        if not rests:
            return None
        clashes = sum(self.clashes(*edge) for edge in self.edges(draw))
        for entrant in self.free:
            key, rest_key = (
                (self.rests[candidate], self.points[candidate]) for candidate in (entrant, rests[0])
            )
            if key < rest_key and self._fewest_clashes(entrant) <= clashes:
                return entrant
        return None

    def _fewest_clashes(self, resting: int) -> int:
        """How many clashes a round has at least in which one rests."""
        graph = nx.Graph()
        others = [entrant for entrant in self.free if entrant != resting]
        graph.add_weighted_edges_from(
            (entrant, other, -self.clashes(entrant, other))
            for entrant, other in combinations(others, 2)
        )
        matching = nx.max_weight_matching(graph, maxcardinality=True)
        return sum(self.clashes(*edge) for edge in matching)

    def edges(self, draw: Draw) -> list[Edge]:
        """The tables that were drawn, pinned ones left out."""
        pairs = [table.entrants for table in draw.tables if table not in self.field.pinned_tables]
        return [(pair[0], pair[1]) if len(pair) == 2 else (pair[0], REST) for pair in pairs]

    def total(self, edges: list[Edge]) -> Cost:
        """The sums of the criteria."""
        return tuple(map(sum, zip(*(self.cost(*edge) for edge in edges), strict=True)))


def added(one: Cost, other: Cost) -> Cost:
    """Add two costs, criterion by criterion."""
    return tuple(a + b for a, b in zip(one, other, strict=True))
