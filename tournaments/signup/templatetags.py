"""Template filters of the sign-up: amounts and contacts."""

import re
from typing import Final

from django import template
from django.utils.http import urlencode

from tournaments.signup.queries.texts import euros, money_text

register = template.Library()
register.filter(euros)
register.filter(money_text)

PHONE: Final = re.compile(r"\+?[0-9][0-9 .()-]{5,}[0-9]")
BETWEEN_PHONES: Final = re.compile(
    r"[/,;|\n]|(?<=[0-9])\s+-\s+(?=[+0-9])|\b(?:y|o|e|u|und|and|or)\b"
)
MOST_DIGITS: Final = 17
"""Digits of a number at most: fifteen by E.164, and ``00``."""
DIGITS: Final = 9
"""Digits of a number of Spain."""
SPAIN: Final = "34"
"""The country code of numbers without one."""


@register.filter
def phones_of(contact: str) -> list[str]:
    """Return the telephone numbers in a contact, digits with a leading plus or without."""
    numbers: list[str] = []
    for part in BETWEEN_PHONES.split(contact):
        numbers += _phones_in(part)
    return numbers or _phones_in(contact.replace("/", ""))


def _phones_in(text: str) -> list[str]:
    """Return the numbers of a text; those of more digits than any has are two without a sign."""
    numbers = []
    for found in PHONE.findall(text):
        digits = re.sub(r"[^0-9]", "", found)
        is_foreign = found.startswith("+") or digits.startswith("00")
        if len(digits) == 2 * DIGITS and not is_foreign:
            numbers += [digits[:DIGITS], digits[DIGITS:]]
        elif len(digits) <= MOST_DIGITS:
            numbers.append(f"+{digits.removeprefix('00')}" if is_foreign else digits)
    return numbers


@register.filter
def whatsapp_of(phone: str) -> str:
    """Return a telephone number as wa.me takes it: with its country, without a plus."""
    return phone.lstrip("+") if phone.startswith("+") or len(phone) != DIGITS else SPAIN + phone


@register.simple_tag
def whatsapp_link(phone: str, text: str) -> str:
    """Return the address that opens a message to a telephone number."""
    return f"https://wa.me/{whatsapp_of(phone)}?{urlencode({'text': text})}"


@register.filter
def map_link(place: str) -> str:
    """Return the address of a place on a map."""
    return f"https://www.openstreetmap.org/search?{urlencode({'query': place})}"
