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
from tournaments.domain.file.consistency import check
from tournaments.domain.file.places import (
    MAX_NUMBER,
    FileError,
    Reader,
    boolean,
    child_path,
    choice,
    fields_of,
    integer,
    list_of,
    member,
    number,
    object_of,
    optional,
    points,
    text,
    wrong_type,
)
from tournaments.domain.file.rules import rules_from_dict
from tournaments.domain.file.writing import FORMAT_NAME
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import MAX_ROUNDS
from tournaments.domain.pairing.numbering import MAX_FIXED_TABLE
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
    Round,
    Stage,
    StageRules,
    State,
    Table,
    TournamentRows,
)

MAX_BYTES: Final = 16 * 1024 * 1024  # limits keep a hostile file from costing memory
MAX_ENTRANTS: Final = 5_000  # chosen, as all here: above what the service makes, 2,000 entries
MAX_STAGES: Final = 100
MAX_TABLES: Final = 5_000
MAX_AT_A_TABLE: Final = 16
MAX_PLAYERS: Final = 16
MAX_LABELS: Final = 50
MAX_DEALS: Final = 1_000
MAX_PENALTIES: Final = 10_000
MAX_OPTIONS: Final = 200
MAX_ENTRANT_NUMBER: Final = 1_000_000

_SEED: Final = re.compile(r"(?:[0-9a-f]{2}){0,64}", re.ASCII)
_ROUND: Final = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)

ENTRANT: Final = integer(1, MAX_ENTRANT_NUMBER)
ROUND: Final = integer(1, MAX_STAGES * MAX_ROUNDS)
MARK: Final = integer(-MAX_NUMBER, MAX_NUMBER)


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


def with_number(
    value: Any, path: str, default: int, reader: Reader[int] = ENTRANT
) -> dict[str, Any]:
    """Return an object with its number, which is the default when it does not say one."""
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    if "number" in value:
        reader(value["number"], child_path(path, "number"))
        return dict(value)
    return {"number": default, **value}


def list_of_numbered(reader: Reader[Any], max_length: int) -> Reader[Any]:
    """A reader of a list of objects that are numbered from 1 unless they say otherwise."""
    plain = list_of(_any_value, max_length)

    def read(value: Any, path: str) -> tuple[Any, ...]:
        return tuple(
            reader(with_number(item, child_path(path, index), index + 1), child_path(path, index))
            for index, item in enumerate(plain(value, path))
        )

    return read


def _any_value(value: Any, _path: str) -> Any:
    return value


def _any_object(value: Any, path: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    if len(value) > MAX_OPTIONS:
        raise FileError("wrong_length", path, found=len(value), least=0, most=MAX_OPTIONS)
    return value


def by_number(keys: re.Pattern[str], reader: Reader[Any]) -> Reader[dict[int, Any]]:
    """A reader of an object whose keys are numbers in quotes."""

    def read(value: Any, path: str) -> dict[int, Any]:
        for key in _any_object(value, path):
            if not keys.fullmatch(key):
                raise wrong_type(child_path(path, key), "number_key", key)
        return {int(key): reader(item, child_path(path, key)) for key, item in value.items()}

    return read


def _absence(value: Any, path: str) -> tuple[int, int | None]:
    start, end = list_of(optional(ROUND), 2, 2)(value, path)
    if start is None:
        raise wrong_type(child_path(path, 0), "integer", start)
    if end is not None and end <= start:
        raise FileError("out_of_order", child_path(path, 1), found=end, after=start)
    return start, end


def read_seed(value: Any, path: str) -> str:
    """Read a seed: whole bytes in hexadecimal."""
    seed = text(128)(value, path)
    if not _SEED.fullmatch(seed):
        raise wrong_type(path, "seed", seed)
    return seed


def _byes(value: Any, path: str) -> tuple[tuple[int, Bye], ...]:
    return tuple(sorted(by_number(_ROUND, member(Bye))(value, path).items()))


def read_table(value: Any, path: str) -> Table:
    """Read a table; how many marks and forfeits it can have follows from its sides."""
    values = fields_of(value, path, _TABLE, required=("number", "sides"))
    sides = len(values["sides"])
    hands, card_points = values.pop("hands", None), values.pop("points", None)
    for name, marks in (("hands", hands), ("points", card_points)):
        if marks is not None and len(marks) != sides:
            raise FileError("one_a_side", child_path(path, name), found=len(marks), sides=sides)
    if hands is not None or card_points is not None:
        nothing = (0,) * sides
        pairs = zip(hands or nothing, card_points or nothing, strict=True)
        values["marks"] = tuple(Mark(*pair) for pair in pairs)
    return Table(**values)


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
    return rules_from_dict(_any_object(value, path), defaults, path)


def _rounds(value: Any, path: str, first: int) -> tuple[Round, ...]:
    plain = list_of(_any_value, MAX_ROUNDS)(value, path)
    rounds: list[Round] = []
    for index, item in enumerate(plain):
        default = rounds[-1].number + 1 if rounds else first
        round_path = child_path(path, index)
        rounds.append(read_round(with_number(item, round_path, default, ROUND), round_path))
    return tuple(rounds)


_TABLE: Final[Mapping[str, Reader[Any]]] = {
    "number": ENTRANT,
    "sides": list_of(list_of(ENTRANT, MAX_AT_A_TABLE, 1), MAX_AT_A_TABLE, 1),
    "bye": member(Bye),
    "hands": list_of(MARK, MAX_AT_A_TABLE),
    "points": list_of(MARK, MAX_AT_A_TABLE),
    "forfeits": list_of(integer(0, MAX_AT_A_TABLE), MAX_AT_A_TABLE),
    "decided": optional(integer(0, MAX_AT_A_TABLE)),
    "boards": list_of(ENTRANT, MAX_DEALS),
    "board_points": list_of(list_of(MARK, MAX_DEALS), MAX_AT_A_TABLE),
    "pinned": boolean,
}

read_round = object_of(
    Round,
    {
        "number": ROUND,
        "state": member(State),
        "tables": list_of_numbered(read_table, MAX_TABLES),
    },
    required=("number", "tables"),
)

read_entrant = object_of(
    Entrant,
    {
        "number": ENTRANT,
        "name": text(),
        "players": list_of(text(), MAX_PLAYERS),
        "rating": number,
        "club": text(),
        "apart": list_of(text(), MAX_LABELS),
        "joined": ROUND,
        "absences": list_of(_absence, MAX_ROUNDS),
        "byes": _byes,
        "fixed_table": integer(0, MAX_FIXED_TABLE),
    },
    required=("number",),
)

read_penalty = object_of(
    Penalty,
    {
        "entrant": ENTRANT,
        "round": ROUND,
        "match_points": points,
        "hands": MARK,
        "points": MARK,
        "reason": text(1000),
    },
    required=("entrant", "round"),
)

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
    rounds = _any_object(value, path).get("rounds", [])
    if not isinstance(rounds, list):
        raise wrong_type(child_path(path, "rounds"), "list", rounds)
    return MappingProxyType(dict(value))


_FILE: Final[Mapping[str, Reader[Any]]] = {
    "format": choice(FORMAT_NAME),
    "name": text(),
    "ruleset": text(),
    "options": _any_object,
    "entrants": list_of_numbered(read_entrant, MAX_ENTRANTS),
    "stages": list_of(_stage_object, MAX_STAGES),
    "penalties": list_of(read_penalty, MAX_PENALTIES),
    "proof": _any_object,
}
