"""The test database as it was, again and again: for tests that commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Self

from django.db import connection, connections

Copy = Callable[[str, str], None]


class Snapshot:
    """A copy of the test database, to which it goes back without being filled again."""

    def __init__(self) -> None:
        self.name = str(connection.settings_dict["NAME"])
        self.copy = f"{self.name}_copy"

    def __enter__(self) -> Self:
        with alone() as run:
            run(self.name, self.copy)
        return self

    def __exit__(self, *_: object) -> None:
        if connection.vendor == "sqlite":
            Path(self.copy).unlink()
            return
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{self.copy}"')

    def restore(self) -> None:
        """Take the database back to the copy."""
        with alone() as run:
            run(self.copy, self.name)


@contextmanager
def alone() -> Iterator[Copy]:
    """Give what copies one database over another while nobody is connected to them."""
    connections.close_all()
    if connection.vendor == "sqlite":
        yield copy_file
        return
    connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's alone
    with connection._nodb_cursor() as cursor:

        def copy_database(one: str, other: str) -> None:
            # A thread of an earlier test may have left its connection open.
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = %s AND pid <> pg_backend_pid()",
                [one],
            )
            cursor.execute(f'DROP DATABASE IF EXISTS "{other}" WITH (FORCE)')
            cursor.execute(f'CREATE DATABASE "{other}" TEMPLATE "{one}"')

        yield copy_database


def copy_file(one: str, other: str) -> None:
    """Copy a file of SQLite over another, by SQLite's own means."""
    with closing(sqlite3.connect(one)) as source, closing(sqlite3.connect(other)) as target:
        source.backup(target)
