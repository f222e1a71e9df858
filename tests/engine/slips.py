"""Slips of the pen: a legal hand goes in, and one thing of it is noted wrongly.

Chance comes in as a `random.Random`, so a failing case is found again by its seed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import engine
from engine.cards import mask_of
from engine.replay import FIRST, CarryOver
from engine.state import State, first_state

HandRecord = dict[str, Any]
Slip = Callable[[Random, HandRecord], bool]

SLIPS: dict[str, Slip] = {}
"""By the kind of hint that should mend it; each answers whether it found something to spoil."""

PACK = list(engine.CARD_NAMES)
PLAYED_TO_THE_END = ("capote", "101", "voy", "paso")


def legal_hand(
    rng: Random, rules: engine.Ruleset, dealer: str, game: CarryOver = FIRST
) -> tuple[HandRecord, State]:
    """A hand dealt and played by chance, its result stated."""
    pack = rng.sample(PACK, len(PACK))
    hands, at = {}, 0
    for seat in rules.seats:
        idle = rules.dealer_sits_out and seat == dealer
        hands[seat] = pack[at : at + (0 if idle else rules.cards_each)]
        at += len(hands[seat])
    stock = pack[at:] if rules.stock_size else []
    trump = {"stock": pack[-1], "aside": pack[-1]}.get(rules.trump_shown) or rng.choice(
        hands[dealer]
    )
    state = first_state(
        rules,
        rules.seats.index(dealer),
        tuple(mask_of(map(PACK.index, hands[seat])) for seat in rules.seats),
        PACK.index(trump) // 10,
        stock=tuple(map(PACK.index, stock)),
        upcard=PACK.index(trump) if rules.trump_shown == "aside" else None,
        carried=game.carried,
        deal_of_game=game.deal,
    )
    tokens = []
    while not state.over:
        sayings = [token for token in state.legal_tokens() if ":" in token]
        sayings = [token for token in sayings if token.partition(":")[2] not in PLAYED_TO_THE_END]
        cards = [token for token in state.legal_tokens() if ":" not in token]
        tokens.append(rng.choice(sayings if sayings and rng.random() < 0.6 else cards))
        state = state.apply(tokens[-1])
    record: HandRecord = {"dealer": dealer, "trump": trump, "play": " ".join(tokens)}
    record["deal"] = {seat: " ".join(hands[seat]) for seat in rules.seats}
    if stock:
        record["stock"] = " ".join(stock)
    players = {seat for seat in rules.seats if hands[seat]}
    record["points"] = {
        side: points
        for side, points in zip(rules.sides, state.points, strict=True)
        if rules.pairs or side in players
    }
    record["winner"] = None if state.winner is None else rules.sides[state.winner]
    return record, state


def of_one_hand(rules: engine.Ruleset, hand: HandRecord) -> dict[str, Any]:
    """The record that holds this hand alone."""
    names = ["Ana", "Bea", "Carlos", "Diego"][: rules.seat_count]
    return {"format": "baza/1", "ruleset": rules.name, "seats": names, "hands": [hand]}


def slip(change: Slip) -> Slip:
    SLIPS[change.__name__] = change
    return change


def in_the_play(change: Callable[[Random, list[str]], bool]) -> Slip:
    def changed(rng: Random, hand: HandRecord) -> bool:
        tokens = hand["play"].split()
        result = change(rng, tokens)
        hand["play"] = " ".join(tokens)
        return result

    changed.__name__ = change.__name__
    return slip(changed)


def in_the_deal(change: Callable[[Random, dict[str, list[str]]], bool]) -> Slip:
    def changed(rng: Random, hand: HandRecord) -> bool:
        places = {seat: cards.split() for seat, cards in hand["deal"].items() if cards}
        if "stock" in hand:
            places["stock"] = hand["stock"].split()
        result = change(rng, places)
        for place, cards in places.items():
            if place == "stock":
                hand["stock"] = " ".join(cards)
            else:
                hand["deal"][place] = " ".join(cards)
        return result

    changed.__name__ = change.__name__
    return slip(changed)


def cards_of(tokens: list[str]) -> list[int]:
    return [at for at, token in enumerate(tokens) if ":" not in token]


def calls_of(tokens: list[str]) -> list[int]:
    return [at for at, token in enumerate(tokens) if ":" in token]


def misread(rng: Random, card: str) -> str:
    """Another card: mostly with one sign changed."""
    if rng.random() < 0.2:
        return rng.choice([other for other in PACK if other != card])
    return rng.choice([c for c in PACK if c != card and (c[0] == card[0]) != (c[1] == card[1])])


# --------------------------------------------------------------------------- the play


@in_the_play
def two_plays_are_swapped(rng: Random, tokens: list[str]) -> bool:
    index, other = rng.sample(cards_of(tokens), 2)
    tokens[index], tokens[other] = tokens[other], tokens[index]
    return True


@in_the_play
def two_plays_of_one_trick_are_swapped(rng: Random, tokens: list[str]) -> bool:
    places = cards_of(tokens)
    at = rng.randrange(len(places) - 1)
    index, other = places[at : at + 2]
    tokens[index], tokens[other] = tokens[other], tokens[index]
    return True


@in_the_play
def a_card_is_misread(rng: Random, tokens: list[str]) -> bool:
    at = rng.choice(cards_of(tokens))
    tokens[at] = misread(rng, tokens[at])
    return True


@in_the_play
def a_token_is_unreadable(rng: Random, tokens: list[str]) -> bool:
    at = rng.randrange(len(tokens))
    tokens[at] = rng.choice([tokens[at].swapcase(), tokens[at][:-1], "?", tokens[at] + "x"])
    return True


@in_the_play
def a_card_is_left_out(rng: Random, tokens: list[str]) -> bool:
    del tokens[rng.choice(cards_of(tokens))]
    return True


@in_the_play
def a_card_is_noted_twice(rng: Random, tokens: list[str]) -> bool:
    at = rng.choice(cards_of(tokens))
    tokens.insert(at + rng.choice([0, 1, 1, 2]), tokens[at])
    return True


@in_the_play
def a_call_is_noted_twice(rng: Random, tokens: list[str]) -> bool:
    if not calls_of(tokens):
        return False
    at = rng.choice(calls_of(tokens))
    tokens.insert(rng.randint(at + 1, len(tokens)), tokens[at])
    return True


@in_the_play
def a_call_too_many_is_written(rng: Random, tokens: list[str]) -> bool:
    call = rng.choice("ABCD") + rng.choice([":40", ":20o", ":20c", ":20e", ":20b", ":tuteR", ":x7"])
    tokens.insert(rng.randrange(len(tokens)), call)
    return True


@in_the_play
def a_call_is_left_out(rng: Random, tokens: list[str]) -> bool:
    if not calls_of(tokens):
        return False
    del tokens[rng.choice(calls_of(tokens))]
    return True


@in_the_play
def a_call_is_misread(rng: Random, tokens: list[str]) -> bool:
    if not calls_of(tokens):
        return False
    at = rng.choice(calls_of(tokens))
    seat, _colon, saying = tokens[at].partition(":")
    saying = rng.choice([other for other in ["20o", "20c", "20e", "20b", "40"] if other != saying])
    tokens[at] = f"{seat}:{saying}" if rng.random() < 0.7 else rng.choice("ABCD") + ":" + saying
    return True


@in_the_play
def a_call_is_noted_at_another_moment(rng: Random, tokens: list[str]) -> bool:
    if not calls_of(tokens):
        return False
    at = rng.choice(calls_of(tokens))
    call = tokens.pop(at)
    moments = [other for other in range(len(tokens) + 1) if 0 < abs(other - at) < 9]
    tokens.insert(rng.choice(moments), call)
    return True


@in_the_play
def the_play_goes_on_after_the_end(rng: Random, tokens: list[str]) -> bool:
    tokens += rng.choices([*PACK, "A:40", "?"], k=rng.randint(1, 3))
    return True


@in_the_play
def the_last_trick_is_left_out(rng: Random, tokens: list[str]) -> bool:
    if ":" in tokens[-1]:
        return False
    del tokens[-rng.randint(1, 2) :]
    return True


# --------------------------------------------------------------------------- the deal


@in_the_deal
def a_dealt_card_is_misread(rng: Random, places: dict[str, list[str]]) -> bool:
    cards = places[rng.choice(sorted(places))]
    at = rng.randrange(len(cards))
    cards[at] = misread(rng, cards[at])
    return True


@in_the_deal
def a_dealt_card_is_unreadable(rng: Random, places: dict[str, list[str]]) -> bool:
    cards = places[rng.choice(sorted(places))]
    at = rng.randrange(len(cards))
    cards[at] = rng.choice(["8o", cards[at][0], "?", cards[at] + "o"])
    return True


@in_the_deal
def a_dealt_card_is_left_out(rng: Random, places: dict[str, list[str]]) -> bool:
    cards = places[rng.choice(sorted(places))]
    del cards[rng.randrange(len(cards))]
    return True


@in_the_deal
def a_dealt_card_is_noted_in_another_hand(rng: Random, places: dict[str, list[str]]) -> bool:
    giver, taker = rng.sample([place for place in sorted(places) if place != "stock"], 2)
    places[taker].append(places[giver].pop(rng.randrange(len(places[giver]))))
    return True


@in_the_deal
def two_dealt_cards_are_exchanged(rng: Random, places: dict[str, list[str]]) -> bool:
    place, other = rng.sample([place for place in sorted(places) if place != "stock"], 2)
    index, yours = rng.randrange(len(places[place])), rng.randrange(len(places[other]))
    places[place][index], places[other][yours] = places[other][yours], places[place][index]
    return True


@slip
def another_trump_is_noted(rng: Random, hand: HandRecord) -> bool:
    if "stock" in hand:
        pack = PACK
    else:
        pack = hand["deal"][hand["dealer"]].split() or PACK
    hand["trump"] = rng.choice([card for card in pack if card[1] != hand["trump"][1]])
    return True


@slip
def another_dealer_is_noted(rng: Random, hand: HandRecord) -> bool:
    hand["dealer"] = rng.choice([seat for seat in hand["deal"] if seat != hand["dealer"]])
    return True


# --------------------------------------------------------------------------- what is stated


@slip
def other_points_are_stated(rng: Random, hand: HandRecord) -> bool:
    side = rng.choice(sorted(hand["points"]))
    hand["points"][side] += rng.choice([-20, -10, -1, 1, 10, 40])
    return True


@slip
def another_winner_is_stated(rng: Random, hand: HandRecord) -> bool:
    if hand["winner"] is None:
        return False
    hand["winner"] = rng.choice([side for side in hand["points"] if side != hand["winner"]])
    return True
