"""Polls the database twice a second for all streams of a process, however many there are.

A topic is a tournament with open streams. It keeps the latest events; a stream that is further
behind reads its own pages first. One thread does all reading and closes its connection each time:
streams that wait hold neither.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, ParamSpec, TypeVar

from django.db import DatabaseError, connection

from tournaments.domain.feed import PublicEvent
from tournaments.live.queries.feed import Feed, events_after, feeds

POLL_INTERVAL: Final = 0.5
"""Seconds between two polls: part of the 3 s after which a result is on the pages."""

MAX_EVENTS: Final = 1000  # latest events of a topic that are kept

PAGE_SIZE: Final = 200  # events read at a time

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")
log = logging.getLogger(__name__)


class Topic:
    """A tournament with open streams: all its events after ``floor`` up to ``feed.last``."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.floor = feed.last
        self.events: deque[PublicEvent] = deque()
        self.changed = asyncio.Event()
        self.is_over = False
        self.readers = 0

    def add(self, feed: Feed, events: tuple[PublicEvent, ...]) -> None:
        """Add events, and wake the streams that wait."""
        self.feed = feed
        self.events.extend(events)
        while len(self.events) > MAX_EVENTS:
            self.floor = self.events.popleft().sequence
        self.wake()

    def end(self) -> None:
        """End the streams of this topic."""
        self.is_over = True
        self.wake()

    def wake(self) -> None:
        """Wake the streams that wait now; those that begin to wait later get a new event."""
        self.changed.set()
        self.changed = asyncio.Event()


class Topics:
    """The topics of a process; used from one event loop."""

    def __init__(self, interval: float = POLL_INTERVAL) -> None:
        self.interval = interval
        self.topics: dict[int, Topic] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="feed")
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def follow(self, feed: Feed) -> Iterator[Topic]:
        """Yield the topic of a tournament; polling begins with the first stream."""
        topic = self.topics.setdefault(feed.tournament, Topic(feed))
        topic.readers += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._poll())
        try:
            yield topic
        finally:
            topic.readers -= 1
            if not topic.readers and self.topics.get(feed.tournament) is topic:
                del self.topics[feed.tournament]

    def end(self) -> None:
        """End all streams: clients connect again with their last token."""
        for topic in self.topics.values():
            topic.end()
        self.topics.clear()

    async def after(self, topic: Topic, sequence: int) -> tuple[tuple[PublicEvent, ...], int]:
        """Return events after a number, and the number up to which these are all."""
        feed = topic.feed
        if sequence >= topic.floor:
            events = tuple(event for event in topic.events if event.sequence > sequence)
            return events, max(sequence, feed.last)
        events = await self.read(events_after, feed, sequence, PAGE_SIZE)
        return events, events[-1].sequence if len(events) == PAGE_SIZE else feed.last

    async def read(
        self, query: Callable[Arguments, Value], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Value:
        """Run a query on the reading thread."""

        def run() -> Value:
            try:
                return query(*args, **kwargs)
            finally:
                connection.close()

        return await asyncio.get_running_loop().run_in_executor(self._thread, run)

    async def _poll(self) -> None:
        try:
            while self.topics:
                try:
                    await self._poll_once()
                except DatabaseError as error:
                    log.warning("The database does not answer the streams: %s", error)
                await asyncio.sleep(self.interval)
        finally:
            self.end()

    async def _poll_once(self) -> None:
        """Read the new events of all topics."""
        asked = dict(self.topics)
        feeds_found = {feed.tournament: feed for feed in await self.read(feeds, list(asked))}
        for pk, topic in asked.items():
            feed = feeds_found.get(pk)
            if self.topics.get(pk) is not topic:
                continue  # its last reader left while something was read
            if feed is None or (feed.hidden and not topic.feed.hidden):
                del self.topics[pk]
                topic.end()
            elif feed != topic.feed:
                await self._read_events(topic, feed)

    async def _read_events(self, topic: Topic, feed: Feed) -> None:
        since, events = topic.feed.last, tuple[PublicEvent, ...]()
        while True:
            page = await self.read(events_after, feed, since, PAGE_SIZE)
            events += page
            if len(page) < PAGE_SIZE:
                break
            since = page[-1].sequence
        topic.add(feed, events)
