"""Backups: a consistent copy of the database in one file with a manifest, written and restored.

All data of the service are in its database. The folder `BAZA_VAR` adds keys, which a backup
holds only on request (docs/operators/backup.md). A backup is restored as a whole, verified against
its manifest, or not at all.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from tournaments.domain.proof import PROGRAM
from tournaments.exchange.queries.trails import installation_key, missing_guards
from tournaments.models import AuditEvent, Club, Tournament
from tournaments.operations.queries import (
    NOT_COMPUTED,
    applied_migrations,
    database_state,
    differences,
    known_migrations,
    rows_by_table,
    uncomputed_lines,
)
from tournaments.operations.services import archives
from tournaments.operations.services.archives import (
    FORMAT,
    BackupError,
    backup_errors,
    read_archive,
    rename_durably,
    write_archive,
)
from tournaments.operations.services.scratch import (
    BACKUP,
    RESTORE,
    remove_leftovers,
    scratch_folder,
)
from tournaments.profiles.services.erasing import list_path, read_list, repeat_erasures

# --- Writing --------------------------------------------------------------------------------------


STAMP: Final = "baza-%Y%m%d-%H%M%SZ.tar"
"""File name of a backup in a folder: the UTC time of its snapshot."""

KEYS: Final = {
    "SECRET_KEY": "secret-key",
    "AUDIT_KEY": "audit-key",
    "PUSH_KEY": "push-key",
}
"""Names of the parts that hold the keys, by setting."""

LATER_KEYS: Final = frozenset({"push-key"})
"""Keys that a backup of an earlier release lacks, or that a service may be without."""

BACKUP_HOUR: Final = 4
"""Hour of local time after which the next backup is due."""

Progress = Callable[[str], object]


def ignore_progress(_line: str) -> None:
    """Ignore a progress message."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A complete backup file: path, time of the snapshot, size in bytes.

    ``notes`` of a new backup name what its manifest could not state, and files with odd dates.
    """

    path: Path
    made_at: datetime
    size: int
    notes: tuple[str, ...] = ()

    @property
    def age(self) -> timedelta:
        """The time since the snapshot."""
        return timezone.now() - self.made_at


def make_backup(path: Path, *, keys: bool = False, progress: Progress = ignore_progress) -> Backup:
    """Write a backup to a file, or into a folder under a name of its own, and verify it.

    The service keeps running. Raises BackupError with the reason; then no new file is left, and an
    old file of that name is unchanged.
    """
    with backup_errors(path):
        start, made_at = time.monotonic(), timezone.now().astimezone(UTC)
        target = path / made_at.strftime(STAMP) if path.is_dir() else path
        archives.refuse_other_targets(target)
        remove_leftovers(target.parent, _sqlite_folder())
        with scratch_folder(BACKUP, target.parent) as folder:
            name = archives.PARTS[connection.vendor]
            parts = {name: folder / name}
            progress("copying the database")
            facts = archives.copy_database(parts[name], lambda: _current_state(progress))
            if keys:
                parts |= _write_keys(folder)
            progress("packing")
            draft = folder / "whole.tar"
            write_archive(draft, _manifest(made_at, facts, start, keys=keys), parts)
            progress("reading it through")
            read_archive(draft)
            rename_durably(draft, target)
        notes = [*uncomputed_lines(facts["state"])]
        notes += [
            f"{each.path} is dated in the future: the clock was ahead. It is neither counted nor"
            " removed; rename it or remove it by hand"
            for each in future_dated(target.parent)
        ]
        return Backup(target, made_at, target.stat().st_size, tuple(notes))


def _current_state(progress: Progress) -> dict[str, Any]:
    progress("walking the histories, ranking the tournaments")
    return {"migrations": applied_migrations(), "state": database_state()}


def _manifest(
    made_at: datetime, facts: Mapping[str, Any], start: float, *, keys: bool
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "made_by": PROGRAM,
        "made_at": made_at.isoformat(),
        "seconds": round(time.monotonic() - start, 2),
        "database": {"kind": connection.vendor, "version": _version()},
        "audit_key": installation_key(),
        "keys": keys,
        **facts,
    }


def _version() -> str:
    connection.ensure_connection()
    return ".".join(str(part) for part in connection.get_database_version())


def _write_keys(folder: Path) -> dict[str, Path]:
    parts = {}
    for name, part in KEYS.items():
        if key := getattr(settings, name):
            parts[part] = Path(folder, part)
            parts[part].write_text(key)
    return parts


# --- a folder of backups -------------------------------------------------------------------------


def backups_in(folder: Path) -> list[Backup]:
    """Return the backups in a folder, newest first. A file gets such a name only when complete."""
    backups = []
    for path in folder.glob("baza-*.tar"):
        try:
            made_at = datetime.strptime(path.name, STAMP).replace(tzinfo=UTC)
        except ValueError:
            continue
        backups.append(Backup(path, made_at, path.stat().st_size))
    return sorted(backups, key=lambda backup: backup.made_at, reverse=True)


def keep_newest(folder: Path, count: int, new: Backup) -> list[Path]:
    """Remove all but ``new`` and the newest backups before it; return the removed paths.

    Backups dated after it are left: the clock was ahead when they were made, so their age is
    unknown. They do not count, else each new one would be the oldest.
    """
    older = [
        backup
        for backup in backups_in(folder)
        if backup.made_at <= new.made_at and backup.path.name != new.path.name
    ]
    removed_paths = [backup.path for backup in older[count - 1 :]]
    for path in removed_paths:
        path.unlink(missing_ok=True)
    return removed_paths


def future_dated(folder: Path) -> list[Backup]:
    """Return the backups of a folder that are dated in the future: the clock was set back."""
    now = timezone.now()
    return [backup for backup in backups_in(folder) if backup.made_at > now]


def last_backup() -> Backup | None:
    """Return the newest backup in `BAZA_BACKUP_DIR`; None if there is no folder or backup.

    Those dated in the future are ignored.
    """
    folder: Path | None = settings.BACKUPS
    if folder is None or not folder.is_dir():
        return None
    now = timezone.now()
    return next((backup for backup in backups_in(folder) if backup.made_at <= now), None)


def is_due(now: datetime) -> bool:
    """Return whether no backup was made since the last four in the morning, local time."""
    local = timezone.localtime(now)
    night = local.replace(hour=BACKUP_HOUR, minute=0, second=0, microsecond=0)
    night -= timedelta(days=0 if local >= night else 1)
    last = last_backup()
    return settings.BACKUPS is not None and (last is None or last.made_at < night)


def back_up_when_due() -> Backup | None:
    """Write a backup into `BAZA_BACKUP_DIR` if one is due, and remove the oldest.

    Only one process does so at a time; others return None. Raises BackupError.
    """
    folder: Path | None = settings.BACKUPS
    if folder is None or not is_due(timezone.now()):
        return None
    with _folder_lock(folder) as first:
        # Asked again under the lock: another process may have just finished one.
        if not first or not is_due(timezone.now()):
            return None
        return add_backup(folder)


def add_backup(folder: Path) -> Backup:
    """Write a backup into a folder, and remove the oldest beyond `BAZA_BACKUP_KEEP`."""
    backup = make_backup(folder)
    keep_newest(folder, settings.BACKUPS_KEPT, backup)
    return backup


@contextmanager
def _folder_lock(folder: Path) -> Iterator[bool]:
    """Take the folder's lock; yield False if another process has it.

    The operating system releases it when the process ends, however it ends.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (folder / ".lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
    except OSError as error:
        raise BackupError(f"{folder}: {error.strerror}") from error


# --- Restoring ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Recovery:
    """The outcome of a restore.

    ``age`` is the age of the backup: what was done since then is lost. ``seconds`` is the time
    until everything was restored and compared; ``notes`` are for the operator.
    """

    seconds: float
    age: timedelta
    clubs: int
    events: int
    tournaments: int
    rows: int
    migrated: int
    notes: tuple[str, ...]


def restore(
    path: Path,
    *,
    replace: str = "",
    keys: bool = False,
    check_only: bool = False,
    progress: Progress = ignore_progress,
) -> Recovery:
    """Replace an empty database with that of a backup, and compare it with the manifest.

    ``replace`` is the name of a database that is not empty and may be lost, typed by the operator.
    ``keys``: the keys in the backup become those in `BAZA_VAR`. ``check_only`` changes nothing:
    SQLite is restored to a copy and compared, a PostgreSQL dump is only read.

    People erased since the backup, by the list in `BAZA_VAR`, are erased again.

    Raises BackupError at the first fault; then the database is unchanged.
    """
    start = time.monotonic()
    near = _sqlite_folder()
    key_notes: list[str] = []
    with backup_errors(path):
        remove_leftovers(near, settings.BACKUPS)
        with scratch_folder(RESTORE, near) as folder:
            erasures = _erasures()
            progress("reading the backup")
            manifest = read_archive(path, folder)
            missing = _missing_migrations(manifest)
            needed = {*KEYS.values()} - LATER_KEYS
            if keys and not (manifest["keys"] and needed <= manifest["parts"].keys()):
                raise BackupError("there are no keys in the backup")
            if not check_only:
                _refuse_unless_empty(replace)
            part = folder / archives.PARTS[connection.vendor]
            way = {"sqlite": _restore_file, "postgresql": _restore_dump}[connection.vendor]
            with backup_errors(near or path):
                way(part, manifest, check_only=check_only, progress=progress)
            if keys and not check_only:
                key_notes = _store_keys(folder)
        # People erased since the backup are erased again.
        erased = 0 if check_only else repeat_erasures(erasures)
    return _recovery(manifest, start, missing, [*key_notes, *_notes(manifest, erased)])


def _sqlite_folder() -> Path | None:
    """Return the folder of an SQLite database, for renaming within one file system; None: any."""
    if connection.vendor != "sqlite":
        return None
    return Path(str(connection.settings_dict["NAME"])).resolve().parent


def _missing_migrations(manifest: Mapping[str, Any]) -> int:
    """Return how many migrations a backup lacks.

    Raises BackupError for another kind of database or a later release.
    """
    kind = manifest["database"]["kind"]
    if kind != connection.vendor:
        raise BackupError(
            f"this is a backup of {kind}, and the database is {connection.vendor}:"
            " use export_all and import_all between them"
        )
    migrations = known_migrations()
    backup_migrations = set(manifest["migrations"])
    if later := sorted(backup_migrations - migrations):
        raise BackupError(f"it is of a later release: {later[0]} is not known here")
    return len(migrations - backup_migrations)


def _refuse_unless_empty(replace: str) -> None:
    """Raise BackupError for a database with data, unless its name was typed."""
    name = Path(str(connection.settings_dict["NAME"])).name  # without the folders of a file
    if replace and replace != name:
        raise BackupError(f"the database is {name!r}, not {replace!r}")
    if not replace and not is_empty():
        raise BackupError(f"the database is not empty: --replace {name} if it may be lost")


def is_empty() -> bool:
    """Return whether the database is unused: no tables, or neither a club nor an account."""
    tables = connection.introspection.table_names()
    if not tables:
        return True
    has_tables = {Club._meta.db_table, User._meta.db_table} <= set(tables)
    return has_tables and not Club.objects.exists() and not User.objects.exists()


# --- by kind of database -------------------------------------------------------------------------


def _restore_file(
    part: Path, manifest: Mapping[str, Any], *, check_only: bool, progress: Progress
) -> None:
    """Restore SQLite: prepare a copy, and replace the database once it is verified."""
    progress("unpacking")
    copy = archives.unpack(part)
    with archives.on_database(NAME=str(copy)):
        _compare(manifest, progress)
    if not check_only:
        archives.replace_sqlite(copy)


def _restore_dump(
    part: Path, manifest: Mapping[str, Any], *, check_only: bool, progress: Progress
) -> None:
    """Restore PostgreSQL: set the old schema aside until the loaded one is verified."""
    connection.ensure_connection()
    program = archives.find_program("pg_restore", archives.server_version())
    archives.check_dump(program, part)
    if check_only:
        return
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    with archives.on_own_connection(), archives.loaded_dump(part):
        _compare(manifest, progress)


def _compare(manifest: Mapping[str, Any], progress: Progress) -> None:
    """Compare the database with the manifest, after running the migrations that it lacks."""
    expected = manifest["state"]
    progress("counting the rows")
    # Rows are counted before the migrations, which may add some.
    first = {"tables": rows_by_table()}
    _refuse_differences({"tables": expected["tables"]}, first)
    migrated = set(applied_migrations()) != known_migrations()
    if migrated:
        progress("migrating")
        call_command("migrate", verbosity=0)
    progress("walking the histories, ranking the tournaments")
    actual = database_state() | first
    if migrated:
        _leave_out_appended(expected.get("histories", {}), actual["histories"])
    _refuse_differences(expected, actual)
    if lacking := missing_guards():
        raise BackupError(f"the database lacks the trigger {lacking[0]}")


def _leave_out_appended(
    expected: Mapping[str, Mapping[str, Any]], actual: Mapping[str, dict[str, Any]]
) -> None:
    """Set histories back to the events of the backup: migrations may append some (`0031`).

    ``actual`` was verified, so that the backup's last digest in it stands for all before.
    """
    for slug, history in expected.items():
        head = history.get("head", "")
        events = AuditEvent.objects.filter(club__slug=slug, digest=head)
        if slug in actual and (not head or events.exists()):
            actual[slug] |= {"events": history["events"], "head": head}


def _refuse_differences(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> None:
    for difference in differences(expected, actual):
        raise BackupError(f"restored, it is not what it was: {difference}")


# --- keys and report -----------------------------------------------------------------------------


def _store_keys(folder: Path) -> list[str]:
    """Store the keys in `BAZA_VAR`; different old keys are kept as ``….before``.

    Return a note for each that has no effect, since a variable gives another.
    """
    notes = []
    for setting, name in KEYS.items():
        if name in LATER_KEYS and not Path(folder, name).exists():
            continue
        target: Path = settings.VAR / name
        Path(folder, name).chmod(0o600)
        if target.exists() and target.read_bytes() != Path(folder, name).read_bytes():
            target.replace(target.with_name(f"{name}.before"))
        target.write_bytes(Path(folder, name).read_bytes())
        target.chmod(0o600)
        variable = f"BAZA_{setting}"
        if os.environ.get(variable) and target.read_text() != getattr(settings, setting):
            notes.append(
                f"{variable} is set and wins over the restored key in {target}: unset it, or give"
                " it the restored key"
            )
    return notes


def _erasures() -> list[dict[str, Any]]:
    """Read the list of erasures in `BAZA_VAR`, before anything is changed."""
    path = list_path()
    try:
        return read_list(path) if path.exists() else []
    except ValueError as error:
        raise BackupError(f"{path} is no list of the erased: {error}") from error


def _notes(manifest: Mapping[str, Any], erased: int) -> list[str]:
    notes = [f"{erased} who were erased since the backup are erased again"] if erased else []
    state = manifest["state"]
    notes += [f"nothing to compare with: {each}" for each in uncomputed_lines(state)]
    if "standings" not in state:
        notes.append(
            "only rows were compared: the backup was made by one release of the schema of another;"
            " run audit_verify"
        )
    notes += [
        f"the history of {slug} was broken already when the backup was made: {history['fault']}"
        for slug, history in state.get("histories", {}).items()
        if history["fault"] and not history["fault"].startswith(NOT_COMPUTED)
    ]
    if manifest["audit_key"] != installation_key():
        notes.append(
            "the history was signed with another key than this installation has: give"
            f" BAZA_AUDIT_KEY as it was, or tell audit_verify --key {manifest['audit_key']}"
        )
    return notes


def _recovery(
    manifest: Mapping[str, Any], start: float, missing: int, notes: Iterable[str]
) -> Recovery:
    rows: Mapping[str, int] = manifest["state"]["tables"]
    return Recovery(
        seconds=time.monotonic() - start,
        age=timezone.now() - datetime.fromisoformat(manifest["made_at"]),
        clubs=rows.get(Club._meta.db_table, 0),
        events=rows.get(AuditEvent._meta.db_table, 0),  # older schemas lack it
        tournaments=rows.get(Tournament._meta.db_table, 0),
        rows=sum(rows.values()),
        migrated=missing,
        notes=tuple(notes),
    )
