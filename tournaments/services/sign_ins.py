"""Where people are signed in: a row a session, ended by taking the session away."""

import ipaddress
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from tournaments.errors import Reason, Refusal
from tournaments.models import SignIn
from tournaments.models.accounts import LONGEST_AGENT
from tournaments.permissions import Actor

SEEN_EVERY: Final = timedelta(minutes=5)
"""How exactly it is known when a session was last used."""

KEPT_BITS: Final = {4: 24, 6: 48}
"""Of a network address, by version: enough to know one's own place again."""


@transaction.atomic
def note_sign_in(user: User, session_key: str, *, agent: str, address: str) -> None:
    """Note that a user's session is in use; rows of sessions that are no more go."""
    _forget_dead(user)
    SignIn.objects.update_or_create(
        session_key=session_key,
        defaults={
            "user": user,
            "agent": agent[:LONGEST_AGENT],
            "address": shortened(address),
            "seen_at": timezone.now(),
        },
    )


def _forget_dead(user: User) -> None:
    rows = SignIn.objects.filter(user=user)
    keys = set(rows.values_list("session_key", flat=True))
    live = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    rows.filter(session_key__in=keys - set(live.values_list("pk", flat=True))).delete()


def shortened(address: str) -> str:
    """Return a network address without its last part: 192.168.1.0, 2001:db8:1::; or nothing."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return ""
    network = ipaddress.ip_network((known, KEPT_BITS[known.version]), strict=False)
    return str(network.network_address)


@transaction.atomic
def end_sign_in(actor: Actor, pk: int) -> None:
    """End one of one's own sessions. Refuses NOT_FOUND."""
    row = SignIn.objects.filter(pk=pk, user=actor.user).first()
    if row is None or actor.user is None or actor.token is not None:
        raise Refusal(Reason.NOT_FOUND)
    _end([row.session_key])


@transaction.atomic
def end_sign_ins(user: User, *, keep: str | None) -> int:
    """End all sessions of a user, but the one that is called ``keep``; answers how many."""
    rows = SignIn.objects.filter(user=user).exclude(session_key=keep or "")
    keys = list(rows.values_list("session_key", flat=True))
    _end(keys)
    return len(keys)


def _end(keys: list[str]) -> None:
    Session.objects.filter(session_key__in=keys).delete()
    SignIn.objects.filter(session_key__in=keys).delete()
