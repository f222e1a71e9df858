"""Who asks: nobody known, or the bearer of a token. A browser's session counts for nothing here."""

from django.contrib.auth.models import AnonymousUser, User
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from tournaments.errors import Reason, Refusal
from tournaments.permissions import Actor
from tournaments.services.tokens import authenticate_token

SCHEME = "Bearer"


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer baza_…`; without that header the request is anonymous."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, Actor] | None:
        """Return the token's user and actor; refuse BAD_TOKEN for one that does not count."""
        actor = bearer(get_authorization_header(request))
        return None if actor.is_anonymous else (actor.user or AnonymousUser(), actor)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        """Return the challenge of a 401."""
        return f'{SCHEME} realm="baza"'


def bearer(header: bytes) -> Actor:
    """Return whom the header names, nobody without one. Refuses BAD_TOKEN."""
    scheme, _, credentials = header.partition(b" ")
    if not scheme:
        return Actor.anonymous()
    if scheme.lower() != SCHEME.lower().encode():
        raise Refusal(Reason.BAD_TOKEN)
    return authenticate_token(printable(credentials.strip()))


def actor_of(request: Request) -> Actor:
    """Return who asks, for services and queries."""
    return request.auth if isinstance(request.auth, Actor) else Actor.anonymous()


def signed_in(request: Request) -> Actor:
    """Return who asks, for a door that nobody passes without a token."""
    actor = actor_of(request)
    if actor.is_anonymous:
        raise Refusal(Reason.SIGN_IN)
    return actor


def printable(credentials: bytes) -> str:
    """Return the text of a token; bytes that cannot be part of one make it a bad one."""
    text = credentials.decode("latin-1")
    if not (text.isascii() and text.isprintable()):
        raise Refusal(Reason.BAD_TOKEN)
    return text
