"""Emptying a database between tests, although it keeps its history.

Triggers forbid that an event is ever deleted. The service has no way around them; here the owner
of the tables takes the triggers off for the one transaction that empties everything.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.backends.base.operations import BaseDatabaseOperations

KEPT = ("tournaments_auditevent", "tournaments_auditcheckpoint")


def allow() -> None:
    """Have Django's flush take the triggers off and put them back."""
    plain = BaseDatabaseOperations.execute_sql_flush

    def flush(self: Any, sql_list: Iterable[str]) -> None:
        with transaction.atomic(using=self.connection.alias), without_guards(self.connection):
            plain(self, sql_list)

    BaseDatabaseOperations.execute_sql_flush = flush  # type: ignore[method-assign]


@contextmanager
def without_guards(connection: Any) -> Iterator[None]:
    """Take the triggers off, as a superuser might, and put them back."""
    take = {"sqlite": _dropped, "postgresql": _disabled}[connection.vendor]
    with take(connection):
        yield


@contextmanager
def _dropped(connection: Any) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (%s, %s)",
            KEPT,
        )
        guards = cursor.fetchall()
        for name, _ in guards:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        for _, sql in guards:
            cursor.execute(sql)


@contextmanager
def _disabled(connection: Any) -> Iterator[None]:
    tables = [table for table in KEPT if table in connection.introspection.table_names()]
    with connection.cursor() as cursor:
        connection.check_constraints()  # what waits for the commit would hold the tables
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield
        connection.check_constraints()
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
