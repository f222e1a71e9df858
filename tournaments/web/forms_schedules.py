"""When the rounds of bots play themselves."""

from collections.abc import Sequence
from datetime import time
from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from tournaments.domain.timetable import EVERY_DAY, USUAL_ZONE
from tournaments.errors import Reason, Refusal
from tournaments.queries.schedules import ScheduleRow
from tournaments.web.forms import Form

THREE = time(3)


class ScheduleForm(Form):
    """A time of the day, days of the week, and a place whose clock tells them."""

    at = forms.TimeField(
        label=_("At"), widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"})
    )
    days = forms.TypedMultipleChoiceField(
        label=_("On these days"),
        choices=[(day, WEEKDAYS[day]) for day in EVERY_DAY],
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
    )
    zone = forms.ChoiceField(label=_("By the clock of"))
    is_on = forms.BooleanField(label=_("Rounds are played by themselves"), required=False)

    def __init__(
        self, zones: Sequence[str], now: ScheduleRow | None, *args: Any, **kwargs: Any
    ) -> None:
        """Offer the places of ``zones``; what holds ``now`` is filled in."""
        set_up = {
            "at": now.at if now else THREE,
            "days": now.days if now else EVERY_DAY,
            "zone": now.zone if now else USUAL_ZONE,
            "is_on": now.on if now else True,
        }
        super().__init__(*args, **{**kwargs, "initial": set_up})
        field = self.fields["zone"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(zone, zone.replace("_", " ")) for zone in zones]

    def field_of(self, refusal: Refusal) -> str | None:
        """Name the field that a refusal is about."""
        named = str(refusal.params.get("text", ""))
        is_about_one = refusal.reason is Reason.BAD_SCHEDULE and named in self.fields
        return named if is_about_one else None
