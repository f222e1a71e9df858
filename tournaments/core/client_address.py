"""The client's address of a request, and the network that limits count by."""

import ipaddress
from typing import Final

from django.conf import settings
from django.http import HttpRequest

NOWHERE: Final = "0.0.0.0"  # noqa: S104 - nothing listens there  # nosec B104
"""Counted for all requests of unknown address: over a unix socket, without a proxy's header."""

HOME_NETWORK: Final = 64
"""Bits of an IPv6 address that a provider assigns; the customer picks the others at will."""


def address_of(request: HttpRequest) -> str:
    """Return the client's address, behind a proxy the one the proxy saw; empty if unknown."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    said = str(request.META.get("REMOTE_ADDR", ""))
    if settings.ENVIRONMENT.is_https and forwarded:
        said = forwarded.split(",")[-1].strip()
    try:
        return str(ipaddress.ip_address(said.partition("%")[0]))  # %: the zone of a local address
    except ValueError:
        return ""


def network_of(request: HttpRequest) -> str:
    """Return the network that limits count by, never empty.

    It is an IPv4 address, or the first address of an IPv6 /64. With an empty text axes would look
    for rows without an address, and find none.
    """
    address = address_of(request)
    if ":" in address:
        network = ipaddress.ip_network((address, HOME_NETWORK), strict=False)
        return str(network.network_address)
    return address or NOWHERE
