"""Strict reading of JSON values: every refusal names the place and what was expected there.

A reader is a function of a value and its place (a JSON pointer, RFC 6901); it returns the
converted value or raises :class:`FileError`.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, TypeVar

from tournaments.domain.messages import message

T = TypeVar("T")
Reader = Callable[[Any, str], T]

MAX_NUMBER: Final = 10**9
"""No number in a tournament is larger, on either side of zero."""

MAX_DENOMINATOR: Final = 10**6
"""Nor any fraction finer."""

_FRACTION: Final = re.compile(r"-?[0-9]{1,10}(?:/[0-9]{1,7}|\.[0-9]{1,6})?", re.ASCII)


class FileError(ValueError):
    """The file says something that it must not; the messages of the group ``file`` say what.

    ``code`` is stable, ``path`` the place as a JSON pointer (empty: the whole file), ``facts`` the
    particulars that the sentence needs.
    """

    def __init__(self, code: str, path: str = "", **facts: Any) -> None:
        super().__init__(code, path, facts)
        self.code = code
        self.path = path
        self.facts = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return f"{self.code} at {self.path or '/'}" + (f" ({facts})" if facts else "")

    def explain(self, language: str) -> str:
        """Return the fault as a sentence, without its place."""
        kind = f".{self.facts['expected']}" if "expected" in self.facts else ""
        return message(language, f"file.{self.code}{kind}", **self.facts)


def child_path(path: str, key: str | int) -> str:
    """Return the place of a field or an item, escaped as RFC 6901 wants it."""
    return f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"


def wrong_type(path: str, expected: str, value: Any) -> FileError:
    """The error of a value of the wrong type; ``expected`` has a message ``file.wrong_type.…``."""
    value_repr = "null" if value is None else repr(value)
    return FileError("wrong_type", path, expected=expected, found=value_repr[:60])


def integer(min_value: int = 0, max_value: int = MAX_NUMBER) -> Reader[int]:
    """A reader of whole numbers between two bounds, both allowed."""

    def read(value: Any, path: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise wrong_type(path, "integer", value)
        if not min_value <= value <= max_value:
            raise FileError("out_of_range", path, found=value, least=min_value, most=max_value)
        return value

    return read


def number(value: Any, path: str) -> float:
    """Read any number, as a float."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise wrong_type(path, "number", value)
    if abs(value) > MAX_NUMBER:
        raise FileError("out_of_range", path, found=value, least=-MAX_NUMBER, most=MAX_NUMBER)
    return float(value)


def points(value: Any, path: str) -> Fraction:
    """Read an exact number: 2, 0.5, "1/2"; a decimal is what is written, not the nearest float."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise wrong_type(path, "points", value)
    text = str(value)
    if isinstance(value, str) and not _FRACTION.fullmatch(text):
        raise wrong_type(path, "points", value)
    try:
        exact = Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise wrong_type(path, "points", value) from error
    if abs(exact) > MAX_NUMBER or exact.denominator > MAX_DENOMINATOR:
        raise FileError("out_of_range", path, found=text, least=-MAX_NUMBER, most=MAX_NUMBER)
    return exact


def boolean(value: Any, path: str) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise wrong_type(path, "boolean", value)
    return value


def text(longest: int = 200) -> Reader[str]:
    """A reader of texts of a bounded number of characters."""

    def read(value: Any, path: str) -> str:
        if not isinstance(value, str):
            raise wrong_type(path, "text", value)
        if len(value) > longest:
            raise FileError("too_long", path, found=len(value), most=longest)
        return value

    return read


def choice(*choices: str) -> Reader[str]:
    """A reader of one of some words."""

    def read(value: Any, path: str) -> str:
        if value not in choices or not isinstance(value, str):
            value_repr = value if isinstance(value, str) else repr(value)
            raise FileError(
                "unknown_choice", path, found=value_repr[:60], choices=", ".join(choices)
            )
        return value

    return read


def member(kind: type[StrEnum]) -> Reader[Any]:
    """A reader of a member of an enumeration, by its value."""
    word = choice(*(member.value for member in kind))
    return lambda value, path: kind(word(value, path))


def optional(reader: Reader[T]) -> Reader[T | None]:
    """Wraps a reader so that it lets null pass."""
    return lambda value, path: None if value is None else reader(value, path)


def list_of(reader: Reader[T], max_length: int, min_length: int = 0) -> Reader[tuple[T, ...]]:
    """A reader of lists whose items are alike, of bounded length."""

    def read(value: Any, path: str) -> tuple[T, ...]:
        if not isinstance(value, list | tuple):
            raise wrong_type(path, "list", value)
        if not min_length <= len(value) <= max_length:
            raise FileError(
                "wrong_length", path, found=len(value), least=min_length, most=max_length
            )
        return tuple(reader(item, child_path(path, index)) for index, item in enumerate(value))

    return read


def fields_of(
    value: Any, path: str, readers: Mapping[str, Reader[Any]], required: Iterable[str] = ()
) -> dict[str, Any]:
    """Read an object field by field; fields without a reader in ``readers`` are refused.

    Returns only the fields that are there; ``required`` ones must be.
    """
    if not isinstance(value, Mapping):
        raise wrong_type(path, "object", value)
    for name in value:
        if name not in readers:
            fields = ", ".join(readers)
            raise FileError("unknown_field", child_path(path, name), found=name, choices=fields)
    for name in required:
        if name not in value:
            raise FileError("missing_field", path, field=name)
    return {name: readers[name](item, child_path(path, name)) for name, item in value.items()}


def object_of(
    kind: Callable[..., T], readers: Mapping[str, Reader[Any]], required: Iterable[str] = ()
) -> Reader[T]:
    """A reader of objects of a kind, made of the fields that are there."""
    return lambda value, path: kind(**fields_of(value, path, readers, required))
