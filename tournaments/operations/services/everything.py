"""Exports all data to a file of JSON lines, and imports it into an empty installation."""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Model

from tournaments.exchange.queries.trails import installation_key
from tournaments.models import Webhook
from tournaments.models.webhooks import secret_fingerprint
from tournaments.operations.queries import (
    FETCHED,
    FORMAT,
    all_standings,
    differences,
    export_lines,
    exported_columns,
    exported_models,
    histories,
    schema_version,
    uncomputed_lines,
)
from tournaments.operations.services.archives import (
    BackupError,
    atomic_file,
    backup_errors,
    long_snapshot,
    refuse_other_targets,
)
from tournaments.operations.services.backups import is_empty
from tournaments.operations.services.scratch import EXPORT, remove_leftovers, scratch_folder
from tournaments.results.queries.records import trailer_of

Row = tuple[int, str, dict[str, Any]]
"""Line number, model label, columns."""


@dataclass(frozen=True, slots=True)
class TransferSummary:
    """The outcome of an export or import: number of rows, and notes for the operator."""

    rows: int
    notes: tuple[str, ...] = ()


# --- export --------------------------------------------------------------------------------------


def export_all(path: Path) -> TransferSummary:
    """Write all data as of one moment to a file, while the service runs.

    Raises BackupError if the file cannot be written; then none is left.
    """
    digest, count = hashlib.sha256(), 0
    with backup_errors(path):
        refuse_other_targets(path)
        remove_leftovers(path.parent)
    with (
        backup_errors(path),
        scratch_folder(EXPORT, path.parent) as folder,
        long_snapshot(folder),
        atomic_file(path) as file,
    ):
        for text in export_lines():
            digest.update(text)
            file.write(text)
            count += 1
        file.write(trailer_of(count, digest.hexdigest()))
    # The header and the state are lines, but no rows.
    return TransferSummary(count - 2)


# --- import --------------------------------------------------------------------------------------


def import_all(path: Path) -> TransferSummary:
    """Fill an empty installation from a file in one transaction, and compare it with the file.

    Accounts get no passwords; webhooks are paused and get new secrets. Raises BackupError at the
    first line that does not fit.
    """
    with backup_errors(path):
        _verify_trailer(path)
        if not is_empty():
            raise BackupError("the database is not empty")
        with path.open("rb") as file, transaction.atomic():
            return _DumpImport().run(enumerate(file, 1))


def _verify_trailer(path: Path) -> None:
    """Verify the trailer and the hash of all lines before anything is written."""
    digest, count, last = hashlib.sha256(), 0, b""
    with path.open("rb") as file:
        for text in file:
            digest.update(last)
            last, count = text, count + 1
    if not last.startswith(b'{"end":true,') or not last.endswith(b"\n"):
        raise BackupError(f"{path}: cut short in line {count}")
    if last != trailer_of(count - 1, digest.hexdigest()):
        raise BackupError(f"{path}: not as it was written: the hash of its lines differs")


@dataclass
class _DumpImport:
    """An import in progress."""

    models: Mapping[str, type[Model]] = field(
        default_factory=lambda: {model._meta.label: model for model in exported_models()}
    )
    head: dict[str, Any] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    rows: int = 0

    def run(self, lines: Iterator[tuple[int, bytes]]) -> TransferSummary:
        """Create all rows and compare their state with the file's."""
        self._begin(lines)
        for model in reversed(exported_models()):
            model._meta.base_manager.all().delete()  # house bots and the arena's switch
        for label, group in groupby(self._read(lines), key=lambda row: row[1]):
            self._make(self.models[label], group)
        self._settle()
        actual: dict[str, dict[str, Any]] = {"histories": histories(), "standings": all_standings()}
        for difference in differences(self.state, actual):
            raise BackupError(f"brought in, it is not what it was: {difference}")
        return TransferSummary(self.rows, tuple(self._notes()))

    def _begin(self, lines: Iterator[tuple[int, bytes]]) -> None:
        self.head = _document(*next(lines))
        if self.head.get("format") != FORMAT:
            raise BackupError(f"line 1: its format is {self.head.get('format')!r}, not {FORMAT!r}")
        schema = schema_version()
        if self.head.get("schema") != schema:
            raise BackupError(
                f"line 1: it was written at {self.head.get('schema')}, and this database is at"
                f" {schema}: bring it into the release that wrote it, and upgrade that"
            )

    def _read(self, lines: Iterator[tuple[int, bytes]]) -> Iterator[Row]:
        """Yield the rows; store the state that the file declares."""
        for number, text in lines:
            document = _document(number, text)
            label = document.pop("row", None)
            if label in self.models:
                yield number, label, document
            elif "state" in document:
                self.state = document["state"]
            elif "end" not in document:
                raise BackupError(f"line {number}: nothing is known of rows of {label!r}")

    def _make(self, model: type[Model], rows: Iterator[Row]) -> None:
        batch: list[Model] = []
        for number, _, document in rows:
            batch.append(_row(model, number, document))
            if len(batch) == FETCHED:
                self._write(model, batch, number)
                batch = []
        if batch:
            self._write(model, batch, number)

    def _write(self, model: type[Model], batch: list[Model], number: int) -> None:
        try:
            model._meta.base_manager.bulk_create(batch)
        except (IntegrityError, DataError) as error:
            first = str(error).splitlines()[0]
            raise BackupError(f"lines to {number}: {model._meta.label}: {first}") from error
        self.rows += len(batch)

    def _settle(self) -> None:
        """Check foreign keys, reset key sequences, pause webhooks and renew their secrets."""
        try:
            connection.check_constraints()
        except IntegrityError as error:
            raise BackupError(f"a row is named that is not there: {error}") from error
        # The rows brought their keys, so the sequences do not know them.
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), exported_models()):
                cursor.execute(statement)
        for webhook in Webhook.objects.all():
            webhook.salt = secrets.token_hex(16)
            webhook.mark = secret_fingerprint(webhook.salt)
            if webhook.state == Webhook.State.ACTIVE:
                webhook.state = Webhook.State.PAUSED
            webhook.save(update_fields=["salt", "mark", "state"])

    def _notes(self) -> Iterator[str]:
        accounts, hooks = User.objects.count(), Webhook.objects.count()
        if accounts:
            yield f"{accounts} accounts have no password: reset_link NAME gives each a new one"
        if hooks:
            yield f"{hooks} webhooks are paused and have new secrets"
        if self.head["audit_key"] != installation_key():
            yield f"the history so far was signed with {self.head['audit_key']}: audit_verify --key"
        for slug, history in self.state["histories"].items():
            if history["fault"]:
                yield f"the history of {slug} was broken already: {history['fault']}"
        for unknown in uncomputed_lines({"standings": self.state["standings"]}):
            yield f"nothing to compare with: {unknown}"


def _document(number: int, text: bytes) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise BackupError(f"line {number}: no JSON: {error}") from error
    if not isinstance(document, dict):
        raise BackupError(f"line {number}: no object")
    return document


def _row(model: type[Model], number: int, document: Mapping[str, Any]) -> Model:
    columns = exported_columns(model)
    if strange := set(document) ^ set(columns):
        raise BackupError(f"line {number}: {model._meta.label}: {min(strange)}")
    try:
        values = {name: columns[name].to_python(value) for name, value in document.items()}
    except ValidationError as error:
        raise BackupError(f"line {number}: {error.messages[0]}") from error
    if model is User:
        values["password"] = make_password(None)
    return model(**values)
