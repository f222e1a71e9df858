"""Remembering what was computed, when the cache is there to remember it."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from redis.exceptions import RedisError

logger = logging.getLogger("tournaments.queries.cached")

Value = TypeVar("Value")


def remembered(key: str, compute: Callable[[], Value], *, seconds: int | None = None) -> Value:
    """Return what is kept under ``key``, or compute it and keep it for so many seconds.

    A cache that does not answer costs time, never an answer.
    """
    value: Value | None = recall(key)
    if value is None:
        value = compute()
        keep(key, value, seconds=seconds)
    return value


def recall(key: str) -> Any:
    """Return what is kept under ``key``; None when nothing is, or the cache does not answer."""
    try:
        return cache.get(key)
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)
        return None


def keep(key: str, value: object, *, seconds: int | None = None) -> None:
    """Keep something under ``key`` for so many seconds, if the cache answers."""
    try:
        cache.set(key, value, timeout=DEFAULT_TIMEOUT if seconds is None else seconds)
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)


def is_first(key: str, seconds: int) -> bool:
    """Tell whether nobody has asked this for ``key`` for so long; so when nobody can tell."""
    try:
        return bool(cache.add(key, 1, timeout=seconds))
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)
        return True
