"""The threads that answer: how many there are, for whom, and what they leave behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import connection, connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path, reverse

from tournaments.environment import postgresql
from tournaments.handler import READERS, WRITERS, Handler, keep_all_connections
from tournaments.models import Club

pytestmark = pytest.mark.django_db(transaction=True)


class Hall:
    """Where requests are held until they are let go, and who was inside."""

    def __init__(self) -> None:
        self.door = threading.Event()
        self.inside: set[int] = set()
        self.told: list[bytes] = []
        self.came = threading.Semaphore(0)


hall = Hall()


def held(request: HttpRequest) -> HttpResponse:
    """Answer when the door is opened."""
    hall.inside.add(threading.get_ident())
    hall.came.release()
    hall.door.wait(30)
    hall.told.append(request.read())
    return HttpResponse("let go")


def counted(request: HttpRequest) -> HttpResponse:
    """Ask the database, and say where this is."""
    return HttpResponse(f"{Club.objects.count()} clubs at {reverse('counted')} by {request.method}")


def left(_: HttpRequest) -> HttpResponse:
    """Say whether the one before has left the thread a connection."""
    return HttpResponse(str(connection.connection is not None))


def before(_: HttpRequest) -> HttpResponse:
    """Say how many have been let go before this."""
    return HttpResponse(f"{len(hall.told)} went before")


def pieces(_: HttpRequest) -> StreamingHttpResponse:
    """Answer in pieces."""
    return StreamingHttpResponse(iter([b"one ", b"two"]))


urlpatterns = [
    path("held/", held),
    path("counted/", counted, name="counted"),
    path("left/", left),
    path("before/", before),
    path("pieces/", pieces),
]


@pytest.fixture
def handler(settings: Any) -> Iterator[Handler]:
    """Give a handler of these views, without tokens for forms."""
    global hall  # noqa: PLW0603 - a new one a test
    hall = Hall()
    settings.ROOT_URLCONF = __name__
    csrf = "django.middleware.csrf.CsrfViewMiddleware"
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if name != csrf]
    yield Handler()
    hall.door.set()


def run(act: Callable[[], Awaitable[None]]) -> None:
    """Run beside the loop that a browser's test may have left in this thread."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(lambda: asyncio.run(act())).result()  # type: ignore[arg-type]


async def begun(handler: Handler, where: str, method: str, root: str, body: bytes) -> Any:
    """Ask for a page as a server does, and wait for nothing."""
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": root + where,
        "root_path": root,
        "headers": [(b"host", b"localhost")],
        "query_string": b"",
        "http_version": "1.1",
    }
    asked: Any = ApplicationCommunicator(handler, scope)  # type: ignore[no-untyped-call]
    await asked.send_input({"type": "http.request", "body": body, "more_body": False})
    return asked


async def ask(handler: Handler, where: str, method: str = "GET", root: str = "") -> str:
    """Ask for a page, and return what it says."""
    asked = await begun(handler, where, method, root, b"")
    assert (await asked.receive_output(30))["status"] == 200
    body = bytearray()
    while True:
        told = await asked.receive_output(30)
        body += told.get("body", b"")
        if not told.get("more_body"):
            await asked.wait(30)
            return body.decode()


def test_a_result_is_taken_while_the_whole_hall_waits_for_its_pages(handler: Handler) -> None:
    async def act() -> None:
        waiting = [asyncio.create_task(ask(handler, "/held/")) for _ in range(4 * READERS)]
        for _ in range(READERS):
            await asyncio.to_thread(hall.came.acquire, timeout=30)
        assert await ask(handler, "/counted/", "POST") == "0 clubs at /counted/ by POST"
        assert not any(task.done() for task in waiting)
        hall.door.set()
        assert await asyncio.gather(*waiting) == ["let go"] * 4 * READERS

    run(act)
    assert len(hall.inside) <= READERS


def test_a_page_is_shown_while_all_tables_report_at_once(handler: Handler) -> None:
    async def act() -> None:
        waiting = [asyncio.create_task(ask(handler, "/held/", "POST")) for _ in range(4 * WRITERS)]
        for _ in range(WRITERS):
            await asyncio.to_thread(hall.came.acquire, timeout=30)
        assert await ask(handler, "/counted/") == "0 clubs at /counted/ by GET"
        hall.door.set()
        await asyncio.gather(*waiting)

    run(act)


def test_pages_let_the_results_of_the_moment_go_first(
    handler: Handler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.handler.PATIENCE", 30.0)

    async def act() -> None:
        report = asyncio.create_task(ask(handler, "/held/", "POST"))
        await asyncio.to_thread(hall.came.acquire, timeout=30)
        page = asyncio.create_task(ask(handler, "/before/"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(page), 0.3)
        hall.door.set()
        assert await report == "let go"
        assert await page == "1 went before"

    run(act)


def test_what_somebody_sent_who_went_is_read_to_the_end_if_its_turn_had_come(
    handler: Handler,
) -> None:
    async def act() -> None:
        numbers = range(WRITERS + 1)
        asked = [await begun(handler, "/held/", "POST", "", b"%d" % n) for n in numbers]
        for _ in range(WRITERS):
            await asyncio.to_thread(hall.came.acquire, timeout=30)
        for one in asked:
            await one.send_input({"type": "http.disconnect"})
        await asked[-1].wait(30)  # it had only waited
        hall.door.set()
        for one in asked[:-1]:
            await one.wait(30)

    run(act)
    assert sorted(map(int, hall.told)) == list(range(WRITERS))


def test_a_thread_keeps_no_connection_from_one_request_to_the_next(handler: Handler) -> None:
    async def act() -> None:
        for _ in range(2 * READERS):
            await ask(handler, "/counted/")
            assert await ask(handler, "/left/") == "False"

    run(act)


def test_addresses_begin_with_the_root_that_the_server_names(handler: Handler) -> None:
    async def act() -> None:
        assert await ask(handler, "/counted/", root="/baza") == "0 clubs at /baza/counted/ by GET"
        assert await ask(handler, "/counted/") == "0 clubs at /counted/ by GET"

    run(act)


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume synchronous iterators")
def test_an_answer_in_pieces_comes_whole(handler: Handler) -> None:
    async def act() -> None:
        assert await ask(handler, "/pieces/") == "one two"

    run(act)


def test_nothing_but_http_is_answered(handler: Handler) -> None:
    async def act() -> None:
        asked: Any = ApplicationCommunicator(handler, {"type": "websocket"})  # type: ignore[no-untyped-call]
        with pytest.raises(ValueError, match="websocket"):
            await asked.wait(30)

    run(act)


def test_the_web_server_opens_all_its_connections_at_the_first_and_keeps_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Elsewhere, in a worker or a command, one connection is enough."""
    known = postgresql(urlsplit("postgresql://db/baza"), "baza")
    assert known["OPTIONS"]["pool"]["min_size"] == 1
    embedded = {"OPTIONS": {"timeout": 30}}
    monkeypatch.setattr(connections, "settings", {"default": known, "other": embedded})
    keep_all_connections()
    pool = known["OPTIONS"]["pool"]
    assert pool["min_size"] == pool["max_size"] > 1
    assert embedded == {"OPTIONS": {"timeout": 30}}
