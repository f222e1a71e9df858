"""Computes fair losses: what a card costs on average over the deals its player considered possible.

Sampled deals that agree with all that the seat saw (:mod:`engine.worlds`), each solved exactly. The
draw depends on what the seat knew and on nothing else: other hidden cards give the same deals.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.marks import Rival, is_stable
from engine.solver import values_in
from engine.worlds import Knowledge, gather_knowledge, sample_worlds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.analysis.walk import Step
    from engine.notation import HandRecord
    from engine.rulesets import Ruleset

World = tuple[int, ...]


class SolvedDeal(NamedTuple):
    """The values after every legal card in one deal, and how often it was drawn."""

    values: Mapping[int, int]
    times: int

    def loss(self, card: int) -> int:
        """Points that a card loses here with all cards seen."""
        return max(self.values.values()) - self.values[card]


class FairLosses(NamedTuple):
    """A card's loss over the sampled deals; see :class:`engine.analysis.answer.CardAnalysis`."""

    loss: float
    error: float
    best: int
    expected: float
    deals: tuple[SolvedDeal, ...]

    def rivals(self, card: int, open_values: Mapping[int, int]) -> list[Rival]:
        """The gains of the other cards over this one; ``open_values`` are the real deal's."""
        return [
            Rival(
                other, open_values[other] - open_values[card], *_mean_gain(self.deals, other, card)
            )
            for other in open_values
            if other != card
        ]

    def costs(self) -> dict[int, float]:
        """What each legal card loses against the best one, on average."""
        if not self.deals:
            return {}
        return {card: _mean_gain(self.deals, self.best, card)[0] for card in self.deals[0].values}

    def rank(self, card: int, loss: int) -> float:
        """The share of deals in which the card loses more than ``loss``, half for as much."""
        if not self.deals:
            return EVEN
        weight = sum(
            deal.times * (1.0 if deal_loss > loss else EVEN if deal_loss == loss else 0.0)
            for deal in self.deals
            for deal_loss in (deal.loss(card),)
        )
        return weight / sum(deal.times for deal in self.deals)


EVEN: Final = 0.5
"""The mean rank of the cards of a player who knows nothing of the hidden cards."""
NO_LOSSES: Final = FairLosses(0.0, 0.0, -1, 0.0, ())

STEP: Final = 4
"""Factor by which a sample grows while the grade is not stable: each step halves the error."""
MAX_STEPS: Final = (3, 3, 3, 3, 3, 3, 2, 1, 1, 1, 1)
"""Steps at most, by the cards held: a deal of eight takes twenty times as long as one of five, and
so the fair losses of a hand stay within 0.6 s (`python -m benchmarks.marks`)."""


class Table:
    """A hand as its players see it: what happened, and each one's own cards."""

    def __init__(self, rules: Ruleset, hand: HandRecord) -> None:
        self.rules, self.dealer, self.trump_card = rules, hand.dealer, hand.trump or ""
        self.history = tuple((token[0], token) for token in (hand.play or "").split())

    def knowledge(self, step: Step) -> Knowledge:
        """Computes the knowledge of the seat in turn before it plays."""
        seat = step.state.turn
        return gather_knowledge(
            self.rules,
            seat,
            self.dealer,
            self.trump_card,
            step.moment.hands[seat],
            self.history[: step.token],
        )

    def seed(self, step: Step, sample: str = "1") -> str:
        """The seed of a draw: all that the seat knows, and the name of the sample."""
        hand = step.moment.hands[step.moment.turn]
        happened = " ".join(token for _seat, token in self.history[: step.token])
        position = f"{self.rules.identity}|{self.dealer}|{self.trump_card}|{step.seat}|{hand:x}"
        return f"baza/analysis/{sample}|{position}|{happened}"


def find_fair_losses(step: Step, table: Table, count: int) -> FairLosses:
    """The loss of a step's card over ``count`` sampled deals; a forced card is not solved."""
    if step.choices == 1:
        return NO_LOSSES._replace(best=step.card)
    return fair_losses_over(step, draw_deals(step, table, count))


def stable_rivals(
    step: Step, table: Table, fair: FairLosses, count: int, open_values: Mapping[int, int]
) -> tuple[list[Rival], int]:
    """The other cards' gains over as many deals as the grade needs, and the number of deals.

    ``fair`` are the losses over the first ``count`` deals. They stay as they are: if an average
    stopped where it suits the grade, sums of fair losses would lean to one side.
    """
    rivals = fair.rivals(step.card, open_values)
    hand_size = step.moment.hands[step.moment.turn].bit_count()
    for _ in range(MAX_STEPS[hand_size]):
        if is_stable(rivals):
            break
        count *= STEP
        fair = fair_losses_over(step, draw_deals(step, table, count), fair.deals)
        rivals = fair.rivals(step.card, open_values)
    return rivals, count


def draw_deals(step: Step, table: Table, count: int, sample: str = "1") -> Counter[World]:
    """The hands of all seats in ``count`` deals that the seat in turn cannot tell from the real."""
    worlds = sample_worlds(table.knowledge(step), count, table.seed(step, sample))
    return Counter(tuple(world.hands) for world in worlds)


def fair_losses_over(
    step: Step, worlds: Mapping[World, int], solved_deals: Sequence[SolvedDeal] = ()
) -> FairLosses:
    """The loss of a step's card over given deals, each with the times that it was drawn.

    ``solved_deals`` are the first of these deals, solved before.
    """
    solved = [deal.values for deal in solved_deals]
    solved += values_in(step.moment, list(worlds)[len(solved_deals) :])
    deals = tuple(
        SolvedDeal(values, times) for values, times in zip(solved, worlds.values(), strict=True)
    )
    totals = {
        card: sum(deal.values[card] * deal.times for deal in deals) for card in deals[0].values
    }
    best = max(totals, key=lambda card: (totals[card], card == step.card, -card))
    loss, error = _mean_gain(deals, best, step.card)
    count = sum(worlds.values())
    total_loss = sum(deal.loss(step.card) * deal.times for deal in deals)
    return FairLosses(loss, error, best, total_loss / count, deals)


def _mean_gain(deals: tuple[SolvedDeal, ...], card: int, other: int) -> tuple[float, float]:
    """The mean gain in points of a card over another, and its standard error."""
    count = sum(deal.times for deal in deals)
    gains = [(deal.values[card] - deal.values[other], deal.times) for deal in deals]
    mean = sum(gain * times for gain, times in gains) / count
    if count == 1:
        return mean, 0.0
    squares = sum((gain - mean) ** 2 * times for gain, times in gains)
    return mean, math.sqrt(squares / (count - 1) / count)
