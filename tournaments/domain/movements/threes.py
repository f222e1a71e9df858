"""Tables of three, four or five for any number of players, re-planned from the facts at any time.

A plan is made for all remaining rounds at once. Where a Kirkman system (`kirkman`), or for fours
and fives an affine plane (`affine`), gives rounds in which nobody meets anybody more often than
must be, they are the plan; its players who do not exist or have left are empty chairs, and players
who would share a table with one have a bye. Otherwise the plan comes from annealing: two players of
the same round are swapped, the cost is the number of times that pairs of players meet again, and
what makes it worse is accepted at first and ever more seldom. It goes cool at first, from what
could be kept of the design, which suffices where rounds are few; then hot, from anywhere (a cold
start ends in worse plans however long it goes on). Byes are shared out evenly before, and swapped
only so that they stay even.

Where the tables do not come out even, some are of another size (`table_sizes`).

The chairs are dealt out afterwards. Where all tables have the same number of them, a player sits in
each once in as many successive games, which is possible for every plan (an edge colouring of a
bipartite graph, D. König 1916), and so the times in each chair never differ by more than one. What
was played before a change of plan may not leave room for that, nor tables of two sizes; then it
comes as near as it gets.
"""

import math
import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations, pairwise, permutations, repeat
from typing import Final, NamedTuple

from tournaments.domain.movements.affine import Tables, affine_plane
from tournaments.domain.movements.history import admit
from tournaments.domain.movements.kirkman import kirkman, least_design

SEATS: Final = 3
APART: Final = 8
"""Two who are to stay apart count as having met so often before."""

HOT: Final = 3.0  # temperatures, in units of the cost of one repeated meeting
COOL: Final = 0.4  # keeps most of a plan that is nearly right
COLD: Final = 0.12
STEPS: Final = 45_000
"""Swaps that are tried in an annealing from hot."""
FEW_STEPS: Final = 12_000
SWAPS_PER_TEMPERATURE: Final = 200
"""Swaps between two changes of temperature."""

Pair = tuple[int, int]


class TablesRound(NamedTuple):
    """A round: its tables in seat order, and who has the bye."""

    tables: Tables
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """The rounds played: how often two met, how often each had a bye and sat on each chair.

    ``seats`` are the chairs of the largest table.
    """

    meetings: Mapping[Pair, int] = field(default_factory=dict)
    bye_counts: Mapping[int, int] = field(default_factory=dict)
    chairs: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    seats: int = SEATS


@dataclass(frozen=True, slots=True)
class Imbalance:
    """Measures how far a schedule is from perfect; 0 is perfect but for ``spread`` and the like.

    ``repeats`` are meetings beyond the first of two players, ``most`` the meetings of those who met
    most, ``spread`` by how much that is more than for those who met least; ``sit_outs`` and
    ``seats`` are the widest differences in rests between players, and in a player's times on the
    chairs that every table has; ``apart`` the meetings of two who were to stay apart.
    """

    repeats: int
    most: int
    spread: int
    sit_outs: int
    seats: int
    apart: int = 0


def pair(player: int, other: int) -> Pair:
    """Return two players as a key, the lower number first."""
    return (player, other) if player < other else (other, player)


def table_sizes(players: int, size: int = SEATS, other: int | None = None) -> tuple[int, ...]:
    """Return the sizes of a round's tables: as few as can be rest, then as few as can be at others.

    >>> table_sizes(13, 4, 3)
    (4, 3, 3, 3)
    """
    counts = [
        ((players - of_other * (other or 0)) // size, of_other)
        for of_other in range(players // other + 1 if other else 1)
    ]
    full, others = min(
        counts, key=lambda count: (players - size * count[0] - (other or 0) * count[1], count[1])
    )
    return (size,) * full + (other or 0,) * others


def history(
    rounds: Iterable[TablesRound], players: Iterable[int] = (), seats: int = SEATS
) -> History:
    """Count what was played in some rounds at tables of so many seats, or fewer.

    ``players`` are those who go on. Players who come later, or come back, count as having had a bye
    as often as the one who had the fewest byes of those who were there before: they need not make
    up for it.
    """
    meetings: Counter[Pair] = Counter()
    counted_byes: Counter[int] = Counter()
    chairs: dict[int, list[int]] = {}
    prior_players: set[int] = set()
    for round_ in rounds:
        present = {player for table in round_.tables for player in table} | {*round_.byes}
        admit(counted_byes, present, prior_players)
        prior_players = present
        counted_byes.update(round_.byes)
        for table in round_.tables:
            meetings.update(pair(*two) for two in combinations(table, 2))
            for chair, player in enumerate(table):
                chairs.setdefault(player, [0] * seats)[chair] += 1
    admit(counted_byes, {*players}, prior_players)
    sat = {player: tuple(counts) for player, counts in chairs.items()}
    return History(meetings, counted_byes, sat, seats)


def imbalance(
    rounds: Iterable[TablesRound], players: Sequence[int], separations: Collection[Pair] = ()
) -> Imbalance:
    """Measure a schedule, played and planned, among the players who are named."""
    schedule = list(rounds)
    sizes = [len(table) for round_ in schedule for table in round_.tables] or [SEATS]
    counted = history(schedule, seats=max(sizes))
    meetings = [counted.meetings.get(pair(*two), 0) for two in combinations(players, 2)] or [0]
    byes_by_player = Counter(player for round_ in schedule for player in round_.byes)
    counted_byes = [byes_by_player[player] for player in players] or [0]
    chairs = [counted.chairs.get(player, (0,) * max(sizes))[: min(sizes)] for player in players]
    return Imbalance(
        repeats=sum(count - 1 for count in meetings if count > 1),
        most=max(meetings),
        spread=max(meetings) - min(meetings),
        sit_outs=max(counted_byes) - min(counted_byes),
        seats=max((max(sat) - min(sat) for sat in chairs), default=0),
        apart=sum(counted.meetings.get(two, 0) for two in separations),
    )


def plan(
    players: Sequence[int],
    rounds: int,
    before: History,
    *,
    sizes: Sequence[int] = (),
    seats: Sequence[int | None] = (),
    separations: Collection[Pair] = (),
    seed: str = "",
) -> tuple[TablesRound, ...]:
    """Plan a number of rounds for the players, after the rounds played before.

    ``sizes`` are those of the tables of each round (`table_sizes`), without them threes. ``seats``
    are the players' places in a Kirkman system or an affine plane (`design_seats`), to continue a
    plan that another began; ``None`` and who is not among ``players`` are empty chairs. ``seed``
    decides what else is left to chance.
    """
    chance = random.Random(f"threes {seed} {list(players)} {rounds}")  # noqa: S311 - reproducible
    work = _PlanProblem(players, rounds, before, separations, sizes or table_sizes(len(players)))
    start = work.design_rounds(seats)
    candidates = [start] if len(start) == rounds else []
    if not work.is_perfect(start):
        candidates += work.anneal_plans(start, chance)
    best = min(candidates, key=lambda rows: (work.unevenness(rows), work.cost(rows)))
    return _assign_chairs([work.sitting(row) for row in best], before)


Row = list[int]
"""A round as indices of players: those of each table, then those with a bye."""


class _PlanProblem:
    """The input of a plan, with players as indices, and its cost function."""

    def __init__(
        self,
        players: Sequence[int],
        rounds: int,
        before: History,
        separations: Collection[Pair],
        sizes: Sequence[int],
    ) -> None:
        self.players = list(players)
        self.size = len(players)
        self.rounds = rounds
        self.sizes = sizes
        ends = list(accumulate(sizes, initial=0))
        self.seated = ends[-1]
        self.tables = [range(start, end) for start, end in pairwise(ends)]
        index = {player: position for position, player in enumerate(players)}
        self.index = index
        self.bye_counts = [before.bye_counts.get(player, 0) for player in players]
        self.meeting_counts = [0] * (self.size * self.size)
        for (player, other), count in before.meetings.items():
            self._add(index.get(player), index.get(other), count)
        for player, other in separations:
            self._add(index.get(player), index.get(other), APART)
        # At threes a meeting costs the number of those before it, by which plans were drawn always.
        # At larger tables its square: else 17 at fours and a five are an affine plane in which two
        # hold one place, and meet in every round.
        power = 1 if max(sizes, default=SEATS) == SEATS else 2
        most = max(self.meeting_counts, default=0) + rounds + 1
        self.costs = [count**power for count in range(most)]
        self.min_cost = self._min_cost()

    def _add(self, player: int | None, other: int | None, count: int) -> None:
        if player is not None and other is not None:
            self.meeting_counts[player * self.size + other] += count
            self.meeting_counts[other * self.size + player] += count

    def _min_cost(self) -> int:
        """Return a cost that no plan is below: the meetings go to the pairs that met least."""
        levels = Counter(
            self.meeting_counts[player * self.size + other]
            for player, other in combinations(range(self.size), 2)
        )
        meetings, cost, level = self.rounds * sum(map(math.comb, self.sizes, repeat(2))), 0, 0
        while meetings and levels:
            count = min(levels.pop(level, 0), meetings)
            cost += count * self.costs[level]
            meetings -= count
            level += 1
            levels[level] += count
        return cost

    def cost(self, rows: Sequence[Row]) -> int:
        """Return the cost of the meetings: each one by how often the two met before."""
        meetings, total = self.meeting_counts[:], 0
        for row in rows:
            for player, other in self._pairs(row):
                total += self.costs[meetings[player * self.size + other]]
                meetings[player * self.size + other] += 1
                meetings[other * self.size + player] += 1
        return total

    def unevenness(self, rows: Sequence[Row]) -> int:
        """Return the sum of the squares of everybody's byes."""
        counted_byes = self.bye_counts[:]
        for row in rows:
            for player in row[self.seated :]:
                counted_byes[player] += 1
        return sum(count * count for count in counted_byes)

    def is_perfect(self, rows: Sequence[Row]) -> bool:
        """Tell whether no plan can be better in rests or meetings."""
        even = self._random_even_rounds(random.Random(0))  # noqa: S311 - only the counts matter
        return (
            len(rows) == self.rounds
            and self.cost(rows) == self.min_cost
            and self.unevenness(rows) == self.unevenness(even)
        )

    def sitting(self, row: Row) -> TablesRound:
        """Return a row with its players, tables in the order of their numbers."""
        players = [self.players[index] for index in row]
        tables = tuple(tuple(players[table.start : table.stop]) for table in self.tables)
        return TablesRound(tables, tuple(sorted(players[self.seated :])))

    def _pairs(self, row: Row) -> Iterable[Pair]:
        for table in self.tables:
            yield from combinations(row[table.start : table.stop], 2)

    # --- what a design gives -------------------------------------------------------------------

    def design_rounds(self, seats: Sequence[int | None]) -> list[Row]:
        """Return rounds of the design on these seats, those first that cost least.

        Only rounds with a bye for those who have had the fewest. Rounds that repeat a meeting come
        in only where one chair at most is empty: then there is nothing better.
        """
        design = _design(len(seats), max(self.sizes, default=0))
        if design is None or not set(self.players) <= set(seats):
            return []
        indexes = [None if player is None else self.index.get(player) for player in seats]
        rounds = [[[indexes[seat] for seat in table] for table in round_] for round_ in design]
        rows = [row for row in map(self._without_empty_chairs, rounds) if row is not None]
        meetings, counted_byes = self.meeting_counts[:], self.bye_counts[:]
        chosen_rows: list[Row] = []
        may_repeat = len(seats) <= self.size + 1
        while len(chosen_rows) < self.rounds:
            fair = [row for row in rows if self._is_fair(row, counted_byes)]
            costs = [sum(meetings[a * self.size + b] for a, b in self._pairs(row)) for row in fair]
            min_cost = min(costs, default=None)
            if min_cost is None or (min_cost and not may_repeat):
                break
            row = fair[costs.index(min_cost)]
            chosen_rows.append(row)
            for one, other in self._pairs(row):
                meetings[one * self.size + other] += 1
                meetings[other * self.size + one] += 1
            for player in row[self.seated :]:
                counted_byes[player] += 1
        return chosen_rows

    def _is_fair(self, row: Row, counted_byes: Sequence[int]) -> bool:
        """Tell whether nobody has a bye who has had more than one who plays."""
        max_byes = max((counted_byes[player] for player in row[self.seated :]), default=0)
        return all(counted_byes[player] >= max_byes for player in row[: self.seated])

    def _without_empty_chairs(self, tables: Sequence[Sequence[int | None]]) -> Row | None:
        """Return a round with a bye for those who have an empty chair; None when too many do."""
        needed, seated, byes = Counter(self.sizes), [], []
        for table in tables:
            players = [player for player in table if player is not None]
            if needed[len(players)]:
                needed[len(players)] -= 1
                seated.append(players)
            else:
                byes += players
        seated.sort(key=lambda players: self.sizes.index(len(players)))
        row = [player for players in seated for player in players]
        return row + byes if len(row) == self.seated else None

    # --- annealing -----------------------------------------------------------------------------

    def anneal_plans(self, start: list[Row], chance: random.Random) -> Iterable[list[Row]]:
        """Yield a plan cooled from what was kept and, if that is not perfect, one from anywhere."""
        cool = [row[:] for row in start] + self._random_even_rounds(chance, start)
        cool = self._anneal(cool, COOL, FEW_STEPS, chance)
        yield cool
        if self.cost(cool) > self.min_cost:
            yield self._anneal(self._random_even_rounds(chance), HOT, STEPS, chance)

    def _random_even_rounds(self, chance: random.Random, after: Sequence[Row] = ()) -> list[Row]:
        """Return the other rounds at random, with a bye for those who have had the fewest."""
        counted_byes, rows = self.bye_counts[:], []
        for player in (player for row in after for player in row[self.seated :]):
            counted_byes[player] += 1
        for _ in range(self.rounds - len(after)):
            row = list(range(self.size))
            chance.shuffle(row)
            row.sort(key=lambda player: -counted_byes[player])
            for player in row[self.seated :]:
                counted_byes[player] += 1
            players = row[: self.seated]
            chance.shuffle(players)
            rows.append(players + row[self.seated :])
        return rows

    def _anneal(
        self, rows: list[Row], start: float, steps: int, chance: random.Random
    ) -> list[Row]:
        """Swap two of a round until the cost is as low as can be, or the steps are done."""
        heat = _Annealing(self, rows)
        cooling = (COLD / start) ** (SWAPS_PER_TEMPERATURE / steps)
        for turn in range(steps // SWAPS_PER_TEMPERATURE):
            heat.swap(start * cooling**turn, chance)
            if heat.best == self.min_cost:
                break
        return heat.best_rows


class _Annealing:
    """Simulated annealing of a plan: its present state and the best one so far."""

    def __init__(self, work: _PlanProblem, rows: list[Row]) -> None:
        self.size, self.seated, self.costs = work.size, work.seated, work.costs
        self.others = [
            tuple(other for other in table if other != index)
            for table in work.tables
            for index in table
        ] + [()] * (work.size - work.seated)
        """The other places of the table, for each place of a row."""
        self.rows = rows
        self.cost = self.best = work.cost(rows)
        self.best_rows = [row[:] for row in rows]
        self.meeting_counts = work.meeting_counts[:]
        self.bye_rounds: list[set[int]] = [set() for _ in range(work.size)]
        """In which rows each player has a bye."""
        for number, row in enumerate(rows):
            for player, other in work._pairs(row):  # noqa: SLF001 - two halves of one thing
                self.meeting_counts[player * self.size + other] += 1
                self.meeting_counts[other * self.size + player] += 1
            for at in row[self.seated :]:
                self.bye_rounds[at].add(number)
        self.bye_counts = [
            work.bye_counts[player] + len(rows) for player, rows in enumerate(self.bye_rounds)
        ]

    def swap(self, heat: float, chance: random.Random) -> None:
        """Try `SWAPS_PER_TEMPERATURE` swaps at a temperature."""
        draw, exp, size, seated, rows = chance.random, math.exp, self.size, self.seated, self.rows
        others = self.others
        for _ in range(SWAPS_PER_TEMPERATURE):
            number = int(draw() * len(rows))
            i, j = int(draw() * seated), int(draw() * size)
            if i == j or j in others[i]:
                continue
            change = self._change(number, i, j)
            if change is None or (change > 0 and draw() >= exp(-change / heat)):
                continue
            self._apply_swap(number, i, j)
            self.cost += change
            if self.cost < self.best:
                self.best = self.cost
                self.best_rows = [row[:] for row in rows]

    def _change(self, number: int, i: int, j: int) -> int | None:
        """Return the cost change of a swap; None when it would share the byes less evenly."""
        row, counts, size = self.rows[number], self.meeting_counts, self.size
        if j >= self.seated and not self._may_take_bye(row[i], row[j], number):
            return None
        first, second, change, costs = row[i] * size, row[j] * size, 0, self.costs
        for index in self.others[i]:
            other = row[index]
            change += costs[counts[second + other]] - costs[counts[first + other] - 1]
        for index in self.others[j]:
            other = row[index]
            change += costs[counts[first + other]] - costs[counts[second + other] - 1]
        return change

    def _may_take_bye(self, player: int, other: int, number: int) -> bool:
        """Tell whether one may have the other's bye: as many before it, and neither after.

        So in every round as many players have had so many byes as before the swap.
        """
        after = max(self.bye_rounds[player], default=-1) < number == max(self.bye_rounds[other])
        return after and self.bye_counts[other] == self.bye_counts[player] + 1

    def _apply_swap(self, number: int, i: int, j: int) -> None:
        row = self.rows[number]
        self._count(row, i, -1)
        if j < self.seated:
            self._count(row, j, -1)
        else:
            player, other = row[i], row[j]
            self.bye_counts[player] += 1
            self.bye_counts[other] -= 1
            self.bye_rounds[player].add(number)
            self.bye_rounds[other].remove(number)
        row[i], row[j] = row[j], row[i]
        self._count(row, i, 1)
        if j < self.seated:
            self._count(row, j, 1)

    def _count(self, row: Row, index: int, step: int) -> None:
        """Add to the meetings of a player with the others of the table."""
        player, meetings, size = row[index], self.meeting_counts, self.size
        for place in self.others[index]:
            other = row[place]
            meetings[player * size + other] += step
            meetings[other * size + player] += step


# --- the chairs --------------------------------------------------------------------------------

Games = tuple[int, int]
"""As many successive games of a player as tables have chairs: the player's number, and which."""


def _assign_chairs(rounds: Sequence[TablesRound], before: History) -> tuple[TablesRound, ...]:
    """Give everybody a chair; after a change of plan by need at first, where that helps."""
    best, best_score = tuple(rounds), math.inf
    is_mixed = any(len(table) != before.seats for round_ in rounds for table in round_.tables)
    for by_need in range(len(rounds) if is_mixed else 0, len(rounds) + 1):
        counts = {player: list(chairs) for player, chairs in before.chairs.items()}
        first = [_chairs_by_need(round_, counts, before.seats) for round_ in rounds[:by_need]]
        rows = (*first, *_chairs_by_colouring(rounds[by_need:], counts, before.seats))
        score = _chair_imbalance(rows, before)
        if score < best_score:
            best, best_score = rows, score
        if not score:
            break
    return best


def _chairs_by_need(round_: TablesRound, counts: dict[int, list[int]], seats: int) -> TablesRound:
    """Give the chairs of a round to those who sat there least; ``counts`` goes on with it."""

    def need(order: Sequence[int]) -> int:
        sat = ((counts.get(player, (0,) * seats), chair) for chair, player in enumerate(order))
        return sum((chairs[chair] - min(chairs)) ** 2 for chairs, chair in sat)

    tables = tuple(min(permutations(players), key=need) for players in round_.tables)
    for table in tables:
        for chair, player in enumerate(table):
            counts.setdefault(player, [0] * seats)[chair] += 1
    return TablesRound(tables, round_.byes)


def seat_by_need(round_: TablesRound, before: History) -> TablesRound:
    """Give the chairs of one round to those who sat there least."""
    counts = {player: list(chairs) for player, chairs in before.chairs.items()}
    return _chairs_by_need(round_, counts, before.seats)


def _chairs_by_colouring(
    rounds: Sequence[TablesRound], counts: Mapping[int, Sequence[int]], seats: int
) -> tuple[TablesRound, ...]:
    """Give everybody each chair once in successive games, if the past leaves room for it."""
    chairs = _Chairs(counts, seats)
    places = [[chairs.table(table) for table in round_.tables] for round_ in rounds]
    return tuple(
        TablesRound(tuple(chairs.order(table) for table in tables), round_.byes)
        for tables, round_ in zip(places, rounds, strict=True)
    )


def _chair_imbalance(rounds: Sequence[TablesRound], before: History) -> int:
    """Add up, after each game, how much more than by one a player's times in the chairs differ."""
    counts = {player: list(chairs) for player, chairs in before.chairs.items()}
    total = 0
    for table in (table for round_ in rounds for table in round_.tables):
        for chair, player in enumerate(table):
            sat = counts.setdefault(player, [0] * before.seats)
            sat[chair] += 1
            total += max(0, max(sat) - min(sat) - 1) ** 2
    return total


class _Chairs:
    """Assigns chairs: a proper colouring, chairs as colours, of tables against successive games."""

    def __init__(self, before: Mapping[int, Sequence[int]], seats: int) -> None:
        self.seats = seats
        self.games: Counter[int] = Counter()
        self.at_table: list[list[Games | None]] = []
        self.of_games: dict[Games, list[int | None]] = {}
        self.taken: dict[Games, set[int]] = {}
        for player, counts in before.items():
            extra_chairs = {chair for chair in range(self.seats) if counts[chair] > min(counts)}
            self.games[player] = len(extra_chairs)
            self.taken[player, 0] = extra_chairs

    def table(self, players: Sequence[int]) -> int:
        """Seat a table after those before it; return its number."""
        number = len(self.at_table)
        self.at_table.append([None] * self.seats)
        unseated_groups = [
            games for games in map(self._next_group, players) if not self._seat_group(number, games)
        ]
        for games in unseated_groups:
            chair = self.at_table[number].index(None)
            self.at_table[number][chair] = games
        return number

    def order(self, number: int) -> tuple[int, ...]:
        """Return the players of a table by chair."""
        return tuple(games[0] for games in self.at_table[number] if games is not None)

    def _next_group(self, player: int) -> Games:
        games = (player, self.games[player] // self.seats)
        self.games[player] += 1
        self.of_games.setdefault(games, [None] * self.seats)
        return games

    def _free_chairs(self, games: Games) -> list[int]:
        used, blocked = self.of_games[games], self.taken.get(games, ())
        return [
            chair for chair in range(self.seats) if used[chair] is None and chair not in blocked
        ]

    def _seat_group(self, number: int, games: Games) -> bool:
        """Find a chair, if need be by swapping two along a path; tell whether it went."""
        open_chairs = [chair for chair in range(self.seats) if self.at_table[number][chair] is None]
        free_chairs = self._free_chairs(games)
        for chair in open_chairs:
            if chair in free_chairs:
                self._set_chair(number, games, chair)
                return True
        for chair in open_chairs:
            for other in free_chairs:
                if self._swap(games, chair, other):
                    self._set_chair(number, games, chair)
                    return True
        return False

    def _set_chair(self, number: int, games: Games, chair: int) -> None:
        self.at_table[number][chair] = games
        self.of_games[games][chair] = number

    def _swap(self, games: Games, first: int, other: int) -> bool:
        """Swap two chairs along a path from ``games``, unless history is in the way."""
        path: list[tuple[int, Games, int]] = []
        current_group, chair = games, first
        while True:
            if chair in self.taken.get(current_group, ()):
                return False
            number = self.of_games[current_group][chair]
            if number is None:
                break
            path.append((number, current_group, chair))
            chair = first + other - chair
            following = self.at_table[number][chair]
            if following is None:
                break
            if self.of_games[following][chair] != number:
                return False
            path.append((number, following, chair))
            current_group, chair = following, first + other - chair
        for number, group, old in path:
            self.at_table[number][old] = None
            self.of_games[group][old] = None
        for number, group, old in path:
            self._set_chair(number, group, first + other - old)
        return True


def _design(players: int, seats: int) -> tuple[Tables, ...] | None:
    """Return a design for so many players at tables of so many seats, if there is one."""
    if seats == SEATS:
        return kirkman(players) if players >= SEATS else None
    return affine_plane(seats) if players and players == seats * seats else None


def design_seats(
    first: Sequence[int], players: Sequence[int], seats_at_a_table: int = SEATS
) -> tuple[int | None, ...]:
    """Return the seats of a design: those who began, later ones on empty chairs.

    ``first`` are the players of the first round, ``players`` those who are here now. Empty when no
    known design holds them.
    """
    if seats_at_a_table == SEATS:
        size = least_design(len(first)) if len(first) >= SEATS else None
    else:
        size = seats_at_a_table**2 if len(first) <= seats_at_a_table**2 else None
    if size is None:
        return ()
    seats: list[int | None] = [*first, *[None] * (size - len(first))]
    present, first_players = set(players), set(first)
    free_seats = [index for index, player in enumerate(seats) if player is None]
    free_seats += [
        index for index, player in enumerate(seats) if player is not None and player not in present
    ]
    late_players = [player for player in players if player not in first_players]
    if len(late_players) > len(free_seats):
        return ()
    for index, player in zip(free_seats, late_players, strict=False):
        seats[index] = player
    return tuple(seats)
