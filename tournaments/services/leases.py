"""A worker's right to play one bot match, for a while.

The lease is a row's token and its end by the database's clock. Whoever comes back after another has
taken over finds another token, and his result is refused: the token is the fence.
"""

import secrets
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from tournaments.models import Match
from tournaments.models.matches import LEASE


@dataclass(frozen=True, slots=True)
class Lease:
    """One attempt at one match."""

    match_pk: int
    token: str


@transaction.atomic
def claim_match(match_pk: int) -> Lease | None:
    """Take a due match for one attempt; ``None`` when it is not due, or another has it."""
    if not Match.objects.select_for_update(of=("self",), no_key=True).filter(pk=match_pk):
        return None
    lease = Lease(match_pk, secrets.token_hex(16))
    if not Match.objects.due().filter(pk=match_pk).exists():
        return None
    Match.objects.filter(pk=match_pk).update(
        lease_token=lease.token, lease_until=Now() + LEASE, attempts=F("attempts") + 1
    )
    return lease


def is_live(lease: Lease) -> bool:
    """Tell whether the lease still holds; only true for sure while the match is locked."""
    matches = Match.objects.filter(pk=lease.match_pk, lease_token=lease.token)
    return matches.filter(lease_until__gt=Now()).exists()


def release(lease: Lease) -> None:
    """Give up a lease before its end, so that another attempt can start at once."""
    Match.objects.filter(pk=lease.match_pk, lease_token=lease.token).update(lease_until=None)
