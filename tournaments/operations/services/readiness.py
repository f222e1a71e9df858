"""Heartbeats of queues and workers, and the readiness checks that read them."""

import hashlib
import logging
import platform
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F, Model, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from tournaments.core.db import missing_timeouts
from tournaments.models import (
    Analysis,
    BotTurn,
    BotVersion,
    Delivery,
    Heartbeat,
    Mail,
    Match,
    VersionComparison,
    Webhook,
)
from tournaments.models.heartbeats import QUEUES
from tournaments.operations.queries import connect_broker
from tournaments.operations.services.backups import last_backup
from tournaments.results.services.turns import host_name

# --- Heartbeats -----------------------------------------------------------------------------------
# One task stores the database's time in a row, under the name it was sent with. The scheduler sends
# it through every queue: a fresh row proves for every machine that scheduler, broker, worker and
# database work. `manage.py up` also sends it to each of its workers, through a queue of its own.


MAX_MISSES_PER_HOST: Final = 20
"""Heartbeats in a row that a deaf host has missed, for each host of its queue.

Any of k idle hosts takes a heartbeat, so one that works misses 20k in a row with a probability of
(1 - 1/k)^20k, less than e^-20. With two hosts, 40 heartbeats are 20 minutes.
"""

HOST_FORGOTTEN: Final = timedelta(days=1)
"""A host that was silent for so long is no longer one of the queue's."""

CLOCK_JUMP: Final = timedelta(minutes=1)
"""A heartbeat further in the future than this proves that the clock was set back."""

TIME_COLUMNS: Final[tuple[tuple[type[Model], str], ...]] = (
    (Match, "woken_at"),
    (Match, "lease_until"),
    (BotTurn, "due_at"),
    (BotVersion, "check_until"),
    (VersionComparison, "woken_at"),
    (VersionComparison, "lease_until"),
    (Analysis, "woken_at"),
    (Analysis, "lease_until"),
    (Webhook, "held_until"),
    (Delivery, "lease_until"),
    (Delivery, "next_at"),
    (Mail, "next_at"),
)
"""Columns with the time until which something waits."""

log = logging.getLogger(__name__)


class HeartbeatRow(NamedTuple):
    """When a heartbeat was stored, and how many seconds ago, both by the database's clock."""

    at: datetime
    age: float
    missed: int


def expected_queues() -> tuple[str, ...]:
    """Return the queues that need a worker in this installation."""
    return tuple(queue for queue in QUEUES if settings.ENVIRONMENT.analysis or queue != "analysis")


def worker_queue(name: str) -> str:
    """Return the name of the queue of one worker of this machine and installation folder."""
    digest = hashlib.sha256(f"{platform.node()} {settings.VAR}".encode()).hexdigest()[:12]
    return f"worker-{name}-{digest}"


def store_heartbeat(name: str, host: str = "") -> None:
    """Store the database's time as the heartbeat of a queue, and of the host that took it."""
    if name == "default":
        _undo_set_back()
    Heartbeat.objects.update_or_create(name=name, defaults={"at": Now()})
    if host and name in QUEUES:
        queue = host_queue(name, host)
        hosts = Heartbeat.objects.filter(name__startswith=f"{name}@")
        hosts.filter(at__lt=Now() - HOST_FORGOTTEN).delete()
        hosts.exclude(name=queue).update(missed=F("missed") + 1)
        Heartbeat.objects.update_or_create(name=queue, defaults={"at": Now(), "missed": 0})


def host_queue(queue: str, host: str) -> str:
    """Return the name of the heartbeats of a queue on one host."""
    return f"{queue}@{host}"[:80]


def forget_host(queues: Iterable[str], host: str) -> None:
    """Delete the heartbeats of a host whose worker was stopped on purpose."""
    Heartbeat.objects.filter(name__in=[host_queue(queue, host) for queue in queues]).delete()


def heartbeats() -> dict[str, HeartbeatRow]:
    """Return the last heartbeat of every queue, those of single workers included: one query.

    A heartbeat in the future was stored before the clock was set back; its distance counts as its
    age.
    """
    rows = Heartbeat.objects.annotate(now=Now()).values_list("name", "at", "missed", "now")
    return {
        name: HeartbeatRow(heartbeat_at, abs((now - heartbeat_at).total_seconds()), missed)
        for name, heartbeat_at, missed, now in rows
    }


def queue_ages() -> dict[str, float]:
    """Return the seconds since the last heartbeat of each queue that all machines share."""
    return {name: row.age for name, row in heartbeats().items() if name in QUEUES}


def unresponsive_hosts() -> dict[str, bool]:
    """Return whether each host misses the heartbeats of a queue that others take.

    Only taken heartbeats are counted: a queue that nobody serves or a scheduler that stands still
    makes no host deaf, nor does a host that is its queue's only one. The keys are ``queue@host``.
    """
    rows = {name: row for name, row in heartbeats().items() if name.partition("@")[0] in QUEUES}
    hosts = Counter(name.partition("@")[0] for name in rows if "@" in name)
    return {
        name: row.missed >= MAX_MISSES_PER_HOST * hosts[queue]
        and not (queue == "matches" and plays_matches(host))
        for name, row in rows.items()
        for queue, _, host in [name.partition("@")]
        if host
    }


def plays_matches(host: str = "") -> bool:
    """Return whether a worker of a host, by default this one, holds a match with a live lease.

    Such a worker answers late.
    """
    matches = Match.objects.leased().filter(
        bot_attempts__worker__startswith=f"{host or host_name()}:", bot_attempts__outcome=""
    )
    return matches.exists()


def _undo_set_back() -> None:
    """Shorten all waits by the time that the clock was set back since the last heartbeat.

    Otherwise leases of dead workers and pauses between attempts would last longer by that much.
    Times that people have chosen are not changed.
    """
    rows = Heartbeat.objects.filter(name="default", at__gt=Now() + CLOCK_JUMP)
    for heartbeat_at, now in rows.annotate(now=Now()).values_list("at", "now"):
        log.warning(
            "The clock was set back by %s: what waits is brought forward.", heartbeat_at - now
        )
        for model, field in TIME_COLUMNS:
            future_rows = model._meta.base_manager.filter(**{f"{field}__gt": Now()})
            future_rows.update(**{field: F(field) - (heartbeat_at - now)})


# --- Readiness ------------------------------------------------------------------------------------
# The service is alive if it answers at all; it is ready if the database has this release's
# migrations and if the broker, a worker of every queue, the scheduler, the disk and the backups are
# in order.


MIN_FREE: Final = 256 * 2**20
"""Bytes that must be free in `BAZA_VAR`."""

LATEST_BACKUP: Final = timedelta(hours=26)
"""Limit of the last backup's age: a backup a night, and two hours of tolerance."""

CACHE_SECONDS: Final = 2.0
"""Seconds for which the checks are cached, so that frequent probes cost no queries."""


LEASED_ROWS: Final[Mapping[str, Callable[[], QuerySet[Any]]]] = MappingProxyType(
    {"matches": Match.objects.leased, "analysis": Analysis.objects.leased}
)
"""Leases held by the workers of a queue."""


@dataclass(frozen=True, slots=True)
class Check:
    """The check of one part: its name, whether it is in order, what was observed.

    Without a part that is not ``needed`` the service is ready all the same.
    """

    name: str
    ok: bool
    seen: str
    needed: bool = True


def readiness() -> tuple[Check, ...]:
    """Return all checks, cached for two seconds: seven queries and a ping of the broker."""
    with _CachedChecks.lock:
        if time.monotonic() - _CachedChecks.at >= CACHE_SECONDS:
            _CachedChecks.checks, _CachedChecks.at = _run_checks(), time.monotonic()
        return _CachedChecks.checks


def _run_checks() -> tuple[Check, ...]:
    try:
        rows = (
            Check("database", True, connection.vendor),
            _migrations(),
            *_timeouts(),
            *_workers(),
            *_hosts(),
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
        detail = "never heard" if age is None else f"heard {age:.0f} s ago"
        if not heard and queue in LEASED_ROWS and LEASED_ROWS[queue]().exists():
            heard, detail = True, "at work"
        yield Check(f"worker {queue}", heard, detail)
    last = min(ages.values(), default=None)
    detail = "never heard" if last is None else f"heard {last:.0f} s ago"
    yield Check("scheduler", last is not None and last <= patience, detail)


def _hosts() -> Iterator[Check]:
    """Yield a check for every host of a queue; the others do the work of one that is deaf."""
    for name, deaf in unresponsive_hosts().items():
        yield Check(f"host {name}", not deaf, "deaf" if deaf else "takes messages", needed=False)


def _broker() -> Check:
    try:
        with connect_broker() as line:
            line.ping()
    except (redis.RedisError, OSError) as error:
        return Check("redis", False, type(error).__name__)
    return Check("redis", True, "answers")


def _disk() -> Check:
    free_bytes = shutil.disk_usage(settings.VAR).free
    return Check("disk", free_bytes >= MIN_FREE, f"{free_bytes // 2**20} MiB free")


def backup_age() -> float | None:
    """Return the age of the last backup in seconds, or None."""
    backup = last_backup()
    return None if backup is None else backup.age.total_seconds()


def _backup() -> Iterator[Check]:
    """Yield the check of the backups, if there is a folder for them.

    A new database may be without a backup for as long as a backup may be old.
    """
    if settings.BACKUPS is None:
        return
    age = backup_age()
    detail = "none yet" if age is None else f"{age / 3600:.1f} h old"
    if age is None:
        first = MigrationRecorder(connection).migration_qs.earliest("applied").applied
        age = (timezone.now() - first).total_seconds()
    yield Check("backup", age <= LATEST_BACKUP.total_seconds(), detail)


class _CachedChecks:
    """The cached checks of this process and when they were made (monotonic clock)."""

    lock = threading.Lock()
    at = -CACHE_SECONDS
    checks: tuple[Check, ...] = ()


def clear_cached_checks() -> None:
    """Clear the cached checks."""
    _CachedChecks.at = -CACHE_SECONDS
