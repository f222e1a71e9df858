"""The service as it is served, with two hundred streams that wait."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from baza_client import Client
from tests.clubs import submitted, the_liguilla
from tests.served import WebServer
from tournaments.live.streams import MAX_STREAMS_PER_ADDRESS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

STREAMS = 200
END = b"0\r\n\r\n"
"""The last chunk of an answer that was sent to its end."""


@pytest.fixture
def server(child_environment: dict[str, str], tmp_path: Path) -> Iterator[WebServer]:
    with WebServer(child_environment, tmp_path / "granian.log") as service:
        yield service


class Stream:
    """A connection that follows a tournament, from an address of this machine."""

    def __init__(self, server: WebServer, slug: str, address: str) -> None:
        self.socket = socket.create_connection(
            ("127.0.0.1", server.port), timeout=60, source_address=(address, 0)
        )
        path = f"/api/v1/tournaments/{slug}/events/stream/"
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        self.heard = b""

    def until(self, word: bytes, count: int = 1) -> bytes:
        """Read until something has been said so often."""
        while self.heard.count(word) < count:
            piece = self.socket.recv(1 << 16)
            assert piece, self.heard
            self.heard += piece
        return self.heard

    def close(self) -> None:
        self.socket.close()


def follow(server: WebServer, night: Tournament, stack: ExitStack) -> list[Stream]:
    """Have all of them follow, from as many addresses as it takes."""
    streams = []
    for number in range(STREAMS):
        address = f"127.0.0.{2 + number // MAX_STREAMS_PER_ADDRESS}"
        streams.append(Stream(server, night.slug, address))
        stack.callback(streams[-1].close)
    for stream in streams:
        assert stream.until(b"result.accepted").startswith(b"HTTP/1.1 200")
    return streams


def test_two_hundred_who_wait_hold_no_thread_and_keep_nobody_from_the_pages(
    server: WebServer,
) -> None:
    night = the_liguilla(published=1)
    submitted(night, 0)
    reader = Client(server.url)
    before = server.threads()
    with ExitStack() as stack:
        streams = follow(server, night, stack)
        assert reader.tournament(night.slug).decided == 1
        assert server.threads() < before + 20
        one_more = Stream(server, night.slug, "127.0.0.2")
        stack.callback(one_more.close)
        assert one_more.until(b"throttled").startswith(b"HTTP/1.1 429")
        submitted(night, 1)
        for stream in streams:
            stream.until(b"result.accepted", 2)
        assert reader.standings(night.slug)
        assert server.stop() == 0
        for stream in streams:
            assert stream.until(END).endswith(END)
    assert "Traceback" not in server.log.read_text()
