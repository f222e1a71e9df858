"""Wrong codes: so many a minute from one address, then none is looked at.

A counter a minute in the cache. When the cache cannot be reached everybody may try: a lost Redis
must not close the check-in. Wrong passwords are counted by axes, in rows, by the same addresses.
"""

import ipaddress
import logging
import time
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

from tournaments.errors import Reason, Refusal

MOST_WRONG: Final = 10
"""Wrong codes a minute from one address: a whole club behind one router mistypes less."""

MINUTE: Final = 60  # seconds

NOWHERE: Final = "0.0.0.0"  # noqa: S104 - nothing listens there  # nosec B104
"""Where all come from of whom no address is known: behind a socket, without a proxy's word."""

log = logging.getLogger(__name__)


def refuse_guessing(request: HttpRequest) -> None:
    """Refuse TOO_MANY_TRIES when too many wrong codes came from the address in this minute."""
    try:
        wrong = cache.get(_key(request), 0)
    except RedisError:
        log.warning("The cache does not answer: wrong codes are not counted.")
        return
    if wrong >= MOST_WRONG:
        raise Refusal(Reason.TOO_MANY_TRIES)


def note_wrong_code(request: HttpRequest) -> None:
    """Count a wrong code."""
    key = _key(request)  # once: the minute may end in between
    try:
        cache.add(key, 0, timeout=2 * MINUTE)
        cache.incr(key)
    except RedisError:
        log.warning("The cache does not answer: wrong codes are not counted.")


def _key(request: HttpRequest) -> str:
    return f"wrong-codes:{address_of(request)}:{int(time.time() // MINUTE)}"


def address_of(request: HttpRequest) -> str:
    """Return who asks, behind the proxy the address that the proxy saw; nothing if nobody knows."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    said = str(request.META.get("REMOTE_ADDR", ""))
    if settings.ENVIRONMENT.is_https and forwarded:
        said = forwarded.split(",")[-1].strip()
    try:
        return str(ipaddress.ip_address(said.partition("%")[0]))  # %: the card of a neighbour
    except ValueError:
        return ""


def counted_address(request: HttpRequest) -> str:
    """Return the address that wrong passwords count for; who has none counts with all of those.

    Never nothing: axes would look for rows without an address, and find none.
    """
    return address_of(request) or NOWHERE
