"""Template tags of messages to browsers: what their button needs."""

from django import template
from django.conf import settings

from tournaments.core.push import noted_endpoint as endpoint_of
from tournaments.domain.web_push import public_key
from tournaments.push.services import sends_messages

register = template.Library()


@register.simple_tag
def push_key() -> str:
    """Return the public key for messages to browsers; empty where none are sent."""
    return public_key(settings.PUSH_KEY) if sends_messages() else ""


@register.simple_tag(takes_context=True)
def noted_endpoint(context: template.Context, slug: str) -> str:
    """Return the address of this browser that gets the messages of one's own; empty for none."""
    return endpoint_of(context["request"].session, slug)
