"""Finds the card that decided a hand, and those after which the winners had it for a while."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.analysis.answer import CardAnalysis, Decision, Terms, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.walk import Walk


def find_turns(walked: Walk, margins: Sequence[int]) -> tuple[Decision, tuple[int, ...]]:
    """What decided a hand, and the steps by which it went to the winners; the last is the turn.

    ``margins`` are the first side's at the end of the hand, with best play by all before each step
    and after the last. A hand that a tute ended, and a race, are decided by more than points.
    """
    winner = walked.end.winner
    if winner is None or walked.end.cut_for is not None or walked.rules.race_to:
        return "", ()
    sign = (1, -1)[winner]
    # Equal points at the end are won by the last trick (R7.3); on the way there they are level.
    lost = [sign * each < 0 or (each == 0 and margins[-1] != 0) for each in margins]
    turns = tuple(n for n in range(len(lost) - 1) if lost[n] and not lost[n + 1])
    return "card" if turns else "deal", turns


def turn_of(play: CardAnalysis, before: int, after: int, terms: Terms) -> Turn:
    """The turn of a hand; its cost is that of its mark, if it has one, so that pages agree."""
    turn = Turn(play.token, play.trick, play.seat, play.card, before, after)
    if play.gain is not None and play.gain_error is not None and play.better and play.deals:
        return replace(
            turn, loss=play.gain, error=play.gain_error, better=play.better, deals=play.deals
        )
    if play.fair_loss is not None and play.fair_error is not None and play.fair_best:
        return replace(
            turn,
            loss=play.fair_loss,
            error=play.fair_error,
            better=play.fair_best,
            deals=terms.worlds,
        )
    return turn
