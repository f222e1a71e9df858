"""Finds the card that decided a hand, and what it cost by what its player could know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.answer import DECIMALS, CardAnalysis, Decision, Turn
from engine.analysis.fair_losses import MAX_STEPS, STEP, draw_deals, fair_losses_over
from engine.analysis.marks import CERTAINTY, SLIP
from engine.cards import CARD_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.answer import Terms
    from engine.analysis.fair_losses import Table
    from engine.analysis.walk import Step, Walk

SAMPLED_AT_ONCE: Final = 8
"""Cards held from above which no more deals are drawn: forty of ten cards take a second."""


class Cost(NamedTuple):
    """A fair loss with its standard error, the best card for it, and the deals drawn."""

    loss: float
    error: float
    best: str
    deals: int


def find_turn(
    walked: Walk,
    margins: Sequence[int],
    plays: Sequence[CardAnalysis],
    table: Table,
    terms: Terms,
) -> tuple[Decision, Turn | None]:
    """What decided a hand; the turn is the last card after which the winners have it won.

    ``margins`` are the first side's at the end of the hand, with best play by all before each step
    and after the last. A hand that a tute ended, and a race, are decided by more than points.
    """
    winner = walked.end.winner
    if winner is None or walked.end.cut_for is not None or walked.rules.race_to:
        return "", None
    sign = (1, -1)[winner]
    # Equal points at the end are won by the last trick (R7.3); on the way there they are level.
    lost = [sign * each < 0 or (each == 0 and margins[-1] != 0) for each in margins]
    at = next((number for number in range(len(plays) - 1, -1, -1) if lost[number]), None)
    if at is None:
        return "deal", None
    play = plays[at]
    turn = Turn(play.token, play.trick, play.seat, play.card, margins[at], margins[at + 1])
    cost = _cost(walked.steps[at], play, table, terms)
    return "card", turn if cost is None else turn.with_cost(*cost)


def _cost(step: Step, play: CardAnalysis, table: Table, terms: Terms) -> Cost | None:
    """The fair loss of the card: that of its mark, if it has one, so that pages give one figure."""
    if play.gain is not None and play.gain_error is not None and play.better and play.deals:
        return Cost(play.gain, play.gain_error, play.better, play.deals)
    if not terms.worlds:
        return None
    count = terms.worlds
    fair = fair_losses_over(step, draw_deals(step, table, count))
    hand_size = step.moment.hands[step.moment.turn].bit_count()
    for _ in range(MAX_STEPS[hand_size] if hand_size <= SAMPLED_AT_ONCE else 0):
        if abs(fair.loss - SLIP.fair_loss) > CERTAINTY * fair.error:
            break
        count *= STEP
        fair = fair_losses_over(step, draw_deals(step, table, count), fair.deals)
    return Cost(
        round(fair.loss, DECIMALS), round(fair.error, DECIMALS), CARD_NAMES[fair.best], count
    )
