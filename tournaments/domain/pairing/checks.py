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
from tournaments.domain.pairing.base import Field, PairingReason
from tournaments.domain.pairing.numbering import displaced_entrants
from tournaments.domain.pairing.past import TWO_SIDES, StageHistory, stage_history
from tournaments.domain.pairing.swiss import join_values, shared_labels
from tournaments.domain.rows import Bye, Table

IMPOSSIBLE: Final = frozenset(
    {"check_twice", "check_missing", "check_not_here", "check_asked_bye", "check_sides"}
)
"""Codes of what cannot be published at all; the others are warnings."""

THREE: Final = 3
"""Sides of a full table where three play; four sit as two pairs."""


def objections(field: Field, tables: Sequence[Table]) -> tuple[PairingReason, ...]:
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
    before = StageHistory() if kind.is_endless else stage_history(field.stage, field.entrants)
    most = THREE if kind.seats == THREE else TWO_SIDES
    found = list(_attendance_objections(field, tables))
    if not (kind.in_brackets or kind.is_preset):
        found += _bye_objections(field, before, tables)
    for table in tables:
        if not 1 <= len(table.sides) <= most or not all(table.sides):
            found.append(PairingReason("check_sides", table.number, table.entrants))
        elif not table.is_bye:
            found += _table_objections(field, before, table)
    if not kind.same_deals:
        found += displaced_entrants(tables, field.entrants)
    return tuple(sorted(found, key=lambda why: (why.code not in IMPOSSIBLE, why.table)))


@dataclass(frozen=True, slots=True)
class MoveObjections:
    """What moves within a draft would break, by where entrants come to sit; the tables are 0.

    ``together``: two on different sides of a table. Of one: ``playing`` at a table with others,
    ``resting`` with a pairing bye, ``nowhere`` without a table.
    """

    together: tuple[PairingReason, ...] = ()
    playing: tuple[PairingReason, ...] = ()
    resting: tuple[PairingReason, ...] = ()
    nowhere: tuple[PairingReason, ...] = ()


def move_objections(field: Field, movable: Sequence[int]) -> MoveObjections:
    """Return what would break if the entrants that can be moved sat elsewhere.

    The same checks as those of :func:`objections`, asked for every two and every one: some four
    microseconds for each two.
    """
    kind = FORMATS[field.stage.format]
    before = StageHistory() if kind.is_endless else stage_history(field.stage, field.entrants)
    has_rests = not (kind.in_brackets or kind.is_preset)
    strangers = [
        PairingReason("check_not_here", 0, (who,)) for who in movable if not _is_here(field, who)
    ]
    bye_requests = [PairingReason("check_asked_bye", 0, (who,)) for who in field.byes]
    again = [
        _second_bye_objection(before, who, 0)
        for who in movable
        if has_rests and who in before.rests
    ]
    return MoveObjections(
        together=tuple(
            why
            for one, other in combinations(movable, TWO_SIDES)
            for why in _pair_objections(field, before, one, other, 0)
        ),
        playing=(*strangers, *bye_requests),
        resting=(*strangers, *bye_requests, *again),
        nowhere=tuple(PairingReason("check_missing", 0, (who,)) for who in field.here),
    )


def _is_here(field: Field, who: int) -> bool:
    return who in field.here or who in field.byes


def _attendance_objections(field: Field, tables: Sequence[Table]) -> Iterator[PairingReason]:
    seated = Counter(who for table in tables for who in table.entrants)
    reported: set[int] = set()
    for table in tables:
        for who in dict.fromkeys(table.entrants):
            if seated[who] > 1 and who not in reported:
                yield PairingReason("check_twice", table.number, (who,))
            if who in field.byes and not _is_asked_bye(field, table):
                yield PairingReason("check_asked_bye", table.number, (who,))
            elif not _is_here(field, who):
                yield PairingReason("check_not_here", table.number, (who,))
            reported.add(who)
    yield from (
        PairingReason("check_missing", 0, (who,)) for who in field.here if who not in seated
    )


def _is_asked_bye(field: Field, table: Table) -> bool:
    return table.is_bye and table.bye in {field.byes.get(who) for who in table.entrants}


def _bye_objections(
    field: Field, before: StageHistory, tables: Sequence[Table]
) -> Iterator[PairingReason]:
    resting = [table for table in tables if table.is_bye and not _is_asked_bye(field, table)]
    for table in resting:
        for who in table.entrants:
            if table.bye is Bye.PAIRING and who in before.rests:
                yield _second_bye_objection(before, who, table.number)
    idle = [table for table in resting if table.bye is Bye.PAIRING]
    for one, other in zip(idle[::2], idle[1::2], strict=False):
        yield PairingReason("check_two_byes", other.number, (*one.entrants, *other.entrants))


def _second_bye_objection(before: StageHistory, who: int, table: int) -> PairingReason:
    return PairingReason(
        "check_second_bye", table, (who,), {"rounds": join_values(before.rests[who])}
    )


def _table_objections(field: Field, before: StageHistory, table: Table) -> Iterator[PairingReason]:
    pairs = combinations(table.sides, TWO_SIDES)
    for one, other in (two for sides in pairs for two in product(*sides)):
        if one != other and {one, other} <= field.entrants.keys():
            yield from _pair_objections(field, before, one, other, table.number)


def _pair_objections(
    field: Field, before: StageHistory, one: int, other: int, table: int
) -> Iterator[PairingReason]:
    """Yield the rules that two break who sit on different sides of a table."""
    if met := before.meetings(one, other):
        yield PairingReason("check_rematch", table, (one, other), {"rounds": join_values(met)})
    ours, theirs = field.entrants[one], field.entrants[other]
    if ours.apart and theirs.apart and (labels := shared_labels(field, one, other)):
        yield PairingReason("check_apart", table, (one, other), {"labels": join_values(labels)})
    if ours.club and ours.club == theirs.club:
        yield PairingReason("check_club", table, (one, other), {"club": ours.club})
