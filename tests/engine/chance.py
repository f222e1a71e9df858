"""Legal matches of every ruleset, made by chance from a seed and played by the naive rules.

Chance comes in as a `random.Random`, so a failing case is found again by its seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.engine.naive import Due, Match, start
from tests.engine.naive_rules import (
    CARDS_EACH,
    EXCHANGE,
    LIGA,
    PACK,
    PLAYERS,
    RACE_TO_101,
    RANKS,
    STOCK,
    SUITS,
    TRUMP_SHOWN,
    Table,
    rank_of,
    suit_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from tests.engine.naive_play import Play

Record = dict[str, Any]
HandRecord = dict[str, Any]
NAMES = ["Ana", "Bea", "Carlos", "Diego"]

# --------------------------------------------------------------------------- the cards


def deal(rng: Random, table: Table = LIGA, dealer: str = "") -> dict[str, list[str]]:
    """The piles of a deal; often with kings and knights together, so that there is much to say."""
    pack = rng.sample(PACK, len(PACK))
    active = table.active(dealer)
    piles: dict[str, list[str]] = {seat: [] for seat in table.seats}
    for seat in active:
        piles[seat], pack = pack[: CARDS_EACH[table.ruleset]], pack[CARDS_EACH[table.ruleset] :]
    if pack:
        piles[TRUMP_SHOWN[table.ruleset]] = pack
    kind = rng.choice(["plain", "pairs", "pairs", "one rich hand", "tute", "strong"])
    seat = rng.choice(active)
    if kind == "pairs":
        for suit in rng.sample(SUITS, rng.randint(1, 4)):
            bring(rng, piles, ["R" + suit, "C" + suit], rng.choice(active))
    elif kind == "one rich hand":
        for suit in rng.sample(SUITS, rng.randint(2, 4)):
            bring(rng, piles, ["R" + suit, "C" + suit], seat)
    elif kind == "tute":
        rank = rng.choice("RC")
        bring(rng, piles, [rank + suit for suit in SUITS], seat)
        if rng.random() < 0.8:
            other = "C" if rank == "R" else "R"
            bring(rng, piles, [other + suit for suit in rng.sample(SUITS, rng.randint(1, 2))], seat)
    elif kind == "strong":
        trump = rng.choice(SUITS)
        bring(rng, piles, [rank + trump for rank in RANKS[:5]], seat)
        bring(rng, piles, ["1" + suit for suit in SUITS], seat)
    return piles


def bring(rng: Random, piles: dict[str, list[str]], cards: Sequence[str], seat: str) -> None:
    """Exchanges cards so that the seat holds these, each pile keeping its size."""
    for card in cards:
        if card in piles[seat]:
            continue
        holder = next(other for other in piles if card in piles[other])
        plain = [own_card for own_card in piles[seat] if own_card[0] not in "RC1"] or piles[seat]
        token = rng.choice(plain)
        piles[seat][piles[seat].index(token)] = card
        piles[holder][piles[holder].index(card)] = token


def dealt(rng: Random, dealer: str, table: Table) -> HandRecord:
    """A hand before its play, as F1 writes it."""
    piles = deal(rng, table, dealer)
    trump_card = TRUMP_SHOWN[table.ruleset]
    trump = rng.choice(piles[dealer]) if trump_card == "dealer" else piles[trump_card][-1]
    record: HandRecord = {"dealer": dealer, "trump": trump}
    record["deal"] = {seat: " ".join(piles[seat]) for seat in table.seats}
    if STOCK[table.ruleset]:
        record["stock"] = " ".join(piles["stock"])
    return record


# --------------------------------------------------------------------------- how they play


@dataclass
class Temper:
    """How the players of one hand are: what they say, and which of their legal cards they prefer.

    A hero is helped by all: who saves the best cards for the end and is left to win then.
    """

    talkative: float
    swapping: float
    claiming: float
    keeping: float
    hero: str | None = None

    def wants(self, rng: Random, play: Play, token: str) -> bool:
        seat, saying = token.split(":")
        if saying == "101":
            true = seat in play.reached
            return rng.random() < (self.claiming if true else 0.03)
        if saying == "capote":
            return rng.random() < (0.5 if seat == self.hero else 0.05)
        if saying == "voy":
            return rng.random() < (0.9 if seat == self.hero else 0.2)
        if saying == "paso":
            return rng.random() < 0.5
        return rng.random() < (self.swapping if saying[0] == "x" else self.talkative)


def temper(rng: Random, play: Play) -> Temper:
    talkative = rng.choice([0.0, 0.5, 0.9, 1.0])
    how = Temper(talkative, rng.choice([0.0, 0.2, 0.9]), rng.choice([0.0, 0.4]), rng.random())
    if rng.random() < 0.5:
        how.hero = max(play.active, key=lambda seat: (high_cards(play, seat), rng.random()))
    return how


def high_cards(play: Play, seat: str) -> int:
    return sum(card[0] in "13" or suit_of(card) == play.trump for card in play.hands[seat])


def choose(rng: Random, play: Play, how: Temper) -> str:
    """One of the legal cards."""
    can = play.legal_cards()
    if how.hero is None:
        plain = [card for card in can if card[0] not in "RC"]
        return rng.choice(plain if plain and rng.random() < how.keeping else can)

    def strength(card: str) -> tuple[bool, int]:
        return suit_of(card) == play.trump, -RANKS.index(rank_of(card))

    strong_now = (play.turn == how.hero) == (not play.stock)
    return max(can, key=strength) if strong_now else min(can, key=strength)


def say(rng: Random, play: Play, how: Temper) -> list[str]:
    """What is said at this moment: nothing, or several things."""
    texts: list[str] = []
    if play.table and not (EXCHANGE[play.ruleset] and play.stock):
        return texts
    while not play.over:
        tokens = [token for token in play.legal_sayings() if how.wants(rng, play, token)]
        if tokens:
            texts.append(rng.choice(tokens))
        elif play.yet_to_speak:
            texts.append(f"{play.yet_to_speak[0]}:paso")
        else:
            break
        play.apply(texts[-1])
    return texts


def declare(rng: Random, play: Play, talkative: float) -> list[str]:
    """What is declared in one window."""
    tokens = []
    while (can := play.legal_declarations()) and rng.random() < talkative:
        tokens.append(rng.choice(can))
        play.apply(tokens[-1])
        if play.over:
            break
    return tokens


def hand(
    rng: Random, dealer: str, table: Table = LIGA, due: Due | None = None
) -> tuple[HandRecord, Play]:
    """A hand played to its end: cards by chance, sayings as its players please."""
    record = dealt(rng, dealer, table)
    play = start(record, table, due or Due())
    how = temper(rng, play)
    tokens: list[str] = []
    while not play.over:
        tokens += say(rng, play, how)
        if not play.over:
            tokens.append(choose(rng, play, how))
            play.apply(tokens[-1])
    return {**record, "play": " ".join(tokens)}, play


def without_play(rng: Random, record: HandRecord, play: Play) -> HandRecord:
    """The same hand as a table that noted results only would hand it in."""
    record = {**record, "play": None, "points": play.points(), "winner": play.winner()}
    for names in [["deal", "stock"], ["trump"]]:
        if rng.random() < 0.5:
            for name in names:
                record.pop(name, None)
    return record


# --------------------------------------------------------------------------- a match


def match_options(rng: Random, ruleset: str) -> Record:
    lengths: list[Record] = [{}, {"to": 1}, {"to": 2}, {"to": 2}, {"to": 3}]
    if not RACE_TO_101[ruleset]:
        lengths += [{"deals": 1}, {"deals": 2}, {"deals": 3}]
    options = rng.choice(lengths)
    if ruleset == "arrastrado":
        options = {**options, **rng.choice(STAKES)}
    return options


STAKES = [{}, {"stakes": "none"}, {"stakes": "flat"}, {"stakes": "plate"}, {"stakes": "plate"}]


def match(rng: Random, ruleset: str = "parejas-online") -> Record:
    """A legal record: to N or N deals, sometimes unfinished, results stated or not."""
    options = match_options(rng, ruleset)
    table = Table(ruleset, rng.choice(PLAYERS[ruleset]), options.get("stakes", "none"))
    played = Match(table, options)
    dealer = rng.choice(table.seats)
    hands: list[HandRecord] = []
    while not played.decided[0] and rng.random() < 0.97:
        record, play = hand(rng, played.due.dealer or dealer, table, played.due)
        if rng.random() < 0.05:
            record = without_play(rng, record, play)
            played.take(record)
        else:
            result = played.take(record)
            state(rng, record, "points", result.points)
            state(rng, record, "winner", result.winner)
            if table.stakes != "none":
                state(rng, record, "payments", result.payments)
        hands.append(record)
    results: Record = {"format": "baza/1", "ruleset": ruleset, "options": options}
    results["seats"] = NAMES[: table.players]
    results["tags"] = {"event": "Liga de otoño", "round": str(rng.randint(1, 9))}
    results["hands"] = hands
    state(rng, results, "score", played.score)
    state(rng, results, "winner", played.decided[1])
    return results


def state(rng: Random, record: Record, name: str, value: object) -> None:
    """States a result; or states nothing, in either of the two ways."""
    kind = rng.random()
    if kind < 0.85:
        record[name] = value
    elif kind < 0.93:
        record[name] = None
