"""Sums of a tournament's cash book, in cents: what was taken, is owed, is to be returned."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
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


AMOUNT: Final = re.compile(
    r"(-?) *(?:([0-9]{1,3}(?:([ .,'\u2019])[0-9]{3})(?:\3[0-9]{3})*)|([0-9]+))"
    r"(?:([.,])([0-9]{1,2}))?"
)
"""An amount: its sign, digits in groups of three with their separator, or without; decimals."""

CURRENCY: Final = re.compile(r"€|\b(?:eur|euros?)\b\.?", re.IGNORECASE)


def read_cents(text: str) -> int:
    """Return the cents of an amount in euros as people write it; raises ValueError.

    Three digits behind a separator are thousands, since an amount has no more than two decimals.

    >>> [read_cents(text) for text in ("10 €", "20,-", "12,5", "0.50", "-5")]
    [1000, 2000, 1250, 50, -500]
    >>> [read_cents(text) for text in ("1 000", "1.000", "1.000,50", "1,000.50 EUR")]
    [100000, 100000, 100050, 100050]
    >>> read_cents("1e3")
    Traceback (most recent call last):
    ...
    ValueError: no amount: 1e3
    """
    plain = " ".join(CURRENCY.sub(" ", text).replace("\u2212", "-").split())
    plain = re.sub(r" ?[.,] ?[-\u2013\u2014]+$", "", plain)
    found = AMOUNT.fullmatch(plain)
    if found is None or (found[3] and found[3] == found[5]):
        raise ValueError(f"no amount: {text}")
    whole = int(re.sub(r"[^0-9]", "", found[2] or found[4]))
    cents = whole * 100 + int((found[6] or "").ljust(2, "0"))
    return -cents if found[1] else cents


class MoneyState(StrEnum):
    """What a payer is shown about a fee; ``PART`` is paid or waived in part."""

    NOTHING = "nothing"
    OWED = "owed"
    PART = "part"
    PAID = "paid"
    WAIVED = "waived"
    TO_RETURN = "to_return"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class Balance:
    """What a payer owes, in cents: ``taken`` is what was paid less what was ``returned``.

    >>> Balance(due=2000, taken=500).owed, Balance(due=2000, waived=2000).owed
    (1500, 0)

    Too much paid is to be returned, also what was paid before it was waived; a waiver is not.

    >>> Balance(due=2000, taken=2500).to_return, Balance(2000, taken=2000, waived=2000).to_return
    (500, 2000)
    >>> Balance(due=0, waived=2000).open
    0

    A payer without a place owes nothing, but may pay.

    >>> waiting = Balance(due=2000, has_place=False)
    >>> waiting.owed, waiting.payable
    (0, 2000)
    """

    due: int = 0
    taken: int = 0
    waived: int = 0
    returned: int = 0
    has_place: bool = True

    @property
    def payable(self) -> int:
        """What can still be paid, with a place or without."""
        return max(0, self._rest)

    @property
    def open(self) -> int:
        """What is owed, or below 0 what is to be returned."""
        return self._rest if self.has_place else min(0, self._rest)

    @property
    def owed(self) -> int:
        """What is still to be paid."""
        return max(0, self.open)

    @property
    def to_return(self) -> int:
        """What is to be paid back."""
        return max(0, -self.open)

    @property
    def state(self) -> MoneyState:
        """What is shown about the fee, in one word.

        >>> str(Balance(2000).state), str(Balance(2000, 500).state), str(Balance(2000, 2000).state)
        ('owed', 'part', 'paid')
        >>> str(Balance(2000, waived=2000).state), str(Balance(0, 2000).state)
        ('waived', 'to_return')
        >>> str(Balance(0, returned=2000).state), str(Balance(2000, has_place=False).state)
        ('returned', 'nothing')
        """
        if self.to_return:
            return MoneyState.TO_RETURN
        if self.payable and (self.taken or self.waived):
            return MoneyState.PART
        if self.owed:
            return MoneyState.OWED
        if self.taken:
            return MoneyState.PAID
        if self.returned:
            return MoneyState.RETURNED
        is_waived = self.waived > 0 and self.due > 0
        return MoneyState.WAIVED if is_waived else MoneyState.NOTHING

    @property
    def _rest(self) -> int:
        return max(0, self.due - self.waived) - self.taken


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


def balances(
    dues: Mapping[int, int], rows: Iterable[CashRow], without_place: Container[int] = ()
) -> dict[int, Balance]:
    """Return the balance of each payer in ``dues``; lines of others and prizes count for none.

    >>> found = balances({1: 2000, 2: 0}, [CashRow(PAID, 1000, 1), CashRow(PAID, 1000, 1)])
    >>> found[1].taken, found[2].taken
    (2000, 0)
    """
    lines: dict[int | None, list[CashRow]] = defaultdict(list)
    for row in rows:
        lines[row.payer].append(row)
    found = {}
    for payer, due in dues.items():
        sums = _by_kind(lines[payer])
        found[payer] = Balance(
            due=due,
            taken=sums[PAID] + sums[REFUND],
            waived=sums[WAIVED],
            returned=-sums[REFUND],
            has_place=payer not in without_place,
        )
    return found


def _by_kind(rows: Iterable[CashRow]) -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for row in rows:
        sums[row.kind] += row.cents
    return sums
