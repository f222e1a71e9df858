"""Backups: a consistent copy of the whole database in one file with a manifest (docs/backup.md).

All data of the service are in its database. The folder `BAZA_VAR` adds two keys, which a backup
holds only on request.
"""

import fcntl
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.utils import timezone

from tournaments.domain.proof import PROGRAM
from tournaments.exchange.queries.trails import own_key
from tournaments.operations.queries import applied_migrations, not_computed, state
from tournaments.operations.services import archives
from tournaments.operations.services.archives import (
    FORMAT,
    BackupError,
    give_name,
    read_archive,
    write_archive,
)

STAMP: Final = "baza-%Y%m%d-%H%M%SZ.tar"
"""File name of a backup in a folder: the UTC time of its snapshot."""

KEYS: Final = {"SECRET_KEY": "secret-key", "AUDIT_KEY": "audit-key"}
"""Names of the parts that hold the keys, by setting."""

NIGHT: Final = 4
"""Hour of local time after which the next backup is due."""

Progress = Callable[[str], object]


def silent(_line: str) -> None:
    """Ignore a progress message."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A complete backup file: path, time of the snapshot, size in bytes.

    ``notes`` name what the manifest of a new backup could not state.
    """

    path: Path
    made_at: datetime
    size: int
    notes: tuple[str, ...] = ()

    @property
    def age(self) -> timedelta:
        """The time since the snapshot."""
        return timezone.now() - self.made_at


def make_backup(path: Path, *, keys: bool = False, progress: Progress = silent) -> Backup:
    """Write a backup to a file, or into a folder under a name of its own, and verify it.

    The service keeps running. Raises BackupError with the reason; then no new file is left, and an
    old file of that name is unchanged.
    """
    try:
        return _make_backup(path, keys=keys, progress=progress)
    except OSError as error:
        raise BackupError(f"{error.filename or path}: {error.strerror}") from error


def _make_backup(path: Path, *, keys: bool, progress: Progress) -> Backup:
    began, made_at = time.monotonic(), timezone.now().astimezone(UTC)
    target = path / made_at.strftime(STAMP) if path.is_dir() else path
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".baza-backup-") as folder:
        name = archives.PARTS[connection.vendor]
        parts = {name: Path(folder, name)}
        progress("copying the database")
        seen = archives.take(parts[name], lambda: _current_state(progress))
        if keys:
            parts |= _keys(Path(folder))
        progress("packing")
        draft = Path(folder, "whole.tar")
        write_archive(draft, _manifest(made_at, seen, began, keys=keys), parts)
        progress("reading it through")
        read_archive(draft)
        give_name(draft, target)
    notes = tuple(not_computed(seen["state"]))
    return Backup(target, made_at, target.stat().st_size, notes)


def _current_state(progress: Progress) -> dict[str, Any]:
    progress("walking the histories, ranking the tournaments")
    return {"migrations": applied_migrations(), "state": state()}


def _manifest(
    made_at: datetime, seen: Mapping[str, Any], began: float, *, keys: bool
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "made_by": PROGRAM,
        "made_at": made_at.isoformat(),
        "seconds": round(time.monotonic() - began, 2),
        "database": {"kind": connection.vendor, "version": _version()},
        "audit_key": own_key(),
        "keys": keys,
        **seen,
    }


def _version() -> str:
    connection.ensure_connection()
    return ".".join(str(part) for part in connection.get_database_version())


def _keys(folder: Path) -> dict[str, Path]:
    for name, part in KEYS.items():
        Path(folder, part).write_text(getattr(settings, name))
    return {part: Path(folder, part) for part in KEYS.values()}


# --- a folder of backups -------------------------------------------------------------------------


def backups_in(folder: Path) -> list[Backup]:
    """Return the backups in a folder, newest first. A file gets such a name only when complete."""
    found = []
    for path in folder.glob("baza-*.tar"):
        try:
            made_at = datetime.strptime(path.name, STAMP).replace(tzinfo=UTC)
        except ValueError:
            continue
        found.append(Backup(path, made_at, path.stat().st_size))
    return sorted(found, key=lambda backup: backup.made_at, reverse=True)


def keep_newest(folder: Path, count: int) -> list[Path]:
    """Remove all but the newest ``count`` backups of a folder; return the removed paths."""
    gone = [backup.path for backup in backups_in(folder)[count:]]
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def last_backup() -> Backup | None:
    """Return the newest backup in `BAZA_BACKUP_DIR`; None if there is no folder or backup.

    Backups dated in the future are ignored: the clock was set back, so their age is unknown.
    """
    folder: Path | None = settings.BACKUPS
    if folder is None or not folder.is_dir():
        return None
    now = timezone.now()
    return next((backup for backup in backups_in(folder) if backup.made_at <= now), None)


def is_due(now: datetime) -> bool:
    """Return whether no backup was made since the last four in the morning, local time."""
    local = timezone.localtime(now)
    night = local.replace(hour=NIGHT, minute=0, second=0, microsecond=0)
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
    with _only_one(folder) as first:
        # Asked again under the lock: another process may have just finished one.
        if not first or not is_due(timezone.now()):
            return None
        return add_backup(folder)


def add_backup(folder: Path, progress: Progress = silent) -> Backup:
    """Write a backup into a folder, and remove the oldest beyond `BAZA_BACKUP_KEEP`."""
    made = make_backup(folder, progress=progress)
    keep_newest(folder, settings.BACKUPS_KEPT)
    return made


@contextmanager
def _only_one(folder: Path) -> Iterator[bool]:
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
