"""Refuses to start on a damaged SQLite file."""

import contextlib
import sqlite3
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

ADVICE = "Do not go on writing to it: restore a backup (docs/runbook.md, A damaged SQLite file)."


def refuse_damaged_database() -> None:
    """Raise ImproperlyConfigured that names the first damaged place of the SQLite file.

    `PRAGMA quick_check` reads the whole file, some 500 MB a second; SQLite itself would notice the
    damage at the first statement that meets it, in the middle of an evening.
    """
    database = settings.DATABASES["default"]
    path = Path(str(database["NAME"]))
    if not database["ENGINE"].endswith("sqlite3") or not path.exists():
        return
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=30)) as file:
            fault = str(file.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_IOERR:
            return  # locked, or no permission: the service says that by itself
        fault = str(error)
    except sqlite3.DatabaseError as error:
        fault = str(error)
    if fault != "ok":
        fault = " ".join(fault.split())
        raise ImproperlyConfigured(f"the database {path} is damaged: {fault}. {ADVICE}")
