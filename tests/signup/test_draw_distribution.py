"""The order of tickets does not move the distribution of the draw."""

from collections import Counter

import pytest

from tests.clubs import SYSTEM
from tests.signup.test_signing_up import a_posted, pairs
from tournaments.domain.seeding import order_by_lots
from tournaments.signup.services.closing import close_sign_up

pytestmark = pytest.mark.django_db

PAIRS, SEEDS = 8, 2000
CRITICAL = 85.35
"""χ² with 49 degrees of freedom, at one in a thousand."""


def names_by_number(order: tuple[int, ...]) -> dict[int, str]:
    """Sign pairs up in an order, close the list, and return the names of the entries."""
    tournament = a_posted(places=PAIRS)
    for number in order:
        pairs(tournament, 1, first=number)
    close_sign_up(SYSTEM, tournament)
    return dict(tournament.entries.values_list("number", "name"))


def places(names: dict[int, str], first_seed: int) -> Counter[tuple[str, int]]:
    """Return how often each pair is drawn into each place, over the seeds."""
    counts: Counter[tuple[str, int]] = Counter()
    for seed in range(first_seed, first_seed + SEEDS):
        order = order_by_lots((tuple(sorted(names)),), f"{seed:064x}")
        counts.update((names[number], place) for place, number in enumerate(order))
    return counts


@pytest.mark.slow
def test_the_same_names_in_another_order_of_tickets_are_drawn_alike() -> None:
    early = names_by_number(tuple(range(1, PAIRS + 1)))
    late = names_by_number(tuple(range(PAIRS, 0, -1)))
    assert early == late
    one, other = places(early, 0), places(late, SEEDS)
    keys = one.keys() | other.keys()
    assert len(keys) == PAIRS * PAIRS
    assert sum((one[key] - other[key]) ** 2 / (one[key] + other[key]) for key in keys) < CRITICAL
