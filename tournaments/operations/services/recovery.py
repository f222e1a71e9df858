"""Restores a backup as a whole, verified against its manifest, or not at all."""

import json
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from tournaments.exchange.queries.trails import missing_guards, own_key
from tournaments.models import AuditEvent, Club, Tournament
from tournaments.operations.queries import (
    NOT_COMPUTED,
    applied_migrations,
    differences,
    known_migrations,
    not_computed,
    rows_by_table,
    state,
)
from tournaments.operations.services import archives
from tournaments.operations.services.archives import BackupError, read_archive
from tournaments.operations.services.backups import KEYS, Progress, silent
from tournaments.profiles.services.erasing import list_path, reapply


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
    progress: Progress = silent,
) -> Recovery:
    """Replace an empty database with that of a backup, and compare it with the manifest.

    ``replace`` is the name of a database that is not empty and may be lost, typed by the operator.
    ``keys``: the keys in the backup become those in `BAZA_VAR`. ``check_only`` changes nothing:
    SQLite is restored to a copy and compared, a PostgreSQL dump is only read.

    People erased since the backup, by the list in `BAZA_VAR`, are erased again.

    Raises BackupError at the first fault; then the database is unchanged.
    """
    began = time.monotonic()
    near = _near()
    try:
        with tempfile.TemporaryDirectory(dir=near, prefix=".baza-restore-") as folder:
            progress("reading the backup")
            manifest = read_archive(path, Path(folder))
            missing = _missing_migrations(manifest)
            if keys and not manifest["keys"]:
                raise BackupError("there are no keys in the backup")
            if not check_only:
                _refuse_unless_empty(replace)
            part = Path(folder, archives.PARTS[connection.vendor])
            way = {"sqlite": _restore_file, "postgresql": _restore_dump}[connection.vendor]
            way(part, manifest, check_only=check_only, progress=progress)
            if keys and not check_only:
                _put_keys(Path(folder))
        erased = 0 if check_only else _erase_again()
    except OSError as error:
        raise BackupError(f"{error.filename or path}: {error.strerror}") from error
    return _recovery(manifest, began, missing, erased)


def _near() -> Path | None:
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
    known = known_migrations()
    there = set(manifest["migrations"])
    if later := sorted(there - known):
        raise BackupError(f"it is of a later release: {later[0]} is not known here")
    return len(known - there)


def _refuse_unless_empty(replace: str) -> None:
    """Raise BackupError for a database with data, unless its name was typed."""
    name = database_name()
    if replace and replace != name:
        raise BackupError(f"the database is {name!r}, not {replace!r}")
    if not replace and not is_empty():
        raise BackupError(f"the database is not empty: --replace {name} if it may be lost")


def database_name() -> str:
    """Return the name of the database, without the folders of a file."""
    return Path(str(connection.settings_dict["NAME"])).name


def is_empty() -> bool:
    """Return whether the database is unused: no tables, or neither a club nor an account."""
    tables = connection.introspection.table_names()
    if not tables:
        return True
    ours = {Club._meta.db_table, User._meta.db_table} <= set(tables)
    return ours and not Club.objects.exists() and not User.objects.exists()


# --- by kind of database -------------------------------------------------------------------------


def _restore_file(
    part: Path, manifest: Mapping[str, Any], *, check_only: bool, progress: Progress
) -> None:
    """Restore SQLite: prepare a copy, and replace the database once it is verified."""
    progress("unpacking")
    copy = archives.unpacked(part)
    with archives.on_database(NAME=str(copy)):
        _compare(manifest, progress)
    if not check_only:
        archives.put_in_place(copy)


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
    with archives.alone(), archives.loaded(part):
        _compare(manifest, progress)


def _compare(manifest: Mapping[str, Any], progress: Progress) -> None:
    """Compare the database with the manifest, after running the migrations that it lacks."""
    wanted = manifest["state"]
    progress("counting the rows")
    # Rows are counted before the migrations, which may add some.
    first = {"tables": rows_by_table()}
    _refuse_differences({"tables": wanted["tables"]}, first)
    migrated = set(applied_migrations()) != known_migrations()
    if migrated:
        progress("migrating")
        call_command("migrate", verbosity=0)
    progress("walking the histories, ranking the tournaments")
    found = state() | first
    if migrated:
        _leave_out_appended(wanted.get("histories", {}), found["histories"])
    _refuse_differences(wanted, found)
    if lacking := missing_guards():
        raise BackupError(f"the database lacks the trigger {lacking[0]}")


def _leave_out_appended(
    wanted: Mapping[str, Mapping[str, Any]], found: Mapping[str, dict[str, Any]]
) -> None:
    """Set histories back to the events of the backup: migrations may append some (`0031`).

    ``found`` was verified, so that the backup's last digest in it stands for all before.
    """
    for slug, history in wanted.items():
        head = history.get("head", "")
        events = AuditEvent.objects.filter(club__slug=slug, digest=head)
        if slug in found and (not head or events.exists()):
            found[slug] |= {"events": history["events"], "head": head}


def _refuse_differences(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    for difference in differences(wanted, found):
        raise BackupError(f"restored, it is not what it was: {difference}")


# --- keys and report -----------------------------------------------------------------------------


def _put_keys(folder: Path) -> None:
    """Store the keys as this installation's; different old keys are kept as ``….before``."""
    for name in KEYS.values():
        kept: Path = settings.VAR / name
        Path(folder, name).chmod(0o600)
        if kept.exists() and kept.read_bytes() != Path(folder, name).read_bytes():
            kept.replace(kept.with_name(f"{name}.before"))
        kept.write_bytes(Path(folder, name).read_bytes())
        kept.chmod(0o600)


def _erase_again() -> int:
    """Erase the people again who were erased since the backup, by the list in `BAZA_VAR`."""
    path = list_path()
    if not path.exists():
        return 0
    return reapply(json.loads(line) for line in path.read_text(encoding="ascii").splitlines())


def _notes(manifest: Mapping[str, Any], erased: int) -> list[str]:
    notes = [f"{erased} who were erased since the backup are erased again"] if erased else []
    wanted = manifest["state"]
    notes += [f"nothing to compare with: {each}" for each in not_computed(wanted)]
    if "standings" not in wanted:
        notes.append(
            "only rows were compared: the backup was made by one release of the schema of another;"
            " run audit_verify"
        )
    notes += [
        f"the history of {slug} was broken already when the backup was made: {history['fault']}"
        for slug, history in wanted.get("histories", {}).items()
        if history["fault"] and not history["fault"].startswith(NOT_COMPUTED)
    ]
    if manifest["audit_key"] != own_key():
        notes.append(
            "the history was signed with another key than this installation has: give"
            f" BAZA_AUDIT_KEY as it was, or progress audit_verify --key {manifest['audit_key']}"
        )
    return notes


def _recovery(manifest: Mapping[str, Any], began: float, missing: int, erased: int) -> Recovery:
    rows: Mapping[str, int] = manifest["state"]["tables"]
    return Recovery(
        seconds=time.monotonic() - began,
        age=timezone.now() - datetime.fromisoformat(manifest["made_at"]),
        clubs=rows[Club._meta.db_table],
        events=rows.get(AuditEvent._meta.db_table, 0),  # older schemas lack it
        tournaments=rows[Tournament._meta.db_table],
        rows=sum(rows.values()),
        migrated=missing,
        notes=tuple(_notes(manifest, erased)),
    )
