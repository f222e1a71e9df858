"""Computes open losses: what each card costs with all cards seen, solved exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.solver import values_along

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.analysis.walk import Step, Walk


class OpenLosses(NamedTuple):
    """The first side's margin before each step and after the last one, with best play from there.

    ``values`` holds for each step the value after every legal card, seen by the side that plays;
    nothing where only one was legal. ``left`` is the margin of what was not played any more.
    """

    margins: tuple[int, ...]
    values: tuple[Mapping[int, int], ...]
    left: int

    def loss(self, number: int) -> int:
        """Points that the card of a step lost its side."""
        return abs(self.margins[number] - self.margins[number + 1])


def find_open_losses(walk: Walk) -> OpenLosses:
    """Solve every choice of a hand with all cards seen."""
    moments = [step.moment for step in walk.steps if step.choices > 1]
    if walk.rest is not None:
        moments.append(walk.rest)
    solutions = values_along(moments)
    rest_margin = 0 if walk.rest is None else _margin(walk.rest.turn, solutions.pop())
    answers = iter(solutions)
    values = [next(answers) if step.choices > 1 else {} for step in walk.steps]
    totals = [0]
    for step in walk.steps:
        totals.append(totals[-1] + step.gained)
    margins = [totals[-1] + rest_margin]
    for step, each, before in zip(walk.steps[::-1], values[::-1], totals[-2::-1], strict=True):
        margins.append(before + _margin(step.state.turn, each) if each else margins[-1])
    return OpenLosses(tuple(margins[::-1]), tuple(values), rest_margin)


def _margin(turn: int, values: Mapping[int, int]) -> int:
    best = max(values.values())
    return -best if turn & 1 else best


def best_open(step: Step, values: Mapping[int, int]) -> int:
    """A card that loses nothing with all cards seen: the one played, if it is such."""
    if not values or values[step.card] == max(values.values()):
        return step.card
    return max(values, key=lambda card: (values[card], -card))
