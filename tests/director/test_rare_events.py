"""Individual, threes, tables, duplicate are played over the API to their end, whatever happens."""

import os
from random import Random
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from tests.director.test_random_events import assert_sound
from tests.quick import slow
from tests.support.driver import Plan
from tests.support.rare_driver import ODD_DUPLICATE, RARE_PLANS, LateEvent, RareEvent
from tournaments.models import AuditEvent

pytestmark = pytest.mark.django_db

MANY = int(os.environ.get("BAZA_RARE_EVENTS", "0"))
"""Events of each format; the ordinary run plays one of each."""
FIRST = int(os.environ.get("BAZA_RARE_EVENTS_SEED", "0"))

EVENTS = [(name, seed) for seed in range(FIRST, FIRST + (MANY or 1)) for name in RARE_PLANS]


@pytest.fixture(autouse=True)
def fresh_quotas() -> None:
    cache.clear()


@pytest.mark.parametrize(("name", "seed"), [*EVENTS[:1], *slow(EVENTS[1:])])
def test_a_rare_event_is_played_over_the_api_to_a_proof_that_holds(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_to_the_end(RareEvent, RARE_PLANS[name], f"rare {name} {seed}", monkeypatch)


@pytest.mark.parametrize("seed", [FIRST, *slow(range(FIRST + 1, FIRST + (MANY or 1)))])
def test_an_odd_duplicate_with_late_pairs_is_played_to_a_proof_that_holds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = play_to_the_end(LateEvent, ODD_DUPLICATE, f"odd duplicate {seed}", monkeypatch, step=2)
    assert event.done["enter late"]
    assert all(match.boards for match in event.matches(bye=""))


def play_to_the_end(
    kind: type[RareEvent], plan: Plan, words: str, monkeypatch: pytest.MonkeyPatch, step: int = 1
) -> RareEvent:
    """Play an event over the API, with ``step`` between the sizes to choose from, and check it."""
    chance = Random(words)
    size = chance.choice(range(plan.least, 17 if MANY else 10, step))
    seeds = SimpleNamespace(token_hex=lambda count: chance.randbytes(count).hex())
    # The rows' seeds come from the machine's chance; here they follow from the event's.
    for module in ("draws", "tournaments"):
        monkeypatch.setattr(f"tournaments.director.services.{module}.secrets", seeds)
    event = kind(plan, words, size, "api", disturbances=3 * size)
    for count in range(5000):
        if event.is_over:
            break
        event.step()
        assert count < 4999, "the event does not end"
    assert_sound(event)
    if event.done["swap"]:
        assert AuditEvent.objects.filter(verb="draft.swapped").exists()
    return event
