"""What may be declared, when, and what silence costs (R6)."""

import pytest

import engine

BEFORE = {
    "ruleset": "parejas-online",
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


def after(*tokens: str, **changes: object) -> engine.State:
    state = engine.position_from_dict(BEFORE | changes)
    for token in tokens:
        state = state.apply(token)
    return state


def refusal(state: engine.State, token: str) -> tuple[str, str]:
    with pytest.raises(engine.IllegalAction) as refused:
        state.apply(token)
    return refused.value.fault.code, refused.value.fault.rule


def declarable(state: engine.State) -> set[str]:
    return {token for token in state.legal_tokens() if ":" in token}


def test_both_partners_may_declare_after_a_trick_of_their_side_r6_2() -> None:
    assert declarable(after()) == {"A:40", "C:20c"}


def test_a_forty_is_worth_forty_and_a_twenty_twenty_r6_1() -> None:
    assert after("A:40", "C:20c").points == (60, 0)


def test_the_other_side_may_not_declare_now_r6_2() -> None:
    assert refusal(after(), "B:20b") == ("declare.window", "R6.2")


def test_nobody_declares_before_a_trick_is_won_r6_2() -> None:
    state = after(tricks_won={}, last_trick=None)
    assert declarable(state) == set()
    assert refusal(state, "A:40") == ("declare.window", "R6.2")


def test_nobody_declares_in_the_middle_of_a_trick_r6_2() -> None:
    assert refusal(after("2b"), "A:40") == ("declare.window", "R6.2")


def test_a_declaration_needs_both_cards_in_the_hand_r6_1() -> None:
    assert refusal(after(), "C:20b") == ("declare.not_held", "R6.1")


def test_there_is_no_twenty_in_trumps_r6_1() -> None:
    assert refusal(after(), "A:20e") == ("declare.not_admitted", "R6.1")


def test_who_holds_a_forty_and_a_twenty_may_declare_the_forty_only_r6_5c() -> None:
    assert refusal(after(), "A:20o") == ("declare.order", "R6.5c")


def test_each_player_declares_once_after_a_won_trick_r6_4() -> None:
    assert refusal(after("A:40"), "A:20o") == ("declare.limit", "R6.4")


def test_each_suit_is_declared_once_r6_3() -> None:
    assert refusal(after("A:40"), "A:40") == ("declare.repeated", "R6.3")


def test_among_several_twenties_the_player_chooses_r6_5c() -> None:
    hands = BEFORE["hands"] | {"A": "Rb Cb Ro Co 2b", "B": "Re Ce 4e 5e 6e"}  # type: ignore[operator]
    assert declarable(after(hands=hands)) == {"A:20b", "A:20o", "C:20c"}


def lead_through(state: engine.State, *cards: str) -> engine.State:
    for card in cards:
        state = state.apply(card)
    return state


def test_one_who_could_declare_and_says_nothing_loses_it_r6_6() -> None:
    state = after("A:40", "2b")
    assert [(n.seat, n.declaration, n.trick, n.token) for n in state.notices] == [
        ("C", "C:20c", 2, 1)
    ]


def test_who_was_silent_on_a_forty_and_a_twenty_loses_the_forty_alone_r6_6() -> None:
    state = lead_through(after("C:20c"), "Re", "4e", "4b", "7c")
    assert [n.declaration for n in state.notices] == ["A:40"]
    assert declarable(state) == {"A:20o"}


def test_what_was_lost_cannot_be_declared_later_r6_6() -> None:
    hands = BEFORE["hands"] | {"A": "1e Re Ce Ro Co"}  # type: ignore[operator]
    state = lead_through(after(hands=hands), "1e", "4e", "4b", "7c")
    assert refusal(state, "A:40") == ("declare.forfeited", "R6.6")
    assert refusal(state, "C:20c") == ("declare.forfeited", "R6.6")


def test_who_declared_one_twenty_keeps_the_other_for_a_later_trick_r6_6() -> None:
    hands = {
        "A": "1o Rb Cb Ro Co",
        "B": "2o 4o 5o 6o 7o",
        "C": "2c 4c 5c 6c 7c",
        "D": "2e 4e 5e 6e 7e",
    }
    state = lead_through(after("A:20b", hands=hands, trump="c"), "1o", "2o", "2c")
    assert state.notices == ()


FOUR_KINGS = {
    "A": "Ro Rc Re Rb Ce",
    "B": "2b 4b 5b 6b 7b",
    "C": "Co Cc 4c 1c 2c",
    "D": "7c 6c 5c Cb 3c",
}


def test_four_kings_win_the_hand_at_once_r6_7() -> None:
    state = after("A:tuteR", hands=FOUR_KINGS)
    assert state.over
    assert state.winner == 0
    assert state.points == (0, 0)


def test_four_caballos_are_a_tute_here_too_r6_7() -> None:
    hands = FOUR_KINGS | {"A": "Co Cc Ce Cb Re", "C": "Ro Rc 4c 1c 2c", "D": "7c 6c 5c Rb 3c"}
    assert after("A:tuteC", hands=hands).winner == 0


def test_a_tute_needs_all_four_r6_7() -> None:
    assert refusal(after(), "A:tuteR") == ("declare.not_held", "R6.7")


def test_a_tute_comes_at_the_first_won_trick_of_the_side_only_r6_8() -> None:
    state = after(hands=FOUR_KINGS, tricks_won={"A": 2})
    assert refusal(state, "A:tuteR") == ("declare.window", "R6.8")


def test_a_tute_does_not_follow_a_declaration_of_ones_own_side_r6_8() -> None:
    assert refusal(after("A:40", hands=FOUR_KINGS), "A:tuteR") == ("declare.order", "R6.8")


def test_nothing_happens_after_a_tute_f1() -> None:
    assert refusal(after("A:tuteR", hands=FOUR_KINGS), "Ro") == ("play.after_end", "F1")
