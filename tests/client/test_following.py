"""Following live events: what a line says, and what is done when a connection breaks."""

from __future__ import annotations

import errno
import json
import random
import signal
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

import pytest

from baza_client import Client, LiveEvent, Problem, Transport, Unreachable
from baza_client.following import NDJSON, events_of
from tournaments.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def line(number: int) -> bytes:
    subject = {"kind": "round", "id": number, "url": "http://club.example/"}
    fields = {"token": f"t{number}", "type": "round.published", "at": "now", "subject": subject}
    return (
        json.dumps({**fields, "standings": False, "later": "a field of tomorrow"}).encode() + b"\n"
    )


class Script:
    """A service with prepared answers: a status, headers and a body for each request."""

    def __init__(self, *answers: tuple[int, dict[str, str], bytes]) -> None:
        script = iter(answers)
        self.last_event_ids: list[str | None] = []
        last_event_ids = self.last_event_ids

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                last_event_ids.append(self.headers["Last-Event-ID"])
                status, headers, body = next(script, (503, {}, b"{}"))
                self.send_response(status)
                for name, value in {"Content-Type": NDJSON, **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def client(self, sleep: Callable[[float], None] = lambda _: None) -> Client:
        transport = Transport(attempts=3, sleep=sleep, chance=random.Random(1))
        return Client(f"http://127.0.0.1:{self.server.server_port}", transport=transport)


def first_tokens(events: Any, count: int) -> list[str]:
    return [event.token for event in islice(events, count)]


def test_a_line_is_an_event_and_an_empty_one_is_nothing() -> None:
    events = list(events_of([b"\n", line(1), b"\n", b"\n", line(2)]))
    assert [event.token for event in events] == ["t1", "t2"]
    assert events[0] == LiveEvent(
        "t1",
        "round.published",
        "now",
        {"kind": "round", "id": 1, "url": "http://club.example/"},
        False,
    )


@pytest.mark.parametrize("end", range(1, 60, 7))
def test_a_torn_line_is_not_read(end: int) -> None:
    assert [event.token for event in events_of([line(1), line(2)[:-end]])] == ["t1"]


def test_after_a_break_it_goes_on_after_the_last_event() -> None:
    fine: dict[str, str] = {}
    with Script(
        (200, fine, b"\n" + line(1) + line(2)[:20]),
        (200, fine, line(2) + line(3)),
        (200, {"Content-Length": "10000"}, line(4)),
        (200, fine, line(5)),
    ) as service:
        assert first_tokens(service.client().follow("noche", "t0"), 5) == [
            "t1",
            "t2",
            "t3",
            "t4",
            "t5",
        ]
    assert service.last_event_ids == ["t0", "t1", "t3", "t4"]


def test_a_route_that_is_lost_while_an_answer_is_awaited_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, main = socket.SocketIO.readinto, threading.main_thread()
    lost = [OSError(errno.EHOSTUNREACH, "No route to host") for _ in range(2)]

    def readinto(self: socket.SocketIO, buffer: Any) -> int | None:
        if lost and threading.current_thread() is main:
            raise lost.pop()
        return read(self, buffer)

    monkeypatch.setattr(socket.SocketIO, "readinto", readinto)
    event: tuple[int, dict[str, str], bytes] = (200, {}, line(1))
    card: tuple[int, dict[str, str], bytes] = (200, {}, b'{"slug": "noche"}')
    with Script(event, event, event, card, card) as service:
        assert first_tokens(service.client().follow("noche"), 1) == ["t1"]
        lost.append(OSError(errno.ENETUNREACH, "Network is unreachable"))
        assert service.client().get("tournaments/noche/") == {"slug": "noche"}


def test_without_a_token_it_begins_at_the_beginning() -> None:
    with Script((200, {}, line(1))) as service:
        assert first_tokens(service.client().follow("noche"), 1) == ["t1"]
    assert service.last_event_ids == [None]


def test_a_service_that_is_full_is_asked_again_when_it_says() -> None:
    waited: list[float] = []
    full = (503, {"Retry-After": "10"}, b"{}")
    with Script(full, (429, {"Retry-After": "7"}, b"{}"), (200, {}, line(1))) as service:
        assert first_tokens(service.client(waited.append).follow("noche"), 1) == ["t1"]
    assert waited == [10.0, 7.0]


def test_a_token_that_is_none_is_a_problem_at_once() -> None:
    refused: tuple[int, dict[str, str], bytes] = (
        400,
        {},
        b'{"code": "bad_parameter", "detail": "no"}',
    )
    with Script(refused) as service, pytest.raises(Problem) as raised:
        first_tokens(service.client().follow("noche", "x"), 1)
    assert raised.value.code == "bad_parameter"
    assert len(service.last_event_ids) == 1


def test_who_never_has_a_place_gives_up_after_the_last_attempt() -> None:
    with Script() as service, pytest.raises(Problem) as raised:
        first_tokens(service.client().follow("noche"), 1)
    assert raised.value.status == 503
    assert len(service.last_event_ids) == 3


def test_the_command_prints_a_line_an_event_until_it_is_over(capsys: Any) -> None:
    last = line(2).replace(b"round.published", b"tournament.finished")
    with Script((200, {}, b"\n" + line(1) + last)) as service:
        url = f"http://127.0.0.1:{service.server.server_port}"
        assert main(["follow", url, "noche", "--since", "t0"]) == 0
    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(document["token"], document["type"]) for document in documents] == [
        ("t1", "round.published"),
        ("t2", "tournament.finished"),
    ]
    assert service.last_event_ids == ["t0"]


def test_the_command_says_what_it_cannot_do(capsys: Any) -> None:
    with Script((404, {}, b'{"code": "not_found", "detail": "nothing"}')) as service:
        url = f"http://127.0.0.1:{service.server.server_port}"
        assert main(["follow", url, "nada"]) == 2
    assert "not_found" in capsys.readouterr().err


def test_who_is_not_there_is_unreachable() -> None:
    with Script() as service:
        pass
    with pytest.raises(Unreachable):
        first_tokens(service.client().follow("noche"), 1)


def test_a_page_in_the_place_of_the_events_is_asked_for_again_and_given_up() -> None:
    page: tuple[int, dict[str, str], bytes] = (200, {"Content-Type": "text/html"}, b"<p>WLAN</p>\n")
    with Script(page, page, (200, {}, line(1)), page, page, page) as service:
        events = service.client().follow("noche")
        assert next(events).token == "t1"
        with pytest.raises(Unreachable, match="text/html"):
            next(events)
    assert len(service.last_event_ids) == 6


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ((200, {}, b"<p>WLAN</p>"), "the answer is not JSON: is this the address of a service?"),
        ((200, {}, b"[]"), "the service does not tell 'results'"),
        ((200, {}, b'{"results": [1], "next": null}'), "the service does not tell 'slug'"),
        ((502, {}, b"<p>nginx</p>"), "502: Bad Gateway"),
        ((301, {"Location": "https://club.example/"}, b""), "301: Moved Permanently: https://club"),
    ],
)
def test_the_command_says_what_answers_in_the_place_of_a_service(
    answer: tuple[int, dict[str, str], bytes],
    says: str,
    tmp_path: Path,
    capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Transport, "wait", lambda *_: 0)
    file = tmp_path / "night.ndjson"
    file.write_text("{}\n", encoding="utf-8")
    with Script(*[answer] * 6) as service:
        url = f"http://127.0.0.1:{service.server.server_port}"
        assert main(["submit", str(file), "--to", url]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.slow
def test_an_interrupted_command_does_not_wait_for_a_service_that_does_not_answer(
    tmp_path: Path,
) -> None:
    file = tmp_path / "night.ndjson"
    file.write_text("{}\n", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        # A shell lets the programs that it starts in the background ignore Ctrl-C.
        command = (
            "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
            "from tournaments.cli import main; sys.exit(main(sys.argv[1:]))"
        )
        running = subprocess.Popen(
            [sys.executable, "-c", command, "submit", str(file), "--to", url, "--tournament", "x"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        connection, _ = silent.accept()
        with connection:
            running.send_signal(signal.SIGINT)
            communicate = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "Traceback" not in communicate[1]
