"""Template filters of webhooks: labels of event types, states and faults."""

from collections.abc import Mapping
from typing import Final

from django import template
from django.utils.translation import gettext as _

from tournaments.models import Delivery, Webhook

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
def message_label(kind: str) -> str:
    """Return the label of a message type."""
    return str(_("Test message") if kind == "ping" else Webhook.Type(kind).label)


@register.filter
def webhook_badge(state: str) -> str:
    """Return the kind of badge for a state."""
    return BADGES.get(state, "idle")


@register.filter
def webhook_label(state: str) -> str:
    """Return the label of a webhook's state."""
    return str(Webhook.State(state).label)


@register.filter
def disabled_label(why: str) -> str:
    """Return the label of the reason why a webhook is disabled."""
    return str(Webhook.DisableReason(why).label)


@register.filter
def delivery_label(state: str) -> str:
    """Return the label of a delivery's state."""
    return str(Delivery.State(state).label)


@register.filter
def fault_label(fault: str) -> str:
    """Return the label of the fault that prevented an answer."""
    return str(Delivery.Fault(fault).label)
