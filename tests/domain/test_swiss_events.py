"""Whole Swiss events, numbered without regard to strength: families, drops, latecomers, forfeits.

The oracle works the rules out anew; `./baza test --long` plays thousands of events.
"""

import hashlib
import os
import subprocess
import sys
from collections import Counter

import pytest

from tests.domain.swiss_events import Drawn, Oracle, event
from tournaments.domain.pairing.costs import CRITERIA
from tournaments.domain.rows import Bye
from tournaments.environment import ROOT

EVENTS = int(os.environ.get("BAZA_SWISS_EVENTS", "120"))
BATCHES = 8
FIRST = int(os.environ.get("BAZA_SWISS_SEED", "0"))

batches = pytest.mark.parametrize("batch", range(BATCHES))


def seeds(batch: int) -> range:
    return range(FIRST + batch, FIRST + EVENTS, BATCHES)


def check_legal(drawn: Drawn, oracle: Oracle) -> None:
    field, tables = drawn.field, drawn.draw.tables
    assert Counter(who for table in tables for who in table.entrants) == Counter(field.here)
    assert sorted(table.number for table in tables) == list(range(1, len(tables) + 1))
    assert set(field.pinned) <= set(tables)
    assert [table.is_bye for table in tables] == sorted(table.is_bye for table in tables)
    resting = [table for table in tables if table.is_bye]
    assert [table.bye for table in resting] == [Bye.PAIRING] * (len(oracle.free) % 2)
    if oracle.can_avoid_clashes():
        assert all(oracle.clashes(*edge) == 0 for edge in oracle.edges(drawn.draw))
    assert {why.table for why in drawn.draw.whys} == {table.number for table in tables}


def check_optimal(drawn: Drawn, oracle: Oracle, best: tuple[int, ...]) -> None:
    assert tuple(drawn.draw.quality[name] for name in CRITERIA) == best
    assert oracle.total(oracle.edges(drawn.draw)) == best


@batches
def test_a_small_event_gets_the_best_of_all_rounds_there_are(batch: int) -> None:
    for seed in seeds(batch):
        for drawn in event(seed, 4, 9):
            oracle = Oracle(drawn.field)
            check_legal(drawn, oracle)
            check_optimal(drawn, oracle, oracle.by_brute_force())


@pytest.mark.parametrize("seed", range(FIRST, FIRST + 1 + EVENTS // 80))
def test_twelve_entries_get_the_best_of_all_10395_rounds(seed: int) -> None:
    for drawn in event(seed, 11, 12):
        oracle = Oracle(drawn.field)
        check_optimal(drawn, oracle, oracle.by_brute_force())


@batches
def test_another_matching_finds_no_better_round(batch: int) -> None:
    for seed in seeds(batch):
        size = 10 + seed % 31
        for drawn in event(seed, size, size):
            oracle = Oracle(drawn.field)
            check_legal(drawn, oracle)
            check_optimal(drawn, oracle, oracle.by_blossoms())


def test_the_simulated_events_hold_what_they_are_to_prove() -> None:
    rounds = [drawn for seed in range(60) for drawn in event(seed, 4, 40)]
    clashing = sum(drawn.draw.quality["clashes"] > 0 for drawn in rounds)
    seen = Counter(why.code for drawn in rounds for why in drawn.draw.whys)
    assert 0 < clashing < len(rounds) / 4
    assert any(drawn.field.pinned for drawn in rounds)
    assert {"swiss_rematch", "swiss_apart", "swiss_rest_last", "swiss_rest_below_had"} <= set(seen)
    assert {"swiss_down_again", "swiss_club", "swiss_float_odd", "swiss_float_best"} <= set(seen)


SCRIPT = """
import hashlib
from tests.domain.swiss_events import event
rounds = [drawn.draw for seed in range(12) for drawn in event(seed, 20, 40)]
print(hashlib.sha256(repr(rounds).encode()).hexdigest())
"""


def test_the_same_event_is_drawn_the_same_in_every_process() -> None:
    rounds = [drawn.draw for seed in range(12) for drawn in event(seed, 20, 40)]
    here = hashlib.sha256(repr(rounds).encode()).hexdigest()
    elsewhere = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for hash_seed in ("0", "1", "20000")
    }
    assert elsewhere == {here}
