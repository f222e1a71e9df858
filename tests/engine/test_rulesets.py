"""Where the rulesets differ in play and declarations (R3), and house rules that change them."""

import re
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.rulesets import HOUSE_RULES, with_house_rule

BEFORE: dict[str, Any] = {
    "trump": "e",
    "turn": "A",
    "hands": {
        "A": "Re Ce Ro Co 2b",
        "B": "Rb Cb 4e 5e 6e",
        "C": "Rc Cc 4b 1c 2c",
        "D": "7c 6c 5c 4c 3c",
    },
    "tricks_won": {"A": 1},
    "last_trick": "A",
}


def position(ruleset: str, **changes: Any) -> engine.State:
    return engine.position_from_dict(BEFORE | {"ruleset": ruleset} | changes)


def two_hands(ruleset: str, **changes: Any) -> engine.State:
    hands = {"A": "Re Ce Ro Co 2b 4b 5b 6b", "B": "7c 6c 5c 4c 3c 2c 1c 7e"}
    more = {"hands": hands, "stock": 8, "upcard": "2e"} | changes
    return position(ruleset, **more)


def refusal(state: engine.State, token: str) -> tuple[str, str]:
    with pytest.raises(engine.IllegalAction) as refused:
        state.apply(token)
    return refused.value.fault.code, refused.value.fault.rule


def play(state: engine.State, *tokens: str) -> engine.State:
    for token in tokens:
        state = state.apply(token)
    return state


def test_in_parejas_any_trump_will_do_over_a_trump_r4_4b() -> None:
    table: dict[str, Any] = {
        "turn": "D",
        "trick": "1c 5e",
        "last_trick": None,
        "tricks_won": {},
    }
    void = position("parejas", hands={"D": "6e 2e 1b"}, **table)
    assert set(void.legal_tokens()) == {"6e", "2e"}
    assert refusal(void, "1b") == ("play.must_trump", "R4.4")
    strict = position("cuatro", hands={"D": "6e 2e 1b"}, **table)
    assert set(strict.legal_tokens()) == {"6e"}


def test_in_habanero_a_forty_passed_over_waits_for_another_trick_r6_5a() -> None:
    state = two_hands("habanero").apply("A:20o")
    assert refusal(state, "A:40") == ("declare.order", "R6.5a")
    later = play(state, "2b", "7e", "7c", "4b")
    assert engine.position_to_dict(later)["turn"] == "B"
    second_state = two_hands("habanero", declared={"A": ["20o"]})
    assert second_state.apply("A:40").points == (40, 0)


def test_in_habanero_any_number_may_be_declared_at_once_r6_4() -> None:
    assert play(two_hands("habanero"), "A:40", "A:20o").points == (60, 0)


def test_in_habanero_nothing_is_declared_with_two_cards_left_r3() -> None:
    assert refusal(two_hands("habanero", stock=2), "A:40") == ("declare.window", "R6.2")


def test_in_mano_a_mano_one_declaration_a_trick_in_any_order_r6_4() -> None:
    state = two_hands("mano-a-mano").apply("A:20o")
    assert refusal(state, "A:40") == ("declare.limit", "R6.4")


def test_in_parejas_a_forty_passed_over_is_lost_for_the_hand_r6_5b() -> None:
    state = position("parejas").apply("A:20o")
    assert refusal(state, "A:40") == ("declare.order", "R6.5b")


def test_in_parejas_all_that_was_not_declared_at_the_first_trick_is_lost_r6_6() -> None:
    state = position("parejas").apply("A:40").apply("2b")
    assert [notice.declaration for notice in state.notices] == ["A:20o", "C:20c"]
    late = position("parejas", tricks_won={"A": 2})
    assert refusal(late, "C:20c") == ("declare.forfeited", "R6.6")


def test_in_parejas_only_kings_make_a_tute_r6_7() -> None:
    assert refusal(position("parejas"), "A:tuteC") == ("declare.not_admitted", "R6.7")


def test_in_cuatro_silence_costs_nothing_r6_6() -> None:
    state = position("cuatro").apply("2b")
    assert state.notices == ()
    assert state.forfeited == ()


def test_in_arrastrado_no_twenty_before_ones_own_forty_r6_5d() -> None:
    hands = {"A": "Re Ce Ro Co 2b", "B": "7c 6c 5c 4c 3c", "C": "7o 6o 5o 4o 3o"}
    state = position("arrastrado", hands=hands, dealer="C")
    assert refusal(state, "A:20o") == ("declare.order", "R6.5d")
    assert state.apply("A:40").points == (40, 0, 0)


def test_a_house_rule_changes_one_cell_of_the_table_r3() -> None:
    relaxed = position("cuatro", options={"omitted_is_lost": True}).apply("A:40").apply("2b")
    assert [notice.declaration for notice in relaxed.notices] == ["C:20c"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("must_overtrump", 1),
        ("tute_ranks", "S"),
        ("declarations_per_trick", True),
        ("declarations_per_trick", 5),
        ("cards_each", 9),
        ("trump_shown", "aside"),
        ("exchange", "before_play"),
        ("exchange", "stock"),
        ("target", 0),
    ],
)
def test_a_house_rule_that_cannot_be_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        with_house_rule(engine.RULESETS["cuatro"], name, value)


def test_what_makes_a_ruleset_what_it_is_is_no_house_rule() -> None:
    for name in ("name", "version", "seat_count", "seat_counts"):
        assert name not in HOUSE_RULES


def test_every_ruleset_has_a_name_of_its_own_and_a_version() -> None:
    identities = [rules.identity for rules in engine.RULESETS.values()]
    assert identities == [
        "habanero@1",
        "mano-a-mano@1",
        "parejas@1",
        "parejas-online@1",
        "cuatro@1",
        "arrastrado@1",
    ]


def test_a_record_may_name_the_version_it_was_played_under() -> None:
    record = {
        "format": "baza/1",
        "ruleset": "cuatro@1",
        "seats": ["Ana", "Bea", "Carlos", "Diego"],
        "hands": [],
    }
    verdict = engine.audit(record)
    assert (verdict.valid, verdict.ruleset, verdict.identity) == (True, "cuatro", "cuatro@1")
    assert engine.audit(record | {"ruleset": "cuatro"}).digest == verdict.digest
    assert engine.audit(record | {"ruleset": "cuatro@2"}).faults[0].code == "record.ruleset"


def test_every_rule_of_the_page_is_proved_by_a_test_that_exists() -> None:
    """One that ends in the rule's number, or one that the page names."""
    page = Path("docs/programs/rules.md").read_text(encoding="utf-8")
    test_names = {
        name
        for path in Path("tests").rglob("test_*.py")
        for name in re.findall(r"def (test_[a-z0-9_]+)\(", path.read_text(encoding="utf-8"))
    }
    assert set(CITED.findall(page)) - test_names == set()
    _, *parts = re.split(r"\*\*(R\d+\.\d+)\*\*", page)
    rules = dict(zip(parts[::2], parts[1::2], strict=True))
    assert len(rules) > 40
    numbered = {
        ending[1] for name in test_names if (ending := re.search(r"_(r\d+_\d+)[a-d]?$", name))
    }
    unproved = {
        rule
        for rule, text in rules.items()
        if rule.lower().replace(".", "_") not in numbered and not CITED.search(text)
    }
    assert unproved == {"R10.2"}  # what a fault leads to is for the arbiter, not for the engine


CITED = re.compile(r"`(test_[a-z0-9_]+)`")
