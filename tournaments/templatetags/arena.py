"""``{% load arena %}``: figures with their intervals, tests, and what became of attempts."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

import engine
from tournaments.domain.contest import HIGH, LOW, Test
from tournaments.models import Attempt

register = template.Library()

MINUS = "−"
"""The sign that stands as wide as a digit."""


@register.filter
def signed_points(number: float) -> str:
    """``12.34`` → "+12.3", with the page's decimal sign."""
    text = number_format(abs(round(number, 1)), 1)
    return f"{'+' if number > 0 else MINUS}{text}" if round(number, 1) else text


@register.filter
def plain_points(number: float) -> str:
    """``-2.944`` → "−2.94": a number of a test."""
    return number_format(round(number, 2), 2 if number % 1 else 0).replace("-", MINUS)


@register.filter
def half_width(figure: engine.Interval) -> str:
    """``± 4.1``: half the width of an interval; nothing of a single observation."""
    return "" if figure.margin is None else f"± {number_format(round(figure.margin, 1), 1)}"


@register.filter
def percent(share: float) -> str:
    """``0.683`` → "68.3"."""
    return number_format(round(100 * share, 1), 1)


@register.filter
def test_state(test: Test) -> str:
    """Say whether the test goes on, or for which of its bounds it is decided."""
    if test.state == HIGH:
        return _("decided for %(bound)s") % {"bound": plain_points(test.high)}
    if test.state == LOW:
        return _("decided for %(bound)s") % {"bound": plain_points(test.low)}
    return _("goes on")


@register.filter
def outcome_name(outcome: str) -> str:
    """``"lost"`` → "lost": what became of an attempt."""
    return str(Attempt.Outcome(outcome).label)
