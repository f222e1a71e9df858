"""The card that decided a hand: the last one after which the winners had it won."""

from __future__ import annotations

from dataclasses import replace

import pytest

import engine
from engine.analysis import Terms
from engine.analysis.answer import Turn
from tests.engine.analysis.table import PAIRS, played
from tournaments.environment import ROOT

FEW = Terms(worlds=3, fair_from=8)
WORKED = ROOT / "docs" / "examples" / "worked-hand.tute"
NIGHT = ROOT / "tournaments" / "management" / "commands" / "club_night" / "records.ndjson"


def margins_of(hand: engine.HandAnalysis) -> list[int]:
    """The first side's margin with best play before each card and after the last, by the losses."""
    margins = [hand.before + hand.par + hand.declared]
    for play in hand.plays:
        sign = 1 if play.seat in hand.sides[0] else -1
        margins.append(margins[-1] - sign * play.open_loss)
    return margins


@pytest.mark.parametrize("ruleset", [*PAIRS, "habanero"])
@pytest.mark.parametrize("number", range(3))
def test_after_the_turn_and_never_again_before_the_winners_have_the_hand(
    ruleset: str, number: int
) -> None:
    record = played(ruleset, 40 + number, bot="random")
    hand = engine.analyse_hand(record, 0, FEW)
    assert hand.code is None
    winner = engine.audit(record).hands[0].winner
    sign = 1 if winner == hand.sides[0] else -1
    margins = [sign * margin for margin in margins_of(hand)]
    assert margins[-1] == sign * hand.result
    if hand.decided_by == "deal":
        assert hand.turn is None
        assert min(margins) >= 0
        return
    assert hand.decided_by == "card"
    assert hand.turn is not None
    at = next(n for n, play in enumerate(hand.plays) if play.token == hand.turn.token)
    assert (sign * hand.turn.before, sign * hand.turn.after) == (margins[at], margins[at + 1])
    assert margins[at] <= 0 <= margins[at + 1]
    assert margins[at] < margins[at + 1]
    assert min(margins[at + 1 :]) >= 0
    assert hand.turn.seat not in (winner or "")


def test_both_kinds_of_decision_come() -> None:
    hands = [
        engine.analyse_hand(played("parejas-online", 40 + number, bot="random"), 0, FEW)
        for number in range(8)
    ]
    assert {hand.decided_by for hand in hands} == {"deal", "card"}


def test_a_race_is_not_decided_by_points_alone() -> None:
    race = engine.analyse_hand(played("mano-a-mano", 20), 0, FEW)
    assert (race.code, race.decided_by, race.turn) == (None, "", None)


def test_the_worked_hand_was_decided_by_its_deal_though_two_cards_are_blunders() -> None:
    record = engine.parse_record(engine.parse_text(WORKED.read_bytes()).document)
    hand = engine.analyse_hand(record, 0, FEW)
    assert (hand.decided_by, hand.turn, hand.luck, hand.result) == ("deal", None, -30, -6)


def test_a_turn_that_is_marked_has_the_cost_of_its_mark() -> None:
    record = engine.parse_record(NIGHT.read_text(encoding="utf-8").splitlines()[2])
    hand = engine.analyse_hand(record, 3)
    turn = hand.turn
    assert turn is not None
    assert (turn.token, turn.before, turn.after, turn.judgement) == (24, 2, -42, "mistake")
    mark = next(play for play in hand.plays if play.token == turn.token)
    assert (turn.loss, turn.error, turn.better) == (mark.gain, mark.gain_error, mark.better)


def first_turned(terms: Terms, tricks: range) -> tuple[engine.HandAnalysis, engine.Turn]:
    """The first hand of bots by chance that a card of these tricks decided."""
    for number in range(40, 80):
        hand = engine.analyse_hand(played("parejas-online", number, bot="random"), 0, terms)
        if hand.turn is not None and hand.turn.trick in tricks:
            return hand, hand.turn
    raise AssertionError("no card of these tricks decided a hand")


def test_a_turn_before_the_fair_losses_is_judged_and_counts_in_no_sum() -> None:
    """It was chosen for what it lost: with it the sums of fair losses would lean to one side."""
    hand, turn = first_turned(FEW, range(1, FEW.fair_from))
    assert turn.loss is not None
    assert turn.judgement
    play = next(play for play in hand.plays if play.token == turn.token)
    assert (play.fair_loss, play.chosen) == (None, False)
    assert sum(seat.choices for seat in hand.seats) == sum(play.chosen for play in hand.plays)


def test_without_deals_the_turn_is_named_and_not_judged() -> None:
    _, turn = first_turned(Terms(worlds=0), range(1, 11))
    assert (turn.loss, turn.judgement) == (None, "")


@pytest.mark.parametrize(
    ("loss", "error", "judgement"),
    [
        (0.0, 0.0, "bad_luck"),
        (1.99, 5.0, "bad_luck"),
        (2.0, 0.0, "mistake"),
        (5.0, 2.0, "unclear"),
        (5.0, 1.5, "mistake"),
    ],
)
def test_what_the_sample_leaves_open_is_not_held_against_a_player(
    loss: float, error: float, judgement: str
) -> None:
    turn = Turn(9, 3, "A", "1o", 10, -14)
    assert replace(turn, loss=loss, error=error).judgement == judgement
