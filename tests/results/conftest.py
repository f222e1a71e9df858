"""Fixtures of several modules about results; others have scenes of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.clubs import the_liguilla, the_match

if TYPE_CHECKING:
    from tournaments.models import Match, Tournament


@pytest.fixture
def liguilla(db: None) -> Tournament:
    """The club night with its first round published."""
    return the_liguilla(published=1)


@pytest.fixture
def match(liguilla: Tournament) -> Match:
    """Round 1, table 1: Las Cuarenta – Las Fuentes."""
    return the_match(liguilla, 1, 1)
