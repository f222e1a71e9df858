"""Corrupted records: what is dealt, what is stated, by which rules, and what is no record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.engine.chance import HandRecord, Record, hand
from tests.engine.mutating import Piles, dealt_hands, mutation, on_deal, played_hands, sides_of
from tests.engine.naive_results import FULL_SUMS
from tests.engine.naive_rules import PACK, RACE_TO_101, STOCK, TRUMP_SHOWN, seat_after, table_of

if TYPE_CHECKING:
    from random import Random

# --------------------------------------------------------------------------- the deal


@on_deal
def move_a_card(rng: Random, piles: Piles) -> None:
    giver, taker = rng.sample(list(piles), 2)
    if piles[giver]:
        piles[taker].insert(0, piles[giver].pop(rng.randrange(len(piles[giver]))))


@on_deal
def exchange_two_cards(rng: Random, piles: Piles) -> None:
    seat, other = rng.sample(list(piles), 2)
    if piles[seat] and piles[other]:
        first, second = rng.randrange(len(piles[seat])), rng.randrange(len(piles[other]))
        first_card = piles[seat][first]
        piles[seat][first], piles[other][second] = piles[other][second], first_card


@on_deal
def lose_a_card(rng: Random, piles: Piles) -> None:
    pile = rng.choice(list(piles.values()))
    if pile:
        del pile[rng.randrange(len(pile))]


@on_deal
def deal_a_card_twice(rng: Random, piles: Piles) -> None:
    put_among(rng, piles, rng.choice(PACK))


@on_deal
def deal_an_unreadable_card(rng: Random, piles: Piles) -> None:
    put_among(rng, piles, rng.choice(["8o", "xx", "1", "RO", "1oo", "A:40", "?"]))


def put_among(rng: Random, piles: Piles, card: str) -> None:
    """In the place of another, or one too many."""
    pile = rng.choice(list(piles.values()))
    if rng.random() < 0.7 and pile:
        pile[rng.randrange(len(pile))] = card
    else:
        pile.insert(0, card)


@mutation
def turn_another_trump(rng: Random, record: Record) -> bool:
    hands = [record_hand for record_hand in record["hands"] if record_hand.get("trump")]
    if not hands:
        return False
    rng.choice(hands)["trump"] = rng.choice([*PACK, "8o", "o", "xx"])
    return True


@mutation
def deal_the_trump_to_a_player(rng: Random, record: Record) -> bool:
    """Where it is set aside (`arrastrado`): instead of another card."""
    hands = [dealt_hand for dealt_hand in dealt_hands(record) if dealt_hand.get("trump")]
    if not hands or TRUMP_SHOWN[record["ruleset"]] != "set aside":
        return False
    record_hand = rng.choice(hands)
    seat = rng.choice([seat for seat, cards in record_hand["deal"].items() if cards] or ["A"])
    cards = record_hand["deal"][seat].split()
    cards[:1] = [record_hand["trump"]]
    record_hand["deal"][seat] = " ".join(cards)
    return True


@mutation
def let_another_deal(rng: Random, record: Record) -> bool:
    """Mostly with a deal that suits the seat, so that only the turn to deal is wrong."""
    if not record["hands"]:
        return False
    table = table_of(record)
    record_hand = rng.choice(record["hands"][1:] or record["hands"])
    before = record_hand["dealer"]
    after = rng.choice([seat for seat in table.seats if seat != before])
    record_hand["dealer"] = after
    if record_hand.get("deal") and rng.random() < 0.8:
        if (
            TRUMP_SHOWN[table.ruleset] == "dealer"
            and record_hand.get("trump")
            and record_hand["deal"][after]
        ):
            record_hand["trump"] = rng.choice(record_hand["deal"][after].split())
        if table.sitting_out(after):
            deal = record_hand["deal"]
            deal[before], deal[after] = deal[after], deal[before]
            record_hand.update(points=None, winner=None)
    return True


# --------------------------------------------------------------------------- by which rules

SIMILAR = [["habanero", "mano-a-mano"], ["parejas", "parejas-online", "cuatro"]]


@mutation
def play_by_other_rules(rng: Random, record: Record) -> bool:
    """The same cards and tokens, judged by a ruleset for the same table."""
    others = [name for names in SIMILAR if record["ruleset"] in names for name in names]
    if not others:
        return False
    record["ruleset"] = rng.choice(others)
    if RACE_TO_101[record["ruleset"]]:
        record["options"].pop("deals", None)
    return True


@mutation
def play_for_other_stakes(rng: Random, record: Record) -> bool:
    if record["ruleset"] != "arrastrado":
        return False
    record["options"]["stakes"] = rng.choice(["none", "flat", "plate"])
    for record_hand in record["hands"]:
        record_hand.pop("payments", None)
    return True


@mutation
def play_to_another_target(rng: Random, record: Record) -> bool:
    record["options"].pop("deals", None)
    record["options"]["to"] = rng.randint(1, 5)
    return True


# --------------------------------------------------------------------------- what is claimed


@mutation
def claim_other_points(rng: Random, record: Record) -> bool:
    if not record["hands"]:
        return False
    record_hand = rng.choice(record["hands"])
    sides = sides_of(record, record_hand)
    points = dict(record_hand.get("points") or dict.fromkeys(sides, 65))
    points[rng.choice(sides)] += rng.choice([-20, -10, -1, 1, 10, 20])
    if rng.random() < 0.3:
        points = dict(zip(points, reversed(points.values()), strict=True))
    record_hand["points"] = points
    return True


@mutation
def claim_another_winner(rng: Random, record: Record) -> bool:
    if not record["hands"]:
        return False
    hands = record["hands"]
    with_capote = [
        record_hand for record_hand in hands if "capote" in (record_hand.get("play") or "")
    ]
    record_hand = rng.choice(with_capote if with_capote and rng.random() < 0.5 else hands)
    sides = [side for side in sides_of(record, record_hand) if side != record_hand.get("winner")]
    record_hand["winner"] = rng.choice(sides)
    return True


@mutation
def claim_other_payments(rng: Random, record: Record) -> bool:
    hands = [record_hand for record_hand in record["hands"] if record_hand["play"] is not None]
    table = table_of(record)
    if not hands or table.stakes == "none":
        return False
    record_hand = rng.choice(hands)
    payments = dict(record_hand.get("payments") or dict.fromkeys(table.seats, 0))
    payments[rng.choice(table.seats)] += rng.choice([-100, -20, 1, 20, 100])
    record_hand["payments"] = payments
    return True


@mutation
def claim_another_match(rng: Random, record: Record) -> bool:
    sides = table_of(record).sides
    if rng.random() < 0.5:
        record["winner"] = rng.choice([*sides, None])
    else:
        record["score"] = {side: rng.randint(0, 4) for side in sides}
    return True


@mutation
def state_nothing(rng: Random, record: Record) -> bool:
    """Which is no fault; in `mano-a-mano` a faulty first deal may then have a second (R9.2)."""
    for document in [record, *played_hands(record)]:
        for name in ["points", "winner", "score", "payments"]:
            if rng.random() < 0.5:
                document.pop(name, None)
            elif name in document:
                document[name] = None
    return True


@mutation
def play_on_after_the_match(rng: Random, record: Record) -> bool:
    if not record["hands"]:
        return False
    table = table_of(record)
    dealer = record["hands"][-1]["dealer"]
    for _ in range(rng.randint(1, 2)):
        dealer = seat_after(dealer, table.seats)
        record["hands"].append(hand(rng, dealer, table)[0])
    return True


@mutation
def note_only_a_result(rng: Random, record: Record) -> bool:
    """A hand without its play, whose points may be anything."""
    if not record["hands"]:
        return False
    record_hand = rng.choice(record["hands"])
    sides = sides_of(record, record_hand)
    winners = [*sides, None] if RACE_TO_101[record["ruleset"]] else sides
    record_hand.update(play=None, points=any_points(rng, sides), winner=rng.choice(winners))
    record_hand.pop("payments", None)
    for names in [["deal", "stock"], ["trump"]]:
        if rng.random() < 0.5:
            for name in names:
                record_hand.pop(name, None)
    return True


@mutation
def note_an_impossible_result(rng: Random, record: Record) -> bool:
    """A side with one point or fewer than none, or more than 230 in all."""
    if not record["hands"]:
        return False
    record_hand = rng.choice(record["hands"])
    sides = sides_of(record, record_hand)
    points = dict.fromkeys(sides, 0)
    points[rng.choice(sides)] = rng.choice([-4, 1, 129, 231, 232])
    points[sides[0]] += rng.choice([0, 1, 130])
    record_hand.update(play=None, points=points, winner=rng.choice(sides))
    record_hand.pop("payments", None)
    return True


def any_points(rng: Random, sides: list[str]) -> dict[str, int]:
    kind = rng.choice(["any", "full", "tute", "odd", "odd"])
    if kind == "odd":
        return {side: rng.choice([-1, 0, 1, 2, 64, 129, 130, 131]) for side in sides}
    if kind == "tute":
        return {side: rng.randint(0, 60) for side in sides}
    left = rng.choice(FULL_SUMS) if kind == "full" else rng.randint(0, 240)
    points = {}
    for side in sides[1:]:
        points[side] = rng.randint(0, left)
        left -= points[side]
    return {sides[0]: left, **points}


# --------------------------------------------------------------------------- not a record at all


@mutation
def break_a_hand_field(rng: Random, record: Record) -> bool:
    if not record["hands"]:
        return False
    record_hand = rng.choice(record["hands"])
    ways = [unknown_field, no_play, no_such_dealer, no_such_seat, wrong_stock, wrong_points]
    ways += [wrong_winner, wrong_payments, no_result, wrong_play]
    rng.choice(ways)(rng, record_hand, record)
    return True


def unknown_field(rng: Random, one: HandRecord, _record: Record) -> None:
    one[rng.choice(["dealr", "hands", "", "plate", "tricks"])] = "x"


def no_play(_rng: Random, one: HandRecord, _record: Record) -> None:
    one.pop("play", None)


def no_such_dealer(rng: Random, one: HandRecord, record: Record) -> None:
    beyond = "ABCDE"[table_of(record).players]
    one["dealer"] = rng.choice([beyond, "E", "", "a", "AC", None, 1])


def no_such_seat(rng: Random, one: HandRecord, record: Record) -> None:
    deal = dict(one.get("deal") or {})
    if rng.random() < 0.5:
        deal.pop(rng.choice(table_of(record).seats), None)
    else:
        deal[rng.choice(["ABCDE"[table_of(record).players], "E", "a"])] = ""
    one["deal"] = deal


def wrong_stock(rng: Random, one: HandRecord, record: Record) -> None:
    if not STOCK[record["ruleset"]]:
        one["stock"] = rng.choice(["", "1o", ["1o"]])
    elif rng.random() < 0.5 and one["play"] is not None:
        one.pop("stock", None)
    else:
        one["stock"] = rng.choice([["1o"], 7, {}])


def wrong_points(rng: Random, one: HandRecord, record: Record) -> None:
    sides = sides_of(record, one)
    good: dict[str, object] = dict.fromkeys(sides, 65)
    wrong: list[object] = [{**good, sides[0]: "65"}, {**good, sides[0]: 65.5}, {**good, "E": 0}, 65]
    one["points"] = rng.choice([*wrong, {sides[0]: 65}, {"AC": 65, "B": 65}])


def wrong_winner(rng: Random, one: HandRecord, record: Record) -> None:
    in_pairs = "AC" in sides_of(record, one)
    one["winner"] = rng.choice(["A" if in_pairs else "AC", "E", "", 1])


def wrong_payments(rng: Random, one: HandRecord, record: Record) -> None:
    table = table_of(record)
    if table.stakes == "none":
        one["payments"] = dict.fromkeys(table.seats, 0)
    else:
        one["payments"] = rng.choice([{"A": 0}, {**dict.fromkeys(table.seats, 0), "E": 0}, 0, ""])


def no_result(rng: Random, one: HandRecord, record: Record) -> None:
    names = ["points"] if RACE_TO_101[record["ruleset"]] else ["points", "winner"]
    one.update(play=None)
    one.pop(rng.choice(names), None)


def wrong_play(rng: Random, one: HandRecord, _record: Record) -> None:
    one["play"] = rng.choice([["1o"], 7, {}])


WRONG_VALUES: dict[str, list[object]] = {
    "format": ["baza/2", "", None, 1],
    "ruleset": ["mus", "", "Parejas-Online", None],
    "seats": [[], ["Ana"], ["Ana"] * 5, "ABCD", ["Ana", "Bea", "Carlos", 4]],
    "winner": ["E", 1, "ABC", ""],
    "tags": [{"event": "x" * 1001}, {"event": 1}, []],
    "score": [{"A": 3, "BD": 1}, 3, {"AC": "3", "BD": 1}, {"A": 1.5, "B": 2}],
    "result": ["x"],
}


def break_a_field(name: str) -> None:
    """Registers a way of breaking this field of a record."""

    def changed(rng: Random, record: Record) -> bool:
        record[name] = rng.choice(WRONG_VALUES[name])
        return True

    changed.__name__ = f"break_the_{name}"
    mutation(changed)


for _name in WRONG_VALUES:
    break_a_field(_name)


@mutation
def break_the_options(rng: Random, record: Record) -> bool:
    record["options"] = rng.choice([*wrong_options(record), []])
    return True


def wrong_options(record: Record) -> list[object]:
    wrong: list[object] = [{"to": 0}, {"to": 3, "deals": 3}, {"deals": 0}, {"to": "3"}, {"to": -1}]
    wrong += [{"to": 1.5}, {"so": 1}, {"to": True}, {"stakes": "high"}, {"stakes": None}]
    if record["ruleset"] != "arrastrado":
        wrong += [{"stakes": "flat"}]
    if RACE_TO_101[record["ruleset"]]:
        wrong += [{"deals": 3}]
    return wrong
