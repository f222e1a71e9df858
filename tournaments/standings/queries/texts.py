"""Texts of standings and prizes in the language of the page: for templates and papers."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from django.utils.formats import get_format
from django.utils.translation import get_language, gettext, ngettext

from tournaments.director.queries.tournaments import StageHead
from tournaments.domain.messages import message
from tournaments.signup.queries.texts import euros
from tournaments.standings.queries.prizes import PrizeLineRow

DIGITS: Final = 4
"""Decimals of an amount, at most."""


def amount(number: float | None) -> str:
    """``2.5`` → "2,5" in Spanish; at most four decimals; empty for ``None``."""
    if number is None:
        return ""
    if isinstance(number, int):
        return str(number).replace("-", "−")
    text = format(round(Decimal(repr(number)), DIGITS), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−").replace(".", get_format("DECIMAL_SEPARATOR"))


def stage_name(stage: StageHead) -> str:
    """Return the name of a stage, or that of its format."""
    name = stage.name or message(get_language(), f"format.{stage.format}")
    return name[:1].upper() + name[1:]


def length_text(options: Mapping[str, Any], own: int | None = None) -> str:
    """Return the length of a match by a tournament's ``options``: ``first to 3 hands``.

    With a number of its ``own`` that of a stage. Empty where the ruleset alone says it.
    """
    if deals := options.get("deals"):
        count = own or deals
        return ngettext("%(deals)d deal a match", "%(deals)d deals a match", count) % {
            "deals": count
        }
    if hands := own or options.get("to"):
        return ngettext("first to %(hands)s hand", "first to %(hands)s hands", hands) % {
            "hands": hands
        }
    return ""


def prize_text(cents: int, goods: Iterable[str]) -> str:
    """Return money and goods in a line: ``300 € + 2 × Ham``."""
    return " + ".join([*([euros(cents)] if cents else []), *goods])


def places_text(line: PrizeLineRow) -> str:
    """Return the places of a line: ``Place 1``, ``Places 5 to 8``, ``Everybody``."""
    if line.times:
        return attendance_text(line.times)
    if line.raffled:
        return gettext("Raffled among those present")
    if line.is_for_all:
        return gettext("Everybody")
    if line.first == line.last:
        return gettext("Place %(place)d") % {"place": line.first}
    return gettext("Places %(first)d to %(last)d") % {"first": line.first, "last": line.last}


def attendance_text(times: int) -> str:
    """Return who gets a prize for having come: ``Everybody who came 4 times``."""
    text = ngettext(
        "Everybody who came %(times)d time", "Everybody who came %(times)d times", times
    )
    return text % {"times": times}


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
