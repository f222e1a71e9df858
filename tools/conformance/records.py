"""Cases about whole records and their verdicts."""

import json
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Final

from engine.auditor import audit
from engine.notation import parse_record
from engine.replay import FIRST
from engine.rulesets import RULESETS, at_table
from tools.conformance import proves
from tools.conformance.breaking import BREAKING, VARIOUS
from tools.conformance.hands import (
    Json,
    Played,
    carried_game,
    chance,
    house_rules,
    play,
    random_table,
    record_of,
    several_house_rules,
)
from tools.conformance.matches import match, result, stated
from tools.conformance.moments import HANDS, Found, broken_off, refused_tokens

MATCHES: Final = 5
"""Valid matches for each ruleset."""
BROKEN: Final = 3
"""Records for each way of breaking one, and ruleset."""
MISWRITTEN: Final = 5
"""As many where the ways are several."""
SEVERAL: Final = 6
"""Matches under several house rules."""
TIES: Final = 1
"""Ties of most points, for each ruleset."""


def record_cases(name: str) -> Found:
    """Valid matches, house rules, refused tokens of every code and rule, broken records."""
    for question in _questions(name):
        yield _proven(question), question


def _proven(question: Json) -> list[str]:
    if "record" not in question:
        return ["F1" if "json" in question else "R2.3"]
    verdict = audit(question["record"])
    if verdict.ruleset is None:
        return ["F1"]
    return proves.of_verdict(parse_record(question["record"]).ruleset, verdict)


def _questions(name: str) -> Iterator[Json]:
    for number in range(MATCHES):
        rng = chance("match", name, number)
        yield {"record": match(rng, random_table(rng, name), rng.randint(1, 2))}
    for number, rules in enumerate(house_rules(name)):
        rng = chance("house", name, number)
        yield {"record": match(rng, rules, 1)}
    refusals = refused_tokens(name, _refused_record)
    for key in sorted(refusals):
        yield from refusals[key][1::2]
    for break_record in BREAKING:
        for number in range(MISWRITTEN if break_record in VARIOUS else BROKEN):
            rng = chance(break_record.__name__, name, number)
            fault = break_record(rng, random_table(rng, name))
            if fault is not None:
                yield fault
    yield from (
        {"record": record}
        for part in (_ties, _races, _stakes, _several_house_rules, _results, _deals_without_play)
        for record in part(chance(part.__name__, name), name)
    )


def _refused_record(played: Played, at: int, token: str, code: str, rule: str) -> Json | None:
    record = broken_off(played, at, token)
    faults = audit(record).faults
    if [(fault.code, fault.rule) for fault in faults] != [(code, rule)]:
        return None
    return {"record": record}


# --- what chance rarely brings ------------------------------------------------------------------


def _ties(rng: Random, name: str) -> Iterator[Json]:
    """Hands with equal points, the winner stated rightly and wrongly (R7.3)."""
    number = 0
    if RULESETS[name].race_to:
        return
    while number < TIES:
        rules = random_table(rng, name)
        played = play(rng, rules, rng.choice(rules.seats), talkative=0.0)
        end = played.states[-1]
        best = max(end.points)
        if end.cut_by is not None or end.points.count(best) < 2:
            continue
        number += 1
        record = stated(record_of(rules, [dict(played.hand)], options={"to": 1}))
        yield record
        wrong = json.loads(json.dumps(record))
        hand = wrong["hands"][0]
        hand["winner"] = next(side for side in hand["points"] if side != hand["winner"])
        yield wrong


def _races(rng: Random, name: str) -> Iterator[Json]:
    """Claims true and false, capotes won and lost, the first there without a claim (R9)."""
    rules = RULESETS[name]
    counts: dict[object, int] = defaultdict(int)
    for _ in range(HANDS * 4 if rules.race_to else 0):
        game = carried_game(rng, rules)
        played = play(rng, rules, rng.choice(rules.seats), game)
        end = played.states[-1]
        key = (end.cut_by, game is FIRST, end.cut_for, end.winner, end.capote)
        counts[key] += 1
        if counts[key] > 2:
            continue
        record = stated(broken_off(played, len(played.tokens)))
        yield record
        if counts[key] == 2 and record["hands"][-1]["winner"] is not None:
            wrong = json.loads(json.dumps(record))
            hand = wrong["hands"][-1]
            hand["winner"] = next(side for side in hand["points"] if side != hand["winner"])
            yield wrong


def _stakes(rng: Random, name: str) -> Iterator[Json]:
    """Matches for stakes, at both tables (R8)."""
    for rules in house_rules(name):
        if rules.stakes == "none":
            continue
        for count in rules.seat_counts * 4:
            yield match(rng, at_table(rules, count), 2)


def _several_house_rules(rng: Random, name: str) -> Iterator[Json]:
    for _ in range(SEVERAL):
        yield match(rng, several_house_rules(rng, name), 1)


def _results(rng: Random, name: str) -> Iterator[Json]:
    """Results at the edges of what a hand can come to, with either winner."""
    rules = at_table(RULESETS[name], RULESETS[name].seat_counts[0])
    edges = [(0, 130), (1, 129), (2, 128), (-2, 132), (-1, 131), (65, 65), (64, 66), (0, 0)]
    edges += [(11, 0), (33, 34), (110, 110), (110, 111), (115, 115), (115, 116), (230, 0)]
    edges += [(score, rng.choice((130, 150, 170)) - score) for score in rng.sample(range(60), 8)]
    edges += [(score, 44 - score) for score in rng.sample(range(44), 4)]
    dealer = rules.seats[0]
    for first, second in edges:
        for winner in rules.sides[:2]:
            hand = result(rng, rules, dealer, winner)
            points = [first, second, *([0] * (len(rules.sides) - 2))]
            hand["points"] = dict(zip(rules.sides, points, strict=True))
            yield record_of(rules, [hand], options={"to": 2})


def _deals_without_play(rng: Random, name: str) -> Iterator[Json]:
    """Results with their deal: in order, and with a card twice, missing or unknown."""
    for number in range(12):
        rules = at_table(RULESETS[name], rng.choice(RULESETS[name].seat_counts))
        played = play(rng, rules, rng.choice(rules.seats))
        hand = {**played.hand, **result(rng, rules, played.hand["dealer"])}
        if number % 2:
            del hand["trump"]
        piles = {seat: cards.split() for seat, cards in hand["deal"].items()}
        seat, other = rng.sample([seat for seat in piles if piles[seat]], 2)
        change = number // 2
        if change == 1:
            piles[seat][0] = piles[other][0]
        elif change == 2:
            piles[seat][0] = "8o"
        elif change == 3:
            piles[seat].pop()
        elif change == 4:
            piles[seat].append(piles[other].pop())
        elif change == 5:
            hand["trump"] = rng.choice(["8o", "x", ""])
        hand["deal"] = {seat: " ".join(cards) for seat, cards in piles.items()}
        yield record_of(rules, [hand], options={"to": 2})
