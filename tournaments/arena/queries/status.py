"""Status of the whole arena, and the schedule of a tournament of bots."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Max, Q
from django.db.models.functions import Coalesce, Now

import engine
from tournaments.core.errors import REASONS
from tournaments.core.find import or_404
from tournaments.core.permissions import Actor, may_act_as_staff
from tournaments.director.queries.tournaments import TournamentHead, tournament_head
from tournaments.domain.timetable import zones
from tournaments.models import Arena, Attempt, Bot, Match, Round, Schedule, Tournament

# --- At play --------------------------------------------------------------------------------------
# Rounds of bots in the whole service, workers, failed attempts, bench and coming rounds.


SEEN: Final = timedelta(minutes=15)
"""Time after its last attempt for which a worker is listed."""

MAX_ROWS: Final = 20
"""Limit of each list."""

FAILED: Final = (
    Attempt.Outcome.LATE,
    Attempt.Outcome.LOST,
    Attempt.Outcome.REFUSED,
    Attempt.Outcome.INFRASTRUCTURE,
    Attempt.Outcome.BROKEN,
)
"""Outcomes of failed attempts."""


@dataclass(frozen=True, slots=True)
class RunningRound:
    """A round of bots that is being played."""

    tournament: str
    slug: str
    number: int
    paused: bool
    total: int
    played: int
    running: int
    stuck: int


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker that has recently begun or ended an attempt: host and process."""

    name: str
    last: datetime
    attempts: int
    playing: int


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A failed attempt; ``detail``, in the current language, is for the staff only."""

    match_pk: int
    tournament: str
    round: int
    table: int
    worker: str
    at: datetime
    outcome: str
    detail: str


@dataclass(frozen=True, slots=True)
class BenchedRow:
    """A benched bot."""

    name: str
    slug: str
    since: datetime


@dataclass(frozen=True, slots=True)
class ScheduledRow:
    """The time of the next scheduled round of a tournament."""

    tournament: str
    slug: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ArenaStatus:
    """The rounds at play and the workers; ``held`` matches are leased by a worker."""

    paused_at: datetime | None
    paused_by: str
    rounds: tuple[RunningRound, ...]
    workers: tuple[WorkerRow, ...]

    @property
    def held(self) -> int:
        """Number of matches leased by workers."""
        return sum(round_.running for round_ in self.rounds)

    @property
    def version(self) -> str:
        """Version of the page: a checksum that changes with its content."""
        return f"{zlib.crc32(repr(self).encode()):08x}"


@dataclass(frozen=True, slots=True)
class ArenaStatusPage:
    """The page of the arena; ``sandbox`` is that of this machine."""

    status: ArenaStatus
    failed: tuple[FailedRow, ...]
    benched: tuple[BenchedRow, ...]
    scheduled: tuple[ScheduledRow, ...]
    sandbox: engine.Capabilities
    may_switch: bool


def arena_status() -> ArenaStatus:
    """Return what is being played now: three queries."""
    paused = Arena.objects.paused().first()
    return ArenaStatus(
        paused_at=None if paused is None else paused.paused_at,
        paused_by="" if paused is None else paused.paused_by,
        rounds=_rounds(),
        workers=_workers(),
    )


def arena_status_page(viewer: Actor) -> ArenaStatusPage:
    """Return the page of the arena: six queries."""
    is_staff = may_act_as_staff(viewer)
    return ArenaStatusPage(
        status=arena_status(),
        failed=_failed(with_detail=is_staff),
        benched=_benched(),
        scheduled=_scheduled(),
        sandbox=engine.capabilities(),
        may_switch=is_staff,
    )


def count_leased_matches() -> int:
    """Return the number of bot matches leased by workers, by the database's clock."""
    return Match.objects.requested().leased().count()


def _rounds() -> tuple[RunningRound, ...]:
    bots = Q(matches__home__bot__isnull=False, matches__away__bot__isnull=False)
    pending = bots & Q(matches__state=Match.State.PENDING)
    rounds = (
        Round.objects.filter(state=Round.State.PUBLISHED, play_requested_at__isnull=False)
        .annotate(
            total=Count("matches", filter=bots),
            open=Count("matches", filter=pending),
            running=Count("matches", filter=pending & Q(matches__lease_until__gte=Now())),
            stuck=Count("matches", filter=pending & Q(matches__abandoned_at__isnull=False)),
        )
        .filter(open__gt=0)
        .order_by("play_requested_at", "pk")
        .values_list(
            "stage__tournament__name",
            "stage__tournament__slug",
            "number",
            "paused_at",
            "total",
            "open",
            "running",
            "stuck",
        )
    )
    return tuple(
        RunningRound(name, slug, number, paused is not None, total, total - open_, running, stuck)
        for name, slug, number, paused, total, open_, running, stuck in rounds
    )


def _workers() -> tuple[WorkerRow, ...]:
    heard = Coalesce("ended_at", "started_at")
    rows = (
        Attempt.objects.annotate(heard=heard)
        .filter(heard__gt=Now() - SEEN)
        .order_by()
        .values_list("worker")
        .annotate(
            last=Max("heard"),
            attempts=Count("pk"),
            playing=Count("pk", filter=Q(ended_at__isnull=True, match__lease_until__gte=Now())),
        )
        .order_by("worker")
    )
    return tuple(WorkerRow(*row) for row in rows)


def _failed(*, with_detail: bool) -> tuple[FailedRow, ...]:
    attempts = Attempt.objects.filter(outcome__in=FAILED).order_by("-started_at", "-pk")
    rows = attempts.select_related("match__round__stage__tournament")[:MAX_ROWS]
    return tuple(
        FailedRow(
            match_pk=attempt.match_id,
            tournament=attempt.match.tournament.name,
            round=attempt.match.round.number,
            table=attempt.match.table,
            worker=attempt.worker,
            at=attempt.ended_at or attempt.started_at,
            outcome=attempt.outcome,
            detail=attempt.shown_detail if with_detail else "",
        )
        for attempt in rows
    )


def _benched() -> tuple[BenchedRow, ...]:
    bots = Bot.objects.filter(benched_at__isnull=False, retired_at__isnull=True)
    return tuple(
        BenchedRow(bot.name, bot.slug, bot.benched_at)
        for bot in bots.order_by("-benched_at", "pk")[:MAX_ROWS]
        if bot.benched_at is not None
    )


def _scheduled() -> tuple[ScheduledRow, ...]:
    schedules = Schedule.objects.filter(is_on=True, tournament__state=Tournament.State.RUNNING)
    rows = schedules.order_by("due_at", "pk")[:MAX_ROWS]
    return tuple(
        ScheduledRow(*row)
        for row in rows.values_list("tournament__name", "tournament__slug", "due_at")
    )


# --- Schedules ------------------------------------------------------------------------------------
# The schedule of a tournament of bots, and the outcome of its last time.


MAX_TIMES: Final = 3
"""Coming times that are shown."""


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """A schedule: ``next`` are its coming times, none while it is off or the tournament has ended.

    ``last_at`` is the time of its last run, ``last_code`` the reason if no round could begin;
    otherwise ``last_round`` began without the bots ``left_out``.
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
        """Why no round began, in the active language."""
        reason = REASONS.get(self.last_code)
        return self.last_code if reason is None else str(reason.text) % self.last_facts

    @property
    def last_round(self) -> int | None:
        """The round that began."""
        return None if self.last_code else self.last_facts.get("round")

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of the benched bots."""
        return tuple(self.last_facts.get("left_out", ()))


@dataclass(frozen=True, slots=True)
class SchedulePage:
    """The page of a schedule, which may not exist yet; ``zones`` are the choices of time zones."""

    head: TournamentHead
    schedule: ScheduleRow | None
    zones: tuple[str, ...]


def schedule_page(slug: str, viewer: Actor) -> SchedulePage:
    """Return the page of a tournament's schedule: one query besides the head's."""
    head = tournament_head(slug, viewer)
    return SchedulePage(head, _row(head), tuple(sorted(zones())))


def read_schedule(slug: str, viewer: Actor) -> ScheduleRow:
    """Return the schedule of a tournament that the viewer may see. Refuses NOT_FOUND."""
    return or_404(_row(tournament_head(slug, viewer)))


def next_round(head: TournamentHead) -> ScheduleRow | None:
    """Return the active schedule of a tournament of bots, or None; one query at most."""
    if head.state == Tournament.State.FINISHED:
        return None
    row = _row(head)
    return row if row is not None and row.next else None


def _row(head: TournamentHead) -> ScheduleRow | None:
    schedule = Schedule.objects.filter(tournament=head.pk).annotate(now=Now()).first()
    if schedule is None:
        return None
    now: datetime = schedule.now  # type: ignore[attr-defined]
    is_at_work = schedule.is_on and head.state != Tournament.State.FINISHED
    following = schedule.timetable.next_times(max(schedule.due_at, now), MAX_TIMES - 1)
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
