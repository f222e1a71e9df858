"""``{% load prizes %}``: amounts and places of prizes."""

from django import template
from django.utils.translation import ngettext

from tournaments.standings.queries.texts import (
    attendance_text,
    listed_prize,
    places_text,
    prize_text,
)

register = template.Library()
register.filter(attendance_text)
register.filter(prize_text)
register.filter(places_text)
register.filter(listed_prize)


@register.filter
def meant_for_text(entries: int) -> str:
    """Say how many entries the amounts are meant for."""
    return ngettext(
        "Amounts are meant for %(count)d entry.",
        "Amounts are meant for %(count)d entries.",
        entries,
    ) % {"count": entries}
