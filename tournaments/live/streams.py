"""Streams that stay open: the one part of the service that waits, and holds nothing while it does.

Django answers a request on a thread, which stays with it until the answer is complete. So Django is
asked first, with all its middleware, tokens, quotas and refusals: its view says who follows what
(:class:`Following`) and is done. Only then is the stream sent, as a task of the event loop.
"""

import asyncio
import json
import logging
import signal
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType
from typing import Any, Final

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

ENTRANCE: Final = "baza.entrance"
"""Where a view finds, in the scope of its request, whom to tell that a stream is to follow."""

SSE, LINES = "text/event-stream", "application/x-ndjson"
RETRY: Final = 2000  # milliseconds after which a browser comes back
MOST: Final = 1000
"""Streams at a time in a process."""

MOST_AN_ADDRESS: Final = 200
"""Streams at a time from one address: a hall full of people behind one router (docs/limits.md)."""

KEEP_ALIVE: Final = 15.0
"""Seconds of silence after which a stream says that it is there; and after which who follows what
is not for everybody is asked again whether he may."""

LONGEST: Final = 600.0
"""Seconds after which a stream ends, to be taken up again: no deploy waits for it longer."""

log = logging.getLogger("tournaments.api.streams")
FULL: Final = "10"  # seconds to wait, when there is no place for another stream


@dataclass(frozen=True, slots=True)
class Following:
    """Somebody follows a feed after a number, in one of the two forms; ``root`` is the API's.

    ``may`` asks the database whether he still may; nothing where everybody may.
    """

    feed: Feed
    after: int
    kind: str
    root: str
    may: Callable[[], bool] | None = None

    def begun(self) -> bytes:
        """Return what comes first."""
        return f"retry: {RETRY}\n\n".encode() if self.kind == SSE else b"\n"

    def still_here(self, _feed: Feed) -> bytes:
        """Return what is sent in silence."""
        return b":\n\n" if self.kind == SSE else b"\n"

    def written(self, event: PublicEvent) -> bytes:
        """Return an event as it is sent."""
        return _serialize_event(self.feed.tournament, self.feed.slug, self.root, event, self.kind)

    async def news(self, topics: Topics, topic: Topic, reached: int) -> tuple[bytes, int]:
        """Return the events after a number as they are sent, and the number that they reach."""
        events, reached = await topics.after(topic, reached)
        return b"".join(map(self.written, events)), reached

    def is_behind(self, feed: Feed, reached: int) -> bool:
        """Return whether there is more to read after a number."""
        return reached < feed.last


@dataclass(frozen=True, slots=True)
class PageFollowing:
    """A page follows the version of its tournament, which is all that is sent.

    In silence it is sent again, as an event and not as a comment: so a page's script knows that the
    stream is alive, and polls when it is not (`js/live.js`).
    """

    feed: Feed
    may: Callable[[], bool] | None = None

    @property
    def after(self) -> int:
        """The version that is sent first."""
        return self.feed.version

    def begun(self) -> bytes:
        """Return what comes first."""
        return f"retry: {RETRY}\n\n".encode() + _serialize_version(self.feed.version)

    def still_here(self, feed: Feed) -> bytes:
        """Return what is sent in silence."""
        return _serialize_version(feed.version)

    async def news(self, _topics: Topics, topic: Topic, reached: int) -> tuple[bytes, int]:
        """Return the version if it is not the one that was ``reached``."""
        version = topic.feed.version
        return b"" if version == reached else _serialize_version(version), version

    def is_behind(self, _feed: Feed, _reached: int) -> bool:
        """Return False: a version leaves nothing to read."""
        return False


AnyFollowing = Following | PageFollowing


def _serialize_version(version: int) -> bytes:
    return f"id: {version}\ndata: {version}\n\n".encode()


def event_shape(feed: Feed, root: str, event: PublicEvent) -> dict[str, Any]:
    """Return an event as the API tells it."""
    return _event_shape(feed.tournament, feed.slug, root, event)


def _event_shape(tournament: int, slug: str, root: str, event: PublicEvent) -> dict[str, Any]:
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
    said = LiveEvent(_event_shape(tournament, slug, root, event)).data
    line = json.dumps(said, separators=(",", ":"))
    return (f"id: {said['token']}\ndata: {line}\n\n" if kind == SSE else f"{line}\n").encode()


class Seats:
    """How many streams there are, in all and from each address. Views take seats on any thread."""

    def __init__(self, most: int = MOST, most_an_address: int = MOST_AN_ADDRESS) -> None:
        self.most, self.most_an_address = most, most_an_address
        self.taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, address: str) -> None:
        """Take a seat. Refuses TOO_MANY_STREAMS, and THROTTLED for too many of one address."""
        headers = {"Retry-After": FULL}
        with self._lock:
            if self.taken[address] >= self.most_an_address:
                raise Refusal(Reason.THROTTLED, headers=headers, seconds=FULL)
            if self.taken.total() >= self.most:
                raise Refusal(Reason.TOO_MANY_STREAMS, headers=headers)
            self.taken[address] += 1
            STREAMS.inc()

    def leave(self, address: str) -> None:
        """Give a seat back."""
        with self._lock:
            self.taken[address] -= 1
            STREAMS.dec()
            self.taken += Counter()  # whoever has none is forgotten


@dataclass(slots=True)
class Entrance:
    """What a view and the stream that comes after it have in common."""

    seats: Seats
    following: AnyFollowing | None = None
    addresses: list[str] = field(default_factory=list)

    def let_in(self, following: AnyFollowing, address: str) -> None:
        """Have the stream sent when the view has answered; refuses as :meth:`Seats.take`."""
        self.seats.take(address)
        self.addresses.append(address)
        self.following = following

    def leave(self) -> None:
        """Give back what was taken, sent or not."""
        for address in self.addresses:
            self.seats.leave(address)


class Streams:
    """An ASGI application around Django's: sends the streams that its views let in."""

    def __init__(
        self,
        application: Application,
        *,
        topics: Topics | None = None,
        seats: Seats | None = None,
        keep_alive: float = KEEP_ALIVE,
        longest: float = LONGEST,
    ) -> None:
        self.application = application
        self.topics = topics or Topics()
        self.seats = seats or Seats()
        self.keep_alive, self.longest = keep_alive, longest
        self._knows_its_end = self._is_ending = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have Django answer; if its view has let somebody in, stay and send."""
        self._end_with_the_process()
        if scope["type"] != "http" or not scope["path"].endswith("/events/stream/"):
            await self.application(scope, receive, send)
            return
        entrance = Entrance(self.seats)
        heads: list[Message] = []

        async def note(message: Message) -> None:
            if entrance.following is None:
                await send(message)
            elif message["type"] == "http.response.start":
                heads.append(message)

        try:
            await self.application({**scope, ENTRANCE: entrance}, receive, note)
            if entrance.following is not None and heads:
                await send(_without_length(heads[0]))
                await self._stay(entrance.following, receive, send)
        finally:
            entrance.leave()

    async def _stay(self, following: AnyFollowing, receive: Receive, send: Send) -> None:
        """Send until they have gone or it has to end."""
        sending = asyncio.create_task(self._send(following, send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            sending.cancel()
            try:
                await sending
            except DatabaseError as error:
                log.warning("The database does not answer somebody who follows: %s", error)
            except asyncio.CancelledError:
                pass  # it was we who did

    async def _send(self, following: AnyFollowing, send: Send) -> None:
        async def write(body: bytes, *, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": body, "more_body": more})

        await write(following.begun())
        with self.topics.following(following.feed) as topic:
            async for piece in self._pieces(following, topic):
                await write(piece)
        await write(b"", more=False)

    def _end_with_the_process(self) -> None:
        """Have SIGTERM end all streams: a server that stops waits for the answers it has begun.

        Those too that begin when it has come: their requests were taken before. Its own handler
        stays: asyncio's hears of every signal by the file it gave to `signal`.
        """
        if self._knows_its_end:
            return
        before = signal.getsignal(signal.SIGTERM)
        is_main = threading.current_thread() is threading.main_thread()
        if not (is_main and callable(before)):
            return
        self._knows_its_end = True
        loop = asyncio.get_running_loop()

        def ended(number: int, frame: FrameType | None) -> None:
            self._is_ending = True
            loop.call_soon_threadsafe(self.topics.end)
            before(number, frame)

        signal.signal(signal.SIGTERM, ended)

    async def _pieces(self, following: AnyFollowing, topic: Topic) -> AsyncIterator[bytes]:
        """Yield events as they come, or a word now and then, until it has to end."""
        loop = asyncio.get_running_loop()
        end, reached = loop.time() + self.longest, following.after
        looked = loop.time()
        while not (topic.is_over or self._is_ending) and (left := end - loop.time()) > 0:
            if loop.time() - looked >= self.keep_alive:
                looked = loop.time()
                if not await self._still_may(following):
                    return
            news = topic.news
            body, reached = await following.news(self.topics, topic, reached)
            if body:
                yield body
            elif not following.is_behind(topic.feed, reached):
                try:
                    await asyncio.wait_for(news.wait(), min(self.keep_alive, left))
                except TimeoutError:
                    yield following.still_here(topic.feed)

    async def _still_may(self, following: AnyFollowing) -> bool:
        """Ask whether somebody may go on; while the database is away nothing is told anyway."""
        if following.may is None:
            return True
        try:
            return await self.topics.read(following.may)
        except DatabaseError as error:
            log.warning("The database does not answer whether somebody may follow: %s", error)
            return True


async def _gone(receive: Receive) -> None:
    """Return when the other side has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _without_length(head: Message) -> Message:
    headers = [
        (name, value) for name, value in head["headers"] if name.lower() != b"content-length"
    ]
    return {**head, "headers": headers}
