"""What `./baza test` leaves to `./baza test --all`, which runs every test whole.

| left out | why |
|---|---|
| tests marked `slow` | they start servers, workers or browsers, or take seconds each |
| all but `CASES` cases of a parametrized test | they are samples of one law |
| nine of ten examples of Hypothesis | the same; `--all` tries a third of them |

Tests marked `long` are left to `./baza test --long`. They repeat on a larger event, with more
inputs, in another language or on another screen what a test of `--all` goes through.

Every test function that is not slow itself is run, so every feature is.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

IS_QUICK: Final = "BAZA_QUICK" in os.environ
"""The runner leaves out what is marked slow."""

IS_LONG: Final = "BAZA_LONG" in os.environ
"""The runner adds what is marked long (`./baza test --long`)."""

CASES: Final = 3
"""Quick cases of a parametrized test: the first, the last and one between them."""

UNCOLLECTED: Final = ("api/test_schemathesis.py", "drills", "e2e", "recording")
"""Below `tests`: each test is slow. Schemathesis makes its requests when it is collected."""


def examples(count: int) -> int:
    """Return how many examples Hypothesis tries of this many: all of them in a long run.

    A third of them in the run with `--all`, which has a limit of time.
    """
    return count if IS_LONG else max(5, count // (10 if IS_QUICK else 3))


def slow(values: Iterable[Any]) -> list[Any]:
    """Return values of a parametrized test for which it is slow; tuples are several parameters."""
    return _marked(values, pytest.mark.slow)


def long(values: Iterable[Any]) -> list[Any]:
    """Return values of a parametrized test that only `./baza test --long` tries."""
    return _marked(values, pytest.mark.long)


def _marked(values: Iterable[Any], mark: pytest.MarkDecorator) -> list[Any]:
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=mark)
        for value in values
    ]


def leave_out_long(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked long, unless the run is a long one."""
    if IS_LONG:
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def mark_cases(items: list[pytest.Item]) -> None:
    """Mark all but `CASES` cases of each parametrized test as slow, the same ones in every run."""
    tests: dict[str, list[tuple[tuple[int, ...], pytest.Item]]] = defaultdict(list)
    for item in items:
        callspec = getattr(item, "callspec", None)
        if callspec and not item.get_closest_marker("slow"):
            place = tuple(callspec.indices.values())
            tests[item.nodeid.partition("[")[0]].append((place, item))
    for cases in tests.values():
        cases.sort(key=lambda case: case[0])
        rounds = {round(step * (len(cases) - 1) / (CASES - 1)) for step in range(CASES)}
        for number, (_place, item) in enumerate(cases):
            if number not in rounds:
                item.add_marker(pytest.mark.slow)
