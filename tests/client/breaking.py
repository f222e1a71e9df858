"""A way to a service on which connections break in the middle of a word."""

from __future__ import annotations

import contextlib
import random
import socket
from socketserver import BaseRequestHandler

from tests.client.way import Way


class BreakingWay(Way):
    """A proxy that lets some bytes of each answer through, and then breaks the connection off.

    How many is drawn from the seed, between the head of an answer and a few events more.
    """

    def __init__(self, service: str, seed: str, least: int = 900, most: int = 4000) -> None:
        super().__init__(service, _Passing)
        self.chance, self.least, self.most = random.Random(seed), least, most
        self.connections = 0

    def allowed(self) -> int:
        """Count a connection, and say how many bytes of its answer come through."""
        with self.lock:
            self.connections += 1
            return self.chance.randint(self.least, self.most)


class _Passing(BaseRequestHandler):
    server: BreakingWay
    request: socket.socket

    def handle(self) -> None:
        left = self.server.allowed()
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            piece = self.request.recv(1 << 12)
            if not piece:
                return
            head += piece
        with (
            contextlib.suppress(OSError),
            socket.create_connection(self.server.there) as service,
        ):
            service.sendall(head)
            while left and (piece := service.recv(min(left, 1 << 12))):
                self.request.sendall(piece)
                left -= len(piece)
