"""Services of invitations and API tokens: issue, accept, revoke."""

import re
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments.accounts.services.accounts import create_account, require_user
from tournaments.core.audit import write_event
from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.find import lock_club, refresh_row
from tournaments.core.names import validate_name
from tournaments.core.permissions import (
    Actor,
    may_administer,
    may_connect_bot,
    may_revoke,
    refuse_unless,
)
from tournaments.models import ApiToken, Bot, Club, Invitation, Membership, Player
from tournaments.people.services.clubs import give_account, give_role

# --- Invitations ----------------------------------------------------------------------------------
# Links that give a role in a club, or connect a player with an account. Shown only once.


# Key and secret: only the secret's digest is stored.
LINK: Final = re.compile(r"([0-9a-f]{16})-([A-Za-z0-9_-]{32})")
USUAL_DAYS: Final = 7  # chosen: bounds how long a lost link opens something
MAX_DAYS: Final = 90  # chosen: bounds it where another term is asked for
MAX_USES: Final = 50  # chosen: bounds how many a leaked link lets in
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
    """Create an invitation; return the row and the text of its link, which is not stored.

    One for a ``player`` is for one person. Refuses FORBIDDEN, UNKNOWN_ROLE, OTHER_CLUB,
    PLAYER_HAS_ACCOUNT, BAD_NAME for the note, BAD_INVITATION.
    """
    refuse_unless(may_administer(actor, club), actor)
    if role not in ROLES.values or (role == ROLES.PLAYER) != (player is not None):
        raise Refusal(Reason.UNKNOWN_ROLE, text=role)
    if not 1 <= days <= MAX_DAYS or not 1 <= uses <= MAX_USES:
        raise Refusal(Reason.BAD_INVITATION, days=MAX_DAYS, uses=MAX_USES)
    if player is not None:
        _refuse_linked_player(club, player)
    key, secret = secrets.token_hex(8), secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        club=club,
        role=role,
        player=player,
        key=key,
        digest=Invitation.digest_of(key, secret),
        note=validate_name(note) if note.strip() else "",
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


def _refuse_linked_player(club: Club, player: Player) -> None:
    if player.club_id != club.pk:
        raise Refusal(Reason.OTHER_CLUB, text=player.name)
    if player.user_id is not None:
        raise Refusal(Reason.PLAYER_HAS_ACCOUNT, text=player.name)


@transaction.atomic
def revoke_invitation(actor: Actor, invitation: Invitation) -> Invitation:
    """Revoke an invitation; repeating it changes nothing. Refuses FORBIDDEN."""
    club = invitation.club
    refuse_unless(may_administer(actor, club), actor)
    lock_club(club)
    invitation = refresh_row(Invitation.objects.select_related("club"), invitation)
    if invitation.revoked_at is None:
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
        write_event(actor, "invitation.revoked", invitation, club=club, role=invitation.role)
    return invitation


def find_invitation(text: str) -> Invitation:
    """Return the invitation of a link.

    Refuses NOT_FOUND for an invalid or expired one, INVITER_NOT_ORGANISER when the user who made it
    may no longer make one, or has erased the account.
    """
    if (parts := LINK.fullmatch(text)) is None:
        raise Refusal(Reason.NOT_FOUND)
    key, secret = parts.groups()
    invitations = Invitation.objects.select_related("club", "player", "invited_by")
    invitation = invitations.filter(key=key).first()
    if invitation is None or not invitation.has_secret(secret) or not invitation.is_open:
        raise Refusal(Reason.NOT_FOUND)
    if not may_administer(Actor.for_user(invitation.invited_by), invitation.club):
        raise Refusal(Reason.INVITER_NOT_ORGANISER)
    return invitation


@transaction.atomic
def accept_invitation(actor: Actor, text: str) -> Invitation:
    """Accept an invitation: give the actor its role or player. Roles are never lowered.

    Refuses NOT_FOUND, INVITER_NOT_ORGANISER, SIGN_IN, FORBIDDEN, ALREADY_MEMBER,
    PLAYER_HAS_ACCOUNT.
    """
    club = lock_club(find_invitation(text).club)
    # Read again under the club's lock: another request may have used it up, or removed the inviter.
    invitation, user = find_invitation(text), require_user(actor)
    if invitation.player_id is not None:
        players = Player.objects.select_related("club", "same_as__club")
        player = players.get(pk=invitation.player_id).main
        _refuse_linked_player(club, player)
        give_account(actor, club, player, user)
    else:
        _refuse_lower_role(club, user, invitation.role)
        give_role(actor, club, user, invitation.role)
    invitation.uses += 1
    invitation.save(update_fields=["uses"])
    facts: dict[str, Any] = {"role": invitation.role, "user": user.get_username()}
    write_event(actor, "invitation.accepted", invitation, club=club, **facts)
    return invitation


def _refuse_lower_role(club: Club, user: User, role: str) -> None:
    membership = Membership.objects.filter(club=club, user=user).first()
    if membership is not None and membership.role in {role, Membership.Role.ORGANISER}:
        raise Refusal(Reason.ALREADY_MEMBER)


@transaction.atomic
def join_by_invitation(text: str, username: str, password: str) -> User:
    """Create an account and accept an invitation for it.

    Refuses NOT_FOUND, INVITER_NOT_ORGANISER, PLAYER_HAS_ACCOUNT, BAD_USERNAME, NAME_TAKEN,
    BAD_PASSWORD.
    """
    find_invitation(text)
    user = create_account(username, password)
    accept_invitation(Actor.for_user(user), text)
    return user


# --- Tokens ---------------------------------------------------------------------------------------
# Credentials of programs. The text is shown once; only a digest is stored.


MAX_TOKEN_DAYS: Final = 3 * 365  # chosen: bounds the life of a forgotten token
USUAL_TOKEN_DAYS: Final = 365  # chosen: below the limit, for who gives no term


@transaction.atomic
def issue_token(
    actor: Actor,
    club: Club,
    user: User,
    *,
    name: str,
    scopes: Iterable[str],
    days: int = USUAL_TOKEN_DAYS,
) -> tuple[ApiToken, str]:
    """Create a token of a user for a club; return the row and its text, which is not stored.

    It is valid for ``days``. Refuses FORBIDDEN, BAD_NAME, UNKNOWN_SCOPE, BAD_TERM.
    """
    refuse_unless(may_administer(actor, club), actor)
    return _issue(actor, club, user, validate_name(name), sorted(set(scopes)), days)


@transaction.atomic
def issue_bot_token(actor: Actor, bot: Bot) -> tuple[ApiToken, str]:
    """Create a token for the author of a remote bot to answer its turns, valid for a year.

    Its only scope is `bots:run`. Refuses SIGN_IN, FORBIDDEN, NOT_FOUND for a bot that is not
    connected over the API, BOT_RETIRED.
    """
    refuse_unless(may_connect_bot(actor, bot), actor)
    if bot.kind != Bot.Kind.REMOTE or bot.club is None:
        raise Refusal(Reason.NOT_FOUND)
    if bot.retired_at is not None:
        raise Refusal(Reason.BOT_RETIRED, text=bot.name)
    return _issue(
        actor, bot.club, require_user(actor), bot.name, [ApiToken.Scope.BOTS], USUAL_TOKEN_DAYS
    )


def _issue(
    actor: Actor, club: Club, user: User, name: str, scopes: list[str], days: int
) -> tuple[ApiToken, str]:
    for scope in scopes:
        refuse_unless_known(Reason.UNKNOWN_SCOPE, scope, ApiToken.Scope.values)
    if not 1 <= days <= MAX_TOKEN_DAYS:
        raise Refusal(Reason.BAD_TERM, days=MAX_TOKEN_DAYS)
    key, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        club=club,
        name=name,
        key=key,
        digest=ApiToken.digest_of(key, secret),
        scopes=scopes,
        expires_at=timezone.now() + timedelta(days=days),
    )
    facts: dict[str, Any] = {"name": name, "scopes": scopes, "user": user.get_username()}
    facts["days"] = days
    write_event(actor, "token.issued", token, club=club, **facts)
    return token, f"baza_{key}_{secret}"


@transaction.atomic
def revoke_token(actor: Actor, token: ApiToken) -> ApiToken:
    """Revoke a token; repeating it changes nothing.

    Refuses FORBIDDEN.
    """
    refuse_unless(may_revoke(actor, token), actor)
    token = ApiToken.objects.select_for_update(of=("self",)).get(pk=token.pk)
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        write_event(actor, "token.revoked", token, club=token.club, name=token.name)
    return token
