"""Wraps Django's cache so that a cache that does not answer never fails a request."""

import logging
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from redis import ConnectionPool
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

SOURCE_SUFFIXES: Final = frozenset({".py", ".html", ".txt", ".mo", ".css", ".js"})

Value = TypeVar("Value")


def get_or_compute(key: str, compute: Callable[[], Value], *, seconds: int | None = None) -> Value:
    """Return the cached value of ``key``, or compute it and cache it for ``seconds``.

    A cache that does not answer costs time, never an error.
    """
    value: Value | None = get_cached(key)
    if value is None:
        value = compute()
        set_cached(key, value, seconds=seconds)
    return value


def get_cached(key: str) -> Any:
    """Return the cached value of ``key``; None without one, or when the cache does not answer."""
    try:
        return cache.get(key)
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)
        return None


def get_many_cached(keys: Iterable[str]) -> dict[str, Any]:
    """Return the cached values of keys in one request; of those that are not cached, nothing."""
    try:
        return dict(cache.get_many(keys))
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)
        return {}


def set_cached(key: str, value: object, *, seconds: int | None = None) -> None:
    """Cache a value under ``key`` for ``seconds``, if the cache answers."""
    try:
        cache.set(key, value, timeout=DEFAULT_TIMEOUT if seconds is None else seconds)
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)


def is_first(key: str, seconds: int) -> bool:
    """Return whether ``key`` was not asked for within ``seconds``; True without a cache."""
    try:
        return bool(cache.add(key, 1, timeout=seconds))
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)
        return True


def make_key(key: str, prefix: str, version: int) -> str:
    """Return the key of a cached value, which belongs to this release alone (`KEY_FUNCTION`).

    Rows are pickled and pages name files of their release: another one would read them wrongly.
    """
    return f"{prefix}:{version}:{code_digest(settings.BASE_DIR)}:{key}"


@lru_cache
def code_digest(root: Path) -> str:
    """Return a digest of the programs, templates and messages below a folder."""
    digest = blake2b(digest_size=6)
    for folder in ("engine", "tournaments", "templates"):
        for path in sorted(root.joinpath(folder).rglob("*")):
            if path.suffix in SOURCE_SUFFIXES:
                digest.update(path.read_bytes())
    return digest.hexdigest()


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
