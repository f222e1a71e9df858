"""When the rounds of a tournament of bots play themselves, and what became of the last time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models.functions import Now

from tournaments.domain.timetable import zones
from tournaments.errors import REASONS
from tournaments.models import Schedule, Tournament
from tournaments.permissions import Actor
from tournaments.queries.find import found
from tournaments.queries.heads import TournamentHead, tournament_head

SHOWN: Final = 3
"""Next times that are told."""


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """A schedule: ``next`` are its next times, none while it is off or the tournament is over.

    ``last_at`` is when it last did something, ``last_code`` why it could begin no round then; else
    ``last_round`` was begun without those ``left_out``.
    """

    on: bool
    at: str
    zone: str
    days: tuple[int, ...]
    next: tuple[datetime, ...]
    last_at: datetime | None
    last_code: str
    last_facts: Mapping[str, Any]

    @property
    def last_text(self) -> str:
        """Why no round was begun, in the language in use."""
        reason = REASONS.get(self.last_code)
        return self.last_code if reason is None else str(reason.text) % self.last_facts

    @property
    def last_round(self) -> int | None:
        """The round that was begun."""
        return None if self.last_code else self.last_facts.get("round")

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of those who were on the bench."""
        return tuple(self.last_facts.get("left_out", ()))


@dataclass(frozen=True, slots=True)
class SchedulePage:
    """The page of a schedule, which may not be there yet; ``zones`` are the places to choose."""

    head: TournamentHead
    schedule: ScheduleRow | None
    zones: tuple[str, ...]


def schedule_page(slug: str, viewer: Actor) -> SchedulePage:
    """Return what the page of a tournament's schedule shows: that of its head and one query."""
    head = tournament_head(slug, viewer)
    return SchedulePage(head, _row(head), tuple(sorted(zones())))


def read_schedule(slug: str, viewer: Actor) -> ScheduleRow:
    """Return the schedule of a tournament that the viewer may see; refuses NOT_FOUND."""
    return found(_row(tournament_head(slug, viewer)))


def next_round(head: TournamentHead) -> ScheduleRow | None:
    """Return the schedule of a tournament of bots, while it is at work; one query at most."""
    if not head.is_of_bots or head.state == Tournament.State.FINISHED:
        return None
    row = _row(head)
    return row if row is not None and row.next else None


def _row(head: TournamentHead) -> ScheduleRow | None:
    schedule = Schedule.objects.filter(tournament=head.pk).annotate(now=Now()).first()
    if schedule is None:
        return None
    now: datetime = schedule.now  # type: ignore[attr-defined]
    is_at_work = schedule.is_on and head.state != Tournament.State.FINISHED
    following = schedule.timetable.next_times(max(schedule.due_at, now), SHOWN - 1)
    return ScheduleRow(
        on=schedule.is_on,
        at=schedule.at.isoformat("minutes"),
        zone=schedule.zone,
        days=tuple(schedule.days),
        next=(schedule.due_at, *following) if is_at_work else (),
        last_at=schedule.last_at,
        last_code=schedule.last_code,
        last_facts=schedule.last_facts,
    )
