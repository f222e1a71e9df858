"""Parses a tournament file into rows, strictly: what is not understood is refused with its place.

Numbers may be left out: entrants, stages and tables are then numbered by their place in the list,
rounds run on. So may the entrants of a stage that has begun: of the first stage that is everybody,
by rating, of a later one the entrants at its tables.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from engine import RecordError, read_json
from tournaments.domain.file.codec import (
    any_object,
    by_number,
    list_of_numbered,
    reader_of,
    with_number,
)
from tournaments.domain.file.consistency import check
from tournaments.domain.file.places import (
    FileError,
    Reader,
    child_path,
    choice,
    fields_of,
    integer,
    list_of,
    optional,
    text,
    wrong_type,
)
from tournaments.domain.file.rules import rules_from_dict
from tournaments.domain.file.writing import FORMAT_NAME
from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import (
    MAX_ENTRANTS,
    MAX_PENALTIES,
    MAX_ROUNDS,
    MAX_STAGES,
    Entrant,
    Penalty,
    Round,
    Stage,
    StageRules,
    TournamentRows,
)

MAX_BYTES: Final = 16 * 1024 * 1024  # limits keep a hostile file from costing memory
MAX_ENTRANT_NUMBER: Final = 1_000_000

_SEED: Final = re.compile(r"(?:[0-9a-f]{2}){0,64}", re.ASCII)
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)

ENTRANT: Final = integer(1, MAX_ENTRANT_NUMBER)
ROUND: Final = integer(1, MAX_STAGES * MAX_ROUNDS)


def rows_from_bytes(source: bytes | str) -> TournamentRows:
    """Read a tournament; a proof that the file carries is left unread.

    Raises :class:`FileError`.
    """
    return rows_from_document(document_from_bytes(source))


def document_from_bytes(source: bytes | str) -> Mapping[str, Any]:
    """Read the JSON of a file, and no more; raises :class:`FileError`."""
    if len(source) > MAX_BYTES:
        raise FileError("too_large", most=MAX_BYTES)
    try:
        document = read_json(source)
    except RecordError as error:
        detail = error.fault.facts.get("detail", error.reason)
        raise FileError("bad_json", detail=detail, line=error.line, column=error.column) from error
    if not isinstance(document, Mapping):
        raise wrong_type("", "object", document)
    choice(FORMAT_NAME)(document.get("format"), "/format")
    return document


def rows_from_document(document: Mapping[str, Any]) -> TournamentRows:
    """Read the parts of a file and check that they fit together; raises :class:`FileError`."""
    values = fields_of(document, "", _FILE, required=("name", "entrants", "stages"))
    values.pop("format", None)
    values.pop("proof", None)
    seeding_order = _seeding_order(values["entrants"])
    values["stages"] = tuple(
        _stage(stage, f"/stages/{index}", index, seeding_order, values["stages"][:index])
        for index, stage in enumerate(values["stages"])
    )
    rows = TournamentRows(**values)
    check(rows)
    return rows


def _any_value(value: Any, _path: str) -> Any:
    return value


def read_seed(value: Any, path: str) -> str:
    """Read a seed: whole bytes in hexadecimal."""
    seed = text(128)(value, path)
    if not _SEED.fullmatch(seed):
        raise wrong_type(path, "seed", seed)
    return seed


def _stage(
    value: Any, path: str, index: int, seeding_order: tuple[int, ...], before: Sequence[Any]
) -> Stage:
    """Read a stage; its rules are read over its format's, its rounds run on from those before."""
    value = with_number(value, path, index + 1, integer(1, MAX_STAGES))
    kind = choice(*FORMATS)(value.get("format"), child_path(path, "format"))
    defaults = FORMATS[kind].rules
    first = 1 + sum(len(stage.get("rounds", ())) for stage in before)
    readers: dict[str, Reader[Any]] = {
        **_STAGE,
        "rules": lambda rules, rules_path: _rules(rules, defaults, rules_path),
        "rounds": partial(_rounds, first=first),
    }
    values: dict[str, Any] = {"rules": defaults} | fields_of(value, path, readers)
    if "entrants" not in values and values.get("rounds"):
        values["entrants"] = _seated_entrants(values["rounds"]) if index else seeding_order
    return Stage(**values)


def _seated_entrants(rounds: Sequence[Round]) -> tuple[int, ...]:
    """Everybody who sits at a table, in the order of their first."""
    entrants = [
        entrant for round_ in rounds for table in round_.tables for entrant in table.entrants
    ]
    return tuple(dict.fromkeys(entrants))


def _seeding_order(entrants: Sequence[Entrant]) -> tuple[int, ...]:
    """Everybody in seeding order: the best rated first, latecomers last."""

    def seed(entrant: Entrant) -> tuple[int, float, int]:
        return entrant.joined, -entrant.rating, entrant.number

    return tuple(entrant.number for entrant in sorted(entrants, key=seed))


def _rules(value: Any, defaults: StageRules, path: str) -> StageRules:
    return rules_from_dict(any_object(value, path), defaults, path)


def _rounds(value: Any, path: str, first: int) -> tuple[Round, ...]:
    plain = list_of(_any_value, MAX_ROUNDS)(value, path)
    rounds: list[Round] = []
    for index, item in enumerate(plain):
        default = rounds[-1].number + 1 if rounds else first
        round_path = child_path(path, index)
        rounds.append(reader_of(Round)(with_number(item, round_path, default, ROUND), round_path))
    return tuple(rounds)


_STAGE: Final[Mapping[str, Reader[Any]]] = {
    "number": integer(1, MAX_STAGES),
    "name": text(),
    "format": choice(*FORMATS),
    "entrants": list_of(ENTRANT, MAX_ENTRANTS),
    "seed": read_seed,
    "drawn": optional(ENTRANT),
    "lots": by_number(_NUMBER, integer()),
}


def _stage_object(value: Any, path: str) -> Mapping[str, Any]:
    """A stage whose rounds can at least be counted, so that those of the next run on."""
    rounds = any_object(value, path).get("rounds", [])
    if not isinstance(rounds, list):
        raise wrong_type(child_path(path, "rounds"), "list", rounds)
    return MappingProxyType(dict(value))


_FILE: Final[Mapping[str, Reader[Any]]] = {
    "format": choice(FORMAT_NAME),
    "name": text(),
    "ruleset": text(),
    "options": any_object,
    "entrants": list_of_numbered(reader_of(Entrant), MAX_ENTRANTS),
    "stages": list_of(_stage_object, MAX_STAGES),
    "penalties": list_of(reader_of(Penalty), MAX_PENALTIES),
    "proof": any_object,
}
