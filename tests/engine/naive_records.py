"""F1 said a second time: is it a record at all, and could the cards have been dealt so?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.engine.naive_rules import (
    CARDS_EACH,
    NAMES,
    PACK,
    PLAYERS,
    RACE_TO_101,
    STOCK,
    TRUMP_SHOWN,
    Remark,
    Table,
    table_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RECORD_ROW = ["format", "ruleset", "option", "seats", "field", "limit"]  # F3: the earlier wins
RECORD_FIELDS = ["format", "ruleset", "options", "seats", "tags", "hands", "score", "winner"]
HAND_FIELDS = ["dealer", "trump", "deal", "play", "points", "winner"]
STAKES = ["none", "flat", "plate"]
MAX_HANDS, MAX_TOKENS, MAX_TEXT_LENGTH = 1000, 200, 1000


# --------------------------------------------------------------------------- record.*


def record_fault(record: Mapping[str, Any]) -> Remark | None:
    """The ``record.*`` fault that keeps this JSON object from being a record, or None."""
    if record.get("format") != "baza/1":
        return Remark("record.format", "F1")
    ruleset = record.get("ruleset")
    if ruleset not in NAMES:
        return Remark("record.ruleset", "F1")
    if wrong_options(record.get("options", {}), ruleset):
        return Remark("record.option", "F1")
    if wrong_seats(record.get("seats"), PLAYERS[ruleset]):
        return Remark("record.seats", "F1")
    table = table_of(record)
    if wrong_record_fields(record, table):
        return Remark("record.field", "F1")
    for number, hand in enumerate(record["hands"], start=1):
        if wrong_hand_fields(hand, table):
            return Remark("record.field", "F1", hand=number)
    return beyond_limits(record)


def beyond_limits(record: Mapping[str, Any]) -> Remark | None:
    """F1, but for the bytes."""
    hands: list[Any] = record["hands"]
    if len(hands) > MAX_HANDS or any(len(text) > MAX_TEXT_LENGTH for text in texts(record)):
        return Remark("record.limit", "F1")
    for number, hand in enumerate(hands, start=1):
        if hand["play"] is not None and len(hand["play"].split()) > MAX_TOKENS:
            return Remark("record.limit", "F1", hand=number)
    return None


def is_number(value: object, least: int) -> bool:
    return type(value) is int and value >= least


def are_numbers_of(value: object, names: Sequence[str], least: int) -> bool:
    if not isinstance(value, dict) or sorted(value) != sorted(names):
        return False
    return all(is_number(number, least) for number in value.values())


def wrong_options(options: Any, ruleset: str) -> bool:
    """F1: to or deals, any number from 1, not both, and the stakes of R8."""
    if not isinstance(options, dict) or ("to" in options and "deals" in options):
        return True
    for name, value in options.items():
        if name == "stakes":
            if ruleset != "arrastrado" or value not in STAKES:
                return True
        elif name not in ["to", "deals"] or not is_number(value, 1):
            return True
    return "deals" in options and RACE_TO_101[ruleset]


def wrong_seats(seats: Any, players: Sequence[int]) -> bool:
    if not isinstance(seats, list) or len(seats) not in players:
        return True
    return not all(isinstance(name, str) for name in seats)


def wrong_record_fields(record: Mapping[str, Any], table: Table) -> bool:
    if any(name not in RECORD_FIELDS for name in record):
        return True
    if not isinstance(record.get("hands"), list):
        return True
    if record.get("winner") not in [None, *table.sides]:
        return True
    tags = record.get("tags", {})
    if not isinstance(tags, dict) or not all(isinstance(text, str) for text in tags.values()):
        return True
    score = record.get("score")
    return score is not None and not are_numbers_of(score, table.sides, 0)


def texts(record: Mapping[str, Any]) -> list[str]:
    """The names and tags of a record."""
    return [*record["seats"], *record.get("tags", {}).values()]


# --------------------------------------------------------------------------- record.field: a hand


def wrong_hand_fields(hand: Any, table: Table) -> bool:
    """F1: unknown fields, a missing play, a seat letter beyond the table, wrong kinds of value."""
    if not isinstance(hand, dict):
        return True
    fields = [*HAND_FIELDS]
    fields += ["stock"] if STOCK[table.ruleset] else []
    fields += ["payments"] if table.stakes != "none" else []
    if any(name not in fields for name in hand):
        return True
    if "play" not in hand or hand.get("dealer") not in table.seats:
        return True
    return wrong_cards_fields(hand, table) or wrong_stated_fields(hand, table)


def wrong_cards_fields(hand: Mapping[str, Any], table: Table) -> bool:
    without_play = hand["play"] is None
    for name in ["trump", "play", *(["stock"] if STOCK[table.ruleset] else [])]:
        if not (isinstance(hand.get(name), str) or (without_play and hand.get(name) is None)):
            return True
    deal = hand.get("deal")
    if deal is None:
        return not without_play
    if not isinstance(deal, dict) or sorted(deal) != table.seats:
        return True
    return not all(isinstance(cards, str) for cards in deal.values())


def wrong_stated_fields(hand: Mapping[str, Any], table: Table) -> bool:
    points, winner, payments = hand.get("points"), hand.get("winner"), hand.get("payments")
    sides = table.sides_of_hand(hand["dealer"])
    nobody_may_win = RACE_TO_101[table.ruleset]  # R9.1
    if hand["play"] is None and (points is None or (winner is None and not nobody_may_win)):
        return True
    if points is not None and not are_numbers_of(points, sides, -(10**9)):
        return True
    if payments is not None and not are_numbers_of(payments, table.seats, -(10**9)):
        return True
    return winner not in [None, *table.sides]


# --------------------------------------------------------------------------- R3: the deal


def wrong_deal(hand: Mapping[str, Any], table: Table) -> list[Remark]:
    """The ``deal.*`` faults of the cards themselves, in F3's order, one a code.

    What merely follows from another fault is not said again: a card is missing because another was
    dealt twice in its place, a hand is short because a card is missing, or long because of one that
    is there twice.
    """
    piles = {seat: hand["deal"][seat].split() for seat in table.seats}
    sizes = dict.fromkeys(table.active(hand["dealer"]), CARDS_EACH[table.ruleset])
    if STOCK[table.ruleset]:
        piles["stock"] = (hand.get("stock") or "").split()
        sizes["stock"] = STOCK[table.ruleset]
    cards = [card for pile in piles.values() for card in pile]
    readable = [card for card in cards if card in PACK]
    out = table.sitting_out(hand["dealer"])
    faults = []
    if len(readable) < len(cards):
        faults.append(Remark("deal.card", "R1"))
    if len(set(readable)) < len(readable):
        faults.append(Remark("deal.duplicate", "R1"))
    if len(cards) < sum(sizes.values()):
        faults.append(Remark("deal.missing", "R1"))
    too_long = any(len(piles[name]) > size for name, size in sizes.items())
    too_short = any(len(piles[name]) < size for name, size in sizes.items())
    if (too_long and too_short) or (out is not None and piles[out]):
        faults.append(Remark("deal.size", "R3"))
    if hand.get("trump") is not None and wrong_trump(hand, piles, table):
        faults.append(Remark("deal.trump", "R3"))
    return faults


def wrong_trump(hand: Mapping[str, Any], piles: Mapping[str, Sequence[str]], table: Table) -> bool:
    """R3: the dealer's card, or the last of the stock, or the one that nobody was dealt."""
    trump = hand["trump"]
    if trump not in PACK:
        return True
    if TRUMP_SHOWN[table.ruleset] == "dealer":
        return trump not in piles[hand["dealer"]]
    if TRUMP_SHOWN[table.ruleset] == "stock":
        return trump not in piles["stock"][-1:]
    return any(trump in pile for pile in piles.values())
