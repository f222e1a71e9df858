"""``{% load prizes %}``: amounts and places of prizes."""

from collections.abc import Iterable

from django import template
from django.utils.translation import gettext, ngettext

from tournaments.signup.templatetags import euros
from tournaments.standings.queries.prizes import PrizeLineRow

register = template.Library()


@register.filter
def prize_text(cents: int, goods: Iterable[str]) -> str:
    """Return money and goods in a line: ``300 € + 2 × Ham``."""
    return " + ".join([*([euros(cents)] if cents else []), *goods])


@register.filter
def places_text(line: PrizeLineRow) -> str:
    """Return the places of a line: ``Place 1``, ``Places 5 to 8``, ``Everybody``."""
    if line.is_for_all:
        return gettext("Everybody")
    if line.first == line.last:
        return gettext("Place %(place)d") % {"place": line.first}
    return gettext("Places %(first)d to %(last)d") % {"first": line.first, "last": line.last}


@register.filter
def listed_prize(line: PrizeLineRow) -> str:
    """Return what a line promises: its amount, or a share while nothing is taken."""
    cents = line.cents if line.amount is None else line.amount
    money = "" if cents is None else euros(cents)
    if line.percent is not None and not cents:
        money = gettext("%(percent)d %% of what is taken") % {"percent": line.percent}
    text = " + ".join(filter(None, (money, line.text)))
    if line.is_per_person:
        return gettext("%(prize)s for each person") % {"prize": text}
    return text


@register.filter
def meant_for_text(entries: int) -> str:
    """Say how many entries the amounts are meant for."""
    return ngettext(
        "Amounts are meant for %(count)d entry.",
        "Amounts are meant for %(count)d entries.",
        entries,
    ) % {"count": entries}
