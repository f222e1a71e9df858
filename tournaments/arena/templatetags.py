"""``{% load arena %}``, ``{% load bots %}``: figures, states and faults of bots in words."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

import engine
from tournaments.domain.contest import HIGH, LOW, Test
from tournaments.models import Attempt, Bot, BotVersion, VersionComparison

# --- Arena ----------------------------------------------------------------------------------------
# ``{% load arena %}``: figures with their intervals, tests, outcomes of attempts.


register = template.Library()

MINUS = "−"
"""Minus sign as wide as a digit."""


@register.filter
def signed_points(number: float) -> str:
    """``12.34`` → "+12.3", with the language's decimal sign."""
    text = number_format(abs(round(number, 1)), 1)
    return f"{'+' if number > 0 else MINUS}{text}" if round(number, 1) else text


@register.filter
def plain_points(number: float) -> str:
    """``-2.944`` → "−2.94", for the figures of a test."""
    return number_format(round(number, 2), 2 if number % 1 else 0).replace("-", MINUS)


@register.filter
def half_width(figure: engine.Interval) -> str:
    """``± 4.1``: half the width of an interval; "" for a single observation."""
    return "" if figure.margin is None else f"± {number_format(round(figure.margin, 1), 1)}"


@register.filter
def half_percent(share: engine.Interval) -> str:
    """``± 4.1``: half the width of the interval of a share, in per cent."""
    return "" if share.margin is None else f"± {number_format(round(100 * share.margin, 1), 1)}"


@register.filter
def percent(share: float) -> str:
    """``0.683`` → "68.3"."""
    return number_format(round(100 * share, 1), 1)


@register.filter
def test_state(test: Test) -> str:
    """Return the state of a test: undecided, or the bound for which it is decided."""
    if test.state == HIGH:
        return _("decided for %(bound)s") % {"bound": plain_points(test.high)}
    if test.state == LOW:
        return _("decided for %(bound)s") % {"bound": plain_points(test.low)}
    return _("goes on")


@register.filter
def outcome_name(outcome: str) -> str:
    """``"lost"`` → "lost": the outcome of an attempt."""
    return str(Attempt.Outcome(outcome).label)


# --- Bots -----------------------------------------------------------------------------------------
# ``{% load bots %}``: kinds, states and faults of bots.


STATES = {
    "ready": (gettext_lazy("Ready"), "good"),
    "checking": (gettext_lazy("Being checked"), "note"),
    "refused": (gettext_lazy("Does not pass the check"), "bad"),
    "empty": (gettext_lazy("Without a version"), "idle"),
    "benched": (gettext_lazy("Benched"), "warn"),
    "retired": (gettext_lazy("Retired"), "idle"),
    "stuck": (gettext_lazy("Could not be checked"), "warn"),
}
GROUPS = {
    "house": gettext_lazy("House bots"),
    "program": gettext_lazy("Programs"),
    "remote": gettext_lazy("Over the API"),
}
FAILURES = {
    "illegal_play": gettext_lazy("Illegal play"),
    "malformed_answer": gettext_lazy("Malformed answer"),
    "wrong_id": gettext_lazy("Answer to another question"),
    "timeout_cpu": gettext_lazy("Too much processor time"),
    "hang": gettext_lazy("No answer in time"),
    "crash": gettext_lazy("Crash"),
    "died_at_start": gettext_lazy("Ended at its start"),
    "slow_start": gettext_lazy("Slow start"),
    "output_flood": gettext_lazy("Too much output"),
    "memory": gettext_lazy("Too much memory"),
    "threads": gettext_lazy("Too many threads"),
    "protocol_version": gettext_lazy("Another protocol"),
    "infrastructure": gettext_lazy("Fault of the machine"),
}
"""Names of faults, by the engine's code."""

OUTCOMES = {
    "ok": (gettext_lazy("Held"), "good"),
    "failed": (gettext_lazy("Failed"), "bad"),
    "advice": (gettext_lazy("Advice"), "note"),
}
"""Names of the outcomes of a check, each with its kind of badge."""


@register.inclusion_tag("ui/badge.html")
def bot_state(state: str) -> dict[str, str]:
    """Render the badge of a bot's or version's state. Raises ``KeyError`` for an unknown state."""
    text, kind = STATES[state]
    return {"text": str(text), "kind": kind}


@register.inclusion_tag("ui/badge.html")
def check_outcome(state: str, required: bool) -> dict[str, str]:
    """Render the badge of a check; a failed one that is not required is a warning."""
    text, kind = OUTCOMES[state]
    return {"text": str(text), "kind": kind if required or state != "failed" else "warn"}


@register.filter
def group_name(group: str) -> str:
    """Return the name of a group of bots."""
    return str(GROUPS[group])


@register.filter
def kind_of_bot(kind: str) -> str:
    """``"simple"`` → "plays by simple rules"."""
    return str(Bot.Kind(kind).label)


@register.filter
def language_of_program(language: str) -> str:
    """``"python"`` → "Python"."""
    return str(BotVersion.Language(language).label)


@register.filter
def comparison_outcome(outcome: str) -> str:
    """Return why a comparison of versions has ended, or that it goes on."""
    return str(VersionComparison.Outcome(outcome).label) if outcome else _("goes on")


@register.filter
def failure_name(code: str) -> str:
    """Return the name of a fault, in two or three words."""
    return str(FAILURES.get(code, code))


@register.filter
def failure_words(code: str, facts: Mapping[str, Any]) -> str:
    """Return the engine's sentence for a fault, to follow the bot's name.

    Only its name if the facts of the sentence are hidden.
    """
    try:
        return engine.BotFailure(code, **facts).message_in(get_language())
    except KeyError:
        return failure_name(code)


@register.filter
def in_language(texts: Mapping[str, str]) -> str:
    """Return the text in the page's language, or in English."""
    return texts.get(get_language()) or texts.get("en", "")
