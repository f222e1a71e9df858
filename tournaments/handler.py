"""Django under ASGI on a few threads that stay: who writes has his own, and waits for no page.

Django's own handler gives every request a thread and goes through it several times. A hall that
looks at its telephones at once is then hundreds of threads, which share one interpreter, wait for
a handful of connections, and keep a result waiting among them. Here requests wait in two lines, in
the order in which they came, and are answered from beginning to end by one thread. When a round
ends and all tables send their results in the same moment, pages stand back for that moment.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import django
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.db import close_old_connections, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from tournaments.crowd import Way, crowd

Message = Mapping[str, Any]

READERS: Final = 3
"""Threads that answer pages."""

WRITERS: Final = 40
"""Threads of those who write, most of whom wait for each other, and without a connection: those who
wait for the same tournament are written together (`tournaments.services.together`), so all of a
round's end have to be there."""

PATIENCE: Final = 0.3
"""Seconds for which a page waits at most until nobody writes: both would be slower otherwise."""

READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Handler(ASGIHandler):
    """Django's handler, with all that it does beside the answer itself: bodies, files, streams."""

    def __init__(self) -> None:
        super().__init__()
        self.reading = threads("reading", READERS)
        self.writing = threads("writing", WRITERS)
        self.unwritten = 0
        self.is_quiet = threading.Condition()

    async def __call__(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        """Answer a request over HTTP. Raises ValueError for anything else, as Django does."""
        if scope["type"] != "http":
            raise ValueError(f"Django answers HTTP, not {scope['type']}.")
        await self.handle(scope, receive, send)

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 - Django's signature
        """Have all middleware called one by another, without a loop between them."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Wait in line, and have a thread answer."""
        assert isinstance(request, ASGIRequest)  # noqa: S101 - `request_class` says so
        if request.method in READS:
            work = self.reading.submit(self._read, request)
        else:
            way = crowd.set_out()
            with self.is_quiet:
                self.unwritten += 1
            work = self.writing.submit(self._write, request, way)
            work.add_done_callback(partial(self._written, way))
        try:
            return await asyncio.shield(asyncio.wrap_future(work))
        except asyncio.CancelledError:  # the other side has gone
            if not work.cancel():  # its turn had come: to the end, before its body is closed
                await asyncio.wrap_future(work)
            raise

    def _write(self, request: ASGIRequest, way: Way) -> HttpResponseBase:
        """Answer one that may write something."""
        with crowd.going(way):
            return self._answered(request)

    def _written(self, way: Way, _: object) -> None:
        """Count one less that wants to write, answered or gone."""
        crowd.end(way)
        with self.is_quiet:
            self.unwritten -= 1
            if not self.unwritten:
                self.is_quiet.notify_all()

    def _read(self, request: ASGIRequest) -> HttpResponseBase:
        """Let those go first who write, for a moment; then answer."""
        with self.is_quiet:
            self.is_quiet.wait_for(lambda: not self.unwritten, PATIENCE)
        return self._answered(request)

    def _answered(self, request: ASGIRequest) -> HttpResponseBase:
        """Answer, and give the thread's connections back."""
        set_script_prefix(get_script_prefix(request.scope))
        try:
            return self.get_response(request)
        finally:
            close_old_connections()


def threads(name: str, count: int) -> ThreadPoolExecutor:
    """Start so many threads now, and not when all tables send their results."""
    pool, all_there = ThreadPoolExecutor(count, thread_name_prefix=name), threading.Barrier(count)
    for _ in range(count):
        pool.submit(all_there.wait)
    return pool


def keep_all_connections() -> None:
    """Have the pool open all its connections at its first, and close none that is not used.

    A server's is slow at first, and all tables would be waiting for it.
    """
    for database in connections.settings.values():
        if pool := database["OPTIONS"].get("pool"):
            pool["min_size"] = pool["max_size"]


def get_application() -> Handler:
    """Set Django up, as `get_asgi_application` does, and return its handler."""
    django.setup(set_prefix=False)
    keep_all_connections()
    return Handler()
