"""Streams that stay open: what is said when, how they end, and how many there may be."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.db import OperationalError, connection
from django.test import Client

from tests.clubs import arbiter, organiser, submitted, the_liguilla
from tournaments.accounts.services.invitations import issue_token, revoke_token
from tournaments.core.errors import Reason, Refusal
from tournaments.core.live_version import live_version
from tournaments.core.permissions import Actor
from tournaments.live import api, topics
from tournaments.live.api import may_follow
from tournaments.live.queries.feed import Feed, feeds
from tournaments.live.streams import SSE, StreamLimit, Streams, VersionStream
from tournaments.live.topics import Topics
from tournaments.models import Tournament
from tournaments.people.services.clubs import remove_member

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator

pytestmark = pytest.mark.django_db(transaction=True)

LINES = "application/x-ndjson"
READ = ["games:read"]


@pytest.fixture
def night() -> Tournament:
    night = the_liguilla(published=2)
    submitted(night, 0)
    return night


class Guest:
    """A follower of a stream: what has come, as it comes, until it is closed."""

    def __init__(
        self,
        streams: Streams,
        path: str,
        accept: str = SSE,
        address: str = "",
        token: str = "",
        cookie: str = "",
    ) -> None:
        self.scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": path.partition("?")[0],
            "query_string": path.partition("?")[2].encode(),
            "headers": [(b"host", b"localhost"), (b"accept", accept.encode())],
            "client": (address or "127.0.0.1", 1),
        }
        if token:
            self.scope["headers"] += [(b"authorization", f"Bearer {token}".encode())]
        if cookie:
            self.scope["headers"] += [(b"cookie", cookie.encode())]
        self.came: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.asked: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.asked.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        self.task = asyncio.create_task(streams(self.scope, self.asked.get, self.hear))

    async def hear(self, message: Any) -> None:
        await self.came.put(dict(message))

    async def head(self) -> tuple[int, dict[str, str]]:
        start = await self.came.get()
        headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return start["status"], headers

    async def until(self, fits: Callable[[bytes], bool]) -> bytes:
        """Everything until it is enough."""
        body = b""
        while not fits(body):
            message = await asyncio.wait_for(self.came.get(), 30)
            body += bytes(message.get("body", b""))
            if not message.get("more_body", False):
                return body
        return body

    async def whole(self) -> bytes:
        """Everything to the end."""
        body = await self.until(lambda _: False)
        await self.task
        return body

    async def go(self) -> None:
        self.asked.put_nowait({"type": "http.disconnect"})
        await self.task


def path_of(night: Tournament) -> str:
    return f"/api/v1/tournaments/{night.slug}/events/stream/"


def run(act: Callable[[Streams], Awaitable[None]], **settings: Any) -> None:
    """Do something with streams of their own that look ten times a second."""

    async def do() -> None:
        streams = Streams(get_asgi_application(), topics=Topics(interval=0.1), **settings)
        await act(streams)
        assert streams.limit.open.total() == 0
        assert not streams.topics.topics

    with ThreadPoolExecutor(1) as beside:  # a browser's test may have left a loop in this thread
        beside.submit(asyncio.run, do()).result()


def call_elsewhere(act: Callable[[], object]) -> Awaitable[object]:
    """Change something on another connection."""

    def do() -> object:
        with closing(connection):
            return act()

    return sync_to_async(do, thread_sensitive=False)()


def types_of(body: bytes) -> Iterator[str]:
    for line in body.decode().splitlines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))["type"]


def test_what_happens_comes_while_it_is_open(night: Tournament) -> None:
    async def act(streams: Streams) -> None:
        guest = Guest(streams, path_of(night))
        status, headers = await guest.head()
        assert (status, headers["content-type"]) == (200, SSE)
        assert "content-length" not in headers
        before = await guest.until(lambda body: b"result.accepted" in body)
        assert before.startswith(b"retry: 2000\n\n")
        await call_elsewhere(lambda: submitted(night, 1))
        after = await guest.until(lambda body: b"\n\n" in body)
        assert list(types_of(after)) == ["result.accepted"]
        await guest.go()

    run(act)


def page_path(night: Tournament) -> str:
    return f"/t/{night.slug}/events/stream/"


def versions_of(body: bytes) -> list[int]:
    return [int(line[6:]) for line in body.splitlines() if line.startswith(b"data: ")]


def test_a_page_hears_the_version_and_nothing_else(night: Tournament) -> None:
    version = int(live_version(night.slug, Actor.anonymous()))

    async def act(streams: Streams) -> None:
        guest = Guest(streams, page_path(night))
        status, headers = await guest.head()
        assert (status, headers["content-type"]) == (200, SSE)
        assert "set-cookie" not in headers
        first = await guest.until(lambda body: b"data: " in body)
        assert first == f"retry: 2000\n\nid: {version}\ndata: {version}\n\n".encode()
        await call_elsewhere(lambda: submitted(night, 1))
        (later,) = versions_of(await guest.until(lambda body: b"\n\n" in body))
        assert later > version
        assert str(later) == await call_elsewhere(
            lambda: live_version(night.slug, Actor.anonymous())
        )
        await guest.go()

    run(act)


def test_a_page_hears_no_second_version_at_once_and_its_stream_can_end(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(VersionStream, "interval", 1e9)

    async def act(streams: Streams) -> None:
        guest = Guest(streams, page_path(night))
        await guest.head()
        await guest.until(lambda body: b"data: " in body)
        await call_elsewhere(lambda: submitted(night, 1))
        await guest.until(lambda body: b"data: " in body)
        await call_elsewhere(lambda: submitted(night, 2))
        (topic,) = streams.topics.topics.values()
        later = await call_elsewhere(lambda: live_version(night.slug, Actor.anonymous()))
        while str(topic.feed.version) != later:
            await asyncio.sleep(0.05)
        assert guest.came.empty()
        streams.topics.end()
        assert await guest.whole() == b""

    run(act)


def test_a_page_hears_its_version_again_in_silence(night: Tournament) -> None:
    async def act(streams: Streams) -> None:
        guest = Guest(streams, page_path(night))
        await guest.head()
        versions = versions_of(await guest.until(lambda body: body.count(b"data: ") == 3))
        assert len(set(versions)) == 1
        await guest.go()

    run(act, keep_alive=0.05)


def test_a_page_of_a_private_tournament_follows_it_while_its_reader_belongs_there(
    night: Tournament,
) -> None:
    Tournament.objects.filter(pk=night.pk).update(visibility=Tournament.Visibility.PRIVATE)
    boss, judge = organiser(night.club), arbiter(night.club)
    assert judge.user is not None
    left = judge.user
    browser = Client()
    browser.force_login(left)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value

    async def act(streams: Streams) -> None:
        stranger = Guest(streams, page_path(night))
        assert (await stranger.head())[0] == 404
        await stranger.task
        cookie = f"{settings.SESSION_COOKIE_NAME}={session}"
        guest = Guest(streams, page_path(night), cookie=cookie)
        assert (await guest.head())[0] == 200
        await guest.until(lambda body: body.count(b"data: ") == 3)
        await call_elsewhere(lambda: remove_member(boss, night.club, left))
        await guest.whole()

    run(act, keep_alive=0.1)


def test_a_server_that_cannot_keep_it_open_answers_with_the_version(night: Tournament) -> None:
    response = Client().get(page_path(night))
    assert versions_of(response.content) == [int(live_version(night.slug, Actor.anonymous()))]
    assert (response["Content-Type"], response["Cache-Control"]) == (SSE, "no-store")


def test_silence_is_broken_by_a_comment_or_an_empty_line(night: Tournament) -> None:
    async def act(streams: Streams) -> None:
        browser, program = Guest(streams, path_of(night)), Guest(streams, path_of(night), LINES)
        for guest in (browser, program):
            assert (await guest.head())[0] == 200
        await browser.until(lambda body: body.endswith(b"\n\n:\n\n"))
        await program.until(lambda body: body.endswith(b"}\n\n\n"))
        for guest in (browser, program):
            await guest.go()

    run(act, keep_alive=0.05)


def test_a_stream_ends_cleanly_when_it_is_old(night: Tournament) -> None:
    async def act(streams: Streams) -> None:
        guest = Guest(streams, path_of(night))
        await guest.head()
        assert len(list(types_of(await guest.whole()))) == 6

    run(act, max_duration=0.5)


def test_a_stream_that_begins_while_the_others_are_read_goes_on(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Tournament.objects.get(pk=night.pk)
    other.pk, other.slug, other._state.adding = None, "otra-noche", True
    other.save()
    begun, goes_on = threading.Event(), threading.Event()

    def feeds_slowly(tournaments: Collection[int]) -> tuple[Feed, ...]:
        begun.set()
        assert goes_on.wait(20)
        return feeds(tournaments)

    monkeypatch.setattr(topics, "feeds", feeds_slowly)

    async def act(streams: Streams) -> None:
        first = Guest(streams, page_path(night))
        await first.head()
        await first.until(lambda body: b"data: " in body)
        while not begun.is_set():
            await asyncio.sleep(0.01)
        second = Guest(streams, page_path(other))
        await second.head()
        await second.until(lambda body: b"data: " in body)
        while len(streams.topics.topics) < 2:
            await asyncio.sleep(0.01)
        goes_on.set()
        assert (await second.until(lambda body: b"data: " in body)).startswith(b"id: ")
        for guest in (first, second):
            await guest.go()

    run(act, keep_alive=0.3)


def test_a_tournament_that_is_a_draft_again_is_reported_no_more(night: Tournament) -> None:
    async def act(streams: Streams) -> None:
        guest = Guest(streams, path_of(night))
        await guest.head()
        await guest.until(lambda body: b"result.accepted" in body)
        draft = Tournament.objects.filter(pk=night.pk)
        await call_elsewhere(lambda: draft.update(state=Tournament.State.DRAFT))
        assert await guest.whole() == b""
        refused = Guest(streams, path_of(night))
        assert (await refused.head())[0] == 404
        await refused.task

    run(act)


def test_whose_token_is_revoked_follows_a_private_tournament_no_longer(night: Tournament) -> None:
    Tournament.objects.filter(pk=night.pk).update(visibility=Tournament.Visibility.PRIVATE)
    boss = organiser(night.club)
    assert boss.user is not None
    token, text = issue_token(boss, night.club, boss.user, name="tablet", scopes=READ)
    _kept, other = issue_token(boss, night.club, boss.user, name="screen", scopes=READ)

    async def act(streams: Streams) -> None:
        guest = Guest(streams, path_of(night), token=text)
        stays = Guest(streams, path_of(night), token=other)
        for follower in (guest, stays):
            assert (await follower.head())[0] == 200
            await follower.until(lambda body: b"result.accepted" in body)
        await call_elsewhere(lambda: revoke_token(boss, token))
        await guest.whole()
        await call_elsewhere(lambda: submitted(night, 1))
        assert b"result.accepted" in await stays.until(lambda body: b"result.accepted" in body)
        await stays.go()

    run(act, keep_alive=0.1)


def test_whose_role_is_taken_away_follows_a_private_tournament_no_longer(
    night: Tournament,
) -> None:
    Tournament.objects.filter(pk=night.pk).update(visibility=Tournament.Visibility.PRIVATE)
    boss, judge = organiser(night.club), arbiter(night.club)
    assert judge.user is not None
    _token, text = issue_token(boss, night.club, judge.user, name="tablet", scopes=READ)
    left = judge.user

    async def act(streams: Streams) -> None:
        guest = Guest(streams, path_of(night), token=text)
        await guest.head()
        await guest.until(lambda body: b"result.accepted" in body)
        await call_elsewhere(lambda: remove_member(boss, night.club, left))
        await guest.whole()

    run(act, keep_alive=0.1)


def test_a_database_that_cannot_say_who_may_follow_ends_no_stream(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    Tournament.objects.filter(pk=night.pk).update(visibility=Tournament.Visibility.PRIVATE)
    boss = organiser(night.club)
    assert boss.user is not None
    _token, text = issue_token(boss, night.club, boss.user, name="tablet", scopes=READ)
    texts: list[str] = []

    def away(slug: str, header: bytes) -> bool:
        texts.append(slug)
        if len(texts) < 3:
            raise OperationalError("gone")
        return may_follow(slug, header)

    async def act(streams: Streams) -> None:
        guest = Guest(streams, path_of(night), token=text)
        await guest.head()
        await guest.until(lambda body: body.count(b":\n\n") > 5 and len(texts) > 3)
        await guest.go()

    monkeypatch.setattr(api, "may_follow", away)
    run(act, keep_alive=0.05)


def test_a_database_that_is_away_for_a_moment_ends_no_stream(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = iter([True, True])

    def sometimes(tournaments: list[int]) -> tuple[Feed, ...]:
        if next(away, False):
            raise OperationalError("gone")
        return feeds(tournaments)

    async def act(streams: Streams) -> None:
        guest = Guest(streams, path_of(night))
        await guest.head()
        await guest.until(lambda body: b"result.accepted" in body)
        await call_elsewhere(lambda: submitted(night, 1))
        assert b"result.accepted" in await guest.until(lambda body: b"\n\n" in body)
        await guest.go()

    monkeypatch.setattr(topics, "feeds", sometimes)
    run(act)


def test_all_who_follow_one_tournament_cost_one_look(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []

    def count_feeds(tournaments: list[int]) -> tuple[Feed, ...]:
        looks.append(len(tournaments))
        return feeds(tournaments)

    async def act(streams: Streams) -> None:
        guests = [Guest(streams, path_of(night)) for _ in range(20)]
        for guest in guests:
            await guest.head()
            await guest.until(lambda body: b"result.accepted" in body)
        await call_elsewhere(lambda: submitted(night, 1))
        for guest in guests:
            assert b"result.accepted" in await guest.until(lambda body: b"\n\n" in body)
        for guest in guests:
            await guest.go()

    monkeypatch.setattr(topics, "feeds", count_feeds)
    run(act)
    assert looks
    assert set(looks) == {1}


def test_who_comes_back_far_behind_gets_all_of_it(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(topics, "MAX_EVENTS", 2)
    monkeypatch.setattr(topics, "PAGE_SIZE", 2)

    async def act(streams: Streams) -> None:
        first = Guest(streams, path_of(night))
        await first.head()
        await first.until(lambda body: b"result.accepted" in body)
        for index in range(1, 6):
            await call_elsewhere(partial(submitted, night, index))
        data = await first.until(lambda body: body.count(b"result.accepted") == 5)
        late = Guest(streams, path_of(night))
        await late.head()
        late_data = await late.until(lambda body: body.count(b"result.accepted") == 6)
        assert list(types_of(late_data))[6:] == list(types_of(data))
        ids = [line for line in late_data.splitlines() if line.startswith(b"id: ")]
        assert len(ids) == len(set(ids)) == 11
        for guest in (first, late):
            await guest.go()

    run(act)


def test_streams_are_limited_in_all_and_for_an_address() -> None:
    limit = StreamLimit(total=3, per_address=2)
    limit.acquire("a")
    limit.acquire("a")
    with pytest.raises(Refusal) as refused:
        limit.acquire("a")
    assert refused.value.reason is Reason.THROTTLED
    limit.acquire("b")
    with pytest.raises(Refusal) as refused:
        limit.acquire("c")
    assert refused.value.reason is Reason.TOO_MANY_STREAMS
    assert refused.value.headers["Retry-After"].isdecimal()
    limit.release("a")
    limit.acquire("c")


def test_who_finds_no_place_is_informed_and_finds_one_later(night: Tournament) -> None:
    async def act(streams: Streams) -> None:
        first = Guest(streams, path_of(night), address="10.0.0.1")
        assert (await first.head())[0] == 200
        second = Guest(streams, path_of(night), address="10.0.0.2")
        assert (await second.head())[0] == 200
        for address, status in (("10.0.0.1", 429), ("10.0.0.3", 503)):
            guest = Guest(streams, path_of(night), address=address)
            got, headers = await guest.head()
            assert (got, headers["content-type"]) == (status, "application/problem+json")
            assert headers["retry-after"].isdecimal()
            await guest.whole()
        await first.go()
        third = Guest(streams, path_of(night), address="10.0.0.3")
        assert (await third.head())[0] == 200
        for guest in (second, third):
            await guest.go()

    run(act, limit=StreamLimit(total=2, per_address=1))
