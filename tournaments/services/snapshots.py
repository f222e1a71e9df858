"""Copies of the database at one moment, while others go on writing, and the database they go to.

Whoever works `on_database` has another database under the usual name, in this thread alone: what is
told of a copy is read by the same queries as everything else.
"""

from __future__ import annotations

import contextlib
import gzip
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.utils import load_backend

from tournaments.queries.records_file import one_moment
from tournaments.queries.whole import state
from tournaments.services import postgres
from tournaments.services.archives import BackupError

PARTS: Final = {"sqlite": "database.sqlite3.gz", "postgresql": "database.pgdump"}
"""The part of a backup that holds the database, by its kind."""

PACKED: Final = 6
"""How hard gzip tries."""

Seen = Mapping[str, Any]
"""What is to be known of the moment, in types of JSON."""

BEHIND: Final = ("", "-wal", "-shm", "-journal")
"""The files that an SQLite database may consist of, by the ends of their names."""


@contextmanager
def on_database(**changes: Any) -> Iterator[None]:
    """Work on another database, described by what differs; the connection is its own."""
    kept = connections[DEFAULT_DB_ALIAS]
    described = {**kept.settings_dict, **changes}
    options = dict(described["OPTIONS"])
    options.pop("pool", None)
    backend = load_backend(described["ENGINE"])
    other = backend.DatabaseWrapper({**described, "OPTIONS": options}, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = other
    try:
        yield
    finally:
        other.close()
        connections[DEFAULT_DB_ALIAS] = kept


@contextmanager
def alone() -> Iterator[None]:
    """Work on the same database by a connection of its own, for as long as it takes."""
    options = connection.settings_dict["OPTIONS"]
    if connection.vendor == "postgresql":
        patient = "-c idle_in_transaction_session_timeout=0 -c lock_timeout=0"
        options = {**options, "options": f"{options.get('options', '')} {patient}"}
    with on_database(OPTIONS=options):
        yield


def take(part: Path, seen: Callable[[], Seen] = state) -> Seen:
    """Write a copy of the database at one moment; return what was ``seen`` at that moment.

    Nobody waits for it, and nobody's half-done transaction is in it. Raises BackupError.
    """
    return {"sqlite": _take_file, "postgresql": _take_dump}[connection.vendor](part, seen)


def _take_file(part: Path, seen: Callable[[], Seen]) -> Seen:
    copy = part.with_suffix("")
    _copy_file(copy)
    with copy.open("rb") as plain, gzip.GzipFile(part, "wb", PACKED, mtime=0) as packed:
        shutil.copyfileobj(plain, packed, 1 << 20)
    with on_database(NAME=str(copy)):
        told = seen()
    for end in BEHIND:
        copy.with_name(copy.name + end).unlink(missing_ok=True)
    return told


def _copy_file(copy: Path) -> None:
    name = str(connection.settings_dict["NAME"])
    try:
        with (
            contextlib.closing(sqlite3.connect(name, timeout=30)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)  # all pages in one step: one reader among others
            target.execute("PRAGMA journal_mode=DELETE")
            sound = target.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise BackupError(f"{name}: {error}") from error
    if sound != "ok":
        raise BackupError(f"{name} is damaged: {sound}")


@contextmanager
def one_moment_of_all(folder: Path) -> Iterator[None]:
    """Let everything that is read within be of one moment, for as long as it takes.

    Nobody waits for it: of SQLite a copy in the folder is read.
    """
    if connection.vendor == "sqlite":
        copy = folder / "copy.sqlite3"
        _copy_file(copy)
        with on_database(NAME=str(copy)):
            yield
    else:
        with alone(), one_moment():
            yield


def _take_dump(part: Path, seen: Callable[[], Seen]) -> Seen:
    """Dump beside the reading: both see what one transaction sees."""
    connection.ensure_connection()
    program = postgres.find_program("pg_dump", postgres.server_version())
    with (
        alone(),
        postgres.addressed(connection.settings_dict) as environment,
        ThreadPoolExecutor(1) as pool,
        one_moment(),
    ):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
        dumped = pool.submit(postgres.dump, program, snapshot, part, environment)
        told = seen()
        dumped.result()
    return told


# --- the way back --------------------------------------------------------------------------------


def unpacked(part: Path) -> Path:
    """Unpack the copy of an SQLite database; return its file."""
    copy = part.with_suffix("")
    with gzip.open(part) as packed, copy.open("wb") as plain:
        shutil.copyfileobj(packed, plain, 1 << 20)
    return copy


def put_in_place(copy: Path) -> None:
    """Let the copy of an SQLite database take the place of the database at hand.

    Raises BackupError while others have that open.
    """
    target = Path(str(connection.settings_dict["NAME"]))
    connection.close()
    if target.exists():
        _assert_unused(target)
    for end in BEHIND[1:]:
        target.with_name(target.name + end).unlink(missing_ok=True)
    copy.replace(target)


def _assert_unused(target: Path) -> None:
    """Leave the write-ahead log, which nobody can while another has the file open."""
    try:
        with contextlib.closing(sqlite3.connect(target, timeout=1)) as file:
            file.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise BackupError(f"{target} is in use: stop the service first") from error
        raise BackupError(f"{target}: {error}") from error


ASIDE: Final = "baza_replaced"
"""The schema that holds what was there until what was restored is known to be right."""


def refuse_company() -> None:
    """Raise BackupError while others are connected, or when a restore was broken off here."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [ASIDE])
        if cursor.fetchone():
            raise BackupError(
                f"a restore was broken off: the schema {ASIDE} holds what was there before;"
                " drop it, or drop public and rename it to public"
            )
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        others = cursor.fetchone()[0]
    if others:
        raise BackupError(f"{others} others are connected to the database: stop the service first")


@contextmanager
def loaded(part: Path) -> Iterator[None]:
    """Load a dump; what was there is set aside, and comes back when what follows fails."""
    program = postgres.find_program("pg_restore", postgres.server_version())
    refuse_company()
    _say(f"ALTER SCHEMA public RENAME TO {ASIDE}", "CREATE SCHEMA public")
    try:
        with postgres.addressed(connection.settings_dict) as environment:
            postgres.load(program, part, environment)
        _say("ANALYZE")
        yield
    except BaseException:
        connection.close()
        _say("DROP SCHEMA public CASCADE", f"ALTER SCHEMA {ASIDE} RENAME TO public")
        raise
    _say(f"DROP SCHEMA {ASIDE} CASCADE")


def _say(*statements: str) -> None:
    """Execute statements, all of them or none."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
