"""Measures the balance of a movement from its tables, and makes the players' guide cards.

Nothing here knows how the tables were made, so that any schedule can be judged: one that was drawn
here, one that was changed by hand, one from another program.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

from tournaments.domain.rows import Bye, Table


@dataclass(frozen=True, slots=True)
class Imbalance:
    """Measures how uneven a schedule with rotating partners is; 0 throughout is a perfect one.

    ``partners``: partnerships beyond the first of the same two, added up. ``opponents``: the sum
    over all twos of the squared deviation of their meetings as opponents from the mean, and
    ``opponents_over`` how much of it an even spread of as many meetings would not have.
    ``sit_outs``: the most rounds that one player sat out less the fewest; requested byes do
    not count. ``seats``: the greatest difference of a player between rounds on the first side (A
    and C) and on the second.
    """

    partners: int = 0
    opponents: Fraction = Fraction(0)
    opponents_over: int = 0
    sit_outs: int = 0
    seats: int = 0


class GuideLine(NamedTuple):
    """A round on a guide card: table, partner, opponents; no table in a round sat out."""

    round: int
    table: int | None
    seat: str = ""
    partner: int | None = None
    opponents: tuple[int, ...] = ()


def imbalance(tables_by_round: Sequence[Sequence[Table]], entrants: Collection[int]) -> Imbalance:
    """Measure a schedule for ``entrants``; meetings of others are left out.

    An entrant who was not there from the first round to the last has sat out less; leave them out
    of ``entrants`` to compare those who were always there.
    """
    members = set(entrants)
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    sit_outs: Counter[int] = Counter()
    sides: Counter[int] = Counter()
    for table in (table for tables in tables_by_round for table in tables):
        if table.is_bye:
            sit_outs.update(members & set(table.entrants) if table.bye is Bye.PAIRING else ())
            continue
        partners.update(
            _pairs_among(members, (two for side in table.sides for two in combinations(side, 2)))
        )
        for first, other in combinations(table.sides, 2):
            opponents.update(_pairs_among(members, product(first, other)))
        for index, side in enumerate(table.sides):
            sides.update(dict.fromkeys(side, 1 if index == 0 else -1))
    uneven, over = _spread(opponents, len(members))
    byes = [sit_outs[entrant] for entrant in members]
    return Imbalance(
        partners=sum(count - 1 for count in partners.values()),
        opponents=uneven,
        opponents_over=over,
        sit_outs=max(byes, default=0) - min(byes, default=0),
        seats=max((abs(sides[entrant]) for entrant in members), default=0),
    )


def _pairs_among(members: set[int], pairs: Iterable[tuple[int, int]]) -> list[frozenset[int]]:
    return [frozenset(two) for two in pairs if members.issuperset(two)]


def _spread(pair_counts: Counter[frozenset[int]], entrants: int) -> tuple[Fraction, int]:
    """Return the squared deviations from the mean, and what an even spread would save of them."""
    pairs, meetings = entrants * (entrants - 1) // 2, pair_counts.total()
    if not pairs:
        return Fraction(0), 0
    squares = sum(count * count for count in pair_counts.values())
    each, remainder = divmod(meetings, pairs)
    evenest = pairs * each * each + remainder * (2 * each + 1)
    return squares - Fraction(meetings * meetings, pairs), squares - evenest


def guide(
    tables_by_round: Mapping[int, Sequence[Table]],
) -> dict[int, tuple[GuideLine, ...]]:
    """Return the guide card of every entrant: their rounds in order, by the rounds' numbers.

    Rounds without a table, and those with a requested bye, are not on the card.
    """
    cards: dict[int, list[GuideLine]] = {}
    for number in sorted(tables_by_round):
        for table in tables_by_round[number]:
            for entrant, line in _guide_lines(number, table):
                cards.setdefault(entrant, []).append(line)
    return {entrant: tuple(cards[entrant]) for entrant in sorted(cards)}


def _guide_lines(number: int, table: Table) -> list[tuple[int, GuideLine]]:
    if table.is_bye:
        sit_outs = table.entrants if table.bye is Bye.PAIRING else ()
        return [(entrant, GuideLine(number, None)) for entrant in sit_outs]
    (a, c), (b, d) = table.sides
    return [
        (entrant, GuideLine(number, table.number, seat, partner, opponents))
        for entrant, seat, partner, opponents in (
            (a, "A", c, (b, d)),
            (b, "B", d, (a, c)),
            (c, "C", a, (b, d)),
            (d, "D", b, (a, c)),
        )
    ]
