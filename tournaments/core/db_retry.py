"""Retries a transaction after a serialization failure, deadlock or lock timeout.

The database has undone the transaction, and a moment later it may succeed, so the whole request is
carried out again in new transactions. That is safe because a verb has no effect outside its
transaction before the commit: jobs are posted and answers sent afterwards.

A lost connection is not retried: whether the commit came through is not known, so only the client
may repeat the request (under an idempotency key).
"""

import logging
import random
import sqlite3
from collections.abc import Callable
from time import monotonic, sleep
from typing import Final, TypeVar

from django.db import OperationalError

from tournaments.core.metrics import UNDONE

Done = TypeVar("Done")

RETRIES: Final = 3
PATIENCE: Final = 10.0
"""Seconds after which nothing is retried."""

FIRST_PAUSE: Final = 0.05
"""Seconds before the first retry, at most; the limit doubles with each further one."""

PASSING: Final = frozenset({"40001", "40P01", "55P03"})
"""PostgreSQL's codes: not serializable, deadlock, lock not available within `lock_timeout`."""

BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})  # primary result codes

# The name of an earlier module: installations filter by it.
log = logging.getLogger("tournaments.again")
chance = random.Random()  # noqa: S311 - no secret: spreads the retries of transactions that met


def is_passing(error: BaseException) -> bool:
    """Return whether the database undid a transaction that may succeed when it is retried."""
    cause = error.__cause__ or error
    if getattr(cause, "sqlstate", None) in PASSING:
        return True
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF in BUSY


def retry_transaction(
    act: Callable[[], Done], *, rewind: Callable[[], object] = lambda: None
) -> Done:
    """Call ``act``, and up to three times more while the database reports a passing error.

    ``rewind`` is called before each further attempt. Raises the exception of the last attempt.
    """
    began = monotonic()
    for attempt in range(RETRIES):
        try:
            return act()
        except OperationalError as error:
            if not is_passing(error) or monotonic() - began > PATIENCE:
                raise
            UNDONE.inc()
            log.warning("Once more, after %s", str(error).partition("\n")[0])
        sleep(FIRST_PAUSE * 2**attempt * (0.5 + chance.random() / 2))
        rewind()
    return act()
