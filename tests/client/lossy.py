"""A way to a service on which answers are lost, after the service has carried the request out."""

from __future__ import annotations

import socket
from collections.abc import Callable
from socketserver import StreamRequestHandler

from tests.client.way import Way

Fate = Callable[[int, bytes], bytes]
"""What comes through of an answer, by the number of the request from 0."""


class LossyWay(Way):
    """A proxy in front of a service: every request gets there, not every answer comes back."""

    def __init__(self, service: str, fate: Fate) -> None:
        super().__init__(service, _Passing)
        self.fate = fate
        self.requests = 0

    def number(self) -> int:
        """Count a request."""
        with self.lock:
            self.requests += 1
            return self.requests - 1


class _Passing(StreamRequestHandler):
    server: LossyWay

    def handle(self) -> None:
        number = self.server.number()
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            head += line
        lengths = [
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        ]
        body = self.rfile.read(sum(lengths))
        with socket.create_connection(self.server.there) as service:
            service.sendall(head + body)
            answer = b"".join(iter(lambda: service.recv(1 << 16), b""))
        self.wfile.write(self.server.fate(number, answer))


def every(count: int) -> Fate:
    """Lose every n-th answer, the first among them."""
    return lambda number, answer: b"" if number % count == 0 else answer


def half_of_the_first(number: int, answer: bytes) -> bytes:
    """Break the first answer off in its middle."""
    return answer[: len(answer) // 2] if number == 0 else answer
