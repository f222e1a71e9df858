"""Authenticates requests of the API by bearer tokens; a browser's session counts for nothing."""

import re
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from tournaments.core.db import one_or_none
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.models import ApiToken

SCHEME = "Bearer"
TOKEN: Final = re.compile(r"baza_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
# At most one write a minute for a token in constant use.
USE_NOTED_EVERY: Final = timedelta(minutes=1)


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer baza_…`; without that header the request is anonymous."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, Actor] | None:
        """Return the token's user and actor. Refuses BAD_TOKEN."""
        actor = bearer(get_authorization_header(request))
        return None if actor.is_anonymous else (actor.user or AnonymousUser(), actor)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        """Return the `WWW-Authenticate` header of a 401."""
        return f'{SCHEME} realm="baza"'


def bearer(header: bytes) -> Actor:
    """Return the actor of an `Authorization` header, anonymous if empty. Refuses BAD_TOKEN."""
    scheme, _, credentials = header.partition(b" ")
    if not scheme:
        return Actor.anonymous()
    if scheme.lower() != SCHEME.lower().encode():
        raise Refusal(Reason.BAD_TOKEN)
    return authenticate_token(printable(credentials.strip()))


def printable(credentials: bytes) -> str:
    """Decode a token. Refuses BAD_TOKEN for bytes that are not printable ASCII."""
    text = credentials.decode("latin-1")
    if not (text.isascii() and text.isprintable()):
        raise Refusal(Reason.BAD_TOKEN)
    return text


def authenticate_token(text: str) -> Actor:
    """Return the actor of a token, and store the time of its use, to the minute.

    Refuses BAD_TOKEN unless it is a live token of an active user.
    """
    if (parts := TOKEN.fullmatch(text)) is None:
        raise Refusal(Reason.BAD_TOKEN)
    key, secret = parts.groups()
    token = one_or_none(ApiToken.objects.select_related("user").filter(key=key))
    if token is None or not token.opens_with(secret):
        raise Refusal(Reason.BAD_TOKEN)
    if token.revoked_at is not None or not token.user.is_active:
        raise Refusal(Reason.BAD_TOKEN)
    now = timezone.now()
    if token.expires_at is not None and token.expires_at <= now:
        raise Refusal(Reason.BAD_TOKEN)
    # Of the present key, so that a token in use survives a change of keys.
    digest = ApiToken.digest_of(key, secret)
    is_old = digest != token.digest
    if is_old or token.last_used_at is None or now - token.last_used_at > USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now, digest=digest)
    return Actor.from_token(token)


def actor_of(request: Request) -> Actor:
    """Return the actor of a request, anonymous without a token."""
    return request.auth if isinstance(request.auth, Actor) else Actor.anonymous()


def signed_in(request: Request) -> Actor:
    """Return the actor of a request. Refuses SIGN_IN without a token."""
    actor = actor_of(request)
    if actor.is_anonymous:
        raise Refusal(Reason.SIGN_IN)
    return actor
