"""Computes the chance of the hand: in how many deals a side wins it after a card.

A hand is won by points, a tie by the last trick (R7.2, R7.3). So one search with the points that
are needed says whether a card wins a deal with best play by all; couples that can still be declared
count as declared. Where few deals are possible all of them are searched. Elsewhere the card that
does best in a sample is flattered by it: what another card loses is counted in other deals, later.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.fair_losses import STEP, draw_deals
from engine.analysis.walk import margin
from engine.cards import LAST_TRICK, RANK_MASKS, REY, cards_in, mask_of
from engine.rules import Declarations, forfeited_by_lead, open_couples
from engine.solver import reached_in
from engine.worlds import every_world

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.analysis.fair_losses import Table
    from engine.analysis.walk import Walk
    from engine.state import State
    from engine.worlds import World

MOST_DEALS: Final = 64
"""Deals that are all searched where no more are possible, by the size of the first sample."""


class Silence(NamedTuple):
    """A window that a seat let pass: the step whose lead closed it, what was declared by then."""

    number: int
    seat: int
    talk: Declarations


class Couples:
    """The couples that may still be declared, in the deals that a player considers possible."""

    def __init__(self, walked: Walk) -> None:
        self.rules, self.steps = walked.rules, walked.steps
        self.silences = tuple(
            silence for number in range(len(self.steps)) for silence in self._silences(number)
        )

    def _silences(self, number: int) -> tuple[Silence, ...]:
        state, rules = self.steps[number].state, self.rules
        if state.table or state.last_side is None or not rules.omitted_is_lost:
            return ()
        if rules.declare_at == "first" and state.tricks_won[state.last_side] > 1:
            return ()
        talk = state.talk
        return tuple(
            Silence(number, seat, talk)
            for seat in state.players
            if rules.side_of(seat) == state.last_side
        )

    def margin(self, number: int, hands: Sequence[int], card: int) -> int:
        """The first side's margin in the couples that are left after a card, in one deal."""
        state, total = self.steps[number].state, 0
        if hands[state.turn].bit_count() <= 2:
            return 0  # nobody can hold both cards after the next trick
        for seat in state.players:
            side = self.rules.side_of(seat)
            held = hands[seat] & ~(1 << card)
            if not held & held << 1 & RANK_MASKS[REY]:
                continue  # nobody declares without a couple
            if self.rules.declare_at == "first" and state.tricks_won[side]:
                continue
            lost = self._forfeited(number, seat, hands[seat])
            talk = replace(state.talk, forfeited=lost)
            for suit in cards_in(open_couples(held, talk)):
                total += (1, -1)[side] * (40 if suit == state.trump else 20)
        return total

    def _forfeited(self, number: int, seat: int, hand: int) -> int:
        """Suits (as bits) that a seat has forfeited if it holds ``hand`` before a step (R6.6)."""
        lost = 0
        for silence in self.silences:
            if silence.number > number:
                break
            if silence.seat == seat:
                played = self.steps[silence.number : number]
                then = hand | mask_of(each.card for each in played if each.state.turn == seat)
                talk = replace(silence.talk, forfeited=lost)
                lost |= forfeited_by_lead(
                    self.rules, then, self.steps[number].state.trump, talk, seat
                )
        return lost


class WonDeal(NamedTuple):
    """Whether the side in turn wins after each legal card in one deal, and how often it came."""

    hands: tuple[int, ...]
    wins: Mapping[int, bool]
    times: int


class Chances(NamedTuple):
    """The legal cards of a step over some deals; ``every`` says that no others are possible."""

    deals: tuple[WonDeal, ...]
    every: bool

    @property
    def deal_count(self) -> int:
        """The number of deals."""
        return sum(deal.times for deal in self.deals)

    def wins(self, card: int) -> int:
        """The number of deals that the card wins."""
        return sum(deal.times for deal in self.deals if deal.wins[card])

    def best(self, card: int) -> int:
        """The card that wins most deals: ``card`` if it is such."""
        return max(self.deals[0].wins, key=lambda other: (self.wins(other), other == card, -other))

    def changing(self, card: int, other: int) -> list[tuple[int, ...]]:
        """The deals that one of two cards wins and the other loses, each as often as it came."""
        return [
            deal.hands
            for deal in self.deals
            for _ in range(deal.times)
            if deal.wins[card] != deal.wins[other]
        ]

    def loss(self, card: int, other: int) -> tuple[float, float]:
        """The share of deals that a card loses against another one, and its standard error."""
        count = self.deal_count
        mean = (self.wins(other) - self.wins(card)) / count
        if self.every or count == 1:
            return mean, 0.0
        squares = sum(
            deal.times * (deal.wins[other] - deal.wins[card] - mean) ** 2 for deal in self.deals
        )
        return mean, math.sqrt(squares / (count - 1) / count)


class HandLoss(NamedTuple):
    """What a card loses of the hand against ``best``: deals won after each, and the share."""

    loss: float
    error: float
    best: int
    wins: int
    best_wins: int
    chances: Chances


class HandChances:
    """The chances of the cards of a hand that points decide."""

    def __init__(self, table: Table, walked: Walk, worlds: int) -> None:
        self.table, self.couples, self.worlds = table, Couples(walked), worlds

    def hand_size(self, number: int) -> int:
        """The number of cards that the seat in turn holds before a step."""
        moment = self.couples.steps[number].moment
        return moment.hands[moment.turn].bit_count()

    def state(self, number: int) -> State:
        """The state before a step."""
        return self.couples.steps[number].state

    def first_loss(self, number: int) -> HandLoss:
        """What the card of a step loses in all deals if they are few, else in a first sample."""
        step = self.couples.steps[number]
        few = every_world(self.table.knowledge(step), STEP * self.worlds)
        if few is not None:
            return self._loss_over_all(number, few)
        deals = draw_deals(step, self.table, self.worlds)
        return self._loss(number, chances_over(self.couples, number, deals, every=False))

    def second_loss(self, number: int, best: int) -> HandLoss:
        """What it loses against the first sample's best card in other deals, or in all of some."""
        step = self.couples.steps[number]
        some = every_world(self.table.knowledge(step), MOST_DEALS * self.worlds)
        if some is not None:
            return self._loss_over_all(number, some)
        deals = draw_deals(step, self.table, STEP * self.worlds, "second")
        two = 1 << step.card | 1 << best
        second = chances_over(self.couples, number, deals, every=False, cards=two)
        return self._loss(number, second, best)

    def _loss_over_all(self, number: int, worlds: Sequence[World]) -> HandLoss:
        deals = {world.hands: 1 for world in worlds}
        return self._loss(number, chances_over(self.couples, number, deals, every=True))

    def _loss(self, number: int, chances: Chances, best: int | None = None) -> HandLoss:
        card = self.couples.steps[number].card
        best = chances.best(card) if best is None else best
        loss, error = chances.loss(card, best)
        return HandLoss(loss, error, best, chances.wins(card), chances.wins(best), chances)


def chances_over(
    couples: Couples,
    number: int,
    worlds: Mapping[tuple[int, ...], int],
    *,
    every: bool,
    cards: int | None = None,
) -> Chances:
    """Whether the side in turn wins in given deals, after each legal card or some ``cards``.

    With all cards and declarations the points are even, so a tie is won by the last trick alone:
    half the points and one more are needed where that trick counts one more.
    """
    step = couples.steps[number]
    asked = tuple(cards_in(step.moment.legal if cards is None else cards))
    needed = step.moment.rest - margin(step.state.points)
    targets = [
        {card: (needed - couples.margin(number, world, card)) // 2 + 1 for card in asked}
        for world in worlds
    ]
    moment = step.moment._replace(last=LAST_TRICK + 1)
    even = not step.moment.turn & 1
    return Chances(
        tuple(
            WonDeal(hands, {card: made == even for card, made in reached.items()}, times)
            for (hands, times), reached in zip(
                worlds.items(), reached_in(moment, list(worlds), targets), strict=True
            )
        ),
        every,
    )
