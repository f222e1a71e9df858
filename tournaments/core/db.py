"""Reads single rows, retries transactions, keeps PostgreSQL's timeouts, refuses damaged files."""

import contextlib
import errno
import logging
import random
import sqlite3
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection, connections
from django.db.models import Model, QuerySet

from tournaments.core.metrics import RETRIED_TRANSACTIONS
from tournaments.environment import TIMEOUTS

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound=Model)
FrozenRow = TypeVar("FrozenRow", bound="DataclassInstance")


def one_or_none(rows: QuerySet[Row]) -> Row | None:
    """Return the row of a query that finds one at most.

    Unlike ``first`` it does not sort: ordering a row with many columns costs more than reading it.
    """
    return next(iter(rows.order_by()), None)


def row_of(kind: type[FrozenRow], source: object, /, **values: Any) -> FrozenRow:
    """Return a row of a dataclass, filled with the attributes of ``source`` of the same names.

    Fields in ``values`` are not read from ``source``. mypy does not see the others: tests do.
    """
    names = [field.name for field in fields(kind) if field.name not in values]
    return kind(**{name: getattr(source, name) for name in names}, **values)


# --- Retries --------------------------------------------------------------------------------------
# A transaction is retried after a serialization failure, deadlock or lock timeout.
#
# The database has undone the transaction, and a moment later it may succeed, so the whole request
# is carried out again in new transactions. That is safe because a verb has no effect outside its
# transaction before the commit: jobs are posted and answers sent afterwards.
#
# A lost connection is not retried: whether the commit came through is not known, so only the client
# may repeat the request (under an idempotency key).


Value = TypeVar("Value")

RETRIES: Final = 3
MAX_RETRY_SECONDS: Final = 10.0
"""Seconds after which nothing is retried."""

FIRST_PAUSE: Final = 0.05
"""Seconds before the first retry, at most; the limit doubles with each further one."""

TRANSIENT_SQLSTATES: Final = frozenset({"40001", "40P01", "55P03"})
"""PostgreSQL's codes: not serializable, deadlock, lock not available within `lock_timeout`."""

DISK_FULL_SQLSTATE: Final = "53100"
"""PostgreSQL's code for a full disk."""

SQLITE_BUSY_CODES: Final = frozenset(
    {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
)  # primary result codes

log = logging.getLogger(__name__)
chance = random.Random()  # noqa: S311 - no secret: spreads the retries of transactions that met


def is_transient(error: BaseException) -> bool:
    """Return whether the database undid a transaction that may succeed when it is retried."""
    cause = error.__cause__ or error
    if getattr(cause, "sqlstate", None) in TRANSIENT_SQLSTATES:
        return True
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_BUSY_CODES


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether something could not be written because the disk is full."""
    cause = error.__cause__ or error if error else None
    if getattr(cause, "sqlstate", None) == DISK_FULL_SQLSTATE:
        return True
    if isinstance(cause, OSError) and cause.errno == errno.ENOSPC:
        return True
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL


def retry_transaction(
    action: Callable[[], Value], *, rewind: Callable[[], object] = lambda: None
) -> Value:
    """Call ``action``, and up to three times more while the database reports a transient error.

    ``rewind`` is called before each further attempt. Raises the exception of the last attempt.
    """
    start = monotonic()
    for attempt in range(RETRIES):
        try:
            return action()
        except OperationalError as error:
            if not is_transient(error) or monotonic() - start > MAX_RETRY_SECONDS:
                raise
            RETRIED_TRANSACTIONS.inc()
            log.warning("Once more, after %s", str(error).partition("\n")[0])
        sleep(FIRST_PAUSE * 2**attempt * (0.5 + chance.random() / 2))
        rewind()
    return action()


# --- Timeouts -------------------------------------------------------------------------------------
# PostgreSQL's timeouts are settings of the role, which a connection pooler cannot drop. As start-up
# options of a connection they do not pass pgbouncer in transaction mode, which refuses the
# connection or, with `ignore_startup_parameters = options`, forgets them.


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
        timeouts = {name: seconds * 1000 for name, seconds in TIMEOUTS.items()}
        missing = {name: ms for name, ms in timeouts.items() if f"{name}={ms}" not in stored}
        cursor.execute("SELECT current_database()")
        target = f"ROLE SESSION_USER IN DATABASE {quote(cursor.fetchone()[0])}"
        for name, milliseconds in missing.items():
            cursor.execute(f"ALTER {target} SET {quote(name)} = {milliseconds}")
    if missing and not database.in_atomic_block:
        database.close()
        database.close_pool()  # type: ignore[attr-defined]


def missing_timeouts() -> list[str]:
    """Return the names of the timeouts that are off on this connection to PostgreSQL.

    Asked of its catalogue, which has no model.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM pg_settings WHERE setting = '0' AND name = ANY(%s) ORDER BY name",
            [list(TIMEOUTS)],
        )
        return [row[0] for row in cursor.fetchall()]


# --- Damaged files --------------------------------------------------------------------------------


DAMAGED_FILE_ADVICE = (
    "Do not go on writing to it: restore a backup"
    " (docs/operators/runbook.md, A damaged SQLite file)."
)


def refuse_damaged_database() -> None:
    """Raise ImproperlyConfigured that names the first damaged place of the SQLite file.

    `PRAGMA quick_check` reads the whole file, some 500 MB a second; SQLite itself reports the
    damage only at the first statement that reads it, in the middle of an evening.
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
            return  # locked, or no permission: the first query reports that
        fault = str(error)
    except sqlite3.DatabaseError as error:
        fault = str(error)
    if fault != "ok":
        fault = " ".join(fault.split())
        raise ImproperlyConfigured(
            f"the database {path} is damaged: {fault}. {DAMAGED_FILE_ADVICE}"
        )


def replace_unstorable(text: str) -> str:
    """Return a program's output without characters that a database cannot store."""
    return text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
