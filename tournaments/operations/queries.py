"""The whole installation: as lines of JSON, as totals, as metrics."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from typing import Any, Final, TypeVar

import redis
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F, Field, Min, Model, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournaments.director.queries.snapshot import rows_of
from tournaments.domain.proof import PROGRAM, digest_of, published, stated
from tournaments.exchange.queries.trails import check_club, own_key
from tournaments.models import (
    Analysis,
    AuditCheckpoint,
    AuditCounter,
    Club,
    Delivery,
    Match,
    Round,
    Tournament,
)
from tournaments.models.pulses import QUEUES
from tournaments.ratings.queries import stale_rulesets

# --- Whole ----------------------------------------------------------------------------------------
# What a whole installation comes to: its histories, its standings and its rows, as short texts.
#
# A backup states it, and what was restored is compared with it.


State = Mapping[str, Mapping[str, Any]]
"""``tables``, ``histories`` and ``standings``: each a value in types of JSON by name."""

NOT_COMPUTED: Final = "not computed: "
"""Begins what is stated of a tournament that cannot be ranked, or of a history not walked."""

T = TypeVar("T")
logger = logging.getLogger("tournaments.queries.whole")


def state() -> dict[str, dict[str, Any]]:
    """Return the whole state of the database at hand; it walks every chain and ranks every stage.

    Of a database with the schema of another release, only the rows are counted: its models do not
    fit. All of it is of one moment only where the caller sees to that.
    """
    tables = {"tables": rows_by_table()}
    if set(applied_migrations()) != known_migrations():
        return tables
    return tables | {"histories": histories(), "standings": all_standings()}


def rows_by_table() -> dict[str, int]:
    """Count the rows of every table."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        counts = {}
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT count(*) FROM {quote(table)}")  # noqa: S608 - quoted  # nosec B608
            counts[table] = cursor.fetchone()[0]
    return counts


def histories() -> dict[str, dict[str, Any]]:
    """Return where the history of each club stands, by its short name, and its first fault."""
    keys = {own_key(), *AuditCheckpoint.objects.values_list("key", flat=True).distinct()}
    return {
        club.slug: _computed(
            f"history of {club.slug}",
            partial(_history, club, keys),
            lambda why: {"events": 0, "fault": why},
        )
        for club in Club.objects.order_by("slug")
    }


def _computed(what: str, compute: Callable[[], T], otherwise: Callable[[str], T]) -> T:
    """Return what is computed of rows, or else a value that says why it cannot be.

    A backup needs the rows alone, and those written past the services may raise anything.
    """
    try:
        return compute()
    except DatabaseError:
        raise
    except Exception as error:
        logger.exception("not computed: %s", what)
        return otherwise(f"{NOT_COMPUTED}{type(error).__name__}: {error}")


def _history(club: Club, keys: set[str]) -> dict[str, Any]:
    counter = AuditCounter.objects.filter(club=club).first()
    signed = AuditCheckpoint.objects.filter(club=club).order_by("-number").first()
    found = check_club(club, keys)
    fault = found.faults[0] if found.faults else None
    return {
        "events": counter.last if counter else 0,
        "head": counter.head if counter else "",
        "checkpoints": signed.number if signed else 0,
        "signed": signed.stated().own_digest() if signed else "",
        "fault": f"{fault.code} at event {fault.sequence}" if fault else "",
    }


def all_standings() -> dict[str, str]:
    """Return the digest of the standings of every tournament, by its short name.

    Of one that cannot be ranked, the text says why, after NOT_COMPUTED.
    """
    return {
        each.slug: _computed(f"standings of {each.slug}", partial(standings_digest, each), str)
        for each in Tournament.objects.order_by("slug").iterator()
    }


def not_computed(state: State) -> Iterator[str]:
    """Name each history and tournament of which a state says that it was not computed."""
    for part, values in state.items():
        for name, value in values.items():
            if _is_not_computed(value):
                yield f"{part} of {name}: {_fault(value)}"


def _is_not_computed(value: Any) -> bool:
    return _fault(value).startswith(NOT_COMPUTED)


def _fault(value: Any) -> str:
    """Return the text that may begin with NOT_COMPUTED: of a history its fault."""
    return str(value.get("fault", "") if isinstance(value, dict) else value)


def standings_digest(tournament: Tournament) -> str:
    """Return the hash of what a tournament is and of the standings of each of its stages.

    They are computed from the rows; nothing remembered is asked.
    """
    rows = rows_of(tournament)
    stages = [stated(rows, stage).lines for stage in rows.stages if published(stage)]
    text = json.dumps([digest_of(rows), stages], sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def applied_migrations() -> list[str]:
    """Name the migrations that the database has, as ``app.name``, in their order of names."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def known_migrations() -> set[str]:
    """Name the migrations of this release, as ``app.name``."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}


def differences(wanted: State, found: State) -> Iterator[str]:
    """Name what differs between two states, the wanted one first, each with both values.

    What the wanted one could not compute is not compared.
    """
    for part, values in wanted.items():
        there = found.get(part, {})
        for name in sorted({*values, *there}):
            value = values.get(name)
            if value != there.get(name) and not _is_not_computed(value):
                yield f"{part} of {name}: {values.get(name)} in the backup, {there.get(name)} here"


# --- Everything -----------------------------------------------------------------------------------
# All that an installation knows as lines of JSON, whatever its database: for another
# installation.
#
# Rows keep their keys, because the history names rows by them; so its chain is the same, byte for
# byte. Left behind is what lets somebody in, and what only a running service knows.


FORMAT: Final = "baza-everything/1"

APP: Final = "tournaments"

FETCHED: Final = 500
"""Rows that are fetched at a time."""

LEFT: Final[Mapping[str, str]] = {
    "tournaments.ApiToken": "lets a program in",
    "tournaments.NewAddress": "lets somebody in: a link that was mailed",
    "tournaments.Mail": "to be sent with a link that lets somebody in",
    "tournaments.SecondFactor": "lets somebody in, and is sealed with this installation's key",
    "tournaments.RecoveryCode": "lets somebody in",
    "tournaments.SignIn": "belongs to a session",
    "tournaments.Invitation": "lets somebody in",
    "tournaments.Submission": "answers to requests of the last day",
    "tournaments.EvidenceDay": "counts of the day",
    "tournaments.Delivery": "messages under way",
    "tournaments.Pulse": "signs of life of workers",
}
"""Models whose rows are not taken along, each with the reason."""

SECRET: Final[Mapping[str, Mapping[str, Any]]] = {
    "auth.User": {"password": "", "last_login": None},
    "tournaments.Webhook": {"salt": "", "mark": "", "old_salt": "", "old_until": None},
}
"""What stands instead of what nobody else may have, by model and column."""


def carried() -> list[type[Model]]:
    """Return the models whose rows are taken along."""
    models = apps.get_app_config(APP).get_models()
    return [User, *(model for model in models if model._meta.label not in LEFT)]


def columns(model: type[Model]) -> dict[str, Field[Any, Any]]:
    """Return the columns of a model that are taken along, by name."""
    return {field.attname: field for field in model._meta.concrete_fields if not field.generated}


def schema() -> str:
    """Name the last migration of the database."""
    return max(name for name in applied_migrations() if name.startswith(f"{APP}."))


def everything() -> Iterator[bytes]:
    """Yield all lines but the one that ends them: what it is, the rows, what they come to."""
    yield line(
        {
            "format": FORMAT,
            "made_by": PROGRAM,
            "made_at": timezone.now().isoformat(),
            "schema": schema(),
            "audit_key": own_key(),
        }
    )
    for model in carried():
        yield from _rows(model)
    yield line({"state": {"histories": histories(), "standings": all_standings()}})


def _rows(model: type[Model]) -> Iterator[bytes]:
    named, label = columns(model), model._meta.label
    away = {name: None for name in named if _leads_away(named[name])}
    for row in model._meta.base_manager.order_by("pk").values(*named).iterator(FETCHED):
        yield line(
            {
                "row": label,
                **{name: plain(row[name]) for name in named},
                **away,
                **SECRET.get(label, {}),
            }
        )


def _leads_away(field: Field[Any, Any]) -> bool:
    """Tell whether a column names a row that is left behind."""
    model = field.related_model
    return isinstance(model, type) and model._meta.label in LEFT


def plain(value: Any) -> Any:
    """Return a value as JSON writes it, nothing of it lost."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def line(document: Mapping[str, Any]) -> bytes:
    """Write a line."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


# --- Figures --------------------------------------------------------------------------------------
# What Prometheus is told of the rows: numbers, from queries that stop counting at a limit.


MOST: Final = 10_000
"""Rows that are counted at most: whoever sees this number knows that there are too many."""

TIMEOUT: Final = 2.0  # seconds that the broker may take


@dataclass(frozen=True, slots=True)
class Figure:
    """A gauge: its name without ``baza_``, what it means, and its values by the label's."""

    name: str
    meaning: str
    values: dict[str, float]
    label: str = ""


def figures() -> Iterator[Figure]:
    """Yield what the rows say: some ten queries, none of which reads more than `MOST` rows."""
    at_table = Match.objects.filter(state=Match.State.PENDING, round__state=Round.State.PUBLISHED)
    yield Figure(
        "matches",
        "Bot matches: waiting for a worker, at play, left to the arbiter.",
        {
            "waiting": counted(Match.objects.due()),
            "at_play": counted(Match.objects.leased()),
            "needs_arbiter": counted(at_table.filter(abandoned_at__isnull=False)),
        },
        "state",
    )
    oldest = (
        Match.objects.due()
        .order_by()[:MOST]
        .aggregate(at=Min(Coalesce(F("woken_at"), F("round__play_requested_at"))))["at"]
    )
    yield Figure(
        "oldest_wake_up_seconds", "Age of the oldest wake-up of a match due.", {"": age(oldest)}
    )
    lately = timezone.now() - timedelta(days=1)
    failed = Delivery.objects.filter(state=Delivery.State.FAILED, tried_at__gte=lately)
    yield Figure(
        "webhook_deliveries",
        "Messages to webhooks: waiting, and given up in the last 24 hours.",
        {"waiting": counted(Delivery.objects.unfinished()), "failed": counted(failed)},
        "state",
    )
    yield Figure(
        "ratings_behind", "Rulesets whose ratings are behind.", {"": float(len(stale_rulesets()))}
    )
    waiting = Analysis.objects.filter(state=Analysis.State.WAITING)
    yield Figure("analyses_behind", "Records that wait to be analysed.", {"": counted(waiting)})
    written = AuditCounter.objects.aggregate(all=Sum("last"))["all"] or 0
    yield Figure("audit_events", "Events in the histories of all clubs.", {"": float(written)})
    signed = AuditCheckpoint.objects.order_by("-pk").values_list("at", flat=True).first()
    yield Figure(
        "audit_checkpoint_age_seconds", "Age of the last signed checkpoint.", {"": age(signed)}
    )


def queue_lengths() -> Figure:
    """Return how many messages each queue of the broker holds; raises `redis.RedisError`."""
    with redis.Redis.from_url(
        settings.ENVIRONMENT.redis_url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
    ) as line:
        lengths: dict[str, Any] = {queue: line.llen(queue) for queue in QUEUES}
    return Figure("queue_messages", "Messages that wait in a queue.", lengths, "queue")


def counted(rows: QuerySet[Any]) -> float:
    """Count rows, up to the limit."""
    return float(rows.order_by()[:MOST].count())


def age(at: datetime | None) -> float:
    """Return how many seconds ago something was; 0 when it never was."""
    return max(0.0, (timezone.now() - at).total_seconds()) if at else 0.0
