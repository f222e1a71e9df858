"""Heartbeats of queues and workers, and the readiness checks that read them."""

from __future__ import annotations

import hashlib
import logging
import platform
import shutil
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F, Model, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from tournaments.core.timeouts import missing_timeouts
from tournaments.models import (
    Analysis,
    BotTurn,
    BotVersion,
    Delivery,
    Heartbeat,
    Mail,
    Match,
    Webhook,
)
from tournaments.models.heartbeats import QUEUES
from tournaments.operations.services.backups import last_backup
from tournaments.results.services.turns import host_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

# --- Heartbeats -----------------------------------------------------------------------------------
# One task stores the database's time in a row, under the name it was sent with. The scheduler sends
# it through every queue: a fresh row proves for every machine that scheduler, broker, worker and
# database work. `manage.py up` also sends it to each of its workers, through a queue of its own.


SET_BACK: Final = timedelta(minutes=1)
"""A heartbeat further in the future than this proves that the clock was set back."""

WAITS: Final[tuple[tuple[type[Model], str], ...]] = (
    (Match, "woken_at"),
    (Match, "lease_until"),
    (BotTurn, "due_at"),
    (BotVersion, "check_until"),
    (Analysis, "woken_at"),
    (Analysis, "lease_until"),
    (Webhook, "held_until"),
    (Delivery, "lease_until"),
    (Delivery, "next_at"),
    (Mail, "next_at"),
)
"""Columns with the time until which something waits."""

# Not this module's path: installations filter their logs by this name.
log = logging.getLogger("tournaments.services.pulses")


class HeartbeatRow(NamedTuple):
    """When a heartbeat was stored, and how many seconds ago, both by the database's clock."""

    at: datetime
    age: float


def expected_queues() -> tuple[str, ...]:
    """Return the queues that need a worker in this installation."""
    return tuple(queue for queue in QUEUES if settings.ENVIRONMENT.analysis or queue != "analysis")


def worker_queue(name: str) -> str:
    """Return the name of the queue of one worker of this machine and installation folder."""
    mark = hashlib.sha256(f"{platform.node()} {settings.VAR}".encode()).hexdigest()[:12]
    return f"worker-{name}-{mark}"


def store_heartbeat(name: str) -> None:
    """Store the database's time as the heartbeat of a queue."""
    if name == "default":
        _undo_set_back()
    Heartbeat.objects.update_or_create(name=name, defaults={"at": Now()})


def heartbeats() -> dict[str, HeartbeatRow]:
    """Return the last heartbeat of every queue, those of single workers included: one query.

    A heartbeat in the future was stored before the clock was set back; its distance counts as its
    age.
    """
    rows = Heartbeat.objects.annotate(now=Now()).values_list("name", "at", "now")
    return {name: HeartbeatRow(at, abs((now - at).total_seconds())) for name, at, now in rows}


def queue_ages() -> dict[str, float]:
    """Return the seconds since the last heartbeat of each queue that all machines share."""
    return {name: row.age for name, row in heartbeats().items() if name in QUEUES}


def plays_matches() -> bool:
    """Return whether a worker of this machine holds a match with a live lease.

    Such a worker answers late.
    """
    mine = Match.objects.leased().filter(
        bot_attempts__worker__startswith=f"{host_name()}:", bot_attempts__outcome=""
    )
    return mine.exists()


def _undo_set_back() -> None:
    """Shorten all waits by the time that the clock was set back since the last heartbeat.

    Otherwise leases of dead workers and pauses between attempts would last longer by that much.
    Times that people have chosen are not changed.
    """
    rows = Heartbeat.objects.filter(name="default", at__gt=Now() + SET_BACK)
    for at, now in rows.annotate(now=Now()).values_list("at", "now"):
        log.warning("The clock was set back by %s: what waits is brought forward.", at - now)
        for model, field in WAITS:
            waiting = model._meta.base_manager.filter(**{f"{field}__gt": Now()})
            waiting.update(**{field: F(field) - (at - now)})


# --- Readiness ------------------------------------------------------------------------------------
# The service is alive if it answers at all; it is ready if the database has this release's
# migrations and if the broker, a worker of every queue, the scheduler, the disk and the backups are
# in order.


LEAST_FREE: Final = 256 * 2**20
"""Bytes that must be free in `BAZA_VAR`."""

LATEST_BACKUP: Final = timedelta(hours=26)
"""Limit of the last backup's age: a backup a night, and two hours of tolerance."""

REDIS_TIMEOUT: Final = 2.0  # seconds
KEPT: Final = 2.0
"""Seconds for which the checks are cached, so that frequent probes cost no queries."""


AT_WORK: Final[Mapping[str, Callable[[], QuerySet[Any]]]] = MappingProxyType(
    {"matches": Match.objects.leased, "analysis": Analysis.objects.leased}
)
"""Leases held by the workers of a queue."""


@dataclass(frozen=True, slots=True)
class Check:
    """The check of one part: its name, whether it is in order, what was observed."""

    name: str
    ok: bool
    seen: str


def readiness() -> tuple[Check, ...]:
    """Return all checks, cached for two seconds: six queries and a ping of the broker."""
    return _cached(_look)


def _look() -> tuple[Check, ...]:
    try:
        rows = (
            Check("database", True, connection.vendor),
            _migrations(),
            *_timeouts(),
            *_workers(),
            *_backup(),
        )
    except DatabaseError as error:
        rows = (Check("database", False, type(error).__name__),)
    return (*rows, _broker(), _disk())


def _migrations() -> Check:
    applied = set(MigrationRecorder(connection).applied_migrations())
    missing = sorted(f"{app}.{name}" for app, name in _leaves() - applied)
    return Check("migrations", not missing, ", ".join(missing) or "all applied")


def _timeouts() -> Iterator[Check]:
    """Yield whether PostgreSQL ends idle transactions and long waits for a lock."""
    if connection.vendor == "postgresql":
        missing = missing_timeouts()
        yield Check("timeouts", not missing, ", ".join(missing) or "set on the role")


@cache
def _leaves() -> frozenset[tuple[str, str]]:
    """Return the last migrations of this release, read from its files once."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def _workers() -> Iterator[Check]:
    """Yield a check for every queue and for the scheduler, without which no queue has heartbeats.

    Workers that play matches or analyse records answer late: their live leases count instead.
    """
    ages, patience = queue_ages(), settings.ENVIRONMENT.deaf_after
    for queue in expected_queues():
        age = ages.get(queue)
        heard = age is not None and age <= patience
        seen = "never heard" if age is None else f"heard {age:.0f} s ago"
        if not heard and queue in AT_WORK and AT_WORK[queue]().exists():
            heard, seen = True, "at work"
        yield Check(f"worker {queue}", heard, seen)
    last = min(ages.values(), default=None)
    seen = "never heard" if last is None else f"heard {last:.0f} s ago"
    yield Check("scheduler", last is not None and last <= patience, seen)


def _broker() -> Check:
    try:
        with redis.Redis.from_url(
            settings.ENVIRONMENT.redis_url,
            socket_timeout=REDIS_TIMEOUT,
            socket_connect_timeout=REDIS_TIMEOUT,
        ) as line:
            line.ping()
    except (redis.RedisError, OSError) as error:
        return Check("redis", False, type(error).__name__)
    return Check("redis", True, "answers")


def _disk() -> Check:
    free = shutil.disk_usage(settings.VAR).free
    return Check("disk", free >= LEAST_FREE, f"{free // 2**20} MiB free")


def backup_age() -> float | None:
    """Return the age of the last backup in seconds, or None."""
    made = last_backup()
    return None if made is None else made.age.total_seconds()


def _backup() -> Iterator[Check]:
    """Yield the check of the backups, if there is a folder for them.

    A new database may be without a backup for as long as a backup may be old.
    """
    if settings.BACKUPS is None:
        return
    age = backup_age()
    seen = "none yet" if age is None else f"{age / 3600:.1f} h old"
    if age is None:
        first = MigrationRecorder(connection).migration_qs.earliest("applied").applied
        age = (timezone.now() - first).total_seconds()
    yield Check("backup", age <= LATEST_BACKUP.total_seconds(), seen)


class _Last:
    """The cached checks of this process and when they were made (monotonic clock)."""

    lock = threading.Lock()
    at = -KEPT
    checks: tuple[Check, ...] = ()


def _cached(look: Callable[[], tuple[Check, ...]]) -> tuple[Check, ...]:
    with _Last.lock:
        if time.monotonic() - _Last.at >= KEPT:
            _Last.checks, _Last.at = look(), time.monotonic()
        return _Last.checks


def forget() -> None:
    """Clear the cached checks."""
    _Last.at = -KEPT
