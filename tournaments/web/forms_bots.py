"""What is filled in to bring a bot."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournaments.domain.names import LONGEST_NAME
from tournaments.models import Bot, BotVersion
from tournaments.services.bots import LARGEST_TEXT, LONGEST_ABOUT
from tournaments.services.programs import RUN_BY
from tournaments.web.forms import Form, area

LANGUAGES = [(name, BotVersion.Language(name).label) for name in RUN_BY]
KINDS = [
    (Bot.Kind.PROGRAM.value, _("A program that runs here, in the sandbox")),
    (Bot.Kind.REMOTE.value, _("A bot that runs elsewhere and fetches its turns over the API")),
]


class VersionForm(Form):
    """The text of a program, as a file or pasted."""

    language = forms.ChoiceField(label=_("Programming language"), choices=LANGUAGES)
    file = forms.FileField(label=_("A file"), required=False)
    text = forms.CharField(
        label=_("or paste the text here"),
        widget=area(14, placeholder="#!/usr/bin/env python3"),
        required=False,
        strip=False,
    )
    needs_text = True

    def clean(self) -> dict[str, Any]:
        """Ask for a file or a text."""
        fields = super().clean() or {}
        is_there = fields.get("file") or (fields.get("text") or "").strip()
        if self.needs_text and not is_there and not self.errors:
            raise forms.ValidationError(_("Paste the text or choose its file."))
        return fields

    @property
    def program(self) -> dict[str, Any]:
        """The language and the text as the service takes them; a file counts more.

        Of a file that is too large only as much is read as shows that it is. A browser ends the
        lines of a pasted text in a way of its own, which is undone.
        """
        upload: UploadedFile[Any] | None = self.cleaned_data.get("file")
        text = self.cleaned_data.get("text") or ""
        source = upload.read(LARGEST_TEXT + 1) if upload else text.replace("\r\n", "\n")
        return {"language": self.cleaned_data["language"], "source": source}


class BringForm(VersionForm):
    """A new bot, and the first version of it."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        help_text=_("Everybody sees it, with the word “bot” beside it."),
    )
    about = forms.CharField(
        label=_("About"),
        max_length=LONGEST_ABOUT,
        widget=area(3, spellcheck="true"),
        required=False,
        help_text=_("What others should know: how it plays, where its text can be read."),
    )
    kind = forms.ChoiceField(
        label=_("What is it?"),
        choices=KINDS,
        widget=forms.RadioSelect,
        initial=Bot.Kind.PROGRAM.value,
    )

    field_order = ("name", "about", "kind", "language", "file", "text")

    def clean(self) -> dict[str, Any]:
        """Ask for a text only where one runs here."""
        self.needs_text = self.cleaned_data.get("kind") != Bot.Kind.REMOTE
        return super().clean()
