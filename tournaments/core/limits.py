"""Limits on what costs processor time or guesses secrets: a minute's requests, threads at once."""

import ipaddress
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

from tournaments.core.errors import Reason, Refusal
from tournaments.core.views import ENTRY_CODES

# --- The client's address -------------------------------------------------------------------------


UNKNOWN_ADDRESS: Final = "0.0.0.0"  # noqa: S104 - nothing listens there  # nosec B104
"""Counted for all requests of unknown address: over a unix socket, without a proxy's header."""

IPV6_PREFIX_BITS: Final = 64
"""Bits of an IPv6 address that a provider assigns; the customer chooses the others freely."""


def address_of(request: HttpRequest) -> str:
    """Return the client's address, behind a proxy the one the proxy saw; empty if unknown."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    text = str(request.META.get("REMOTE_ADDR", ""))
    if settings.ENVIRONMENT.is_https and forwarded:
        text = forwarded.split(",")[-1].strip()
    try:
        return str(ipaddress.ip_address(text.partition("%")[0]))  # %: the zone of a local address
    except ValueError:
        return ""


def network_of(request: HttpRequest) -> str:
    """Return the network that limits count by, never empty.

    It is an IPv4 address, or the first address of an IPv6 /64. With an empty text django-axes would
    look for failed attempts without an address, and count none.
    """
    address = address_of(request)
    if ":" in address:
        network = ipaddress.ip_network((address, IPV6_PREFIX_BITS), strict=False)
        return str(network.network_address)
    return address or UNKNOWN_ADDRESS


# --- Threads at once ------------------------------------------------------------------------------


class Capacity:
    """Lets ``at_once`` threads run, ``queue_size`` threads wait, and refuses the others."""

    def __init__(self, at_once: int, queue_size: int) -> None:
        self._running = threading.BoundedSemaphore(at_once)
        self._inside = threading.BoundedSemaphore(at_once + queue_size)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Run the block as one of ``at_once``. Refuses BUSY when too many threads wait already."""
        if not self._inside.acquire(blocking=False):
            raise Refusal(Reason.BUSY)
        try:
            with self._running:
                yield
        finally:
            self._inside.release()


HASH_CAPACITY: Final = Capacity(at_once=1, queue_size=2)
"""Per web process. A hash takes some 190 ms of processor and 100 MiB of memory. A waiting hash
holds one of `settings.REQUESTS_AT_ONCE` (4): one running and two waiting leave one for everything
else."""


class BoundedArgon2PasswordHasher(Argon2PasswordHasher):
    """Django's Argon2 hasher, one hash at a time. Both methods refuse BUSY when too many wait."""

    def encode(self, password: str, salt: str) -> str:
        """Hash a password."""
        with HASH_CAPACITY.slot():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Check a password."""
        with HASH_CAPACITY.slot():
            return super().verify(password, encoded)


# --- Requests a minute ----------------------------------------------------------------------------
# They cover codes, passwords, links and printed papers. Counted for the account or the entry where
# one is known, and for the address otherwise, because all visitors in a hall share the address of
# its router. docs/operators/limits.md lists all limits of the service. A counter a minute in the
# cache. When the cache does not answer, nothing is counted: a lost Redis must not close the
# check-in.


MINUTE: Final = 60  # seconds

log = logging.getLogger(__name__)


class Limit(NamedTuple):
    """Requests a minute: for a known account or entry, and for an address."""

    name: str
    known: int
    address: int


CODES: Final = Limit("codes", known=10, address=200)
"""Wrong codes of entries. There are 31⁸ codes: guessing 200 a minute for a day against 200 entries
finds one with a probability of 1 in 14,000."""

PASSWORDS: Final = Limit("passwords", known=10, address=30)
"""Wrong passwords over all accounts: each costs some 190 ms, so 30 are a tenth of a processor."""

LINKS: Final = Limit("links", known=10, address=20)
"""Links to set a password, each of them a mail to a user."""

PAPERS: Final = Limit("papers", known=60, address=30)
"""Papers that have to be drawn, some 500 ms each; cached ones are not counted."""

SEARCHES: Final = Limit("searches", known=60, address=600)
"""Searches for a name, which are not cached: three a person in a hall of 200."""


def refuse_too_many(request: HttpRequest, limit: Limit) -> None:
    """Refuse TOO_MANY_TRIES when a limit is reached in the current minute."""
    counter, max_count = _counter_key(request, limit)
    try:
        counted = cache.get(counter, 0)
    except RedisError:
        log.warning("The cache does not answer: %s are not counted.", limit.name)
        return
    if counted >= max_count:
        raise Refusal(Reason.TOO_MANY_TRIES)


def count_one(request: HttpRequest, limit: Limit) -> None:
    """Count one towards a limit."""
    counter, _ = _counter_key(request, limit)  # once: the minute may end in between
    try:
        cache.add(counter, 0, timeout=2 * MINUTE)
        cache.incr(counter)
    except RedisError:
        log.warning("The cache does not answer: %s are not counted.", limit.name)


def _counter_key(request: HttpRequest, limit: Limit) -> tuple[str, int]:
    """Return the cache key that counts this request, and its limit."""
    entries = request.session.get(ENTRY_CODES)
    if request.user.is_authenticated:
        client, max_count = f"account:{request.user.pk}", limit.known
    elif entries:  # by the entry, not the session: a code opens any number of sessions
        client, max_count = f"entry:{':'.join(min(entries.items()))}", limit.known
    else:
        client, max_count = f"address:{network_of(request)}", limit.address
    return f"limit:{limit.name}:{client}:{int(time.time() // MINUTE)}", max_count
