"""Arrastrado at three and four (R2, R7.3) and what is paid for it (R8)."""

from typing import Any

import pytest

import engine
from engine.rulesets import RULESETS, at_table, with_house_rule
from engine.settlement import new_match_money


def ending(stakes: str, points: tuple[int, int, int], **changes: Any) -> engine.State:
    """A hand of three whose last card has been played, with these points."""
    before: dict[str, Any] = {
        "ruleset": "arrastrado",
        "options": {"stakes": stakes},
        "trump": "o",
        "dealer": "C",
        "turn": "A",
        "hands": {"A": "2e", "B": "4e", "C": "5e"},
        "tricks_won": {"A": 4, "B": 4, "C": 4},
        "last_trick": "A",
        "points": dict(zip("ABC", (points[0], points[1], points[2] - 10), strict=True)),
    }
    state = engine.position_from_dict(before | changes)
    for card in ("2e", "4e", "5e"):
        state = state.apply(card)
    assert state.over
    return state


def paid(stakes: str, state: engine.State, plate: int = 0) -> dict[str, int]:
    """What the hand moves, the plate's own feeding left out."""
    rules = with_house_rule(RULESETS["arrastrado"], "stakes", stakes)
    purse = new_match_money(rules)
    assert purse is not None
    if stakes == "plate":
        purse.plate, purse.opened = plate, True
    moved = purse.settle("C", state)
    if stakes == "plate":
        moved["C"] += 20
    return moved


def test_flat_the_winner_gets_100_from_each_r8_3() -> None:
    assert paid("flat", ending("flat", (60, 40, 30))) == {"A": 200, "B": -100, "C": -100}


def test_flat_with_101_the_winner_gets_200_from_each_r8_3() -> None:
    assert paid("flat", ending("flat", (110, 10, 10))) == {"A": 400, "B": -200, "C": -200}


def test_a_declarer_gets_their_40_or_20_from_each_r8_2() -> None:
    state = ending("flat", (100, 40, 30), declared={"A": ["40"], "B": ["20c"]})
    assert paid("flat", state) == {"A": 200 + 80 - 20, "B": -100 - 40 + 40, "C": -100 - 40 - 20}


def test_plate_unsupported_the_poorest_pays_the_winner_r8_4() -> None:
    assert paid("plate", ending("plate", (60, 40, 30))) == {"A": 100, "B": 0, "C": -100}


def test_plate_unsupported_with_101_each_pays_100_r8_4() -> None:
    assert paid("plate", ending("plate", (105, 15, 10))) == {"A": 200, "B": -100, "C": -100}


def test_a_supporter_who_reaches_101_takes_plate_and_200_from_each_r8_4() -> None:
    state = ending("plate", (105, 15, 10), supported="A")
    # the plate of 300 and the dealer's 20 are taken, and everybody refills 100
    assert paid("plate", state, plate=300) == {
        "A": 400 + 320 - 100,
        "B": -200 - 100,
        "C": -200 - 100,
    }


def test_a_supporter_who_fails_pays_200_to_each_and_the_plate_stays_r8_4() -> None:
    state = ending("plate", (60, 40, 30), supported="B")
    assert paid("plate", state, plate=300) == {"A": 200, "B": -400, "C": 200}


def test_a_tie_goes_to_the_side_that_won_the_last_trick_r7_3() -> None:
    assert ending("none", (50, 30, 50)).winner == 2
    assert ending("none", (55, 55, 20)).winner in {0, 1}


def test_everybody_says_in_turn_whether_they_support_before_the_first_lead_r8_4() -> None:
    rules = with_house_rule(RULESETS["arrastrado"], "stakes", "plate")
    state = dealt(rules)
    assert refusal(state, "B:voy") == ("support.window", "R8.4")
    assert refusal(state, "1o") == ("support.window", "R8.4")
    spoken = state.apply("A:paso").apply("B:voy").apply("C:voy")
    assert engine.position_to_dict(spoken)["supported"] == "B"
    assert refusal(spoken, "A:voy") == ("support.window", "R8.4")


def test_without_a_plate_nobody_supports_r8_4() -> None:
    assert refusal(dealt(RULESETS["arrastrado"]), "A:voy") == ("support.not_admitted", "R8.4")


def test_with_four_at_the_table_the_dealer_sits_out_r8_1() -> None:
    four = at_table(RULESETS["arrastrado"], 4)
    assert four.dealer_sits_out
    assert four.players(3) == (0, 1, 2)
    assert four.players(0) == (1, 2, 3)
    assert not at_table(RULESETS["arrastrado"], 3).dealer_sits_out


def test_money_is_neither_made_nor_lost_r8(sampler: list[dict[str, Any]]) -> None:
    staked = [record for record in sampler if record["options"].get("stakes")]
    assert len(staked) >= 4
    for record in staked:
        verdict = engine.audit(record)
        assert verdict.valid
        assert verdict.balance is not None
        plate = verdict.hands[-1].plate or 0
        assert sum(verdict.balance.values()) + plate == 0


@pytest.fixture
def sampler() -> list[dict[str, Any]]:
    import json
    from pathlib import Path

    path = Path("tournaments/management/commands/club_night/sampler.ndjson")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def dealt(rules: engine.Ruleset) -> engine.State:
    from engine.cards import CARDS
    from engine.state import first_state

    pack = list(range(40))
    hands = tuple(sum(1 << card for card in pack[n * 13 : n * 13 + 13]) for n in range(3))
    return first_state(rules, 2, hands, CARDS["1b"] // 10, upcard=CARDS["1b"])


def refusal(state: engine.State, token: str) -> tuple[str, str]:
    with pytest.raises(engine.IllegalAction) as refused:
        state.apply(token)
    return refused.value.fault.code, refused.value.fault.rule
