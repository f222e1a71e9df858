"""The form of a list of entries: the list, and how it is to be read."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.faults import IMPORT_FAULTS
from tournaments.core.forms import Form, set_choices, text_area
from tournaments.director.forms.who import who_answers
from tournaments.domain.roster import MAX_LIST_BYTES, RECOGNISE, Reading, entry_fields, kind_of_file
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.http import QueryDict

MAX_DIGITS_OF_LINE: Final = 6  # lines of a list of `MAX_LIST_BYTES`
FIELDS_OF_PAIR: Final[dict[str, str | Promise]] = {
    "first": _("First player"),
    "second": _("Second player"),
    "both": _("Both players"),
    "first_surname": _("Surname of the first player"),
    "second_surname": _("Surname of the second player"),
    "pair": _("Name or number of the pair"),
    "club": _("Club"),
    "rating": _("Rating"),
    "": _("Left out"),
}
FIELDS_OF_PLAYER: Final[dict[str, str | Promise]] = {
    **FIELDS_OF_PAIR,
    "first": _("Player"),
    "first_surname": _("Surname"),
}
SEAT: Final = "players-"
LEAVE: Final = "leave-"
"""What the fields begin with that say who plays in a line, or leave it out; its number follows."""


class ListForm(Form):
    """A list of entries, as a file or as text, and how its columns are to be read."""

    list_file = forms.FileField(
        label=_("The list, a file"),
        required=False,
        help_text=_("CSV or text: UTF-8, UTF-16 (“Unicode text”) or Windows-1252."),
    )
    list_text = forms.CharField(
        label=_("or paste the list here"),
        widget=text_area(8),
        required=False,
        strip=False,
        max_length=MAX_LIST_BYTES,
    )
    column = forms.MultipleChoiceField(required=False)
    first_line = forms.IntegerField(required=False, min_value=1, max_value=MAX_LIST_BYTES)
    decimal_mark = forms.ChoiceField(required=False, choices=[(mark, mark) for mark in ".,"])
    encoding = forms.ChoiceField(
        required=False, choices=[(name, name) for name in engine.ENCODING_NAMES.values()]
    )
    shown = forms.CharField(required=False)
    repair = forms.BooleanField(required=False)
    answers_of = forms.CharField(
        required=False
    )  # a digest: answers are about the lines of one text
    no_entries = forms.CharField(required=False)
    leave_no_entries = forms.BooleanField(required=False)

    def __init__(self, unit: str, *args: Any, **kwargs: Any) -> None:
        """Offer what the columns of a list for this unit can hold."""
        super().__init__(*args, **kwargs)
        is_pair = unit == Tournament.Unit.PAIR
        labels = FIELDS_OF_PAIR if is_pair else FIELDS_OF_PLAYER
        self.labels = {field: labels[field] for field in entry_fields(pairs=is_pair)}
        set_choices(self, "column", self.labels.items())
        self.seats = (1, 2) if is_pair else (1,)

    def clean(self) -> dict[str, Any]:
        """Decode the file; what was chosen for an earlier list does not concern it."""
        fields = super().clean() or {}
        upload: UploadedFile[Any] | None = fields.get("list_file")
        if upload is None or self.errors:
            return fields
        if (upload.size or 0) > MAX_LIST_BYTES:
            message = str(IMPORT_FAULTS["too_large"]) % {"text": MAX_LIST_BYTES}
            raise forms.ValidationError({"list_file": message})
        content = upload.read()
        if kind := kind_of_file(content):
            raise forms.ValidationError({"list_file": str(IMPORT_FAULTS[kind])})
        try:
            text, encoding = engine.decode_text(content)
        except UnicodeDecodeError as error:
            message = str(IMPORT_FAULTS["bad_encoding"]) % {"text": error.start}
            raise forms.ValidationError({"list_file": message}) from None
        return {"list_text": text, "encoding": engine.ENCODING_NAMES[encoding], "is_file": True}

    @property
    def text(self) -> str:
        """The list."""
        return str(self.cleaned_data.get("list_text") or "")

    @cached_property
    def reading(self) -> Reading:
        """How the list is to be read."""
        fields = self.cleaned_data
        if "is_file" in fields:
            return RECOGNISE
        return Reading(
            columns=tuple(fields["column"]),
            first_line=fields["first_line"] or 0,
            decimal_mark=fields["decimal_mark"],
            who=who_answers(self.data),
            lines=self._lines,
            repair=fields["repair"],
        )

    @property
    def digest(self) -> str:
        """A digest of the list."""
        return hashlib.sha256(" ".join(self.text.split()).encode()).hexdigest()[:16]

    @property
    def _lines(self) -> dict[int, tuple[str, ...]]:
        """The answers about lines of the list; none where its text has changed since."""
        if self.cleaned_data.get("answers_of") != self.digest:
            return {}
        answers: dict[int, tuple[str, ...]] = {}
        if self.cleaned_data["leave_no_entries"]:
            lines = self.cleaned_data["no_entries"].split(",")
            answers = {int(line): () for line in lines if _is_line(line)}
        data = cast("QueryDict", self.data)
        for field in data:
            line = field.removeprefix(SEAT)
            if line == field or not _is_line(line):
                continue
            names = tuple(name for name in data.getlist(field) if name.strip())
            if f"{LEAVE}{line}" in data:
                answers[int(line)] = ()
            elif names:
                answers[int(line)] = names
        return answers

    @property
    def is_as_shown(self) -> bool:
        """Whether the columns are read as the preview showed them, or none was shown."""
        return self.cleaned_data.get("shown") in {"", shown_reading(self.reading)}


def _is_line(text: str) -> bool:
    return text.isdecimal() and len(text) <= MAX_DIGITS_OF_LINE


def shown_reading(reading: Reading) -> str:
    """Return the columns, the first line and the decimal mark as one text."""
    return f"{','.join(reading.columns)}:{reading.first_line}:{reading.decimal_mark}"
