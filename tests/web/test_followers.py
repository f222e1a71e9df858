"""Those who follow a page, answered without Django: the same as with it, and never another's."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.cache import cache

from tests.clubs import submitted, the_liguilla
from tournaments.handler import get_application
from tournaments.metrics import REQUESTS
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.queries.live import live_word
from tournaments.web import editions
from tournaments.web.followers import Followers

pytestmark = pytest.mark.django_db(transaction=True)


class Hall:
    """The service with the layer around it, and what it was asked within."""

    def __init__(self) -> None:
        self.django = get_application()
        self.asked: list[str] = []
        self.door = asyncio.Event()
        self.door.set()
        self.followers = Followers(self.within)

    async def within(self, scope: Any, receive: Any, send: Any) -> None:
        """Note that Django is asked."""
        self.asked.append(scope["path"])
        await self.door.wait()
        await self.django(scope, receive, send)

    async def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
        """Ask as a server does; return the status, the headers and what is said."""
        path, _, query = path.partition("?")
        given = {"host": "localhost", "accept-encoding": "gzip", **headers}
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "query_string": query.encode(),
            "headers": [
                (name.replace("_", "-").encode(), one.encode())
                for name, said in given.items()
                for one in said.split(" and ")
            ],
        }
        asked: Any = ApplicationCommunicator(self.followers, scope)  # type: ignore[no-untyped-call]
        await asked.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await asked.receive_output(30)
        body, more = b"", True
        while more:
            piece = await asked.receive_output(30)
            body, more = body + piece.get("body", b""), piece.get("more_body", False)
        await asked.wait(30)
        told = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        text = gzip.decompress(body) if told.get("content-encoding") == "gzip" else body
        return start["status"], told, text.decode()


def run(act: Callable[[], Awaitable[None]]) -> None:
    """Run beside the loop that a browser's test may have left in this thread."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(lambda: asyncio.run(act())).result()  # type: ignore[arg-type]


@pytest.fixture
def night(monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """Give a tournament with a result; a word that was read stays the last one for a minute."""
    cache.clear()
    editions.words.clear()
    monkeypatch.setattr(editions, "RECENT", 60.0)
    night = the_liguilla(published=2)
    submitted(night, 0)
    return night


def word(night: Tournament) -> int:
    """Return the word of the tournament as anybody sees it."""
    return int(live_word(night.slug, Actor.anonymous()))


def test_django_is_asked_once_for_all_who_have_what_there_is(night: Tournament) -> None:
    page = f"/t/{night.slug}/?seen={word(night)}"

    async def act() -> None:
        hall = Hall()
        first = await hall.get(page, x_request_id="the-first")
        others = [await hall.get(page) for _ in range(3)]
        assert len(hall.asked) == 1
        assert [first[0], *(status for status, *_ in others)] == [204] * 4
        numbers = {headers.pop("x-request-id") for _, headers, _ in (first, *others)}
        assert len(numbers) == 4
        assert all(one[1:] == first[1:] for one in others)

    run(act)


def test_what_is_new_is_told_again_as_it_was_told_first(night: Tournament) -> None:
    now = word(night)

    async def act() -> None:
        hall = Hall()
        page = f"/t/{night.slug}/"
        await hall.get(page)
        hall.asked.clear()
        first = await hall.get(f"{page}?seen={now - 1}")
        assert (await hall.get(f"{page}?seen={now}"))[0] == 204
        asked = len(hall.asked)
        again = await hall.get(f"{page}?seen={now - 2}")
        assert (await hall.get(f"{page}?seen={now}"))[0] == 204
        assert len(hall.asked) == asked == 2
        assert (again[0], again[2]) == (200, first[2])
        assert f"seen={now}" in again[2]

    run(act)


def test_a_moment_later_django_is_asked_again(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editions, "RECENT", 0.0)
    page = f"/t/{night.slug}/?seen={word(night)}"

    async def act() -> None:
        hall = Hall()
        for _ in range(3):
            assert (await hall.get(page))[0] == 204
        assert len(hall.asked) == 3

    run(act)


@pytest.mark.parametrize(
    "other",
    [
        {"cookie": "sessionid=somebody"},
        {"cookie": "messages=saved"},
        {"cookie": "django_language=en"},
        {"accept_language": "en"},
        {"accept_encoding": "identity"},
        {"host": "127.0.0.1"},
        {"x_forwarded_proto": "https"},
        {"accept_language": "es and en"},
        {"accept_encoding": "identity and gzip"},
    ],
    ids=lambda other: " ".join(f"{name}: {value}" for name, value in other.items()),
)
def test_who_may_be_told_something_else_is_never_told_the_same(
    night: Tournament, other: dict[str, str]
) -> None:
    page = f"/t/{night.slug}/?seen={word(night) - 1}"

    async def act() -> None:
        hall = Hall()
        await hall.get(page)
        await hall.get(page, **other)
        await hall.get(page + "&group=2")
        assert len(hall.asked) == 3

    run(act)


def test_a_header_said_in_two_ways_changes_nothing_for_others(night: Tournament) -> None:
    page = f"/t/{night.slug}/?seen={word(night) - 1}"

    async def act() -> None:
        hall = Hall()
        await hall.get(f"/t/{night.slug}/", accept_language="en")
        await hall.get(page, accept_language="es and en")
        assert 'lang="en"' in (await hall.get(page, accept_language="en"))[2]

    run(act)


def test_while_one_asks_the_others_hear_that_there_is_no_news_yet(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editions, "RECENT", 0.0)
    page = f"/t/{night.slug}/?seen={word(night)}"

    async def act() -> None:
        hall = Hall()
        assert (await hall.get(page))[0] == 204
        hall.door.clear()
        first = asyncio.create_task(hall.get(page))
        while len(hall.asked) < 2:
            await asyncio.sleep(0)
        others = [await hall.get(page) for _ in range(3)]
        assert [status for status, *_ in others] == [204] * 3
        assert len(hall.asked) == 2
        hall.door.set()
        assert (await first)[0] == 204
        await hall.get(page)
        assert len(hall.asked) == 3

    run(act)


def test_a_refusal_and_a_page_that_is_opened_are_never_kept(night: Tournament) -> None:
    async def act() -> None:
        hall = Hall()
        for _ in range(2):
            assert (await hall.get("/t/nothing-here/?seen=1"))[0] == 404
            assert (await hall.get(f"/t/{night.slug}/"))[0] == 200
            assert (await hall.get(f"/t/{night.slug}/?seen=whatever"))[0] == 200
        assert len(hall.asked) == 6

    run(act)


def test_a_browser_s_own_token_makes_no_page_of_its_own(night: Tournament) -> None:
    page = f"/t/{night.slug}/?seen={word(night)}"

    async def act() -> None:
        hall = Hall()
        for number in range(3):
            assert (await hall.get(page, cookie=f"csrftoken={number:032}"))[0] == 204
        assert len(hall.asked) == 1

    run(act)


def test_every_answer_is_counted(night: Tournament) -> None:
    page = f"/t/{night.slug}/?seen={word(night)}"
    counted = REQUESTS.labels("tournament", "GET", 204)

    async def act() -> None:
        hall = Hall()
        before = counted._value.get()
        for _ in range(3):
            await hall.get(page)
        assert counted._value.get() == before + 3

    run(act)


def test_no_more_is_remembered_than_there_is_room_for(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.web.followers.MOST", 5)

    async def act() -> None:
        hall = Hall()
        for number in range(12):
            await hall.get(f"/t/{night.slug}/?seen=1&n={number}")
            assert len(hall.followers.kept) <= 5

    run(act)
