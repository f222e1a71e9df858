"""What a change of a draft by hand may break."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import Field
from tournaments.domain.pairing.checks import objections
from tournaments.domain.rows import Round, Table


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule of pairing that a table breaks; ``table`` is 0 where it is about the whole round."""

    rule: str
    table: int
    entrants: tuple[int, ...]


RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "check_missing": "without_table",
        "check_not_here": "not_here",
        "check_asked_bye": "asked_bye",
        "check_rematch": "rematch",
        "check_apart": "apart",
        "check_second_bye": "second_bye",
    }
)
"""The rules that count here, by the code of the objection; two of one club may well meet."""


def breaches(field_: Field, round_: Round, tables: Iterable[Table]) -> Iterator[Breach]:
    """Yield what is wrong with some tables of a round, and who of those here sits at none.

    Where a schedule says who meets whom, how often is its own affair.
    """
    looked_at = {0, *(table.number for table in tables)}
    preset = FORMATS[field_.stage.format].is_preset
    for reason in objections(field_, tuple(without_result(table) for table in round_.tables)):
        rule = RULES.get(reason.code)
        if rule is None or reason.table not in looked_at or (rule == "rematch" and preset):
            continue
        yield Breach(rule, reason.table, reason.entrants)


def without_result(table: Table) -> Table:
    """Return a table as it was before it was played."""
    return Table(table.number, table.sides, bye=table.bye, boards=table.boards)
