"""What the strong bot gains by weighing sampled deals with the learnt policy.

``python -m benchmarks.belief_gains paired simple --sets 400`` measures one of two:

*Paired*: strong with the policy and without play the same deals against the same opponents; the
difference of their points a hand. *True-deal gain*: at each choice of the bot without the policy,
the card that each would play is valued by playing out in the true deal; the sum of the differences,
a hand. That needs a quarter of the deal sets for the same interval. The deals are those of
:mod:`benchmarks.bots`; nothing is learnt on them.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from statistics import fmean, quantiles
from typing import TYPE_CHECKING, Any, Final

import engine
from benchmarks import bots
from engine.bots.strong import STRONG, Search, Strong, setting, thinking
from engine.bots.strong.player import search_seed
from engine.bots.strong.playing import WORLD
from engine.cards import CARD_NAMES, SEATS
from engine.contest.intervals import mean_interval
from engine.fast.compiling import fractions, whole_numbers
from engine.solver.moments import state_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.view import View

RULES: Final = engine.RULESETS[bots.PAIRS]
PLAIN: Final = STRONG._replace(by_policy=False)
"""The strong bot without the policy."""
TRUE_TRIALS: Final = 1200
"""How often each card is played out in the true deal."""


@dataclass
class Clocked:
    """A bot with the seconds of each card for which there was a choice."""

    bot: engine.Bot
    seconds: list[float]

    def choose(self, view: View) -> str:
        """What the bot answers."""
        start = time.process_time()
        answer = self.bot.choose(view)
        if len(view.legal) > 1 and not any(":" in token for token in view.legal):
            self.seconds.append(time.process_time() - start)
        return answer


def points_a_hand(make: Callable[[bytes], engine.Bot], other: str, number: int) -> float:
    """What a bot makes more than another over one deal from both sides."""
    label = f"bots/{number}"
    played = engine.play_deal_set(
        RULES,
        [
            lambda _rules, _seat, seed: make(seed),
            lambda _rules, _seat, seed: bots.bot_of(other, seed, label),
        ],
        ["a", "b"],
        bots.SEED,
        label,
        options={"deals": 1},
    )
    return fmean(each.margins[0] for each in played)


def paired(other: str, first: int, sets: int) -> str:
    """A row: strong with the policy and without, and their difference over the same deals."""
    by_policy: list[float] = []
    plain: list[float] = []
    seconds: dict[str, list[float]] = {"policy": [], "plain": []}
    for number in range(first, first + sets):
        by_policy.append(
            points_a_hand(
                lambda seed: Clocked(Strong(STRONG, seed), seconds["policy"]), other, number
            )
        )
        plain.append(
            points_a_hand(
                lambda seed: Clocked(Strong(PLAIN, seed), seconds["plain"]), other, number
            )
        )
        if number % 50 == 49:
            print(_paired_row(other, plain, by_policy, seconds), file=sys.stderr, flush=True)
    return _paired_row(other, plain, by_policy, seconds)


def _paired_row(
    other: str, plain: list[float], by_policy: list[float], seconds: dict[str, list[float]]
) -> str:
    differences = [one - two for one, two in zip(by_policy, plain, strict=True)]
    figures = [bots.points(mean_interval(each)) for each in (plain, by_policy, differences)]
    times = [
        f"{1000 * fmean(each):.1f} ({1000 * quantiles(each, n=20)[-1]:.1f})"
        for each in (seconds["plain"], seconds["policy"])
    ]
    return "| " + " | ".join([other, str(len(plain)), *figures, *times]) + " |"


@dataclass
class Comparison:
    """The strong bot without the policy, which notes what the policy would have gained."""

    label: str
    seed: bytes
    gains: list[float]
    changed: list[bool]
    _bot: Strong = field(init=False)

    def __post_init__(self) -> None:
        self._bot = Strong(PLAIN, self.seed)

    def choose(self, view: View) -> str:
        """What the bot without the policy answers."""
        if len(view.legal) == 1 or any(":" in token for token in view.legal):
            return self._bot.choose(view)
        seed = search_seed(self.seed, view)
        searches = [Search(view, level, seed) for level in (PLAIN, STRONG)]
        if len(searches[0].moves) == 1:
            return CARD_NAMES[searches[0].moves[0]]
        values = [search.values() for search in searches]
        plain, by_policy = (max(each, key=lambda card: each[card]) for each in values)
        self.changed.append(plain != by_policy)
        if plain != by_policy:
            margins = self._true_margins(searches[0], self._true_world(view, searches[0]))
            self.gains.append(margins[by_policy] - margins[plain])
        return CARD_NAMES[plain]

    def _true_world(self, view: View, search: Search) -> Any:
        """The true deal as a row of worlds."""
        dealer, number = SEATS.index(view.dealer), view.standing.hand
        state = state_of(view.rules, engine.deal(view.rules, bots.SEED, self.label, number, dealer))
        for _seat, token in view.history:
            state = state.apply(token)
        rows = [search.suits.cards(hand or 0) for hand in state.hands]
        return whole_numbers([*rows, *[0] * (WORLD - len(rows))])

    def _true_margins(self, search: Search, true: Any) -> dict[int, float]:
        """What each card makes, played out in the true deal."""
        margins = fractions([0.0] * len(search.moves))
        thinking.mean_margins(
            setting.current_game(search.view, search.known, search.suits),
            search.game,
            true,
            whole_numbers([0] * TRUE_TRIALS),
            TRUE_TRIALS,
            whole_numbers([search.suits.card(card) for card in search.moves]),
            len(search.moves),
            search.seed,
            search.weights,
            search.features,
            search.scores,
            margins,
        )
        return dict(zip(search.moves, map(float, margins), strict=True))


def true_deal_gain(other: str, first: int, sets: int) -> str:
    """A row: the true-deal gain a hand against a kind of opponents."""
    gains: list[float] = []
    changed: list[bool] = []
    for number in range(first, first + sets):
        label = f"bots/{number}"
        here: list[float] = []

        def make(seed: bytes) -> engine.Bot:
            return Comparison(label, seed, here, changed)  # noqa: B023

        points_a_hand(make, other, number)
        gains.append(sum(here) / 2)
        if number % 20 == 19:
            print(_gain_row(other, gains, changed), file=sys.stderr, flush=True)
    return _gain_row(other, gains, changed)


def _gain_row(other: str, gains: list[float], changed: list[bool]) -> str:
    figures = [bots.points(mean_interval(gains)), f"{fmean(changed):.0%}"]
    return "| " + " | ".join([other, str(len(gains)), *figures]) + " |"


def main() -> None:
    """Measure one of the two against a kind of opponents and print a row of its table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.belief_gains", description=__doc__)
    parser.add_argument("measure", choices=("paired", "true-deal"))
    parser.add_argument("other", help="the opponents: a bot of the house, or 'flat, by rules'")
    parser.add_argument("--sets", type=int, default=100, help="deal sets")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal set")
    options = parser.parse_args()
    engine.warm_solver()
    measure = paired if options.measure == "paired" else true_deal_gain
    print(measure(options.other, options.first, options.sets))


if __name__ == "__main__":
    main()
