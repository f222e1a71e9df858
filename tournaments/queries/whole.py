"""What a whole installation comes to: its histories, its standings and its rows, as short texts.

A backup states it, and what was restored is compared with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tournaments.domain.proof import digest_of, published, stated
from tournaments.models import AuditCheckpoint, AuditCounter, Club, Tournament
from tournaments.queries.papers import rows_of
from tournaments.queries.trails import check_club, own_key

State = Mapping[str, Mapping[str, Any]]
"""``tables``, ``histories`` and ``standings``: each a value in types of JSON by name."""


def state() -> dict[str, dict[str, Any]]:
    """Return the whole state of the database at hand; it walks every chain and ranks every stage.

    All of it is of one moment only where the caller sees to that.
    """
    return {"tables": rows_by_table(), "histories": histories(), "standings": all_standings()}


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
    return {club.slug: _history(club, keys) for club in Club.objects.order_by("slug")}


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
    """Return the digest of the standings of every tournament, by its short name."""
    return {
        tournament.slug: standings_digest(tournament)
        for tournament in Tournament.objects.order_by("slug").iterator()
    }


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


def differences(wanted: State, found: State) -> Iterator[str]:
    """Name what differs between two states, the wanted one first, each with both values."""
    for part, values in wanted.items():
        there = found.get(part, {})
        for name in sorted({*values, *there}):
            if values.get(name) != there.get(name):
                yield f"{part} of {name}: {values.get(name)} in the backup, {there.get(name)} here"
