"""Two looks at the database a second for all streams of a process, however many there are.

A topic is a tournament that somebody follows. It keeps the latest events; a stream that is further
behind reads its own pages first. All reading is done by one thread of its own, which gives its
connection back each time: streams that wait hold neither.
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

PULSE: Final = 0.5
"""Seconds between two looks: part of the 3 s after which a result is on the pages."""

KEPT: Final = 1000
"""Latest events of a tournament that are kept for those who follow it."""

PAGE: Final = 200
"""Events that are read at a time."""

Given = ParamSpec("Given")
Found = TypeVar("Found")
log = logging.getLogger("tournaments.api.topics")


class Topic:
    """A tournament that is followed: all its events after ``floor`` up to ``feed.last``."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.floor = feed.last
        self.events: deque[PublicEvent] = deque()
        self.news = asyncio.Event()
        self.is_over = False
        self.readers = 0

    def add(self, feed: Feed, events: tuple[PublicEvent, ...]) -> None:
        """Take what was read, and wake whoever waits."""
        self.feed = feed
        self.events.extend(events)
        while len(self.events) > KEPT:
            self.floor = self.events.popleft().sequence
        self.wake()

    def end(self) -> None:
        """Tell whoever waits that nothing more comes."""
        self.is_over = True
        self.wake()

    def wake(self) -> None:
        """Wake whoever waits, and nobody who comes to wait from now on."""
        self.news.set()
        self.news = asyncio.Event()


class Topics:
    """All that is followed in this process; used from one event loop."""

    def __init__(self, pulse: float = PULSE) -> None:
        self.pulse = pulse
        self.topics: dict[int, Topic] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="feed")
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def following(self, feed: Feed) -> Iterator[Topic]:
        """Give the topic of a tournament; the first to follow one has the looking begin."""
        topic = self.topics.setdefault(feed.tournament, Topic(feed))
        topic.readers += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look_again_and_again())
        try:
            yield topic
        finally:
            topic.readers -= 1
            if not topic.readers and self.topics.get(feed.tournament) is topic:
                del self.topics[feed.tournament]

    def end(self) -> None:
        """End all streams: who follows comes back with his last token."""
        for topic in self.topics.values():
            topic.end()
        self.topics.clear()

    async def after(self, topic: Topic, sequence: int) -> tuple[tuple[PublicEvent, ...], int]:
        """Return events after a number, and the number up to which these are all."""
        feed = topic.feed
        if sequence >= topic.floor:
            events = tuple(one for one in topic.events if one.sequence > sequence)
            return events, max(sequence, feed.last)
        events = await self.read(events_after, feed, sequence, PAGE)
        return events, events[-1].sequence if len(events) == PAGE else feed.last

    async def read(
        self, query: Callable[Given, Found], *args: Given.args, **kwargs: Given.kwargs
    ) -> Found:
        """Ask the database beside the loop."""

        def ask() -> Found:
            try:
                return query(*args, **kwargs)
            finally:
                connection.close()

        return await asyncio.get_running_loop().run_in_executor(self._thread, ask)

    async def _look_again_and_again(self) -> None:
        try:
            while self.topics:
                try:
                    await self._look()
                except DatabaseError as error:
                    log.warning("The database does not answer those who follow: %s", error)
                await asyncio.sleep(self.pulse)
        finally:
            self.end()

    async def _look(self) -> None:
        """Ask how far all are that are followed, and read what is new."""
        feeds_found = {feed.tournament: feed for feed in await self.read(feeds, list(self.topics))}
        for pk, topic in list(self.topics.items()):
            feed = feeds_found.get(pk)
            if feed is None or (feed.hidden and not topic.feed.hidden):
                del self.topics[pk]
                topic.end()
            elif feed != topic.feed:
                await self._bring(topic, feed)

    async def _bring(self, topic: Topic, feed: Feed) -> None:
        since, events = topic.feed.last, tuple[PublicEvent, ...]()
        while True:
            page = await self.read(events_after, feed, since, PAGE)
            events += page
            if len(page) < PAGE:
                break
            since = page[-1].sequence
        topic.add(feed, events)
