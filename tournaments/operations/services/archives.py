"""Backup archives, snapshots of the database, PostgreSQL's dump programs."""

import contextlib
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.utils import DatabaseError, load_backend

from tournaments.environment import TIMEOUTS
from tournaments.operations.services.scratch import BACKUP, SERVICE, scratch_folder
from tournaments.results.queries.records import consistent_snapshot

# --- Archives -------------------------------------------------------------------------------------
# The file of a backup: a tar of ``manifest.json``, ``manifest.sha256`` with its hash, then the
# parts in the order of the manifest, which states size and SHA-256 of each. Nothing of a file is
# used before all of it is verified.


FORMAT: Final = "baza-backup/1"
MANIFEST: Final = "manifest.json"
SEAL: Final = "manifest.sha256"
CHUNK: Final = 1 << 20
MAX_MANIFEST_BYTES: Final = 1 << 28
"""Limit of a manifest in bytes: ample for one line a tournament of a federation."""


MALFORMED: Final = (ValueError, ArithmeticError, EOFError, RecursionError)
"""What tarfile and json raise beside their own errors for bytes that nobody wrote as they are."""

FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "made_at": lambda text: datetime.fromisoformat(text).tzinfo is not None,
    "database": lambda about: isinstance(about["kind"], str),
    "migrations": lambda names: {type(name) for name in names} <= {str},
    "audit_key": lambda key: isinstance(key, str),
    "keys": lambda are_there: isinstance(are_there, bool),
    "state": lambda state: (
        {type(rows) for rows in state["tables"].values()} <= {int}
        and {type(values) for values in state.values()} == {dict}
        and {type(each["fault"]) for each in state.get("histories", {}).values()} <= {str}
    ),
    "parts": lambda parts: {type(part["bytes"]) for part in parts.values()} <= {int},
}
"""What a restore reads of a manifest, and whether it is of the right form."""


class BackupError(Exception):
    """A backup that cannot be made or restored; the message says what is wrong and where."""


@contextmanager
def backup_errors(path: Path) -> Iterator[None]:
    """Raise BackupError for an OSError, with the path that it concerns, by default ``path``.

    Likewise for a database that cannot go on: it says of a full disk *disk I/O error*, and of what
    is none *file is not a database*.
    """
    try:
        yield
    except OSError as error:
        raise BackupError(f"{error.filename or path}: {error.strerror or error}") from error
    except DatabaseError as error:
        raise BackupError(f"{path}: {error}") from error


def refuse_other_targets(path: Path) -> None:
    """Refuse a target in no folder, or that is no file: a device would be replaced by the file."""
    if not path.parent.is_dir():
        raise BackupError(f"{path.parent}: No such file or directory")
    if path.exists() and not path.is_file():
        raise BackupError(f"{path}: not a file")


def write_archive(path: Path, manifest: Mapping[str, Any], parts: Mapping[str, Path]) -> None:
    """Write a backup file atomically, readable by its owner only.

    Raises OSError if it cannot be written; then no file is left.
    """
    listed = {name: _size_and_digest(part) for name, part in parts.items()}
    text = json.dumps({**manifest, "parts": listed}, ensure_ascii=False, indent=1).encode()
    seal = hashlib.sha256(text).hexdigest().encode()
    with (
        atomic_file(path) as file,
        tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        _add(tar, MANIFEST, io.BytesIO(text), len(text))
        _add(tar, SEAL, io.BytesIO(seal), len(seal))
        for name, part in parts.items():
            with part.open("rb") as source:
                _add(tar, name, source, part.stat().st_size)


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a draft that gets its name after it is flushed to disk, or is deleted on an error."""
    with scratch_folder(BACKUP, path.parent) as folder:
        draft = folder / "draft"
        draft.touch(0o600)
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        rename_durably(draft, path)


def rename_durably(draft: Path, path: Path) -> None:
    """Rename a file that is flushed to disk, replacing an old file of that name."""
    draft.replace(path)
    _sync_folder(path.parent)


def _add(tar: tarfile.TarFile, name: str, source: IO[bytes], size: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    tar.addfile(member, source)


def _sync_folder(folder: Path) -> None:
    """Flush the folder, so that the new name survives a crash of the machine."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _size_and_digest(part: Path) -> dict[str, Any]:
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"bytes": part.stat().st_size, "sha256": digest}


def read_archive(path: Path, into: Path | None = None) -> dict[str, Any]:
    """Verify all parts of a backup file and return the manifest.

    With ``into``, the parts are extracted into that folder. Raises BackupError at the first part
    that differs from the manifest, OSError if the file cannot be read.
    """
    part = MANIFEST
    try:
        with tarfile.open(path, "r:") as tar:
            manifest = _manifest(tar)
            for part, expected in manifest["parts"].items():
                _extract_part(tar, part, expected, into)
            part = "the end"
            _assert_ended(tar)
    except (tarfile.TarError, *MALFORMED) as error:
        raise BackupError(f"{path}: damaged or cut short in {part}: {error}") from error
    except BackupError as error:
        raise BackupError(f"{path}: {error}") from error
    return manifest


def _manifest(tar: tarfile.TarFile) -> dict[str, Any]:
    text = _member(tar, MANIFEST).read(MAX_MANIFEST_BYTES)
    seal = _member(tar, SEAL).read(64).decode("ascii", "replace")
    if hashlib.sha256(text).hexdigest() != seal:
        raise BackupError(f"{MANIFEST} is not as it was written")
    manifest: dict[str, Any] = json.loads(text)
    if not isinstance(manifest, dict):
        raise BackupError(f"{MANIFEST} is no object")
    if manifest.get("format") != FORMAT:
        raise BackupError(f"its format is {manifest.get('format')!r}, not {FORMAT!r}")
    for name, is_right in FIELDS.items():
        if not _holds(is_right, manifest.get(name)):
            raise BackupError(f"{MANIFEST}: {name} is missing or malformed")
    return manifest


def _holds(is_right: Callable[[Any], bool], value: Any) -> bool:
    try:
        return is_right(value)
    except (AttributeError, KeyError, TypeError, ValueError):
        return False


def _assert_ended(tar: tarfile.TarFile) -> None:
    if tar.next() is not None:
        raise BackupError("there is something after the last part")


def _member(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    """Open the next member. Raises BackupError if it has another name."""
    member = tar.next()
    if member is None:
        raise BackupError(f"damaged or cut short before {name}")
    file = tar.extractfile(member) if member.isreg() else None
    if member.name != name or file is None:
        raise BackupError(f"{member.name!r} stands where {name} should be")
    return file


def _extract_part(
    tar: tarfile.TarFile, name: str, expected: Mapping[str, Any], into: Path | None
) -> None:
    # A part is a plain file name: one with a path would be written outside of the folder.
    if Path(name).name != name:
        raise BackupError(f"{name!r} is no name of a part")
    source, digest, size = _member(tar, name), hashlib.sha256(), 0
    with Path(os.devnull if into is None else into / name).open("wb") as target:
        while chunk := source.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
            target.write(chunk)
    if size != expected["bytes"]:
        raise BackupError(f"{name} has {size} bytes instead of {expected['bytes']}")
    if digest.hexdigest() != expected["sha256"]:
        raise BackupError(f"{name} is not as it was written: its SHA-256 differs")


# --- Postgres -------------------------------------------------------------------------------------
# Runs PostgreSQL's own programs, `pg_dump` and `pg_restore`. They get the address of the database
# through a service file that only its owner can read: no password appears on a command line or in
# an environment.


VERSION: Final = re.compile(r"\(PostgreSQL\) (\d+)")
INSTALLED: Final = Path("/usr/lib/postgresql")
"""Folder in which Debian and Ubuntu install the programs of every version."""

# Options of Django and psycopg that libpq does not know: they do not belong in a service file.
NOT_OF_LIBPQ: Final = frozenset(
    {"pool", "options", "isolation_level", "assume_role", "server_side_binding"}
)
NAMES: Final = {
    "NAME": "dbname",
    "USER": "user",
    "PASSWORD": "password",
    "HOST": "host",
    "PORT": "port",
}


def find_program(name: str, at_least: int) -> str:
    """Return the path of a PostgreSQL program of at least this major version.

    Raises BackupError that says what is missing.
    """
    folders = sorted(INSTALLED.glob("*/bin"), reverse=True)
    tried = [shutil.which(name), *(shutil.which(name, path=folder) for folder in folders)]
    versions = {path: _version(path) for path in tried if path}
    for path, version in versions.items():
        if version >= at_least:
            return path
    if not versions:
        raise BackupError(f"{name} is missing: install PostgreSQL's client programs ({at_least})")
    newest = max(versions.values())
    raise BackupError(f"{name} is of version {newest}, and the server of version {at_least}")


def _version(program: str) -> int:
    answer = subprocess.run(  # noqa: S603 - a program of the system's, found by its name
        [program, "--version"], check=False, capture_output=True, text=True, timeout=30
    )
    match = VERSION.search(answer.stdout)
    return int(match[1]) if match else 0


def server_version() -> int:
    """Return the major version of the connected server."""
    return int(connection.pg_version) // 10000  # type: ignore[attr-defined]


@contextmanager
def libpq_environment(database: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield an environment in which ``service=baza`` is a database of Django's settings."""
    parameters = {word: str(database[name]) for name, word in NAMES.items() if database.get(name)}
    options = database.get("OPTIONS", {})
    parameters |= {word: str(value) for word, value in options.items() if word not in NOT_OF_LIBPQ}
    if any("\n" in value for value in parameters.values()):
        raise BackupError("the address of the database holds a line feed")
    with scratch_folder(SERVICE) as folder:
        file = folder / "service"
        file.write_text(
            "[baza]\n" + "".join(f"{word}={value}\n" for word, value in parameters.items())
        )
        yield {**os.environ, "PGSERVICEFILE": str(file)}


def run_pg_dump(program: str, snapshot: str, target: Path, environment: Mapping[str, str]) -> None:
    """Run pg_dump on a snapshot that a transaction has exported.

    Raises BackupError with the last line of the program's errors.
    """
    _run(
        [
            *(program, "--format=custom", "--no-owner", "--no-privileges"),
            *("--lock-wait-timeout=60s", f"--snapshot={snapshot}", f"--file={target}"),
            "--dbname=service=baza",
        ],
        environment,
    )


def run_pg_restore(program: str, source: Path, environment: Mapping[str, str]) -> None:
    """Run pg_restore in one transaction. Raises BackupError with the first error."""
    _run(
        [
            *(program, "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"),
            *("--dbname=service=baza", str(source)),
        ],
        environment,
    )


def check_dump(program: str, source: Path) -> None:
    """Read the contents of a dump. Raises BackupError if it is not one."""
    _run([program, "--list", str(source)], os.environ)


def _run(command: list[str], environment: Mapping[str, str]) -> None:
    process = subprocess.run(  # noqa: S603 - built above, and by no shell
        command,
        check=False,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    if process.returncode:
        errors = process.stderr.decode(errors="replace").strip().splitlines()
        reason = errors[-1] if errors else f"it ended with {process.returncode}"
        raise BackupError(f"{Path(command[0]).name}: {reason}")


# --- Snapshots ------------------------------------------------------------------------------------
# Consistent copies of the database while others write, and putting a copy in its place. Inside
# `on_database` the default alias is another database, in this thread only, so the usual queries
# read the copy.


PARTS: Final = {"sqlite": "database.sqlite3.gz", "postgresql": "database.pgdump"}
"""Name of the part that holds the database, by database vendor."""

GZIP_LEVEL: Final = 6
"""Level of gzip."""

SnapshotFacts = Mapping[str, Any]
"""What a caller reads at the snapshot, in JSON types."""

SQLITE_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")
"""Suffixes of the files of an SQLite database."""


@contextmanager
def on_database(**changes: Any) -> Iterator[None]:
    """Use another database as the default one in this thread; ``changes`` are its settings."""
    previous = connections[DEFAULT_DB_ALIAS]
    described = {**previous.settings_dict, **changes}
    options = dict(described["OPTIONS"])
    options.pop("pool", None)
    backend = load_backend(described["ENGINE"])
    other = backend.DatabaseWrapper({**described, "OPTIONS": options}, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = other
    try:
        yield
    finally:
        other.close()
        connections[DEFAULT_DB_ALIAS] = previous


@contextmanager
def on_direct_database() -> Iterator[None]:
    """Use the same database past pgbouncer, if there is one."""
    if settings.DIRECT_DATABASE is None:
        yield
        return
    name = connection.settings_dict["NAME"]
    with on_database(**{**settings.DIRECT_DATABASE, "NAME": name}):
        yield


@contextmanager
def on_own_connection() -> Iterator[None]:
    """Use the same database over a connection of its own, without timeouts.

    It does not pass pgbouncer: an exported snapshot and what `pg_dump` sets belong to one session.
    """
    with on_direct_database():
        options = connection.settings_dict["OPTIONS"]
        if connection.vendor == "postgresql":
            patient = " ".join(f"-c {name}=0" for name in TIMEOUTS)
            options = {**options, "options": f"{options.get('options', '')} {patient}".strip()}
        with on_database(OPTIONS=options):
            yield


def copy_database(part: Path, read_facts: Callable[[], SnapshotFacts]) -> SnapshotFacts:
    """Write a copy of the database as of one moment; return what ``read_facts`` read then.

    Writers are not blocked, and no uncommitted change is included. Raises BackupError.
    """
    return {"sqlite": _copy_sqlite, "postgresql": _copy_postgresql}[connection.vendor](
        part, read_facts
    )


def _copy_sqlite(part: Path, read_facts: Callable[[], SnapshotFacts]) -> SnapshotFacts:
    copy = part.with_suffix("")
    _copy_file(copy)
    with copy.open("rb") as plain, gzip.GzipFile(part, "wb", GZIP_LEVEL, mtime=0) as packed:
        shutil.copyfileobj(plain, packed, 1 << 20)
    with on_database(NAME=str(copy)):
        state = read_facts()
    for end in SQLITE_SUFFIXES:
        copy.with_name(copy.name + end).unlink(missing_ok=True)
    return state


def _copy_file(copy: Path) -> None:
    name = str(connection.settings_dict["NAME"])
    try:
        with (
            contextlib.closing(sqlite3.connect(name, timeout=30)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)  # all pages in one step, as a single read transaction
            target.execute("PRAGMA journal_mode=DELETE")
            sound = target.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        is_full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        # The copy is in a temporary folder beside the file that is to be written.
        raise BackupError(f"{copy.parent.parent if is_full else name}: {error}") from error
    if sound != "ok":
        raise BackupError(f"{name} is damaged: {sound}")


@contextmanager
def long_snapshot(folder: Path) -> Iterator[None]:
    """Give a consistent snapshot for all reads within, of any duration.

    Writers are not blocked: for SQLite, a copy in the folder is read.
    """
    if connection.vendor == "sqlite":
        copy = folder / "copy.sqlite3"
        _copy_file(copy)
        with on_database(NAME=str(copy)):
            yield
    else:
        with on_own_connection(), consistent_snapshot():
            yield


def _copy_postgresql(part: Path, read_facts: Callable[[], SnapshotFacts]) -> SnapshotFacts:
    """Run pg_dump while ``read_facts`` reads: both use the snapshot of one transaction."""
    connection.ensure_connection()
    program = find_program("pg_dump", server_version())
    with (
        on_own_connection(),
        libpq_environment(connection.settings_dict) as environment,
        ThreadPoolExecutor(1) as pool,
        consistent_snapshot(),
    ):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
        dumped = pool.submit(run_pg_dump, program, snapshot, part, environment)
        state = read_facts()
        dumped.result()
    return state


# --- restoring -----------------------------------------------------------------------------------


def unpack(part: Path) -> Path:
    """Unpack the copy of an SQLite database; return its path. Raises BackupError."""
    copy = part.with_suffix("")
    try:
        with gzip.open(part) as packed, copy.open("wb") as plain:
            shutil.copyfileobj(packed, plain, 1 << 20)
    except (EOFError, zlib.error) as error:
        raise BackupError(f"{part.name} is damaged: {error}") from error
    return copy


def replace_sqlite(copy: Path) -> None:
    """Replace the SQLite database with a copy.

    Raises BackupError while another process has the database open.
    """
    target = Path(str(connection.settings_dict["NAME"]))
    connection.close()
    if target.exists():
        _assert_unused(target)
    for end in SQLITE_SUFFIXES[1:]:
        target.with_name(target.name + end).unlink(missing_ok=True)
    copy.replace(target)


def _assert_unused(target: Path) -> None:
    """Raise BackupError if another process has the file open, which blocks leaving WAL mode."""
    try:
        with contextlib.closing(sqlite3.connect(target, timeout=1)) as file:
            file.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise BackupError(f"{target} is in use: stop the service first") from error
        raise BackupError(f"{target}: {error}") from error


OLD_SCHEMA: Final = "baza_replaced"
"""Schema that holds the old tables until the restored ones are verified."""


def refuse_other_connections() -> None:
    """Raise BackupError if there are other connections, or an unfinished restore.

    Both are in the catalogue of PostgreSQL, which has no model.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [OLD_SCHEMA])
        if cursor.fetchone():
            raise BackupError(
                f"a restore was broken off: the schema {OLD_SCHEMA} holds what was there before;"
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
def loaded_dump(part: Path) -> Iterator[None]:
    """Load a dump; the old schema is set aside, and put back if the body fails."""
    program = find_program("pg_restore", server_version())
    refuse_other_connections()
    _execute(f"ALTER SCHEMA public RENAME TO {OLD_SCHEMA}", "CREATE SCHEMA public")
    try:
        with libpq_environment(connection.settings_dict) as environment:
            run_pg_restore(program, part, environment)
        _execute("ANALYZE")
        yield
    except BaseException:
        connection.close()
        _execute("DROP SCHEMA public CASCADE", f"ALTER SCHEMA {OLD_SCHEMA} RENAME TO public")
        raise
    _execute(f"DROP SCHEMA {OLD_SCHEMA} CASCADE")


def _execute(*statements: str) -> None:
    """Execute statements in one transaction, because a schema is moved wholly or not at all."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
