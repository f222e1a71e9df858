"""Forms of the day: new entries, check-in, absences, byes, substitutes, penalties, the clock."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django import forms
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.forms import (
    CommaDecimalField,
    Form,
    file_or_text,
    reason_field,
    set_choices,
    text_area,
)
from tournaments.director.forms.who import WhoForm
from tournaments.director.queries.desk import Arrivals, LateSeats
from tournaments.director.queries.entries import BotRow, EntryPage, Newcomer, OwnPage
from tournaments.director.services.absences import MAX_DEDUCTED, MAX_MATCH_POINTS
from tournaments.director.services.rounds import MAX_ROUND_MINUTES
from tournaments.domain.names import MAX_ANNOUNCEMENT_LENGTH, MAX_NAME_LENGTH
from tournaments.domain.roster import ListedEntrant, Reading, read_ratings
from tournaments.domain.rows import MAX_FIXED_TABLE
from tournaments.models import Bot, ByeRequest, Tournament

MAX_OF_ONE_BOT = 40
MAX_ROUND = 999  # chosen: three digits; above the 500 rounds of a stage
MAX_RATING = 10_000  # chosen: above every scale in use; more is a typing error
Kind = ByeRequest.Kind

T = TypeVar("T")


def round_field(label: Any, *, required: bool = True, **kwargs: Any) -> forms.IntegerField:
    """Return a field for the number of a round."""
    return forms.IntegerField(
        label=label, min_value=1, max_value=MAX_ROUND, required=required, **kwargs
    )


def person_field(label: Any) -> forms.CharField:
    """Return a field for a person's name; the page has the club's people as a `datalist`."""
    return forms.CharField(
        label=label,
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"list": "club-people", "autocomplete": "off"}),
        help_text=_("Chosen from the club, or the name of a person who is new to it."),
    )


class EntryForm(WhoForm):
    """A form about one entry; without fields it is a button."""

    def __init__(self, page: EntryPage, *args: Any, **kwargs: Any) -> None:
        """Fill in what is known of the entry on ``page``."""
        super().__init__(*args, **kwargs)
        self.page = page
        self.fill_in(page)

    def fill_in(self, page: EntryPage) -> None:
        """Set initial values and choices from the entry."""

    @property
    def arguments(self) -> dict[str, Any]:
        """The fields as arguments of the service."""
        return dict(self.cleaned_data)


class RowForm(EntryForm):
    """A form about one row of an entry."""

    pk = forms.IntegerField(widget=forms.HiddenInput)


class RemoveForm(EntryForm):
    """Whether the ticket of a removed entry stays on the list; asked where it has one."""

    keeps_ticket = forms.BooleanField(
        label=_("Its ticket stays on the list, and waits for an entry"), required=False
    )

    def fill_in(self, page: EntryPage) -> None:
        """Ask only of an entry that came from the sign-up."""
        if not page.ticket:
            del self.fields["keeps_ticket"]


class WithdrawForm(EntryForm):
    """Reason of a withdrawal."""

    reason = reason_field(required=False)


class RequiredReasonForm(EntryForm):
    """Base of forms that need a reason."""

    reason = reason_field()


class RatingField(forms.FloatField):
    """A rating as in a list: decimals have a point or a comma; 1.500 is asked about."""

    widget = forms.TextInput(attrs={"inputmode": "decimal"})

    def to_python(self, value: Any) -> Any:
        """Return the rating."""
        if not isinstance(value, str) or not value.strip():
            return super().to_python(value)
        ratings = read_ratings([value])
        if ratings.ambiguous:
            raise forms.ValidationError(
                _("%(text)s may be thousands or decimals: write it without the mark."),
                params={"text": value},
            )
        return super().to_python(value) if ratings.values[0] is None else ratings.values[0]


class DescribeForm(EntryForm):
    """What the draw considers of an entry."""

    rating = RatingField(
        label=_("Seeding rating"), min_value=0, max_value=MAX_RATING, required=False
    )
    origin = forms.CharField(
        label=_("Club it comes from"),
        max_length=MAX_NAME_LENGTH,
        required=False,
        help_text=_("The draw keeps those of one club apart where that costs nothing."),
    )
    apart = forms.CharField(
        label=_("Not to meet"),
        max_length=1000,
        required=False,
        help_text=_("Labels with commas between: two entries that share one are kept apart."),
    )
    fixed_table = forms.IntegerField(
        label=_("Table that it keeps"),
        min_value=1,
        max_value=MAX_FIXED_TABLE,
        required=False,
        help_text=_(
            "For who cannot move about: from the next round on its match is at this table. "
            "Empty: it sits where the draw puts it."
        ),
    )

    def fill_in(self, page: EntryPage) -> None:
        """Fill in the present values; the rating can change until the draw."""
        self.initial = {
            "rating": page.entry.rating,
            "origin": page.entry.origin,
            "apart": ", ".join(page.apart),
            "fixed_table": page.entry.fixed_table or None,
        }
        if not page.may["rate"]:
            del self.fields["rating"]

    @property
    def arguments(self) -> dict[str, Any]:
        """The fields as arguments of the service."""
        data = self.cleaned_data
        return {
            "rating": data.get("rating"),
            "origin": data["origin"],
            "apart": data["apart"].split(","),
            "fixed_table": data["fixed_table"] or 0,
        }


class ByeForm(EntryForm):
    """A request for a bye."""

    round = round_field(_("Round"))
    kind = forms.ChoiceField(label=_("It is worth"), choices=Kind.choices, initial=Kind.ZERO)

    def fill_in(self, page: EntryPage) -> None:
        """Propose the next round; only the organiser gives a full-point bye."""
        self.initial = {"round": page.rest, "kind": Kind.ZERO}
        if not page.head.may.manage:
            set_choices(self, "kind", _kind_choices(Kind.HALF, Kind.ZERO))


class SubstituteForm(EntryForm):
    """A player who comes in the place of another."""

    leaves = forms.TypedChoiceField(label=_("Who leaves"), coerce=int)
    comes = person_field(_("Who comes"))
    from_round = round_field(_("From round"))
    until_round = round_field(
        _("Until round"),
        required=False,
        help_text=_("The round in which the other one is back. Left empty: to the end."),
    )
    reason = reason_field(required=False)

    def clean(self) -> dict[str, Any]:
        """Add whether a name in doubt is right."""
        return {**(super().clean() or {}), "as_written": self.as_written}

    def fill_in(self, page: EntryPage) -> None:
        """Offer the pair's players, and the round at play; all may be published already."""
        self.initial = {"from_round": page.head.current_round or page.round}
        set_choices(self, "leaves", page.people)

    @property
    def arguments(self) -> dict[str, Any]:
        """The fields as arguments of the service, with whom the name means."""
        return {**self.cleaned_data, "who": self.who.get((1, 1))}


class EndSubstituteForm(RowForm):
    """From which round on the replaced player plays again."""

    until_round = round_field(_("The other one is back in round"))

    def fill_in(self, page: EntryPage) -> None:
        """Propose the next round."""
        self.initial = {"until_round": page.round}


class PenaltyForm(EntryForm):
    """What a penalty deducts from an entry."""

    round_number = round_field(_("Round"))
    match_points = CommaDecimalField(
        label=_("Match points"),
        max_digits=6,
        decimal_places=2,
        min_value=-MAX_MATCH_POINTS,
        max_value=MAX_MATCH_POINTS,
        initial=0,
    )
    hands = forms.IntegerField(
        label=_("Hands"), min_value=-MAX_DEDUCTED, max_value=MAX_DEDUCTED, initial=0
    )
    points = forms.IntegerField(
        label=_("Points"), min_value=-MAX_DEDUCTED, max_value=MAX_DEDUCTED, initial=0
    )
    reason = reason_field()

    def fill_in(self, page: EntryPage) -> None:
        """Propose the round that is being played."""
        self.initial = {"round_number": max(1, page.round - 1)}


class RevokeForm(RowForm):
    """Reason for revoking a penalty."""

    reason = reason_field()


class ImportForm(WhoForm):
    """Lists of players and pairs, each as a file or as text."""

    players_file = forms.FileField(label=_("Players, a CSV file"), required=False)
    players = forms.CharField(
        label=_("or paste the players here"),
        widget=text_area(6, placeholder="id,nombre\nJ01,Pilar Martínez"),
        required=False,
        strip=False,
    )
    pairs_file = forms.FileField(label=_("Pairs, a CSV file"), required=False)
    pairs = forms.CharField(
        label=_("or paste the pairs here"),
        widget=text_area(6, placeholder="pareja,nombre,jugador1,jugador2\nP1,Las Cuarenta,J01,J02"),
        required=False,
        strip=False,
    )

    def source(self, name: str) -> bytes | str:
        """Return the list called ``name`` as it was sent: a file's bytes or text."""
        return file_or_text(self.cleaned_data, f"{name}_file", name)

    def submit(self, action: Callable[[], T]) -> T | None:
        """Show the texts of files beside questions: a browser does not send a file again."""
        result = super().submit(action)
        if self.questions:
            uploads = {name: self.files.get(f"{name}_file") for name in ("players", "pairs")}
            texts = {}
            for name, upload in uploads.items():
                if upload is not None:
                    upload.seek(0)
                    texts[name] = engine.decode_text(upload.read())[0]
            self.data = {**self.data, **texts}
        return result


class NewcomersForm(Form):
    """Choice of the club's ``pairs`` or ``players`` to enter, in a field of that name."""

    def __init__(self, name: str, newcomers: Sequence[Newcomer], *args: Any, **kwargs: Any) -> None:
        """Offer ``newcomers``."""
        super().__init__(*args, **kwargs)
        self.fields[name] = forms.MultipleChoiceField(
            label=_("Who plays"),
            choices=newcomers,
            widget=forms.CheckboxSelectMultiple,
        )


class BotsForm(Form):
    """How many of each bot play."""

    def __init__(self, bots: Sequence[BotRow], *args: Any, **kwargs: Any) -> None:
        """Add a number field for each of ``bots``."""
        super().__init__(*args, **kwargs)
        self.bots = {f"bot_{bot.pk}": bot.pk for bot in bots}
        for name, bot in zip(self.bots, bots, strict=True):
            self.fields[name] = forms.IntegerField(
                label=bot.name,
                help_text=Bot.Kind(bot.kind).label,
                min_value=0,
                max_value=MAX_OF_ONE_BOT,
                initial=0,
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        """Require one bot at least."""
        data = super().clean() or {}
        if not self.errors and not any(data.values()):
            raise forms.ValidationError(_("Say how many bots should play."))
        return data

    @property
    def chosen(self) -> list[int]:
        """The keys of the bots, each repeated as often as it plays."""
        return [pk for name, pk in self.bots.items() for _n in range(self.cleaned_data[name] or 0)]


class LatePeopleForm(WhoForm):
    """The people of a late entry, by name."""

    first = person_field(_("First player"))
    second = person_field(_("Second player"))
    name = forms.CharField(
        label=_("Name of the pair"),
        max_length=MAX_NAME_LENGTH,
        required=False,
        help_text=_("Left empty: the name that the club knows, or the names of the two."),
    )

    def __init__(self, unit: str, *args: Any, **kwargs: Any) -> None:
        """Ask for one person where single players enter."""
        super().__init__(*args, **kwargs)
        if unit == Tournament.Unit.PLAYER:
            self.fields["first"].label = _("Player")
            del self.fields["second"], self.fields["name"]

    @property
    def entry_row(self) -> ListedEntrant:
        """The entry as `enter_list` takes it."""
        data = self.cleaned_data
        players = tuple(data[name] for name in ("first", "second") if name in data)
        return ListedEntrant(players, data.get("name", ""))

    @property
    def reading(self) -> Reading:
        """Whom its names mean, as `enter_list` takes it; they are right if that was said."""
        lines = {1: self.entry_row.players} if self.as_written else {}
        return Reading(who=self.who, lines=lines)

    def submit(self, action: Callable[[], T]) -> T | None:
        """Show also what a refused list says of its one line."""
        result = super().submit(action)
        for fault in self.refused.errors if self.refused else ():
            self.add_error(None, fault.message)
        return result


class ArrivalForm(LatePeopleForm):
    """Who arrives late: an entry that was away, or new people by name."""

    use_required_attribute = False  # a browser would ask for names also when a person is back

    back = forms.TypedChoiceField(
        label=_("Who is back"), coerce=int, required=False, empty_value=None
    )
    field_order = ("back",)

    def __init__(self, unit: str, arrivals: Arrivals, *args: Any, **kwargs: Any) -> None:
        """Offer the entries that can return; the names are asked for where none is chosen."""
        super().__init__(unit, *args, **kwargs)
        if arrivals.away:
            new = ("", _("nobody: a new entry"))
            away = [(number, f"{number}. {name}") for number, name in arrivals.away]
            set_choices(self, "back", [new, *away])
        else:
            del self.fields["back"]
        for name in ("first", "second"):
            if name in self.fields:
                self.fields[name].required = not (arrivals.away and self.data.get("back"))
                self.fields[name].help_text = ""


class LateSeatForm(Form):
    """An entry without a table, and the absent one whose place it takes."""

    late = forms.TypedChoiceField(label=_("Waits without a table"), coerce=int)
    absent = forms.TypedChoiceField(label=_("Has not come"), coerce=int)

    def __init__(self, seats: LateSeats, *args: Any, **kwargs: Any) -> None:
        """Offer the idle entries, and the places of tables that wait for their players."""
        super().__init__(*args, **kwargs)
        set_choices(self, "late", [(number, f"{number}. {name}") for number, name in seats.idle])
        table = _("table %(table)s")
        places = [
            (number, f"{number}. {name} ({table % {'table': at}})")
            for number, name, at in seats.places
        ]
        set_choices(self, "absent", places)


class AnnouncementForm(Form):
    """What the club tells the hall."""

    text = forms.CharField(
        label=_("Announcement"), max_length=MAX_ANNOUNCEMENT_LENGTH, required=False, strip=False
    )


class LateForm(Form):
    """Choice of a late bot."""

    newcomer = forms.ChoiceField(label=_("Who has come"))

    def __init__(self, newcomers: Sequence[Newcomer], *args: Any, **kwargs: Any) -> None:
        """Offer ``newcomers``."""
        super().__init__(*args, **kwargs)
        set_choices(self, "newcomer", newcomers)


class CodeForm(Form):
    """The code of an entry."""

    code = forms.CharField(
        label=_("Code"),
        max_length=500,  # a pasted link
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "class": "code",
            }
        ),
        help_text=_("Eight letters and digits, from the organiser of the tournament."),
    )


class RestForm(Form):
    """A request for a bye by an entry's own people."""

    round = round_field(_("Round"))
    kind = forms.ChoiceField(label=_("It is worth"))

    def __init__(self, page: OwnPage, *args: Any, **kwargs: Any) -> None:
        """Offer a half-point bye as long as the quota allows one."""
        super().__init__(*args, **kwargs)
        self.fields["round"].initial = page.rest
        kinds = (Kind.HALF, Kind.ZERO) if page.left else (Kind.ZERO,)
        set_choices(self, "kind", _kind_choices(*kinds))


class LeaveForm(Form):
    """Withdrawal for good, with a confirmation."""

    sure = forms.BooleanField(label=_("Yes, we leave the tournament"))


def _kind_choices(*kinds: Kind) -> list[tuple[str, Any]]:
    return [(kind.value, kind.label) for kind in kinds]


class ClockForm(Form):
    """How long a round lasts."""

    minutes = forms.IntegerField(label=_("Minutes"), min_value=1, max_value=MAX_ROUND_MINUTES)
