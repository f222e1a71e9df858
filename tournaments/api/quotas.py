"""How many requests a minute a token, or an address without one, may make.

A counter a minute in the cache, raised atomically, so that a burst in parallel is counted exactly.
When the cache cannot be reached everybody may pass: a lost Redis must not close the club.
"""

from __future__ import annotations

import logging
import time
from math import inf
from typing import TYPE_CHECKING

from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from tournaments.api.tokens import actor_of

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which reads the settings that name this module

MINUTE = 60  # seconds
log = logging.getLogger(__name__)


class Quota(BaseThrottle):
    """`DEFAULT_THROTTLE_RATES` requests a minute for a `token` or an `anonymous` address."""

    def allow_request(self, request: Request, view: APIView) -> bool:  # noqa: ARG002
        """Count this request, and tell whether it is within the quota."""
        token = actor_of(request).token
        kind, who = ("token", token.key) if token else ("anonymous", self.get_ident(request))
        try:
            quota = api_settings.DEFAULT_THROTTLE_RATES[kind] or inf
            return count(f"quota:{kind}:{who}") <= quota
        except RedisError:
            log.warning("The cache does not answer: a request passes uncounted.")
            return True

    def wait(self) -> float:
        """Return the seconds until the next minute starts."""
        return MINUTE - time.time() % MINUTE


def count(name: str) -> int:
    """Raise the counter of the running minute and return it."""
    key = f"{name}:{int(time.time() // MINUTE)}"
    cache.add(key, 0, timeout=2 * MINUTE)
    return int(cache.incr(key))
