"""``{% load pages %}``: small questions that pages ask of plain values."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext_lazy

register = template.Library()


@register.filter
def at(mapping: Mapping[str, Any] | None, key: str | None) -> Any:
    """``{{ names|at:seat }}``: what stands under a key, or nothing."""
    return mapping.get(key) if mapping and key is not None else None


@register.filter
def signed(number: int) -> str:
    """``3`` → "+3", ``-3`` → "−3", with the sign that stands as wide as a digit."""
    return f"{number:+d}".replace("-", "−") if number else "0"


VERBS = {
    "tournament.created": gettext_lazy("Tournament created"),
    "tournament.drawn": gettext_lazy("Rounds drawn"),
    "tournament.finished": gettext_lazy("Tournament finished"),
    "entries.added": gettext_lazy("Entries added"),
    "round.published": gettext_lazy("Round published"),
    "round.play_requested": gettext_lazy("Bots asked to play"),
    "round.closed": gettext_lazy("Round closed"),
    "record.accepted": gettext_lazy("Record accepted"),
    "record.refused": gettext_lazy("Record refused"),
    "record.contested": gettext_lazy("Record contradicts the accepted one"),
    "record.unreadable": gettext_lazy("Unreadable record handed in"),
    "record.unmatched": gettext_lazy("Record of no match handed in"),
    "match.abandoned": gettext_lazy("Match left to the arbiter"),
    "dispute.opened": gettext_lazy("Dispute opened"),
    "dispute.ruled": gettext_lazy("Dispute ruled"),
    "result.corrected": gettext_lazy("Result corrected"),
}


@register.filter
def verb_name(verb: str) -> str:
    """``"round.closed"`` → "Round closed"; a verb without words stays as it is."""
    return str(VERBS.get(verb, verb))
