"""Ways of breaking a record: one broken record for each is a case."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from engine.cards import CARD_NAMES
from engine.notation import MAX_TEXT, MAX_TOKENS
from engine.rulesets import Ruleset
from engine.text_export import write_text
from tools.conformance.hands import Json
from tools.conformance.matches import match, one_hand, result, results

Breaking = Callable[[Random, Ruleset], Json | None]
BREAKING: Final[list[Breaking]] = []


def breaking(change: Callable[[Random, Ruleset, Json], None]) -> Breaking:
    """Registers a way of breaking a record of one hand."""

    def changed(rng: Random, rules: Ruleset) -> Json:
        record = one_hand(rng, rules)
        change(rng, rules, record)
        return {"record": record}

    changed.__name__ = change.__name__
    BREAKING.append(changed)
    return changed


def breaking_way(make: Breaking) -> Breaking:
    """Registers a way of making a record, or text of one, that is not in order."""
    BREAKING.append(make)
    return make


def _in_deal(change: Callable[[Random, dict[str, list[str]]], None]) -> Breaking:
    def changed(rng: Random, _rules: Ruleset, record: Json) -> None:
        hand = record["hands"][0]
        piles = {seat: cards.split() for seat, cards in hand["deal"].items() if cards}
        if "stock" in hand:
            piles["stock"] = hand["stock"].split()
        change(rng, piles)
        for place, cards in piles.items():
            (hand if place == "stock" else hand["deal"])[place] = " ".join(cards)
        hand["play"] = " ".join(hand["play"].split()[:2])
        for name in ("points", "winner", "payments"):
            hand.pop(name, None)
        for name in ("score", "winner"):
            record.pop(name, None)

    changed.__name__ = change.__name__
    return breaking(changed)


@_in_deal
def _a_card_that_does_not_exist(rng: Random, piles: dict[str, list[str]]) -> None:
    pile = rng.choice(list(piles.values()))
    pile[rng.randrange(len(pile))] = rng.choice(["8o", "1x", "10o", "RO", "o1"])


@_in_deal
def _a_card_twice(rng: Random, piles: dict[str, list[str]]) -> None:
    place, other = rng.sample(list(piles), 2)
    piles[place][rng.randrange(len(piles[place]))] = rng.choice(piles[other])


@_in_deal
def _a_card_missing(rng: Random, piles: dict[str, list[str]]) -> None:
    pile = rng.choice(list(piles.values()))
    del pile[rng.randrange(len(pile) - 1)]


@_in_deal
def _a_card_in_another_hand(rng: Random, piles: dict[str, list[str]]) -> None:
    place, other = rng.sample([place for place in piles if place != "stock"], 2)
    piles[place].insert(0, piles[other].pop(0))


@_in_deal
def _a_card_too_many(rng: Random, piles: dict[str, list[str]]) -> None:
    place, other = rng.sample(list(piles), 2)
    piles[place].insert(0, rng.choice([piles[other][0], "8o"]))


@_in_deal
def _a_card_in_the_stock(rng: Random, piles: dict[str, list[str]]) -> None:
    """Or, without one, in the last hand; the pile that it lay in is one short."""
    *others, last = piles
    piles[last].insert(0, piles[rng.choice(others)].pop(0))


@_in_deal
def _a_card_as_two(rng: Random, piles: dict[str, list[str]]) -> None:
    """Twice the card below it in the pack, which as numbers of bits are the same."""
    *_others, last = piles.values()
    card = rng.choice([card for card in last[:-1] if card != CARD_NAMES[0]])
    below = CARD_NAMES[CARD_NAMES.index(card) - 1]
    last[last.index(card) : last.index(card) + 1] = [below, below]


@breaking
def _a_trump_that_does_not_exist(_rng: Random, _rules: Ruleset, record: Json) -> None:
    hand = record["hands"][0]
    for seat, cards in hand["deal"].items():
        hand["deal"][seat] = cards.replace(hand["trump"], "8o")
    hand["trump"], hand["play"] = "8o", ""


@breaking_way
def _no_trump_where_the_first_card_lies(rng: Random, rules: Ruleset) -> Json | None:
    """The card aside is the first of the pack, and what is written in its place no card."""
    if rules.trump_shown != "aside":
        return None
    record = one_hand(rng, rules)
    hand = record["hands"][0]
    for seat, cards in hand["deal"].items():
        hand["deal"][seat] = cards.replace(CARD_NAMES[0], hand["trump"])
    hand["trump"], hand["play"] = rng.choice(["8o", "x", ""]), ""
    return {"record": record}


@breaking_way
def _cards_of_a_dealer_who_sits_out(rng: Random, rules: Ruleset) -> Json | None:
    if not rules.dealer_sits_out:
        return None
    record = one_hand(rng, rules)
    hand = record["hands"][0]
    other = rng.choice([seat for seat in rules.seats if seat != hand["dealer"]])
    cards = hand["deal"][other].split()
    cut = rng.choice([1, 6, len(cards)])
    hand["deal"][hand["dealer"]], hand["deal"][other] = " ".join(cards[:cut]), " ".join(cards[cut:])
    return {"record": record}


@breaking
def _another_trump(rng: Random, _rules: Ruleset, record: Json) -> None:
    hand = record["hands"][0]
    dealers = hand["deal"][hand["dealer"]].split()
    hand["trump"] = rng.choice([card for card in CARD_NAMES if card not in dealers[:9]][:20])
    if hand["trump"] in dealers:
        hand["trump"] = "8o"


@breaking_way
def _a_wrong_dealer(rng: Random, rules: Ruleset) -> Json:
    """Of the hand after another; in a race also of the second deal of a game (R9.2, R9.4)."""
    in_game = bool(rules.race_to) and rng.random() < 0.5
    record: Json = {"hands": []}
    while len(record["hands"]) < 2:
        record = match(rng, rules, 1 if in_game else 2)
    first, hand = record["hands"][:2]
    other = rng.choice([seat for seat in rules.seats if seat != hand["dealer"]])
    if rules.dealer_sits_out:
        hand["deal"][hand["dealer"]], hand["deal"][other] = hand["deal"][other], ""
    if rules.trump_shown == "dealer":
        hand["trump"] = rng.choice(hand["deal"][other].split())
    second = {**hand, "dealer": other, "play": " ".join(hand["play"].split()[:2])}
    for name in ("points", "winner", "payments"):
        second.pop(name, None)
    if not in_game:
        first = result(rng, rules, first["dealer"])
        second["dealer"] = first["dealer"] if rules.race_to else other
    record["hands"] = [first, second]
    for name in ("score", "winner"):
        record.pop(name)
    return {"record": record}


@breaking
def _a_play_that_stops(rng: Random, _rules: Ruleset, record: Json) -> None:
    hand = record["hands"][0]
    tokens = hand["play"].split()
    hand["play"] = " ".join(tokens[: rng.choice([0, 1, 3, len(tokens) - 1])])


@breaking
def _a_play_that_goes_on(rng: Random, _rules: Ruleset, record: Json) -> None:
    record["hands"][-1]["play"] += " " + rng.choice(["1o", "A:40", "?", "B:paso 2o"])


@breaking
def _other_points(rng: Random, _rules: Ruleset, record: Json) -> None:
    points = rng.choice(record["hands"])["points"]
    points[rng.choice(list(points))] += rng.choice([-20, -1, 1, 10])


@breaking
def _another_winner(rng: Random, _rules: Ruleset, record: Json) -> None:
    hand = record["hands"][-1]
    hand["winner"] = rng.choice([side for side in hand["points"] if side != hand["winner"]])


@breaking_way
def _other_payments(rng: Random, rules: Ruleset) -> Json | None:
    if rules.trump_shown != "aside":
        return None
    record = one_hand(rng, replace(rules, stakes=rng.choice(["flat", "plate"])))
    payments = record["hands"][0]["payments"]
    payments[rng.choice(list(payments))] += rng.choice([-100, 20, 100])
    return {"record": record}


@breaking
def _another_score(rng: Random, _rules: Ruleset, record: Json) -> None:
    record["score"][rng.choice(list(record["score"]))] += 1


@breaking
def _another_winner_of_the_match(rng: Random, rules: Ruleset, record: Json) -> None:
    record["winner"] = rng.choice([side for side in rules.sides if side != record["winner"]])


@breaking_way
def _an_unfinished_match(rng: Random, rules: Ruleset) -> Json:
    return {"record": results(rng, rules, rng.randint(0, 2), options={"to": 4})}


@breaking_way
def _hands_after_the_end(rng: Random, rules: Ruleset) -> Json:
    return {"record": results(rng, rules, rng.randint(2, 3), options={"to": 1})}


@breaking_way
def _a_match_of_results(rng: Random, rules: Ruleset) -> Json:
    hands = rng.randint(1, 3)
    options = {"to": hands} if rules.race_to else {"deals": hands}
    return {"record": results(rng, rules, hands, options=options)}


@breaking_way
def _an_impossible_result(rng: Random, rules: Ruleset) -> Json:
    record = results(rng, rules, 1, options={"to": 1})
    hand = record["hands"][0]
    sides = list(hand["points"])
    hand["points"] = dict.fromkeys(sides, 0)
    hand["points"] |= {sides[0]: rng.choice([1, 231, 129]), sides[1]: rng.choice([129, 1, 232])}
    return {"record": record}


@breaking_way
def _a_result_with_the_other_winner(rng: Random, rules: Ruleset) -> Json:
    record = results(rng, rules, 1, options={"to": 1})
    hand = record["hands"][0]
    hand["winner"] = rng.choice([side for side in hand["points"] if side != hand["winner"]])
    return {"record": record}


# --- what is no record --------------------------------------------------------------------------


@breaking_way
def _not_json(rng: Random, rules: Ruleset) -> Json:
    text = json.dumps(results(rng, rules, 1), separators=(",", ":"))
    broken = [
        text[:-1],
        text + "}",
        text.replace('"hands"', '"ruleset":"cuatro","hands"', 1),
        text.replace(":", "", 1),
        text.replace("null", "NaN", 1),
        text.replace('"', "'", 2),
    ]
    return {"json": rng.choice(broken)}


def _field(change: Callable[[Random, Ruleset, Json], None]) -> Breaking:
    def changed(rng: Random, rules: Ruleset) -> Json:
        record = results(rng, rules, 1, options={"to": 1})
        change(rng, rules, record)
        return {"record": record}

    changed.__name__ = change.__name__
    return breaking_way(changed)


@_field
def _another_format(rng: Random, _rules: Ruleset, record: Json) -> None:
    record["format"] = rng.choice(["baza/2", None, 1, "BAZA/1"])


@_field
def _another_ruleset(rng: Random, _rules: Ruleset, record: Json) -> None:
    record["ruleset"] = rng.choice(["mus", "", None, record["ruleset"] + "@9"])


@_field
def _a_wrong_option(rng: Random, rules: Ruleset, record: Json) -> None:
    wrong: list[Json] = [{"to": 0}, {"to": "3"}, {"to": 1, "deals": 1}, {"name": "x"}]
    wrong += [{"tute_ranks": "S"}, {"must_overtrump": 1}, {"cards_each": 7}]
    wrong += [{"deals": 1}] if rules.race_to else [{"deals": 1.5}]
    wrong += [{"stakes": "high" if rules.trump_shown == "aside" else "flat"}]
    record["options"] = rng.choice(wrong)


@breaking_way
def _an_exchange_without_an_upcard(rng: Random, rules: Ruleset) -> Json | None:
    if rules.trump_shown != "dealer":
        return None
    options = {"exchange": rng.choice(["stock", "before_play"])}
    return {"record": results(rng, rules, 1, options=options)}


@_field
def _wrong_seats(rng: Random, rules: Ruleset, record: Json) -> None:
    wrong: list[object] = [[], ["Ana"], ["Ana"] * 5, "AB", [1] * rules.seat_count]
    record["seats"] = rng.choice([*wrong, ["Ana\x00"] * rules.seat_count])


@_field
def _a_wrong_field(rng: Random, rules: Ruleset, record: Json) -> None:
    hand = record["hands"][0]
    side = rules.sides[0]
    wrong: list[tuple[Json, Json]] = [
        (record, {"result": "x"}),
        (record, {"tags": {"event": 1}}),
        (record, {"hands": {}}),
        (record, {"winner": "E"}),
        (record, {"score": {side: 1}}),
        (hand, {"dealr": "A"}),
        (hand, {"dealer": "E"}),
        (hand, {"play": ["1o"]}),
        (hand, {"points": None}),
        (hand, {"points": {**hand["points"], "E": 0}}),
        (hand, {"winner": "ABC"}),
        (hand, {"deal": {"A": "1o"}}),
    ]
    place, fields = rng.choice(wrong)
    place.update(fields)


@_field
def _a_field_that_reads_like_a_path(rng: Random, _rules: Ruleset, record: Json) -> None:
    record[rng.choice(["hands/0", "hands/0/play", "hands/0/~1"])] = "x"


@_field
def _no_play(_rng: Random, _rules: Ruleset, record: Json) -> None:
    del record["hands"][0]["play"]


@breaking_way
def _too_long(rng: Random, rules: Ruleset) -> Json | None:
    record = one_hand(rng, rules)
    if rng.random() < 0.5:
        record["hands"][0]["play"] = " ".join(["1o"] * (MAX_TOKENS + 1))
    else:
        record["tags"] = {"event": "x" * (MAX_TEXT + 1)}
    return {"record": record}


@breaking_way
def _a_wrong_leader_in_text(rng: Random, rules: Ruleset) -> Json | None:
    record = one_hand(rng, rules)
    lines = write_text({**record, "tags": {}}).splitlines()
    led = [n for n, line in enumerate(lines) if re.match(r"[A-D]: ", line)]
    if not led:
        return None
    at = rng.choice(led)
    seats = [seat for seat in rules.seats if seat != lines[at][0]]
    lines[at] = rng.choice(seats) + lines[at][1:]
    return {"tute": "\n".join(lines) + "\n"}


VARIOUS: Final = (_not_json, _a_wrong_option, _wrong_seats, _a_wrong_field, _a_wrong_dealer)
