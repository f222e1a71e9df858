"""The forms of a club: its name and town, and its settings."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form
from tournaments.models.people import MAX_PROFILE_LINE, MAX_TERMS_LENGTH


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


class ClubSettingsForm(Form):
    """What a club says of itself, and what it decides for all that it has."""

    def field_of(self, refusal: Refusal) -> str | None:
        """Show what is wrong with the colour beside it."""
        return "colour" if refusal.reason is Reason.BAD_COLOUR else None

    news = forms.CharField(
        label=_("News"),
        max_length=MAX_PROFILE_LINE,
        required=False,
        help_text=_("One line at the top of the club's page, until another takes its place."),
    )
    address = forms.CharField(label=_("Address"), max_length=MAX_PROFILE_LINE, required=False)
    contact = forms.CharField(
        label=_("Contact"),
        max_length=MAX_PROFILE_LINE,
        required=False,
        help_text=_("A telephone or an address for all to see."),
    )
    opening_hours = forms.CharField(
        label=_("Opening hours"), max_length=MAX_PROFILE_LINE, required=False
    )
    colour = forms.CharField(
        label=_("Colour"),
        max_length=7,
        required=False,
        help_text=_("Such as #b47c10: a line below the club's name and on its posters."),
    )
    house_terms = forms.CharField(
        label=_("House terms"),
        max_length=MAX_TERMS_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("The club's own rules, which each new tournament proposes for its poster."),
    )
    people_in_search = forms.BooleanField(
        label=_("Search engines may list players and pairs"),
        help_text=_(
            "A search for a name on the web then finds the pages of players and pairs of public "
            "tournaments; people who were erased stay out."
        ),
        required=False,
    )
