"""Forms of accounts, second factors, invitations and tokens."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.accounts.services import invitations
from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form, set_choices
from tournaments.models import ApiToken, Invitation, Membership

MAX_PASSWORD_LENGTH: Final = 200  # chosen: bounds what is hashed; a passphrase fits
# Fields that a refusal may be about: the first that the form has shows it.
FIELDS: Final[Mapping[Reason, tuple[str, ...]]] = {
    Reason.WRONG_PASSWORD: ("password",),
    Reason.BAD_PASSWORD: ("new", "chosen"),
    Reason.BAD_USERNAME: ("username",),
    Reason.NAME_TAKEN: ("username",),
    Reason.BAD_ADDRESS: ("email",),
    Reason.ADDRESS_TAKEN: ("email",),
    Reason.WRONG_ONE_TIME_CODE: ("code",),
    Reason.ONE_TIME_CODES_CLOSED: ("code",),
}


class AccountForm(Form):
    """A form that shows a refusal at the field that it is about."""

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal is about."""
        return next((f for f in FIELDS.get(refusal.reason, ()) if f in self.fields), None)


def password(label: Any, complete: str) -> forms.CharField:
    """Return a password field; ``complete`` is its ``autocomplete`` attribute."""
    widget = forms.PasswordInput(attrs={"autocomplete": complete})
    return forms.CharField(label=label, strip=False, max_length=MAX_PASSWORD_LENGTH, widget=widget)


class PasswordForm(AccountForm):
    """The current password, confirming a sensitive action."""

    password = password(_("Your password"), "current-password")


class ChangePasswordForm(PasswordForm):
    """A new password."""

    new = password(_("New password"), "new-password")
    again = password(_("New password once more"), "new-password")

    def clean(self) -> None:
        """Compare both passwords."""
        compare_passwords(self, "new")


class AddressForm(PasswordForm):
    """An e-mail address."""

    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    field_order = ("email", "password")


class NewAccountForm(AccountForm):
    """A new account."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        help_text=_("What you sign in with, and how the history of the club names you."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    chosen = password(_("Password"), "new-password")
    again = password(_("Password once more"), "new-password")

    def clean(self) -> None:
        """Compare both passwords."""
        compare_passwords(self, "chosen")


class JoinForm(NewAccountForm):
    """A new account, made with an invitation."""

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("For a new password, should you forget yours. It is not shown to others."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    field_order = ("username", "email", "chosen", "again")


def compare_passwords(form: forms.Form, field: str) -> None:
    """Add an error if a password field differs from ``again``, where it is typed once more."""
    data = form.cleaned_data
    if field in data and "again" in data and data[field] != data["again"]:
        form.add_error("again", _("The two passwords are not the same."))


class CodeForm(AccountForm):
    """A code of the authenticator app."""

    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}
        ),
    )


class SecondStepForm(CodeForm):
    """A code of the app, or a recovery code."""

    code = forms.CharField(
        label=_("Code of your app"),
        max_length=20,
        help_text=_("Six digits. Without your phone, a recovery code: letters and digits."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )


class BothFactorsForm(PasswordForm, SecondStepForm):
    """The password and a code, for a change of the second factor itself."""

    field_order = ("password", "code")


class InvitationForm(Form):
    """A new invitation; ``players`` are the players without an account."""

    role = forms.ChoiceField(label=_("As"), widget=forms.RadioSelect)
    player = forms.ChoiceField(
        label=_("Which player"), required=False, help_text=_("Only for a player.")
    )
    note = forms.CharField(
        label=_("Note"), max_length=100, required=False, help_text=_("For you: whom it is for.")
    )
    days = forms.IntegerField(
        label=_("Valid for how many days"),
        min_value=1,
        max_value=invitations.MAX_DAYS,
        initial=invitations.USUAL_DAYS,
    )
    uses = forms.IntegerField(
        label=_("For how many people"), min_value=1, max_value=invitations.MAX_USES, initial=1
    )

    def __init__(self, players: Sequence[tuple[int, str]], *args: Any, **kwargs: Any) -> None:
        """Set the choices of roles, and of players if there are any."""
        super().__init__(*args, **kwargs)
        roles = [
            (Invitation.Role.ARBITER, _("Arbiter: decides about matches and results")),
            (Invitation.Role.ORGANISER, _("Organiser: may do everything in the club")),
        ]
        if players:
            roles.append(
                (Invitation.Role.PLAYER, _("Player: reports with an account of their own"))
            )
            set_choices(self, "player", [("", "—"), *((str(pk), name) for pk, name in players)])
        else:
            del self.fields["player"]
        set_choices(self, "role", [(str(value), str(text)) for value, text in roles])
        self.fields["role"].initial = Invitation.Role.ARBITER

    def clean(self) -> None:
        """Require the player if the role is that of a player."""
        data = self.cleaned_data
        if data.get("role") == Invitation.Role.PLAYER and not data.get("player"):
            self.add_error("player", _("Say which player this is for."))


class RoleForm(Form):
    """Another role for a member of the club."""

    role = forms.ChoiceField(label=_("Role"), choices=Membership.Role.choices)


class TokenForm(Form):
    """A token for a program."""

    name = forms.CharField(
        label=_("Name"), max_length=100, help_text=_("How the history names the program.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=ApiToken.Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=[ApiToken.Scope.SUBMIT, ApiToken.Scope.READ],
    )
    days = forms.IntegerField(
        label=_("Valid for how many days"),
        min_value=1,
        max_value=invitations.MAX_TOKEN_DAYS,
        initial=invitations.USUAL_TOKEN_DAYS,
    )
