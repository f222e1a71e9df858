"""Records whose texts and names hold control and direction characters, and what may not leave."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

SCRAPS: Final = (
    "\x1b[31m",
    "\x1b[2J\x1b]0;title\x07",
    "\r\n✓ night.ndjson#2",
    "\r",
    "\n",
    "\t",
    "\x7f",
    "\x85",
    "\x9b1A",
    "\u061c",
    "\u200b\u200f",
    "\u2028",
    "\u202e",
    "\u2066\u2069",
    "\ufeff",
)
MOVES: Final = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
"""What moves a cursor or turns text: C0 but the line feed that ends a line, C1, direction."""


@cache
def sound_records() -> tuple[str, ...]:
    """The records of `tests/records` as JSON, cut to two hands: their analysis takes long."""
    records = []
    for path in sorted(Path("tests/records").glob("*.tute")):
        if path.stem != "faults":
            document = engine.document_with_comments(engine.parse_text(path.read_bytes()))
            document = {
                name: document[name] for name in document if name not in ("score", "winner")
            }
            records.append(json.dumps(document | {"hands": document["hands"][:2]}))
    return tuple(records)


def hostile_record(chance: Random) -> dict[str, Any]:
    """A record with such characters in one to three of its names and texts."""
    record: dict[str, Any] = json.loads(chance.choice(sound_records()))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        chance.choice(WAYS)(chance, record)
    return record


def _spoil(chance: Random, text: str) -> str:
    """Put a scrap into a text, in the place of a word or in a word of its own."""
    scrap = chance.choice(SCRAPS)
    words = text.split(" ")
    at = chance.randrange(len(words))
    words[at] = chance.choice([scrap, words[at] + scrap, scrap + words[at], f"{words[at]} {scrap}"])
    return " ".join(words)


def _leaves(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        if isinstance(inner, dict | list):
            _leaves(inner, found)
        else:
            found.append((value, key))
    return found


def _spoil_value(chance: Random, record: dict[str, Any]) -> None:
    holder, key = chance.choice(_leaves(record, []))
    holder[key] = _spoil(chance, str(holder[key]))


def _spoil_name(chance: Random, record: dict[str, Any]) -> None:
    holders = [record, record["options"], record["tags"], *record["hands"]]
    holders += [hand["deal"] for hand in record["hands"] if isinstance(hand.get("deal"), dict)]
    holder = chance.choice([one for one in holders if isinstance(one, dict)])
    name = chance.choice([*holder, "x"])
    holder[_spoil(chance, name)] = copy.deepcopy(holder.get(name, "1"))


def _spoil_head(chance: Random, record: dict[str, Any]) -> None:
    name = chance.choice(["format", "ruleset", "options", "seats", "score", "winner"])
    record[name] = chance.choice([_spoil(chance, str(record.get(name))), chance.choice(SCRAPS)])


def _spoil_tag(chance: Random, record: dict[str, Any]) -> None:
    if isinstance(record["tags"], dict):
        record["tags"][_spoil(chance, "event")] = _spoil(chance, "liguilla")


def _spoil_seat(chance: Random, record: dict[str, Any]) -> None:
    if isinstance(record["seats"], list):
        record["seats"][0] = chance.choice(["\u061c", "\u2028", "\x1b", "\u202e"]) + "Ana"


def _spoil_cards(chance: Random, record: dict[str, Any]) -> None:
    hand = chance.choice(record["hands"])
    if isinstance(hand, dict):
        name = chance.choice(["play", "trump"])
        hand[name] = _spoil(chance, str(hand.get(name)))


WAYS: Final[tuple[Callable[[Random, dict[str, Any]], None], ...]] = (
    _spoil_value,
    _spoil_name,
    _spoil_head,
    _spoil_tag,
    _spoil_seat,
    _spoil_cards,
)
