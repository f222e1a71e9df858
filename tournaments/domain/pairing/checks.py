"""Checks a round that was arranged by hand against the rules of its format.

The rules are those of the draw. An arbiter may have reasons to break all but the
:data:`IMPOSSIBLE`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import Field, PairingReason
from tournaments.domain.pairing.numbering import displaced_entrants
from tournaments.domain.pairing.past import TWO_SIDES, StageHistory, stage_history
from tournaments.domain.pairing.swiss import join_values, shared_labels
from tournaments.domain.pairing.threes import seats_of
from tournaments.domain.rows import Bye, Table

NOT_QUALIFIED: Final = "check_not_qualified"
"""The code of an entrant who does not qualify for the stage (`domain.drafts.draft_objections`)."""

OTHER_BOARD: Final = "check_other_board"
"""The code of an entrant who plays in another stage at the same time."""

IMPOSSIBLE: Final = frozenset(
    {
        "check_asked_bye",
        "check_missing",
        "check_not_here",
        "check_person_twice",
        "check_sides",
        "check_twice",
        NOT_QUALIFIED,
        OTHER_BOARD,
    }
)
"""Codes of what cannot be published at all; the others are warnings. ``check_person_twice`` (one
person at two tables) comes from who sits for the entries, not from these rows."""

"""Sides of a full table where three play; four sit as two pairs."""


def objections(field: Field, tables: Sequence[Table]) -> tuple[PairingReason, ...]:
    """Return the rules that a round breaks: first the impossible, then by table; empty when fine.

    Codes: ``check_twice`` (at two tables, or twice at one), ``check_missing`` (at none; the table
    is 0), ``check_not_here`` (away, out or unknown), ``check_asked_bye`` (has a bye and is paired),
    ``check_sides`` (more sides than the format seats, too few to play, or none),
    ``check_rematch`` (``rounds``), ``check_apart`` (``labels``), ``check_club`` (``club``),
    ``check_second_bye`` (``rounds``), ``check_two_byes`` (these two could play), ``check_deals``
    (has played ``deals`` of its table before, in ``rounds``), and those of `numbering.displaced`.
    Where a tree or a schedule says who byes, byes are not reported; in rounds without end, neither
    are earlier meetings.
    """
    kind = FORMATS[field.stage.format]
    before = StageHistory() if kind.is_endless else stage_history(field.stage, field.entrants)
    max_sides = seats_of(field.stage.rules) if kind.seats == 3 else TWO_SIDES
    min_sides = kind.seats if field.stage.rules.table_size else TWO_SIDES
    allowed = {1, *range(min_sides, max_sides + 1)}
    reasons = list(_attendance_objections(field, tables))
    if not (kind.in_brackets or kind.is_preset):
        reasons += _bye_objections(field, before, tables)
    played = _deals_played(field)
    for table in tables:
        if len(table.sides) not in allowed or not all(table.sides):
            reasons.append(PairingReason("check_sides", table.number, table.entrants))
        elif not table.is_bye:
            reasons += _table_objections(field, before, table)
            reasons += _deal_objections(played, table, table.entrants)
    if not kind.same_deals:
        reasons += displaced_entrants(tables, field.entrants)
    return tuple(sorted(reasons, key=lambda reason: (reason.code not in IMPOSSIBLE, reason.table)))


@dataclass(frozen=True, slots=True)
class MoveObjections:
    """What moves within a draft would break, by where entrants come to sit; the tables are 0.

    ``together``: two on different sides of a table. Of one: ``playing`` at a table with others,
    ``resting`` with a pairing bye, ``nowhere`` without a table; ``deals`` at the reason's table.
    """

    together: tuple[PairingReason, ...] = ()
    playing: tuple[PairingReason, ...] = ()
    resting: tuple[PairingReason, ...] = ()
    nowhere: tuple[PairingReason, ...] = ()
    deals: tuple[PairingReason, ...] = ()


def move_objections(
    field: Field, movable: Sequence[int], tables: Sequence[Table] = ()
) -> MoveObjections:
    """Return what would break if the entrants that can be moved sat elsewhere.

    The same checks as those of :func:`objections`, asked for every two and every one: some four
    microseconds for each two.
    """
    kind = FORMATS[field.stage.format]
    before = StageHistory() if kind.is_endless else stage_history(field.stage, field.entrants)
    counts_byes = not (kind.in_brackets or kind.is_preset)
    played = _deals_played(field)
    strangers = [
        PairingReason("check_not_here", 0, (entrant,))
        for entrant in movable
        if not _is_here(field, entrant)
    ]
    bye_requests = [PairingReason("check_asked_bye", 0, (entrant,)) for entrant in field.byes]
    second_byes = [
        _second_bye_objection(before, entrant, 0)
        for entrant in movable
        if counts_byes and entrant in before.byes
    ]
    return MoveObjections(
        together=tuple(
            reason
            for entrant, other in combinations(movable, TWO_SIDES)
            for reason in _pair_objections(field, before, entrant, other, 0)
        ),
        playing=(*strangers, *bye_requests),
        resting=(*strangers, *bye_requests, *second_byes),
        nowhere=tuple(PairingReason("check_missing", 0, (entrant,)) for entrant in field.present),
        deals=tuple(
            reason for table in tables for reason in _deal_objections(played, table, movable)
        ),
    )


def _is_here(field: Field, entrant: int) -> bool:
    return entrant in field.present or entrant in field.byes


def _attendance_objections(field: Field, tables: Sequence[Table]) -> Iterator[PairingReason]:
    seat_counts = Counter(entrant for table in tables for entrant in table.entrants)
    reported: set[int] = set()
    for table in tables:
        for entrant in dict.fromkeys(table.entrants):
            if seat_counts[entrant] > 1 and entrant not in reported:
                yield PairingReason("check_twice", table.number, (entrant,))
            if entrant in field.byes and not _is_asked_bye(field, table):
                yield PairingReason("check_asked_bye", table.number, (entrant,))
            elif not _is_here(field, entrant):
                yield PairingReason("check_not_here", table.number, (entrant,))
            reported.add(entrant)
    yield from (
        PairingReason("check_missing", 0, (entrant,))
        for entrant in field.present
        if entrant not in seat_counts
    )


def _is_asked_bye(field: Field, table: Table) -> bool:
    return table.is_bye and table.bye in {field.byes.get(entrant) for entrant in table.entrants}


def _bye_objections(
    field: Field, before: StageHistory, tables: Sequence[Table]
) -> Iterator[PairingReason]:
    bye_tables = [table for table in tables if table.is_bye and not _is_asked_bye(field, table)]
    for table in bye_tables:
        for entrant in table.entrants:
            if table.bye is Bye.PAIRING and entrant in before.byes:
                yield _second_bye_objection(before, entrant, table.number)
    idle = [table for table in bye_tables if table.bye is Bye.PAIRING]
    for idle_table, other in zip(idle[::2], idle[1::2], strict=False):
        yield PairingReason("check_two_byes", other.number, (*idle_table.entrants, *other.entrants))


def _second_bye_objection(before: StageHistory, entrant: int, table: int) -> PairingReason:
    return PairingReason(
        "check_second_bye", table, (entrant,), {"rounds": join_values(before.byes[entrant])}
    )


def _table_objections(field: Field, before: StageHistory, table: Table) -> Iterator[PairingReason]:
    pairs = combinations(table.sides, TWO_SIDES)
    for entrant, other in (two for sides in pairs for two in product(*sides)):
        if entrant != other and {entrant, other} <= field.entrants.keys():
            yield from _pair_objections(field, before, entrant, other, table.number)


def _deals_played(field: Field) -> Mapping[tuple[int, int], int]:
    """Return the rounds in which deals were at the table of an entrant, by entrant and deal."""
    return {
        (entrant, board): round_
        for round_, table in field.stage.tables()
        for entrant in table.entrants
        for board in table.boards
    }


def _deal_objections(
    played: Mapping[tuple[int, int], int], table: Table, entrants: Iterable[int]
) -> Iterator[PairingReason]:
    """Yield the entrants who would play deals of the table again."""
    for entrant in entrants:
        again = [board for board in table.boards if (entrant, board) in played]
        if again:
            rounds = sorted({played[entrant, board] for board in again})
            facts = {"deals": join_values(again), "rounds": join_values(rounds)}
            yield PairingReason("check_deals", table.number, (entrant,), facts)


def _pair_objections(
    field: Field, before: StageHistory, entrant: int, other: int, table: int
) -> Iterator[PairingReason]:
    """Yield the rules that two break who sit on different sides of a table."""
    if rounds_met := before.meetings(entrant, other):
        yield PairingReason(
            "check_rematch", table, (entrant, other), {"rounds": join_values(rounds_met)}
        )
    player, opponent = field.entrants[entrant], field.entrants[other]
    if player.apart and opponent.apart and (labels := shared_labels(field, entrant, other)):
        yield PairingReason("check_apart", table, (entrant, other), {"labels": join_values(labels)})
    if player.club and player.club == opponent.club:
        yield PairingReason("check_club", table, (entrant, other), {"club": player.club})
