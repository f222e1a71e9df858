"""Addresses that webhooks are sent to in tests: a small HTTPS server with a certificate of its own.

It listens on this machine, which nothing may be sent to. So a name is *put* at a public number for
the check, and the connection to that number is led to the server by the test itself.
"""

from __future__ import annotations

import datetime as dt
import http.server
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PUBLIC = "93.184.215.14"
HOST = "hooks.club.example"


@dataclass(frozen=True)
class Received:
    """A message as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[http.server.BaseHTTPRequestHandler], None]


def answers(status: int, body: bytes = b"", **headers: str) -> Answer:
    """An endpoint that always says the same."""

    def answer(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@dataclass
class Endpoint:
    """A server and what it has received; ``answer`` may be changed at any time."""

    port: int
    received: list[Received] = field(default_factory=list)
    answer: Answer = answers(204)

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}/baza?club=1"


@dataclass(frozen=True)
class Authority:
    """A certificate authority of the tests': its own file, and one for a host with its key."""

    ca: Path
    chain: Path


def make_authority(folder: Path, host: str = HOST) -> Authority:
    """Make an authority and a certificate for a host; only the first is written to ``ca``."""
    now = dt.datetime.now(dt.UTC)
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Autoridad de prueba")])

    def signed(subject: x509.Name, public: Any, *, is_ca: bool) -> x509.Certificate:
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=2))
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        )
        if not is_ca:
            names = x509.SubjectAlternativeName([x509.DNSName(host)])
            builder = builder.add_extension(names, critical=False)
        return builder.sign(ca_key, hashes.SHA256())

    ca = signed(issuer, ca_key.public_key(), is_ca=True)
    certificate = signed(
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)]), key.public_key(), is_ca=False
    )
    pem = serialization.Encoding.PEM
    (folder / "ca.pem").write_bytes(ca.public_bytes(pem))
    (folder / "chain.pem").write_bytes(
        certificate.public_bytes(pem)
        + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return Authority(folder / "ca.pem", folder / "chain.pem")


@contextmanager
def serving(chain: Path | None) -> Iterator[Endpoint]:
    """Run an endpoint; without a certificate over plain HTTP."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            endpoint.received.append(Received(self.path, headers, body))
            endpoint.answer(self)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """A caller that hangs up is no error of a test."""

    server = Server(("127.0.0.1", 0), Handler)
    if chain is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    endpoint = Endpoint(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass
class Internet:
    """What names lead to, and which numbers are led to this machine.

    ``names``: for each question about a name the next answer, the last one again and again.
    ``asked`` and ``connected`` are what was resolved and connected to.
    """

    names: dict[str, list[Sequence[str]]] = field(default_factory=dict)
    led_here: set[str] = field(default_factory=lambda: {PUBLIC})
    asked: list[str] = field(default_factory=list)
    connected: list[str] = field(default_factory=list)

    def getaddrinfo(self, host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        self.asked.append(host)
        queue = self.names.get(host)
        if queue is None:
            return list(self.system(host, port, type=socket.SOCK_STREAM))
        numbers = queue.pop(0) if len(queue) > 1 else queue[0]
        if not numbers:
            raise socket.gaierror(socket.EAI_NONAME, "not known")
        return [
            (
                (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (number, port, 0, 0))
                if ":" in number
                else (socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port))
            )
            for number in numbers
        ]

    system: Any = socket.getaddrinfo

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Put this Internet in the place of the real one, for the sender alone."""
        internet = self

        class Led(socket.socket):
            """A socket that reaches public numbers on this machine, and says it did not."""

            peer = ""

            def connect(self, place: Any) -> None:
                internet.connected.append(place[0])
                self.peer = place[0]
                if place[0] in internet.led_here:
                    place = ("127.0.0.1", place[1])
                super().connect(place)

            def getpeername(self) -> Any:
                return (self.peer, 0) if self.peer in internet.led_here else super().getpeername()

        from tournaments.core import outgoing

        class Module:
            """The module `socket` with two names of its own."""

            socket = Led
            getaddrinfo = staticmethod(internet.getaddrinfo)

            def __getattr__(self, name: str) -> Any:
                return getattr(socket, name)

        patch.setattr(outgoing, "socket", Module())


@contextmanager
def trusting(authority: Authority, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the sender trust the tests' authority, and no other."""
    patch.setenv("SSL_CERT_FILE", str(authority.ca))
    patch.setenv("SSL_CERT_DIR", str(authority.ca.parent / "none"))
    yield
