"""Forms for uploading an export or a list of entries."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.core.forms import Form, file_or_text, text_area


class ExportForm(Form):
    """The export of a tournament, as a file."""

    file = forms.FileField(
        label=_("The tournament's export"),
        help_text=_("A JSON file, made under “Files” of the tournament where it was played."),
    )


class ListForm(Form):
    """A list of entries, as a file or as text."""

    list_file = forms.FileField(label=_("The list, a CSV file"), required=False)
    list_text = forms.CharField(
        label=_("or paste the list here"),
        widget=text_area(8),
        required=False,
        strip=False,
        max_length=256 * 1024,
    )

    @property
    def source(self) -> bytes | str:
        """The bytes of the file, or the text."""
        return file_or_text(self.cleaned_data, "list_file", "list_text")
