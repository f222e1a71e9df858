"""Forms that several features use. A form only reads fields; services check the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournaments.core.errors import Reason, Refusal
from tournaments.core.faults import NAME_FAULTS
from tournaments.core.views import ACTOR_REFUSALS
from tournaments.domain.names import MAX_REASON_LENGTH

T = TypeVar("T")


class Form(forms.Form):
    """A form that shows the refusal of the service that it was sent to."""

    refused: Refusal | None = None

    def submit(self, action: Callable[[], T]) -> T | None:
        """Return the result of ``action``, or None when a field is wrong or the service refused.

        Raises the refusals that concern the actor or the address, not the fields.
        """
        if not self.is_valid():
            return None
        try:
            return action()
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
    def asks_name(self) -> bool:
        """Whether the name of a person was doubted: the page then offers ``as_written``."""
        return self.refused is not None and (
            self.refused.reason is Reason.DOUBTFUL_NAME
            or any(fault.code in NAME_FAULTS for fault in self.refused.errors)
        )

    @property
    def as_written(self) -> bool:
        """Whether it was said that a doubted name is right as it is written."""
        return "as_written" in self.data

    @property
    def error_text(self) -> str:
        """All errors of the form as one text."""
        errors = (str(error) for several in self.errors.values() for error in several)
        return " ".join(dict.fromkeys(errors))

    @property
    def status(self) -> int:
        """The HTTP status of the page that shows this form."""
        if self.refused:
            return self.refused.status
        return 422 if self.errors else 200


class CommaDecimalField(forms.DecimalField):
    """A decimal number with a point or a comma.

    Django's ``localize`` reads "0,5" as 5 in English, and a number input refuses it there.
    """

    widget = forms.TextInput

    def to_python(self, value: Any) -> Any:
        """Return the number."""
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


def text_area(rows: int, **attrs: Any) -> forms.Textarea:
    """Return a plain text area that does not strip the text."""
    plain = {"spellcheck": "false", "autocomplete": "off", "autocapitalize": "off"}
    return forms.Textarea(attrs={"rows": rows, **plain, **attrs})


def reason_field(rows: int = 2, *, required: bool = True) -> forms.CharField:
    """Return the field for the reason of a decision."""
    return forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON_LENGTH,
        widget=text_area(rows),
        required=required,
    )


def moment_field(label: Any, **options: Any) -> forms.DateTimeField:
    """Return a field for a day and hour, which may be left empty."""
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, required=False, widget=widget, **options)


MAX_DIGITS: Final = 9
"""Longer numbers overflow a column of the database, and int() refuses thousands of digits."""


def read_number(text: str) -> int | None:
    """Return a number that a button or a box sends; None for everything else."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
    return int(text) if is_number else None


def read_numbers(texts: Iterable[str]) -> list[int]:
    """Return the numbers among the texts that the boxes of a form send."""
    return [number for text in texts if (number := read_number(text)) is not None]


def set_choices(form: forms.Form, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
    """Set the choices of a field of a form."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101
    field.choices = choices


def file_or_text(fields: dict[str, Any], file: str, text: str) -> bytes | str:
    """Return the bytes of the file, or else the text."""
    upload: UploadedFile[Any] | None = fields.get(file)
    return upload.read() if upload else fields.get(text) or ""


class ReasonForm(Form):
    """The reason of a decision."""

    reason = reason_field(rows=3)
