"""The example client of a bot that runs elsewhere, on a way on which answers are lost."""

from __future__ import annotations

import importlib.util
import json
import sys
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


# --- The bot --------------------------------------------------------------------------------------


HELLO = {"type": "hello"}
PAGE = {
    "turns": [
        {"match": 1, "part": 1, "seat": seat, "id": number, "messages": [HELLO]}
        for number, seat in enumerate("AB", 1)
    ],
    "ended": [],
    "poll_after": 0.2,
    "matches": [1],
}


class Posted:
    """A service that only notes what is posted."""

    def __init__(self, page: Any = PAGE) -> None:
        self.page = page
        self.lines: list[Any] = []

    def turns(self, _query: str = "") -> Any:
        return self.page

    def post(self, _turn: Any, line: Any) -> Any:
        self.lines.append(line)
        return {"say": "", "failure": "crash", "message": ""}


@pytest.mark.parametrize(
    ("program", "ending", "errors"),
    [
        ("raise SystemExit(3)", "code 3", ""),
        ("raise KeyError('trump')", "code 1", "KeyError: 'trump'"),
        ("import os; os.kill(os.getpid(), 11)", "signal SIGSEGV", ""),
        ("import os, time; os.close(1); time.sleep(60)", "closed", ""),
    ],
)
def test_a_bot_that_ends_is_posted_as_a_crash_and_the_others_are_asked(
    program: str, ending: str, errors: str, example: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example, "END", 0.5)
    good = 'import sys; sys.stdin.readline(); print(\'{"type": "ready"}\', flush=True); input()'
    programs = iter([program, good])
    service, bots = Posted(), dict[Any, Any]()
    assert example.step(
        service, bots, lambda: example.Program([sys.executable, "-c", next(programs)])
    )
    report, line = service.lines
    assert (report["failure"], report["ending"]) == ("crash", ending)
    assert errors in report["stderr"]
    assert line == b'{"type": "ready"}\n'
    assert list(bots) == [(1, 1, "B")]  # the next turn of A begins again
    example.leave(bots, PAGE["turns"][1])  # type: ignore[index]


def test_a_bot_in_python_that_raises_is_a_crash_too(example: Any) -> None:
    class Bot:
        def answer(self, _message: Any) -> Any:
            raise ZeroDivisionError

        def close(self) -> None:
            pass

    service = Posted()
    example.step(service, {}, Bot)
    assert [line["ending"] for line in service.lines] == ["code 1", "code 1"]
    assert "ZeroDivisionError" in service.lines[0]["stderr"]


def test_a_bot_that_dies_at_the_end_of_a_match_ends_nothing_else(example: Any) -> None:
    bye = {"match": 1, "part": 1, "seat": "A", "messages": [{"type": "end"}, {"type": "bye"}]}
    gone = example.Program([sys.executable, "-c", ""])
    gone.process.wait()
    bots = {(1, 1, "A"): gone}
    example.step(Posted({**PAGE, "turns": [], "ended": [bye]}), bots, None)
    assert bots == {}


@pytest.mark.parametrize(
    ("words", "token", "sentence"),
    [
        ([], "baza_a", "usage: "),
        (["http://127.0.0.1:1", "lejano"], "baza_a", "usage: "),
        (["http://127.0.0.1:1", "lejano", "python3"], "", "BAZA_TOKEN is not set"),
        (["http://127.0.0.1:1", "lejano", "python3"], "ñ", "BAZA_TOKEN: this is no token"),
        (["127.0.0.1:1", "lejano", "python3"], "baza_a", "127.0.0.1:1: the address"),
        (["http://127.0.0.1:1", "lejano", "no-such-bot"], "baza_a", "no-such-bot: there is no"),
    ],
)
def test_what_is_missing_or_wrong_is_one_sentence(
    words: list[str], token: str, sentence: str, example: Any
) -> None:
    text = example.main(words, token)
    assert text.startswith(sentence)
    assert "\n" not in text


@pytest.mark.parametrize(
    ("status", "detail"), [(401, "This token is not valid."), (404, "There is nothing here.")]
)
def test_a_token_or_a_bot_that_the_service_does_not_know_ends_the_client(
    status: int, detail: str, example: Any, serve: Callable[..., str]
) -> None:
    problem = json.dumps({"detail": detail, "code": "x"}).encode()
    text = example.main([serve((status, problem, 0)), "lejano", "python3"], "baza_a")
    assert text.endswith(f"/api/v1/bots/lejano/turns/: {detail}")
