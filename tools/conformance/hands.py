"""Hands and matches played by chance, and the moments in them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from engine.actions import ACTIONS
from engine.cards import CARD_NAMES, SUITS
from engine.errors import IllegalAction
from engine.notation import HandRecord
from engine.replay import FIRST, CarryOver, states
from engine.rulesets import (
    HOUSE_RULES,
    RULESETS,
    Ruleset,
    at_table,
    changed_rules,
    with_house_rule,
)
from engine.state import State

Json = dict[str, Any]

SEED: Final = "conformance 1"
RARELY_SAID: Final = ("capote", "101", "voy")
FIXED_HOUSE_RULES: Final = ("pairs", "cards_each", "trump_shown", "target", "race_to")
"""Fields that are not varied: the pack admits hardly another value, or they make another game."""


def chance(*parts: object) -> Random:
    """A source of chance for one part of the suite, which no other part changes."""
    return Random("/".join(map(str, (SEED, *parts))))  # noqa: S311 - repeatable


def random_table(rng: Random, name: str) -> Ruleset:
    """A ruleset at one of its tables; with stakes sometimes, where it knows them."""
    rules = at_table(RULESETS[name], rng.choice(RULESETS[name].seat_counts))
    if rules.trump_shown == "aside":
        rules = replace(rules, stakes=rng.choice(["none", "flat", "plate", "plate"]))
    return rules


def house_rules(name: str) -> Iterator[Ruleset]:
    """The ruleset with one field changed, for each value that a record may write."""
    rules = RULESETS[name]
    for field, limits in HOUSE_RULES.items():
        if field in FIXED_HOUSE_RULES or (field == "stakes" and rules.trump_shown != "aside"):
            continue
        values = limits.get("choices") or range(limits["least"], limits["most"] + 1)
        for value in values:
            upcard = field != "exchange" or rules.trump_shown != "dealer"
            if upcard and value != getattr(rules, field):
                yield with_house_rule(rules, field, value)


def several_house_rules(rng: Random, name: str) -> Ruleset:
    """The ruleset with two to four fields changed."""
    rules = RULESETS[name]
    for other in rng.sample(list(house_rules(name)), rng.randint(2, 4)):
        for field, value in changed_rules(other).items():
            rules = with_house_rule(rules, field, value)
    return at_table(rules, rng.choice(rules.seat_counts))


# --- one hand -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A hand that was played by chance: before each of its tokens, and at its end."""

    rules: Ruleset
    hand: Json
    states: tuple[State, ...]
    tokens: tuple[str, ...]
    game: CarryOver = FIRST


def deal(rng: Random, rules: Ruleset, dealer: str) -> Json:
    """A hand before its play (F1); kings and caballos often lie together."""
    pack = rng.sample(CARD_NAMES, len(CARD_NAMES))
    piles: dict[str, list[str]] = {}
    for seat in rules.seats:
        size = 0 if rules.dealer_sits_out and seat == dealer else rules.cards_each
        piles[seat], pack = pack[:size], pack[size:]
    seats = [seat for seat in rules.seats if piles[seat]]
    piles["rest"] = pack
    for cards in _together(rng):
        _bring(rng, piles, rng.choice(seats), cards)
    trump_card = piles["rest"][-1] if piles["rest"] else rng.choice(piles[dealer])
    hand: Json = {"dealer": dealer, "trump": trump_card}
    hand["deal"] = {seat: " ".join(piles[seat]) for seat in rules.seats}
    if rules.stock_size:
        hand["stock"] = " ".join(piles["rest"])
    return hand


def _together(rng: Random) -> list[list[str]]:
    kind = rng.choice(["plain", "couples", "couples", "rich", "tute"])
    if kind == "couples":
        return [["R" + suit, "C" + suit] for suit in rng.sample(SUITS, rng.randint(1, 3))]
    if kind == "rich":
        return [["R" + s for s in SUITS[:3]] + ["C" + s for s in rng.sample(SUITS[:3], 2)]]
    if kind == "tute":
        rank = rng.choice("RC")
        return [[rank + suit for suit in SUITS]]
    return []


def _bring(rng: Random, piles: dict[str, list[str]], seat: str, cards: list[str]) -> None:
    for card in cards:
        holder = next(other for other in piles if card in piles[other])
        free = [n for n, own_card in enumerate(piles[seat]) if own_card not in cards]
        if holder != seat and free:
            at, holder_index = rng.choice(free), piles[holder].index(card)
            piles[holder][holder_index], piles[seat][at] = piles[seat][at], card


def start(rules: Ruleset, hand: Json, game: CarryOver = FIRST) -> State:
    """The hand before its first token."""
    record = HandRecord(
        hand["dealer"], hand["trump"], hand["deal"], "", None, None, hand.get("stock")
    )
    return next(states(rules, record, game))


def play(
    rng: Random,
    rules: Ruleset,
    dealer: str,
    game: CarryOver = FIRST,
    talkative: float | None = None,
) -> Played:
    """A hand dealt and played to its end."""
    hand = deal(rng, rules, dealer)
    talk = rng.choice([0.0, 0.3, 0.7, 1.0]) if talkative is None else talkative
    brave = rng.random() < 0.3  # players who claim, announce and support
    state = start(rules, hand, game)
    passed, tokens = [state], []
    while not state.over:
        token = _choose(rng, state, talk, brave)
        tokens.append(token)
        state = state.apply(token)
        passed.append(state)
    return Played(rules, {**hand, "play": " ".join(tokens)}, tuple(passed), tuple(tokens), game)


def _choose(rng: Random, state: State, talk: float, brave: bool) -> str:
    legal = state.legal_tokens()
    cards = [token for token in legal if ":" not in token]
    tokens = [token for token in legal if ":" in token]
    if cards and not brave:
        tokens = [token for token in tokens if token[2:] not in RARELY_SAID]
    if tokens and (not cards or rng.random() < talk):
        return rng.choice(tokens)
    plain = [card for card in cards if card[0] not in "RC"]
    return rng.choice(plain if plain and rng.random() < 0.6 else cards)


def carried_game(rng: Random, rules: Ruleset) -> CarryOver:
    """The points of a first deal that decided nothing (R9.2); no such thing without a race."""
    if not rules.race_to:
        return FIRST
    first = rng.randrange(40, 91)
    return CarryOver((first, 130 - first), 2) if rng.random() < 0.6 else FIRST


def refused(state: State) -> Iterator[tuple[str, str, str]]:
    """Every token that the rules refuse here, with code and rule."""
    for token in (*ACTIONS, "8o", "E:40"):
        try:
            state.apply(token)
        except IllegalAction as error:
            yield token, error.fault.code, error.fault.rule


# --- records ------------------------------------------------------------------------------------

NAMES: Final = ("Ana", "Bea", "Carlos", "Diego")


def record_of(rules: Ruleset, hands: list[Json], **fields: Any) -> Json:
    """A record of these hands; its house rules follow from the rules."""
    options = {**changed_rules(rules), **fields.pop("options", {})}
    head: Json = {"format": "baza/1", "ruleset": rules.name}
    if options:
        head["options"] = options
    return {**head, "seats": list(NAMES[: rules.seat_count]), "hands": hands, **fields}


def in_game(rules: Ruleset, hand: Json, game: CarryOver) -> list[Json]:
    """The hands of a record in which this one inherits ``game``."""
    if game is FIRST:
        return [hand]
    points = dict(zip(rules.sides, game.carried, strict=True))
    first: Json = {"dealer": hand["dealer"], "play": None, "points": points}
    return [first, hand]
