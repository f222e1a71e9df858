"""Counting the queries of a page, and keeping it to rows."""

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

Page = TypeVar("Page")


def count_queries(read: Callable[[], Page]) -> tuple[Page, int]:
    """Return a page and how many queries it took, nothing being cached."""
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        page = read()
    return page, len(queries)


def again(read: Callable[[], Page]) -> int:
    """Return how many queries a page takes when it has been read before."""
    with CaptureQueriesContext(connection) as queries:
        read()
    return len(queries)
