"""The cards of a deal, as one table and another have them."""

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests.quick import examples
from tournaments.domain import boards, match_parts
from tournaments.domain.boards import cards_of, deal_of, first_different_hand, rotations_of, to_deal

RULES = engine.RULESETS["parejas-online"]
SEED = "5e" * 32


def the_cards(board: int, rules: engine.Ruleset = RULES) -> boards.Cards:
    deal = deal_of(rules, SEED, "copa/1", board)
    return cards_of(deal.dealer, deal.trump, deal.hands, deal.stock)


def test_the_examples_hold() -> None:
    for module in (boards, match_parts):
        results = doctest.testmod(module)
        assert (results.failed, results.attempted > 0) == (0, True)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(1, 40), st.integers(0, 7), st.integers(0, 7))
def test_cards_turned_round_the_table_are_the_same_again(board: int, one: int, two: int) -> None:
    cards = the_cards(board)
    assert cards.rotate(one).rotate(two) == cards.rotate((one + two) % 4)
    assert cards.rotate(4) == cards


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(1, 40), st.integers(0, 3))
def test_a_table_may_sit_any_way_round(board: int, turn: int) -> None:
    turned_deals = [the_cards(n).rotate(turn) for n in (board, board + 1)]
    cards = [the_cards(n) for n in (board, board + 1)]
    side = "AC" if turn in {0, 2} else "BD"
    assert first_different_hand(turned_deals, cards, side) is None
    assert first_different_hand(turned_deals, cards, "BD" if side == "AC" else "AC") == 0


def test_all_hands_of_a_record_are_turned_alike() -> None:
    turned_deals = [the_cards(1), the_cards(2).rotate(2)]
    assert first_different_hand(turned_deals, [the_cards(1), the_cards(2)], "AC") == 1


def test_other_cards_another_dealer_and_another_trump_are_another_deal() -> None:
    cards = the_cards(3)
    swapped = boards.Cards(cards.dealer, cards.trump, (*cards.hands[:2], *cards.hands[:1:-1]))
    for other in (
        the_cards(4),
        swapped,
        boards.Cards((cards.dealer + 1) % 4, cards.trump, cards.hands),
        boards.Cards(cards.dealer, "2o" if cards.trump != "2o" else "2c", cards.hands),
    ):
        assert first_different_hand([other], [cards], "AC") == 0


def test_what_nobody_wrote_down_contradicts_nothing() -> None:
    assert first_different_hand([None, the_cards(2)], [the_cards(1), None], "AC") is None


@pytest.mark.parametrize(
    "name", [name for name, rules in engine.RULESETS.items() if rules.seat_count in {2, 4}]
)
def test_a_deal_read_from_a_record_can_be_played_again(name: str) -> None:
    rules = engine.RULESETS[name]
    dealt = deal_of(rules, SEED, "copa/1", 5)
    second_deal = to_deal(rules, the_cards(5, rules))
    assert (second_deal.dealer, second_deal.trump, second_deal.stock) == (
        dealt.dealer,
        dealt.trump,
        dealt.stock,
    )
    assert {seat: set(hand.split()) for seat, hand in second_deal.hands.items()} == {
        seat: set(hand.split()) for seat, hand in dealt.hands.items()
    }


def test_home_alone_has_one_way_to_sit() -> None:
    assert (rotations_of("A", 2), rotations_of("B", 2)) == ((0,), (1,))
