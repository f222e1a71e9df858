"""Requests over a real socket, to granian: bodies in pieces, cut and late, and full slots."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.clubs import submitted, the_liguilla
from tests.served import WebServer
from tournaments.management.commands.up import raise_file_limit
from tournaments.settings import REQUESTS_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

HALF_SENT, STREAMS = 50, 20
IDLE = 1400
"""Connections of 200 browsers, seven each."""


class Connection:
    """A socket on which one request is written piece by piece."""

    def __init__(self, server: WebServer, stack: ExitStack) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        stack.callback(self.socket.close)
        self.heard = b""

    def begin(self, method: str, target: bytes, *headers: str) -> Connection:
        """Send the head of the request."""
        head = [f"{method} ".encode() + target + b" HTTP/1.1", b"Host: 127.0.0.1"]
        head += [header.encode() for header in headers]
        self.socket.sendall(b"\r\n".join(head) + b"\r\n\r\n")
        return self

    def send(self, *pieces: bytes) -> Connection:
        """Send pieces of the body."""
        for piece in pieces:
            self.socket.sendall(piece)
        return self

    def until(self, text: bytes, count: int = 1) -> bytes:
        """Read until a text has come so often."""
        while self.heard.count(text) < count:
            piece = self.socket.recv(1 << 16)
            assert piece, self.heard
            self.heard += piece
        return self.heard

    def answer(self) -> tuple[int, bytes]:
        """Read the answer to the end; the request must have asked to close the connection."""
        while piece := self.socket.recv(1 << 16):
            self.heard += piece
        head, _, body = self.heard.partition(b"\r\n\r\n")
        return int(head.split()[1]), body


@pytest.fixture(autouse=True)
def many_files() -> None:
    """Let the test hold its side of the connections; the service inherits the limit."""
    raise_file_limit()


@pytest.fixture
def server(child_environment: dict[str, str], tmp_path: Path) -> Iterator[WebServer]:
    environment = child_environment | {"BAZA_TEST_RELEASE": str(tmp_path / "release")}
    with WebServer(environment, tmp_path / "log", "tests.support.slow_site:application") as service:
        yield service


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as connections:
        yield connections


def ask(server: WebServer, stack: ExitStack, target: bytes, *headers: str) -> tuple[int, bytes]:
    """Ask for an address."""
    return Connection(server, stack).begin("GET", target, "Connection: close", *headers).answer()


def echoed(answer: tuple[int, bytes]) -> dict[str, Any]:
    """Return what the service says has come."""
    assert answer[0] == 200, answer
    fields: dict[str, Any] = json.loads(answer[1])
    return fields


def test_a_body_in_chunks_comes_whole(server: WebServer, stack: ExitStack) -> None:
    connection = Connection(server, stack)
    connection.begin("POST", b"/echo/", "Connection: close", "Transfer-Encoding: chunked")
    connection.send(b"4\r\nTute\r\n", b"1\r\n \r\n", b"6\r\nhab", b"ane\r\n", b"0\r\n\r\n")
    assert echoed(connection.answer())["body"] == "Tute habane"


@pytest.mark.parametrize(
    ("header", "piece"),
    [("Content-Length: 100", b"half of it"), ("Transfer-Encoding: chunked", b"4\r\nhalf\r\n")],
    ids=["length", "chunks"],
)
def test_a_body_that_is_cut_reaches_no_view(
    server: WebServer, stack: ExitStack, header: str, piece: bytes
) -> None:
    cut = Connection(server, stack).begin("POST", b"/echo/", header).send(piece)
    cut.socket.shutdown(socket.SHUT_WR)
    while cut.socket.recv(1 << 16):  # until the service has closed its side, too
        pass
    assert echoed(ask(server, stack, b"/echo/"))["bodies"] == [0]
    assert "Traceback" not in server.log.read_text()


def test_half_sent_bodies_keep_nobody_waiting(server: WebServer, stack: ExitStack) -> None:
    header = "Content-Length: 10"
    half = [
        Connection(server, stack)
        .begin("POST", b"/echo/", header, "Connection: close")
        .send(b"first")
        for _ in range(HALF_SENT)
    ]
    for _ in range(2 * REQUESTS_AT_ONCE):
        assert ask(server, stack, b"/api/v1/clubs/")[0] == 200
    for connection in half:
        assert echoed(connection.send(b" last").answer())["body"] == "first last"


def test_a_hall_of_browsers_that_keep_connections_open_keeps_nobody_waiting(
    server: WebServer, stack: ExitStack
) -> None:
    for _ in range(IDLE):
        Connection(server, stack)
    assert ask(server, stack, b"/api/v1/clubs/")[0] == 200


def test_raw_bytes_in_a_query_are_refused_and_escaped_ones_are_read(
    server: WebServer, stack: ExitStack
) -> None:
    assert ask(server, stack, b"/echo/?q=\xff\xfe")[0] == 400
    assert echoed(ask(server, stack, b"/echo/?q=%FF"))["query"] == "\ufffd"
    assert echoed(ask(server, stack, b"/echo/?q=%C3%B1"))["query"] == "ñ"


def test_no_header_passes_for_another_by_an_underscore(server: WebServer, stack: ExitStack) -> None:
    headers = ("X_Forwarded_For: 192.0.2.1", "X_Forwarded-Proto: https", "X-Tried: yes")
    assert echoed(ask(server, stack, b"/echo/", *headers))["headers"] == {"HTTP_X_TRIED": "yes"}


def test_streams_go_on_and_bodies_come_in_while_all_slots_are_taken(
    server: WebServer, stack: ExitStack, tmp_path: Path
) -> None:
    night = the_liguilla(published=1)
    submitted(night, 0)
    path = f"/api/v1/tournaments/{night.slug}/events/stream/".encode()
    streams = [Connection(server, stack).begin("GET", path) for _ in range(STREAMS)]
    for stream in streams:
        stream.until(b"result.accepted")
    holding = [
        Connection(server, stack).begin("GET", b"/wait/", "Connection: close")
        for _ in range(2 * REQUESTS_AT_ONCE)
    ]
    late = Connection(server, stack)
    late.begin("POST", b"/echo/", "Content-Length: 4", "Connection: close").send(b"late")
    submitted(night, 1)
    for stream in streams:
        stream.until(b"result.accepted", 2)
    assert not late.heard
    (tmp_path / "release").touch()
    assert [connection.answer() for connection in holding] == [(200, b"released")] * len(holding)
    assert echoed(late.answer())["body"] == "late"
