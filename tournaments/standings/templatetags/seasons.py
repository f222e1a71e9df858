"""``{% load seasons %}``: words of a season's table."""

from django import template
from django.utils.translation import get_language

from tournaments.domain.messages import message
from tournaments.standings.queries.texts import amount

register = template.Library()


@register.filter
def season_points(number: float) -> str:
    """``20.3333`` → "20,33" in Spanish: shared places give fractions."""
    return amount(round(number, 2))


@register.filter
def season_word(code: str) -> str:
    """``"wins"`` → "events won"."""
    return message(get_language(), f"season.{code}")
