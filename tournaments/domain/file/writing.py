"""Writing a tournament as its file: the same rows always give the same bytes."""

import json
from collections.abc import Mapping
from typing import Any, Final

from tournaments.domain.file.codec import Document, to_json
from tournaments.domain.file.rules import rules_to_dict
from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Stage, TournamentRows

FORMAT_NAME: Final = "baza-tournament/1"
"""What the file's ``format`` says."""

LINE: Final = 100
"""An object or a list that fits into this number of characters is written on one line."""


def document_of(rows: TournamentRows, *, explicit: bool = False) -> Document:
    """Return the file's contents; ``explicit`` writes out the rules that are the format's own."""
    return {
        "format": FORMAT_NAME,
        "name": rows.name,
        "entrants": [to_json(entrant) for entrant in rows.entrants],
        "stages": [_stage(stage, explicit=explicit) for stage in rows.stages],
    } | non_empty(
        ruleset=rows.ruleset,
        options=dict(rows.options),
        penalties=[to_json(penalty) for penalty in rows.penalties],
    )


def text_of(document: Mapping[str, Any]) -> str:
    """Return the canonical text: keys sorted, short things on one line, a line end at the end."""
    return _layout(document, 0, 0) + "\n"


def rows_to_bytes(rows: TournamentRows, *, explicit: bool = False) -> bytes:
    """Return the file of a tournament in UTF-8; reading it gives the same rows again."""
    return text_of(document_of(rows, explicit=explicit)).encode()


def _stage(stage: Stage, *, explicit: bool) -> Document:
    defaults = None if explicit else FORMATS[stage.format].rules
    return {
        "number": stage.number,
        "format": stage.format,
        "entrants": list(stage.entrants),
        "rounds": [to_json(round_) for round_ in stage.rounds],
    } | non_empty(
        name=stage.name,
        rules=rules_to_dict(stage.rules, defaults),
        seed=stage.seed,
        drawn=stage.drawn,
        lots={str(entrant): lot for entrant, lot in stage.lots.items()},
    )


def non_empty(**fields: Any) -> Document:
    """Return the fields that say something: no empty text, list or object."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


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
