"""Verifies that the deals of a round follow from its seed, sharing no code with the dealer.

It is short on purpose and needs the standard library alone. ``docs/bots/playing.md`` describes the
file and the checks.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

DEAL_SHAPES = {"habanero": (8, "stock"), "mano-a-mano": (8, "stock"), "arrastrado": (13, "aside")}


def differences(lines: Iterable[str]) -> Iterator[str]:
    """A sentence for everything that is not as the seed has it; lines are those of the file."""
    header, *matches = (json.loads(line) for line in lines)
    seed = bytes.fromhex(header["seed"])
    committed = hashlib.sha256(f"baza-arena/1|{header['round']}|".encode() + seed).hexdigest()
    if header["format"] != "baza-round/1" or committed != header["commitment"]:
        yield "the seed is not the one that was committed to"
    if header.get("count", len(matches)) != len(matches):
        yield f"the file states {header['count']} matches and has {len(matches)}"
    for match in matches:
        label, record, number = match["label"], match["record"], 1
        if not re.fullmatch(re.escape(header["round"]) + r"(/[1-9][0-9]*){1,2}", label):
            yield f"{label}: not the label of a match of this round"
        (first,) = random_numbers(seed, f"{label}|dealer", [len(record["seats"])])
        race = record["options"].get("race_to", record["ruleset"] == "mano-a-mano")
        for hand_number, hand in enumerate(record["hands"], 1):
            turn = first + ((number - 1) // 2 if race else number - 1)
            second = race and number % 2 == 0  # its dealer follows from the play
            if not second and hand["dealer"] != "ABCD"[turn % len(record["seats"])]:
                yield f"{label}: hand {hand_number} was dealt by {hand['dealer']} out of turn"
            cards = {seat: set(text.split()) for seat, text in hand["deal"].items()}
            stock = hand["stock"].split() if "stock" in hand else None
            if (hand["trump"], cards, stock) != deal_of(
                record, hand["dealer"], seed, label, number
            ):
                yield f"{label}: hand {hand_number} was not dealt from the seed"
            number += 2 if race and not second and hand["winner"] is not None else 1


def deal_of(record: Any, dealer: str, seed: bytes, label: str, number: int) -> Any:
    """Trump, hands and stock of a deal."""
    pack = [rank + suit for suit in "oceb" for rank in "24567SCR31"]
    bounds = range(40, 1, -1)
    for size, other in zip(bounds, random_numbers(seed, f"{label}|{number}", bounds), strict=True):
        pack[size - 1], pack[other] = pack[other], pack[size - 1]
    each, trump_shown = DEAL_SHAPES.get(record["ruleset"], (10, "dealer"))
    each = record["options"].get("cards_each", each)
    seats = "ABCD"[: len(record["seats"])]
    start = seats.index(dealer) + 1
    active = (seats[start:] + seats[:start])[: 3 if trump_shown == "aside" else 4]
    hands = {seat: set(pack[each * n : each * (n + 1)]) for n, seat in enumerate(active)}
    rest = pack[each * len(active) :]
    stock = [*rest[1:], rest[0]] if trump_shown == "stock" else None
    return (stock or pack)[-1], {seat: hands.get(seat, set()) for seat in seats}, stock


def random_numbers(seed: bytes, message: str, bounds: Iterable[int]) -> Iterator[int]:
    """Even draws below each bound."""
    blocks = (f"{message}|{block}".encode() for block in range(99))
    stream = (byte for block in blocks for byte in hmac.digest(seed, block, "sha256"))
    for bound in bounds:
        yield next(byte for byte in stream if byte < 256 - 256 % bound) % bound
