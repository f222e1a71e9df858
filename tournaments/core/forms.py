"""Forms that several features use. A form only reads fields; services check the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.core.views import ACTOR_REFUSALS
from tournaments.models import Bot

if TYPE_CHECKING:
    from tournaments.director.queries.entries import BotRow

MANY_BOTS = 40
LONG_TEXT = 1000  # characters of a reason

T = TypeVar("T")


class Form(forms.Form):
    """A form that shows the refusal of the service that it was sent to."""

    refused: Refusal | None = None

    def ask(self, act: Callable[[], T]) -> T | None:
        """Return the result of ``act``, or None when a field is wrong or the service refused.

        Raises the refusals that concern the actor or the address, not the fields.
        """
        if not self.is_valid():
            return None
        try:
            return act()
        except Refusal as refusal:
            if refusal.reason in ACTOR_REFUSALS:
                raise
            self.refused = refusal
            if not refusal.errors:
                self.add_error(self.field_of(refusal), refusal.message)
            return None

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal concerns; None for the whole form."""
        del refusal
        return None

    @property
    def trouble(self) -> str:
        """All errors of the form as one text."""
        errors = (str(error) for several in self.errors.values() for error in several)
        return " ".join(dict.fromkeys(errors))

    @property
    def status(self) -> int:
        """The HTTP status of the page that shows this form."""
        if self.refused:
            return self.refused.status
        return 422 if self.errors else 200


def area(rows: int, **attrs: Any) -> forms.Textarea:
    """Return a plain text area that does not strip the text."""
    plain = {"spellcheck": "false", "autocomplete": "off", "autocapitalize": "off"}
    return forms.Textarea(attrs={"rows": rows, **plain, **attrs})


def choose(form: forms.Form, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
    """Set the choices of a field of a form."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101
    field.choices = choices


class ClubForm(Form):
    """A new club."""

    name = forms.CharField(label=_("Name"), max_length=100)
    city = forms.CharField(label=_("Town"), max_length=100, required=False)


class NameForm(Form):
    """The corrected name of a player or a pair."""

    name = forms.CharField(label=_("Name"), max_length=100, strip=False)

    def field_of(self, refusal: Refusal) -> str | None:
        """Show a bad or taken name beside the name field."""
        return "name" if refusal.reason in {Reason.BAD_NAME, Reason.NAME_TAKEN} else None


class ImportForm(Form):
    """Lists of players and pairs, each as a file or as text."""

    players_file = forms.FileField(label=_("Players, a CSV file"), required=False)
    players = forms.CharField(
        label=_("or paste the players here"),
        widget=area(6, placeholder="id,nombre\nJ01,Pilar Martínez"),
        required=False,
        strip=False,
    )
    pairs_file = forms.FileField(label=_("Pairs, a CSV file"), required=False)
    pairs = forms.CharField(
        label=_("or paste the pairs here"),
        widget=area(6, placeholder="pareja,nombre,jugador1,jugador2\nP1,Las Cuarenta,J01,J02"),
        required=False,
        strip=False,
    )

    def source(self, name: str) -> bytes | str:
        """Return the list called ``name`` as it was sent: a file's bytes or text."""
        return file_or_text(self.cleaned_data, f"{name}_file", name)


class PairsForm(Form):
    """The pairs of the club that play."""

    pairs = forms.MultipleChoiceField(label=_("Who plays"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, choices: list[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        """Offer ``choices``: code and name."""
        super().__init__(*args, **kwargs)
        choose(self, "pairs", choices)


class BotsForm(Form):
    """How many of each bot play."""

    def __init__(self, bots: Sequence[BotRow], *args: Any, **kwargs: Any) -> None:
        """Add a number field for each of ``bots``."""
        super().__init__(*args, **kwargs)
        self.bots = {f"bot_{bot.pk}": bot.pk for bot in bots}
        for name, bot in zip(self.bots, bots, strict=True):
            self.fields[name] = forms.IntegerField(
                label=bot.name,
                help_text=Bot.Kind(bot.kind).label,
                min_value=0,
                max_value=MANY_BOTS,
                initial=0,
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        """Require one bot at least."""
        given = super().clean() or {}
        if not self.errors and not any(given.values()):
            raise forms.ValidationError(_("Say how many bots should play."))
        return given

    @property
    def chosen(self) -> list[int]:
        """The keys of the bots, each repeated as often as it plays."""
        return [pk for name, pk in self.bots.items() for _n in range(self.cleaned_data[name] or 0)]


class RecordForm(Form):
    """A record, as a file or as text."""

    file = forms.FileField(label=_("A file"), required=False)
    text = forms.CharField(
        label=_("or paste the record here"),
        widget=area(12, placeholder='{"format": "baza/1", "ruleset": "parejas-online", …}'),
        required=False,
        strip=False,
    )

    def clean(self) -> dict[str, Any]:
        """Require the file or the text."""
        fields = super().clean() or {}
        if not fields.get("file") and not (fields.get("text") or "").strip():
            raise forms.ValidationError(_("Paste the record or choose its file."))
        return fields

    @cached_property
    def body(self) -> bytes | str:
        """The record as it was sent; a file takes precedence over the text."""
        return file_or_text(self.cleaned_data, "file", "text")

    def again(self) -> RecordForm:
        """Return the form to be filled in again, the content of a file as text to correct."""
        if self.is_bound and self.is_valid() and isinstance(self.body, bytes):
            text = self.body[: engine.MAX_BYTES].decode("utf-8", errors="replace")
            self.data = {**self.data, "text": text}
        return self


def file_or_text(fields: dict[str, Any], file: str, text: str) -> bytes | str:
    """Return the bytes of the file, or else the text."""
    upload: UploadedFile[Any] | None = fields.get(file)
    return upload.read() if upload else fields.get(text) or ""


class ReasonForm(Form):
    """The reason of a decision."""

    reason = forms.CharField(label=_("Reason"), max_length=LONG_TEXT, widget=area(3))
