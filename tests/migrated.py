"""A database that has been migrated once, copied for every process of tests that needs one.

Forty-seven migrations take a process longer than most files of tests. The copy is kept by the
digest of what it was made from, the sources of the migrations and models and Django's version, so
that a change of one makes it anew; the migrations themselves are tested in `tests/models` and
`tests/releases`.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import django
from django.db import connection
from django.db.backends.base.creation import BaseDatabaseCreation

from tournaments.environment import ROOT

FOLDER = Path(tempfile.gettempdir()) / f"baza-migrated-{os.getuid()}"


def digest() -> str:
    """Return the digest of what a migrated database depends on."""
    sources = [
        *(ROOT / "tournaments" / "migrations").glob("*.py"),
        *(ROOT / "tournaments" / "models").rglob("*.py"),
        ROOT / "tournaments" / "settings.py",
        ROOT / "requirements" / "base.txt",
    ]
    text = hashlib.sha256(f"{django.__version__} {connection.vendor}".encode())
    for path in sorted(sources):
        text.update(path.read_bytes())
    return text.hexdigest()[:16]


def use_copies() -> None:
    """Have Django copy the migrated database instead of migrating."""
    creation = type(connection.creation)
    migrate = BaseDatabaseCreation.create_test_db

    def create(self: Any, *arguments: Any, **options: Any) -> str:
        FOLDER.mkdir(exist_ok=True)
        with (FOLDER / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return copy_or_migrate(self, *arguments, **options)

    def copy_or_migrate(self: Any, *arguments: Any, **options: Any) -> str:
        name: str = self._get_test_db_name()
        if self.connection.vendor == "sqlite":
            kept = FOLDER / f"{digest()}.sqlite3"
            if kept.exists():
                self._create_test_db(0, autoclobber=True, keepdb=False)
                shutil.copyfile(kept, name)
                self.connection.close()
                self.connection.settings_dict["NAME"] = name
                self.connection.ensure_connection()
                return name
            made = migrate(self, *arguments, **options)
            self.connection.close()
            shutil.copyfile(name, kept.with_suffix(".new"))
            kept.with_suffix(".new").rename(kept)
            return made
        return copy_on_postgresql(self, name, *arguments, **options)

    def copy_on_postgresql(self: Any, name: str, *arguments: Any, **options: Any) -> str:
        kept = f"migrated_{digest()}"
        with self._nodb_cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [kept])
            exists = cursor.fetchone() is not None
        if not exists:
            made = migrate(self, *arguments, **options)
            self.connection.close()
            with self._nodb_cursor() as cursor:
                cursor.execute(f'CREATE DATABASE "{kept}" TEMPLATE "{name}"')
            return made
        with self._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
            cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{kept}"')
        self.connection.close()
        self.connection.settings_dict["NAME"] = name
        self.connection.ensure_connection()
        return name

    creation.create_test_db = create
