"""Forms of seasons."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.forms import CommaDecimalField, Form, set_choices
from tournaments.domain.names import ruleset_name
from tournaments.models import Season
from tournaments.standings.services import MAX_RESULTS, WEIGHTS


class SeasonForm(Form):
    """The settings of a new season."""

    name = forms.CharField(
        label=_("Name"), max_length=100, help_text=_("As players will read it, e.g. Season 2026.")
    )
    scale = forms.ChoiceField(
        label=_("What a place is worth"), choices=Season.Scale.choices, initial=Season.Scale.FIXED
    )
    best = forms.IntegerField(
        label=_("How many results of each count"),
        help_text=_("The best ones; all of them if left empty."),
        min_value=1,
        max_value=MAX_RESULTS,
        required=False,
    )
    by = forms.ChoiceField(
        label=_("Who collects"),
        choices=Season.Competitors.choices,
        initial=Season.Competitors.ENTRY,
    )
    ruleset = forms.ChoiceField(
        label=_("Rules"),
        choices=lambda: [("", _("any")), *((name, ruleset_name(name)) for name in engine.RULESETS)],
        required=False,
    )


class SeasonEventForm(Form):
    """A tournament to add to a season, with its weight."""

    tournament = forms.ChoiceField(label=_("Tournament"))
    weight = CommaDecimalField(
        label=_("Counts how many times"),
        min_value=WEIGHTS[0],
        max_value=WEIGHTS[1],
        max_digits=4,
        decimal_places=2,
        initial=1,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
    )

    def __init__(self, choices: Sequence[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        """Offer ``choices``: short name and name of each tournament."""
        super().__init__(*args, **kwargs)
        set_choices(self, "tournament", choices)
