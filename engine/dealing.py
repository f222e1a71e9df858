"""Dealing from a seed that can be committed to before and opened afterwards.

Deal *k* of a match is a function of a secret seed, the match's label, *k* and who deals, so that
anybody with the seed can check that the cards were not chosen. The bytes are
``HMAC-SHA256(seed, "label|k|block")`` for block 0, 1, 2 …, 32 a block. The pack starts in the order
oros, copas, espadas, bastos, each 2 4 5 6 7 S C R 3 1; for i from 39 down to 1 the next byte below
the largest multiple of i + 1 that fits in 256 (others are skipped) gives, modulo i + 1, the card
that changes places with card i. The first ``cards_each`` go to the seat after the dealer, and so
on; who sits out gets none. What shows trumps (R3) is the dealer's last card; or the next card of
the pack, which then lies under the rest as the last of the stock; or the one card left over.
The first dealer (R2.4) is drawn from ``"label|dealer|block"``. *k* counts the hands of a match from
1; in a race (R9) game *g* has the numbers 2 *g* - 1 and 2 *g*, whether or not the second is dealt.
``docs/bots/playing.md`` has test vectors.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.cards import CARD_NAMES, SEATS
from engine.rulesets import Ruleset

COMMITMENT_DOMAIN: Final = "baza-arena/1"
ROUND_FORMAT: Final = "baza-round/1"


@dataclass(frozen=True, slots=True)
class Deal:
    """One distribution of the cards, as a record writes it (F1).

    ``stock`` is in drawing order, the upcard last, and ``None`` where all cards are dealt.
    """

    dealer: str
    trump: str
    hands: Mapping[str, str]
    stock: str | None = None


def deal(rules: Ruleset, seed: bytes, label: str, number: int, dealer: int | None = None) -> Deal:
    """Deal ``number`` (from 1) of the match called ``label``.

    ``dealer`` is the seat that deals, where that follows from the play (R9.2, R9.4); else the deal
    passes on from the first dealer.
    """
    if dealer is None:
        dealer = (first_dealer(rules, seed, label) + number - 1) % rules.seat_count
    pack = shuffle_pack(seed, label, number)
    hands = dict.fromkeys(rules.seats, "")
    offset = 0
    for turn in range(1, rules.seat_count + 1):
        seat = (dealer + turn) % rules.seat_count
        if seat in rules.players(dealer):
            hands[rules.seats[seat]] = " ".join(pack[offset : offset + rules.cards_each])
            offset += rules.cards_each
    if rules.trump_shown != "stock":
        return Deal(SEATS[dealer], pack[-1], hands)
    upcard = pack[offset]
    return Deal(SEATS[dealer], upcard, hands, " ".join([*pack[offset + 1 :], upcard]))


def shuffle_pack(seed: bytes, label: str, number: int) -> list[str]:
    """The pack of a deal, in the order in which it is dealt."""
    pack = list(CARD_NAMES)
    chance = _random_bytes(seed, f"{label}|{number}")
    for last in range(len(pack) - 1, 0, -1):  # Fisher and Yates, from the end
        other = _draw_below(chance, last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    return pack


def first_dealer(rules: Ruleset, seed: bytes, label: str) -> int:
    """The seat that deals first, drawn by lot from the seed (R2.4)."""
    return _draw_below(_random_bytes(seed, f"{label}|dealer"), rules.seat_count)


def commitment(label: str, seed: bytes) -> str:
    """The commitment published before play: the hex SHA-256 of domain, round label and seed."""
    return hashlib.sha256(f"{COMMITMENT_DOMAIN}|{label}|".encode() + seed).hexdigest()


def round_header(label: str, seed: bytes, count: int | None = None) -> dict[str, str | int]:
    """The first line of an opened round (`baza-round/1`); its matches follow, a line each.

    These are ``{"label": …, "record": …}``; ``baza verify-round`` reads the file. ``count`` is
    their number, where it is known: files of earlier releases state none.
    """
    header: dict[str, str | int] = {
        "format": ROUND_FORMAT,
        "round": label,
        "seed": seed.hex(),
        "commitment": commitment(label, seed),
    }
    return header if count is None else {**header, "count": count}


def _random_bytes(seed: bytes, message: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, f"{message}|{block}".encode(), "sha256")
        block += 1


def _draw_below(chance: Iterator[int], bound: int) -> int:
    """An even draw from 0 to ``bound`` - 1 by rejection sampling."""
    limit = 256 - 256 % bound  # bytes from here on would favour the small numbers
    return next(byte for byte in chance if byte < limit) % bound
