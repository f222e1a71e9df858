"""Dealing from a seed that can be committed to before and opened afterwards.

Deal *k* of a match is a function of a secret seed, the match's label and *k* alone, so that whoever
is told the seed can check that the cards were not chosen. The bytes are
``HMAC-SHA256(seed, "label|k|block")`` for block 0, 1, 2 …, 32 a block. The pack starts in the order
oros, copas, espadas, bastos, each 2 4 5 6 7 S C R 3 1; for i from 39 down to 1 the next byte below
the largest multiple of i + 1 that fits in 256 (others are skipped) gives, modulo i + 1, the card
that changes places with card i. The first ten go to the seat after the dealer, and so on; the
dealer's last card shows trumps. The first dealer (R2.4) is drawn from ``"label|dealer|block"``.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.cards import CARD_NAMES, SEATS
from engine.rulesets import Ruleset

COMMITMENT_DOMAIN: Final = "baza-arena/1"


@dataclass(frozen=True, slots=True)
class Deal:
    """One distribution of the cards, as a record writes it (F1)."""

    dealer: str
    trump: str
    hands: Mapping[str, str]


def deal(rules: Ruleset, seed: bytes, label: str, number: int) -> Deal:
    """Deal ``number`` (from 1) of the match called ``label``.

    Raises ``ValueError`` for games with a stock or a card set aside, which no bot plays yet.
    """
    if rules.trump_shown != "dealer":
        raise ValueError(f"{rules.name} is not dealt to bots")
    dealer = (first_dealer(rules, seed, label) + number - 1) % rules.seat_count
    pack = list(CARD_NAMES)
    chance = _stream(seed, f"{label}|{number}")
    for last in range(len(pack) - 1, 0, -1):
        other = _below(chance, last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    hands = {}
    for turn in range(rules.seat_count):
        seat = SEATS[(dealer + 1 + turn) % rules.seat_count]
        hands[seat] = " ".join(pack[turn * rules.cards_each : (turn + 1) * rules.cards_each])
    return Deal(SEATS[dealer], pack[-1], {seat: hands[seat] for seat in rules.seats})


def first_dealer(rules: Ruleset, seed: bytes, label: str) -> int:
    """The seat that deals first, drawn by lot from the seed (R2.4)."""
    return _below(_stream(seed, f"{label}|dealer"), rules.seat_count)


def commitment(label: str, seed: bytes) -> str:
    """What is published before play: the hex SHA-256 of domain, round label and seed."""
    return hashlib.sha256(f"{COMMITMENT_DOMAIN}|{label}|".encode() + seed).hexdigest()


def _stream(seed: bytes, message: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, f"{message}|{block}".encode(), "sha256")
        block += 1


def _below(chance: Iterator[int], bound: int) -> int:
    """An even draw from 0 to ``bound`` - 1 by rejection sampling."""
    limit = 256 - 256 % bound
    return next(byte for byte in chance if byte < limit) % bound
