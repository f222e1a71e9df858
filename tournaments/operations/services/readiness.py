"""Readiness of the service: parts checked one by one, heartbeats of queues and workers."""

from __future__ import annotations

import hashlib
import logging
import platform
import shutil
import tempfile
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import redis
from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F, Model, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from kombu.exceptions import OperationalError

from tournaments.core.jobs import Job
from tournaments.models import (
    Analysis,
    BotTurn,
    BotVersion,
    Delivery,
    Mail,
    Match,
    Pulse,
    Webhook,
)
from tournaments.models.pulses import QUEUES
from tournaments.operations.services.backups import last_backup
from tournaments.results.services.turns import host_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# --- Pulses ---------------------------------------------------------------------------------------
# Signs of life of the queues: the scheduler asks, whoever serves a queue leaves a row.
#
# The row is the truth for every machine: it takes the scheduler, the broker, a worker of that
# queue
# and the database to renew it.


EVERY: Final = 30
"""Seconds between two questions; one that has waited for longer is answered by the next."""

SET_BACK: Final = timedelta(minutes=1)
"""A sign of life so far in the future shows that the clock was set back; less is waited out."""

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
"""The columns that hold until when something waits."""

log = logging.getLogger("tournaments.services.pulses")


def expected_queues() -> tuple[str, ...]:
    """Return the queues that a worker has to serve here."""
    return tuple(queue for queue in QUEUES if settings.ENVIRONMENT.analysis or queue != "analysis")


def call() -> None:
    """Ask through every queue for a sign of life; without a broker nobody can be asked."""
    for queue in expected_queues():
        try:
            current_app.send_task(
                Job.ANSWER.value, args=(queue,), queue=queue, expires=EVERY * 4, retry=False
            )
        except OperationalError as error:
            log.warning("Nobody can be asked for a sign of life: %s", error)
            return


def answer(queue: str) -> None:
    """Leave the database's time under the name of the queue; another name leaves nothing."""
    if queue in QUEUES:
        if queue == "default":
            _undo_set_back()
        Pulse.objects.update_or_create(queue=queue, defaults={"at": Now()})


def _undo_set_back() -> None:
    """Shorten what rows wait for by as much as the clock was set back since the last sign of life.

    Leases of the dead and pauses between attempts would last longer by that much. What people have
    set for a time of the day is left alone.
    """
    rows = Pulse.objects.filter(queue="default", at__gt=Now() + SET_BACK)
    for at, now in rows.annotate(now=Now()).values_list("at", "now"):
        log.warning("The clock was set back by %s: what waits is brought forward.", at - now)
        for model, field in WAITS:
            waiting = model._meta.base_manager.filter(**{f"{field}__gt": Now()})
            waiting.update(**{field: F(field) - (at - now)})


# --- Readiness ------------------------------------------------------------------------------------
# Whether the service can do its work: what there is to it, looked at part by part, and named.
#
# A process that answers at all is healthy; ready is what has its database as this release wants
# it,
# its broker, a worker of every queue that has lately done something, a scheduler, and room on the
# disk.


LEAST_FREE: Final = 256 * 2**20
"""Bytes that have to be free where everything is written."""

LATEST_BACKUP: Final = timedelta(hours=26)
"""How old the last backup may be: one is made every night."""

REDIS_TIMEOUT: Final = 2.0  # seconds
KEPT: Final = 2.0
"""Seconds for which an answer is given again, however often somebody asks."""


AT_WORK: Final[Mapping[str, Callable[[], QuerySet[Any]]]] = MappingProxyType(
    {"matches": Match.objects.leased, "analysis": Analysis.objects.leased}
)
"""What is held by who serves a queue."""


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the service, whether it is in order, and what was seen."""

    name: str
    ok: bool
    seen: str


def readiness() -> tuple[Check, ...]:
    """Return all checks, at most two seconds old: five queries and a word with the broker."""
    return _remembered(_look)


def _look() -> tuple[Check, ...]:
    try:
        rows = (Check("database", True, connection.vendor), _migrations(), *_workers(), *_backup())
    except DatabaseError as error:
        rows = (Check("database", False, type(error).__name__),)
    return (*rows, _broker(), _disk())


def _migrations() -> Check:
    applied = set(MigrationRecorder(connection).applied_migrations())
    missing = sorted(f"{app}.{name}" for app, name in _leaves() - applied)
    return Check("migrations", not missing, ", ".join(missing) or "all applied")


@cache
def _leaves() -> frozenset[tuple[str, str]]:
    """Return the last migrations of this release, read from its files once."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def pulse_ages() -> dict[str, float]:
    """Return how many seconds each queue's last sign of life is away, by the database's clock.

    One from the future was left before the clock was set back: it is as far away as an old one.
    """
    rows = Pulse.objects.annotate(now=Now()).values_list("queue", "at", "now")
    return {queue: abs((now - at).total_seconds()) for queue, at, now in rows}


def _workers() -> Iterator[Check]:
    """Yield a check for every queue and for the scheduler, without which none is heard.

    Whoever plays matches or analyses records answers late; that their leases live says that
    somebody serves them.
    """
    ages, patience = pulse_ages(), settings.ENVIRONMENT.deaf_after
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
    """Return how many seconds old the last backup is; nothing where there is none."""
    made = last_backup()
    return None if made is None else made.age.total_seconds()


def _backup() -> Iterator[Check]:
    """Yield a check where backups are kept; a new database may be without one for a day."""
    if settings.BACKUPS is None:
        return
    age = backup_age()
    seen = "none yet" if age is None else f"{age / 3600:.1f} h old"
    if age is None:
        first = MigrationRecorder(connection).migration_qs.earliest("applied").applied
        age = (timezone.now() - first).total_seconds()
    yield Check("backup", age <= LATEST_BACKUP.total_seconds(), seen)


class _Last:
    """The last answer of this process, and when it was had."""

    lock = threading.Lock()
    at = -KEPT
    checks: tuple[Check, ...] = ()


def _remembered(look: Callable[[], tuple[Check, ...]]) -> tuple[Check, ...]:
    with _Last.lock:
        if time.monotonic() - _Last.at >= KEPT:
            _Last.checks, _Last.at = look(), time.monotonic()
        return _Last.checks


def forget() -> None:
    """Have the next question looked into anew."""
    _Last.at = -KEPT


# --- Canary ---------------------------------------------------------------------------------------
# Whether a worker of this machine still listens: it sings when asked, and leaves the time.
#
# A task that was asked for through a worker's own queue writes when that was. A worker that is
# silent
# although the broker is there is deaf; unless it plays matches, whose leases say that it lives.


def queue_of(name: str) -> str:
    """Return the queue of one worker of this machine and folder, which nobody else listens to."""
    mark = hashlib.sha256(f"{platform.node()} {settings.VAR}".encode()).hexdigest()[:12]
    return f"canary-{name}-{mark}"


def sing(name: str) -> None:
    """Leave the time, on the clock that all processes of this machine share and nobody sets."""
    path = _path(name)
    path.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as draft:
        draft.write(str(time.monotonic()))
    Path(draft.name).replace(path)


def last_song(name: str) -> float:
    """Return when it sang last, in seconds of the monotonic clock; 0 when it never did."""
    try:
        return float(_path(name).read_text())
    except (FileNotFoundError, ValueError):
        return 0.0


def plays_matches() -> bool:
    """Tell whether a worker of this machine holds a match with a lease that lives."""
    mine = Match.objects.leased().filter(
        bot_attempts__worker__startswith=f"{host_name()}:", bot_attempts__outcome=""
    )
    return mine.exists()


def _path(name: str) -> Path:
    return Path(settings.VAR) / "canary" / name
