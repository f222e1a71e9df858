"""Drawing and exchanging for the upcard (R4.6, R5): a sentence a rule."""

from typing import Any

import pytest

import engine


def position(ruleset: str, **changes: Any) -> engine.State:
    before: dict[str, Any] = {
        "ruleset": ruleset,
        "trump": "o",
        "dealer": "B",
        "turn": "A",
        "hands": {"A": "7o 2o 1c 4c 5c 6c 7c 4e", "B": "Ro Re Ce 2b 4b 5b 6b 7b"},
        "stock": 10,
        "upcard": "3o",
        "tricks_won": {"A": 4, "B": 3},
        "last_trick": "A",
    }
    return engine.position_from_dict(before | changes)


def refusal(state: engine.State, token: str) -> tuple[str, str]:
    with pytest.raises(engine.IllegalAction) as refused:
        state.apply(token)
    return refused.value.fault.code, refused.value.fault.rule


def hand(state: engine.State, seat: str) -> set[str]:
    return set(engine.position_to_dict(state)["hands"][seat].split())


def test_the_seven_of_trumps_is_exchanged_for_a_counting_upcard_r5_2() -> None:
    state = position("habanero").apply("A:x7")
    assert "3o" in hand(state, "A")
    assert engine.position_to_dict(state)["upcard"] == "7o"


def test_the_two_is_exchanged_for_a_seven_left_there_r5_2() -> None:
    state = position("habanero").apply("A:x7").apply("A:x2")
    assert {"3o", "7o"} <= hand(state, "A")
    assert engine.position_to_dict(state)["upcard"] == "2o"


def test_the_two_is_not_exchanged_for_a_counting_upcard_r5_2() -> None:
    assert refusal(position("habanero"), "A:x2") == ("exchange.upcard", "R5.2")


def test_who_exchanges_must_hold_the_card_r5_2() -> None:
    assert refusal(position("habanero"), "B:x7") == ("exchange.not_held", "R5.2")


def test_either_player_may_exchange_even_during_a_trick_r5_3() -> None:
    state = position("habanero").apply("4e")
    assert "3o" in hand(state.apply("A:x7"), "A")


def test_nobody_exchanges_with_two_cards_left_r5_3() -> None:
    assert refusal(position("habanero", stock=2), "A:x7") == ("exchange.window", "R5.3")


def test_in_mano_a_mano_who_exchanges_must_have_won_a_trick_r5_4() -> None:
    state = position("mano-a-mano", tricks_won={"B": 3}, last_trick="B", turn="B")
    assert refusal(state, "A:x7") == ("exchange.no_trick", "R5.4")
    assert refusal(position("habanero", tricks_won={}, last_trick=None), "A:x2")[0] != (
        "exchange.no_trick"
    )


def test_pairs_games_know_no_exchange_r3() -> None:
    state = engine.position_from_dict(
        {"ruleset": "parejas", "trump": "o", "turn": "A", "hands": {"A": "7o 1c"}}
    )
    assert refusal(state, "A:x7") == ("exchange.not_admitted", "R3")


def arrastrado(**changes: Any) -> engine.State:
    before: dict[str, Any] = {
        "ruleset": "arrastrado",
        "trump": "o",
        "dealer": "C",
        "turn": "A",
        "hands": {"B": "7o 1c"},
        "upcard": "Ro",
    }
    return engine.position_from_dict(before | changes)


def test_in_arrastrado_one_who_holds_the_seven_exchanges_before_the_first_lead_r5_5() -> None:
    assert hand(arrastrado().apply("B:x7"), "B") == {"Ro", "1c"}


def test_in_arrastrado_nobody_exchanges_once_a_card_was_led_r5_5() -> None:
    assert refusal(arrastrado().apply("4c"), "B:x7") == ("exchange.window", "R5.5")


def dealt(ruleset: str) -> engine.State:
    """A whole deal with its stock, ready to be played from the first card."""
    text = {
        "format": "baza/1",
        "ruleset": ruleset,
        "seats": ["Ana", "Bea"],
        "hands": [
            {
                "dealer": "B",
                "trump": "4o",
                "deal": {"A": "1o 3o Ro Co So 7o 6o 5o", "B": "1c 3c Rc Cc Sc 7c 6c 5c"},
                "stock": "4c 2c 1e 3e Re Ce Se 7e 6e 5e 4e 2e 1b 3b Rb Cb Sb 7b 6b 5b 4b 2b 2o 4o",
                "play": "1o 5c",
            }
        ],
    }
    record = engine.parse_record(text)
    *_, state = engine.states(record.ruleset, record.hands[0])
    return state


def test_the_winner_draws_first_then_the_other_r5_1() -> None:
    state = dealt("habanero")
    assert "4c" in hand(state, "A")
    assert "2c" in hand(state, "B")
    assert state.stock == 22


def test_while_stock_lasts_only_a_led_trump_binds_in_mano_a_mano_r4_6() -> None:
    led = position("mano-a-mano", turn="B", trick="1c", hands={"B": "Ro 2c 4e"})
    assert {"Ro", "2c", "4e"} <= set(led.legal_tokens())
    trump = position("mano-a-mano", turn="B", trick="1o", hands={"B": "2o 7o 4e"}, upcard="4o")
    assert {token for token in trump.legal_tokens() if ":" not in token} == {"7o", "2o"}
    assert refusal(trump, "4e") == ("play.must_follow", "R4.6")


def test_in_habanero_the_duties_hold_from_the_first_card_r3() -> None:
    led = position("habanero", turn="B", trick="3c", hands={"B": "1c 2c 4e"})
    assert {token for token in led.legal_tokens() if ":" not in token} == {"1c"}


def test_once_the_stock_is_gone_the_duties_hold_in_mano_a_mano_too_r4_6() -> None:
    led = position(
        "mano-a-mano", turn="B", trick="3c", hands={"B": "1c 2c 4e"}, stock=0, upcard=None
    )
    assert {token for token in led.legal_tokens() if ":" not in token} == {"1c"}
