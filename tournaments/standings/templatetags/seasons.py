"""``{% load seasons %}``: words of a season's table."""

from collections.abc import Iterable

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


@register.filter
def season_words(codes: Iterable[str]) -> str:
    """``("wins", "played")`` → "events won, tournaments played"."""
    return ", ".join(map(season_word, codes))
