"""What `./baza test` leaves to `./baza test --all`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

IS_QUICK: Final = "BAZA_QUICK" in os.environ
"""The runner leaves out what is marked slow."""


def examples(count: int) -> int:
    """Return how many examples Hypothesis tries of this many."""
    return max(5, count // 4) if IS_QUICK else count


def slow(values: Iterable[Any]) -> list[Any]:
    """Return values of a parametrized test for which it is slow; tuples are several parameters."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
        for value in values
    ]
