"""The connections of the cache, which all threads share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.core.cache import cache, caches


def test_all_threads_share_one_pool() -> None:
    cache.set("shared", "yes")
    barrier = Barrier(2)

    def ask(_: int) -> object:
        own_cache: Any = caches["default"]
        assert own_cache.get("shared") == "yes"
        barrier.wait(30)
        return own_cache._cache._get_connection_pool(write=False)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(ask, range(2))
    assert first is second
