"""Corrupted matches of every ruleset: a legal record goes in, and is broken in a known way.

Every fault code that can occur in a ruleset (`tests.engine.codes`) is aimed at by some mutation.
The ways themselves are in `mutations_of_play` and `mutations_of_records`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.engine import mutations_of_records, naive
from tests.engine.mutating import AIMED, MUTATIONS, fault_is, moments, only, places, put
from tests.engine.mutations_of_play import DECLARING_TOKENS

if TYPE_CHECKING:
    from random import Random

    from tests.engine.chance import Record

__all__ = ["DECLARING_TOKENS", "fault_is", "moments", "mutations_of_records", "only", "places"]
__all__ += ["corrupt", "put"]


def corrupt(rng: Random, record: Record) -> list[str]:
    """Breaks a record in one to three ways; the names of the mutations that took hold."""
    attempts = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        change = rng.choice(MUTATIONS + AIMED.get(record["ruleset"], []))
        for attempt in [change, rng.choice(MUTATIONS)]:
            if naive.record_fault(record) is None and attempt(rng, record):
                attempts.append(attempt.__name__)
                break
    return attempts
