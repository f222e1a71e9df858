"""The service with one address that takes its time: a request under way when the server reloads."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from tournaments.asgi import application as service

SECONDS = 6.0


async def application(
    scope: MutableMapping[str, Any],
    receive: Callable[[], Awaitable[Mapping[str, Any]]],
    send: Callable[[Mapping[str, Any]], Awaitable[None]],
) -> None:
    """Answer `/slowly/` with the number of the process, in two pieces; all else as the service."""
    if scope["type"] != "http" or scope["path"] != "/slowly/":
        await service(dict(scope), receive, send)
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"begun ", "more_body": True})
    await asyncio.sleep(SECONDS)
    await send({"type": "http.response.body", "body": str(os.getpid()).encode()})
