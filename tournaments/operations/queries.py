"""Queries over the whole installation: its state, its rows as JSON lines, its metrics."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
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
from tournaments.domain.proof import PROGRAM, digest_of, published_standings
from tournaments.exchange.queries.exports import to_json_value
from tournaments.exchange.queries.trails import check_club, installation_key
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
from tournaments.models.heartbeats import QUEUES
from tournaments.ratings.queries.history import stale_rulesets

# --- Whole ----------------------------------------------------------------------------------------
# The state of a whole installation as short texts: row counts, histories and standings. A backup
# stores it, and a restore compares the restored database with it.


State = Mapping[str, Mapping[str, Any]]
"""``tables``, ``histories`` and ``standings``: for each name a value of JSON types."""

NOT_COMPUTED: Final = "not computed: "
"""Prefix of the value of a tournament or history that could not be computed."""

T = TypeVar("T")
logger = logging.getLogger(__name__)


def database_state() -> dict[str, dict[str, Any]]:
    """Return the state of the database: verify every history and rank every tournament.

    If the schema is of another release, only rows are counted, as the models do not fit. The state
    is consistent only inside a snapshot, which the caller provides.
    """
    tables = {"tables": rows_by_table()}
    if set(applied_migrations()) != known_migrations():
        return tables
    return tables | {"histories": histories(), "standings": all_standings()}


def rows_by_table() -> dict[str, int]:
    """Return the number of rows of every table, because a backup has those without a model too."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        counts = {}
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT count(*) FROM {quote(table)}")  # noqa: S608 - quoted  # nosec B608
            counts[table] = cursor.fetchone()[0]
    return counts


def histories() -> dict[str, dict[str, Any]]:
    """Return event count, head and first fault of each club's history, by the club's slug."""
    keys = {installation_key(), *AuditCheckpoint.objects.values_list("key", flat=True).distinct()}
    return {
        club.slug: _compute_or_note(
            f"history of {club.slug}",
            partial(_history, club, keys),
            lambda reason: {"events": 0, "fault": reason},
        )
        for club in Club.objects.order_by("slug")
    }


def _compute_or_note(label: str, compute: Callable[[], T], otherwise: Callable[[str], T]) -> T:
    """Return the computed value, or one that says why it cannot be computed.

    A backup needs only the rows, and rows not written by the services may raise anything.
    """
    try:
        return compute()
    except DatabaseError:
        raise
    except Exception as error:
        logger.exception("not computed: %s", label)
        return otherwise(f"{NOT_COMPUTED}{type(error).__name__}: {error}")


def _history(club: Club, keys: set[str]) -> dict[str, Any]:
    counter = AuditCounter.objects.filter(club=club).first()
    signed = AuditCheckpoint.objects.filter(club=club).order_by("-number").first()
    report = check_club(club, keys)
    fault = report.faults[0] if report.faults else None
    return {
        "events": counter.last if counter else 0,
        "head": counter.head if counter else "",
        "checkpoints": signed.number if signed else 0,
        "signed": signed.to_checkpoint().own_digest() if signed else "",
        "fault": f"{fault.code} at event {fault.sequence}" if fault else "",
    }


def all_standings() -> dict[str, str]:
    """Return the digest of the standings of every tournament, by slug.

    If a tournament cannot be ranked, the text is NOT_COMPUTED and the reason.
    """
    return {
        each.slug: _compute_or_note(
            f"standings of {each.slug}", partial(standings_digest, each), str
        )
        for each in Tournament.objects.order_by("slug").iterator()
    }


def uncomputed_lines(state: State) -> Iterator[str]:
    """Yield a line for each history and tournament that a state could not compute."""
    for part, values in state.items():
        for name, value in values.items():
            if _is_not_computed(value):
                yield f"{part} of {name}: {_fault(value)}"


def _is_not_computed(value: Any) -> bool:
    return _fault(value).startswith(NOT_COMPUTED)


def _fault(value: Any) -> str:
    """Return the text that may begin with NOT_COMPUTED; for a history that is its fault."""
    return str(value.get("fault", "") if isinstance(value, dict) else value)


def standings_digest(tournament: Tournament) -> str:
    """Return the hash of a tournament and of the standings of its published stages.

    They are computed from the rows; no cache is read.
    """
    rows = rows_of(tournament)
    stages = [published_standings(rows, stage).lines for stage in rows.stages if stage.published]
    text = json.dumps([digest_of(rows), stages], sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def applied_migrations() -> list[str]:
    """Return the applied migrations as ``app.name``, sorted."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def known_migrations() -> set[str]:
    """Return the migrations of this release as ``app.name``."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}


def differences(expected: State, actual: State) -> Iterator[str]:
    """Yield a line for each difference between two states, with both values.

    What the ``expected`` state could not compute is not compared.
    """
    for part, values in expected.items():
        facts = actual.get(part, {})
        for name in sorted({*values, *facts}):
            value = values.get(name)
            if value != facts.get(name) and not _is_not_computed(value):
                yield f"{part} of {name}: {values.get(name)} in the backup, {facts.get(name)} here"


# --- Everything -----------------------------------------------------------------------------------
# All data of an installation as JSON lines, for another installation on either database. Rows keep
# their primary keys: the history names rows by them, so its hash chain stays the same. Left out are
# credentials, and rows that only matter to a running service.


FORMAT: Final = "baza-everything/1"

APP: Final = "tournaments"

FETCHED: Final = 500
"""Rows that are fetched at a time."""

NOT_EXPORTED: Final[Mapping[str, str]] = {
    "tournaments.ApiToken": "a credential of a program",
    "tournaments.NewAddress": "a credential: a link that was mailed",
    "tournaments.Mail": "not yet sent, with a link that signs in",
    "tournaments.SecondFactor": "a credential, sealed with this installation's key",
    "tournaments.RecoveryCode": "a credential",
    "tournaments.SignIn": "belongs to a session",
    "tournaments.Invitation": "a credential",
    "tournaments.Submission": "answers to requests of the last day",
    "tournaments.EvidenceDay": "counts of the day",
    "tournaments.Delivery": "messages under way",
    "tournaments.PushSubscription": "made for the key of this installation",
    "tournaments.Heartbeat": "signs of life of workers",
}
"""Models that are not exported, each with the reason."""

SECRET: Final[Mapping[str, Mapping[str, Any]]] = {
    "auth.User": {"password": "", "last_login": None},
    "tournaments.Webhook": {"salt": "", "mark": "", "old_salt": "", "old_until": None},
}
"""Values exported in place of secrets, by model and column."""


def exported_models() -> list[type[Model]]:
    """Return the models that are exported."""
    models = apps.get_app_config(APP).get_models()
    return [User, *(model for model in models if model._meta.label not in NOT_EXPORTED)]


def exported_columns(model: type[Model]) -> dict[str, Field[Any, Any]]:
    """Return the columns of a model that are exported, by name."""
    return {field.attname: field for field in model._meta.concrete_fields if not field.generated}


def schema_version() -> str:
    """Return the name of the last applied migration."""
    return max(name for name in applied_migrations() if name.startswith(f"{APP}."))


def export_lines() -> Iterator[bytes]:
    """Yield all lines but the last one: the header, the rows, their state."""
    yield encode_line(
        {
            "format": FORMAT,
            "made_by": PROGRAM,
            "made_at": timezone.now().isoformat(),
            "schema": schema_version(),
            "audit_key": installation_key(),
        }
    )
    for model in exported_models():
        yield from _rows(model)
    yield encode_line({"state": {"histories": histories(), "standings": all_standings()}})


def _rows(model: type[Model]) -> Iterator[bytes]:
    columns, label = exported_columns(model), model._meta.label
    away = {name: None for name in columns if _refers_to_unexported(columns[name])}
    for row in model._meta.base_manager.order_by("pk").values(*columns).iterator(FETCHED):
        yield encode_line(
            {
                "row": label,
                **{name: to_json_value(row[name]) for name in columns},
                **away,
                **SECRET.get(label, {}),
            }
        )


def _refers_to_unexported(field: Field[Any, Any]) -> bool:
    """Return whether a column refers to a model that is not exported."""
    model = field.related_model
    return isinstance(model, type) and model._meta.label in NOT_EXPORTED


def encode_line(document: Mapping[str, Any]) -> bytes:
    """Encode a document as one line of JSON."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


# --- Figures --------------------------------------------------------------------------------------
# Gauges for Prometheus, from queries that stop counting at a limit.


MAX_COUNTED: Final = 10_000
"""Limit of rows counted, which bounds the time of a query; it means "this many or more"."""

TIMEOUT: Final = 2.0  # seconds that the broker may take


@dataclass(frozen=True, slots=True)
class GaugeRow:
    """A gauge: name without ``baza_``, meaning, values by label value, and the label's name."""

    name: str
    meaning: str
    values: dict[str, float]
    label: str = ""


def database_gauges() -> Iterator[GaugeRow]:
    """Yield the gauges from the database: ten queries or so, of `MAX_COUNTED` rows at most each."""
    at_table = Match.objects.filter(state=Match.State.PENDING, round__state=Round.State.PUBLISHED)
    yield GaugeRow(
        "matches",
        "Bot matches: waiting for a worker, at play, left to the arbiter.",
        {
            "waiting": count_rows(Match.objects.due()),
            "at_play": count_rows(Match.objects.leased()),
            "needs_arbiter": count_rows(at_table.filter(abandoned_at__isnull=False)),
        },
        "state",
    )
    oldest = (
        Match.objects.due()
        .order_by()[:MAX_COUNTED]
        .aggregate(at=Min(Coalesce(F("woken_at"), F("round__play_requested_at"))))["at"]
    )
    yield GaugeRow(
        "oldest_wake_up_seconds",
        "Age of the oldest wake-up of a match due.",
        {"": age_seconds(oldest)},
    )
    lately = timezone.now() - timedelta(days=1)
    failed = Delivery.objects.filter(state=Delivery.State.FAILED, tried_at__gte=lately)
    yield GaugeRow(
        "webhook_deliveries",
        "Messages to webhooks: waiting, and given up in the last 24 hours.",
        {"waiting": count_rows(Delivery.objects.unfinished()), "failed": count_rows(failed)},
        "state",
    )
    yield GaugeRow(
        "ratings_behind", "Rulesets whose ratings are behind.", {"": float(len(stale_rulesets()))}
    )
    analyses = Analysis.objects.filter(state=Analysis.State.WAITING)
    yield GaugeRow(
        "analyses_behind", "Records that wait to be analysed.", {"": count_rows(analyses)}
    )
    event_count = AuditCounter.objects.aggregate(all=Sum("last"))["all"] or 0
    yield GaugeRow(
        "audit_events", "Events in the histories of all clubs.", {"": float(event_count)}
    )
    signed = AuditCheckpoint.objects.order_by("-pk").values_list("at", flat=True).first()
    yield GaugeRow(
        "audit_checkpoint_age_seconds",
        "Age of the last signed checkpoint.",
        {"": age_seconds(signed)},
    )


def connect_broker() -> redis.Redis:
    """Return a connection to the broker, which may take `TIMEOUT` for an answer."""
    return redis.Redis.from_url(
        settings.ENVIRONMENT.redis_url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
    )


def queue_lengths() -> GaugeRow:
    """Return the number of messages in each queue of the broker. Raises `redis.RedisError`."""
    with connect_broker() as line:
        lengths: dict[str, Any] = {queue: line.llen(queue) for queue in QUEUES}
    return GaugeRow("queue_messages", "Messages that wait in a queue.", lengths, "queue")


def count_rows(rows: QuerySet[Any]) -> float:
    """Count rows, at most `MAX_COUNTED`."""
    return float(rows.order_by()[:MAX_COUNTED].count())


def age_seconds(moment: datetime | None) -> float:
    """Return the age of a moment in seconds; 0 for None."""
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0
