"""The connections of the cache, which all threads share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.core.cache import cache, caches


def test_all_threads_share_one_pool() -> None:
    cache.set("shared", "yes")
    both = Barrier(2)

    def ask(_: int) -> object:
        own: Any = caches["default"]
        assert own.get("shared") == "yes"
        both.wait(30)
        return own._cache._get_connection_pool(write=False)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(ask, range(2))
    assert first is second
