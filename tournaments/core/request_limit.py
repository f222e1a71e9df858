"""Limits how many requests a web process works on at once; the others wait in order."""

import asyncio
from collections.abc import Awaitable, Callable

from asgiref.sync import markcoroutinefunction, sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class RequestLimit:
    """The outermost middleware under ASGI: gives `settings.REQUESTS_AT_ONCE` requests a slot each.

    Django reads the body before it calls the middleware and sends the answer afterwards, so a slow
    network holds no slot. All other middleware is synchronous and runs with the view in the one
    thread that Django has for the request.
    """

    sync_capable = False
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        self.slots = asyncio.Semaphore(settings.REQUESTS_AT_ONCE)
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Wait for a slot, then answer."""
        async with self.slots:
            try:
                return await self.get_response(request)
            finally:
                # Django does so only once the answer has been sent: a few slow clients would hold
                # all connections of the pool. This runs in the request's own thread, so the slot of
                # a request whose client has gone stays taken until its view has returned.
                await sync_to_async(close_old_connections)()
