"""Three ceros: everybody plays until the third loss, and the last one left has won.

Each loss is a cero; with ``lives`` of them one is out. A missed round counts as a cero too unless
its bye is worth something, so that staying away saves nobody; a latecomer gets one for each round
missed where the rules give nothing for it (``late``), but keeps their last life. A level table is
no loss.

Those still in are paired by one matching of least cost over the whole field: no rematch while one
can be avoided, byes shared out, then as equal in ceros as possible, then in match points; what is
still equal follows the seeds. With an odd number the one with the fewest byes has a bye, among
these the one with the most ceros.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Final

from tournaments.domain.awards import awards
from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format, PairingReason
from tournaments.domain.pairing.numbering import free_numbers
from tournaments.domain.rows import Bye, Entrant, Round, Stage, StageRules, Table

MAX_ENTRANTS: Final = 512  # chosen: bounds the time of the matching of a round


@dataclass
class Ledger:
    """The ceros and byes of all entrants so far; ``out_in`` is the round that put one out."""

    ceros: Counter[int] = field(default_factory=Counter)
    meetings: Counter[frozenset[int]] = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)
    points: dict[int, Fraction] = field(default_factory=dict)
    out_in: dict[int, int] = field(default_factory=dict)
    open: list[tuple[int, int]] = field(default_factory=list)

    def point(self, entrant: int) -> Fraction:
        """Return the match points of an entrant."""
        return self.points.get(entrant, Fraction(0))

    def scaled(self, entrant: int) -> int:
        """Return them in hundredths, rounded down: fine enough to compare fields."""
        return int(100 * self.point(entrant))


def ledger(stage: Stage, entrants: Mapping[int, Entrant]) -> Ledger:
    """Go through the rounds of a stage."""
    tally = Ledger()
    for round_ in stage.rounds:
        _count(tally, stage, round_, entrants)
    tables = {(number, table.number): table for number, table in stage.tables()}
    for key, each in awards(stage).items():
        for side, side_points in zip(tables[key].sides, each, strict=True):
            for entrant in side:
                tally.points[entrant] = tally.point(entrant) + side_points
    return tally


def _count(tally: Ledger, stage: Stage, round_: Round, entrants: Mapping[int, Entrant]) -> None:
    """Count one round: losers, byes and missing entrants."""
    losers = {entrant for table in round_.tables for entrant in _losers(table)}
    seated_entrants = {entrant for table in round_.tables for entrant in table.entrants}
    for table in round_.tables:
        if table.is_bye:
            tally.byes[table.entrants[0]] += 1
        else:
            tally.meetings[frozenset(table.entrants)] += 1
            if not table.counts or _undecided(table):
                tally.open.append((round_.number, table.number))
    for entrant in stage.entrants:
        if entrant in tally.out_in:
            continue
        if entrants[entrant].joined > round_.number:
            spared = (
                stage.rules.late is not Bye.ZERO or tally.ceros[entrant] + 1 >= stage.rules.lives
            )
            tally.ceros[entrant] += not spared
            continue
        tally.ceros[entrant] += entrant in losers or entrant not in seated_entrants
        if tally.ceros[entrant] >= stage.rules.lives:
            tally.out_in[entrant] = round_.number


def _undecided(table: Table) -> bool:
    return table.marks is None and not table.forfeits and table.decided is None


def _losers(table: Table) -> tuple[int, ...]:
    """Return the entrants who get a cero at a table."""
    if table.is_bye:
        return table.entrants if table.bye is Bye.ZERO else ()
    if len(table.forfeits) == len(table.sides):
        return table.entrants
    if table.winner is None:
        return ()
    return tuple(
        entrant for n, side in enumerate(table.sides) if n != table.winner for entrant in side
    )


def entrants_with_lives(stage: Stage, entrants: Mapping[int, Entrant]) -> tuple[int, ...]:
    """Return the entrants with a life left who have not left; later ones are counted in."""
    tally, after = ledger(stage, entrants), stage.next_round
    return tuple(
        entrant
        for entrant in stage.entrants
        if entrant not in tally.out_in and not entrants[entrant].has_left(after)
    )


def to_pair(stage: Stage, entrants: Mapping[int, Entrant], round_: int) -> tuple[int, ...]:
    """Return the entrants with a life left; a round missed does not change that."""
    del round_
    return entrants_with_lives(stage, entrants)


def draw(field: Field) -> Draw:
    """Pair those who are here. Raises CannotDraw: ``waiting``, ``stage_over``."""
    tally = ledger(field.stage, field.entrants)
    if tally.open:
        raise CannotDraw("waiting", tables=tuple(tally.open))
    if is_over(field.stage, field.entrants):
        raise CannotDraw("stage_over")
    pinned_entrants = {entrant for table in field.pinned_tables for entrant in table.entrants}
    pool = [entrant for entrant in field.present if entrant not in pinned_entrants]
    tables, reasons = [], []
    numbers = free_numbers(field.pinned_tables)
    for entrants in _cheapest_tables(pool, tally):
        bye = Bye.PAIRING if len(entrants) == 1 else None
        tables.append(Table(next(numbers), tuple((entrant,) for entrant in entrants), bye=bye))
        reasons.append(_reason(tables[-1], tally))
    tables += field.pinned_tables
    reasons += [
        PairingReason("pinned", table.number, table.entrants) for table in field.pinned_tables
    ]
    rematches = sum(
        tally.meetings[frozenset(table.entrants)] > 0 for table in tables if not table.is_bye
    )
    return Draw(tuple(tables), tuple(reasons), {"rematches": rematches})


def _cheapest_tables(pool: list[int], tally: Ledger) -> list[tuple[int, ...]]:
    """Return the tables of least cost: fewest ceros first, the bye last."""
    import numpy as np  # only draws need numpy's 19 MiB

    from tournaments.domain.pairing.matching import perfect_matching

    odd = len(pool) % 2
    pairs = list(combinations(range(len(pool)), 2))
    bye_edges = [(index, len(pool)) for index in range(len(pool)) if odd]
    if not pairs:
        return [(entrant,) for entrant in pool]
    costs = [_meeting(pool, index, other, tally) for index, other in pairs]
    costs += [_bye_cost(pool, index, tally) for index, _ in bye_edges]
    first, second = np.array(pairs + bye_edges, dtype=np.int64).T
    criteria = list(np.array(costs, dtype=np.int64).T)
    matched = perfect_matching(len(pool) + odd, first, second, criteria) or []
    tables = [tuple(pool[index] for index in edge if index < len(pool)) for edge in matched]
    order = {
        entrant: (tally.ceros[entrant], -tally.point(entrant), index)
        for index, entrant in enumerate(pool)
    }
    return sorted(
        tables, key=lambda entrants: (len(entrants) == 1, min(order[w] for w in entrants))
    )


def _meeting(pool: list[int], index: int, other: int, tally: Ledger) -> tuple[int, ...]:
    home, away = pool[index], pool[other]
    ceros = tally.ceros[home] - tally.ceros[away]
    points = tally.scaled(home) - tally.scaled(away)
    return tally.meetings[frozenset((home, away))] ** 2, 0, ceros**2, points**2, other - index


def _bye_cost(pool: list[int], index: int, tally: Ledger) -> tuple[int, ...]:
    entrant = pool[index]
    ceros_gap = max(tally.ceros[other] for other in pool) - tally.ceros[entrant]
    return 0, tally.byes[entrant] ** 2, ceros_gap**2, tally.scaled(entrant) ** 2, len(pool) - index


def _reason(table: Table, tally: Ledger) -> PairingReason:
    ceros = [tally.ceros[entrant] for entrant in table.entrants]
    if table.is_bye:
        facts = {"byes": tally.byes[table.entrants[0]], "ceros": ceros[0]}
        return PairingReason("ceros_rest", table.number, table.entrants, facts)
    before = tally.meetings[frozenset(table.entrants)]
    code = "ceros_again" if before else "ceros_equal" if ceros[0] == ceros[1] else "ceros_near"
    facts = {"ceros": ceros[0], "other": ceros[1], "before": before}
    return PairingReason(code, table.number, table.entrants, facts)


def rounds(entrants: int, rules: StageRules) -> None:
    """Return nothing: it ends when one is left."""
    del entrants, rules


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether at most one of those who have come is still in."""
    after = stage.next_round
    survivors = [
        entrant
        for entrant in entrants_with_lives(stage, entrants)
        if entrants[entrant].joined <= after
    ]
    return bool(stage.rounds) and len(survivors) <= 1


def ranking(stage: Stage, entrants: Mapping[int, Entrant]) -> tuple[tuple[int, ...], ...]:
    """Return those still in by their ceros, then the others, the last to go first."""
    tally, after = ledger(stage, entrants), stage.next_round

    def place(entrant: int) -> tuple[int, int]:
        if entrants[entrant].joined >= after and stage.rounds:
            return 2, 0
        if entrant in tally.out_in or entrants[entrant].has_left(after):
            return 1, -min(tally.out_in.get(entrant, after), _last_round(entrants[entrant], after))
        return 0, tally.ceros[entrant]

    places = {entrant: place(entrant) for entrant in stage.entrants}
    return tuple(
        tuple(entrant for entrant in stage.entrants if places[entrant] == value)
        for value in sorted(set(places.values()))
    )


def _last_round(entrant: Entrant, after: int) -> int:
    """Return the last round of one who left, ``after`` for the others."""
    last_rounds = [start - 1 for start, end in entrant.absences if end is None]
    return min(last_rounds, default=after)


FORMAT: Final = Format(
    name="lives",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=(),
    settings=("lives", "late"),
    ranking=ranking,
    to_pair=to_pair,
    max_entrants=MAX_ENTRANTS,
    paired_by_place=True,
)
