"""The form of a club: its name and town."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form


class ClubForm(Form):
    """A new club, or its right name."""

    name = forms.CharField(label=_("Name"), max_length=100)
    city = forms.CharField(label=_("Town"), max_length=100, required=False)
    may_be_alike = forms.BooleanField(
        label=_("It is another club all the same"), required=False, widget=forms.HiddenInput
    )

    def field_of(self, refusal: Refusal) -> str | None:
        """Ask at the box, which only this refusal shows; others concern the whole form."""
        if refusal.reason is not Reason.CLUB_ALIKE:
            return None
        self.fields["may_be_alike"].widget = forms.CheckboxInput()
        return "may_be_alike"
