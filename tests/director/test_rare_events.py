"""Individual, threes and duplicate are played over the API to their end, whatever happens."""

import os
from random import Random
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from tests.director.test_random_events import assert_sound
from tests.quick import slow
from tests.support.rare_driver import RARE_PLANS, RareEvent
from tournaments.models import AuditEvent

pytestmark = pytest.mark.django_db

MANY = int(os.environ.get("BAZA_RARE_EVENTS", "0"))
"""Events of each format; the ordinary run plays three of each."""
FIRST = int(os.environ.get("BAZA_RARE_EVENTS_SEED", "0"))

EVENTS = [(name, seed) for seed in range(FIRST, FIRST + (MANY or 3)) for name in RARE_PLANS]


@pytest.fixture(autouse=True)
def fresh_quotas() -> None:
    cache.clear()


@pytest.mark.parametrize(("name", "seed"), [*EVENTS[:1], *slow(EVENTS[1:])])
def test_a_rare_event_is_played_over_the_api_to_a_proof_that_holds(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, words = RARE_PLANS[name], f"rare {name} {seed}"
    chance = Random(words)
    size = chance.choice(range(plan.least, 17 if MANY else 10))
    seeds = SimpleNamespace(token_hex=lambda count: chance.randbytes(count).hex())
    # The rows' seeds come from the machine's chance; here they follow from the event's.
    for module in ("draws", "tournaments"):
        monkeypatch.setattr(f"tournaments.director.services.{module}.secrets", seeds)
    event = RareEvent(plan, words, size, "api", disturbances=3 * size)
    for step in range(5000):
        if event.is_over:
            break
        event.step()
        assert step < 4999, "the event does not end"
    assert_sound(event)
    if event.done["swap"]:
        assert AuditEvent.objects.filter(verb="draft.swapped").exists()
