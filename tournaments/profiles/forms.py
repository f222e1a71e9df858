"""Forms that correct or merge names, and that confirm an erasure by typing a name."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.accounts.forms import PasswordForm
from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form, text_area
from tournaments.domain.names import fold_name


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
