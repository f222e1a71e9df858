"""The strong bot's beliefs: a sampled deal weighs by how likely the others' plays are in it."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks import beliefs as learning
from engine.bots.strong import LEVELS, Level, Search, policy_weights
from engine.bots.strong.playing import WORLD
from engine.bots.strong.policy import KINDS, POLICY_WEIGHTS, RULESET
from engine.bots.strong.thinking import UNSAID
from engine.cards import COUPLES
from tests.engine.test_strong import views

if TYPE_CHECKING:
    from engine.view import View

PLAIN = Level(60, 20)
BY_POLICY = PLAIN._replace(by_policy=True)


@cache
def choices_of(first: int) -> learning.Choices:
    """The choices of six hands at mixed tables."""
    return learning.read_choices(learning.play_hands(3, first=first))


def late_view(ruleset: str) -> View:
    """A choice in the second half of a hand."""
    return next(
        seen for seen, _ in views(ruleset) if len(seen.history) > 21 and len(seen.legal) > 1
    )


def weights_of(bot_view: View, level: Level) -> list[float]:
    search = Search(bot_view, level, 1)
    return [float(weight) for weight in search.weigh_worlds(search.sample_worlds())]


def test_the_weights_are_small_and_say_how_they_were_made() -> None:
    assert Path(policy_weights.__file__).stat().st_size <= 40_000
    assert len(policy_weights.WEIGHTS) == POLICY_WEIGHTS
    assert "python -m benchmarks.beliefs" in (policy_weights.__doc__ or "")
    assert repr(learning.SEED.decode()) in (policy_weights.__doc__ or "")


def test_the_policy_foretells_each_kind_better_than_chance_and_simple_nearly_always() -> None:
    """On deals that it never saw, by the weights as they are stored."""
    choices = choices_of(learning.DEAL_SETS)
    logs = learning.stored_net().log_chances(choices)
    by_kind = [float(logs[choices.kinds == kind].mean()) for kind in range(len(KINDS))]
    assert by_kind[KINDS.index("simple")] > math.log(0.9)
    assert min(by_kind) > float(-np.log(choices.counts).mean()) + 0.2


def test_learning_from_the_same_hands_writes_the_same_weights() -> None:
    choices = choices_of(learning.DEAL_SETS)
    one, other = (learning.train(choices, 4, 2, epochs=1) for _ in range(2))
    assert learning.module_text(one, "") == learning.module_text(other, "")


@pytest.mark.parametrize(("ruleset", "learnt"), [(RULESET, True), ("parejas", False)])
def test_worlds_are_weighed_by_the_policy_in_the_ruleset_that_it_has_learnt(
    ruleset: str, learnt: bool
) -> None:
    bot_view = late_view(ruleset)
    assert (weights_of(bot_view, BY_POLICY) != weights_of(bot_view, PLAIN)) == learnt


def test_only_strong_and_deep_weigh_by_the_policy() -> None:
    assert {name for name, level in LEVELS.items() if level.by_policy} == {"strong", "deep"}


def test_a_world_in_which_a_couple_was_not_declared_counts_for_little_r6_6() -> None:
    """The side has led after its second trick, so a couple would have been declared by then."""
    silent: list[float] = []
    others: list[float] = []
    for bot_view, _state in views(RULESET, hands=3):
        won = {side: tricks > 1 for side, tricks in bot_view.tricks_won.items()}
        search = Search(bot_view, Level(200, 20, by_policy=True), 1)
        if not search.known.plays or search.known.actions:
            continue
        worlds = search.sample_worlds()
        weights = [float(weight) for weight in search.weigh_worlds(worlds)]
        for number, weight in enumerate(weights):
            hands = [
                search.suits.cards(int(worlds[number * WORLD + search.suits.seat(seat)]))
                for seat in search.known.others
                if won[bot_view.rules.sides[seat & 1]]
            ]
            held = any(hand & couple == couple for hand in hands for couple in COUPLES)
            (silent if held else others).append(weight / sum(weights))
    assert len(silent) > 50
    assert fmean(silent) < fmean(others) * math.exp(-UNSAID / 2)
