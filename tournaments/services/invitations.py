"""Invitations: links that give a role in a club, or tell a player's account. Shown once."""

import re
import secrets
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.models import Club, Invitation, Membership, Player
from tournaments.permissions import Actor, may_administer, refuse_unless
from tournaments.services.accounts import create_account, in_person
from tournaments.services.locks import lock_club, read_again
from tournaments.services.naming import checked_name
from tournaments.services.people import give_account, give_role

LINK: Final = re.compile(r"([0-9a-f]{16})-([A-Za-z0-9_-]{32})")
USUAL_DAYS: Final = 7
MOST_DAYS: Final = 90
MOST_USES: Final = 50
ROLES: Final = Invitation.Role


@transaction.atomic
def invite(
    actor: Actor,
    club: Club,
    role: str,
    *,
    player: Player | None = None,
    note: str = "",
    days: int = USUAL_DAYS,
    uses: int = 1,
) -> tuple[Invitation, str]:
    """Make an invitation; answers the row and the text of its link, which cannot be had again.

    One for a ``player`` is for one person. Refuses FORBIDDEN, UNKNOWN_ROLE, OTHER_CLUB,
    PLAYER_HAS_ACCOUNT, BAD_NAME for the note, BAD_INVITATION.
    """
    refuse_unless(may_administer(actor, club), actor)
    if role not in ROLES.values or (role == ROLES.PLAYER) != (player is not None):
        raise Refusal(Reason.UNKNOWN_ROLE, text=role)
    if not 1 <= days <= MOST_DAYS or not 1 <= uses <= MOST_USES:
        raise Refusal(Reason.BAD_INVITATION, days=MOST_DAYS, uses=MOST_USES)
    if player is not None:
        _refuse_unless_free(club, player)
    key, secret = secrets.token_hex(8), secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        club=club,
        role=role,
        player=player,
        key=key,
        digest=Invitation.digest_of(key, secret),
        note=checked_name(note) if note.strip() else "",
        invited_by=actor.user,
        expires_at=timezone.now() + timedelta(days=days),
        most_uses=1 if player is not None else uses,
    )
    facts: dict[str, Any] = {
        "role": role,
        "days": days,
        "uses": invitation.most_uses,
        "note": invitation.note,
    }
    if player is not None:
        facts["player"] = player.code
    write_event(actor, "invitation.made", invitation, club=club, **facts)
    return invitation, f"{key}-{secret}"


def _refuse_unless_free(club: Club, player: Player) -> None:
    if player.club_id != club.pk:
        raise Refusal(Reason.OTHER_CLUB, text=player.name)
    if player.user_id is not None:
        raise Refusal(Reason.PLAYER_HAS_ACCOUNT, text=player.name)


@transaction.atomic
def revoke_invitation(actor: Actor, invitation: Invitation) -> Invitation:
    """Take an invitation back; again changes nothing. Refuses FORBIDDEN."""
    club = invitation.club
    refuse_unless(may_administer(actor, club), actor)
    lock_club(club)
    invitation = read_again(Invitation.objects.select_related("club"), invitation)
    if invitation.revoked_at is None:
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
        write_event(actor, "invitation.revoked", invitation, club=club, role=invitation.role)
    return invitation


def opened(text: str) -> Invitation:
    """Return the invitation of a link. Refuses NOT_FOUND for one that is dead or never was."""
    if (parts := LINK.fullmatch(text)) is None:
        raise Refusal(Reason.NOT_FOUND)
    key, secret = parts.groups()
    invitations = Invitation.objects.select_related("club", "player", "invited_by")
    invitation = invitations.filter(key=key).first()
    if invitation is None or not invitation.opens_with(secret) or not invitation.is_open:
        raise Refusal(Reason.NOT_FOUND)
    return invitation


@transaction.atomic
def accept_invitation(actor: Actor, text: str) -> Invitation:
    """Take what the link gives. Nobody loses by it: an organiser does not become an arbiter.

    Refuses NOT_FOUND, SIGN_IN, FORBIDDEN, ALREADY_MEMBER, PLAYER_HAS_ACCOUNT.
    """
    club = lock_club(opened(text).club)
    invitation, user = opened(text), in_person(actor)
    if invitation.player_id is not None:
        player = Player.objects.select_related("club").get(pk=invitation.player_id)
        _refuse_unless_free(club, player)
        give_account(actor, club, player, user)
    else:
        _refuse_unless_gained(club, user, invitation.role)
        give_role(actor, club, user, invitation.role)
    invitation.uses += 1
    invitation.save(update_fields=["uses"])
    facts: dict[str, Any] = {"role": invitation.role, "user": user.get_username()}
    write_event(actor, "invitation.accepted", invitation, club=club, **facts)
    return invitation


def _refuse_unless_gained(club: Club, user: User, role: str) -> None:
    membership = Membership.objects.filter(club=club, user=user).first()
    if membership is not None and membership.role in {role, Membership.Role.ORGANISER}:
        raise Refusal(Reason.ALREADY_MEMBER)


@transaction.atomic
def join_by_invitation(text: str, username: str, password: str) -> User:
    """Make an account for whoever has the link, and accept it for him.

    Refuses NOT_FOUND, PLAYER_HAS_ACCOUNT, BAD_USERNAME, NAME_TAKEN, BAD_PASSWORD.
    """
    opened(text)
    user = create_account(username, password)
    accept_invitation(Actor.of(user), text)
    return user
