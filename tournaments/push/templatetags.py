"""Template tag of messages to browsers: the key that their button needs."""

from django import template
from django.conf import settings

from tournaments.domain.web_push import public_key
from tournaments.push.services import sends_messages

register = template.Library()


@register.simple_tag
def push_key() -> str:
    """Return the public key for messages to browsers; empty where none are sent."""
    return public_key(settings.PUSH_KEY) if sends_messages() else ""
