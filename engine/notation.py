"""Records as they are written: the JSON form ``baza/1`` (record format F1).

Reading checks in the order of the codes, so that the first fault is the one F3 asks for:
format, ruleset, options, seats, fields, limits. Cards and tokens are read later, by the replay.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import Fault, RecordError, member
from engine.rulesets import (
    HOUSE_RULES,
    RULESETS,
    Ruleset,
    at_table,
    find_ruleset,
    with_house_rule,
)
from engine.strict_json import read_json

FORMAT: Final = "baza/1"
MAX_BYTES: Final = 1 << 20  # chosen: bounds the memory of a reader (docs/programs/notation.md)
MAX_HANDS: Final = 1000  # a match to 500 hands, the longest that is offered, has 999
MAX_TOKENS: Final = 200  # 40 cards, and declarations between the tricks
MAX_TEXT: Final = 1000  # chosen: bounds a comment, in characters

RECORD_FIELDS: Final = frozenset(
    {"format", "ruleset", "options", "seats", "tags", "hands", "score", "winner"}
)
_HAND_FIELDS: Final = frozenset({"dealer", "trump", "deal", "play", "points", "winner"})
_LENGTHS: Final = ("to", "deals")
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
"""Control, zero-width and direction-override characters: no name or tag needs them."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand as the record states it; ``None`` where it states nothing."""

    dealer: str
    trump: str | None
    deal: Mapping[str, str] | None
    play: str | None
    points: Mapping[str, int] | None
    winner: str | None
    stock: str | None = None
    payments: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One match as submitted: everything stated, nothing yet checked against the rules.

    ``target`` is the number of hands that wins the match, ``deals`` the fixed number of hands;
    exactly one of them is set (R7.4).
    """

    ruleset: Ruleset
    options: Mapping[str, Any]
    target: int | None
    deals: int | None
    seats: tuple[str, ...]
    tags: Mapping[str, str]
    hands: tuple[HandRecord, ...]
    score: Mapping[str, int] | None
    winner: str | None

    @property
    def house_rules(self) -> Mapping[str, Any]:
        """The options that change a rule of the ruleset, with what they change it to."""
        standard = RULESETS[self.ruleset.name]
        return {
            name: value
            for name, value in self.options.items()
            if name not in _LENGTHS and value != getattr(standard, name)
        }


def parse_record(source: str | bytes | Mapping[str, Any]) -> Record:
    """The record that a JSON text, or an object already read from one, writes.

    Raises :class:`~engine.errors.RecordError` with the first ``record.*`` fault.
    """
    if isinstance(source, Mapping):
        return _record(source)
    if len(source) > MAX_BYTES or (
        isinstance(source, str) and len(source.encode("utf-8", "replace")) > MAX_BYTES
    ):
        raise _refusal("record.limit", "", "too_large", what="bytes", limit=MAX_BYTES)
    document = read_json(source)
    if not isinstance(document, dict):
        raise _refusal("record.format", "", "expected_object")
    return _record(document)


def _record(document: Mapping[str, Any]) -> Record:
    if document.get("format") != FORMAT:
        raise _refusal(
            "record.format",
            "/format",
            "unsupported_format",
            known=FORMAT,
            found=_excerpt(document.get("format")),
        )
    options = document.get("options", {})
    ruleset = _with_house_rules(_ruleset(document.get("ruleset")), options)
    target, deals = _match_length(ruleset, options)
    ruleset, seats = _seats(ruleset, document.get("seats"))
    _refuse_unknown_fields(document, RECORD_FIELDS, "")
    tags = _tags(document.get("tags", {}))
    hands = document.get("hands")
    if not isinstance(hands, list):
        if "hands" not in document:
            raise _field("/hands", "missing")
        raise _wrong_type("/hands", "list")
    read = tuple(_hand(ruleset, hand, f"/hands/{i}") for i, hand in enumerate(hands))
    record = Record(
        ruleset,
        options,
        target,
        deals,
        seats,
        tags,
        read,
        _points(document.get("score"), ruleset.sides, "/score"),
        _winner(document.get("winner"), ruleset.sides, "/winner"),
    )
    _check_limits(record)
    return record


def _ruleset(name: Any) -> Ruleset:
    ruleset = find_ruleset(name)
    if ruleset is None:
        raise _refusal(
            "record.ruleset",
            "/ruleset",
            "missing" if name in (None, "") else "unknown_ruleset",
            found=_excerpt(name),
            known=", ".join(RULESETS),
        )
    return ruleset


def _with_house_rules(ruleset: Ruleset, options: Any) -> Ruleset:
    """The ruleset with the fields that a record overrides."""
    if not isinstance(options, dict):
        raise _wrong_type("/options", "object", "record.option")
    for name, value in options.items():
        if name in _LENGTHS:
            continue
        if name not in HOUSE_RULES or (name == "stakes" and ruleset.trump_shown != "aside"):
            raise _refusal("record.option", member("/options", name), "unknown_option", found=name)
        try:
            ruleset = with_house_rule(ruleset, name, value)
        except ValueError as error:
            no_upcard = name == "exchange" and value in HOUSE_RULES[name]["choices"]
            reason = "no_upcard" if no_upcard else "wrong_type"
            excerpt = _excerpt(value)
            raise _refusal("record.option", f"/options/{name}", reason, found=excerpt) from error
    return ruleset


def _match_length(ruleset: Ruleset, options: Any) -> tuple[int | None, int | None]:
    for name in _LENGTHS:
        if name in options and (not _is_int(options[name]) or options[name] < 1):
            raise _wrong_type(f"/options/{name}", "positive", "record.option")
    if "to" in options and "deals" in options:
        raise _refusal("record.option", "/options", "contradiction")
    if "deals" in options and ruleset.race_to:
        raise _refusal("record.option", "/options/deals", "unknown_option", found="deals")
    if "deals" in options:
        return None, options["deals"]
    return options.get("to", ruleset.target), None


def _seats(ruleset: Ruleset, seats: Any) -> tuple[Ruleset, tuple[str, ...]]:
    expected = " / ".join(str(count) for count in ruleset.seat_counts)
    if not isinstance(seats, list) or not all(isinstance(name, str) for name in seats):
        raise _wrong_type("/seats", "names", "record.seats", expected=expected)
    if len(seats) not in ruleset.seat_counts:
        raise _refusal(
            "record.seats", "/seats", "wrong_number", expected=expected, found=len(seats)
        )
    for i, name in enumerate(seats):
        _check_printable(name, f"/seats/{i}", "record.seats", expected=expected)
    return at_table(ruleset, len(seats)), tuple(seats)


def _tags(tags: Any) -> Mapping[str, str]:
    if not isinstance(tags, dict):
        raise _wrong_type("/tags", "object")
    for name, value in tags.items():
        if not isinstance(value, str):
            raise _wrong_type(member("/tags", name), "text")
        _check_printable(name, member("/tags", name), "record.field")
        _check_printable(value, member("/tags", name), "record.field")
    return tags


def _hand(ruleset: Ruleset, hand: Any, path: str) -> HandRecord:
    if not isinstance(hand, dict):
        raise _wrong_type(path, "object")
    if not _HAND_FIELDS.issuperset(hand):
        _refuse_unknown_fields(hand, _hand_fields(ruleset), path)
    dealer = hand.get("dealer")
    if dealer not in ruleset.seats:
        raise _field(f"{path}/dealer", "missing" if dealer is None else "wrong_seat")
    if "play" not in hand:
        raise _field(f"{path}/play", "missing")
    read = HandRecord(
        dealer,
        _text(hand, "trump", path),
        _deal(ruleset, hand.get("deal"), f"{path}/deal"),
        _text(hand, "play", path),
        _points(hand.get("points"), _counting_sides(ruleset, dealer), f"{path}/points"),
        _winner(hand.get("winner"), ruleset.sides, f"{path}/winner"),
        _text(hand, "stock", path),
        _points(hand.get("payments"), ruleset.seats, f"{path}/payments"),
    )
    needed: tuple[str, ...] = ("trump", "deal")
    if read.play is None:
        needed = ("points",) if ruleset.race_to else ("points", "winner")
    elif ruleset.stock_size:
        needed = ("trump", "deal", "stock")
    for name in needed:
        if getattr(read, name) is None:
            raise _field(f"{path}/{name}", "missing")
    return read


def _hand_fields(ruleset: Ruleset) -> frozenset[str]:
    extras = {"stock"} if ruleset.stock_size else set()
    return _HAND_FIELDS | extras | ({"payments"} if ruleset.stakes != "none" else set())


def _counting_sides(ruleset: Ruleset, dealer: str) -> tuple[str, ...]:
    """The sides that points are counted for: who sits out has none (F1)."""
    if not ruleset.dealer_sits_out:
        return ruleset.sides
    return tuple(side for side in ruleset.sides if side != dealer)


def _text(hand: Mapping[str, Any], name: str, path: str) -> str | None:
    text = hand.get(name)
    if text is None or isinstance(text, str):
        return text
    raise _wrong_type(f"{path}/{name}", "text")


def _deal(ruleset: Ruleset, deal: Any, path: str) -> Mapping[str, str] | None:
    if deal is None:
        return None
    if not isinstance(deal, dict):
        raise _wrong_type(path, "object")
    if len(deal) != ruleset.seat_count or not all(seat in deal for seat in ruleset.seats):
        _refuse_unknown_fields(deal, frozenset(ruleset.seats), path)
        missing = next(seat for seat in ruleset.seats if seat not in deal)
        raise _field(f"{path}/{missing}", "missing")
    for seat, cards in deal.items():
        if not isinstance(cards, str):
            raise _wrong_type(f"{path}/{seat}", "text")
    return deal


def _points(points: Any, sides: tuple[str, ...], path: str) -> Mapping[str, int] | None:
    if points is None:
        return None
    if not isinstance(points, dict):
        raise _wrong_type(path, "object")
    if len(points) != len(sides) or not all(side in points for side in sides):
        _refuse_unknown_fields(points, frozenset(sides), path)
        missing = next(side for side in sides if side not in points)
        raise _field(f"{path}/{missing}", "missing")
    for side, value in points.items():
        if not _is_int(value):
            raise _wrong_type(f"{path}/{side}", "integer")
    return points


def _winner(winner: Any, sides: tuple[str, ...], path: str) -> str | None:
    if winner is None or (isinstance(winner, str) and winner in sides):
        return winner
    raise _field(path, "wrong_side")


def _check_limits(record: Record) -> None:
    if len(record.hands) > MAX_HANDS:
        raise _refusal("record.limit", "/hands", "too_large", what="hands", limit=MAX_HANDS)
    for i, name in enumerate(record.seats):
        _check_length(name, f"/seats/{i}")
    for tag, value in record.tags.items():
        _check_length(tag, "/tags")
        _check_length(value, member("/tags", tag))
    for i, hand in enumerate(record.hands):
        if hand.play is not None and len(hand.play) > MAX_TOKENS * 2:
            _check_token_count(hand.play, i)
        if hand.trump is not None:
            _check_length(hand.trump, f"/hands/{i}/trump")
        for seat, cards in (hand.deal or {}).items():
            _check_length(cards, f"/hands/{i}/deal/{seat}")
        if hand.stock is not None:
            _check_length(hand.stock, f"/hands/{i}/stock")


def _check_token_count(play: str, hand: int) -> None:
    if len(play.split()) > MAX_TOKENS:
        error = _refusal(
            "record.limit", f"/hands/{hand}/play", "too_large", what="tokens", limit=MAX_TOKENS
        )
        raise error


def _check_length(text: str, path: str) -> None:
    if len(text) > MAX_TEXT:
        raise _refusal("record.limit", path, "too_large", what="characters", limit=MAX_TEXT)


def _check_printable(text: str, path: str, code: str, **facts: Any) -> None:
    if not text.isprintable() and _UNPRINTABLE.search(text):
        raise _refusal(code, path, "bad_character", **facts)


def _refuse_unknown_fields(
    fields: Mapping[str, Any], known_fields: frozenset[str], path: str
) -> None:
    for name in fields:
        if name not in known_fields:
            raise _field(member(path, name), "unknown_field")


def _field(path: str, reason: str) -> RecordError:
    return _refusal("record.field", path, reason)


def _wrong_type(path: str, kind: str, code: str = "record.field", **facts: Any) -> RecordError:
    """The error of a value of another type than its ``kind``, which has a message of its own."""
    return _refusal(code, path, "wrong_type", kind=kind, **facts)


def _refusal(code: str, path: str, reason: str, **facts: Any) -> RecordError:
    hand = re.match(r"/hands/(\d+)", path)
    number = int(hand[1]) + 1 if hand else None
    fault = Fault(code, "F1", hand=number, path=path, facts={"reason": reason, **facts})
    return RecordError(fault, reason)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _excerpt(value: Any) -> str:
    return str(value)[:60]
