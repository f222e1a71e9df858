"""What all tests of pages have in common."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest


@pytest.fixture(autouse=True)
def the_minute_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the minute in which wrong codes are counted from ending in the middle of a test."""
    now = time.time()
    monkeypatch.setattr("tournaments.web.attempts.time", SimpleNamespace(time=lambda: now))
