"""Limits the requests a minute of a token or an address.

A counter a minute in the cache, raised atomically, so that parallel requests are counted exactly.
While the cache does not answer, every request passes: a lost Redis must not close the club.
"""

from __future__ import annotations

import logging
import time
from functools import cache as once
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Final

import redis
from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from tournaments.core.api.authentication import actor_of
from tournaments.core.limits import network_of

if TYPE_CHECKING:
    from rest_framework.views import APIView  # it imports this module, by the settings

MINUTE = 60  # seconds
COUNTED = "baza.within_quota"
log = logging.getLogger("tournaments.api.quotas")  # the name that installations filter by


class Quota(BaseThrottle):
    """`DEFAULT_THROTTLE_RATES` requests a minute for a `token` or an `anonymous` address."""

    def allow_request(self, request: Request, view: APIView) -> bool:  # noqa: ARG002
        """Count this request once, however often it is tried; tell if it is within the quota."""
        kept = request._request.META  # noqa: SLF001 - what stays the same from attempt to attempt
        if COUNTED not in kept:
            kept[COUNTED] = self._count(request)
        return bool(kept[COUNTED])

    def _count(self, request: Request) -> bool:
        token = actor_of(request).token
        kind, who = ("token", token.key) if token else ("anonymous", network_of(request))
        try:
            quota = api_settings.DEFAULT_THROTTLE_RATES[kind] or inf
            return count(f"quota:{kind}:{who}") <= quota
        except redis.RedisError:
            log.warning("The cache does not answer: a request passes uncounted.")
            return True

    def wait(self) -> float:
        """Return the seconds until the next minute starts."""
        return MINUTE - time.time() % MINUTE


def count(name: str) -> int:
    """Raise the counter of the running minute and return it, in one trip to the cache."""
    key = cache.make_key(f"{name}:{int(time.time() // MINUTE)}")
    with counters().pipeline(transaction=False) as trip:
        trip.incr(key)
        trip.expire(key, 2 * MINUTE)
        return int(trip.execute()[0])


def counters() -> redis.Redis:
    """Return the client of the cache's server, with its connections, one a process.

    Made by one thread while the others wait: a client that is forgotten for another one closes its
    connections, in the middle of whatever is asked over them.
    """
    with making:
        return client()


making: Final = Lock()


@once
def client() -> redis.Redis:
    """Make the client."""
    return redis.Redis.from_url(settings.ENVIRONMENT.redis_url)
