"""``{% load people %}``: names and addresses of people, and outcomes of their matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import escape
from django.utils.translation import gettext_lazy

from engine import Interval

if TYPE_CHECKING:
    from tournaments.profiles.queries.meetings import Competitor, Person

register = template.Library()

OUTCOMES = {
    "won": gettext_lazy("won"),
    "tied": gettext_lazy("tied"),
    "lost": gettext_lazy("lost"),
}
PAGES = {"player": "player", "pair": "pair", "bot": "bot-results"}
"""View name by the first part of a reference such as ``pair-5``."""
KINDS = {"won": "good", "tied": "idle", "lost": "bad"}


@register.filter
def outcome_name(outcome: str) -> str:
    """``"won"`` → "won"."""
    return str(OUTCOMES[outcome])


@register.filter
def outcome_kind(outcome: str) -> str:
    """Return the badge kind of an outcome."""
    return KINDS[outcome]


@register.filter
def address(who: Competitor | Person | str) -> str:
    """Return the address of a person's page: ``"pair-5"`` → "/pairs/5/"."""
    kind, _, name = (who if isinstance(who, str) else who.ref).partition("-")
    return reverse(PAGES[kind], args=[name])


@register.filter
def of_hundred(interval: Interval) -> str:
    """``0.1234`` ± 0.05 → "12.3 ± 5.0", in a hundred hands."""
    mean = number_format(100 * interval.mean, 1)
    if interval.margin is None:
        return str(mean)
    return f"{mean} ± {number_format(100 * interval.margin, 1)}"


@register.simple_tag(takes_context=True)
def embed_code(context: template.Context, address: str, title: str, height: int) -> str:
    """Return the HTML of an iframe that embeds one of our pages in another site, as text."""
    url = context["request"].build_absolute_uri(address)
    attributes = f'src="{escape(url)}" title="{escape(title)}" width="100%" height="{height}"'
    return f'<iframe {attributes} loading="lazy"></iframe>'
