"""The scopes that operations of the API need: for the document, and for a token without them."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from rest_framework.request import Request

from tournaments.core.permissions import Actor, Scope

View = TypeVar("View", bound=Callable[..., Any])
SEPARATOR: Final = " "
"""Between scopes in a text, as in RFC 6750."""

READ_METHODS: Final = ("GET", "HEAD")


def needs_scope(*scopes: str, methods: tuple[str, ...] = ("POST",)) -> Callable[[View], View]:
    """Declare which scope some methods of a view need; of several, any one.

    It does not check: the services do, by `tournaments.domain.rights`.
    """

    def make(view: View) -> View:
        view_class: Any = getattr(view, "cls")  # noqa: B009 - DRF's
        view_class.scopes = scopes_by_method(view_class) | dict.fromkeys(methods, scopes)
        return view

    return make


def scopes_by_method(view_class: object) -> dict[str, tuple[str, ...]]:
    """Return the scopes that each method of a view needs; a method that needs none is not there."""
    scopes: Mapping[str, tuple[str, ...]] = getattr(view_class, "scopes", {})
    return dict(scopes)


def has_scope(request: Request) -> bool:
    """Return whether the request's token has one of the scopes that the operation asks for."""
    actor, context = request.auth, request.parser_context or {}
    alternatives = scopes_by_method(context.get("view")).get(request.method or "", ())
    if not isinstance(actor, Actor) or actor.token is None or not alternatives:
        return True
    return any(
        all(actor.allows(Scope(scope)) for scope in scopes.split(SEPARATOR) if scope)
        for scopes in alternatives
    )


def missing_scopes(request: Request) -> str:
    """Return the scopes that the operation asks for and the request's token lacks, with blanks."""
    actor, context = request.auth, request.parser_context or {}
    if not isinstance(actor, Actor) or actor.token is None:
        return ""
    alternatives = scopes_by_method(context.get("view")).get(request.method or "", ())
    asked = dict.fromkeys(SEPARATOR.join(alternatives).split())
    return SEPARATOR.join(scope for scope in asked if not actor.allows(Scope(scope)))
