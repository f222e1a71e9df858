"""Forms that correct, merge or split names, and that confirm an erasure by typing a name."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from tournaments.accounts.forms import PasswordForm
from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form, set_choices, text_area
from tournaments.domain.names import fold_name
from tournaments.profiles.queries.merging import SplitEvent


class ErasePlayerForm(PasswordForm):
    """Erasure of a player: the name typed as confirmation, other names, the password."""

    also = forms.CharField(
        label=_("Other names"),
        required=False,
        max_length=1000,
        widget=text_area(3),
        help_text=_(
            "Nicknames and earlier spellings that stand in reasons and records, one a line."
        ),
    )
    typed = forms.CharField(
        label=_("Type the name to confirm"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    field_order: tuple[str, ...] = ("also", "typed", "password")

    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Build the form; ``name`` is the name that has to be typed."""
        super().__init__(*args, **kwargs)
        self.name = name

    def clean_typed(self) -> str:
        """Compare the typed name with the player's."""
        typed: str = self.cleaned_data["typed"]
        if fold_name(typed) != fold_name(self.name):
            raise forms.ValidationError(_("This is not the name."))
        return typed


class EraseAccountForm(ErasePlayerForm):
    """Erasure of an account: the user name typed, and whether its players are erased as well."""

    players = forms.BooleanField(
        label=_("My name as a player, too: my results stay under a number"),
        required=False,
        initial=True,
    )
    field_order = ("players", "also", "typed", "password")


class NameForm(Form):
    """The corrected name of a player or a pair."""

    name = forms.CharField(label=_("Name"), max_length=100, strip=False)

    def field_of(self, refusal: Refusal) -> str | None:
        """Show a bad or taken name beside the name field."""
        return "name" if refusal.reason in {Reason.BAD_NAME, Reason.NAME_TAKEN} else None


class MergeForm(Form):
    """The search for a player or pair with another name, and the key of the one chosen."""

    q = forms.CharField(required=False, max_length=100)
    other = forms.IntegerField(required=False, min_value=1)


class SplitForm(Form):
    """Which tournaments of a player go to a new player, and the mark of that one."""

    tournaments = forms.MultipleChoiceField(
        label=_("Tournaments of the other person"), widget=forms.CheckboxSelectMultiple
    )
    mark = forms.CharField(
        label=_("Mark of the other person"),
        max_length=40,
        help_text=_("Written behind the name in brackets: a village, a nickname."),
    )

    def __init__(self, events: Iterable[SplitEvent], *args: Any, **kwargs: Any) -> None:
        """Offer the tournaments that are over."""
        super().__init__(*args, **kwargs)
        choices = [(event.slug, _label(event)) for event in events if event.is_over]
        set_choices(self, "tournaments", choices)


def _label(event: SplitEvent) -> str:
    begins_at = event.begins_at
    day = date_format(timezone.localdate(begins_at), "DATE_FORMAT") if begins_at else ""
    return " · ".join(filter(None, (event.name, day, event.partner, event.origin)))
