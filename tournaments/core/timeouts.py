"""Keeps PostgreSQL's timeouts as settings of the role, which a connection pooler cannot drop.

As start-up options of a connection they do not pass pgbouncer in transaction mode, which refuses
the connection or, with `ignore_startup_parameters = options`, forgets them.
"""

from typing import Any

from django.db import connection, connections

from tournaments.environment import TIMEOUTS


def store_timeouts(using: str, **_: Any) -> None:
    """Set the timeouts for our role in this database: a receiver of `post_migrate`.

    They hold for new connections, so ours are closed when a value was changed.
    """
    database = connections[using]
    if database.vendor != "postgresql":
        return
    quote = database.ops.quote_name
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT unnest(setconfig) FROM pg_db_role_setting"
            " JOIN pg_roles ON pg_roles.oid = setrole"
            " JOIN pg_database ON pg_database.oid = setdatabase"
            " WHERE rolname = session_user AND datname = current_database()"
        )
        stored = {row[0] for row in cursor.fetchall()}
        wanted = {name: seconds * 1000 for name, seconds in TIMEOUTS.items()}
        missing = {name: ms for name, ms in wanted.items() if f"{name}={ms}" not in stored}
        cursor.execute("SELECT current_database()")
        place = f"ROLE SESSION_USER IN DATABASE {quote(cursor.fetchone()[0])}"
        for name, milliseconds in missing.items():
            cursor.execute(f"ALTER {place} SET {quote(name)} = {milliseconds}")
    if missing and not database.in_atomic_block:
        database.close()
        database.close_pool()  # type: ignore[attr-defined]


def missing_timeouts() -> list[str]:
    """Return the names of the timeouts that are off on this connection to PostgreSQL."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM pg_settings WHERE setting = '0' AND name = ANY(%s) ORDER BY name",
            [list(TIMEOUTS)],
        )
        return [row[0] for row in cursor.fetchall()]
