"""Somebody's own account: his address, his second factor, where he is signed in, his clubs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone

from tournaments.errors import Reason, Refusal
from tournaments.models import Membership, NewAddress, Player, RecoveryCode, SecondFactor, SignIn
from tournaments.permissions import Actor, is_held_back


@dataclass(frozen=True, slots=True)
class SignInRow:
    """A session: the browser as it names itself, a shortened address, when; ``this`` is in use."""

    pk: int
    agent: str
    address: str
    began_at: datetime
    seen_at: datetime
    this: bool


@dataclass(frozen=True, slots=True)
class Belonging:
    """What somebody is in a club: a role, or one of its players."""

    club_slug: str
    club_name: str
    role: str
    player: str


@dataclass(frozen=True, slots=True)
class AccountPage:
    """An account. ``codes_left`` counts recovery codes; ``held_back``: a factor must be set up."""

    username: str
    email: str
    new_email: str
    has_factor: bool
    codes_left: int
    held_back: bool
    sign_ins: tuple[SignInRow, ...]
    belongings: tuple[Belonging, ...]


def account_page(viewer: Actor, session_key: str | None) -> AccountPage:
    """Return the viewer's own account: seven queries, six when no session is known.

    Refuses SIGN_IN.
    """
    user = viewer.user
    if user is None:
        raise Refusal(Reason.SIGN_IN)
    address = NewAddress.objects.filter(user=user).first()
    return AccountPage(
        username=user.get_username(),
        email=user.email,
        new_email=address.email if address else "",
        has_factor=SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).exists(),
        codes_left=RecoveryCode.objects.filter(user=user, used_at=None).count(),
        held_back=is_held_back(viewer),
        sign_ins=_sign_ins(user, session_key),
        belongings=_belongings(user),
    )


def _sign_ins(user: User, session_key: str | None) -> tuple[SignInRow, ...]:
    """Return the sessions that live, the one in use first."""
    rows = list(SignIn.objects.filter(user=user))
    keys = [row.session_key for row in rows]
    living = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    live = set(living.values_list("pk", flat=True))
    told = [
        SignInRow(
            row.pk,
            row.agent,
            row.address,
            row.began_at,
            row.seen_at,
            row.session_key == session_key,
        )
        for row in rows
        if row.session_key in live
    ]
    return tuple(sorted(told, key=lambda row: not row.this))


def _belongings(user: User) -> tuple[Belonging, ...]:
    memberships = Membership.objects.filter(user=user).select_related("club")
    players = Player.objects.filter(user=user).select_related("club")
    return (
        *(Belonging(m.club.slug, m.club.name, m.get_role_display(), "") for m in memberships),
        *(Belonging(p.club.slug, p.club.name, "", p.name) for p in players),
    )


def active_user(pk: int | None) -> User | None:
    """Return a user who has not been sent away; one query."""
    return None if pk is None else User.objects.filter(pk=pk, is_active=True).first()
