"""How many requests a process works on at once, in which thread, and what they leave behind."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.asgi import get_asgi_application
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.urls import path

from tournaments.models import Club

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

pytestmark = pytest.mark.django_db(transaction=True)

LIMIT = 2


class Views:
    """Holds requests until they are released, and notes the threads that they ran in."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.started = threading.Semaphore(0)
        self.running = self.most = 0
        self.bodies: list[bytes] = []
        self.threads: list[int] = []
        self.wrappers: list[Any] = []


views = Views()


def note_thread(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Middleware that notes its thread, before and after the view."""

    def middleware(request: HttpRequest) -> HttpResponse:
        views.threads.append(threading.get_ident())
        response = get_response(request)
        views.threads.append(threading.get_ident())
        return response

    return middleware


def wait_until_released(request: HttpRequest) -> HttpResponse:
    """Answer when released."""
    views.running += 1
    views.most = max(views.most, views.running)
    views.started.release()
    assert views.released.wait(30)
    views.bodies.append(request.read())
    views.running -= 1
    return HttpResponse("released")


def count_query(_: HttpRequest) -> HttpResponse:
    """Use the database."""
    views.threads.append(threading.get_ident())
    views.wrappers.append(connections["default"])
    return HttpResponse(f"{Club.objects.count()} clubs")


urlpatterns = [path("held/", wait_until_released), path("counted/", count_query)]


@pytest.fixture
def application(settings: Any) -> Iterator[Any]:
    """Give Django's application with two slots, as `tournaments.asgi` puts it together."""
    global views  # noqa: PLW0603 - new ones for each test
    views = Views()
    settings.ROOT_URLCONF = __name__
    settings.REQUESTS_AT_ONCE = LIMIT
    csrf = "django.middleware.csrf.CsrfViewMiddleware"
    settings.MIDDLEWARE = [
        "tournaments.core.middleware.RequestLimit",
        f"{__name__}.note_thread",
        *(name for name in settings.MIDDLEWARE if name != csrf),
    ]
    yield get_asgi_application()
    views.released.set()


def run(act: Callable[[], Awaitable[None]]) -> None:
    """Run beside the loop that a browser's test may have left in this thread."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(lambda: asyncio.run(act())).result()  # type: ignore[arg-type]


def request(application: Any, where: str, method: str = "GET") -> Any:
    """Begin a request whose body has not come yet."""
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": where,
        "headers": [(b"host", b"localhost")],
        "query_string": b"",
        "http_version": "1.1",
    }
    return ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]


async def send_body(communicator: Any, body: bytes = b"", *, more: bool = False) -> Any:
    """Send a piece of the body."""
    await communicator.send_input({"type": "http.request", "body": body, "more_body": more})
    return communicator


async def answer_of(communicator: Any) -> str:
    """Return the text of an answer in one piece."""
    assert (await communicator.receive_output(30))["status"] == 200
    body: bytes = (await communicator.receive_output(30))["body"]
    await communicator.wait(30)
    return body.decode()


async def started(count: int) -> None:
    """Wait until `count` views have started."""
    for _ in range(count):
        assert await asyncio.to_thread(views.started.acquire, timeout=30)


def test_no_more_requests_run_than_there_are_slots_and_all_are_answered(application: Any) -> None:
    async def act() -> None:
        communicators = [await send_body(request(application, "/held/", "POST")) for _ in range(8)]
        await started(LIMIT)
        views.released.set()
        assert await asyncio.gather(*map(answer_of, communicators)) == ["released"] * 8

    run(act)
    assert views.most == LIMIT


def test_a_body_that_is_still_coming_holds_no_slot(application: Any) -> None:
    async def act() -> None:
        half = [
            await send_body(request(application, "/held/", "POST"), b"half ", more=True)
            for _ in range(3 * LIMIT)
        ]
        assert await answer_of(await send_body(request(application, "/counted/"))) == "0 clubs"
        views.released.set()
        for communicator in half:
            await send_body(communicator, b"whole")
        assert await asyncio.gather(*map(answer_of, half)) == ["released"] * 3 * LIMIT

    run(act)
    assert views.bodies == [b"half whole"] * 3 * LIMIT


def test_an_answer_that_is_not_taken_holds_neither_a_slot_nor_a_connection(
    application: Any,
) -> None:
    async def act() -> None:
        slow = asyncio.Event()
        sending = asyncio.Queue[dict[str, Any]]()
        body = asyncio.Queue[dict[str, Any]]()
        body.put_nowait({"type": "http.request", "body": b"", "more_body": False})

        async def send(message: dict[str, Any]) -> None:
            await sending.put(message)
            await slow.wait()

        scope = request(application, "/counted/").scope
        waiting = [
            asyncio.create_task(application(scope, body.get, send)) for _ in range(2 * LIMIT)
        ]
        for _ in waiting[1:]:
            body.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        for _ in waiting:
            assert (await asyncio.wait_for(sending.get(), 30))["status"] == 200
        assert [wrapper.connection for wrapper in views.wrappers] == [None] * 2 * LIMIT
        slow.set()
        await asyncio.gather(*waiting)

    run(act)


def test_middleware_and_view_run_in_one_thread(application: Any) -> None:
    async def act() -> None:
        await answer_of(await send_body(request(application, "/counted/")))

    run(act)
    assert len(views.threads) == 3
    assert len(set(views.threads)) == 1


def test_the_slot_of_a_client_that_has_gone_is_free_once_its_view_has_returned(
    application: Any,
) -> None:
    async def act() -> None:
        communicators = [
            await send_body(request(application, "/held/", "POST"), b"%d" % number)
            for number in range(LIMIT + 1)
        ]
        await started(LIMIT)
        for communicator in communicators:
            await communicator.send_input({"type": "http.disconnect"})
        await communicators[-1].wait(30)  # it was waiting for a slot
        page = await send_body(request(application, "/counted/"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(page.future), 0.3)
        assert not views.wrappers
        views.released.set()
        assert await answer_of(page) == "0 clubs"
        for communicator in communicators[:-1]:
            await communicator.wait(30)

    run(act)
    assert sorted(views.bodies) == [b"%d" % number for number in range(LIMIT)]


def test_nothing_but_http_is_answered(application: Any) -> None:
    async def act() -> None:
        communicator: Any = ApplicationCommunicator(application, {"type": "websocket"})  # type: ignore[no-untyped-call]
        with pytest.raises(ValueError, match="websocket"):
            await communicator.wait(30)

    run(act)
