"""Reads a record's fields beside its hands with a fast JSON reader, if the record is plain."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import RecordError
from engine.fast.shapes import NOTHING, SIDES
from engine.notation import FORMAT, MAX_BYTES, MAX_HANDS, MAX_TEXT
from engine.rulesets import RULESETS, Ruleset
from engine.strict_json import read_json

loads: Callable[[bytes], Any]
sorted_bytes: Callable[[Any], bytes] | None
try:
    import orjson
except ImportError:  # the standard reader does the same, more slowly
    loads, sorted_bytes = read_json, None
else:

    def _sorted_bytes(document: Any) -> bytes:
        return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)

    loads, sorted_bytes = orjson.loads, _sorted_bytes

KNOWN: Final[Mapping[str, Ruleset]] = {
    name: rules
    for name, rules in RULESETS.items()
    if rules.pairs and rules.trump_shown == "dealer" and not rules.stock_size
}
"""The rulesets that are played in lock step."""

_KEYS: Final = frozenset(
    {"format", "ruleset", "options", "seats", "tags", "hands", "score", "winner"}
)
_HANDS: Final = b'"hands"'


@dataclass(slots=True)
class Head:
    """A record without its hands: ``first`` and ``end`` are where its list of hands lies in it.

    ``target`` or ``deals`` is 0 where the other one is set; ``score`` and ``winner`` are what
    is stated.
    """

    ruleset: str
    target: int
    deals: int
    score: tuple[int, int] | None
    winner: int
    first: int
    end: int


def read_head(line: bytes) -> Head | None:
    """The head of a record, ``None`` if anything about it is out of the ordinary."""
    key = line.find(_HANDS)
    start = line.find(b"[{", key)
    end = line.rfind(b"}]")
    if key < 0 or not key + len(_HANDS) < start < end or len(line) > MAX_BYTES:
        return None
    if line[key + len(_HANDS) : start].strip(b" ") != b":":
        return None
    bare = line[:start] + b"[]" + line[end + 2 :]
    document = _document(bare)
    if document is None or document.get("hands") != [] or document["format"] != FORMAT:
        return None
    length = _length(document.get("options", {}), document["ruleset"])
    stated = _stated_result(document)
    if length is None or stated is None:
        return None
    return Head(document["ruleset"], *length, *stated, start + 1, end + 1)


def _document(text: bytes) -> dict[str, Any] | None:
    """The object that a text writes, if its keys, seats and tags are in order.

    The fast reader keeps the last of two equal keys; but then fewer strings are read than written.
    """
    escaped = b"\\" in text
    try:
        document = read_json(text) if escaped else loads(text)
    except (ValueError, RecordError):
        return None
    if type(document) is not dict or not _KEYS.issuperset(document):
        return None
    tags = document.get("tags", {})
    seats = document.get("seats")
    if "format" not in document or type(document.get("ruleset")) is not str:
        return None
    if document["ruleset"] not in KNOWN:
        return None
    if type(seats) is not list or len(seats) != 4 or type(tags) is not dict:
        return None
    try:
        words = "".join([*seats, *tags, *tags.values()])
    except TypeError:
        return None
    if len(words) > MAX_TEXT or not words.isprintable():
        return None
    if escaped:
        return document
    return document if text.count(b'"') == 2 * _strings(document, len(tags)) else None


def _strings(document: Mapping[str, Any], tags: int) -> int:
    """The number of strings in a document: keys and values."""
    options, score = document.get("options"), document.get("score")
    more = len(options) if type(options) is dict else 0
    more += len(score) if type(score) is dict else 0
    return len(document) + 2 + 4 + 2 * tags + more + (document.get("winner") is not None)


def _length(options: Any, ruleset: str) -> tuple[int, int] | None:
    """Target and number of deals; no other option is plain."""
    if type(options) is not dict or len(options) > 1:
        return None
    if not options:
        return KNOWN[ruleset].target, 0
    ((name, value),) = options.items()
    if name not in ("to", "deals") or type(value) is not int or not 1 <= value < 1 << 31:
        return None
    return (value, 0) if name == "to" else (0, value)


def _stated_result(document: Mapping[str, Any]) -> tuple[tuple[int, int] | None, int] | None:
    """The score and the winner that a record states."""
    score, winner = document.get("score"), document.get("winner")
    if winner is not None and winner not in SIDES:
        return None
    index = NOTHING if winner is None else SIDES.index(winner)
    if score is None:
        return None, index
    if type(score) is not dict or len(score) != len(SIDES):
        return None
    first, second = score.get("AC"), score.get("BD")
    if type(first) is not int or type(second) is not int or max(first, second) > MAX_HANDS:
        return None
    return (first, second), index
