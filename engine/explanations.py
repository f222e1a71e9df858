"""Faults, notices and hints as sentences in English, Spanish and German.

The core answers with codes and facts. Here the facts are shaped (lists, totals, places), and the
sentences come from the catalogues (:mod:`engine.messages`). Cards and seats stay as they are
written in records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from engine.messages import group, has_message, message
from engine.rulesets import HOUSE_RULES, Ruleset

if TYPE_CHECKING:
    from engine.errors import Fault, Hint

_VERSION: Final = re.compile(r"baza/[1-9][0-9]*")


def explain(fault: Fault, language: str = "en") -> str:
    """Return one sentence about a fault, a notice or a remark (`engine.explain_hand`).

    Raises ``ValueError`` for a language without a catalogue.
    """
    if fault.code.startswith("remark."):
        return _capitalised(message(language, fault.code, **_fault_facts(fault, language)))
    special_case = f"{fault.code}/{_case(fault)}"
    code = special_case if has_message(f"fault.{special_case}") else fault.code
    return _capitalised(message(language, f"fault.{code}", **_fault_facts(fault, language)))


def _case(fault: Fault) -> Any:
    """Return the case of a fault that has a message of its own."""
    if fault.code == "play.incomplete" and not fault.legal:  # before the first lead (R8.4)
        return "to_speak"
    if fault.code == "play.token" and _is_brace(fault.facts["text"]):
        return "brace"
    if fault.code == "record.format" and _VERSION.fullmatch(str(fault.facts.get("found"))):
        return "newer"
    return fault.facts.get("reason")


def _kind(fault: Fault) -> Any:
    """Return the kind of a reason that has a message of its own."""
    found = fault.facts.get("found")
    if fault.facts["reason"] == "unknown_line" and _is_brace(found):
        return "brace"
    return fault.facts.get("kind", found)


def _is_brace(text: Any) -> bool:
    """Return whether a text is like a comment of PGN; no line and no token begins so."""
    return str(text).startswith(("{", "}"))


def describe_ruleset(rules: Ruleset, language: str = "en") -> dict[str, Any]:
    """Return a ruleset as JSON types: each field with its value, its meaning and what it takes.

    ``takes`` is what a house rule may set it to: a list of choices, of a number the least and the
    most, or ``None``.
    """
    return {
        "name": rules.name,
        "version": rules.version,
        "seats": list(rules.seats),
        "sides": list(rules.sides),
        "identity": rules.identity,
        "fields": {
            field.name: {
                "value": getattr(rules, field.name),
                "meaning": message(language, f"ruleset_field.{field.name}"),
                "takes": _takes(field.name),
            }
            for field in fields(rules)
            if has_message(f"ruleset_field.{field.name}")
        },
    }


def _takes(name: str) -> Any:
    limits = HOUSE_RULES.get(name, {})
    if "choices" in limits:
        return list(limits["choices"])
    return [limits["least"], limits["most"]] if limits else None


def fault_messages(language: str = "en") -> dict[str, str]:
    """Return the messages that `explain` is made of, by their ids, for programs that explain."""
    return group(language, "fault", "reason", "fragment", "limit", "shown")


def explain_hint(hint: Hint, language: str = "en") -> str:
    """Return one sentence about a repair that would mend a hand.

    Raises ``ValueError`` for a language without a catalogue.
    """
    pair = hint.found if isinstance(hint.found, tuple) else ("", "")
    places = [_seat_or_stock(seat, language) for seat in hint.seats] or hint.tokens or [""]
    conjunction = message(language, "fragment.or")
    sentence = message(
        language,
        f"hint.{hint.kind}",
        first=pair[0],
        second=pair[1],
        origin=places[0],
        place=places[-1],
        found=_totals(hint.found, language),
        write=_totals(hint.write, language),
        seats=places[0],
        tokens=", ".join(map(str, hint.tokens)),
        also="".join(f" {conjunction} {other}" for other in hint.also),
    )
    if hint.explains == "play":  # nothing beyond the play itself
        return _capitalised(sentence)
    return _capitalised(sentence) + message(language, f"hint_explains.{hint.explains}")


def _capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _seat_or_stock(place: str, language: str) -> str:
    message_id = f"hint_place.{place}"
    return message(language, message_id) if has_message(message_id) else place


def _fault_facts(fault: Fault, language: str) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "seat": fault.seat,
        "card": fault.card,
        "declaration": fault.declaration,
        "place": fault.path or "/",
        "legal": _any_of(fault.legal, language),
        "expected": "",
        "found": "",
        "notation": "JSON",
    }
    for name, value in fault.facts.items():
        facts[name] = _FORMATS[name](value, language) if name in _FORMATS else value
    reason = fault.facts.get("reason")
    if reason is not None and has_message(f"reason.{reason}"):
        of_kind = f"reason.{reason}.{_kind(fault)}"
        message_id = of_kind if has_message(of_kind) else f"reason.{reason}"
        facts["reason"] = message(language, message_id, **facts)
    facts["where"] = _position(fault.facts, language)
    return facts


def _any_of(cards: tuple[str, ...], language: str) -> str:
    if not cards:
        return "–"
    if len(cards) == 1:
        return cards[0]
    conjunction = message(language, "fragment.or")
    return f"{', '.join(cards[:-1])} {conjunction} {cards[-1]}"


def _cards(cards: list[str], _language: str) -> str:
    return ", ".join(cards)


def _missing(cards: list[str], language: str) -> str:
    return message(language, "fragment.missing", cards=", ".join(cards)) if cards else ""


def _sizes(sizes: Mapping[str, int], language: str) -> str:
    return ", ".join(
        message(language, "fragment.size", seat=seat, count=count) for seat, count in sizes.items()
    )


def _expected(expected: Any, _language: str) -> Any:
    return ", ".join(map(str, expected.values())) if isinstance(expected, Mapping) else expected


def _shown(place: str, language: str) -> str:
    return message(language, f"shown.{place}")


def _limit(name: str, language: str) -> str:
    return message(language, f"limit.{name}")


def _totals(value: Any, language: str) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{side} {points}" for side, points in value.items())
    return message(language, "fragment.nobody") if value is None else str(value)


def _sums(sums: list[int], language: str) -> str:
    return _any_of(tuple(map(str, sums)), language)


def _position(facts: Mapping[str, Any], language: str) -> str:
    if facts.get("column") is None:
        return ""
    line, column = facts["line"], facts["column"]
    return message(language, "fragment.position", line=line, column=column)


_FORMATS: Final[Mapping[str, Callable[[Any, str], Any]]] = {
    "cards": _cards,
    "missing": _missing,
    "sizes": _sizes,
    "expected": _expected,
    "shown": _shown,
    "stated": _totals,
    "sums": _sums,
    "replayed": _totals,
    "score": _totals,
    "what": _limit,
}
