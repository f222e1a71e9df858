"""Which browser a session has subscribed to messages: they end with the code or the account."""

from collections.abc import MutableMapping
from typing import Any, Final

from tournaments.models import PushSubscription

ENDPOINTS: Final = "push_endpoints"
"""The key of a session with the addresses of its browser, by the slug of the tournament."""

Session = MutableMapping[str, Any]


def note_subscription(session: Session, slug: str, endpoint: str) -> None:
    """Note that the browser of a session gets the messages of a code or account."""
    session[ENDPOINTS] = {**session.get(ENDPOINTS, {}), slug: endpoint}


def noted_endpoint(session: Session, slug: str) -> str:
    """Return the address of the browser of a session that gets the messages of a tournament."""
    endpoint: str = session.get(ENDPOINTS, {}).get(slug, "")
    return endpoint


def end_noted(session: Session, slug: str = "") -> None:
    """End the subscription of a session to a tournament; without a slug, all that it has."""
    noted: dict[str, str] = session.get(ENDPOINTS, {})
    ended = {one: endpoint for one, endpoint in noted.items() if slug in {"", one}}
    for one, endpoint in ended.items():
        end_subscription(one, endpoint)
    if ended:
        session[ENDPOINTS] = {one: noted[one] for one in noted.keys() - ended.keys()}


def end_subscription(slug: str, endpoint: str) -> None:
    """Delete the subscription of a browser; its address, which nobody else knows, is its proof."""
    PushSubscription.objects.filter(tournament__slug=slug, endpoint=endpoint).delete()
