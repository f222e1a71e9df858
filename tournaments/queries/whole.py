"""What a whole installation comes to: its histories, its standings and its rows, as short texts.

A backup states it, and what was restored is compared with it.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tournaments.domain.proof import digest_of, published, stated
from tournaments.models import AuditCheckpoint, AuditCounter, Club, Tournament
from tournaments.queries.papers import rows_of
from tournaments.queries.trails import check_club, own_key

State = Mapping[str, Mapping[str, Any]]
"""``tables``, ``histories`` and ``standings``: each a value in types of JSON by name."""

NOT_COMPUTED: Final = "not computed: "
"""Begins what is stated of a tournament that cannot be ranked, or of a history not walked."""

T = TypeVar("T")
logger = logging.getLogger(__name__)


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
