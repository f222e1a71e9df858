"""Cases about score sheets: results and declarations of a match, right and with slips."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from engine.auditor import audit
from engine.conformance import answer_case
from engine.rulesets import RULESETS
from tools.conformance import proves
from tools.conformance.hands import Json, chance
from tools.conformance.matches import match
from tools.conformance.moments import Found

SHEETS: Final = 3
"""Sheets for each slip and ruleset."""


def sheet_cases(name: str) -> Found:
    """Sheets as CSV and JSON, without and with each slip."""
    for slip in SLIPS:
        for number in range(SHEETS):
            rng = chance("sheet", slip.__name__, name, number)
            sheet = _sheet(rng, name)
            slip(rng, sheet)
            text = _json(sheet) if number % 2 else _csv(sheet, rng.choice(",;"))
            question = {"ruleset": name, "sheet": text}
            rules = {fault["rule"] for fault in answer_case("sheet", question)["faults"]}
            yield proves.in_order(rules or {"R7.1", "R7.2"}), question


def _sheet(rng: Random, name: str) -> Json:
    """A sheet of hands that were played."""
    rules = RULESETS[name]
    hands = rng.randint(1, 3)
    record = match(rng, rules, hands)
    verdict = audit(record)
    sheet: Json = {"ruleset": name, "to": hands, "hands": []}
    if "deals" in record["options"]:
        sheet = {"ruleset": name, "deals": hands, "hands": []}
    for hand in verdict.hands:
        declared: dict[str, str] = {}
        for token in (*hand.declarations, *_cuts(hand.play)):
            side = rules.sides[rules.side_of(rules.seats.index(token[0]))]
            declared[side] = f"{declared.get(side, '')} {token[2:]}".strip()
        sheet["hands"].append(
            {
                "hand": str(hand.number),
                "points": dict(hand.points or {}),
                "declared": declared,
                "last": None if any(_cuts(hand.play)) else hand.last_trick,
                "winner": hand.winner,
            }
        )
    sheet["score"], sheet["winner"] = dict(verdict.score or {}), verdict.winner
    return sheet


def _cuts(play: str) -> Iterator[str]:
    return (token for token in play.split() if token[2:] in ("101", "capote"))


def _json(sheet: Json) -> str:
    return json.dumps(sheet, ensure_ascii=False, separators=(",", ":"))


def _csv(sheet: Json, between: str) -> str:
    sides = RULESETS[sheet["ruleset"]].sides
    head = ["hand", *sides, *(f"{side} declared" for side in sides), "last", "winner"]
    rows = [head]
    for hand in sheet["hands"]:
        points = [str(hand["points"].get(side, "")) for side in sides]
        declared = [hand["declared"].get(side, "") for side in sides]
        rows.append([hand["hand"], *points, *declared, hand["last"] or "", hand["winner"] or ""])
    if "score" in sheet:
        score = [str(sheet["score"][side]) for side in sides]
        rows.append(["score", *score, *[""] * len(sides), "", sheet["winner"] or ""])
    return "\n".join(between.join(row) for row in rows)


def _no_slip(_rng: Random, _sheet: Json) -> None:
    pass


def _no_score(_rng: Random, sheet: Json) -> None:
    del sheet["score"], sheet["winner"]


def _other_points(rng: Random, sheet: Json) -> None:
    points = rng.choice(sheet["hands"])["points"]
    points[rng.choice(list(points))] += rng.choice([-10, -1, 1, 20])


def _exchanged_points(rng: Random, sheet: Json) -> None:
    points = rng.choice(sheet["hands"])["points"]
    side, other = rng.sample(list(points), 2)
    points[side], points[other] = points[other], points[side]


def _impossible_points(rng: Random, sheet: Json) -> None:
    hand = rng.choice(sheet["hands"])
    sides = list(hand["points"])
    hand["declared"] = {}
    hand["points"] = {**dict.fromkeys(sides, 0), sides[0]: 1, sides[1]: 129}


def _other_last(rng: Random, sheet: Json) -> None:
    hand = rng.choice(sheet["hands"])
    hand["last"] = rng.choice(list(hand["points"]))


def _other_winner(rng: Random, sheet: Json) -> None:
    hand = rng.choice(sheet["hands"])
    hand["winner"] = rng.choice(list(hand["points"]))


def _more_declared(rng: Random, sheet: Json) -> None:
    hand = rng.choice(sheet["hands"])
    side = rng.choice(list(hand["points"]))
    more = rng.choice(["40", "20o 20o", "40 40", "tuteR", "tuteC", "101", "capote", "20 20 20 20"])
    hand["declared"][side] = f"{hand['declared'].get(side, '')} {more}".strip()


def _tute_of_another(rng: Random, sheet: Json) -> None:
    hand = rng.choice(sheet["hands"])
    side, other = rng.sample(list(hand["points"]), 2)
    hand["declared"] = {side: "tuteR", other: "20"}


def _other_score(rng: Random, sheet: Json) -> None:
    sheet["score"][rng.choice(list(sheet["score"]))] += 1


def _one_hand_more(_rng: Random, sheet: Json) -> None:
    sheet["hands"].append({**sheet["hands"][-1], "hand": str(len(sheet["hands"]) + 1)})


def _unreadable(rng: Random, sheet: Json) -> None:
    hand = rng.choice(sheet["hands"])
    wrong: list[Json] = [{"last": "E"}, {"winner": "E"}, {"declared": {"A": "30"}}]
    hand.update(rng.choice(wrong))


Slip = Callable[[Random, Json], None]
SLIPS: Final[tuple[Slip, ...]] = (
    *(_no_slip, _no_slip, _no_score, _other_points, _exchanged_points, _impossible_points),
    *(_other_last, _other_winner, _more_declared, _more_declared, _tute_of_another),
    *(_other_score, _one_hand_more, _unreadable),
)
