"""Wrong codes: so many a minute from one address, then none is looked at.

A counter a minute in the cache. When the cache cannot be reached everybody may try: a lost Redis
must not close the check-in.
"""

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
    try:
        cache.add(_key(request), 0, timeout=2 * MINUTE)
        cache.incr(_key(request))
    except RedisError:
        log.warning("The cache does not answer: wrong codes are not counted.")


def _key(request: HttpRequest) -> str:
    return f"wrong-codes:{_address(request)}:{int(time.time() // MINUTE)}"


def _address(request: HttpRequest) -> str:
    """Return who asks: behind the proxy, the address that the proxy saw."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    if settings.ENVIRONMENT.is_https and forwarded:
        return forwarded.split(",")[-1].strip()[:64]
    return str(request.META.get("REMOTE_ADDR", ""))
