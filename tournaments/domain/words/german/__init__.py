"""The texts of the domain in German, a file for each part as beside it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tournaments.domain.words.german import (
    duplicate,
    file,
    individual,
    ladder,
    liguilla,
    lives,
    places,
    plans,
    proposals,
    refusals,
    rulebook,
    stages,
    standings,
    swiss,
    threes,
    trail,
    trees,
    verification,
)

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **duplicate.TEXTS,
        **file.TEXTS,
        **individual.TEXTS,
        **ladder.TEXTS,
        **liguilla.TEXTS,
        **lives.TEXTS,
        **places.TEXTS,
        **plans.TEXTS,
        **proposals.TEXTS,
        **refusals.TEXTS,
        **rulebook.TEXTS,
        **stages.TEXTS,
        **standings.TEXTS,
        **swiss.TEXTS,
        **threes.TEXTS,
        **trail.TEXTS,
        **trees.TEXTS,
        **verification.TEXTS,
    }
)
"""By code."""
