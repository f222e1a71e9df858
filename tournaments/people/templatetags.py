"""``{% load people %}``: words about people and what came of their matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import escape
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from engine import Interval
    from tournaments.profiles.queries.meetings import Person, Who

register = template.Library()

OUTCOMES = {
    "won": gettext_lazy("won"),
    "tied": gettext_lazy("tied"),
    "lost": gettext_lazy("lost"),
}
PAGES = {"player": "player", "pair": "pair", "bot": "bot-results"}
"""Whose page it is, by the first part of a word such as ``pair-5``."""
KINDS = {"won": "good", "tied": "idle", "lost": "bad"}


@register.filter
def outcome_name(outcome: str) -> str:
    """``"won"`` → "won"."""
    return str(OUTCOMES[outcome])


@register.filter
def outcome_kind(outcome: str) -> str:
    """The kind of badge that an outcome has."""
    return KINDS[outcome]


@register.filter
def address(who: Who | Person | str) -> str:
    """Where somebody's page is: ``"pair-5"`` → "/pairs/5/"."""
    kind, _, name = (who if isinstance(who, str) else who.word).partition("-")
    return reverse(PAGES[kind], args=[name])


@register.filter
def of_hundred(interval: Interval) -> str:
    """``0.1234`` ± 0.05 → "12.3 ± 5.0": so many in a hundred hands."""
    mean = number_format(100 * interval.mean, 1)
    if interval.margin is None:
        return str(mean)
    return f"{mean} ± {number_format(100 * interval.margin, 1)}"


@register.simple_tag(takes_context=True)
def embed_code(context: template.Context, address: str, title: str, height: int) -> str:
    """The HTML of a frame that shows an address of ours in a page of somebody else, as text."""
    whole = context["request"].build_absolute_uri(address)
    attributes = f'src="{escape(whole)}" title="{escape(title)}" width="100%" height="{height}"'
    return f'<iframe {attributes} loading="lazy"></iframe>'
