"""Remembering what was computed, when the cache is there to remember it."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

Value = TypeVar("Value")


def remembered(key: str, compute: Callable[[], Value]) -> Value:
    """Return what is kept under ``key``, or compute and keep it.

    A cache that does not answer costs time, never an answer.
    """
    value: Value | None = recall(key)
    if value is None:
        value = compute()
        keep(key, value)
    return value


def recall(key: str) -> Any:
    """Return what is kept under ``key``; None when nothing is, or the cache does not answer."""
    try:
        return cache.get(key)
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)
        return None


def keep(key: str, value: object) -> None:
    """Keep something under ``key`` for a while, if the cache answers."""
    try:
        cache.set(key, value)
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)


def is_first(key: str, seconds: int) -> bool:
    """Tell whether nobody has asked this for ``key`` for so long; so when nobody can tell."""
    try:
        return bool(cache.add(key, 1, timeout=seconds))
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)
        return True
