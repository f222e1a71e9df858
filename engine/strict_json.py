"""One strict reader of JSON for every door (RFC 8259, and nothing beside it).

The standard reader keeps the last of two equal keys and accepts ``NaN``; here both are refused,
as are deep nesting, byte order marks and characters that cannot be stored.
"""

import json
import re
from collections import Counter
from typing import Any, Final, NoReturn

from engine.errors import Fault, RecordError

MAX_DEPTH: Final = 16
"""Levels of nesting; a record needs four."""

_UNSTORABLE: Final = re.compile(r"[\ud800-\udfff]|(?<!\\)(?:\\\\)*\\u0000")
"""Lone surrogates, and NUL as the writer escapes it: no database stores them as text."""


def read_json(source: str | bytes, *, storable: bool = True) -> Any:
    """The value that a JSON text writes.

    ``storable=False`` lets lone surrogates and NUL pass, in values that are not stored.

    Raises :class:`~engine.errors.RecordError` with code ``record.syntax``, or ``record.limit``
    when the nesting is deeper than :data:`MAX_DEPTH`; its ``reason`` names which of the strict
    rules was broken, with line and column where the reader knows them.
    """
    text = _decode(source)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise syntax_error(
            "malformed_json", error.msg, line=error.lineno, column=error.colno
        ) from error
    except RecordError:
        raise
    except RecursionError as error:  # nested deeper than Python's own stack
        raise too_deep() from error
    except ValueError as error:  # Python's own message names one of its settings
        raise syntax_error("bad_number", "an integer has thousands of digits") from error
    if _deeper_than(value, MAX_DEPTH):
        raise too_deep()
    # Written again: in the text, the backslash of an escape may itself be escaped.
    if storable and "\\u" in text and _UNSTORABLE.search(json.dumps(value, ensure_ascii=False)):
        raise syntax_error("bad_character", "a lone surrogate or a NUL")
    return value


def _deeper_than(value: Any, levels: int) -> bool:
    """Whether arrays and objects nest more than ``levels`` deep."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return not levels or any(
        _deeper_than(inner, levels - 1) for inner in value if isinstance(inner, dict | list)
    )


def too_deep() -> RecordError:
    """The error of a text that nests deeper than :data:`MAX_DEPTH`."""
    facts = {"limit": MAX_DEPTH, "what": "depth"}
    return RecordError(Fault("record.limit", "F1", facts=facts), "too_deep")


def syntax_error(
    reason: str, detail: str, line: int | None = None, column: int | None = None
) -> RecordError:
    """The error of a text that is not JSON."""
    facts = {"reason": reason, "detail": detail, "line": line, "column": column}
    return RecordError(Fault("record.syntax", "F1", facts=facts), reason, line, column)


def _decode(source: str | bytes) -> str:
    if isinstance(source, bytes):
        try:
            source = source.decode("utf-8")
        except UnicodeDecodeError as error:
            detail = f"byte {error.start + 1} is not UTF-8"
            raise syntax_error("bad_encoding", detail) from error
    if source.startswith("\ufeff"):
        raise syntax_error("bad_encoding", "a byte order mark: save the file as UTF-8 without it")
    return source


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        times = Counter(key for key, _value in pairs)
        twice = next(key for key in times if times[key] > 1)
        raise syntax_error("duplicate_key", f"the key {twice!r} stands twice in one object")
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise syntax_error("bad_number", f"{name} is not a JSON number")


def _parse_float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise syntax_error("bad_number", f"{text} is too large")
    return number


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_refuse_duplicate_keys,
    parse_constant=_refuse_constant,
    parse_float=_parse_float,
)
