"""Sums of a tournament's cash book, in cents: what was taken, is owed, is to be returned."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

PAID: Final = "paid"
REFUND: Final = "refund"
WAIVED: Final = "waived"
PRIZE: Final = "prize"


@dataclass(frozen=True, slots=True)
class CashRow:
    """A line of the cash book. A reversal has the kind and the opposite amount of its line.

    ``payer`` identifies who paid, was paid back or need not pay; None: nobody who signed up.
    """

    kind: str
    cents: int
    payer: int | None = None
    day: date = date.min


@dataclass(frozen=True, slots=True)
class Balance:
    """What a payer owes, in cents: ``taken`` is what was paid less what was returned.

    >>> Balance(due=2000, taken=500).owed, Balance(due=2000, waived=2000).owed
    (1500, 0)

    Too much paid is to be returned, also what was paid before it was waived; a waiver is not.

    >>> Balance(due=2000, taken=2500).to_return, Balance(2000, taken=2000, waived=2000).to_return
    (500, 2000)
    >>> Balance(due=0, waived=2000).open
    0
    """

    due: int = 0
    taken: int = 0
    waived: int = 0

    @property
    def open(self) -> int:
        """What is owed, or below 0 what is to be returned."""
        return max(0, self.due - self.waived) - self.taken

    @property
    def owed(self) -> int:
        """What is still to be paid."""
        return max(0, self.open)

    @property
    def to_return(self) -> int:
        """What is to be paid back."""
        return max(0, -self.open)


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of the cash book: ``paid`` and ``waived`` above 0, ``returned`` and ``prizes`` too.

    >>> rows = [CashRow(PAID, 2000, 1), CashRow(PAID, 2000, 2), CashRow(REFUND, -2000, 2)]
    >>> totals_of([*rows, CashRow(WAIVED, 2000, 3), CashRow(PRIZE, -500)])
    Totals(paid=4000, returned=2000, waived=2000, prizes=500)
    >>> totals_of(rows).takings, totals_of([*rows, CashRow(PAID, -2000, 1)]).takings
    (2000, 0)
    """

    paid: int = 0
    returned: int = 0
    waived: int = 0
    prizes: int = 0

    @property
    def takings(self) -> int:
        """What was paid less what was returned."""
        return self.paid - self.returned

    @property
    def in_hand(self) -> int:
        """What is left of the takings once the prizes are paid."""
        return self.takings - self.prizes


def totals_of(rows: Iterable[CashRow]) -> Totals:
    """Return the sums of lines of the cash book."""
    sums = _by_kind(rows)
    return Totals(sums[PAID], -sums[REFUND], sums[WAIVED], -sums[PRIZE])


def totals_by_day(rows: Iterable[CashRow]) -> tuple[tuple[date, Totals], ...]:
    """Return the sums of each day on which something was noted, in order."""
    days: dict[date, list[CashRow]] = defaultdict(list)
    for row in rows:
        days[row.day].append(row)
    return tuple((day, totals_of(days[day])) for day in sorted(days))


def balances(dues: Mapping[int, int], rows: Iterable[CashRow]) -> dict[int, Balance]:
    """Return the balance of each payer in ``dues``; lines of others and prizes count for none.

    >>> balances({1: 2000, 2: 0}, [CashRow(PAID, 1000, 1), CashRow(PAID, 1000, 1)])
    {1: Balance(due=2000, taken=2000, waived=0), 2: Balance(due=0, taken=0, waived=0)}
    """
    lines: dict[int | None, list[CashRow]] = defaultdict(list)
    for row in rows:
        lines[row.payer].append(row)
    found = {}
    for payer, due in dues.items():
        sums = _by_kind(lines[payer])
        found[payer] = Balance(due, sums[PAID] + sums[REFUND], sums[WAIVED])
    return found


def _by_kind(rows: Iterable[CashRow]) -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for row in rows:
        sums[row.kind] += row.cents
    return sums
