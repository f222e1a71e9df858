"""Legal matches of `parejas-online`, made by chance from a seed and played by the naive rules.

Chance comes in as a `random.Random`, so a failing case is found again by its seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.engine import naive
from tests.engine.naive_play import PACK, SEATS, SIDES, SUITS, Play, seat_after

Record = dict[str, Any]
HandRecord = dict[str, Any]


def deal(rng: Random) -> dict[str, list[str]]:
    """Four hands; often with kings and knights brought together, so that there is much to say."""
    pack = rng.sample(PACK, len(PACK))
    hands = {seat: pack[10 * index : 10 * index + 10] for index, seat in enumerate(SEATS)}
    kind = rng.choice(["plain", "pairs", "pairs", "one rich hand", "tute"])
    if kind == "pairs":
        for suit in rng.sample(SUITS, rng.randint(1, 4)):
            bring(rng, hands, ["R" + suit, "C" + suit], rng.choice(SEATS))
    elif kind == "one rich hand":
        seat = rng.choice(SEATS)
        for suit in rng.sample(SUITS, rng.randint(2, 4)):
            bring(rng, hands, ["R" + suit, "C" + suit], seat)
    elif kind == "tute":
        seat, rank = rng.choice(SEATS), rng.choice("RC")
        bring(rng, hands, [rank + suit for suit in SUITS], seat)
        if rng.random() < 0.8:
            other = "C" if rank == "R" else "R"
            bring(rng, hands, [other + suit for suit in rng.sample(SUITS, rng.randint(1, 2))], seat)
    return hands


def bring(rng: Random, hands: dict[str, list[str]], cards: Sequence[str], seat: str) -> None:
    """Exchanges cards so that the seat holds these, each hand keeping its size."""
    for card in cards:
        if card in hands[seat]:
            continue
        holder = next(other for other in SEATS if card in hands[other])
        plain = [mine for mine in hands[seat] if mine[0] not in "RC"] or hands[seat]
        given = rng.choice(plain)
        hands[seat][hands[seat].index(given)] = card
        hands[holder][hands[holder].index(card)] = given


def hand(rng: Random, dealer: str) -> tuple[HandRecord, Play]:
    """A hand played to its end: cards at random, declarations as its players please."""
    cards = deal(rng)
    trump = rng.choice(cards[dealer])
    play = Play(cards, trump[1], seat_after(dealer))
    talkative = rng.choice([0.0, 0.5, 0.9, 1.0])
    tokens = []
    while not play.over:
        if play.window_side is not None:
            tokens += declare(rng, play, talkative)
        if not play.over:
            tokens.append(rng.choice(play.legal_cards()))
            play.apply(tokens[-1])
    record = {"dealer": dealer, "trump": trump, "deal": {s: " ".join(cards[s]) for s in SEATS}}
    return {**record, "play": " ".join(tokens)}, play


def declare(rng: Random, play: Play, talkative: float) -> list[str]:
    """What is said in one window."""
    said = []
    while (can := play.legal_declarations()) and rng.random() < talkative:
        said.append(rng.choice(can))
        play.apply(said[-1])
        if play.over:
            break
    return said


def without_play(rng: Random, record: HandRecord, play: Play) -> HandRecord:
    """The same hand as a table that noted results only would hand it in."""
    record = {**record, "play": None, "points": play.points(), "winner": play.winner()}
    for name in ["deal", "trump"]:
        if rng.random() < 0.5:
            del record[name]
    return record


def match(rng: Random) -> Record:
    """A legal record: to N or N deals, sometimes unfinished, results stated or not."""
    options = rng.choice(
        [{}, {"to": 1}, {"to": 2}, {"to": 3}, {"to": 4}, {"deals": 1}, {"deals": 3}]
    )
    dealer = rng.choice(SEATS)
    score = dict.fromkeys(SIDES, 0)
    hands: list[HandRecord] = []
    while not naive.match_winner(score, options, len(hands))[0] and rng.random() < 0.97:
        record, play = hand(rng, dealer)
        score[play.winner()] += 1
        if rng.random() < 0.05:
            record = without_play(rng, record, play)
        else:
            state(rng, record, "points", play.points())
            state(rng, record, "winner", play.winner())
        hands.append(record)
        dealer = seat_after(dealer)
    found: Record = {"format": "baza/1", "ruleset": "parejas-online", "options": options}
    found["seats"] = ["Ana", "Bea", "Carlos", "Diego"]
    found["tags"] = {"event": "Liga de otoño", "round": str(rng.randint(1, 9))}
    found["hands"] = hands
    state(rng, found, "score", score)
    state(rng, found, "winner", naive.match_winner(score, options, len(hands))[1])
    return found


def state(rng: Random, record: Record, name: str, value: object) -> None:
    """States a result; or states nothing, in either of the two ways."""
    kind = rng.random()
    if kind < 0.85:
        record[name] = value
    elif kind < 0.93:
        record[name] = None
