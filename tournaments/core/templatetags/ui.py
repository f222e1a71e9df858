"""``{% load ui %}``: cards, suits, seats, states and icons, in the page's language.

Tags and filters take plain values (``"1o"``, ``"A"``, ``"running"``), never a row of the database.
"""

import re
import secrets
from collections.abc import Sequence

from django import template
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

register = template.Library()

RANKS = {
    "1": gettext_lazy("Ace"),
    "2": gettext_lazy("Two"),
    "3": gettext_lazy("Three"),
    "4": gettext_lazy("Four"),
    "5": gettext_lazy("Five"),
    "6": gettext_lazy("Six"),
    "7": gettext_lazy("Seven"),
    "S": gettext_lazy("Jack"),
    "C": gettext_lazy("Knight"),
    "R": gettext_lazy("King"),
}
CARDS = {
    "o": gettext_lazy("%(rank)s of coins"),
    "c": gettext_lazy("%(rank)s of cups"),
    "e": gettext_lazy("%(rank)s of swords"),
    "b": gettext_lazy("%(rank)s of clubs"),
}
SUITS = {
    "o": pgettext_lazy("suit", "coins"),
    "c": pgettext_lazy("suit", "cups"),
    "e": pgettext_lazy("suit", "swords"),
    "b": pgettext_lazy("suit", "clubs"),
}
# The view box of a suit's pip in the sprite.
SUIT_BOXES = {
    "o": "-31 -31 62 62",
    "c": "-29 -36 58 72",
    "e": "-21 -62 42 124",
    "b": "-24 -62 48 124",
}
CALLS = {
    "40": gettext_lazy("the forty"),
    "20o": gettext_lazy("the twenty in coins"),
    "20c": gettext_lazy("the twenty in cups"),
    "20e": gettext_lazy("the twenty in swords"),
    "20b": gettext_lazy("the twenty in clubs"),
    "tuteR": gettext_lazy("tute of kings"),
    "tuteC": gettext_lazy("tute of knights"),
    "x7": gettext_lazy("the exchange of the seven"),
    "x2": gettext_lazy("the exchange of the two"),
}
# A state of any row: its label, and the badge's kind.
STATES = {
    "draft": (gettext_lazy("Draft"), "idle"),
    "private": (gettext_lazy("Private"), "warn"),
    "waiting": (gettext_lazy("Still to come"), "idle"),
    "running": (gettext_lazy("In play"), "note"),
    "finished": (gettext_lazy("Finished"), "good"),
    "published": (gettext_lazy("Published"), "note"),
    "closed": (gettext_lazy("Closed"), "good"),
    "pending": (gettext_lazy("Pending"), "idle"),
    "reported": (gettext_lazy("To be confirmed"), "warn"),
    "accepted": (gettext_lazy("Accepted"), "good"),
    "postponed": (gettext_lazy("Postponed"), "note"),
    "disputed": (gettext_lazy("Disputed"), "warn"),
    "refused": (gettext_lazy("Refused"), "bad"),
    "contested": (gettext_lazy("Contested"), "warn"),
    "superseded": (gettext_lazy("Superseded"), "idle"),
    "open": (gettext_lazy("Open"), "warn"),
    "review": (gettext_lazy("Taken up"), "note"),
    "interim": (gettext_lazy("Stands for now"), "warn"),
    "upheld": (gettext_lazy("Upheld"), "good"),
    "amended": (gettext_lazy("Amended"), "note"),
    "voided": (gettext_lazy("Voided"), "idle"),
    "bye": (gettext_lazy("Bye"), "idle"),
    "valid": (gettext_lazy("Valid"), "good"),
    "invalid": (gettext_lazy("Not valid"), "bad"),
}
NOTICE_ICONS = {"success": "check", "good": "check", "error": "cross", "bad": "cross"}
# Before a word or sign that joins two people: "Ana y Luis", "Ana / Luis".
PARTNER = re.compile(r" (?=(?:/|&|y|e|and|und) )")


@register.filter
def card_name(code: str) -> str:
    """``"1o"`` → "Ace of coins"; ``"back"`` → "Face-down card"."""
    if code == "back":
        return _("Face-down card")
    return str(CARDS[code[1]]) % {"rank": RANKS[code[0]]}


@register.filter
def suit_name(code: str) -> str:
    """The suit's name, of a suit ``"o"`` or of a card ``"1o"``."""
    return str(SUITS[code[-1:]])


@register.filter
def call_name(token: str) -> str:
    """The name of a declaration: ``"B:20o"`` or ``"20o"`` → "the twenty in coins"."""
    call = token.rpartition(":")[2]
    return str(CALLS.get(call, call))


@register.filter
def call_short(token: str) -> str:
    """The short name of a declaration: ``"B:20o"`` → "20 coins", ``"A:40"`` → "40"."""
    call = token.rpartition(":")[2]
    return f"20 {suit_name(call)}" if call.startswith("20") else call.removesuffix("R")


@register.filter
def seat_label(seat: str) -> str:
    """``"A"`` → "Seat A"."""
    return _("Seat %(letter)s") % {"letter": seat}


@register.filter
def unbroken(name: str) -> SafeString:
    """A name of several people in parts that are not broken where a line holds a whole one."""
    parts = re.split(PARTNER, name)
    return format_html_join(" ", '<span class="part">{}</span>', ((part,) for part in parts))


@register.simple_tag
def form_key() -> SafeString:
    """A random key for a form, so that the form is carried out once when it is sent twice.

    See `core.views.refusals_as_pages`. Not for records and forms sent by a script, which have keys
    of their own, nor for passwords.
    """
    return format_html('<input type="hidden" name="form_key" value="{}">', secrets.token_urlsafe())


@register.simple_tag(takes_context=True)
def keep_back(context: Context) -> str:
    """The query that a page opened from the control room passes on, to return there; else empty.

    See `core.views.page_after`.
    """
    return "?back=control" if context["request"].GET.get("back") == "control" else ""


def sprite() -> str:
    """The address of the drawn deck."""
    return static("cards/deck.svg")


@register.simple_tag
def card(
    code: str, state: str = "", legal: Sequence[str] = (), bad: str | None = None
) -> SafeString:
    """A drawn card. ``state``: "", ``legal``, ``muted``, ``bad`` or ``won``.

    Instead of a state, ``legal`` (the cards that may be played) and ``bad`` (the card that was
    played against the rules) determine the mark; with neither it is not marked. Built here and not
    in a template, because a hand has eighty of them.
    """
    if not state:
        state = _marked(code, legal, bad)
    remark = {"bad": _("against the rules"), "legal": _("may be played")}.get(state, "")
    return format_html(
        '\n<span class="playing-card{}" data-card="{}"><svg viewBox="0 0 200 308" role="img" '
        'aria-label="{}{}"><use href="{}#card-{}"/></svg></span>\n',
        f" playing-card--{state}" if state else "",
        code,
        card_name(code),
        f" ({remark})" if remark else "",
        sprite(),
        code,
    )


def _marked(code: str, legal: Sequence[str], bad: str | None) -> str:
    if bad and code == bad:
        return "bad"
    if not legal:
        return ""
    return "legal" if code in legal else "muted"


@register.simple_tag
def suit(code: str) -> SafeString:
    """A suit's pip with its name, of a suit ``"e"`` or of a card ``"7e"``."""
    letter = code[-1:]
    return format_html(
        '<svg class="suit" viewBox="{}" role="img" aria-label="{}"><use href="{}#pip-{}"/></svg>',
        SUIT_BOXES[letter],
        suit_name(letter),
        sprite(),
        letter,
    )


@register.simple_tag
def icon(name: str) -> SafeString:
    """A line drawing from ``icons.svg``, hidden from screen readers.

    The text beside it names it.
    """
    return format_html(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("icons.svg"),
        name,
    )


@register.simple_tag
def notice_icon(level: str) -> SafeString:
    """The icon that goes with a message's level: ``success``, ``warning``, ``error``, ``info``."""
    fallback = "alert" if level in {"warning", "warn"} else "note"
    return icon(NOTICE_ICONS.get(level, fallback))


@register.inclusion_tag("ui/badge.html")
def state_badge(state: str) -> dict[str, str]:
    """The badge of a state; raises ``KeyError`` for an unknown state."""
    text, kind = STATES[state]
    return {"text": str(text), "kind": kind}
