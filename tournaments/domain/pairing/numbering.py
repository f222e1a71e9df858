"""Numbers the tables of a round, so that entrants who keep a table sit at it in every round.

Some players cannot move about between rounds: their entrant has a table of its own
(`Entrant.fixed_table`), and the number is given to its match after the pairing, which it does not
change. Of two who want one number, or who meet and keep different tables, the entrant with the
lower number has its table; pinned tables keep their numbers before all others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from tournaments.domain.pairing.base import Draw, Field, PairingReason
from tournaments.domain.rows import Entrant, Table

MAX_FIXED_TABLE: Final = 999
"""The highest number of a table that can be kept."""


def free_numbers(tables: Iterable[Table]) -> Iterator[int]:
    """Yield the table numbers, from 1, that none of some tables has."""
    used = {table.number for table in tables}
    return (number for number in count(1) if number not in used)


def at_fixed_tables(draw: Draw, field: Field, *, same_deals: bool) -> Draw:
    """Return a round with the matches of entrants who keep a table at that table.

    The other matches keep their order on the lowest numbers that are left, byes come last. With
    ``same_deals`` the deals move from table to table by number, so the numbers stay as drawn.
    Reasons: ``fixed_table`` for one who sits there, those of :func:`displaced_entrants` for the
    others.
    """
    keeping = _fixed_entrants(draw.tables, field.entrants)
    if not keeping:
        return draw
    if same_deals:
        return replace(
            draw, whys=(*draw.whys, PairingReason("fixed_table_plan", 0, tuple(keeping)))
        )
    numbers = _numbers(draw.tables, field, keeping)
    moved = (replace(table, number=numbers[table.number]) for table in draw.tables)
    tables = tuple(sorted(moved, key=lambda table: (table.is_bye, table.number)))
    whys = [replace(why, table=numbers.get(why.table, why.table)) for why in draw.whys]
    away = displaced_entrants(tables, field.entrants)
    lost = {why.entrants[0] for why in away}
    whys += [
        PairingReason("fixed_table", keeping[who].fixed_table, (who,))
        for who in keeping
        if who not in lost
    ]
    return replace(draw, tables=tables, whys=(*whys, *away))


def displaced_entrants(
    tables: Sequence[Table], entrants: Mapping[int, Entrant]
) -> tuple[PairingReason, ...]:
    """Return who does not sit at the table that they keep, and why not; in order of their numbers.

    Codes: ``fixed_table_meets`` (the opponent keeps the table where they sit),
    ``fixed_table_taken`` (another who keeps it sits there), ``fixed_table_other`` (the organiser
    arranged or pinned it so). ``kept`` is the table that the first entrant keeps.
    """
    at = {who: table for table in tables for who in table.entrants}
    found = []
    for who, entrant in _fixed_entrants(tables, entrants).items():
        table, wanted = at[who], entrant.fixed_table
        if table.number == wanted:
            continue
        here = [one for one in table.entrants if entrants[one].fixed_table == table.number]
        there = [
            one
            for other in tables
            if other.number == wanted
            for one in other.entrants
            if one in entrants and entrants[one].fixed_table == wanted
        ]
        holders, code = here, "fixed_table_meets"
        if not here:
            holders, code = there, "fixed_table_taken" if there else "fixed_table_other"
        found.append(PairingReason(code, table.number, (who, *holders[:1]), {"kept": wanted}))
    return tuple(found)


def _fixed_entrants(tables: Iterable[Table], entrants: Mapping[int, Entrant]) -> dict[int, Entrant]:
    """Return the entrants of matches who keep a table, in order of their numbers."""
    playing = sorted(who for table in tables if not table.is_bye for who in table.entrants)
    return {who: entrants[who] for who in playing if who in entrants and entrants[who].fixed_table}


def _numbers(
    tables: Sequence[Table], field: Field, keeping: Mapping[int, Entrant]
) -> dict[int, int]:
    """Return the new number of each table by the number that it was drawn with."""
    at = {who: table.number for table in tables for who in table.entrants}
    numbers = {table.number: table.number for table in field.pinned}
    for who, entrant in keeping.items():
        if at[who] not in numbers and entrant.fixed_table not in numbers.values():
            numbers[at[who]] = entrant.fixed_table
    rest = [table for table in tables if table.number not in numbers]
    used = set(numbers.values())
    free = (number for number in count(1) if number not in used)
    matches = {table.number: next(free) for table in rest if not table.is_bye}
    numbers |= matches
    after = count(max(numbers.values(), default=0) + 1)
    return numbers | {table.number: next(after) for table in rest if table.is_bye}


def swapped_numbers(tables: Sequence[Table], entrants: Mapping[int, Entrant]) -> dict[int, int]:
    """Return the new numbers, by the old ones, of a round that was arranged by hand.

    Who keeps a table gets it by an exchange with the match there, so that as few tables as possible
    change; only changed numbers are returned.
    """
    at = {who: table.number for table in tables for who in table.entrants}
    numbers = {table.number: table.number for table in tables}
    settled = {table.number for table in tables if table.pinned}
    for who, entrant in _fixed_entrants(tables, entrants).items():
        there = next((old for old, new in numbers.items() if new == entrant.fixed_table), None)
        if at[who] in settled or there in settled:
            continue
        if there is not None:
            numbers[there] = numbers[at[who]]
        numbers[at[who]] = entrant.fixed_table
        settled.add(at[who])
    return {old: new for old, new in numbers.items() if old != new}
