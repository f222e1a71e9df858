"""Hints name the slip that was made, and every one of them really mends the hand."""

from __future__ import annotations

import copy
import json
import os
from collections import Counter
from random import Random
from typing import Any

import pytest

import engine
from engine.errors import Hint
from tests.engine.slips import SLIPS, HandRecord, legal_hand, of_one_hand
from tests.engine.test_club_night import DISPUTED
from tests.engine.test_messages import ids_of
from tests.quick import IS_QUICK

HANDS = int(os.environ.get("BAZA_HINTED_HANDS", "3" if IS_QUICK else "6"))
"""Hands a ruleset; each is spoiled in every way."""

RESULTS = ("other_points_are_stated", "another_winner_is_stated", "a_call_is_left_out")
"""Slips that break no rule of play, and are found all the same by the result that is stated."""


def spoiled(rules: engine.Ruleset, seed: str) -> list[tuple[str, HandRecord, HandRecord]]:
    """Kind of slip, the hand as it was played, the hand as it was noted."""
    rng = Random(seed)
    hands = []
    for _ in range(HANDS):
        hand, _state = legal_hand(rng, rules, rng.choice(rules.seats))
        for name, slip in SLIPS.items():
            hand_copy = copy.deepcopy(hand)
            if slip(rng, hand_copy) and hand_copy != hand:
                hands.append((name, hand, hand_copy))
    return hands


def hinted(rules: engine.Ruleset, hand_record: HandRecord) -> tuple[str | None, tuple[Hint, ...]]:
    """Code of the first fault of the hand, and what is hinted at."""
    verdict = engine.audit(of_one_hand(rules, hand_record), hints=True)
    faults = [fault for fault in verdict.faults if fault.hand == 1]
    return (faults[0].code, faults[0].hints) if faults else (None, ())


def hand_of_hint(hint: Hint) -> HandRecord:
    """The hand that a hint proposes, as a record writes it."""
    hand = hint.hand
    assert hand is not None
    fields: dict[str, Any] = {"dealer": hand.dealer, "trump": hand.trump, "play": hand.play}
    fields |= {"deal": dict(hand.deal or {}), "points": hand.points, "winner": hand.winner}
    return fields | ({} if hand.stock is None else {"stock": hand.stock})


def writings(hint: Hint) -> list[HandRecord]:
    """Every hand that a hint proposes: those of its other moments or cards too."""
    hand_records = [hand_of_hint(hint)]
    for other in hint.also:
        if hint.kind == "trump":
            hand_records.append({**hand_records[0], "trump": other})
        else:
            rest = hand_records[0]["play"].split()
            del rest[hint.tokens[-1]]
            rest.insert(other, hint.write)
            hand_records.append({**hand_records[0], "play": " ".join(rest)})
    return hand_records


def facts(hand: HandRecord, in_the_stock: bool) -> tuple[object, ...]:
    """What was dealt and played; where in the stock a card lay is more than a hint can say."""
    deal = {seat: sorted(cards.split()) for seat, cards in hand["deal"].items()}
    stock = hand.get("stock", "").split()
    stock = sorted(stock) if in_the_stock else stock
    return hand["dealer"], hand["trump"], hand["play"], deal, stock


def names(hints: tuple[Hint, ...], played: HandRecord) -> bool:
    """Whether one of the hints is what was played."""
    for hint in hints:
        loose = hint.kind.startswith("deal")
        for writing in writings(hint):
            if facts(writing, loose) == facts(played, loose):
                return True
    return False


@pytest.mark.parametrize("rules", engine.RULESETS.values(), ids=lambda rules: rules.name)
def test_the_slip_that_was_made_is_among_the_hints_and_every_hint_mends(
    rules: engine.Ruleset,
) -> None:
    case_counts, hint_counts = Counter[str](), Counter[str]()
    for name, played, hand_record in spoiled(rules, f"{rules.name} hints"):
        code, hints = hinted(rules, hand_record)
        assert len(hints) <= 3
        for hint in hints:
            for writing in writings(hint):
                unstated = {**writing, "points": None, "winner": None}
                assert hinted(rules, unstated)[0] is None, (name, hint)
                if hint.explains == "points too" and hint.path.startswith("/hands/0/p"):
                    assert hinted(rules, writing)[0] is None, (name, hint)
        if code is None or (code.startswith("score.") and name not in RESULTS):
            continue  # the slip broke no rule: it shows in the points alone, if at all
        case_counts[name] += 1
        hint_counts[name] += names(hints, played)
    missed = {name: case_counts[name] - hint_counts[name] for name in case_counts}
    assert sum(missed.values()) <= 0.02 * sum(case_counts.values())
    few = {name: n for name, n in missed.items() if n > max(2, 0.08 * case_counts[name])}
    assert not few, case_counts


def test_hints_are_given_only_when_they_are_asked_for() -> None:
    line = DISPUTED[1][0]
    assert all(not fault.hints for fault in engine.audit(line).faults)
    assert all("hints" not in fault for fault in engine.audit(line).as_dict()["faults"])


EXPECTED = {
    1: "superfluous 20 B:20b points; moved 20 12 B:20b",  # lost at token 12, declared at 20
    2: "swap 28 34 points",  # C held Rc over 7c and played it six tokens later
    3: "trump 1e points",  # Co lies elsewhere: the dealer's hand decides by how it was played
    4: "winner AC points",
    5: "superfluous 11 C:20b points",
    6: "card 16 6c points",  # D follows with 7c or 6c; 7c is played later, 6c nowhere
    7: "deal_moved 1o points",  # A has eleven, and D plays the 1o
    8: "swap 18 35 points",
    9: "",  # C dealt out of turn, trump in that hand: no one slip explains it
    10: "card 17 5c points",
    11: "superfluous 17 C:20c points",
    12: "swap 17 26 points",
    13: "missing 39 4c points",  # the last card is forced
    14: "superfluous 4 B:20o points",
    15: "superfluous 4 B:20c points",
    16: "superfluous 21 A:40 points",
    17: "",  # the match, not a hand
    18: "superfluous 40 B:20e points",
    19: "card 22 Se points",
    20: "swap 17 37 points",
    21: "swap 6 37 points",
    22: "deal 1b points",  # 2e is there twice; D played the 1b
    23: "swap 2 35 points",
    24: "points {'AC': 34, 'BD': 96} winner",
}
"""The 24 disputed records: what was meant, looked at one by one."""


@pytest.mark.parametrize("number", EXPECTED)
def test_what_is_hinted_at_in_the_disputed_records(number: int) -> None:
    fault = engine.audit(DISPUTED[number - 1][0], hints=True).faults[0]
    assert "; ".join(in_short(hint) for hint in fault.hints) == EXPECTED[number]


def in_short(hint: Hint) -> str:
    detail = hint.found if hint.kind == "superfluous" else hint.write
    parts = [hint.kind, *map(str, hint.tokens), "" if detail is None else str(detail)]
    explained = {"points too": "points", "winner too": "winner", "play": ""}[hint.explains]
    return " ".join(part for part in [*parts, explained] if part)


def test_a_hint_is_written_under_the_fault_of_its_hand_in_both_languages() -> None:
    verdict = engine.audit(DISPUTED[1][0], hints=True)
    (fault,) = verdict.as_dict("en")["faults"]
    assert (
        fault["hints"]
        == [
            {
                "kind": "swap",
                "path": "/hands/3/play",
                "tokens": [28, 34],
                "found": ["2c", "Rc"],
                "explains": "points too",
                "message": "2c and Rc may have changed places (tokens 28, 34); "
                "then the stated result is true too",
            }
        ]
        == json.loads(json.dumps(fault["hints"]))
    )
    (fault,) = verdict.as_dict("es")["faults"]
    assert fault["hints"][0]["message"] == (
        "Puede que 2c y Rc estén cambiadas de sitio (jugadas 28, 34); así también cuadra el"
        " resultado"
    )


def test_the_hinted_hand_put_in_the_place_of_the_refused_one_makes_the_record_valid() -> None:
    record = json.loads(DISPUTED[1][0])
    (hint,) = engine.audit(record, hints=True).faults[0].hints
    record["hands"][3]["play"] = hand_of_hint(hint)["play"]
    assert engine.audit(record).valid


def test_no_hint_where_more_repairs_are_equally_likely_than_can_be_reported() -> None:
    verdict = engine.audit(
        of_one_hand(
            engine.RULESETS["parejas-online"],
            {**json.loads(DISPUTED[0][0])["hands"][0], "play": ""},
        ),
        hints=True,
    )
    assert verdict.faults[0].code == "play.incomplete"
    assert verdict.faults[0].hints == ()


def test_every_kind_of_hint_has_words_in_each_language() -> None:
    for kind in ids_of("hint"):
        hint = Hint(kind, (3, 5), found="1o", write="3o", seats=("A", "stock"), also=(7,))
        explain_hints = {engine.explain_hint(hint, language) for language in engine.LANGUAGES}
        assert len(explain_hints) == 3, kind
    with pytest.raises(ValueError, match="no words in 'ca'"):
        engine.explain_hint(Hint("swap"), "ca")


def test_a_record_of_refused_hands_is_hinted_at_for_the_first_twenty() -> None:
    record = json.loads(DISPUTED[20][0])
    record["hands"] = [{**record["hands"][0], "dealer": "ABCD"[n % 4]} for n in range(40)]
    record["options"] = {"deals": 40}
    verdict = engine.audit(record, hints=True)
    assert len({fault.hand for fault in verdict.faults}) == 40


def test_a_play_of_two_hundred_tokens_is_not_searched() -> None:
    record = json.loads(DISPUTED[17][0])
    record["hands"][0]["play"] += " 1o" * 150
    (hint,) = engine.audit(record, hints=True).faults[0].hints
    assert hint.kind == "superfluous"
    assert hint.tokens[0] == 40
