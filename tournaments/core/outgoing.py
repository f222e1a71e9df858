"""Safe HTTP client for addresses of webhooks and browsers, which others state (against SSRF).

It is `http.client` with its own ``connect``: the name is resolved once, every address is checked,
and the connection goes to a checked address only, so a second answer of a name server has no effect
(DNS rebinding). The certificate must be valid for the name. Proxies of the environment, redirects
and keep-alive are not used. The time limit holds for everything together.
"""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.domain.addresses import Address, is_public

SEND_SECONDS: Final = 15.0
"""Seconds for one message in all, from resolving the name to the last byte of the answer."""

MAX_REPLY_BYTES: Final = 4096
"""Bytes of the answer's body that are read; then the connection is closed."""


class Fault(models.TextChoices):
    """Why there was no answer."""

    ADDRESS = "address", _("the address cannot be sent to")
    PRIVATE = "private", _("the name belongs to a private network")
    NAME = "name", _("the name is not known")
    CONNECTION = "connection", _("no connection")
    TLS = "tls", _("the certificate is not valid")
    TIME = "time", _("no answer in time")
    ANSWER = "answer", _("the answer is not HTTP")


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of a request: status and beginning of the body, or a fault."""

    status: int | None
    body: bytes
    fault: Fault | None
    took: int
    """Milliseconds."""

    @property
    def is_accepted(self) -> bool:
        """Return whether the receiver accepted the message (status 200 to 299)."""
        return self.status is not None and 200 <= self.status < 300


class Unreachable(Exception):  # noqa: N818 - what the other side is
    """The address cannot be resolved or must not be connected to."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


def send(
    address: Address,
    body: bytes,
    headers: Mapping[str, str],
    *,
    private: bool = False,
    patience: float = SEND_SECONDS,
) -> Reply:
    """POST a body to an address; ``private`` also allows addresses of private networks.

    ``patience`` is in seconds. Errors of the network or the receiver are returned, never raised.
    """
    start = time.monotonic()
    clock = _Deadline(start + patience)

    def reply(status: int | None, text: bytes, fault: Fault | None) -> Reply:
        return Reply(status, text, fault, round((time.monotonic() - start) * 1000))

    try:
        connection = _Connection(address, clock, private=private)
        with connection.closing_in_time():
            connection.request("POST", address.target, body, dict(headers))
            answer = connection.getresponse()
            text = answer.read(MAX_REPLY_BYTES)
            if clock.is_over:  # it was cut short
                return reply(None, b"", Fault.TIME)
            return reply(answer.status, text, None)
    except Unreachable as error:
        fault = error.fault
    except ssl.SSLError:
        fault = Fault.TLS
    except http.client.HTTPException:
        fault = Fault.ANSWER
    except TimeoutError:
        fault = Fault.TIME
    except OSError:
        fault = Fault.CONNECTION
    return reply(None, b"", Fault.TIME if clock.is_over else fault)


def tls_context() -> ssl.SSLContext:
    """Return the TLS context: the machine's authorities, and the name is checked."""
    return ssl.create_default_context()


class _Deadline:
    """The time limit of one message."""

    def __init__(self, end: float) -> None:
        self.end = end

    @property
    def left(self) -> float:
        """Seconds left; raises TimeoutError when none are."""
        seconds = self.end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.end


class _Connection(http.client.HTTPConnection):
    """An HTTP connection to an address that was checked."""

    def __init__(self, address: Address, clock: _Deadline, *, private: bool) -> None:
        super().__init__(address.host, address.port)
        self.default_port = 443 if address.is_https else 80
        self._address = address
        self._clock = clock
        self._private = private
        self._open: socket.socket | None = None

    def connect(self) -> None:
        """Resolve, check, connect and verify the certificate."""
        raw = self._connect_to_one()
        self._open = self.sock = raw
        raw.settimeout(self._clock.left)
        if not self._address.is_https:
            return
        # The handshake follows only when the socket is stored, so that the timer can shut it down.
        wrapped = tls_context().wrap_socket(
            raw, server_hostname=self._address.host, do_handshake_on_connect=False
        )
        self._open = self.sock = wrapped
        wrapped.settimeout(self._clock.left)
        wrapped.do_handshake()

    @contextmanager
    def closing_in_time(self) -> Iterator[None]:
        """Shut the connection down when the time is over, and close it at the end.

        Socket timeouts alone do not suffice: they begin again with every byte received.
        """
        watch = threading.Timer(self._clock.left, self._shut_down)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()
            self.close()

    def _shut_down(self) -> None:
        """Shut the socket down, which ends every read and write, also of a slow receiver."""
        if self._open is not None:
            try:
                socket.socket.shutdown(self._open, socket.SHUT_RDWR)
            except OSError:
                return  # closed already

    def _connect_to_one(self) -> socket.socket:
        """Return a connection to the first address that answers."""
        numbers = self._resolve_public()
        last: OSError = ConnectionError()
        for family, address in numbers:
            connection = socket.socket(family, socket.SOCK_STREAM)
            try:
                connection.settimeout(self._clock.left)
                connection.connect(address)
                # Checked again at the socket itself: what counts is the peer that it is connected
                # to.
                self._refuse_private(connection.getpeername()[0])
            except OSError as error:
                connection.close()
                last = error
            except Unreachable:
                connection.close()
                raise
            else:
                return connection
        raise last

    def _resolve_public(self) -> list[tuple[int, Any]]:
        """Return the addresses of the name; one that is not public refuses all of them."""
        addresses = _resolve(self._address.host, self._address.port, self._clock.left)
        for _family, address in addresses:
            self._refuse_private(address[0])
        return addresses

    def _refuse_private(self, number: str) -> None:
        if not self._private and not is_public(ip_address(number)):
            raise Unreachable(Fault.PRIVATE)


def _resolve(host: str, port: int, patience: float) -> list[tuple[int, Any]]:
    """Return family and socket address of each address of a name, within ``patience`` seconds.

    The system's resolver has no time limit, so it runs in a thread of its own.
    """
    addresses: list[tuple[int, Any]] = []
    faults: list[OSError] = []

    def ask() -> None:
        try:
            for family, _type, _protocol, _name, address in socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM
            ):
                addresses.append((family, address))
        except (OSError, UnicodeError):
            faults.append(OSError())

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(patience)
    if thread.is_alive():
        raise TimeoutError
    if faults or not addresses:
        raise Unreachable(Fault.NAME)
    return addresses
