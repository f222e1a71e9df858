"""Which tickets came over one connection: shown to the organiser, and never used to refuse.

A village may share one address. A keyed digest of it is kept in the cache for a day, and nowhere
else.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from tournaments.core.limits import network_of
from tournaments.models import SignUpRequest
from tournaments.signup.queries.places import RequestRow

KEPT: Final = 24 * 60 * 60
"""Seconds for which a digest is kept."""

FEWEST: Final = 3
"""Tickets from one connection that are shown: two pairs sign up together at home."""

log = logging.getLogger(__name__)


def remember_connection(request: HttpRequest, noted: SignUpRequest) -> None:
    """Keep the digest of the connection that a ticket came over, for a day."""
    text = f"{noted.signup_id}|{network_of(request)}"
    digest = salted_hmac("tournaments.signup.connections", text, algorithm="sha256").hexdigest()
    try:
        cache.set(_key(noted.pk), digest, timeout=KEPT)
    except RedisError:
        log.warning("The cache does not answer: no connection is kept.")


def from_one_connection(rows: Iterable[RequestRow]) -> tuple[tuple[int, ...], ...]:
    """Return the tickets that came over one connection in the last day, the most first."""
    tickets = {_key(row.pk): row.ticket for row in rows}
    try:
        digests = cache.get_many(tickets)
    except RedisError:
        return ()
    groups: dict[str, list[int]] = defaultdict(list)
    for key, digest in digests.items():
        groups[digest].append(tickets[key])
    found = [tuple(sorted(group)) for group in groups.values() if len(group) >= FEWEST]
    return tuple(sorted(found, key=lambda group: (-len(group), group)))


def _key(pk: int) -> str:
    return f"sign-up-connection:{pk}"
