"""Forms of seasons and prizes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import CommaDecimalField, Form, reason_field, set_choices
from tournaments.domain.messages import message
from tournaments.domain.money import read_cents
from tournaments.domain.names import MAX_NAME_LENGTH, ruleset_name
from tournaments.domain.season import SeasonCriterion
from tournaments.models import PrizeLine, Season
from tournaments.models.tournaments import MAX_LINE_LENGTH
from tournaments.standings.queries.prizes import PrizeLineRow, PrizeList
from tournaments.standings.queries.seasons import SeasonPage
from tournaments.standings.services.prizes import MAX_LINES, MAX_PLACE, UNITS, NewPrize
from tournaments.standings.services.seasons import MAX_RESULTS, WEIGHTS, RulesOfSeason

NUMBERS: Final = re.compile(r"\s*[0-9]+(?:[\s,;]+[0-9]+)*[\s,;]*")


def criterion_choices() -> list[tuple[str, Any]]:
    """Return the criteria of a season and their names."""
    return [(one.value, message(get_language(), f"season.{one}")) for one in SeasonCriterion]


def further_criterion_choices() -> list[tuple[str, Any]]:
    """Return the choices after the first criterion: there may be no more."""
    return [("", _("nothing")), *criterion_choices()]


class SeasonRulesForm(Form):
    """How a season counts."""

    scale = forms.ChoiceField(
        label=_("What a place is worth"), choices=Season.Scale.choices, initial=Season.Scale.FIXED
    )
    own_scale = forms.CharField(
        label=_("Points of your own"),
        help_text=_(
            "By place, the first to the last that gets any: 25, 18, 15, 12, 10. They count instead "
            "of the scale above."
        ),
        max_length=600,
        required=False,
    )
    best = forms.IntegerField(
        label=_("How many results of each count"),
        help_text=_("The best ones; all of them if left empty."),
        min_value=1,
        max_value=MAX_RESULTS,
        required=False,
    )
    mean_of = forms.IntegerField(
        label=_("Tournaments needed for the mean"),
        help_text=_(
            "The mean of the results that count instead of their sum; who has played fewer stands "
            "below. The sum if left empty."
        ),
        min_value=1,
        max_value=MAX_RESULTS,
        required=False,
    )
    missed_as_zero = forms.BooleanField(
        label=_("Who has played fewer has a zero for each one missed"),
        help_text=_("Of the mean; else they stand below all who have played enough."),
        required=False,
    )
    first_criterion = forms.ChoiceField(
        label=_("Level on points: first"), choices=criterion_choices, initial="wins"
    )
    second_criterion = forms.ChoiceField(
        label=_("then"),
        choices=further_criterion_choices,
        initial="last_event",
        required=False,
    )
    third_criterion = forms.ChoiceField(
        label=_("and then"), choices=further_criterion_choices, required=False
    )

    def clean_own_scale(self) -> tuple[int, ...]:
        """Return the points by place."""
        text = self.cleaned_data["own_scale"]
        if text and not NUMBERS.fullmatch(text):
            raise forms.ValidationError(_("Write whole numbers with commas between them."))
        return tuple(map(int, re.findall("[0-9]+", text)))

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal concerns."""
        return "own_scale" if refusal.reason is Reason.BAD_SCALE else None

    @property
    def rules(self) -> RulesOfSeason:
        """The rules, once the form is valid."""
        given = self.cleaned_data
        criteria = [given[f"{nth}_criterion"] for nth in ("first", "second", "third")]
        return RulesOfSeason(
            scale=given["scale"],
            own_scale=given["own_scale"],
            best=given["best"],
            mean_of=given["mean_of"],
            missed_as_zero=given["missed_as_zero"],
            criteria=[code for code in criteria if code],
        )


class SeasonForm(SeasonRulesForm):
    """The settings of a new season."""

    name = forms.CharField(
        label=_("Name"), max_length=100, help_text=_("As players will read it, e.g. Season 2026.")
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
    field_order = ("name",)


class RunningSeasonForm(SeasonRulesForm):
    """Other rules of a season, and why."""

    reason = reason_field(required=False)


def rules_initial(page: SeasonPage) -> dict[str, Any]:
    """Return the rules of a season as the fields of its form."""
    first, second, third = (*page.criteria, "", "", "")[:3]
    return {
        "scale": page.scale,
        "own_scale": ", ".join(map(str, page.own_scale)),
        "best": page.best,
        "mean_of": page.mean_of,
        "missed_as_zero": page.missed_as_zero,
        "first_criterion": first,
        "second_criterion": second,
        "third_criterion": third,
    }


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


# --- Prizes ---------------------------------------------------------------------------------------


PLACES: Final = re.compile(r"([0-9]{1,3})(?:\s*[-–—]\s*([0-9]{1,3}))?")
MAX_PRIZE: Final = 999_999_99
"""Money of a line in cents, at most."""
SHARE: Final = re.compile(r"([0-9]{1,3})\s*%")

EMPTY_LINES: Final = 3
"""Empty lines below those of a list."""


class PrizeLineForm(Form):
    """A line of a list of prizes; a line without a prize is left out."""

    places = forms.CharField(label=pgettext_lazy("prize", "Places"), max_length=9, required=False)
    money = forms.CharField(label=_("Money"), max_length=12, required=False)
    text = forms.CharField(label=_("Or what else"), max_length=MAX_LINE_LENGTH, required=False)
    per = forms.ChoiceField(label=_("Given to"), choices=PrizeLine.Per.choices)
    stage = forms.ChoiceField(label=_("Of the places of"), required=False)
    raffled = forms.BooleanField(label=_("Raffled among those present"), required=False)

    def __init__(self, stages: Sequence[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        """Offer ``stages`` whose places can have prizes; without any the field is left out."""
        super().__init__(*args, **kwargs)
        if stages:
            set_choices(self, "stage", [("", _("the whole tournament")), *stages])
        else:
            del self.fields["stage"]

    def clean_places(self) -> tuple[int, int]:
        """Return the first and the last place; 0 and 0 for everybody."""
        text = self.cleaned_data["places"].strip()
        if not text:
            return 0, 0
        found = PLACES.fullmatch(text)
        if found is None:
            raise forms.ValidationError(_("Write places as 1 or as 5–8."))
        return int(found[1]), int(found[2] or found[1])

    def clean_money(self) -> tuple[int | None, int | None]:
        """Return cents and per cent, one of them or none."""
        text = self.cleaned_data["money"].strip()
        if not text:
            return None, None
        if share := SHARE.fullmatch(text):
            return None, int(share[1])
        fault = _("Write an amount as 600 or 12.50, and a share as 45 %.")
        try:
            cents = read_cents(text)
        except ValueError as error:
            raise forms.ValidationError(fault) from error
        if not 0 <= cents <= MAX_PRIZE:
            raise forms.ValidationError(fault)
        return cents, None

    @property
    def prize(self) -> NewPrize | None:
        """The line as the service takes it; None if it is empty."""
        fields = self.cleaned_data
        (first, last), (cents, percent) = fields["places"], fields["money"]
        if not (first or cents or percent or fields["text"] or fields.get("times")):
            return None
        return NewPrize(
            first=first,
            last=last,
            stage=int(fields["stage"]) if fields.get("stage") else None,
            per=fields.get("per", PrizeLine.Per.ENTRY.value),
            cents=cents,
            percent=percent,
            times=fields.get("times") or 0,
            raffled=fields.get("raffled", False),
            text=fields["text"],
        )


class SeasonPrizeLineForm(PrizeLineForm):
    """A line of a list of prizes of a season."""

    times = forms.IntegerField(
        label=_("Who came so many times"), min_value=1, max_value=MAX_RESULTS, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Leave out what only a tournament has."""
        super().__init__((), *args, **kwargs)
        del self.fields["per"], self.fields["raffled"]


class PrizeSettingsForm(Form):
    """How the amounts of a list of prizes follow the number of entries."""

    meant_for = forms.IntegerField(
        label=_("Amounts are for how many entries"),
        help_text=_("With fewer they become smaller. Empty: they stay as they are."),
        min_value=1,
        max_value=MAX_PLACE,
        required=False,
    )
    scale_up = forms.BooleanField(label=_("With more they become larger"), required=False)
    unit = forms.TypedChoiceField(
        label=_("Rounded down to"),
        choices=[(unit, f"{unit // 100}\N{NO-BREAK SPACE}€") for unit in UNITS],
        coerce=int,
    )

    @classmethod
    def of(cls, prizes: PrizeList) -> PrizeSettingsForm:
        """Return the form with what is set."""
        names = ("meant_for", "scale_up", "unit")
        return cls(initial={name: getattr(prizes, name) for name in names})


class HandOutForm(Form):
    """To whom a prize is handed out; entry, stage and the money that was shown are hidden."""

    number = forms.IntegerField(widget=forms.HiddenInput)
    stage = forms.IntegerField(widget=forms.HiddenInput, required=False)
    cents = forms.IntegerField(widget=forms.HiddenInput)
    payee = forms.CharField(label=_("To whom"), max_length=MAX_NAME_LENGTH, required=False)


def line_initial(line: PrizeLineRow) -> dict[str, Any]:
    """Return what a line shows in its form."""
    money = "" if line.percent is None else f"{line.percent} %"
    if line.cents is not None:
        euros, cents = divmod(line.cents, 100)
        money = f"{euros},{cents:02}" if cents else str(euros)
    last = "" if line.first == line.last else f"–{line.last}"
    return {
        "places": "" if not line.first else f"{line.first}{last}",
        "money": money,
        "text": line.text,
        "times": line.times or None,
        "raffled": line.raffled,
        "per": line.per,
        "stage": line.stage or "",
    }


def count_lines(data: Mapping[str, Any]) -> int:
    """Return how many lines a form was sent with."""
    return sum(f"{n}-places" in data for n in range(MAX_LINES + EMPTY_LINES))
