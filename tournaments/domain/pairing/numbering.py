"""Numbers the tables of a round, so that entrants who keep a table sit at it in every round.

Some players cannot move about between rounds: their entrant has a table of its own
(`Entrant.fixed_table`), and the number is given to its match after the pairing, which it does not
change. Of two who want one number, or who meet and keep different tables, the entrant with the
lower number has its table; pinned tables keep their numbers before all others.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from tournaments.domain.pairing.base import Draw, Field, PairingReason
from tournaments.domain.rows import Entrant, Table


def free_numbers(tables: Iterable[Table]) -> Iterator[int]:
    """Yield the table numbers, from 1, that none of some tables has."""
    used = {table.number for table in tables}
    return (number for number in count(1) if number not in used)


def at_fixed_tables(draw: Draw, field: Field, before: int = 0, *, same_deals: bool) -> Draw:
    """Return a round with the matches of entrants who keep a table at that table.

    The other matches keep their order on the lowest numbers that are left after ``before``, those
    of the stages that are played beside this one; byes come last. With
    ``same_deals`` the deals move from table to table by number, so the numbers stay as drawn.
    Reasons: ``fixed_table`` for one who sits there, those of :func:`displaced_entrants` for the
    others.
    """
    keeping = _fixed_entrants(draw.tables, field.entrants)
    if not keeping:
        return draw
    if same_deals:
        return replace(
            draw, reasons=(*draw.reasons, PairingReason("fixed_table_plan", 0, tuple(keeping)))
        )
    numbers = _numbers(draw.tables, field, keeping, before)
    moved_tables = (replace(table, number=numbers[table.number]) for table in draw.tables)
    tables = tuple(sorted(moved_tables, key=lambda table: (table.is_bye, table.number)))
    reasons = [
        replace(reason, table=numbers.get(reason.table, reason.table)) for reason in draw.reasons
    ]
    away = displaced_entrants(tables, field.entrants)
    displaced_numbers = {reason.entrants[0] for reason in away}
    reasons += [
        PairingReason("fixed_table", keeping[entrant_number].fixed_table, (entrant_number,))
        for entrant_number in keeping
        if entrant_number not in displaced_numbers
    ]
    return replace(draw, tables=tables, reasons=(*reasons, *away))


def off_tables_in_use(draw: Draw, field: Field, in_use: Collection[int]) -> Draw:
    """Return a round with the matches whose tables are in use in other stages after all others.

    Pinned tables and those of entrants who keep one stay.
    """
    pinned = {table.number for table in field.pinned_tables}
    keeping = _fixed_entrants(draw.tables, field.entrants)
    moving = [
        table.number
        for table in draw.tables
        if table.number in in_use
        and table.number not in pinned
        and not table.is_bye
        and all(keeping[n].fixed_table != table.number for n in table.entrants if n in keeping)
    ]
    if not moving:
        return draw
    after = count(max([*in_use, *(table.number for table in draw.tables)]) + 1)
    numbers = dict(zip(moving, after, strict=False))
    tables = (
        replace(table, number=numbers.get(table.number, table.number)) for table in draw.tables
    )
    return replace(
        draw,
        tables=tuple(sorted(tables, key=lambda table: (table.is_bye, table.number))),
        reasons=tuple(
            replace(reason, table=numbers.get(reason.table, reason.table))
            for reason in draw.reasons
        ),
        in_use=tuple(sorted(in_use)),
    )


def displaced_entrants(
    tables: Sequence[Table], entrants: Mapping[int, Entrant]
) -> tuple[PairingReason, ...]:
    """Return who does not sit at the table that they keep, and why not; in order of their numbers.

    Codes: ``fixed_table_meets`` (the opponent keeps the table where they sit),
    ``fixed_table_taken`` (another who keeps it sits there), ``fixed_table_other`` (the organiser
    arranged or pinned it so). ``kept`` is the table that the first entrant keeps.
    """
    tables_by_entrant = {
        entrant_number: table for table in tables for entrant_number in table.entrants
    }
    reasons = []
    for entrant_number, entrant in _fixed_entrants(tables, entrants).items():
        table, fixed_table = tables_by_entrant[entrant_number], entrant.fixed_table
        if table.number == fixed_table:
            continue
        table_holders = [
            holder for holder in table.entrants if entrants[holder].fixed_table == table.number
        ]
        target_holders = [
            holder
            for other in tables
            if other.number == fixed_table
            for holder in other.entrants
            if holder in entrants and entrants[holder].fixed_table == fixed_table
        ]
        holders, code = table_holders, "fixed_table_meets"
        if not table_holders:
            holders, code = (
                target_holders,
                "fixed_table_taken" if target_holders else "fixed_table_other",
            )
        reasons.append(
            PairingReason(code, table.number, (entrant_number, *holders[:1]), {"kept": fixed_table})
        )
    return tuple(reasons)


def _fixed_entrants(tables: Iterable[Table], entrants: Mapping[int, Entrant]) -> dict[int, Entrant]:
    """Return the entrants of matches who keep a table, in order of their numbers."""
    playing = sorted(number for table in tables if not table.is_bye for number in table.entrants)
    return {
        number: entrants[number]
        for number in playing
        if number in entrants and entrants[number].fixed_table
    }


def _numbers(
    tables: Sequence[Table], field: Field, keeping: Mapping[int, Entrant], before: int
) -> dict[int, int]:
    """Return the new number of each table by the number that it was drawn with."""
    table_numbers = {
        entrant_number: table.number for table in tables for entrant_number in table.entrants
    }
    numbers = {table.number: table.number for table in field.pinned_tables}
    for entrant_number, entrant in keeping.items():
        if (
            table_numbers[entrant_number] not in numbers
            and entrant.fixed_table not in numbers.values()
        ):
            numbers[table_numbers[entrant_number]] = entrant.fixed_table
    rest = [table for table in tables if table.number not in numbers]
    used = set(numbers.values())
    spare_numbers = (number for number in count(before + 1) if number not in used)
    matches = {table.number: next(spare_numbers) for table in rest if not table.is_bye}
    numbers |= matches
    after = count(max(numbers.values(), default=0) + 1)
    return numbers | {table.number: next(after) for table in rest if table.is_bye}


def swapped_numbers(tables: Sequence[Table], entrants: Mapping[int, Entrant]) -> dict[int, int]:
    """Return the new numbers, by the old ones, of a round that was arranged by hand.

    Who keeps a table gets it by an exchange with the match there, so that as few tables as possible
    change; only changed numbers are returned.
    """
    table_numbers = {
        entrant_number: table.number for table in tables for entrant_number in table.entrants
    }
    numbers = {table.number: table.number for table in tables}
    settled = {table.number for table in tables if table.pinned}
    for entrant_number, entrant in _fixed_entrants(tables, entrants).items():
        old_number = next((old for old, new in numbers.items() if new == entrant.fixed_table), None)
        if table_numbers[entrant_number] in settled or old_number in settled:
            continue
        if old_number is not None:
            numbers[old_number] = numbers[table_numbers[entrant_number]]
        numbers[table_numbers[entrant_number]] = entrant.fixed_table
        settled.add(table_numbers[entrant_number])
    return {old: new for old, new in numbers.items() if old != new}
