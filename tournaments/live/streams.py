"""Streams of server-sent events: an ASGI application around Django's.

Django answers a request on a thread, which it holds until the answer is complete. So the request
goes to Django first, with all its middleware, tokens, quotas and refusals: its view gives a stream
(:class:`EventStream`, :class:`VersionStream`) to :meth:`StreamRequest.open` and returns. Only then
is the stream sent, as a task of the event loop, without a thread or a database connection.
"""

import asyncio
import contextlib
import json
import logging
import signal
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType
from typing import Any, ClassVar, Final

from django.db import DatabaseError

from tournaments.core.errors import Reason, Refusal
from tournaments.core.metrics import STREAMS
from tournaments.domain.feed import PublicEvent
from tournaments.live.queries.feed import Feed, token_of
from tournaments.live.serializers import LiveEvent
from tournaments.live.topics import Topic, Topics

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

SCOPE_KEY: Final = "baza.stream_request"
"""The key of the ASGI scope under which a view finds its :class:`StreamRequest`."""

SSE, NDJSON = "text/event-stream", "application/x-ndjson"
RETRY_MILLISECONDS: Final = 2000  # milliseconds after which a browser connects again
MAX_STREAMS: Final = 1000  # open streams in a process
MAX_STREAMS_PER_ADDRESS: Final = 200
"""Open streams in a process from one address, one router's phones (docs/operators/limits.md)."""

KEEP_ALIVE: Final = 15.0
"""Seconds of silence after which a heartbeat is sent, and seconds between two checks of whether
the reader of a private feed still has the right to it."""

VERSION_INTERVAL: Final = 3.0
"""Seconds: a page is sent at most one version in each such interval of the clock. At the end of a
round there are four results a second, and every open page would poll for each.
"""

MAX_DURATION: Final = 600.0
"""Seconds after which a stream ends, and the client connects again: no deploy waits longer."""

log = logging.getLogger(__name__)
RETRY_AFTER: Final = "10"  # seconds, when a limit of streams is reached


@dataclass(frozen=True, slots=True)
class EventStream:
    """The events of a feed after a number, as server-sent events or as lines of JSON.

    ``root`` is the API's address. ``may`` asks the database whether the reader still has the right
    to the feed; None where everybody has.
    """

    feed: Feed
    after: int
    kind: str
    root: str
    may: Callable[[], bool] | None = None
    interval: ClassVar = 0.0

    def opening(self) -> bytes:
        """Return the first bytes of the answer."""
        return f"retry: {RETRY_MILLISECONDS}\n\n".encode() if self.kind == SSE else b"\n"

    def heartbeat(self, _feed: Feed) -> bytes:
        """Return the bytes that are sent after a silence."""
        return b":\n\n" if self.kind == SSE else b"\n"

    def serialize(self, event: PublicEvent) -> bytes:
        """Return an event as it is sent."""
        return _serialize_event(self.feed.tournament, self.feed.slug, self.root, event, self.kind)

    async def updates(self, topics: Topics, topic: Topic, position: int) -> tuple[bytes, int]:
        """Return the events after a number as they are sent, and the number that they reach."""
        events, position = await topics.after(topic, position)
        return b"".join(map(self.serialize, events)), position

    def is_behind(self, feed: Feed, position: int) -> bool:
        """Return whether there is more to read after a number."""
        return position < feed.last


@dataclass(frozen=True, slots=True)
class VersionStream:
    """The version of a tournament, for its open pages.

    The heartbeat is the version again, as an event and not as a comment: it shows a page's script
    that the stream is alive, and the script polls when it is not (`js/live.js`).
    """

    feed: Feed
    may: Callable[[], bool] | None = None
    interval: ClassVar = VERSION_INTERVAL

    @property
    def after(self) -> int:
        """The version that is sent first."""
        return self.feed.version

    def opening(self) -> bytes:
        """Return the first bytes of the answer."""
        return f"retry: {RETRY_MILLISECONDS}\n\n".encode() + _serialize_version(self.feed.version)

    def heartbeat(self, feed: Feed) -> bytes:
        """Return the bytes that are sent after a silence."""
        return _serialize_version(feed.version)

    async def updates(self, _topics: Topics, topic: Topic, position: int) -> tuple[bytes, int]:
        """Return the version if it differs from ``position``."""
        version = topic.feed.version
        return b"" if version == position else _serialize_version(version), version

    def is_behind(self, _feed: Feed, _reached: int) -> bool:
        """Return False: a version leaves nothing to read."""
        return False


def _serialize_version(version: int) -> bytes:
    return f"id: {version}\ndata: {version}\n\n".encode()


def event_dict(feed: Feed, root: str, event: PublicEvent) -> dict[str, Any]:
    """Return an event as the API answers it."""
    return _event_dict(feed.tournament, feed.slug, root, event)


def _event_dict(tournament: int, slug: str, root: str, event: PublicEvent) -> dict[str, Any]:
    places = {
        "tournament": f"tournaments/{slug}/",
        "round": f"tournaments/{slug}/rounds/{event.id}/",
        "entry": f"tournaments/{slug}/entries/",
        "match": f"matches/{event.id}/",
    }
    return {
        "token": token_of(tournament, event.sequence),
        "type": event.type,
        "at": event.at,
        "subject": {"kind": event.kind, "id": event.id, "url": root + places[event.kind]},
        "standings": event.standings,
    }


@lru_cache(maxsize=2048)
def _serialize_event(tournament: int, slug: str, root: str, event: PublicEvent, kind: str) -> bytes:
    data = LiveEvent(_event_dict(tournament, slug, root, event)).data
    line = json.dumps(data, separators=(",", ":"))
    return (f"id: {data['token']}\ndata: {line}\n\n" if kind == SSE else f"{line}\n").encode()


class StreamLimit:
    """Counts open streams, in all and from each address. Views call it from any thread."""

    def __init__(
        self, total: int = MAX_STREAMS, per_address: int = MAX_STREAMS_PER_ADDRESS
    ) -> None:
        self.total, self.per_address = total, per_address
        self.open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def acquire(self, address: str) -> None:
        """Count a stream. Refuses TOO_MANY_STREAMS, and THROTTLED for too many of one address."""
        headers = {"Retry-After": RETRY_AFTER}
        with self._lock:
            if self.open[address] >= self.per_address:
                raise Refusal(Reason.THROTTLED, headers=headers, seconds=RETRY_AFTER)
            if self.open.total() >= self.total:
                raise Refusal(Reason.TOO_MANY_STREAMS, headers=headers)
            self.open[address] += 1
            STREAMS.inc()

    def release(self, address: str) -> None:
        """Stop counting a stream."""
        with self._lock:
            self.open[address] -= 1
            STREAMS.dec()
            self.open += Counter()  # drops addresses without streams


@dataclass(slots=True)
class StreamRequest:
    """A request to which a view may answer with a stream; the view finds it in the ASGI scope."""

    limit: StreamLimit
    stream: EventStream | VersionStream | None = None
    addresses: list[str] = field(default_factory=list)

    def open(self, stream: EventStream | VersionStream, address: str) -> None:
        """Send a stream once the view has returned. Refuses as :meth:`StreamLimit.acquire`."""
        self.limit.acquire(address)
        self.addresses.append(address)
        self.stream = stream

    def close(self) -> None:
        """Release what was acquired, sent or not."""
        for address in self.addresses:
            self.limit.release(address)


class Streams:
    """An ASGI application around Django's that sends the streams its views open."""

    def __init__(
        self,
        application: Application,
        *,
        topics: Topics | None = None,
        limit: StreamLimit | None = None,
        keep_alive: float = KEEP_ALIVE,
        max_duration: float = MAX_DURATION,
    ) -> None:
        self.application = application
        self.topics = topics or Topics()
        self.limit = limit or StreamLimit()
        self.keep_alive, self.max_duration = keep_alive, max_duration
        self._handles_sigterm = self._is_ending = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have Django answer; if its view has opened a stream, send it."""
        self._handle_sigterm()
        if scope["type"] != "http" or not scope["path"].endswith("/events/stream/"):
            await self.application(scope, receive, send)
            return
        request = StreamRequest(self.limit)
        heads: list[Message] = []

        async def send_or_keep(message: Message) -> None:
            if request.stream is None:
                await send(message)
            elif message["type"] == "http.response.start":
                heads.append(message)

        try:
            await self.application({**scope, SCOPE_KEY: request}, receive, send_or_keep)
            if request.stream is not None and heads:
                headers = [
                    (name, value)
                    for name, value in heads[0]["headers"]
                    if name.lower() != b"content-length"
                ]
                await send({**heads[0], "headers": headers})
                await self._send_until_closed(request.stream, receive, send)
        finally:
            request.close()

    async def _send_until_closed(
        self, stream: EventStream | VersionStream, receive: Receive, send: Send
    ) -> None:
        """Send a stream until it ends or the client disconnects."""
        sending = asyncio.create_task(self._send(stream, send))
        disconnected = asyncio.create_task(_wait_for_disconnect(receive))
        try:
            await asyncio.wait({sending, disconnected}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            disconnected.cancel()
            sending.cancel()
            try:
                await sending
            except DatabaseError as error:
                log.warning("A stream ends, as the database does not answer: %s", error)
            except asyncio.CancelledError:
                pass  # cancelled by the line above

    async def _send(self, stream: EventStream | VersionStream, send: Send) -> None:
        async def write(body: bytes, *, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": body, "more_body": more})

        await write(stream.opening())
        with self.topics.follow(stream.feed) as topic:
            async for piece in self._pieces(stream, topic):
                await write(piece)
        await write(b"", more=False)

    def _handle_sigterm(self) -> None:
        """End all streams on SIGTERM: a server that stops waits for the answers it has begun.

        Also streams that begin later, whose requests were accepted before. The server's own handler
        stays in use: asyncio gets every signal through its wakeup file descriptor.
        """
        if self._handles_sigterm:
            return
        before = signal.getsignal(signal.SIGTERM)
        is_main = threading.current_thread() is threading.main_thread()
        if not (is_main and callable(before)):
            return
        self._handles_sigterm = True
        loop = asyncio.get_running_loop()

        def handle(number: int, frame: FrameType | None) -> None:
            self._is_ending = True
            loop.call_soon_threadsafe(self.topics.end)
            before(number, frame)

        signal.signal(signal.SIGTERM, handle)

    async def _pieces(
        self, stream: EventStream | VersionStream, topic: Topic
    ) -> AsyncIterator[bytes]:
        """Yield updates as they come, and heartbeats between them, until the stream has to end."""
        loop = asyncio.get_running_loop()
        end, position = loop.time() + self.max_duration, stream.after
        checked = loop.time()
        while not (topic.is_over or self._is_ending) and (seconds_left := end - loop.time()) > 0:
            if loop.time() - checked >= self.keep_alive:
                checked = loop.time()
                if not await self._has_right(stream):
                    return
            changed = topic.changed
            body, position = await stream.updates(self.topics, topic, position)
            if body:
                yield body
                await self._wait_for_interval(topic, stream.interval)
            elif not stream.is_behind(topic.feed, position):
                try:
                    await asyncio.wait_for(changed.wait(), min(self.keep_alive, seconds_left))
                except TimeoutError:
                    yield stream.heartbeat(topic.feed)

    async def _wait_for_interval(self, topic: Topic, seconds: float) -> None:
        """Wait until the next interval of the clock begins, unless the stream has to end.

        The intervals of all processes are the same, so all pages get the same version, which is
        rendered once.
        """
        if not seconds:
            return
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds - time.time() % seconds
        while not (topic.is_over or self._is_ending) and (seconds_left := end - loop.time()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(topic.changed.wait(), seconds_left)

    async def _has_right(self, stream: EventStream | VersionStream) -> bool:
        """Return whether the reader may still read the feed.

        Without a database there are no updates, so the stream may go on.
        """
        if stream.may is None:
            return True
        try:
            return await self.topics.read(stream.may)
        except DatabaseError as error:
            log.warning("The right to a stream is not checked: %s", error)
            return True


async def _wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
