"""What plays in the whole service: rounds of bots, who plays them, what failed, what is to come."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Max, Q
from django.db.models.functions import Coalesce, Now

import engine
from tournaments.models import Arena, Attempt, Bot, Match, Round, Schedule, Tournament
from tournaments.permissions import Actor, may_switch_arena

SEEN: Final = timedelta(minutes=15)
"""How long after its last word a worker is still listed."""

MOST: Final = 20
"""Lines of each list, at most."""

FAILED: Final = (
    Attempt.Outcome.LATE,
    Attempt.Outcome.LOST,
    Attempt.Outcome.REFUSED,
    Attempt.Outcome.INFRASTRUCTURE,
    Attempt.Outcome.BROKEN,
)
"""Outcomes of an attempt that came to nothing."""


@dataclass(frozen=True, slots=True)
class RoundAtPlay:
    """A round whose bots have been asked to play and are not through."""

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
    """A worker that has lately begun or ended an attempt: host and process."""

    name: str
    last: datetime
    attempts: int
    playing: int


@dataclass(frozen=True, slots=True)
class FailedRow:
    """An attempt that came to nothing; ``detail`` is told to the staff alone."""

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
    """A bot that failed too often and waits to be put back."""

    name: str
    slug: str
    since: datetime


@dataclass(frozen=True, slots=True)
class ScheduledRow:
    """When the next round of a tournament is drawn and played by itself."""

    tournament: str
    slug: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AtPlay:
    """The rounds at play and the workers; ``held`` matches are in a worker's hands."""

    paused_at: datetime | None
    paused_by: str
    rounds: tuple[RoundAtPlay, ...]
    workers: tuple[WorkerRow, ...]

    @property
    def held(self) -> int:
        """Matches in a worker's hands."""
        return sum(round_.running for round_ in self.rounds)

    @property
    def word(self) -> str:
        """A word that changes whenever anything of this does."""
        return f"{zlib.crc32(repr(self).encode()):08x}"


@dataclass(frozen=True, slots=True)
class ArenaRoom:
    """All that is to be known of the bots of the service; ``sandbox`` is that of this machine."""

    at_play: AtPlay
    failed: tuple[FailedRow, ...]
    benched: tuple[BenchedRow, ...]
    scheduled: tuple[ScheduledRow, ...]
    sandbox: engine.Capabilities
    may_switch: bool


def at_play() -> AtPlay:
    """Return what plays now: three queries."""
    paused = Arena.objects.paused().first()
    return AtPlay(
        paused_at=None if paused is None else paused.paused_at,
        paused_by="" if paused is None else paused.paused_by,
        rounds=_rounds(),
        workers=_workers(),
    )


def arena_room(viewer: Actor) -> ArenaRoom:
    """Return everything: six queries."""
    is_staff = may_switch_arena(viewer)
    return ArenaRoom(
        at_play=at_play(),
        failed=_failed(with_detail=is_staff),
        benched=_benched(),
        scheduled=_scheduled(),
        sandbox=engine.capabilities(),
        may_switch=is_staff,
    )


def held_matches() -> int:
    """Return how many bot matches are in a worker's hands, by the database's clock."""
    return Match.objects.asked_for().leased().count()


def _rounds() -> tuple[RoundAtPlay, ...]:
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
            *("number", "paused_at", "total", "open", "running", "stuck"),
        )
    )
    return tuple(
        RoundAtPlay(name, slug, number, paused is not None, total, total - open_, running, stuck)
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
    found = attempts.select_related("match__round__stage__tournament")[:MOST]
    return tuple(
        FailedRow(
            match_pk=attempt.match_id,
            tournament=attempt.match.tournament.name,
            round=attempt.match.round.number,
            table=attempt.match.table,
            worker=attempt.worker,
            at=attempt.ended_at or attempt.started_at,
            outcome=attempt.outcome,
            detail=attempt.detail if with_detail else "",
        )
        for attempt in found
    )


def _benched() -> tuple[BenchedRow, ...]:
    bots = Bot.objects.filter(benched_at__isnull=False, retired_at__isnull=True)
    return tuple(
        BenchedRow(bot.name, bot.slug, bot.benched_at)
        for bot in bots.order_by("-benched_at", "pk")[:MOST]
        if bot.benched_at is not None
    )


def _scheduled() -> tuple[ScheduledRow, ...]:
    running = Schedule.objects.filter(is_on=True, tournament__state=Tournament.State.RUNNING)
    rows = running.order_by("due_at", "pk")[:MOST]
    return tuple(
        ScheduledRow(*row)
        for row in rows.values_list("tournament__name", "tournament__slug", "due_at")
    )
