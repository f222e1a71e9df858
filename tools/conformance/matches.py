"""Records of matches: played by chance, or of results only."""

from random import Random

from engine.auditor import audit
from engine.replay import FIRST, CarryOver
from engine.rulesets import Ruleset
from tools.conformance.hands import Json, play, record_of


def match(rng: Random, rules: Ruleset, hands: int) -> Json:
    """A match of some hands, unless it is decided before, its results stated."""
    options: Json = {"to": hands}
    if not rules.race_to and rng.random() < 0.3:
        options = {"deals": hands}
    record = record_of(rules, [], options=options)
    dealer, game = rng.choice(rules.seats), FIRST
    opener = dealer
    for _ in range(hands + 1):
        played = play(rng, rules, dealer, game)
        record["hands"].append(dict(played.hand))
        verdict = audit(record)
        last = verdict.hands[-1]
        if rules.race_to and last.winner is None and game is FIRST:
            end = played.states[-1]
            game, dealer = CarryOver(end.points, 2), str(last.last_trick)
        else:
            game, opener = FIRST, rules.seats[rules.after(rules.seats.index(opener))]
            dealer = opener
        if len(record["hands"]) >= hands and game is FIRST:
            break
    return stated(record)


def stated(record: Json) -> Json:
    """The record with the results of its replay."""
    verdict = audit(record)
    for hand, hand_verdict in zip(record["hands"], verdict.hands, strict=True):
        if hand_verdict.audited:
            hand["points"] = None if hand_verdict.points is None else dict(hand_verdict.points)
            hand["winner"] = hand_verdict.winner
            if hand_verdict.payments is not None:
                hand["payments"] = dict(hand_verdict.payments)
    record["score"] = None if verdict.score is None else dict(verdict.score)
    record["winner"] = verdict.winner
    return record


def one_hand(rng: Random, rules: Ruleset) -> Json:
    """A record of one hand, its results stated."""
    return match(rng, rules, 1)


def result(rng: Random, rules: Ruleset, dealer: str, winner: str | None = None) -> Json:
    """A hand whose result alone was noted."""
    sides = [side for side in rules.sides if not (rules.dealer_sits_out and side == dealer)]
    winner = winner or rng.choice(sides)
    others = [side for side in sides if side != winner]
    points = {side: 0 if n else rng.choice((20, 24, 27)) for n, side in enumerate(others)}
    points[winner] = 130 - sum(points.values())
    return {
        "dealer": dealer,
        "play": None,
        "points": {side: points[side] for side in sides},
        "winner": winner,
    }


def results(rng: Random, rules: Ruleset, hands: int, **fields: Json) -> Json:
    """A record of results only; one side wins them all."""
    at = rng.randrange(len(rules.seats))
    dealers = [rules.seats[(at + n) % len(rules.seats)] for n in range(hands)]
    winner = rules.sides[-1] if rules.pairs else None
    documents = [result(rng, rules, dealer, winner) for dealer in dealers]
    return record_of(rules, documents, **fields)
