"""The Swiss system for a game without colours: equals meet, nobody meets anybody twice.

Every round is the pairing of all who are here that costs least, by the criteria of
`tournaments.domain.pairing.costs` in their order; ``docs/clubs/pairing.md`` explains them.
The draw depends on the rows alone. Chance comes in at one point: the stage's seed says whether odd
or even seeds sit on the first side while nobody has sat there more often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format, PairingReason
from tournaments.domain.pairing.numbering import free_numbers
from tournaments.domain.pairing.past import StageHistory, stage_history
from tournaments.domain.rows import Bye, ByeRule, Entrant, Points, Stage, StageRules, Table

if TYPE_CHECKING:
    from tournaments.domain.pairing import costs

MIN_ENTRANTS: Final = 2


def draw(field: Field) -> Draw:
    """Answer the next round.

    ``quality`` are the sums of `costs.Pool.names` over the tables that were not pinned. Raises
    CannotDraw: ``stage_over``, ``too_few``.
    """
    from tournaments.domain.pairing import costs  # only draws need numpy's 19 MiB

    if is_over(field.stage, field.entrants):
        raise CannotDraw("stage_over")
    if len(field.present) < MIN_ENTRANTS:
        raise CannotDraw("too_few", least=MIN_ENTRANTS)
    fixed = {entrant for table in field.pinned_tables for entrant in table.entrants}
    free_entrants = tuple(entrant for entrant in field.present if entrant not in fixed)
    before = stage_history(field.stage, field.entrants)
    rule, scores = field.stage.rules.byes, None
    if field.standing:
        rule, scores = ByeRule.LOWEST, _scores_by_place(field.standing, free_entrants)
    pool = costs.pool(free_entrants, field.entrants, before, rule, scores)
    edges = costs.cheapest(pool) if free_entrants else []
    sides = list(_table_sides(field, before, pool, edges))
    tables = tuple(number_tables(field.pinned_tables, sides))
    pairing_reasons = tuple(reasons(field, before, sides, pool, edges).for_tables(tables))
    return Draw(
        tables, pairing_reasons, dict(zip(pool.names, costs.sums(pool, edges), strict=True))
    )


def _scores_by_place(standing: Sequence[int], entrants: Sequence[int]) -> dict[int, Points]:
    """Return a score for each of some entrants, one less for each place down the table."""
    playing = frozenset(entrants)
    listed = [entrant for entrant in standing if entrant in playing]
    return {entrant: Points(score) for score, entrant in enumerate(reversed(listed))}


def rounds(entrants: int, rules: StageRules) -> int:
    """Return the rounds that were agreed, or enough for one to win them all: log2 n, rounded up."""
    return rules.rounds or max(1, (entrants - 1).bit_length())


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether every round has been drawn."""
    del entrants
    return len(stage.rounds) >= rounds(len(stage.entrants), stage.rules)


FORMAT: Final = Format(
    name="swiss",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=("buchholz_cut1", "direct_encounter", "hand_difference", "point_difference", "won"),
    settings=("rounds", "late", "byes", "paired_by", "carry"),
    min_entrants=MIN_ENTRANTS,
)


# --- sides and tables ----------------------------------------------------------------------------

Sides = tuple[int, ...]
"""First and second side of a table, or the one with the bye."""


def _table_sides(
    field: Field, before: StageHistory, pool: costs.Pool, edges: Iterable[costs.Edge]
) -> Iterator[Sides]:
    """Yield the sides of the new tables: the highest scores first, the bye last."""
    free_entrants = pool.entrants
    seeds = {entrant: seed for seed, entrant in enumerate(field.present)}

    def height(edge: costs.Edge) -> tuple[bool, int, int, int]:
        players = edge[: 1 + (edge[1] < len(free_entrants))]
        scores = sorted(-int(pool.scores[node]) for node in players)
        return len(players) == 1, scores[0], scores[-1], edge[0]

    for lower, other in sorted(edges, key=height):
        if other == len(free_entrants):
            yield (free_entrants[lower],)
        else:
            yield choose_sides(
                before, seeds, field.stage.seed, free_entrants[lower], free_entrants[other]
            )[0]


def choose_sides(
    before: StageHistory, seeds: Mapping[int, int], seed: str, entrant: int, other: int
) -> tuple[tuple[int, int], str]:
    """Return the first side, the second side, and the code of the reason.

    First the one who has sat there less, compared with the other side; then the one who did not at
    the last time when the two sat on different sides; then by seeding order (from 0): of the
    better one's, the even or the odd go first, by lot from the stage's seed.
    """
    difference = before.balance(entrant) - before.balance(other)
    if difference:
        return ((entrant, other) if difference < 0 else (other, entrant)), "swiss_deal_fewer"
    turns = (reversed(before.first.get(player, [])) for player in (entrant, other))
    for turn, other_turn in zip(*turns, strict=False):
        if turn != other_turn:
            return ((other, entrant) if turn else (entrant, other)), "swiss_deal_turn"
    lot = sha256(f"{seed}:first side".encode()).digest()[0]
    better, worse = sorted((entrant, other), key=seeds.__getitem__)
    begins = (seeds[better] + lot) % 2 == 0
    return ((better, worse) if begins else (worse, better)), "swiss_deal_lot"


def number_tables(pinned_tables: Sequence[Table], sides: Iterable[Sides]) -> Iterator[Table]:
    """Yield all tables, byes last; the new ones take the numbers that the pinned leave."""
    numbers, tables = free_numbers(pinned_tables), list(pinned_tables)
    for side in sides:
        bye = Bye.PAIRING if len(side) == 1 else None
        tables.append(Table(next(numbers), tuple((entrant,) for entrant in side), bye=bye))
    yield from sorted(tables, key=lambda table: (table.is_bye, table.number))


# --- reasons -------------------------------------------------------------------------------------


REASONS_OF_BEFORE: Final = ("swiss_rest_best", "swiss_rest_again")
"""Codes that rounds drawn until November 2026 have stored; no draw gives them now."""


def reasons(
    field: Field,
    before: StageHistory,
    sides: Sequence[Sides],
    pool: costs.Pool,
    edges: Sequence[costs.Edge],
) -> Reasons:
    """Return the data for the reasons of a round; ``sides`` are its new tables."""
    groups: dict[Points, list[int]] = {}
    group_sizes: Counter[Points] = Counter()
    for side in sides:
        scores = [before.score(entrant) for entrant in side]
        for entrant, score in zip(side, scores, strict=True):
            groups.setdefault(score, []).append(entrant)
            group_sizes[score] += score == max(scores)
    odd = frozenset(score for score, count in group_sizes.items() if count % 2)
    seeds = {entrant: seed for seed, entrant in enumerate(field.present)}
    listed = (entrant for entrant in field.standing if entrant in seeds)
    places = {entrant: place for place, entrant in enumerate(listed, start=1)}
    return Reasons(field, before, seeds, groups, odd, pool, edges, places)


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why the tables of a round came about.

    ``groups`` are those who were to be paired, by score; ``odd`` the scores of groups that are odd
    in number, when those are taken out who meet one with more points. ``places`` are those in the
    table, counted among the present, where the stage is paired by it.
    """

    field: Field
    past: StageHistory
    seeds: Mapping[int, int]
    groups: Mapping[Points, Sequence[int]]
    odd: frozenset[Points]
    pool: costs.Pool
    edges: Sequence[costs.Edge]
    places: Mapping[int, int]

    def for_tables(self, tables: Iterable[Table]) -> Iterator[PairingReason]:
        """Yield one reason or more for each table, in the order of the tables."""
        for table in tables:
            if table in self.field.pinned_tables:
                yield PairingReason("swiss_pinned", table.number, table.entrants)
            elif self.field.standing:
                yield from self._by_table(table)
            elif table.is_bye:
                yield self._bye_reason(table)
            else:
                yield from self._meeting(table)

    def _by_table(self, table: Table) -> Iterator[PairingReason]:
        """Name the places of a table's entrants among those who play."""
        if table.is_bye:
            facts = {"place": self.places[table.entrants[0]]}
            yield PairingReason("swiss_table_rest", table.number, table.entrants, facts)
            return
        upper, other = sorted(table.entrants, key=self.places.__getitem__)
        facts = {"place": self.places[upper], "other": self.places[other]}
        yield PairingReason("swiss_table", table.number, (upper, other), facts)
        yield from self._clashes(table.number, upper, other)
        yield self._deal(table)

    def _meeting(self, table: Table) -> Iterator[PairingReason]:
        upper, other = table.entrants
        if self.past.score(upper) < self.past.score(other):
            upper, other = other, upper
        yield self._score(table.number, upper, other)
        yield from self._clashes(table.number, upper, other)
        yield from self._repeats(table.number, upper, other)
        yield self._deal(table)

    def _score(self, table: int, upper: int, lower: int) -> PairingReason:
        high, low = self.past.score(upper), self.past.score(lower)
        facts = {"points": points_text(high), "fewer": points_text(low)}
        if high == low:
            return PairingReason("swiss_level", table, (upper, lower), facts)
        group = [entrant for entrant in self.groups[high] if entrant != upper]
        if all(self._clash(upper, entrant) for entrant in group):
            code = "swiss_float_met_all" if group else "swiss_float_alone"
        else:
            code = "swiss_float_odd" if high in self.odd else "swiss_float_best"
        return PairingReason(code, table, (upper, lower), facts)

    def _clash(self, entrant: int, other: int) -> bool:
        return bool(self.past.meetings(entrant, other) or shared_labels(self.field, entrant, other))

    def _clashes(self, table: int, entrant: int, other: int) -> Iterator[PairingReason]:
        rounds_met, labels = (
            self.past.meetings(entrant, other),
            shared_labels(self.field, entrant, other),
        )
        if rounds_met:
            yield PairingReason(
                "swiss_rematch", table, (entrant, other), {"rounds": join_values(rounds_met)}
            )
        if labels:
            yield PairingReason(
                "swiss_apart", table, (entrant, other), {"labels": join_values(labels)}
            )

    def _repeats(self, table: int, upper: int, lower: int) -> Iterator[PairingReason]:
        clubs = {self.field.entrants[entrant].club for entrant in (upper, lower)}
        if len(clubs) == 1 and "" not in clubs:
            yield PairingReason("swiss_club", table, (upper, lower), {"club": clubs.pop()})
        if self.past.score(upper) != self.past.score(lower):
            if upper in self.past.down:
                yield PairingReason("swiss_down_again", table, (upper,))
            if lower in self.past.up:
                yield PairingReason("swiss_up_again", table, (lower,))

    def _deal(self, table: Table) -> PairingReason:
        sides, code = choose_sides(self.past, self.seeds, self.field.stage.seed, *table.entrants)
        (first_count, others), (other_count, their_others) = map(self.past.first_side_counts, sides)
        facts = {
            "ours": first_count,
            "others": others,
            "theirs": other_count,
            "their_others": their_others,
        }
        return PairingReason(code, table.number, sides, facts)

    def _bye_reason(self, table: Table) -> PairingReason:
        (entrant,) = table.entrants
        score, byes = self.past.score(entrant), self.past.byes
        facts = {"points": points_text(score), "rounds": join_values(byes.get(entrant, ()))}
        times = len(byes.get(entrant, ()))
        fewer = [other for other in self.pool.entrants if len(byes.get(other, ())) < times]
        lower_scorers = [other for other in self.pool.entrants if self.past.score(other) < score]
        lower = [other for other in lower_scorers if len(byes.get(other, ())) == times]
        if fewer:
            return self._rest_alternative(table, fewer, facts)
        if lower:
            return self._rest_alternative(table, lower, facts)
        if times:
            code = "swiss_rest_all_had"
        else:
            code = "swiss_rest_below_had" if lower_scorers else "swiss_rest_last"
        return PairingReason(code, table.number, (entrant,), facts)

    def _rest_alternative(
        self, table: Table, others: Sequence[int], facts: Mapping[str, str]
    ) -> PairingReason:
        """Say what would have been worse if one of some others had the bye, which decided."""
        from tournaments.domain.pairing import costs

        pool, players = self.pool, self.pool.entrants
        bye_nodes = [node for node, player in enumerate(players) if player in others]
        edges = costs.fewest_clashes(pool, bye_nodes)
        current_sums = costs.sums(pool, self.edges)
        if costs.sums(pool, edges)[0] > current_sums[0]:
            now = set(self.edges)
            entrant, other = next(
                (players[edge[0]], players[edge[1]])
                for edge in edges
                if edge not in now and pool.clashes[edge]
            )
            had_bye = table.entrants[0] in self.past.byes
            rounds_met = self.past.meetings(entrant, other)
            labels = shared_labels(self.field, entrant, other)
            facts = {**facts, "met": join_values(rounds_met), "labels": join_values(labels)}
            if rounds_met:
                code = "swiss_rest_again_rematch" if had_bye else "swiss_rest_rematch"
            else:
                code = "swiss_rest_again_apart" if had_bye else "swiss_rest_apart"
            return PairingReason(code, table.number, (*table.entrants, entrant, other), facts)
        instead = costs.sums(pool, costs.cheapest(pool, bye_nodes))
        number = next(
            n for n, two in enumerate(zip(current_sums, instead, strict=True)) if len(set(two)) > 1
        )
        code = "swiss_rest_gaps" if pool.names[number] == "score_gaps" else "swiss_rest_later"
        return PairingReason(code, table.number, table.entrants, {**facts, "number": number + 1})


def shared_labels(field: Field, entrant: int, other: int) -> tuple[str, ...]:
    """Return the labels for which two are to be kept apart, in alphabetical order."""
    labels, other_labels = (set(field.entrants[player].apart) for player in (entrant, other))
    return tuple(sorted(labels & other_labels))


def join_values(values: Iterable[object]) -> str:
    """Return values as they stand in a sentence."""
    return ", ".join(map(str, values))


def points_text(points: Points) -> str:
    """Return match points as people write them: 3, 1½, 7/3."""
    whole, rest = divmod(points, 1)
    if points > 0 and rest == Points(1, 2):
        return f"{whole or ''}½"
    return str(points)
