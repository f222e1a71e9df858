"""Checks the addresses that the service sends to: their form, and the machines they lead to.

A club's organiser names that of a webhook, a browser that of its messages, and the service calls
it from inside its own network. So the written address is checked when it is kept, and the number
that is really connected to every time (`core.outgoing`): a name may lead elsewhere tomorrow, or at
the second look.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
)
from typing import Final
from urllib.parse import urlsplit

MAX_LENGTH: Final = 500
"""Characters of an address."""

HTTPS: Final = 443
LOWEST_OTHER_PORT: Final = 1024
"""Below it are ports of other services: mail, remote shells, file servers."""

PLAIN: Final = re.compile(r"[!-~]+")
LABEL: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
NUMERIC_HOST: Final = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
"""What browsers and resolvers take for an IPv4 number in one of its many forms."""

NON_PUBLIC_NETWORKS: Final = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private, RFC 1918
        "100.64.0.0/10",  # shared by a provider's customers, RFC 6598
        "127.0.0.0/8",  # this machine
        "169.254.0.0/16",  # this cable, and the clouds' metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # the IETF's own, RFC 6890
        "192.0.2.0/24",  # documents
        "192.88.99.0/24",  # relays of 6to4, RFC 7526
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documents
        "203.0.113.0/24",  # documents
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
PUBLIC_NETWORK_V6: Final = IPv6Network("2000::/3")
"""All that is given out of IPv6: what is mapped, translated, local or multicast lies outside."""

NON_PUBLIC_NETWORKS_V6: Final = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # the IETF's own: Teredo, ORCHID, benchmarks
        "2001:db8::/32",  # documents
        "2002::/16",  # 6to4: an IPv4 number in disguise
        "3fff::/20",  # documents, RFC 9637
    )
)


class AddressFault(StrEnum):
    """Why nothing is sent to an address."""

    UNREADABLE = "unreadable"
    TOO_LONG = "too_long"
    NOT_HTTPS = "not_https"
    HAS_CREDENTIALS = "names_somebody"
    """It holds a user's name or a password."""
    BAD_HOST = "bad_host"
    BAD_PORT = "bad_port"
    PRIVATE = "private"


class BadAddress(ValueError):  # noqa: N818 - what it is
    """An address that nothing is sent to."""

    def __init__(self, flaw: AddressFault) -> None:
        super().__init__(flaw.value)
        self.flaw = flaw


@dataclass(frozen=True, slots=True)
class Address:
    """An address that may be tried: ``target`` is what is asked of the host, path and query."""

    url: str
    is_https: bool
    host: str
    port: int
    target: str


def read_address(url: str, *, private: bool = False, most: int = MAX_LENGTH) -> Address:
    """Read an address as an organiser writes it; with ``private``, of any machine and without TLS.

    ``most`` is the limit of its characters. Raises BadAddress.
    """
    if len(url) > most:
        raise BadAddress(AddressFault.TOO_LONG)
    if not PLAIN.fullmatch(url) or "\\" in url:
        raise BadAddress(AddressFault.UNREADABLE)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(AddressFault.UNREADABLE) from error
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise BadAddress(AddressFault.NOT_HTTPS)
    if "@" in parts.netloc:
        raise BadAddress(AddressFault.HAS_CREDENTIALS)
    if parts.fragment:
        raise BadAddress(AddressFault.UNREADABLE)
    host = (parts.hostname or "").rstrip(".")
    _check_host(host, private=private)
    is_https = parts.scheme == "https"
    port = (HTTPS if is_https else 80) if port is None else port
    if port != HTTPS and port < LOWEST_OTHER_PORT and not private:
        raise BadAddress(AddressFault.BAD_PORT)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(url, is_https, host, port, target)


def _check_host(host: str, *, private: bool) -> None:
    """Refuse what is no name with a point in it, and no public number in its usual form."""
    try:
        number = ip_address(host)
    except ValueError:
        labels = host.split(".")
        if not all(map(LABEL.fullmatch, labels)) or len(host) > 253:
            raise BadAddress(AddressFault.BAD_HOST) from None
        if NUMERIC_HOST.fullmatch(host):
            raise BadAddress(AddressFault.BAD_HOST) from None
        if len(labels) < 2 and not private:
            raise BadAddress(AddressFault.PRIVATE) from None
    else:
        if not (private or is_public(number)):
            raise BadAddress(AddressFault.PRIVATE)


def is_public(number: IPv4Address | IPv6Address) -> bool:
    """Tell whether a number belongs to a machine of the public Internet, and to itself alone.

    An IPv6 number that carries one of IPv4 (mapped, 6to4, NAT64, Teredo) does not, whichever it
    carries: a translator that is not ours decides what is reached through it.
    """
    if isinstance(number, IPv4Address):
        return not any(number in network for network in NON_PUBLIC_NETWORKS)
    if number.scope_id or number not in PUBLIC_NETWORK_V6:
        return False
    return not any(number in network for network in NON_PUBLIC_NETWORKS_V6)
