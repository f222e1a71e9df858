"""Rows as JSON and back: how a field is read and written follows from its declaration in the row.

What a type cannot say has a row in `SPECIAL`, by type.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from types import NoneType
from typing import Annotated, Any, Final, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

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
from tournaments.domain.marks import Always, Digits, Items, Length, Nullable, Numbered, Range, Words
from tournaments.domain.rows import (
    DRAW_FACTS,
    MAX_AT_A_TABLE,
    MAX_ROUNDS,
    Bye,
    Entrant,
    Mark,
    Number,
    RoundNumber,
    Score,
    Table,
)

T = TypeVar("T")
Document = dict[str, Any]


class Form(NamedTuple):
    """How a value is read and written."""

    read: Reader[Any]
    write: Callable[[Any], Any]


class FieldForm(NamedTuple):
    """How a field of a row is read and written; ``default`` is MISSING where it is required."""

    name: str
    form: Form
    default: Any
    always: bool


SPECIAL: Final[dict[Any, Form]] = {}
"""Forms of the types whose JSON is not what their type says."""


@cache  # working the hints out takes longer than reading the row
def form_of(kind: type) -> tuple[FieldForm, ...]:
    """Return how the fields of a row are read and written, in their order."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        FieldForm(
            field.name,
            _form(hints[field.name]),
            field.default if field.default_factory is MISSING else field.default_factory(),
            any(isinstance(mark, Always) for mark in get_args(hints[field.name])[1:]),
        )
        for field in fields(kind)
    )


def reader_of(kind: type[T]) -> Reader[T]:
    """Return the reader of a row."""
    return _form(kind).read


def to_json(row: Any) -> Document:
    """Return a row as its file writes it."""
    document: Document = _form(type(row)).write(row)
    return document


@cache
def _object_reader(kind: type) -> Reader[Any]:
    """A reader of an object with a row's fields, those without a default required."""
    forms = form_of(kind)
    required = [field.name for field in forms if field.default is MISSING]
    return object_of(kind, {field.name: field.form.read for field in forms}, required)


def _object_of_row(row: Any) -> Document:
    """Return the fields that are required or differ from their default."""
    return {
        field.name: field.form.write(value)
        for field in form_of(type(row))  # type: ignore[arg-type]
        if (value := getattr(row, field.name)) != field.default or field.always
    }


def plain(value: Any) -> Any:
    """Return a value of the rows as JSON writes it: fractions as whole numbers or as "1/2"."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def _form(hint: Any) -> Form:
    """Return the form of a type, within the bounds of its marks."""
    marks: dict[type, Any] = {}
    if get_origin(hint) is Annotated:
        hint, *found = get_args(hint)
        marks = {type(mark): mark for mark in found}
    if hint in SPECIAL:
        return SPECIAL[hint]
    inner = get_args(hint)
    if NoneType in inner:
        (some,) = (kind for kind in inner if kind is not NoneType)
        form = _form(Annotated[(some, *marks.values())] if marks else some)
        return Form(optional(form.read), form.write) if Nullable in marks else form
    if get_origin(hint) is tuple and inner[-1] is Ellipsis:
        items, item = marks.get(Items, Items(100)), _form(inner[0])
        read = list_of(item.read, items.most, items.least)
        if Numbered in marks:
            read = list_of_numbered(item.read, items.most)
        return Form(read, lambda value: [item.write(part) for part in value])
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return Form(member(hint), plain)
    if is_dataclass(hint) and isinstance(hint, type):
        return Form(_object_reader(hint), _object_of_row)
    return Form(_plain_reader(hint, marks), _short if hint is float else plain)


def _plain_reader(kind: Any, marks: Mapping[type, Any]) -> Reader[Any]:
    if Words in marks:
        return choice(*marks[Words].words)
    if Digits in marks:
        return _digits(marks[Digits])
    bounds = marks.get(Range, Range(0, MAX_NUMBER))
    readers: dict[Any, Reader[Any]] = {
        bool: boolean,
        int: integer(bounds.least, bounds.most),
        float: number,
        Fraction: points,
        str: text(marks.get(Length, Length(200)).most),
    }
    return readers[kind]


def _digits(mark: Digits) -> Reader[str]:
    pattern, read = re.compile(mark.pattern, re.ASCII), text(mark.longest)

    def read_digits(value: Any, path: str) -> str:
        digits = read(value, path)
        if not pattern.fullmatch(digits):
            raise wrong_type(path, mark.expected, digits)
        return digits

    return read_digits


def _short(value: float) -> int | float:
    return int(value) if value == int(value) else value


# --- what a type does not say --------------------------------------------------------------------


def with_number(
    value: Any, path: str, default: int, reader: Reader[int] | None = None
) -> dict[str, Any]:
    """Return an object with its number, which is the default when it does not say one."""
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    if "number" in value:
        (reader or _form(Number).read)(value["number"], child_path(path, "number"))
        return dict(value)
    return {"number": default, **value}


def list_of_numbered(reader: Reader[Any], max_length: int) -> Reader[Any]:
    """A reader of a list of objects that are numbered from 1 unless they say otherwise."""
    plain = list_of(lambda item, _path: item, max_length)

    def read(value: Any, path: str) -> tuple[Any, ...]:
        return tuple(
            reader(with_number(item, child_path(path, index), index + 1), child_path(path, index))
            for index, item in enumerate(plain(value, path))
        )

    return read


_ROUND_KEY: Final = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
MAX_OPTIONS: Final = 200


def any_object(value: Any, path: str) -> Mapping[str, Any]:
    """Read an object with any content, of a bounded number of fields."""
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    if len(value) > MAX_OPTIONS:
        raise FileError("wrong_length", path, found=len(value), least=0, most=MAX_OPTIONS)
    return value


def by_number(keys: re.Pattern[str], reader: Reader[Any]) -> Reader[dict[int, Any]]:
    """A reader of an object whose keys are numbers in quotes."""

    def read(value: Any, path: str) -> dict[int, Any]:
        for key in any_object(value, path):
            if not keys.fullmatch(key):
                raise wrong_type(child_path(path, key), "number_key", key)
        return {int(key): reader(item, child_path(path, key)) for key, item in value.items()}

    return read


def read_absence(value: Any, path: str) -> tuple[int, int | None]:
    """Read a span of rounds: from, and until or null."""
    start, end = list_of(optional(_plain_reader(int, _ROUND)), 2, 2)(value, path)
    if start is None:
        raise wrong_type(child_path(path, 0), "integer", start)
    if end is not None and end <= start:
        raise FileError("out_of_order", child_path(path, 1), found=end, after=start)
    return start, end


def _read_byes(value: Any, path: str) -> tuple[tuple[int, Bye], ...]:
    return tuple(sorted(by_number(_ROUND_KEY, member(Bye))(value, path).items()))


def _read_table(value: Any, path: str) -> Table:
    """Read a table; how many marks and forfeits it can have follows from its sides."""
    values = fields_of(value, path, _table_readers(), required=("number", "sides"))
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


@cache
def _table_readers() -> dict[str, Reader[Any]]:
    """The marks are two lists in JSON, of hands and of points."""
    readers: dict[str, Reader[Any]] = {}
    score = _form(Annotated[tuple[Score, ...], Items(MAX_AT_A_TABLE)]).read
    for field in form_of(Table):
        marks = field.name == "marks"
        readers |= {"hands": score, "points": score} if marks else {field.name: field.form.read}
    return readers


def _table_to_json(table: Table) -> Document:
    """Return a table as the file writes it."""
    document = _object_of_row(table)
    if table.marks is not None:
        del document["marks"]
        document["hands"] = [mark.hands for mark in table.marks]
        if any(mark.points for mark in table.marks):
            document["points"] = [mark.points for mark in table.marks]
    return document


_ROUND: Final = {type(mark): mark for mark in get_args(RoundNumber)[1:]}

SPECIAL.update(
    {
        tuple[int, int | None]: Form(read_absence, list),
        tuple[tuple[int, Bye], ...]: Form(
            _read_byes, lambda byes: {str(round_): bye.value for round_, bye in byes}
        ),
        Table: Form(_read_table, _table_to_json),
    }
)


# --- the facts of an entrant that a draw keeps ---------------------------------------------------


def entrant_facts(entrant: Entrant) -> Document:
    """Return the facts of an entrant that differ from the default; empty for most."""
    return {
        field.name: plain(value)
        for field in form_of(Entrant)
        if field.name in DRAW_FACTS and (value := getattr(entrant, field.name)) != field.default
    }


def read_draw_facts(value: Any, path: str = "") -> dict[str, Any]:
    """Read every fact that a draw keeps of an entrant; a missing one has its default."""
    forms = [field for field in form_of(Entrant) if field.name in DRAW_FACTS]
    readers = {field.name: field.form.read for field in forms} | {"byes": _read_bye_pairs}
    return {field.name: field.default for field in forms} | fields_of(value, path, readers)


def _read_bye_pairs(value: Any, path: str) -> tuple[tuple[int, Bye], ...]:
    pairs = list_of(list_of(lambda item, _path: item, 2, 2), MAX_ROUNDS)(value, path)
    round_, bye = _plain_reader(int, _ROUND), member(Bye)
    return tuple(
        (round_(pair[0], f"{path}/{index}/0"), bye(pair[1], f"{path}/{index}/1"))
        for index, pair in enumerate(pairs)
    )
