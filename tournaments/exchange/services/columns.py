"""Reads the columns of a model from JSON: exactly the values that its fields can hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.db import models

from tournaments.core.errors import Reason
from tournaments.core.names import has_hidden_characters
from tournaments.domain.datetimes import in_utc
from tournaments.domain.file import FileError
from tournaments.domain.file.codec import read_draw_facts
from tournaments.domain.file.places import (
    Reader,
    boolean,
    child_path,
    choice,
    fields_of,
    integer,
    list_of,
    number,
    optional,
    text,
    wrong_type,
)
from tournaments.domain.file.reading import read_seed
from tournaments.domain.messages import explain
from tournaments.domain.names import is_blank
from tournaments.domain.pairing import PairingReason
from tournaments.domain.rows import Bye, PlaceRule, Seeding, SumRule
from tournaments.domain.sides import SIDES
from tournaments.domain.trail.chain import REDACTED, canonical
from tournaments.results.services.submission import CLUB

# JSON columns have a reader each, because the code that uses them trusts their shape.

MAX_TEXT_LENGTH: Final = 2_000_000  # chosen: above the 1 MiB of a record; bounds memory
MAX_ROWS: Final = 500_000  # chosen: bounds the memory of a hostile file
MAX_ITEMS: Final = 100_000  # chosen: of a list in a JSON column; likewise
_SMALL: Final = 32_767  # the largest value of a PositiveSmallIntegerField
_DECIMAL: Final = re.compile(r"-?[0-9]{1,5}(\.[0-9]{1,2})?", re.ASCII)

FREE_TEXTS: Final = frozenset(
    ("name", "place", "prizes", "origin", "reason", "revocation", "ruling")
)
"""Columns of texts that people wrote, which are held to what the services refuse of them."""

SEEDS: Final = frozenset(("seed", "deal_seed", "commitment"))
"""Columns of bytes in hexadecimal, which deals and draws are made from."""

_BYE: Final = choice(*(bye.value for bye in Bye))
_NUMBERS: Final = list_of(integer(1), MAX_ITEMS)


def any_value(value: Any, _path: str) -> Any:
    """Accept any JSON value."""
    return value


def mapping(value: Any, path: str) -> dict[str, Any]:
    """Read an object with any content."""
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    return dict(value)


def lines_of(value: Any, path: str) -> list[Any]:
    """Read a list with any items, `MAX_ROWS` at most."""
    return list(list_of(any_value, MAX_ROWS)(value, path))


def moment(value: Any, path: str) -> datetime:
    """Read a time with its zone."""
    try:
        read = datetime.fromisoformat(text()(value, path))
    except ValueError as error:
        raise wrong_type(path, "moment", value) from error
    if read.tzinfo is None:
        raise wrong_type(path, "moment", value)
    return in_utc(read)


def _moment_text(value: Any, path: str) -> str:
    """Read a time with its zone, and return it as it is written."""
    moment(value, path)
    return str(value)


def decimal(value: Any, path: str) -> Decimal:
    """Read the match points of a penalty."""
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
        raise wrong_type(path, "decimal", value)
    return Decimal(value)


def readers_of(model: type[models.Model], names: Iterable[str]) -> dict[str, Reader[Any]]:
    """Return a reader for each of the named columns of a model."""
    return {name: reader_of(model, name) for name in names}


def reader_of(model: type[models.Model], name: str) -> Reader[Any]:
    """Return the reader of a column of a model."""
    column = model._meta.get_field(name)
    assert isinstance(column, models.Field)  # noqa: S101 - relations are read elsewhere
    if isinstance(column, models.JSONField):
        read = JSON_READERS.get((model.__name__, name), any_value)
    else:
        read = _plain(column)
    return optional(read) if column.null else read


def _plain(column: models.Field[Any, Any]) -> Reader[Any]:
    for kind, reader in _KINDS:
        if isinstance(column, kind):
            return reader
    if column.choices:
        words = [str(word) for word, _ in column.flatchoices]
        return choice(*words, *([""] if column.blank else []))
    read = text(column.max_length or MAX_TEXT_LENGTH)
    if column.name in SEEDS:
        return lambda value, path: read_seed(read(value, path), path)
    return _visible_text(read, column.name) if column.name in FREE_TEXTS else read


def _visible_text(read: Reader[str], name: str) -> Reader[str]:
    """Return a reader that refuses hidden characters, and names of invisible ones alone.

    Earlier releases took other texts of invisible characters alone. They stay as they are: the
    digest of a tournament covers some, and each shows as an empty one.
    """

    def read_written(value: Any, path: str) -> str:
        content = read(value, path)
        is_nameless = name == "name" and content.strip() and is_blank(content)
        if is_nameless or has_hidden_characters(content):
            raise FileError("bad_row", path, detail=Reason.BAD_REASON.code)
        return content

    return read_written


_KINDS: Final[tuple[tuple[type[models.Field[Any, Any]], Reader[Any]], ...]] = (
    (models.DateTimeField, moment),
    (models.DecimalField, decimal),
    (models.BooleanField, boolean),
    (models.FloatField, number),
    (models.PositiveSmallIntegerField, integer(0, _SMALL)),
    (models.PositiveIntegerField, integer()),
    (models.IntegerField, integer(-(10**9))),
)


# --- columns of JSON ---------------------------------------------------------------------------


def _by_number(reader: Reader[Any]) -> Reader[dict[str, Any]]:
    """Return a reader of objects whose keys are entry numbers in quotes."""

    def read(value: Any, path: str) -> dict[str, Any]:
        for key in mapping(value, path):
            if not key.isascii() or not key.isdecimal():
                raise wrong_type(child_path(path, key), "number_key", key)
        return {key: reader(item, child_path(path, key)) for key, item in value.items()}

    return read


def _lists(reader: Reader[Any]) -> Reader[list[Any]]:
    read = list_of(reader, MAX_ITEMS)
    return lambda value, path: list(read(value, path))


def _draw_facts(value: Any, path: str) -> dict[str, Any]:
    read_draw_facts(value, path)
    return dict(value)


_FACTS: Final = _by_number(_draw_facts)
_DRAWN: Final[Mapping[str, Reader[Any]]] = {
    "version": integer(),
    "here": _lists(integer(1)),
    "byes": _by_number(_BYE),
    "pinned": _lists(_lists(_lists(integer(1)))),
    "entrants": _FACTS,
    "places": choice(*PlaceRule),
    "sums": choice(*SumRule),
}
_PEOPLE: Final[Mapping[str, Reader[Any]]] = {
    "names": _lists(text()),
    "players": _lists(integer(1)),
}


def _read_draw(value: Any, path: str) -> dict[str, Any]:
    """Read what a draw knew; other notes in it are only displayed and stay as they are."""
    readers = {**_DRAWN, "whys": _lists(_read_reason)}
    noted = {key: item for key, item in mapping(value, path).items() if key not in readers}
    known_facts = {key: item for key, item in value.items() if key in readers}
    return {**fields_of(known_facts, path, readers), **noted}


def _lineup(value: Any, path: str) -> dict[str, Any]:
    def people(value: Any, path: str) -> dict[str, Any]:
        return fields_of(value, path, _PEOPLE, required=_PEOPLE)

    return fields_of(value, path, dict.fromkeys(SIDES, people))


def _read_reason(value: Any, path: str) -> dict[str, Any]:
    """Read a reason of the draw that can be worded as a sentence."""
    readers = {"code": text(), "entrants": _NUMBERS, "facts": mapping}
    fields = fields_of(value, path, readers, required=readers)
    reason = PairingReason(fields["code"], 1, fields["entrants"], fields["facts"])
    try:
        explain(reason, str, "en")
    except (LookupError, ValueError) as error:
        raise FileError("bad_row", path, detail=fields["code"]) from error
    return {**fields, "entrants": list(fields["entrants"])}


def _read_stage_draw(value: Any, path: str) -> dict[str, Any]:
    """Read one draw of a stage's seeding order."""
    readers: dict[str, Reader[Any]] = {
        "number": integer(1, _SMALL),
        "seed": read_seed,
        "commitment": read_seed,
        "seeding": choice(*Seeding),
        "entrants": _lists(integer(1)),
        "at": _moment_text,
        "reason": text(1000),
    }
    return fields_of(value, path, {**readers, "facts": _FACTS}, required=readers)


def _hand(value: Any, path: str) -> dict[str, int]:
    readers = {**dict.fromkeys(SIDES, integer(0)), "winner": choice(*SIDES), "board": integer(1)}
    return fields_of(value, path, readers)


JSON_READERS: Final[Mapping[tuple[str, str], Reader[Any]]] = {
    ("Tournament", "options"): mapping,
    ("Tournament", "stop"): mapping,
    ("Entry", "apart"): _lists(text()),
    ("Stage", "settings"): mapping,
    ("Stage", "entrants"): _lists(integer(1)),
    ("Stage", "lots"): _by_number(integer(0)),
    ("Stage", "draws"): _lists(_read_stage_draw),
    ("Round", "drawn"): _read_draw,
    ("Match", "lineup"): _lineup,
    ("Match", "boards"): _lists(integer(1)),
    ("Match", "whys"): _lists(_read_reason),
    ("Record", "verdict"): mapping,
    ("Record", "params"): mapping,
    ("Record", "said_by"): _lists(choice(CLUB, *SIDES)),
    ("Result", "forfeits"): _lists(choice(*SIDES)),
    ("Result", "hand_scores"): _lists(_hand),
    ("Result", "places"): _lists(integer(1)),
    ("AuditEvent", "facts"): mapping,
}
"""Readers of JSON columns, by model and column."""


def check_event(verb: str, facts: Mapping[str, Any], path: str) -> None:
    """Check that an event can be chained into the history of the club. Raises FileError.

    A redaction is about the chain of its own installation, and no export has one.
    """
    if verb == REDACTED:
        raise FileError("bad_row", child_path(path, "verb"), detail=verb)
    try:
        canonical(facts)
    except ValueError as error:
        raise FileError("bad_row", child_path(path, "facts"), detail=str(error)) from error
