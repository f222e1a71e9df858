"""Limits a minute on requests that guess secrets or cost processor time.

They cover codes, passwords, links and printed papers. Counted for the account or the entry where
one is known, and for the address otherwise, because all visitors in a hall share the address of its
router. docs/limits.md lists all limits of the service. A counter a minute in the cache. When the
cache does not answer, nothing is counted: a lost Redis must not close the check-in.
"""

import logging
import time
from typing import Final, NamedTuple

from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

from tournaments.core.client_address import network_of
from tournaments.core.errors import Reason, Refusal
from tournaments.core.views import ENTRY_CODES

MINUTE: Final = 60  # seconds

# The name of an earlier module: installations filter by it.
log = logging.getLogger("tournaments.web.attempts")


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


def refuse_too_many(request: HttpRequest, limit: Limit) -> None:
    """Refuse TOO_MANY_TRIES when a limit is reached in the current minute."""
    counter, most = _counter(request, limit)
    try:
        counted = cache.get(counter, 0)
    except RedisError:
        log.warning("The cache does not answer: %s are not counted.", limit.name)
        return
    if counted >= most:
        raise Refusal(Reason.TOO_MANY_TRIES)


def count_one(request: HttpRequest, limit: Limit) -> None:
    """Count one towards a limit."""
    counter, _ = _counter(request, limit)  # once: the minute may end in between
    try:
        cache.add(counter, 0, timeout=2 * MINUTE)
        cache.incr(counter)
    except RedisError:
        log.warning("The cache does not answer: %s are not counted.", limit.name)


def _counter(request: HttpRequest, limit: Limit) -> tuple[str, int]:
    """Return the cache key that counts this request, and its limit."""
    entries = request.session.get(ENTRY_CODES)
    if request.user.is_authenticated:
        who, most = f"account:{request.user.pk}", limit.known
    elif entries:  # by the entry, not the session: a code opens any number of sessions
        who, most = f"entry:{':'.join(min(entries.items()))}", limit.known
    else:
        who, most = f"address:{network_of(request)}", limit.address
    return f"limit:{limit.name}:{who}:{int(time.time() // MINUTE)}", most
