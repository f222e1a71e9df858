"""What cards cost with all cards seen, and what is left when luck is taken off."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import engine
import tournaments
from engine.analysis import GRADES, Terms, adjusted_results
from engine.analysis.walk import Walk, walk
from engine.solver import values_along
from tests.engine.analysis.table import PAIRS, TWO_SIDED, changed, played
from tests.quick import slow

CLUB_NIGHT = Path(tournaments.__file__).parent / "management" / "commands" / "club_night"
OPEN = Terms(worlds=0)
FEW = Terms(worlds=8)


def analysed(record: engine.Record, terms: Terms = OPEN) -> list[engine.HandAnalysis]:
    return [hand for hand in engine.analyse_hands(record, terms) if hand.code is None]


@pytest.mark.parametrize("ruleset", TWO_SIDED)
@pytest.mark.parametrize("bot", ["simple", "random"])
def test_what_the_sides_lost_is_what_play_won(ruleset: str, bot: str) -> None:
    """The losses of both sides lead from the deal's par to what its cards came to, exactly."""
    hands = analysed(played(ruleset, 1, bot, deals=2))
    assert hands
    for hand in hands:
        lost = dict.fromkeys(hand.sides, 0)
        for seat in hand.seats:
            lost[seat.side] += seat.open_loss
        first, second = hand.sides
        assert lost[second] - lost[first] == hand.cards - hand.par == hand.skill
        assert sum(play.open_loss for play in hand.plays) == lost[first] + lost[second]


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_luck_and_play_are_the_result(ruleset: str) -> None:
    record = played(ruleset, 2, "simple", deals=2)
    for hand in analysed(record):
        points = record.hands[hand.number - 1].points or {}
        first, second = hand.sides
        assert hand.luck + hand.skill == hand.result == points[first] - points[second]


@pytest.mark.parametrize("ruleset", PAIRS)
def test_par_is_that_of_the_solver(ruleset: str) -> None:
    record = played(ruleset, 3)
    (hand,) = analysed(record)
    dealt = record.hands[0]
    deal = engine.Deal(dealt.dealer, dealt.trump or "", dealt.deal or {}, None)
    assert hand.par == engine.par_of_deal(record.ruleset, deal)
    assert hand.first == 0


def test_losses_are_those_that_the_margins_tell() -> None:
    record = played("parejas-online", 4)
    (hand,) = analysed(record)
    cards = [play.card for play in hand.plays]
    margins = engine.margins_along(engine.position_at(record, 0, 0), cards)
    assert [play.open_loss for play in hand.plays] == [abs(a - b) for a, b in pairwise(margins)]


def test_a_forced_card_costs_nothing() -> None:
    (hand,) = analysed(played("parejas", 5, "random"), FEW)
    forced = [play for play in hand.plays if play.forced]
    assert forced
    for play in forced:
        assert play.open_loss == 0
        assert play.open_best == play.card
        assert not play.fair_loss
        assert play.mark is None
        assert not play.chosen


@pytest.mark.parametrize("ruleset", [PAIRS[0], *slow(PAIRS[1:])])
def test_a_marked_card_really_is_worse(ruleset: str) -> None:
    """The solver says so at its position: by what is reported, and the better card is better."""
    record = played(ruleset, 6, "random", deals=2)
    marked = 0
    for hand in analysed(record, FEW):
        for play in hand.plays:
            values = engine.card_values(engine.position_at(record, hand.number - 1, play.token))
            assert play.open_loss == max(values.values()) - values[play.card]
            assert values[play.open_best] == max(values.values())
            if play.mark is not None:
                marked += 1
                grade = next(grade for grade in GRADES if grade.name == play.mark)
                assert play.better is not None
                assert values[play.better] - values[play.card] >= grade.open_loss
                assert (play.gain or 0) >= grade.fair_loss + 2 * (play.gain_error or 0) - 0.02
    assert marked


def test_the_best_line_keeps_par() -> None:
    record = played("cuatro", 7)
    (hand,) = analysed(record)
    state = engine.position_at(record, 0, 0)
    for card in hand.line:
        state = state.apply(card)
    assert state.over
    assert state.points[0] - state.points[1] == hand.par


def test_from_any_point_there_is_a_best_line() -> None:
    record = played("cuatro", 7)
    line = engine.best_line(record, 0, 20)
    position = engine.position_at(record, 0, 20)
    margins = engine.margins_along(position, line)
    assert set(margins) == {margins[0]}
    with pytest.raises(IndexError, match="does not get to token 99"):
        engine.best_line(record, 0, 99)


def test_what_a_tute_left_unplayed_is_counted_as_if_played_best() -> None:
    """R6.7: B has four reyes and the first trick; the cards that nobody played blame nobody."""
    deal = {
        "A": "2o 4o 5o 6o 1e So Co 3c 4b 2c",
        "B": "1o Ro Rc Re Rb 2e 4e 5e 6e 7e",
        "C": "4c 5c 6c 7c Sc Cc 1c 2b 3o 5b",
        "D": "Se Ce 3e 7o 6b 7b Sb Cb 3b 1b",
    }
    play = "2o 1o 3o 7o B:tuteR"
    record = changed(played("cuatro", 1), deal=deal, dealer="D", trump="1b", play=play)
    (hand,) = analysed(record)
    assert hand.result == -21
    assert hand.left == -engine.solve(engine.position_at(record, 0, 4)).value
    assert hand.cards == hand.left - 21
    assert [play.card for play in hand.plays] == ["2o", "1o", "3o", "7o"]


def test_with_a_stock_only_what_follows_it_is_analysed() -> None:
    record = played("habanero", 8)
    (hand,) = analysed(record)
    tokens = (record.hands[0].play or "").split()
    opening = engine.position_at(record, 0, hand.first)
    assert not opening.stock
    assert engine.position_at(record, 0, hand.first - 1).stock
    assert len(hand.plays) == 16 == sum(":" not in token for token in tokens[hand.first :])
    assert [play.trick for play in hand.plays][::2] == list(range(13, 21))


def test_of_two_players_each_knows_the_other_s_cards_when_the_stock_is_gone() -> None:
    """So what a card costs fairly is what it costs openly."""
    (hand,) = analysed(played("habanero", 9, "random"), FEW)
    assert {play.seat for play in hand.plays} == {"A", "B"}
    for play in hand.plays:
        assert play.fair_loss == play.expected == play.open_loss
        assert play.fair_error == 0
    assert {seat.fit for seat in hand.seats} == {0}


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (changed(played("cuatro", 1), play=None), "no_play"),
        (changed(played("cuatro", 1), deal=None, trump=None, play=None), "no_play"),
        (changed(played("cuatro", 1), play="1o"), "fault"),
        (changed(played("cuatro", 1), play=""), "fault"),
        (played("arrastrado", 1), "not_two_sides"),
    ],
)
def test_a_hand_that_cannot_be_analysed_says_why(record: engine.Record, code: str) -> None:
    hand = engine.analyse_hand(record, 0, OPEN)
    assert hand.code == code
    assert hand.code in engine.NOT_ANALYSED
    assert sum(map(len, (hand.plays, hand.seats, hand.line))) == 0
    assert adjusted_results([hand]) == ()


def test_a_capote_is_played_for_tricks_and_not_analysed() -> None:
    """R9.5: of the sampler's matches, the one hand in which it was announced."""
    lines = (CLUB_NIGHT / "sampler.ndjson").read_text(encoding="utf-8").splitlines()
    announced = [
        engine.analyse_hand(record, number, OPEN).code
        for record in map(engine.parse_record, lines)
        for number, hand in enumerate(record.hands)
        if ":capote" in (hand.play or "")
    ]
    assert announced == ["capote"]


def test_the_plain_search_says_the_same() -> None:
    """Used where numba is missing: the last five tricks of a hand, every card."""
    walked = walk(played("parejas", 11), 0)
    assert isinstance(walked, Walk)
    moments = [step.moment for step in walked.steps[20:]]
    assert values_along(moments, plain=True) == values_along(moments)
    assert values_along([]) == []


def test_the_adjusted_result_is_the_sum_of_the_hands() -> None:
    analysis = engine.analyse(played("parejas-online", 10, deals=4), OPEN)
    first, second = analysis.adjusted
    assert first.hands == 4
    assert first.skill == sum(hand.skill for hand in analysis.hands)
    assert first.result == first.luck + first.skill
    assert (first.result, first.luck, first.skill) == tuple(
        -number for number in (second.result, second.luck, second.skill)
    )
    interval = first.skill_a_hand
    assert interval.mean == first.skill / 4
    assert interval.low is not None
    assert interval.high is not None
    assert interval.low < interval.mean < interval.high
