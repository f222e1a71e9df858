"""Forms of bots and schedules."""

from collections.abc import Sequence
from datetime import time
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.arena.queries.status import ScheduleRow
from tournaments.arena.services.comparisons import MAX_SETS
from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form, set_choices, text_area
from tournaments.domain.match_parts import TWO_SIDED
from tournaments.domain.names import MAX_NAME_LENGTH, ruleset_name
from tournaments.domain.timetable import EVERY_DAY, USUAL_ZONE
from tournaments.models import Bot, BotVersion
from tournaments.people.services.bots import MAX_ABOUT_LENGTH, MAX_TEXT_BYTES
from tournaments.people.services.programs import INTERPRETERS

# --- Bots -----------------------------------------------------------------------------------------


LANGUAGES = [(name, BotVersion.Language(name).label) for name in INTERPRETERS]
KINDS = [
    (Bot.Kind.PROGRAM.value, _("A program that runs here, in the sandbox")),
    (Bot.Kind.REMOTE.value, _("A bot that runs elsewhere and fetches its turns over the API")),
]


class VersionForm(Form):
    """The source text of a program, as a file or pasted."""

    language = forms.ChoiceField(label=_("Programming language"), choices=LANGUAGES)
    file = forms.FileField(label=_("A file"), required=False)
    text = forms.CharField(
        label=_("or paste the text here"),
        widget=text_area(14, placeholder="#!/usr/bin/env python3"),
        required=False,
        strip=False,
    )
    needs_text = True

    def clean(self) -> dict[str, Any]:
        """Require a file or a text."""
        fields = super().clean() or {}
        is_there = fields.get("file") or (fields.get("text") or "").strip()
        if self.needs_text and not is_there and not self.errors:
            raise forms.ValidationError(_("Paste the text or choose its file."))
        return fields

    @property
    def program(self) -> dict[str, Any]:
        """Language and source for the service; a file takes precedence over pasted text.

        Of a file that is too large, only one byte more than the limit is read. Browsers send the
        lines of a pasted text with CRLF, which is undone.
        """
        upload: UploadedFile[Any] | None = self.cleaned_data.get("file")
        text = self.cleaned_data.get("text") or ""
        source = upload.read(MAX_TEXT_BYTES + 1) if upload else text.replace("\r\n", "\n")
        return {"language": self.cleaned_data["language"], "source": source}


class NewBotForm(VersionForm):
    """A new bot and its first version."""

    name = forms.CharField(
        label=_("Name"),
        max_length=MAX_NAME_LENGTH,
        help_text=_("All see it, with the word “bot” beside it."),
    )
    about = forms.CharField(
        label=_("About"),
        max_length=MAX_ABOUT_LENGTH,
        widget=text_area(3, spellcheck="true"),
        required=False,
        help_text=_("What others should know: how it plays, where its text can be read."),
    )
    kind = forms.ChoiceField(
        label=_("What is it?"),
        choices=KINDS,
        widget=forms.RadioSelect,
        initial=Bot.Kind.PROGRAM.value,
    )

    rulesets = forms.MultipleChoiceField(
        label=_("What does it play?"),
        choices=[(name, ruleset_name(name)) for name in engine.RULESETS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("It is checked and entered for these; for all where none is chosen."),
    )

    field_order = ("name", "about", "kind", "rulesets", "language", "file", "text")

    def clean(self) -> dict[str, Any]:
        """Require a text only for a program that runs here."""
        self.needs_text = self.cleaned_data.get("kind") != Bot.Kind.REMOTE
        return super().clean()


class CompareForm(Form):
    """Two ready versions of a bot, newest first, and the ruleset under which they meet."""

    version = forms.TypedChoiceField(label=_("Is version"), coerce=int)
    base = forms.TypedChoiceField(label=_("better than version"), coerce=int)
    ruleset = forms.ChoiceField(label=_("Ruleset"))
    sets = forms.IntegerField(
        label=_("Deal sets at most"), min_value=1, max_value=MAX_SETS, initial=MAX_SETS
    )

    def __init__(
        self, ready: Sequence[int], rulesets: Sequence[str], *args: Any, **kwargs: Any
    ) -> None:
        """Set the choices; the newest version is compared with the one before."""
        first = {"version": ready[0], "base": ready[1]} if len(ready) > 1 else {}
        super().__init__(*args, **{**kwargs, "initial": first})
        for name in ("version", "base"):
            set_choices(self, name, ((number, str(number)) for number in ready))
        played = [name for name in TWO_SIDED if not rulesets or name in rulesets]
        set_choices(self, "ruleset", ((name, ruleset_name(name)) for name in played))


# --- Schedules ------------------------------------------------------------------------------------


class ScheduleForm(Form):
    """The schedule of bot rounds: time of day, weekdays, time zone, on or off."""

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
        """Set the choices of time zones; ``now`` is the present schedule, if any."""
        set_up = {
            "at": now.at if now else time(3),
            "days": now.days if now else EVERY_DAY,
            "zone": now.zone if now else USUAL_ZONE,
            "is_on": now.on if now else True,
        }
        super().__init__(*args, **{**kwargs, "initial": set_up})
        set_choices(self, "zone", ((zone, zone.replace("_", " ")) for zone in zones))

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal is about."""
        field_name = str(refusal.params.get("text", ""))
        is_about_one = refusal.reason is Reason.BAD_SCHEDULE and field_name in self.fields
        return field_name if is_about_one else None
