"""One Redis connection pool for all threads of a process."""

from functools import lru_cache
from typing import Any

from redis import ConnectionPool


class SharedPool:
    """The pool class of Django's cache (`OPTIONS["pool_class"]`), shared by all threads.

    Django makes a pool for each thread, and under ASGI each request has a thread of its own: a new
    connection for each costs 1.7 ms of processor, beside the 0.15 ms of the query.
    """

    @staticmethod
    @lru_cache
    def from_url(url: str, **options: Any) -> ConnectionPool:
        """Return the pool of an address."""
        return ConnectionPool.from_url(url, **options)
