"""Authentication of the API by bearer token. Sessions are not accepted."""

from django.contrib.auth.models import AnonymousUser, User
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from tournaments.accounts.services.invitations import authenticate_token
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor

SCHEME = "Bearer"


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
