"""Remembering what was computed, when the cache is there to remember it."""

import logging
from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

Value = TypeVar("Value")


def remembered(key: str, compute: Callable[[], Value]) -> Value:
    """Return what is kept under ``key``, or compute and keep it.

    A cache that does not answer costs time, never an answer.
    """
    try:
        value: Value | None = cache.get(key)
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)
        return compute()
    if value is not None:
        return value
    value = compute()
    try:
        cache.set(key, value)
    except RedisError as error:
        logger.warning("the cache does not answer (%s)", error)
    return value
