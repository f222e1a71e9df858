"""The example client of a bot that runs elsewhere, on a way on which answers are lost."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tournaments.environment import ROOT

Answer = tuple[int, bytes, int]
"""Status, body, and bytes that the head promises beyond the body."""

TURN = {"id": 7}


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    path = ROOT / "examples/bots/over_the_api.py"
    spec = importlib.util.spec_from_file_location("over_the_api", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "LATER", 0)
    return module


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Give a function that serves prepared answers one after the other, at an address."""
    servers: list[HTTPServer] = []

    def run(*answers: Answer) -> str:
        script = iter(answers)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def do_GET(self) -> None:
                status, body, missing = next(script)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body) + missing))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        servers.append(HTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield run
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    "lost",
    [
        (200, b'{"say": ', 100),
        (200, b"<p>WLAN</p>", 0),
        (403, b"<p>a proxy</p>", 0),
        (502, b"<p>a proxy</p>", 0),
    ],
)
def test_an_answer_that_is_cut_short_or_a_proxys_page_is_asked_for_again(
    lost: Answer, example: Any, serve: Callable[..., str]
) -> None:
    service = example.Service(serve(lost, (200, b'{"say": "ok"}', 0)), "lejano", "token")
    assert service.post(TURN, {"play": "As"}) == {"say": "ok"}


def test_a_refusal_of_the_service_ends_the_turn(example: Any, serve: Callable[..., str]) -> None:
    refused = (409, b'{"code": "turn_closed"}', 0)
    service = example.Service(serve(refused), "lejano", "token")
    assert service.post(TURN, {"play": "As"}) == {"code": "turn_closed"}


def test_a_list_of_turns_that_is_cut_short_is_a_service_that_does_not_answer(
    example: Any, serve: Callable[..., str]
) -> None:
    service = example.Service(serve((200, b'{"turns": [', 100)), "lejano", "token")
    with pytest.raises(OSError, match="no whole answer"):  # `play` waits and asks again
        example.step(service, {}, None)
