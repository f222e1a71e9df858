"""Databases that have been migrated once, for the test processes to begin with a copy.

The migrations take a process 8 seconds of processor, longer than most files of tests; Django finds
a copy up to date in 0.1. A copy is named by the digest of what it was made from. The migrations
themselves are run in `tests/models` and `tests/releases`.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

import django
from django.core.management import call_command
from django.db import connection

from tournaments.environment import ROOT

SOURCES = (
    "requirements/base.txt",
    "tournaments/environment.py",
    "tournaments/migrations/*.py",
    "tournaments/models/**/*.py",
    "tournaments/settings.py",
)
IMPORTED = re.compile(r"^from (tournaments\.domain\.[\w.]+) import", re.MULTILINE)


def digest() -> str:
    """Return the digest of the sources of a migrated database."""
    paths = {path for pattern in SOURCES for path in ROOT.glob(pattern)}
    migrations = [path.read_text() for path in paths if path.parent.name == "migrations"]
    modules = {name for text in migrations for name in IMPORTED.findall(text)}
    for name in modules:  # functions of the domain that migrations call
        path = ROOT / name.replace(".", "/")
        paths |= set(path.glob("*.py")) or {path.with_suffix(".py")}
    state = hashlib.sha256(django.__version__.encode())
    for path in sorted(paths):
        state.update(path.read_bytes())
    return state.hexdigest()[:16]


def path_of_copy() -> Path:
    """Return the file of the copy, outside `var/`: it outlives the processes of a test run."""
    folder = Path(tempfile.gettempdir()) / f"baza-migrated-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    return folder / f"{digest()}.sqlite3"


def begin_with_copy() -> bool:
    """Put a copy where Django expects the database of the last run; return whether there is one.

    On PostgreSQL the databases are migrated: it would need a template without connections, which
    the pool of the process holds, to save a run of CI twenty seconds.
    """
    if connection.vendor != "sqlite" or not path_of_copy().exists():
        return False
    shutil.copyfile(path_of_copy(), connection.settings_dict["TEST"]["NAME"])
    return True


def keep_copy() -> None:
    """Copy the database that was just migrated, for the processes that come after this one."""
    if connection.vendor != "sqlite" or path_of_copy().exists():
        return
    connection.close()  # the last connection writes the log into the file
    new = path_of_copy().with_suffix(f".{os.getpid()}")
    shutil.copyfile(connection.settings_dict["NAME"], new)
    new.replace(path_of_copy())


def migrate_empty() -> None:
    """Migrate the empty database at hand: by the copy, where there is one."""
    if connection.vendor == "sqlite" and path_of_copy().exists():
        connection.close()
        shutil.copyfile(path_of_copy(), connection.settings_dict["NAME"])
    else:
        call_command("migrate", verbosity=0)
