"""Checks a round that was arranged by hand against the rules of its format.

The rules are those of the draw. An arbiter may have reasons to break all but the
:data:`IMPOSSIBLE`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import Field, Why
from tournaments.domain.pairing.numbering import displaced
from tournaments.domain.pairing.past import TWO_SIDES, Past, past
from tournaments.domain.pairing.swiss import listed, shared_labels
from tournaments.domain.rows import Bye, Table

IMPOSSIBLE: Final = frozenset(
    {"check_twice", "check_missing", "check_not_here", "check_asked_bye", "check_sides"}
)
"""Codes of what cannot be published at all; the others are warnings."""

THREE: Final = 3
"""Sides of a full table where three play; four sit as two pairs."""


def objections(field: Field, tables: Sequence[Table]) -> tuple[Why, ...]:
    """Return the rules that a round breaks: first the impossible, then by table; empty when fine.

    Codes: ``check_twice`` (at two tables, or twice at one), ``check_missing`` (at none; the table
    is 0), ``check_not_here`` (away, out or unknown), ``check_asked_bye`` (has a bye and is paired),
    ``check_sides`` (more sides than the format seats, or none), ``check_rematch`` (``rounds``),
    ``check_apart`` (``labels``), ``check_club`` (``club``), ``check_second_bye`` (``rounds``),
    ``check_two_byes`` (these two could play), and those of `numbering.displaced`. Where a tree or a
    schedule says who rests, rests are not reported; in rounds without end, neither are earlier
    meetings.
    """
    kind = FORMATS[field.stage.format]
    before = Past() if kind.is_endless else past(field.stage, field.entrants)
    most = THREE if kind.seats == THREE else TWO_SIDES
    found = list(_attendance(field, tables))
    if not (kind.in_brackets or kind.is_preset):
        found += _rests(field, before, tables)
    for table in tables:
        if not 1 <= len(table.sides) <= most or not all(table.sides):
            found.append(Why("check_sides", table.number, table.entrants))
        elif not table.is_bye:
            found += _meeting(field, before, table)
    if not kind.same_deals:
        found += displaced(tables, field.entrants)
    return tuple(sorted(found, key=lambda why: (why.code not in IMPOSSIBLE, why.table)))


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What moves within a draft would break, by where entrants come to sit; the tables are 0.

    ``together``: two on different sides of a table. Of one: ``playing`` at a table with others,
    ``resting`` with a pairing bye, ``nowhere`` without a table.
    """

    together: tuple[Why, ...] = ()
    playing: tuple[Why, ...] = ()
    resting: tuple[Why, ...] = ()
    nowhere: tuple[Why, ...] = ()


def foreseen(field: Field, movable: Sequence[int]) -> Foreseen:
    """Return what would break if the entrants that can be moved sat elsewhere.

    The same checks as those of :func:`objections`, asked for every two and every one: some four
    microseconds for each two.
    """
    kind = FORMATS[field.stage.format]
    before = Past() if kind.is_endless else past(field.stage, field.entrants)
    has_rests = not (kind.in_brackets or kind.is_preset)
    strangers = [Why("check_not_here", 0, (who,)) for who in movable if not _is_here(field, who)]
    bye_requests = [Why("check_asked_bye", 0, (who,)) for who in field.byes]
    again = [_second_bye(before, who, 0) for who in movable if has_rests and who in before.rests]
    return Foreseen(
        together=tuple(
            why
            for one, other in combinations(movable, TWO_SIDES)
            for why in _between(field, before, one, other, 0)
        ),
        playing=(*strangers, *bye_requests),
        resting=(*strangers, *bye_requests, *again),
        nowhere=tuple(Why("check_missing", 0, (who,)) for who in field.here),
    )


def _is_here(field: Field, who: int) -> bool:
    return who in field.here or who in field.byes


def _attendance(field: Field, tables: Sequence[Table]) -> Iterator[Why]:
    seated = Counter(who for table in tables for who in table.entrants)
    reported: set[int] = set()
    for table in tables:
        for who in dict.fromkeys(table.entrants):
            if seated[who] > 1 and who not in reported:
                yield Why("check_twice", table.number, (who,))
            if who in field.byes and not _is_asked_bye(field, table):
                yield Why("check_asked_bye", table.number, (who,))
            elif not _is_here(field, who):
                yield Why("check_not_here", table.number, (who,))
            reported.add(who)
    yield from (Why("check_missing", 0, (who,)) for who in field.here if who not in seated)


def _is_asked_bye(field: Field, table: Table) -> bool:
    return table.is_bye and table.bye in {field.byes.get(who) for who in table.entrants}


def _rests(field: Field, before: Past, tables: Sequence[Table]) -> Iterator[Why]:
    resting = [table for table in tables if table.is_bye and not _is_asked_bye(field, table)]
    for table in resting:
        for who in table.entrants:
            if table.bye is Bye.PAIRING and who in before.rests:
                yield _second_bye(before, who, table.number)
    idle = [table for table in resting if table.bye is Bye.PAIRING]
    for one, other in zip(idle[::2], idle[1::2], strict=False):
        yield Why("check_two_byes", other.number, (*one.entrants, *other.entrants))


def _second_bye(before: Past, who: int, table: int) -> Why:
    return Why("check_second_bye", table, (who,), {"rounds": listed(before.rests[who])})


def _meeting(field: Field, before: Past, table: Table) -> Iterator[Why]:
    pairs = combinations(table.sides, TWO_SIDES)
    for one, other in (two for sides in pairs for two in product(*sides)):
        if one != other and {one, other} <= field.entrants.keys():
            yield from _between(field, before, one, other, table.number)


def _between(field: Field, before: Past, one: int, other: int, table: int) -> Iterator[Why]:
    """Yield the rules that two break who sit on different sides of a table."""
    if met := before.meetings(one, other):
        yield Why("check_rematch", table, (one, other), {"rounds": listed(met)})
    ours, theirs = field.entrants[one], field.entrants[other]
    if ours.apart and theirs.apart and (labels := shared_labels(field, one, other)):
        yield Why("check_apart", table, (one, other), {"labels": listed(labels)})
    if ours.club and ours.club == theirs.club:
        yield Why("check_club", table, (one, other), {"club": ours.club})
