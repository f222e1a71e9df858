"""What may be played (R4): each test is a sentence of the rules and a position that shows it."""

import pytest

import engine

RULES = "parejas-online"


def position(trump: str, turn: str, hand: str, trick: str, **more: object) -> engine.State:
    return engine.position_from_dict(
        {"ruleset": RULES, "trump": trump, "turn": turn, "hands": {turn: hand}, "trick": trick}
        | more
    )


def legal(trump: str, hand: str, trick: str) -> set[str]:
    tokens = position(trump, "D", hand, trick).legal_tokens()
    return {token for token in tokens if ":" not in token}


def refusal(state: engine.State, token: str) -> tuple[str, str]:
    with pytest.raises(engine.IllegalAction) as refused:
        state.apply(token)
    return refused.value.fault.code, refused.value.fault.rule


def test_the_leader_plays_any_card_r4_1() -> None:
    assert legal("o", "1o 2c 7e", "") == {"1o", "2c", "7e"}


def test_who_holds_the_led_suit_must_follow_it_r4_2() -> None:
    assert legal("o", "2c 7e 1o", "1c") == {"2c"}
    assert refusal(position("o", "D", "2c 7e 1o", "1c"), "7e") == ("play.must_follow", "R4.2")


def test_who_can_beat_the_best_card_of_the_suit_must_beat_it_r4_2() -> None:
    assert legal("o", "1c 3c 2c 4e", "Rc") == {"1c", "3c"}
    assert refusal(position("o", "D", "1c 3c 2c 4e", "Rc"), "2c") == ("play.must_head", "R4.2")


def test_the_card_to_beat_may_be_the_partners_r4_2() -> None:
    assert legal("o", "1c 2c", "4c 3c 5c") == {"1c"}


def test_who_follows_without_a_better_card_plays_any_of_the_suit_r4_2() -> None:
    assert legal("o", "2c 4c 1o", "3c") == {"2c", "4c"}


def test_trumps_led_must_be_beaten_with_a_trump_r4_2() -> None:
    assert legal("o", "1o 2o 1c", "Ro") == {"1o"}


def test_once_a_trump_lies_there_any_card_of_the_led_suit_will_do_r4_3() -> None:
    assert legal("o", "1c 2c 3o", "Rc 2o") == {"1c", "2c"}


def test_a_player_void_in_the_suit_must_trump_r4_4() -> None:
    assert legal("o", "2o 7o 1e", "Rc") == {"2o", "7o"}
    assert refusal(position("o", "D", "2o 7o 1e", "Rc"), "1e") == ("play.must_trump", "R4.4")


def test_who_must_trump_over_a_trump_must_overtrump_r4_4a() -> None:
    state = position("o", "D", "7o 2o 1e", "Rc 4o")
    assert legal("o", "7o 2o 1e", "Rc 4o") == {"7o"}
    assert refusal(state, "2o") == ("play.must_overtrump", "R4.4a")
    assert refusal(state, "1e") == ("play.must_trump", "R4.4")


def test_who_cannot_overtrump_plays_anything_lower_trumps_included_r4_4a() -> None:
    assert legal("o", "2o 1e 4b", "Rc 4o") == {"2o", "1e", "4b"}


def test_who_has_neither_suit_nor_trump_plays_anything_r4_5() -> None:
    assert legal("o", "1e 4b", "Rc") == {"1e", "4b"}
    assert legal("o", "1e 4b", "Ro") == {"1e", "4b"}


def test_a_card_that_is_not_held_is_refused_before_any_duty_r4_1() -> None:
    assert refusal(position("o", "D", "2c 7e", "1c"), "3c") == ("play.not_held", "R4.1")


def test_the_highest_trump_takes_the_trick_and_leads_the_next_r4_7() -> None:
    state = position("o", "D", "3o 1e", "1c 2o Sc").apply("3o")
    assert engine.position_to_dict(state)["turn"] == "D"
    assert state.tricks_won == (0, 1)
    assert state.points == (0, 11 + 2 + 10)


def test_without_a_trump_the_highest_card_of_the_led_suit_takes_it_r4_7() -> None:
    state = position("o", "D", "1e 2e", "4c 3c 5c").apply("1e")
    assert engine.position_to_dict(state)["turn"] == "B"


def test_the_last_trick_is_worth_ten_more_r7_1() -> None:
    state = position("o", "D", "2e", "4c 6c 5c", tricks_won={"AC": 5, "BD": 4}).apply("2e")
    assert state.over
    assert state.points == (0, 10)


def test_nothing_is_played_after_the_last_card_f1() -> None:
    state = position("o", "D", "2e", "4c 6c 5c").apply("2e")
    assert refusal(state, "1o") == ("play.after_end", "F1")


@pytest.mark.parametrize("token", ["8o", "1", "A:40o", "E:40", "a:40", "", "1O"])
def test_what_is_no_card_and_no_call_is_refused_f1(token: str) -> None:
    assert refusal(position("o", "D", "2e", "4c"), token) == ("play.token", "F1")


@pytest.mark.parametrize(
    ("token", "code"),
    [
        ("A:x7", "exchange.not_admitted"),
        ("B:x2", "exchange.not_admitted"),
        ("C:capote", "claim.not_admitted"),
        ("D:101", "claim.not_admitted"),
        ("A:voy", "support.not_admitted"),
        ("A:paso", "support.not_admitted"),
    ],
)
def test_what_other_rulesets_know_is_not_admitted_here_r3(token: str, code: str) -> None:
    assert refusal(position("o", "D", "2e", "4c"), token) == (code, "R3")
