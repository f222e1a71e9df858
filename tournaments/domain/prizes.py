"""Computes who gets which prize from the places of a table: nothing of it is stored.

Places that several entries share are added up: their money is divided to the cent, and the cents
that cannot be divided go to the first of them by number. Goods are not divided: where all shared
places have the same, each entry gets it, else a lot decides. A prize for everybody (places 0 to 0)
is goods, and no award: nobody is called for it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby


@dataclass(frozen=True, slots=True)
class PrizeTerms:
    """What amounts depend on: entries, takings in cents, and how amounts follow the entries.

    Amounts that are ``meant_for`` a number of entries (None: they are fixed) become smaller with
    fewer, and with ``scale_up`` larger with more, rounded down to ``unit`` cents. Shares in per
    cent are of what was taken, rounded down to the cent.
    """

    entries: int
    takings: int = 0
    meant_for: int | None = None
    scale_up: bool = False
    unit: int = 100


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A line of the list of prizes: each of the places ``first`` to ``last`` has it.

    Money is ``cents``, or ``percent`` of what was taken. ``per_person`` multiplies money by the
    people of an entry, and gives each of them the goods.
    """

    pk: int
    first: int
    last: int
    cents: int | None = None
    percent: int | None = None
    text: str = ""
    per_person: bool = False

    def covers(self, place: int) -> bool:
        """Return whether the prize is one of a place."""
        return self.first <= place <= self.last


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry with its place; ``people`` is the number of persons that it consists of."""

    number: int
    place: int
    people: int = 2


@dataclass(frozen=True, slots=True)
class Award:
    """What an entry gets: money in cents, and the lines that money and goods come from.

    ``goods`` are the lines whose goods it gets, ``lines`` all. ``shared`` is the number of entries
    that share its place; ``by_lot`` says that a lot decided about goods among them.
    """

    number: int
    place: int
    cents: int = 0
    goods: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    shared: int = 1
    by_lot: bool = False


def amount_of(row: PrizeRow, terms: PrizeTerms) -> int:
    """Return the money of a line for one place, in cents.

    >>> terms = PrizeTerms(31, takings=37200, meant_for=40, unit=500)
    >>> amount_of(PrizeRow(1, 1, 1, cents=60000), terms)
    46500
    >>> amount_of(PrizeRow(2, 1, 1, percent=45), terms)
    16740
    """
    if row.percent is not None:
        return row.percent * max(0, terms.takings) // 100
    cents = row.cents or 0
    meant_for = terms.meant_for
    if not meant_for or terms.entries == meant_for:
        return cents
    if terms.entries > meant_for and not terms.scale_up:
        return cents
    return cents * terms.entries // meant_for // terms.unit * terms.unit


def prize_lots(seed: str, names: Mapping[int, object]) -> dict[int, int]:
    """Return the order by lot of entries, by number; lots are of a seed and their ``names``.

    >>> prize_lots("c0ffee", {1: "a", 2: "b", 3: "c"})
    {1: 1, 2: 2, 3: 0}
    """
    lots = {n: sha256(f"{seed}|prize|{name}".encode()).digest() for n, name in names.items()}
    order = sorted(lots, key=lots.__getitem__)
    return {number: order.index(number) for number in names}


def raffle_winners(seed: str, prizes: int, present: Sequence[int]) -> tuple[int, ...]:
    """Return who wins each raffled prize: the first lot of the entries that won the fewest before.

    Each entry's lot for a prize is its own, so one that leaves changes nothing among the others
    but what it would have won. Nobody wins where nobody is present.

    >>> raffle_winners("c0ffee", 4, [1, 2, 3])
    (3, 2, 1, 3)
    """
    won: list[int] = []
    for prize in range(1, prizes + 1 if present else 1):
        fewest = min(map(won.count, present))
        still = [number for number in present if won.count(number) == fewest]
        lots = prize_lots(seed, {number: f"raffle {prize}|{number}" for number in still})
        won.append(min(still, key=lots.__getitem__))
    return tuple(won)


def close_gaps(places: Sequence[tuple[int, int]], left_out: Collection[int]) -> dict[int, int]:
    """Return the places by entry number without those left out: the next move up.

    >>> close_gaps([(7, 1), (4, 2), (5, 2), (9, 4)], {7})
    {4: 1, 5: 1, 9: 3}
    """
    kept = [(number, place) for number, place in places if number not in left_out]
    return {number: 1 + sum(other < place for _, other in kept) for number, place in kept}


def awards(
    rows: Sequence[PrizeRow],
    table: Sequence[PlacedEntry],
    terms: PrizeTerms,
    lots: Mapping[int, int],
) -> tuple[Award, ...]:
    """Return what the entries of a table get, in the order of places; those without are left out.

    ``table`` has the entries that can get a prize, with their places from 1 on; those who share one
    have the same. ``lots`` give the order by lot of the entries, by number.
    """
    found: list[Award] = []
    ranked = sorted(table, key=lambda entry: (entry.place, entry.number))
    for place, group in groupby(ranked, key=lambda entry: entry.place):
        found += _of_place(rows, place, tuple(group), terms, lots)
    return tuple(award for award in found if award.lines)


def _of_place(
    rows: Sequence[PrizeRow],
    place: int,
    sharers: Sequence[PlacedEntry],
    terms: PrizeTerms,
    lots: Mapping[int, int],
) -> Iterator[Award]:
    """Yield the awards of k entries that share a place, and so the k places from it on.

    A line that covers all k places is given to each of them. The money of the lines that cover
    some is shared to the cent, the cents that are left go to the first by number; their goods
    cannot be shared and go by lot.
    """
    places = range(place, place + len(sharers))
    covered = {row.pk: sum(map(row.covers, places)) for row in rows}
    for_each = [row for row in rows if covered[row.pk] == len(places)]
    for_some = [row for row in rows if 0 < covered[row.pk] < len(places)]
    people = max(entry.people for entry in sharers)
    shared_cents = sum(
        covered[row.pk] * amount_of(row, terms) * (people if row.per_person else 1)
        for row in for_some
    )
    share, left_cents = divmod(shared_cents, len(sharers))
    numbers = sorted((entry.number for entry in sharers), key=lots.__getitem__)
    lot_places = dict(zip(numbers, places, strict=True))
    for index, entry in enumerate(sharers):
        by_lot = [row for row in for_some if row.text and row.covers(lot_places[entry.number])]
        cents = sum(
            amount_of(row, terms) * (entry.people if row.per_person else 1) for row in for_each
        )
        lines = [
            row
            for row in rows
            if row in for_each or row in by_lot or (row in for_some and shared_cents)
        ]
        yield Award(
            number=entry.number,
            place=place,
            cents=cents + share + (index < left_cents),
            goods=tuple(row.pk for row in lines if row.text and (row in for_each or row in by_lot)),
            lines=tuple(row.pk for row in lines),
            shared=len(sharers),
            by_lot=any(row.text for row in for_some),
        )
