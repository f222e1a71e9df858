"""Tokens: what programs sign in with. The text is shown once; only a digest is kept."""

import re
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments import keys
from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.models import ApiToken, Bot, Club
from tournaments.models.rows import one_or_none
from tournaments.permissions import (
    Actor,
    may_administer,
    may_connect_bot,
    may_revoke,
    refuse_unless,
)
from tournaments.services.accounts import in_person
from tournaments.services.naming import checked_name

TOKEN: Final = re.compile(r"baza_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
USE_NOTED_EVERY: Final = timedelta(minutes=1)
MOST_DAYS: Final = 3 * 365
USUAL_DAYS: Final = 365


@transaction.atomic
def issue_token(
    actor: Actor,
    club: Club,
    user: User,
    *,
    name: str,
    scopes: Iterable[str],
    days: int = USUAL_DAYS,
) -> tuple[ApiToken, str]:
    """Make a token for a user in a club; answers the row and its text, which cannot be had again.

    It is good for so many ``days``. Refuses FORBIDDEN, BAD_NAME, UNKNOWN_SCOPE, BAD_TERM.
    """
    refuse_unless(may_administer(actor, club), actor)
    return _issue(actor, club, user, checked_name(name), sorted(set(scopes)), days)


@transaction.atomic
def issue_bot_token(actor: Actor, bot: Bot) -> tuple[ApiToken, str]:
    """Make a token with which the author of a remote bot answers its turns, good for a year.

    Its scope is `bots:run` alone. Refuses SIGN_IN, FORBIDDEN, NOT_FOUND for a bot that is not
    connected over the API, BOT_RETIRED.
    """
    refuse_unless(may_connect_bot(actor, bot), actor)
    if bot.kind != Bot.Kind.REMOTE or bot.club is None:
        raise Refusal(Reason.NOT_FOUND)
    if bot.retired_at is not None:
        raise Refusal(Reason.BOT_RETIRED, text=bot.name)
    return _issue(actor, bot.club, in_person(actor), bot.name, [ApiToken.Scope.BOTS], USUAL_DAYS)


def _issue(
    actor: Actor, club: Club, user: User, name: str, scopes: list[str], days: int
) -> tuple[ApiToken, str]:
    for scope in scopes:
        if scope not in ApiToken.Scope.values:
            raise Refusal(Reason.UNKNOWN_SCOPE, text=scope)
    if not 1 <= days <= MOST_DAYS:
        raise Refusal(Reason.BAD_TERM, days=MOST_DAYS)
    key, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        club=club,
        name=name,
        key=key,
        digest=_digest(key, secret),
        scopes=scopes,
        expires_at=timezone.now() + timedelta(days=days),
    )
    facts: dict[str, Any] = {"name": name, "scopes": scopes, "user": user.get_username()}
    facts["days"] = days
    write_event(actor, "token.issued", token, club=club, **facts)
    return token, f"baza_{key}_{secret}"


def authenticate_token(text: str) -> Actor:
    """Return who presents this token, and note when it was used, to the minute.

    Refuses BAD_TOKEN for whatever is not a live token of an active user.
    """
    if (parts := TOKEN.fullmatch(text)) is None:
        raise Refusal(Reason.BAD_TOKEN)
    key, secret = parts.groups()
    token = one_or_none(ApiToken.objects.select_related("user").filter(key=key))
    if token is None or not keys.fits(_salt(key), secret, token.digest):
        raise Refusal(Reason.BAD_TOKEN)
    if token.revoked_at is not None or not token.user.is_active:
        raise Refusal(Reason.BAD_TOKEN)
    now = timezone.now()
    if token.expires_at is not None and token.expires_at <= now:
        raise Refusal(Reason.BAD_TOKEN)
    digest = _digest(key, secret)  # of the present key: what is used outlives the old one
    is_old = digest != token.digest
    if is_old or token.last_used_at is None or now - token.last_used_at > USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now, digest=digest)
    return Actor.from_token(token)


@transaction.atomic
def revoke_token(actor: Actor, token: ApiToken) -> ApiToken:
    """Take a token back; again changes nothing.

    Refuses FORBIDDEN.
    """
    refuse_unless(may_revoke(actor, token), actor)
    token = ApiToken.objects.select_for_update(of=("self",)).get(pk=token.pk)
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        write_event(actor, "token.revoked", token, club=token.club, name=token.name)
    return token


def _digest(key: str, secret: str) -> str:
    """Return the digest of a secret, peppered with the service's own."""
    return keys.digest(_salt(key), secret).hex()


def _salt(key: str) -> str:
    return f"baza.token.{key}"
