"""Webhooks in words: what their messages are about, how they stand, what was answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django import template
from django.utils.translation import gettext as _

from tournaments.models import Delivery, Webhook

if TYPE_CHECKING:
    from collections.abc import Mapping

register = template.Library()

BADGES: Final[Mapping[str, str]] = {
    "active": "good",
    "paused": "idle",
    "disabled": "bad",
    "arrived": "good",
    "waiting": "note",
    "failed": "bad",
    "withdrawn": "idle",
}


@register.filter
def message_words(kind: str) -> str:
    """Say what a message is about."""
    return str(_("Test message") if kind == "ping" else Webhook.Type(kind).label)


@register.filter
def webhook_badge(state: str) -> str:
    """Return the kind of badge that a state wears."""
    return BADGES.get(state, "idle")


@register.filter
def webhook_words(state: str) -> str:
    """Say how a webhook stands."""
    return str(Webhook.State(state).label)


@register.filter
def disabled_words(why: str) -> str:
    """Say why the service has disabled a webhook."""
    return str(Webhook.Why(why).label)


@register.filter
def delivery_words(state: str) -> str:
    """Say what has become of a message."""
    return str(Delivery.State(state).label)


@register.filter
def fault_words(fault: str) -> str:
    """Say why there was no answer."""
    return str(Delivery.Fault(fault).label)
