"""The card that decided a hand: the last one after which the winners had it won."""

from __future__ import annotations

import pytest

import engine
from engine.analysis import Terms
from engine.analysis.judgements import Judgement
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


def test_a_turn_is_judged_by_the_hand_also_where_no_points_are_asked_for() -> None:
    record = played("parejas-online", 52, bot="random")
    hand = engine.analyse_hand(record, 0, FEW)
    turn = hand.turn
    assert turn is not None
    assert (turn.trick, turn.loss, bool(turn.judgement)) == (6, None, True)
    play = next(play for play in hand.plays if play.token == turn.token)
    assert (play.fair_loss, play.chosen) == (None, False)
    assert turn.judgement == play.turn_judgement
    assert sum(seat.choices for seat in hand.seats) == sum(play.chosen for play in hand.plays)
    turn = engine.analyse_hand(record, 0, Terms(worlds=0)).turn
    assert turn is not None
    assert (turn.loss, turn.judgement) == (None, "")


@pytest.mark.parametrize(
    ("loss", "judgement", "of_turn"),
    [
        (0.0, "bad_luck", "bad_luck"),
        (0.05, "", "bad_luck"),
        (0.06, "", "unclear"),
        (0.1, "inaccuracy", "mistake"),
        (None, "", ""),
    ],
)
def test_what_the_deals_leave_open_is_not_held_against_a_player(
    loss: float | None, judgement: Judgement, of_turn: str
) -> None:
    card = engine.CardAnalysis(9, 3, "A", "1o", 2, 4, "3o", hand_loss=loss, judgement=judgement)
    assert card.turn_judgement == of_turn
