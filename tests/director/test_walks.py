"""Walks through random events: no state is a dead end, and what has a way back goes back."""

import os
from random import Random
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from tests.director.test_random_events import assert_sound
from tests.quick import slow
from tests.support.driver import PLANS
from tests.support.walks import Walk

pytestmark = pytest.mark.django_db

MANY = int(os.environ.get("BAZA_WALKS", "0"))
"""Walks of each format: `./baza test --long` goes a thousand in all, the ordinary run three."""
FIRST = int(os.environ.get("BAZA_WALKS_SEED", "0"))
ENDS_TRIED = 5
"""States of a walk, drawn by lot, from which it is brought to its end."""

ORDINARY = [(name, 0) for name in ("swiss", "knockout", "groups, two boards")]
WALKS = [(name, seed) for seed in range(FIRST, FIRST + MANY) for name in PLANS] or ORDINARY


@pytest.fixture(autouse=True)
def fresh_quotas() -> None:
    cache.clear()


@pytest.mark.parametrize(("name", "seed"), [*WALKS[:1], *slow(WALKS[1:])])
def test_no_state_is_a_dead_end_and_what_is_taken_back_is_as_before(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, words = PLANS[name], f"walk {name} {seed}"
    chance = Random(words)
    seeds = SimpleNamespace(token_hex=lambda count: chance.randbytes(count).hex())
    # The rows' seeds come from the machine's chance; here they follow from the walk's.
    for module in ("draws", "tournaments"):
        monkeypatch.setattr(f"tournaments.director.services.{module}.secrets", seeds)
    size = chance.randrange(plan.least, max(plan.least, 7) + 1)
    walk = Walk(plan, words, size, "services", disturbances=3 * size)
    steps = 0
    while not walk.is_over:
        if chance.random() < ENDS_TRIED / (12 * size):
            walk.assert_can_be_finished()
        walk.step()
        steps += 1
        assert steps < 3_000, "the event does not end"
    assert_sound(walk)
