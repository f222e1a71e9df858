"""Doing something again that the database could not let through just then.

Two transactions that want each other's rows, a lock that others hold for too long, a file that is
being written: nothing of it was done, and a moment later it will be. What the doors ask for is then
done anew from its beginning, in new transactions. That is safe because a verb has no effect outside
its transaction before the commit: jobs are posted and answers sent afterwards.

A connection that was lost is another matter: whether the commit came through is not known, so
nobody but the sender may say that it be done again (under an idempotency key).
"""

from __future__ import annotations

import logging
import random
import sqlite3
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final, TypeVar

from django.db import OperationalError

from tournaments.core.metrics import UNDONE

if TYPE_CHECKING:
    from collections.abc import Callable

Done = TypeVar("Done")

RETRIES: Final = 3
PATIENCE: Final = 10.0
"""Seconds after which nothing is begun again."""

FIRST_PAUSE: Final = 0.05
"""Seconds at most before the first retry; each further one may wait twice as long."""

PASSING: Final = frozenset({"40001", "40P01", "55P03"})
"""PostgreSQL's codes: not serializable, deadlock, lock not available within `lock_timeout`."""

BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

log = logging.getLogger("tournaments.again")
chance = random.Random()  # noqa: S311 - no secret: those who met are not to meet again


def is_passing(error: BaseException) -> bool:
    """Tell whether the database undid a transaction that may succeed when it is tried again."""
    cause = error.__cause__ or error
    if getattr(cause, "sqlstate", None) in PASSING:
        return True
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF in BUSY


def again(act: Callable[[], Done], *, rewind: Callable[[], object] = lambda: None) -> Done:
    """Do something, up to three times more when the database says that it may try again.

    ``rewind`` is called before each further attempt. Raises what the last attempt raised.
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
