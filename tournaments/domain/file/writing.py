"""Writing a tournament as its file: the same rows always give the same bytes."""

import json
from collections.abc import Mapping
from typing import Any, Final

from tournaments.domain.file.rules import jsonable, rules_to_dict
from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Entrant, Mark, Penalty, Round, Stage, Table, TournamentRows

FORMAT_NAME: Final = "baza-tournament/1"
"""What the file's ``format`` says."""

LINE: Final = 100
"""An object or a list that fits into this number of characters is written on one line."""

Document = dict[str, Any]


def document_of(rows: TournamentRows, *, explicit: bool = False) -> Document:
    """Return the file's contents; ``explicit`` writes out the rules that are the format's own."""
    return {
        "format": FORMAT_NAME,
        "name": rows.name,
        "entrants": [entrant_document(entrant) for entrant in rows.entrants],
        "stages": [_stage(stage, explicit=explicit) for stage in rows.stages],
    } | non_empty(
        ruleset=rows.ruleset,
        options=dict(rows.options),
        penalties=[penalty_document(penalty) for penalty in rows.penalties],
    )


def text_of(document: Mapping[str, Any]) -> str:
    """Return the canonical text: keys sorted, short things on one line, a line end at the end."""
    return _layout(document, 0, 0) + "\n"


def rows_to_bytes(rows: TournamentRows, *, explicit: bool = False) -> bytes:
    """Return the file of a tournament in UTF-8; reading it gives the same rows again."""
    return text_of(document_of(rows, explicit=explicit)).encode()


def entrant_document(entrant: Entrant) -> Document:
    """Return an entrant in the file's form."""
    return {"number": entrant.number} | non_empty(
        name=entrant.name,
        players=list(entrant.players),
        rating=_short(entrant.rating),
        club=entrant.club,
        apart=list(entrant.apart),
        joined=entrant.joined if entrant.joined != 1 else None,
        absences=[list(absence) for absence in entrant.absences],
        byes={str(round_): bye.value for round_, bye in entrant.byes},
        fixed_table=entrant.fixed_table or None,
    )


def round_document(round_: Round) -> Document:
    """Return a round as the file writes it."""
    return {
        "number": round_.number,
        "state": round_.state.value,
        "tables": [table_document(table) for table in round_.tables],
    }


def table_document(table: Table) -> Document:
    """Return a table as the file writes it."""
    return {
        "number": table.number,
        "sides": [list(side) for side in table.sides],
    } | non_empty(
        bye=table.bye.value if table.bye else None,
        **_marks(table.marks),
        forfeits=list(table.forfeits),
        decided=table.decided,
        boards=list(table.boards),
        board_points=[list(row) for row in table.board_points],
        pinned=table.pinned or None,
    )


def penalty_document(penalty: Penalty) -> Document:
    """Return a penalty as the file writes it."""
    return {"entrant": penalty.entrant, "round": penalty.round} | non_empty(
        match_points=jsonable(penalty.match_points) or None,
        hands=penalty.hands or None,
        points=penalty.points or None,
        reason=penalty.reason,
    )


def _stage(stage: Stage, *, explicit: bool) -> Document:
    defaults = None if explicit else FORMATS[stage.format].rules
    return {
        "number": stage.number,
        "format": stage.format,
        "entrants": list(stage.entrants),
        "rounds": [round_document(round_) for round_ in stage.rounds],
    } | non_empty(
        name=stage.name,
        rules=rules_to_dict(stage.rules, defaults),
        seed=stage.seed,
        drawn=stage.drawn,
        lots={str(entrant): lot for entrant, lot in stage.lots.items()},
    )


def _marks(marks: tuple[Mark, ...] | None) -> Document:
    if marks is None:
        return {}
    points = [mark.points for mark in marks]
    return {"hands": [mark.hands for mark in marks], "points": points if any(points) else None}


def non_empty(**fields: Any) -> Document:
    """Return the fields that say something: no empty text, list or object."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _short(number: float) -> int | float | None:
    return (int(number) if number == int(number) else number) or None


def _layout(value: Any, depth: int, before: int) -> str:
    """Write a value; ``before`` characters stand before it on its line."""
    flat = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if len(flat) + depth + before <= LINE or not value or not isinstance(value, dict | list):
        return flat
    indent = " " * (depth + 1)
    if isinstance(value, list):
        lines = [indent + _layout(item, depth + 1, 1) for item in value]
        return "[\n" + ",\n".join(lines) + "\n" + " " * depth + "]"
    lines = []
    for key in sorted(value):
        name = json.dumps(key, ensure_ascii=False) + ": "
        lines.append(indent + name + _layout(value[key], depth + 1, len(name) + 1))
    return "{\n" + ",\n".join(lines) + "\n" + " " * depth + "}"
