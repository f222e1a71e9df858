"""Cases chosen by hand: moments and results that chance hardly brings."""

from collections.abc import Iterator
from typing import Final

from engine.auditor import audit
from engine.conformance import answer_case
from engine.rulesets import HOUSE_RULES, RULESETS, Ruleset
from tools.conformance import proves
from tools.conformance.hands import Json, chance, play, record_of
from tools.conformance.moments import Found

OTHERS: Final = ("Bc", "Ce", "Db")
"""The other seats, and the suit of their cards where all are known."""
ORDERS: Final = HOUSE_RULES["declaring_order"]["choices"]


def corner_cases(kind: str, name: str) -> Found:
    """The cases of a kind and a ruleset."""
    return MAKERS[kind](RULESETS[name]) if kind in MAKERS else iter(())


def _position(rules: Ruleset, turn: str, hands: Json, **more: object) -> Json:
    return {"ruleset": rules.name, "trump": "o", "turn": turn, "hands": hands, **more}


def _ended(rules: Ruleset) -> Iterator[Json]:
    """Hands played to the end, one seat's unknown (R7.5)."""
    race = {"deal_of_game": 2} if rules.race_to else {}
    yield _position(rules, "A", {"B": ""})
    yield _position(rules, "A", {"B": ""}, last_trick="A", **race)
    yield _position(rules, "A", {"A": ""}, last_trick="B", **race)


def _legal(rules: Ruleset) -> Found:
    for position in _ended(rules):
        yield ["R4.1"], position


def _calls(rules: Ruleset) -> Found:
    for position in _ended(rules):
        yield ["R6.2"], position
    if rules.stock_size:
        for stock in (2, 3, 4):
            hands = {"A": "Rc Cc 7o 2o", "B": "4c 5c 6c 2b"}
            position = _position(rules, "A", hands, last_trick="A", stock=stock, upcard="Ro")
            yield ["R5.3", "R6.2"], position


def _try(rules: Ruleset) -> Found:
    for position in _ended(rules):
        for token in ("1o", "A:40", "B:x7"):
            yield ["F1"], {"position": position, "token": token}
    four = "Ro Rc Re Rb" if "R" in rules.tute_ranks else "Co Cc Ce Cb"
    for won in (1, 2):
        for options in ({}, {"declare_at": "first"}, {"tute_at_first_trick_only": True}):
            more = {"options": options} if options else {}
            position = _position(
                rules, "A", {"A": f"{four} 2o"}, last_trick="A", tricks_won={"A": won}, **more
            )
            for token in ("A:tuteR", "A:tuteC"):
                yield _proven(position, token), {"position": position, "token": token}
    if rules.race_to:
        yield from _claimed()


def _claimed() -> Found:
    """Claims of 101 and a capote, true, false and too late (R9.3, R9.5)."""
    rules = RULESETS["mano-a-mano"]
    eight = {"A": "Rc Cc 1o 3o 2e 4e 5e 6e", "B": "4c 5c 6c 2b 4b 5b 6b 7b"}
    position = _position(rules, "A", eight, last_trick="A", capote="A")
    yield ["R9.5"], {"position": position, "token": "B:capote"}
    hands = {"A": "Rc Cc 1o 3o", "B": "4c 5c 6c 2b"}
    for carried in (60, 61):
        position = _position(rules, "A", hands, last_trick="A", deal_of_game=2)
        position |= {"carried": {"A": carried}, "points": {"A": 40}}
        yield ["R9.3"], {"position": position, "token": "A:101"}
    for capote in ("A", "B"):
        for carried in (0, 70):
            position = _position(rules, "A", hands, last_trick="A", capote=capote)
            position |= {"carried": {"A": carried}, "deal_of_game": 2, "points": {"A": 40}}
            for token in ("A:20c", "A:101", "A:capote", "1o"):
                yield _proven(position, token), {"position": position, "token": token}


def _proven(position: Json, token: str) -> list[str]:
    fault = answer_case("try", {"position": position, "token": token})["fault"]
    if fault is not None:
        return [fault["rule"]]
    return ["R6.7" if ":tute" in token else "R9.5"]


def _perft(rules: Ruleset) -> Found:
    """Declarations in every order, by hands known and unknown, and the end of the stock."""
    stock: Json = {"stock": 8, "upcard": "Ro"} if rules.stock_size else {}
    cards_by_seat = {"A": "7o Co Rc Cc", "B": "2c 4c 5c 6c"}
    if not stock:
        others = {seat: f"2{suit} 4{suit} 5{suit} 6{suit} 7{suit} S{suit}" for seat, suit in OTHERS}
        cards_by_seat = {"A": "Ro Co Rc Cc Re Ce"} | {
            seat: cards for seat, cards in others.items() if seat in rules.seats
        }
    for order in ORDERS:
        more: Json = (
            {} if order == rules.declaring_order else {"options": {"declaring_order": order}}
        )
        proven = [proves.OF_ORDER.get(order, "R6.1")]
        position = _position(rules, "A", cards_by_seat, last_trick="A", **stock, **more)
        yield proven, {"position": position, "depth": 3}
        position = _position(rules, "A", {"B": "2c 4c"}, last_trick="A", **stock, **more)
        yield proven, {"position": position, "depth": 2}
    if rules.stock_size:
        position = _position(rules, "B", {}, trick="3c", stock=2, upcard="7o")
        yield ["R5.1"], {"position": position, "depth": 2}


def _record(rules: Ruleset) -> Found:
    """Results of many hands: what sides can make together, and what they cannot (R7.1, R7.2)."""
    rng = chance("corners", rules.name)
    totals = [
        (score, total - score)
        for total in (110, 130, 150, 190, 221, 229, 230, 231, 250)
        for score in (-1, 0, 1, 2, 11, total // 2, total)
    ]
    lists = [(0, totals), (1, totals)]
    if rules.tute_at_first_trick_only:  # where certain pairs of totals are possible, and no others
        early = [(score, other) for score in range(50) for other in range(110)]
        lists.append((0, [(score, 130 - score) for score in range(131)]))
        lists += [(0, rng.sample(early, 300)), (1, rng.sample(early, 300)[:60])]
    for winner, pairs in lists:
        hands = []
        for number, (score, other) in enumerate(pairs):
            points = dict.fromkeys(rules.sides, 0)
            points[rules.sides[0]], points[rules.sides[1]] = score, other
            hand: Json = {"dealer": rules.seats[number % len(rules.seats)], "play": None}
            hand |= {"points": points, "winner": rules.sides[winner]}
            hands.append(hand)
        record = record_of(rules, hands, options={"to": 1000})
        yield proves.of_verdict(rules, audit(record)), {"record": record}
    if rules.race_to:
        yield from _left_undecided(rules)


def _left_undecided(rules: Ruleset) -> Found:
    """A first deal without a winner in which a side was there already (R9.1, R9.2)."""
    for race_to, points in ((101, (105, 25)), (101, (25, 105)), (1, (1, 0)), (1, (0, 0))):
        played = play(chance("undecided", race_to, *points), rules, "B", talkative=0.0)
        options = {} if race_to == rules.race_to else {"race_to": race_to}
        first: Json = {"dealer": "A", "play": None, "points": dict(zip("AB", points, strict=True))}
        record = record_of(rules, [first, dict(played.hand)], options={"to": 2, **options})
        yield ["R9.2"], {"record": record}


MAKERS: Final = {
    "legal": _legal,
    "calls": _calls,
    "try": _try,
    "perft": _perft,
    "record": _record,
}
