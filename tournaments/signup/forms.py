"""Forms of the sign-up."""

import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.core import signing
from django.http import QueryDict
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form, ReasonForm, moment_field, read_numbers, text_area
from tournaments.domain.money import read_cents
from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.domain.roster import MAX_LIST_BYTES
from tournaments.models import SignUp, Tournament
from tournaments.models.tournaments import MAX_LINE_LENGTH
from tournaments.signup.services.requests import MAX_PLACES, SETTINGS, Application

TOKEN_SALT: Final = "tournaments.signup"  # noqa: S105 - a namespace
FEWEST_SECONDS: Final = 2
"""Seconds after which a form may be sent: a robot sends it at once."""
MOST_SECONDS: Final = 24 * 60 * 60
"""Seconds after which a form is asked for again."""


def new_token() -> str:
    """Return the signed key of a new form with the time at which it was shown."""
    return signing.dumps([secrets.token_urlsafe(12), int(time.time())], salt=TOKEN_SALT)


def key_of_token(token: str) -> str:
    """Return the key of a form. Raises ValueError unless it was shown between 2 s and 24 h ago."""
    try:
        key, shown_at = signing.loads(token, salt=TOKEN_SALT)
    except signing.BadSignature as error:
        raise ValueError("signature") from error
    if not FEWEST_SECONDS <= time.time() - shown_at <= MOST_SECONDS:
        raise ValueError("age")
    return str(key)


def text_field(label: Any, *, required: bool = False, **attrs: str) -> forms.CharField:
    """Return a field for a name."""
    widget = forms.TextInput(attrs=attrs)
    return forms.CharField(
        label=label, max_length=MAX_NAME_LENGTH, required=required, widget=widget
    )


class ApplicationForm(Form):
    """A request for a place: the fields that the organiser asks for, and no others."""

    first = text_field(_("Your name"), required=True, autocomplete="name")
    second = text_field(_("Your partner's name"))
    contact = forms.CharField(
        label=_("Telephone or e-mail"),
        max_length=MAX_LINE_LENGTH,
        required=False,
        help_text=_("Only the organisers see it; it is deleted 30 days after the tournament."),
    )
    news = forms.EmailField(
        label=_("E-mail for news of this sign-up"),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_(
            "If you like: you are on the list, you are in, another day, cancelled. "
            "Nobody sees it; it is deleted 30 days after the tournament."
        ),
    )
    agreed = forms.BooleanField(required=False)
    pair_name = text_field(_("Name of the pair"))
    reserve = text_field(_("Reserve, if one of you cannot come"))
    members = forms.IntegerField(
        label=_("How many of you are members of the club"), min_value=0, max_value=2, required=False
    )

    def __init__(
        self,
        signup: SignUp,
        seats: int,
        *args: Any,
        by_staff: bool = False,
        with_news: bool = False,
    ) -> None:
        """Leave out the fields that this sign-up does not ask for.

        ``with_news``: letters can be sent to the people themselves.
        """
        super().__init__(*args)
        self.signup = signup
        fields = self.fields
        fields["agreed"].label = signup.condition
        if by_staff:
            fields["first"].label = _("First player") if seats > 1 else _("Name")
            fields["second"].label = _("Second player")
        if by_staff or not signup.condition:
            del fields["agreed"]
        if not signup.asks_contact and not by_staff:
            del fields["contact"]
        elif not by_staff:
            fields["contact"].required = True
        if not with_news:
            del fields["news"]
        if seats == 1:
            del fields["second"], fields["pair_name"], fields["reserve"]
        elif by_staff:
            fields["second"].help_text = _("Left empty: looks for a partner.")
        elif signup.singles:
            fields["second"].help_text = _("Left empty: you look for a partner.")
        else:
            fields["second"].required = True
        if signup.member_cents is None:
            del fields["members"]
        self.fields["token"] = forms.CharField(widget=forms.HiddenInput, required=False)

    @property
    def main(self) -> list[Any]:
        """The fields that everybody fills in."""
        names = ("first", "second", "contact", "news", "members", "agreed")
        return [self[name] for name in names if name in self.fields]

    @property
    def more(self) -> list[Any]:
        """The fields that few need."""
        return [self[name] for name in ("pair_name", "reserve") if name in self.fields]

    def application(self, form_key: str | None = None) -> Application:
        """Return the fields as the service takes them."""
        data = self.cleaned_data
        return Application(
            names=tuple(data[name] for name in ("first", "second") if data.get(name)),
            pair_name=data.get("pair_name", ""),
            reserve=data.get("reserve", ""),
            contact=data.get("contact", ""),
            members=data.get("members") or 0,
            agreed=data.get("agreed", False),
            form_key=form_key,
            as_written=self.as_written,
        )

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal is about."""
        fields = {Reason.CONDITION_MISSING: "agreed", Reason.CONTACT_MISSING: "contact"}
        name = fields.get(refusal.reason)
        return name if name in self.fields else None


class NameForm(Form):
    """One of the two names of a request, changed by its people."""

    seat = forms.TypedChoiceField(
        label=_("Instead of"), coerce=int, widget=forms.RadioSelect, choices=()
    )
    name = text_field(_("comes"), required=True)

    def __init__(self, names: tuple[str, ...], *args: Any) -> None:
        """Offer the present names."""
        super().__init__(*args)
        seat = self.fields["seat"]
        assert isinstance(seat, forms.ChoiceField)  # noqa: S101
        seat.choices = list(enumerate(names, 1))


class EurosField(forms.DecimalField):
    """An amount in euros as people write it, in cents."""

    widget = forms.TextInput

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=100_000, decimal_places=2, **options)

    def to_python(self, value: Any) -> Any:
        """Return the euros."""
        if value in self.empty_values:
            return None
        try:
            return Decimal(read_cents(str(value))) / 100
        except ValueError as error:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from error

    def prepare_value(self, value: Any) -> Any:
        """Show cents as euros."""
        return number_format(Decimal(value) / 100, 2) if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        """Return cents."""
        euros = super().clean(value)
        return None if euros is None else int(euros * 100)


WHEN_POSTED, FROM_HOUR, NOT_ON_WEB = "posted", "from", "none"
"""From when there is a form on the web."""


class SignUpForm(Form):
    """How people sign up for a tournament."""

    on_web = forms.ChoiceField(
        label=_("On the web"),
        choices=[
            (WHEN_POSTED, _("from when the tournament is posted")),
            (FROM_HOUR, _("from the hour below")),
            (NOT_ON_WEB, _("not at all: you note everybody yourself")),
        ],
        widget=forms.RadioSelect,
    )
    opens_at = moment_field(_("The form on the web opens"))
    closes_at = moment_field(
        _("It closes"), help_text=_("Left empty: when you close the list by hand.")
    )
    places = forms.IntegerField(
        label=pgettext_lazy("sign-up", "Places"),
        min_value=1,
        max_value=MAX_PLACES,
        required=False,
        help_text=_("Left empty: no limit. Who comes later waits, and moves up by itself."),
    )
    most_waiting = forms.IntegerField(
        label=_("Waiting at most"),
        min_value=0,
        max_value=MAX_PLACES,
        required=False,
        help_text=_("Left empty: as many as there are places, at least 20; without places, 500."),
    )
    minimum = forms.IntegerField(
        label=_("At least"),
        min_value=1,
        max_value=MAX_PLACES,
        required=False,
        help_text=_("Below it you are warned when you close the list."),
    )
    fee_cents = EurosField(label=_("Fee, in euros"), required=False)
    fee_per = forms.ChoiceField(label=_("It is paid by"), choices=SignUp.Per.choices)
    member_cents = EurosField(label=_("Fee of members, in euros"), required=False)
    only_paid = forms.BooleanField(label=_("Only those who have paid are entered"), required=False)
    singles = forms.BooleanField(
        label=_("People without a partner may sign up; you join them"), required=False
    )
    condition = forms.CharField(
        label=_("A box that must be ticked"),
        max_length=MAX_LINE_LENGTH,
        required=False,
        help_text=_("For example: We are members of a society."),
    )
    asks_contact = forms.BooleanField(label=_("Ask for a telephone or e-mail"), required=False)
    shows_names = forms.BooleanField(
        label=_("The poster shows the names of those who are in"), required=False
    )
    moves_due = forms.BooleanField(
        label=_("A changed fee holds for those on the list too"), required=False
    )
    best_others = forms.IntegerField(
        label=_("From all sources together, how many of the others come"),
        min_value=0,
        max_value=MAX_PLACES,
        help_text=_("The best of those who are through in none; none without a point."),
    )
    others_order = forms.ChoiceField(label=_("In which order"), choices=SignUp.OthersOrder.choices)

    def __init__(self, signup: SignUp, data: QueryDict | None = None) -> None:
        """Fill in what is set; a new sign-up opens when its tournament is posted."""
        set_now = {name: getattr(signup, name) for name in SETTINGS}
        if not signup.pk or signup.opens_when_posted:
            on_web = WHEN_POSTED
        else:
            on_web = NOT_ON_WEB if signup.opens_at is None else FROM_HOUR
        super().__init__(data, initial={**set_now, "on_web": on_web})
        if not signup.pk or not signup.sources.exists():
            del self.fields["best_others"], self.fields["others_order"]

    def clean(self) -> dict[str, Any]:
        """Require the hour where the form opens at one."""
        data = super().clean() or {}
        is_missing = "opens_at" not in self.errors and not data.get("opens_at")
        if data.get("on_web") == FROM_HOUR and is_missing:
            self.add_error("opens_at", _("Say from when."))
        return data

    @property
    def changes(self) -> dict[str, Any]:
        """The fields as the service takes them."""
        left_out = ("moves_due", "on_web")
        data = {name: value for name, value in self.cleaned_data.items() if name not in left_out}
        on_web = self.cleaned_data["on_web"]
        data["opens_when_posted"] = on_web == WHEN_POSTED
        data["opens_at"] = data["opens_at"] if on_web == FROM_HOUR else None
        return {**data, "fee_cents": data["fee_cents"] or 0}


class SeveralForm(ReasonForm):
    """The tickets that are taken off the list, with one reason."""

    @property
    def tickets(self) -> list[int]:
        """The numbers of the tickets that are ticked."""
        return read_numbers(self.data.getlist("ticket") if isinstance(self.data, QueryDict) else ())


class LinkForm(Form):
    """A link for a bar or centre."""

    origin = text_field(_("Bar or centre"), required=True)
    quota = forms.IntegerField(label=_("It may sign up at most"), min_value=1, max_value=MAX_PLACES)


class SourcesForm(Form):
    """Tournaments whose first places come into a final."""

    tournaments = forms.MultipleChoiceField(
        label=_("Tournaments"), widget=forms.CheckboxSelectMultiple, required=False
    )
    season = forms.ChoiceField(label=_("And all of a season"), required=False)
    take = forms.IntegerField(
        label=_("How many of each come"), min_value=1, max_value=MAX_PLACES, initial=3
    )
    origin = text_field(_("Bar or centre"))

    def __init__(
        self,
        tournaments: Sequence[Tournament],
        seasons: Mapping[str, Collection[int]],
        data: QueryDict | None = None,
    ) -> None:
        """Offer these tournaments, and the seasons by name with the keys of theirs."""
        super().__init__(data)
        self.seasons = seasons
        season = self.fields["season"]
        assert isinstance(season, forms.ChoiceField)  # noqa: S101
        season.choices = [("", "–"), *((name, name) for name in seasons)]
        if not seasons:
            del self.fields["season"]
        self.known = {tournament.slug: tournament for tournament in tournaments}
        field = self.fields["tournaments"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [(slug, row.name) for slug, row in self.known.items()]
        self.fields["origin"].help_text = _(
            "Left empty: the name of the tournament, of a private one nothing. Those of one origin"
            " do not meet in the first round where that is possible."
        )

    def clean(self) -> dict[str, Any]:
        """Require a tournament or a season."""
        data = super().clean() or {}
        if not data.get("tournaments") and not data.get("season"):
            self.add_error("tournaments", _("Tick at least one."))
        return data

    @property
    def values(self) -> dict[str, Any]:
        """The fields as the service takes them."""
        data = self.cleaned_data
        of_season = self.seasons.get(data.get("season", ""), ())
        sources = [
            row
            for slug, row in self.known.items()
            if slug in data["tournaments"] or row.pk in of_season
        ]
        return {"sources": sources, "take": data["take"], "origin": data["origin"] or None}


class StatedForm(Form):
    """A list of those who are through in a tournament of another club or system."""

    stated_origin = text_field(_("Of which tournament"), required=True)
    list_text = forms.CharField(
        label=_("Their names, in the order of the places"),
        widget=text_area(6),
        max_length=MAX_LIST_BYTES,
        strip=False,
        help_text=_("A line each, as on a list of entries; numbers before all of them are places."),
    )

    @property
    def values(self) -> dict[str, str]:
        """The fields as the service takes them."""
        data = self.cleaned_data
        return {"source": data["list_text"], "origin": data["stated_origin"]}


class AmountForm(Form):
    """An amount that changes hands, and a note.

    ``shown`` is what the page showed of the balance: two desks do not note the same twice.
    """

    shown = forms.IntegerField(widget=forms.HiddenInput, required=False)
    cents = EurosField(label=_("Amount in euros"))
    note = forms.CharField(label=_("Note"), max_length=MAX_LINE_LENGTH, required=False)

    def show(self, shown: int) -> None:
        """Show another balance in a form that was refused, so that it can be sent again."""
        self.data = {**dict(self.data.items()), self.add_prefix("shown"): str(shown)}

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal is about."""
        return "cents" if refusal.reason is Reason.BAD_AMOUNT else None


class WaiverForm(AmountForm):
    """What need not be paid, and why."""

    note = forms.CharField(label=_("Reason"), max_length=MAX_LINE_LENGTH)
