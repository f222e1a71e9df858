"""How long a hand takes at a club: measured from its own rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from tournaments.models import Result

LEAST_MATCHES: Final = 12
"""With fewer matches nothing is said."""
MOST_MATCHES: Final = 400
LEAST_MINUTES: Final = 2.0
MOST_MINUTES: Final = 30.0
"""Minutes a hand; what lies outside was played by bots, or written down the next day."""
MINUTE: Final = 60  # seconds


@dataclass(frozen=True, slots=True)
class Pace:
    """The median of minutes a hand, over so many matches."""

    minutes: int
    matches: int


def paces(club_slug: str) -> Mapping[str, Pace]:
    """Return the pace of each ruleset that a club has played enough of. One query.

    A match lasts from the clock of its round, or else from its publication, to its first result.
    """
    results = Result.objects.filter(
        version=1,
        match__round__stage__tournament__club__slug=club_slug,
        match__round__published_at__isnull=False,
    ).exclude(depth__in=(Result.Depth.FORFEIT, Result.Depth.RULING))
    rows = results.order_by("-pk").values_list(
        "match__round__stage__tournament__ruleset",
        "match__round__clock_started_at",
        "match__round__published_at",
        "made_at",
        "home_hands",
        "away_hands",
        "third_hands",
    )
    measured: dict[str, list[float]] = defaultdict(list)
    for ruleset, clock, published, told, *hands in rows[:MOST_MATCHES]:
        played = sum(hand or 0 for hand in hands)
        begun = clock or published
        if not played or begun is None:
            continue
        minutes = (told - begun).total_seconds() / MINUTE / played
        if LEAST_MINUTES <= minutes <= MOST_MINUTES:
            measured[ruleset].append(minutes)
    return {
        ruleset: Pace(round(median(found)), len(found))
        for ruleset, found in measured.items()
        if len(found) >= LEAST_MATCHES
    }
