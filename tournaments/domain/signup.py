"""Sign-up: the fee that a request owes, and whether a rank is within the places."""

from dataclasses import dataclass
from enum import StrEnum

PER_PERSON = "person"
"""The fee is due for each person; else for each entry."""


@dataclass(frozen=True, slots=True)
class Fee:
    """A fee in cents; members pay ``member_cents``, where it is set."""

    cents: int = 0
    per: str = "entry"
    member_cents: int | None = None


def due_cents(fee: Fee, *, people: int, seats: int, members: int = 0) -> int:
    """Return what a request of ``people`` owes, ``members`` of them members of the club.

    A fee for each entry is that of members where all are members; half a pair owes half of it,
    rounded up.

    >>> due_cents(Fee(2000), people=2, seats=2), due_cents(Fee(1505), people=1, seats=2)
    (2000, 753)
    >>> due_cents(Fee(1000, "person", 600), people=2, seats=2, members=1)
    1600
    """
    reduced = fee.cents if fee.member_cents is None else fee.member_cents
    members = min(members, people)
    if fee.per == PER_PERSON:
        return members * reduced + (people - members) * fee.cents
    whole = reduced if members == people else fee.cents
    return -(-whole * people // seats)


def is_in(rank: int, places: int | None) -> bool:
    """Return whether a rank, counted from 1, is within the places; None: there is no limit.

    >>> is_in(64, 64), is_in(65, 64), is_in(900, None)
    (True, False, True)
    """
    return places is None or rank <= places


class Letter(StrEnum):
    """The kind of a letter to the people of a request."""

    NOTED = "noted"
    IN = "in"
    MOVED = "moved"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class News:
    """What a letter says: whether the request has a place, the days, whether it is cancelled.

    ``days`` are times and dates in ISO 8601.
    """

    is_in: bool
    days: tuple[str, ...] = ()
    cancelled: bool = False


def letter_of(told: News | None, now: News) -> Letter | None:
    """Return which letter is due to people who know ``told``; None: there is nothing to say.

    What came and went again since the last letter needs none.

    >>> waiting, placed = News(is_in=False), News(is_in=True)
    >>> [letter_of(*pair) for pair in ((None, placed), (waiting, placed), (placed, waiting))]
    [<Letter.NOTED: 'noted'>, <Letter.IN: 'in'>, None]
    """
    if now.cancelled:
        return None if told is not None and told.cancelled else Letter.CANCELLED
    if told is None or told.cancelled:  # it takes place after all
        return Letter.NOTED
    if told.days != now.days:
        return Letter.MOVED
    return Letter.IN if now.is_in and not told.is_in else None
