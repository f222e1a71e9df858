"""What an outdated draft was changed in by hand, and how it would be drawn now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from tournaments.core.errors import Reason, Refusal
from tournaments.core.faults import DRAW_FAULTS, WAITING_FOR
from tournaments.domain.beside import tables_in_use
from tournaments.domain.drafts import draw_again
from tournaments.domain.pairing import CannotDraw
from tournaments.domain.rows import Bye, Table, TournamentRows
from tournaments.models import Round


def is_by_hand(draft: Round) -> bool:
    """Return whether a draft, read with its matches, was changed by hand: places, pins, byes."""
    changed = any(match.edited or match.pinned for match in draft.matches.all())
    return changed or bool(draft.drawn.get("parted"))


def tables_kept(draft: Round) -> tuple[Table, ...]:
    """Return the tables that were pinned when a draft was drawn, as they were then."""
    return tuple(
        Table(number, tuple(map(tuple, sides)), Bye(bye) if bye else None, boards=tuple(boards))
        for number, sides, bye, boards in draft.drawn.get("kept", ())
    )


def tables_around(rows: TournamentRows, stage: int, draft: Round | None) -> frozenset[int]:
    """Return the tables of other stages that a draft has to leave to them.

    Those that it was numbered around stay, so that it is not drawn otherwise once they are free.
    """
    before = () if draft is None else draft.drawn.get("in_use", ())
    return tables_in_use(rows, stage) | frozenset(before)


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table by its names; without a second side it is a bye."""

    number: int
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftDifferences:
    """The tables in which an outdated draft and the draw of now differ.

    ``refusal`` says why it cannot be drawn now, if it cannot.
    """

    draft: tuple[NamedTable, ...] = ()
    now: tuple[NamedTable, ...] = ()
    refusal: str = ""


def draft_differences(
    rows: TournamentRows, draft: Round, tables: Sequence[Table]
) -> DraftDifferences:
    """Return what would change in the tables of a draft if it were drawn again now."""
    names = rows.shown_names
    pinned_tables = [table for table in tables if table.pinned]
    in_use = tables_around(rows, draft.stage.number, draft)
    try:
        draw, _ = draw_again(rows, draft.number, draft.stage.number, pinned_tables, in_use)
    except CannotDraw as refusal:
        return DraftDifferences(refusal=draw_refusal(refusal, names).message)
    before, now = (
        {(table.sides, table.bye): table for table in of} for of in (tables, draw.tables)
    )
    return DraftDifferences(
        draft=tuple(_named(table, names) for key, table in before.items() if key not in now),
        now=tuple(_named(table, names) for key, table in now.items() if key not in before),
    )


def _named(table: Table, names: Mapping[int, str]) -> NamedTable:
    sides = (" + ".join(names.get(n, str(n)) for n in side) for side in table.sides)
    return NamedTable(table.number, tuple(sides))


def draw_refusal(refusal: CannotDraw, names: Mapping[int, str]) -> Refusal:
    """Return the refusal of a round that cannot be drawn, with the names of the entries."""
    facts = dict(refusal.facts)
    if "entrants" in facts:
        facts["entrants"] = ", ".join(names.get(n, str(n)) for n in facts["entrants"])
    text = DRAW_FAULTS[refusal.code]
    if refusal.code == "waiting" and facts.get("tables"):
        table = gettext("Round %(round)s, table %(table)s")
        labels = [
            table % {"round": number, "table": table_number}
            for number, table_number in facts["tables"]
        ]
        text, facts["tables"] = WAITING_FOR, "; ".join(labels)
    return Refusal(Reason.CANNOT_DRAW, why=str(text) % facts)
