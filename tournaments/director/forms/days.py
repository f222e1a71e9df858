"""Forms of the days of a tournament: plan several, add one, change one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from tournaments.core.forms import Form, moment_field, text_area
from tournaments.director.queries.days import DayRow
from tournaments.director.services.days import (
    MAX_DAYS_TO_PLAY,
    MAX_ROUNDS_A_DAY,
    DayPlan,
    NewDay,
)
from tournaments.domain.days import MAX_DAYS
from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.models.tournaments import MAX_LINE_LENGTH

if TYPE_CHECKING:
    from tournaments.domain.days import Pause

DATE: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
MAX_PAUSES_LENGTH: Final = 2000


def date_field(label: Any, **options: Any) -> forms.DateField:
    """Return a field for a day."""
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, widget=widget, **options)


def place_field() -> forms.CharField:
    """Return a field for the place of a day."""
    return forms.CharField(
        label=_("Where it is played"),
        max_length=MAX_NAME_LENGTH,
        required=False,
        help_text=_("Empty: where the tournament is played."),
    )


def holds_field() -> forms.IntegerField:
    """Return a field for the rounds of a stage on one day."""
    return forms.IntegerField(
        label=_("Rounds a day"), min_value=1, max_value=MAX_ROUNDS_A_DAY, initial=1
    )


def _read_pause(line: str) -> Pause:
    """Return the first and the last day of a line; ValidationError where it has none."""
    days = [_read_day(match.groups()) for match in DATE.finditer(line)]
    if not 1 <= len(days) <= 2 or None in days or re.search(r"\d", DATE.sub("", line)):
        text = _("“%(line)s” is no day, and no first and last day: write 24/12/2026.")
        raise forms.ValidationError(text, params={"line": line.strip()[:40]})
    first, last = days[0], days[-1]
    assert first is not None  # noqa: S101
    assert last is not None  # noqa: S101
    return first, last


def _read_day(groups: tuple[str | None, ...]) -> date | None:
    year, month, day, day_first, month_first, year_last = groups
    try:
        return date(
            int(year or year_last or 0), int(month or month_first or 0), int(day or day_first or 0)
        )
    except ValueError:
        return None


class PlanDaysForm(Form):
    """Days on some days of the week at an hour."""

    on = forms.TypedMultipleChoiceField(
        label=_("On these days"),
        choices=list(WEEKDAYS.items()),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
    )
    at = forms.TimeField(
        label=_("At"),
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        required=False,
        help_text=_("Empty: no hour is fixed; each day is the last one to play the round."),
    )
    first = date_field(_("From"))
    count = forms.IntegerField(label=_("How many days"), min_value=1, max_value=MAX_DAYS)
    pauses = forms.CharField(
        label=_("Days off and pauses"),
        required=False,
        widget=text_area(3),
        max_length=MAX_PAUSES_LENGTH,
        help_text=_("One a line: 24/12/2026, or 01/07/2026 – 15/09/2026."),
    )
    before_holidays = forms.BooleanField(
        label=_("A day off moves to the day before"),
        required=False,
        help_text=_("Else it is left out, as longer pauses are."),
    )
    play_within = forms.IntegerField(
        label=_("Days to play it afterwards"),
        min_value=0,
        max_value=MAX_DAYS_TO_PLAY,
        required=False,
        help_text=_("Where pairs agree on a day of their own: 6 is until the day before a week."),
    )
    holds = holds_field()
    place = place_field()

    @classmethod
    def proposed(cls, rounds: int | None) -> PlanDaysForm:
        """Return the form before it is filled in; ``rounds`` need a day, if that is known."""
        return cls(initial={"first": timezone.localdate(), "count": rounds or None})

    def clean_pauses(self) -> list[Pause]:
        """Return the days off and pauses, one a line."""
        lines = self.cleaned_data["pauses"].splitlines()
        return [_read_pause(line) for line in lines if line.strip()]

    @property
    def plan(self) -> DayPlan:
        """What was filled in."""
        data = self.cleaned_data
        return DayPlan(**{**data, "on": tuple(data["on"])})


class DayForm(Form):
    """What a day says."""

    starts_at = moment_field(_("Begins"))
    play_by = date_field(
        _("To be played by"), required=False, help_text=_("Empty: on the day itself.")
    )
    place = place_field()
    note = forms.CharField(label=_("Note"), max_length=MAX_LINE_LENGTH, required=False)
    holds = holds_field()

    @property
    def values(self) -> Mapping[str, Any]:
        """What was filled in of a day."""
        return {name: self.cleaned_data[name] for name in NewDay.__dataclass_fields__}


class ChangeDayForm(DayForm):
    """Another time, place or note of a day, and the rounds on it."""

    rounds = forms.CharField(
        label=_("Rounds on it"),
        max_length=200,
        required=False,
        help_text=_("Their numbers with commas between: 5, 6."),
    )
    tell = forms.BooleanField(
        label=_("Announce it on pages, phones and the projector"), required=False, initial=True
    )

    @classmethod
    def of(cls, day: DayRow) -> ChangeDayForm:
        """Return the form with what a day says now."""
        initial = {name: getattr(day, name) for name in NewDay.__dataclass_fields__}
        initial |= {"place": day.own_place, "rounds": ", ".join(map(str, day.rounds))}
        return cls(initial=initial)

    def clean_rounds(self) -> list[int]:
        """Return the numbers of the rounds."""
        text = self.cleaned_data["rounds"]
        if re.sub(r"[\d,;\s]", "", text):
            raise forms.ValidationError(_("Write the numbers of rounds with commas between."))
        return [int(number[:4]) for number in re.findall(r"\d+", text)]
