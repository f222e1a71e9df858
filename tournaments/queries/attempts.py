"""What workers have tried with a match of bots: for those of the club who look after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Attempt, Match


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One lease of a match: who had it, from when to when, and what became of it.

    ``outcome`` is empty while it is under way, ``ending`` the same in words.
    """

    worker: str
    started_at: datetime
    ended_at: datetime | None
    outcome: str
    ending: str
    detail: str


MOST = 50
"""Attempts that are shown, the latest first: a match that waits for its bots has many."""


def attempts_of(match: Match) -> tuple[AttemptRow, ...]:
    """Return the last attempts at a match, the newest first: one query."""
    rows = Attempt.objects.filter(match=match).order_by("-started_at", "-pk")[:MOST]
    return tuple(
        AttemptRow(
            row.worker,
            row.started_at,
            row.ended_at,
            row.outcome,
            row.get_outcome_display(),
            row.detail,
        )
        for row in rows
    )
