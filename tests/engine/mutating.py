"""How a legal record is broken in a known way: where to break it, and the list of the ways.

A mutation changes a record and answers whether it found something to break. Chance comes in as a
`random.Random`, so a failing case is found again by its seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.engine import naive
from tests.engine.chance import HandRecord, Record
from tests.engine.naive_play import Play
from tests.engine.naive_rules import LIGA, SEATS, Remark, Table, table_of

Piles = dict[str, list[str]]
Mutation = Callable[[Random, Record], bool]
Aim = Callable[[Play, str, Remark], bool]
MUTATIONS: list[Mutation] = []
AIMED: dict[str, list[Mutation]] = {}


def mutation(change: Mutation) -> Mutation:
    """Registers a way of breaking records of any ruleset."""
    MUTATIONS.append(change)
    return change


# --------------------------------------------------------------------------- places to break


def played_hands(record: Record) -> list[HandRecord]:
    return [hand for hand in record["hands"] if hand.get("play")]


def dealt_hands(record: Record) -> list[HandRecord]:
    return [hand for hand in record["hands"] if hand.get("deal")]


def sides_of(record: Record, one: HandRecord) -> list[str]:
    return table_of(record).sides_of_hand(one["dealer"])


def on_tokens(change: Callable[[Random, list[str], Table], None]) -> Mutation:
    """A mutation of the tokens of one hand's play."""

    def changed(rng: Random, record: Record) -> bool:
        hands = played_hands(record)
        if not hands:
            return False
        hand = rng.choice(hands)
        tokens = hand["play"].split()
        change(rng, tokens, table_of(record))
        hand["play"] = " ".join(tokens)
        return True

    changed.__name__ = change.__name__
    return mutation(changed)


def on_deal(change: Callable[[Random, Piles], None]) -> Mutation:
    """A mutation of the cards dealt in one hand, the stock among the piles."""

    def changed(rng: Random, record: Record) -> bool:
        hands = dealt_hands(record)
        if not hands:
            return False
        hand = rng.choice(hands)
        piles = {seat: cards.split() for seat, cards in hand["deal"].items()}
        if "stock" in hand:
            piles["stock"] = hand["stock"].split()
        change(rng, piles)
        if "stock" in hand:
            hand["stock"] = " ".join(piles.pop("stock"))
        hand["deal"] = {seat: " ".join(cards) for seat, cards in piles.items()}
        return True

    changed.__name__ = change.__name__
    return mutation(changed)


# --------------------------------------------------------------------------- aiming


def aim(ruleset: str, name: str, tokens: Sequence[str], is_aim: Aim) -> None:
    """Registers a mutation that looks for a place where one token commits exactly this fault."""

    def changed(rng: Random, record: Record) -> bool:
        verdict = naive.verdict(record)
        faulty = [fault.hand for fault in verdict.faults]
        legal = [
            (hand, start)
            for number, (hand, start) in enumerate(
                zip(record["hands"], verdict.starts, strict=True), start=1
            )
            if start is not None and number not in faulty
        ]
        for hand, start in rng.sample(legal, len(legal)):
            aims = places(hand, tokens, is_aim, start)
            if aims:
                put(hand, *rng.choice(aims))
                return True
        return False

    changed.__name__ = f"aim_at_{name}"
    AIMED.setdefault(ruleset, []).append(changed)


def fault_is(code: str, rule: str | None = None) -> Aim:
    return lambda _play, _token, fault: fault.code == code and rule in [None, fault.rule]


def places(
    one: HandRecord, tokens: Sequence[str], is_aim: Aim, start: Play | None = None
) -> list[tuple[int, str]]:
    """Where in the play one of the tokens would be the fault; cards only in the place of cards.

    No tokens: any card held by the player in turn.
    """
    words = one["play"].split()
    tokens = [token for token in tokens if token[1] != ":" or token[0] in one["deal"]]
    indices = []
    for index, play in enumerate(moments(one, start)):
        for token in tokens or play.hands[play.turn]:
            if (":" in token or ":" not in words[index]) and (fault := play.wrong(token)):
                indices += [(index, token)] if is_aim(play, token, fault) else []
    return indices


def put(one: HandRecord, index: int, token: str) -> None:
    """Inserts a saying; plays a card instead of another, the two exchanged where possible."""
    tokens = one["play"].split()
    if ":" in token:
        tokens.insert(index, token)
    elif token in tokens[index:]:
        other = tokens.index(token, index)
        tokens[index], tokens[other] = token, tokens[index]
    else:
        tokens[index] = token
    one["play"] = " ".join(tokens)


def only(one: HandRecord) -> Record:
    """A record of `parejas-online` with this hand alone, nothing stated."""
    fields = {name: one[name] for name in ["dealer", "trump", "deal", "play"]}
    return {"format": "baza/1", "ruleset": "parejas-online", "seats": SEATS, "hands": [fields]}


def moments(one: HandRecord, start: Play | None = None) -> list[Play]:
    """The hand before each of its tokens."""
    play = (start or naive.start(one, LIGA, naive.Due())).copied()
    states = []
    for token in one["play"].split():
        states.append(play.copied())
        play.apply(token)
    return states
