"""Records for the kernel, and what it says of them compared with the core.

By hand, for as many hands as there is time: ``python -m tests.engine.kernel_cases RULESET HANDS``.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import engine
from engine.actions import ACTIONS
from engine.auditor import audit
from engine.fast import kernel
from engine.fast.auditing import BulkAudit
from engine.rulesets import HOUSE_RULES, at_table, with_house_rule
from engine.state import State, first_state
from tests.engine import chance, mutations

if TYPE_CHECKING:
    from collections.abc import Iterator

STYLES: list[dict[str, Any]] = [
    {"ensure_ascii": False},
    {"ensure_ascii": True},
    {"ensure_ascii": False, "separators": (",", ":")},
    {"ensure_ascii": False, "sort_keys": True},
    {"ensure_ascii": False, "separators": (" , ", " : ")},
]
TOKENS = tuple(ACTIONS)


def house_rules(rng: Random, ruleset: str) -> tuple[engine.Ruleset, dict[str, Any]]:
    """A ruleset with up to three fields changed, and the options that change them."""
    rules, options = engine.RULESETS[ruleset], dict[str, Any]()
    for name in rng.sample([*HOUSE_RULES], rng.randrange(4)):
        limits = HOUSE_RULES[name]
        values = limits.get("choices") or [*range(limits["least"], min(limits["most"], 130) + 1)]
        if name == "target" or (name == "stakes" and rules.trump_shown != "aside"):
            continue
        try:
            value = rng.choice(values)
            rules = with_house_rule(rules, name, value)
        except ValueError:
            continue
        options[name] = value
    return at_table(rules, rng.choice(rules.seat_counts)), options


def record(rng: Random, ruleset: str) -> tuple[dict[str, Any], list[list[State]]]:
    """A match under house rules, every token chosen by chance among those that the core admits.

    With it the states of each hand.
    """
    rules, options = house_rules(rng, ruleset)
    hands, states = list[dict[str, Any]](), list[list[State]]()
    dealer, opener, carried = rng.randrange(rules.seat_count), 0, tuple[int, ...]()
    for _ in range(rng.randint(1, 3)):
        hand, passed = played(rng, rules, dealer, carried)
        hands.append(hand)
        states.append(passed)
        state = passed[-1]
        if rules.race_to and state.winner is None and not carried:
            opener, carried = dealer, state.points
            dealer = state.last_side or 0
        else:
            dealer = rules.after(opener if carried else dealer)
            carried = ()
    options["to" if rules.race_to else rng.choice(["to", "deals"])] = len(hands)
    document = {"format": "baza/1", "ruleset": ruleset, "options": options, "hands": hands}
    return {**document, "seats": ["Ana", "Bea", "Carlos", "Íñigo"][: rules.seat_count]}, states


def played(
    rng: Random, rules: engine.Ruleset, dealer: int, carried: tuple[int, ...]
) -> tuple[dict[str, Any], list[State]]:
    """One hand, and its states; couples lie together more often than they would by chance."""
    pack = rng.sample(range(40), 40)
    if rng.random() < 0.7:
        for suit in rng.sample(range(4), rng.randint(1, 4)):
            king, horse = pack.index(10 * suit + 7), pack.index(10 * suit + 6)
            near = king - 1 if king % rules.cards_each or king > 38 else king + 1
            pack[near], pack[horse] = pack[horse], pack[near]
    names = engine.CARD_NAMES
    players, each = rules.players(dealer), rules.cards_each
    dealt = {seat: list[int]() for seat in range(rules.seat_count)}
    for number, seat in enumerate(players):
        dealt[seat] = pack[each * number : each * (number + 1)]
    rest = pack[rules.dealt :]
    trump_card = rest[-1] if rest else rng.choice(dealt[dealer])
    masks = tuple(sum(1 << card for card in dealt[seat]) for seat in range(rules.seat_count))
    state = first_state(
        rules,
        dealer,
        masks,
        trump_card // 10,
        stock=tuple(rest) if rules.stock_size else (),
        upcard=rest[0] if rules.trump_shown == "aside" else None,
        carried=carried,
        deal_of_game=2 if carried else 1,
    )
    talk, tokens, states = rng.choice([0.1, 0.5, 0.9]), list[str](), [state]
    while not state.over:
        sayings = [action.token for seat in players for action in state.calls(seat)]
        must = bool(state.to_speak)
        if sayings and (must or rng.random() < talk) and (must or "capote" not in sayings[-1]):
            tokens.append(rng.choice(sayings))
        else:
            tokens.append(rng.choice([t for t in state.legal_tokens() if ":" not in t]))
        state = state.apply(tokens[-1])
        states.append(state)
    hand: dict[str, Any] = {"dealer": "ABCD"[dealer], "trump": names[trump_card]}
    hand["deal"] = {
        seat: " ".join(names[card] for card in dealt[number])
        for number, seat in enumerate(rules.seats)
    }
    if rules.stock_size:
        hand["stock"] = " ".join(names[card] for card in rest)
    hand["play"] = " ".join(tokens)
    if rng.random() < 0.5:
        counting = [n for n in range(len(rules.sides)) if rules.pairs or n in players]
        hand["points"] = {rules.sides[n]: state.points[n] for n in counting}
        hand["winner"] = None if state.winner is None else rules.sides[state.winner]
    return hand, states


def slip(rng: Random, document: dict[str, Any]) -> None:
    """Changes something about one hand: a token of its play, its deal or what it states."""
    hand = rng.choice(document["hands"])
    tokens = (hand.get("play") or "").split()
    at, how = rng.randrange(len(tokens) + 1), rng.random()
    if how < 0.3:
        tokens.insert(at, rng.choice(TOKENS))
    elif how < 0.6 and tokens:
        tokens[at - 1] = rng.choice(TOKENS)
    elif how < 0.8 and tokens:
        other = rng.randrange(len(tokens))
        tokens[at - 1], tokens[other] = tokens[other], tokens[at - 1]
    elif how < 0.9:
        del tokens[at:]
    elif how < 0.95 and hand.get("points"):
        hand["points"] = {
            side: value + rng.choice([-1, 0, 10]) for side, value in hand["points"].items()
        }
    elif hand.get("deal"):
        seats = [seat for seat in hand["deal"] if hand["deal"][seat]] or [*hand["deal"]]
        seat, other = rng.choice(seats), rng.choice(seats)
        hand["deal"][seat] = hand["deal"][seat][:-2] + hand["deal"][other][:2]
    hand["play"] = " ".join(tokens)


def cases(rng: Random, ruleset: str) -> Iterator[bytes]:
    """A record of the table, a match under house rules, and both with slips."""
    for document in (chance.match(rng, ruleset), record(rng, ruleset)[0], record(rng, ruleset)[0]):
        text = json.dumps(document)
        yield json.dumps(document, **rng.choice(STYLES)).encode()
        for _ in range(3):
            changed = json.loads(text)
            if changed["hands"]:
                slip(rng, changed)
            yield json.dumps(changed, **rng.choice(STYLES)).encode()
    corrupted = chance.match(rng, ruleset)
    mutations.corrupt(rng, corrupted)
    yield json.dumps(corrupted, **rng.choice(STYLES)).encode()


def compare(lines: list[bytes]) -> Counter[str]:
    """Compares kernel and core on records: verdict, points, notices, digest, place of the fault.

    Counted are the records valid, faulty and left, and the hands that the kernel judged.
    """
    bulk = BulkAudit()
    heads = [bulk.read_head(line) for line in lines]
    _places, matches, _rows = bulk.replay(lines, heads)
    verdicts = bulk.judge([("", line) for line in lines])
    counts: Counter[str] = Counter()
    for line, match, verdict in zip(lines, matches, verdicts, strict=True):
        expected = audit(line)
        status = ("faulty", "valid", "left")[match[kernel.STATUS]]
        counts[status] += 1
        counts["hands"] += match[kernel.HAND] + (status == "faulty")
        if verdict is not None:
            assert verdict.to_verdict() == expected, line
            assert verdict.json("es") == json.dumps(expected.as_dict("es"), ensure_ascii=False)
        elif status == "valid":  # but its score, its winner or its payments are not those stated
            fault = expected.faults[0]
            assert fault.code == "score.match" or fault.path.endswith("payments"), line
        elif status == "faulty":
            fault = next(each for each in expected.faults if not each.path.endswith("payments"))
            place = (fault.hand, -1 if fault.token is None else fault.token)
            assert place == (match[kernel.HAND] + 1, match[kernel.TOKEN]), (line, fault)
    return counts


def compare_tokens(rng: Random, ruleset: str, moments: int = 4) -> Counter[str]:
    """Compares kernel and core on every token there is, tried at some moments of a hand.

    The core tries it on the state of that moment, the kernel on the record that ends there.
    """
    document, states = record(rng, ruleset)
    index = rng.randrange(len(states))
    before = document["hands"][: index + 1]
    tokens = before[-1]["play"].split()
    last = {name: before[-1][name] for name in before[-1] if name not in ("points", "winner")}
    text = json.dumps({**document, "hands": [*before[:-1], {**last, "play": "@"}]})
    head, tail = (part.encode() for part in text.rsplit("@", 1))
    places = [*range(len(tokens))]
    tries = [
        (states[index][n], " ".join([*tokens[:n], token]))
        for n in rng.sample(places, min(moments, len(places)))
        for token in TOKENS
    ]
    lines = [head + play.encode() + tail for _state, play in tries]
    bulk = BulkAudit()
    _places, matches, rows = bulk.replay(lines, [bulk.read_head(line) for line in lines])
    counts: Counter[str] = Counter()
    for line, match, (state, play) in zip(lines, matches, tries, strict=True):
        after: State | None = None
        try:
            after = state.apply(play[play.rfind(" ") + 1 :])
        except engine.IllegalAction as error:
            place = error.fault.token
        else:
            place = None if after.over else after.tokens
        if match[kernel.STATUS] == kernel.LEFT:
            counts["left"] += 1
            continue
        counts["tried"] += 1
        if place is None:
            assert after is not None
            row = rows[match[kernel.FIRST_ROW] // kernel.FOUND + index]
            sides = [*row[kernel.POINTS : kernel.POINTS + len(after.points)]]
            winner = None if row[kernel.WON_BY] < 0 else row[kernel.WON_BY]
            assert match[kernel.STATUS] == kernel.VALID, line
            assert (tuple(sides), winner) == (after.points, after.winner), line
        else:
            assert match[kernel.STATUS] == kernel.FAULTY, line
            assert (match[kernel.HAND], match[kernel.TOKEN]) == (index, place), line
    compare(rng.sample(lines, 2))  # whole audits come to the same
    return counts


def main() -> None:
    """Compares until a number of hands of a ruleset were judged by both."""
    ruleset, max_hands = sys.argv[1], int(sys.argv[2])
    rng, counts = Random(sys.argv[3] if len(sys.argv) > 3 else ruleset), Counter[str]()
    while counts["hands"] + counts["tried"] < max_hands:
        counts += compare([line for _ in range(10) for line in cases(rng, ruleset)])
        for _ in range(100):
            counts += compare_tokens(rng, ruleset)
        print(ruleset, dict(counts), flush=True)


if __name__ == "__main__":
    main()
