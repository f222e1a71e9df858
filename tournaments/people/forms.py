"""The form of a club."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.core.forms import Form


class ClubForm(Form):
    """A new club."""

    name = forms.CharField(label=_("Name"), max_length=100)
    city = forms.CharField(label=_("Town"), max_length=100, required=False)
