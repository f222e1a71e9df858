"""A way to a service through a proxy of its own, for tests in which something gets lost on it."""

from __future__ import annotations

import threading
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from types import TracebackType


class Way(ThreadingTCPServer):
    """A proxy on a free port in front of a service; ``handler`` says what comes through."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, service: str, handler: type[BaseRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        url = urlsplit(service)
        self.there = (url.hostname or "", url.port or 80)
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """The address to ask in place of the service's."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shutdown()
        self.thread.join()
        self.server_close()
