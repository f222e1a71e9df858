"""Template filters of the sign-up: amounts and contacts."""

import re
from decimal import Decimal
from typing import Final

from django import template
from django.utils.formats import number_format
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy

from tournaments.domain.money import Balance, MoneyState

register = template.Library()

PHONE: Final = re.compile(r"\+?[0-9][0-9 .()/-]{5,}[0-9]")
SPAIN: Final = "34"
"""The country code of numbers without one: nine digits."""


@register.filter
def euros(cents: int) -> str:
    """``1250`` → "12,50 €" and ``-2000`` → "−20,00 €", as the language writes it."""
    number = number_format(Decimal(cents) / 100, 2, force_grouping=True).replace("-", "−")
    return f"{number}\u00a0€"


MONEY_TEXTS: Final = {
    MoneyState.NOTHING: gettext_lazy("nothing to pay"),
    MoneyState.OWED: gettext_lazy("to be paid: %(owed)s"),
    MoneyState.PART: gettext_lazy("paid in part: %(owed)s still"),
    MoneyState.PAID: gettext_lazy("paid"),
    MoneyState.WAIVED: gettext_lazy("waived"),
    MoneyState.TO_RETURN: gettext_lazy("to be returned: %(amount)s"),
    MoneyState.RETURNED: gettext_lazy("returned"),
}


@register.filter
def money_text(balance: Balance) -> str:
    """Return what holds for the fee of a payer, for all pages and papers."""
    amounts = {"owed": euros(balance.payable), "amount": euros(balance.to_return)}
    return str(MONEY_TEXTS[balance.state]) % amounts


@register.filter
def phone_of(contact: str) -> str:
    """Return the telephone number in a contact, digits and a leading plus; empty without one."""
    found = PHONE.search(contact)
    if found is None:
        return ""
    digits = re.sub(r"[^0-9]", "", found[0])
    return f"+{digits}" if found[0].startswith("+") else digits


@register.filter
def whatsapp_of(contact: str) -> str:
    """Return the number in a contact as wa.me takes it: with its country, without a plus."""
    phone = phone_of(contact)
    return phone.lstrip("+") if phone.startswith("+") or len(phone) != 9 else SPAIN + phone


@register.simple_tag
def whatsapp_link(contact: str, text: str) -> str:
    """Return the address that opens a message to a contact."""
    return f"https://wa.me/{whatsapp_of(contact)}?{urlencode({'text': text})}"


@register.filter
def map_link(place: str) -> str:
    """Return the address of a place on a map."""
    return f"https://www.openstreetmap.org/search?{urlencode({'query': place})}"
