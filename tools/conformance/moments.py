"""Cases about one moment of a hand: legal cards, what may be said, tokens tried, continuations."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from engine.cards import CARD_NAMES, SUITS
from engine.errors import IllegalAction, PositionError
from engine.position import position_from_dict, position_to_dict
from engine.rulesets import Ruleset
from engine.state import State
from tools.conformance import proves
from tools.conformance.hands import (
    Json,
    Played,
    carried_game,
    chance,
    house_rules,
    in_game,
    play,
    random_table,
    record_of,
    refused,
    several_house_rules,
)

Found = Iterator[tuple[list[str], Json]]

SMALL_HANDS: Final = 16
"""Legal cards of small hands, for each rule and ruleset."""
MOMENTS: Final = 60
"""Moments of whole hands for each ruleset, one a hand."""
REFUSALS: Final = 6
"""Refused tokens of each code and rule, for each ruleset."""
ACCEPTED: Final = 4
"""Accepted tokens, and what may be said, of each set of rules, for each ruleset."""
HANDS: Final = 240
"""Hands in which tokens are tried."""
COUNTED: Final = 12
"""Positions whose continuations are counted, for each ruleset."""
MAX_COUNTED: Final = 1500
UNUSUAL: Final = 12
"""Moments with unknown hands or several house rules, for each kind and ruleset."""


def compact(position: Json) -> Json:
    """A position without the fields that say what their absence says (F4)."""
    return {
        name: value
        for name, value in position.items()
        if value not in (None, "", 0, [], {})
        and not (name == "deal_of_game" and value == 1)
        and not (name in ("points", "carried", "tricks_won") and not any(value.values()))
    }


def position_of(state: State) -> Json | None:
    """The position of a moment, if it says all that decides what comes next; without points."""
    position = compact(position_to_dict(state))
    position.pop("points", None)
    read = position_from_dict(position)
    is_same = not state.to_speak and set(read.legal_tokens()) == set(state.legal_tokens())
    return position if is_same else None


def hands_of(name: str, part: str, count: int) -> Iterator[tuple[Random, Played]]:
    """Hands played by chance under a ruleset, every fourth with a house rule."""
    variants = list(house_rules(name))
    for number in range(count):
        rng = chance(part, name, number)
        rules = rng.choice(variants) if number % 4 == 3 else random_table(rng, name)
        yield rng, play(rng, rules, rng.choice(rules.seats), carried_game(rng, rules))


# --- legal cards --------------------------------------------------------------------------------


def legal_cases(name: str) -> Found:
    """Small hands for each rule of R4, and moments of whole hands."""
    yield from _small_hands(name)
    for rng, played in hands_of(name, "legal", MOMENTS):
        state = rng.choice(played.states[:-1])
        position = position_of(state)
        if position is not None:
            yield [proves.of_legal(state)], position
    for _rng, state, position in _unusual(name, "unusual legal"):
        yield [proves.of_legal(state)], position


def _unusual(name: str, part: str) -> Iterator[tuple[Random, State, Json]]:
    """Moments under several house rules at once, and moments at which hands are not known."""
    for number in range(UNUSUAL):
        rng = chance(part, name, number)
        rules = several_house_rules(rng, name) if number % 2 else random_table(rng, name)
        played = play(rng, rules, rng.choice(rules.seats), carried_game(rng, rules))
        open_states = [state for state in played.states[:-1] if not state.table] * 2
        state = rng.choice([*open_states, *played.states[:-1]])
        position = compact(position_to_dict(state))
        if number % 4 != 1:
            for seat in rng.sample(list(position["hands"]), rng.randint(1, len(rules.seats) // 2)):
                del position["hands"][seat]
        try:
            yield rng, position_from_dict(position), position
        except PositionError:  # without seat D's hand it is a table of three, and does not fit
            continue


def _small_hands(name: str) -> Found:
    rng = chance("small", name)
    counts: dict[str, int] = defaultdict(int)
    rich = 0
    for _ in range(3000):
        rules = random_table(rng, name)
        pack = rng.sample(CARD_NAMES, len(CARD_NAMES))
        dealer = rng.choice(rules.seats)
        seats = [rules.seats[seat] for seat in rules.players(rules.seats.index(dealer))]
        laid = rng.randrange(len(seats))
        position: Json = {"ruleset": name, "trump": rng.choice(SUITS), "turn": rng.choice(seats)}
        if rules.dealer_sits_out:
            position["dealer"] = dealer
        position["hands"] = {position["turn"]: " ".join(pack[laid : laid + rng.randint(2, 5)])}
        position["trick"] = " ".join(pack[:laid])
        if rules.stock_size:
            position["stock"] = rng.choice([0, 0, 2, 4, 24])
        state = position_from_dict(compact(position))
        rule = proves.of_legal(state)
        hand = state.hands[state.turn] or 0
        free = state.legal() == hand
        # What forbids something shows more than what does not.
        if counts[rule] < SMALL_HANDS and (not free or rich % 3 == 0 or rule == "R4.1"):
            counts[rule] += 1
            yield [rule], compact(position)
        rich += free


# --- what may be said ---------------------------------------------------------------------------


def calls_cases(name: str) -> Found:
    """Moments at which something may be said, or a holder may not declare."""
    counts: dict[str, int] = defaultdict(int)
    for rng, played in hands_of(name, "calls", HANDS):
        for state in rng.sample(played.states[:-1], len(played.states) - 1):
            rules = proves.of_calls(state)
            tokens = [token for token in state.legal_tokens() if ":" in token]
            if not tokens and rules == ["R6.1"]:
                continue
            key = " ".join(rules)
            if counts[key] < ACCEPTED and (position := position_of(state)) is not None:
                counts[key] += 1
                yield rules, position
                break
    for _rng, state, position in _unusual(name, "unusual calls"):
        yield proves.of_calls(state), position


# --- tokens tried -------------------------------------------------------------------------------


def try_cases(name: str) -> Found:
    """Refused tokens of every code and rule, and accepted ones."""
    refusals = refused_tokens(name, _try_at)
    for key in sorted(refusals):
        for question in refusals[key]:
            yield [key[1]], question
    counts: dict[str, int] = defaultdict(int)
    for rng, played in hands_of(name, "accepted", HANDS):
        at = rng.randrange(len(played.tokens))
        indices = [n for n, token in enumerate(played.tokens) if ":" in token]
        if indices and rng.random() < 0.7:
            at = rng.choice(indices)
        state, token = played.states[at], played.tokens[at]
        position = position_of(state)
        rules = proves.of_token(state, token)
        key2 = " ".join(rules)
        if position is not None and counts[key2] < ACCEPTED:
            counts[key2] += 1
            question = {"position": compact(position_to_dict(state)), "token": token}
            yield rules, question
    for rng, state, position in _unusual(name, "unusual try"):
        legal, wrong = state.legal_tokens(), list(refused(state))
        for token in rng.sample(legal, min(2, len(legal))):
            yield proves.of_token(state, token), {"position": position, "token": token}
        for token, _code, rule in rng.sample(wrong, 2):
            yield [rule], {"position": position, "token": token}


def _try_at(played: Played, at: int, token: str, code: str, rule: str) -> Json | None:
    position = compact(position_to_dict(played.states[at]))
    if played.states[at].over:
        return None
    try:
        position_from_dict(position).apply(token)
    except IllegalAction as error:
        if (error.fault.code, error.fault.rule) == (code, rule):
            return {"position": position, "token": token}
    return None


Question = Callable[[Played, int, str, str, str], Json | None]


def refused_tokens(name: str, question: Question) -> dict[tuple[str, str], list[Json]]:
    """Questions about refused tokens, by code and rule: the shortest, and as many by chance."""
    documents: dict[tuple[str, str], list[Json]] = defaultdict(list)
    for rng, played in hands_of(name, "refused", HANDS):
        for at in _moments(rng, played):
            for key, tokens in _refused(played.states[at]).items():
                token = rng.choice(tokens)
                document = question(played, at, token, *key) if len(documents[key]) < 40 else None
                if document is not None:
                    documents[key].append(document)
    rng = chance("refusals", name)
    selection = {}
    for key, questions in documents.items():
        by_size = sorted(questions, key=lambda case: len(json.dumps(case)))
        short, rest = by_size[: REFUSALS // 2], by_size[REFUSALS // 2 :]
        selection[key] = short + rng.sample(rest, min(len(rest), REFUSALS - len(short)))
    return selection


def _moments(rng: Random, played: Played) -> list[int]:
    """Some moments of a hand: windows, above all after a declaration, and tricks with a ruff."""
    kinds: dict[str, list[int]] = {"any": list(range(len(played.states)))}
    kinds["windows"] = [n for n, state in enumerate(played.states) if not state.table]
    kinds["spoken"] = [n for n in kinds["windows"] if played.states[n].window]
    kinds["ruffed"] = [
        n
        for n, state in enumerate(played.states)
        if state.table and proves.of_legal(state) in ("R4.3", "R4.4a", "R4.4b")
    ]
    return sorted({at for ats in kinds.values() for at in rng.sample(ats, min(3, len(ats)))})


def _refused(state: State) -> dict[tuple[str, str], list[str]]:
    """What is refused here, by code and rule."""
    texts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for token, code, rule in refused(state):
        texts[code, rule].append(token)
    return texts


# --- continuations ------------------------------------------------------------------------------


def perft_cases(name: str) -> Found:
    """Hands broken off, with the number of their continuations to a depth."""
    count = 0
    for rng, played in hands_of(name, "perft", HANDS):
        at = rng.randrange(len(played.tokens))
        state = played.states[at]
        depth = _depth(state)
        if depth is None:
            continue
        count += 1
        rules = {proves.of_legal(state), *proves.of_calls(state)}
        position = None if played.rules.stock_size else position_of(state)
        if position is not None and count % 2:
            question: Json = {"position": position, "depth": depth}
        else:
            question = {"record": broken_off(played, at), "depth": depth}
        yield proves.in_order(rules), question
        if count == COUNTED:
            break
    for _rng, state, position in _unusual(name, "unusual perft"):
        if _at_most(state, 3) is not None:
            yield [proves.of_legal(state)], {"position": position, "depth": 3}


def _depth(state: State) -> int | None:
    """How deep to count: as far as there are not too many, and further than one line goes."""
    depth, number = 0, 1
    while depth < 12 and (more := _at_most(state, depth + 1)) is not None:
        if more == number and depth:
            break
        depth, number = depth + 1, more
    return depth if number > 20 else None


def _at_most(state: State, depth: int) -> int | None:
    number = _count(state, depth, MAX_COUNTED)
    return number if number <= MAX_COUNTED else None


def _count(state: State, depth: int, most: int) -> int:
    """As `perft`, given up above ``most``."""
    if depth == 0 or state.over:
        return 1
    number = 0
    for token in state.legal_tokens():
        number += _count(state.apply(token), depth - 1, most - number)
        if number > most:
            break
    return number


def broken_off(played: Played, at: int, *more: str) -> Json:
    """The record of a hand up to one of its tokens, with other tokens after it."""
    rules: Ruleset = played.rules
    hand = {**played.hand, "play": " ".join([*played.tokens[:at], *more])}
    return record_of(rules, in_game(rules, hand, played.game))
