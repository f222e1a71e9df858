"""Forms of a new tournament: its game, its plan, its settings."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.core.faults import DRAW_FAULTS
from tournaments.core.forms import Form, moment_field, read_number, set_choices, text_area
from tournaments.director.forms.house_rules import RULE, HouseRulesForm, code_of
from tournaments.director.queries.lists import MAX_ENTRIES
from tournaments.director.queries.repeating import RepeatProposal
from tournaments.director.queries.terms import duration, lateness_notes
from tournaments.director.services.settings import (
    ANNOUNCED,
    CHANGING_PARTNER_SEATS,
    EVENING_CONFIRM,
    MAX_COTOS,
    MAX_HANDS_TO_WIN,
    TERM_LIMITS,
    WEEKS_CONFIRM,
    GameSettings,
    NewTournament,
    Terms,
)
from tournaments.domain.file import rules_from_dict
from tournaments.domain.file.rules import jsonable
from tournaments.domain.match_parts import MAX_SETS
from tournaments.domain.messages import has_message, message
from tournaments.domain.names import MAX_NAME_LENGTH, ruleset_name
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.pairing.duplicate import movement_kind
from tournaments.domain.plans import (
    BOARDS,
    TYPED_ONLY,
    Plan,
    Planned,
    Question,
    StageSize,
    outline,
    stage_name,
)
from tournaments.domain.rows import Seeding, SwitchRule
from tournaments.domain.scoring_notes import scoring_notes
from tournaments.models import Tournament
from tournaments.models.tournaments import MAX_LINE_LENGTH, MAX_RULES_LENGTH

# --- Deal sets ------------------------------------------------------------------------------------
# Fields where only bots play: deal sets, and the sequential test that ends them early.


TEST_FIELDS: Final = ("stop_model", "stop_low", "stop_high", "stop_alpha", "stop_beta")
SET_FIELDS: Final = ("deal_sets", *TEST_FIELDS)
ERROR_RATE: Final = 0.05  # alpha and beta of a test for which none are given


class SetsForm(Form):
    """Deal sets, and a sequential test of the first side against the second."""

    deal_sets = forms.IntegerField(
        label=_("Deal sets of a match"),
        min_value=0,
        max_value=MAX_SETS,
        required=False,
        help_text=_(
            "The same deals once for every way of sitting, so that no side has the better cards. "
            "Left empty: one match as people play it. With sets, only bots can enter."
        ),
    )
    stop_model = forms.ChoiceField(
        label=_("A match ends early by a sequential test"),
        choices=[
            ("", _("no: all sets are played")),
            ("points", _("on the points of a set")),
            ("logistic", _("in Elo")),
            ("normalized", _("in normalized Elo")),
        ],
        required=False,
    )
    stop_low = forms.FloatField(label=_("The test's lower bound"), required=False)
    stop_high = forms.FloatField(
        label=_("The test's upper bound"),
        required=False,
        help_text=_("As soon as one of the two is decided on, the match is over: e.g. −5 and 5."),
    )
    stop_alpha = forms.FloatField(
        label=_("How often the upper may be accepted wrongly"),
        initial=ERROR_RATE,
        required=False,
    )
    stop_beta = forms.FloatField(
        label=_("How often the lower may be accepted wrongly"),
        initial=ERROR_RATE,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Require both bounds if a test is chosen."""
        data = super().clean() or {}
        if data.get("stop_model"):
            for name in ("stop_low", "stop_high"):
                if name not in self.errors and data.get(name) is None:
                    self.add_error(name, _("A test needs its two bounds."))
        return data

    @property
    def sets(self) -> Iterator[BoundField]:
        """The fields about deal sets."""
        return (self[name] for name in SET_FIELDS if name in self.fields)

    @property
    def has_set_errors(self) -> bool:
        """Whether a field about deal sets has an error."""
        return any(name in self.errors for name in SET_FIELDS)

    @property
    def has_set_values(self) -> bool:
        """Whether deal sets or a test were asked for."""
        return any(self.data.get(name) for name in ("deal_sets", "stop_model"))

    @property
    def set_arguments(self) -> dict[str, Any]:
        """The deal sets and their test as arguments of the service."""
        data = self.cleaned_data
        stop: dict[str, Any] = {}
        if data.get("stop_model"):
            stop = {
                "model": data["stop_model"],
                "low": data["stop_low"],
                "high": data["stop_high"],
                "alpha": ERROR_RATE if data["stop_alpha"] is None else data["stop_alpha"],
                "beta": ERROR_RATE if data["stop_beta"] is None else data["stop_beta"],
            }
        return {"deal_sets": data.get("deal_sets") or 0, "stop": stop}


# --- New tournament -------------------------------------------------------------------------------
# Its game, its plan, and the terms of the day.


THREE_SIDES = 3
TO, DEALS = "to", "deals"
MAIN_FIELDS = ("name", "begins_at")
GAME_FIELDS = ("ruleset", "length", "hands", "cotos")
# The fields of `Terms` in the order in which the pages show them; the rest are `DAY_FIELDS`.
TERM_FIELDS = (
    "round_minutes",
    "confirmation",
    "confirm_minutes",
    "bye_quota",
    "no_show_minutes",
    "late_minutes",
    "grace_minutes",
    "self_check_in",
    "points_required",
    "sides_agree_days",
)
DAY_FIELDS = ("round_minutes", "warn_minutes", *TERM_FIELDS[1:], "private")
VISIBILITIES = (Tournament.Visibility.PUBLIC.value, Tournament.Visibility.PRIVATE.value)
DRAW_FIELDS = ("seeding", "seeded")
SEEDINGS = (
    (Seeding.AUTO.value, _("By lot where fewer than half have a rating, else by rating")),
    (Seeding.LOT.value, _("By lot")),
    (Seeding.RATING.value, _("By rating or the stage before; equals by lot")),
    (Seeding.MANUAL.value, _("By hand: balls from an urn, typed in")),
    (Seeding.ORDER.value, _("In the order of entry; nothing is drawn")),
)
REFUSAL_FIELDS = {
    Reason.BAD_NAME: "name",
    Reason.NAME_TAKEN: "name",
    Reason.WRONG_SEATS: "ruleset",
    Reason.WRONG_UNIT: "ruleset",
    Reason.UNKNOWN_RULESET: "ruleset",
    Reason.REQUESTS_DO_NOT_FIT: "despite_requests",
    Reason.BAD_OPTIONS: "hands",
    Reason.UNEVEN_DEALS: "hands",
}
"""The field that a refusal is about, by its code."""


def domain_text(code: str, /, **facts: Any) -> str:
    """Return a text of the domain in the active language."""
    return message(get_language(), code, **facts)


class VisibilityForm(Form):
    """Who sees an existing tournament."""

    visibility = forms.ChoiceField(
        label=_("Who sees the tournament"), choices=Tournament.Visibility.choices
    )


TABLE_RULESET: Final = "parejas"
"""Proposed for a new tournament: the rules of people round a table."""

RULESET_HELP = _(
    "Two against two: in Parejas any trump may follow a trump and a declaration that was not made "
    "in time is lost; in Parejas online and Cuatro a trump must be overtrumped. All six are "
    "compared under Help, The rules of Tute."
)


def fitting_rulesets(plan: Plan) -> list[str]:
    """Return the rulesets that a plan can be played under: all where results may be typed only."""
    if TYPED_ONLY in plan.asks:
        return sorted(
            engine.RULESETS, key=lambda name: len(engine.RULESETS[name].seats) != plan.seats
        )
    return [
        name
        for name, rules in engine.RULESETS.items()
        if plan.seats in ({2, 4} if rules.pairs else {len(rules.seats)})
        and not (BOARDS in plan.asks and rules.race_to)
    ]


EVENING_MINUTES: Final = (5, 10, 15, 20, 30, 60, 120)
WEEKS_MINUTES: Final = (12 * 60, 24 * 60, 2 * 24 * 60, 3 * 24 * 60, 7 * 24 * 60, 30 * 24 * 60)


def minutes_field(**kwargs: Any) -> forms.IntegerField:
    """Return a field for the minutes of a round, or of the warning before its end."""
    return forms.IntegerField(
        min_value=1, max_value=TERM_LIMITS["round_minutes"], required=False, **kwargs
    )


WARNING: Final = _("Minutes before the end at which the clock warns")


class TermsForm(Form):
    """The terms of the day."""

    round_minutes = minutes_field(
        label=_("Minutes of a round"), help_text=_("The clock of each round begins with them.")
    )
    confirmation = forms.BooleanField(
        label=_("The other side confirms each result"), required=False, initial=True
    )
    confirm_minutes = forms.TypedChoiceField(
        label=_("Silence confirms it after"), coerce=int, initial=EVENING_CONFIRM
    )
    bye_quota = forms.IntegerField(
        label=_("Byes with points one may ask for"),
        min_value=0,
        max_value=TERM_LIMITS["bye_quota"],
        initial=Terms().bye_quota,
    )
    no_show_minutes = forms.IntegerField(
        label=_("Minutes to wait for those who are absent"),
        min_value=0,
        max_value=TERM_LIMITS["no_show_minutes"],
        initial=Terms().no_show_minutes,
    )
    late_minutes = forms.IntegerField(
        label=_("Minutes of lateness that cost a hand"),
        help_text=_("5: after five minutes one hand, after ten two. Empty: none."),
        min_value=1,
        max_value=TERM_LIMITS["late_minutes"],
        required=False,
    )
    grace_minutes = forms.IntegerField(
        label=_("Minutes of grace in the first round"),
        help_text=_("Lateness counts from then on; in later rounds from their beginning."),
        min_value=1,
        max_value=TERM_LIMITS["grace_minutes"],
        required=False,
    )
    self_check_in = forms.BooleanField(
        label=_("People check in by themselves with their code"), required=False, initial=True
    )
    points_required = forms.BooleanField(
        label=_("Each result needs its points"),
        required=False,
        help_text=_("Else, points decide among the tied only where all their tables report them."),
    )
    sides_agree_days = forms.BooleanField(
        label=_("Two sides may agree another day"),
        required=False,
        initial=Terms().sides_agree_days,
        help_text=_("By their codes, where the rounds have a last day to play."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer times for an evening and for weeks, and the present one if it is another."""
        super().__init__(*args, **kwargs)
        initial = self.initial.get("confirm_minutes")
        other = []
        if isinstance(initial, int) and initial not in (*EVENING_MINUTES, *WEEKS_MINUTES):
            other = [(initial, duration(initial))]
        evening = [(minutes, duration(minutes)) for minutes in EVENING_MINUTES]
        weeks = [(minutes, duration(minutes)) for minutes in WEEKS_MINUTES]
        offered = [*other, (_("An evening"), evening), (_("Days or weeks"), weeks)]
        set_choices(self, "confirm_minutes", offered)


class DayAndPlaceForm(Form):
    """When and where a tournament is played."""

    begins_at = moment_field(_("Begins"))
    place = forms.CharField(
        label=_("Where it is played"), max_length=MAX_NAME_LENGTH, required=False
    )


class AnnouncedFieldsForm(DayAndPlaceForm):
    """What announces a tournament: `ANNOUNCED`."""

    prizes = forms.CharField(
        label=_("Prizes"),
        max_length=MAX_LINE_LENGTH,
        required=False,
        help_text=_("One line, as the tournament's page shows it."),
    )
    rules_text = forms.CharField(
        label=_("The club's own rules"),
        max_length=MAX_RULES_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("As the poster shows them: what the rules of the game leave to the club."),
    )


class RepeatForm(DayAndPlaceForm):
    """A tournament that is played again: its name, its day, and who is entered again."""

    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH)
    entries = forms.TypedMultipleChoiceField(
        label=_("Who is entered again"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Who withdrew or was expelled is not ticked. All can also be entered later."),
    )
    field_order = ("name",)

    def __init__(self, proposal: RepeatProposal, *args: Any, **kwargs: Any) -> None:
        """Fill in what is proposed."""
        super().__init__(*args, **kwargs)
        self.initial = {
            "name": proposal.name,
            "begins_at": proposal.begins_at,
            "place": proposal.place,
            "entries": proposal.staying,
        }
        if proposal.entries:
            set_choices(self, "entries", [(row.number, row.name) for row in proposal.entries])
        else:
            del self.fields["entries"]

    def field_of(self, refusal: Refusal) -> str | None:
        """Show a bad name beside the name field."""
        return "name" if refusal.reason is Reason.BAD_NAME else None


class TournamentForm(SetsForm, AnnouncedFieldsForm, TermsForm, HouseRulesForm):
    """A new tournament with one plan."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        widget=forms.TextInput(
            attrs={"placeholder": _("As players will read it, e.g. Autumn league.")}
        ),
    )
    ruleset = forms.ChoiceField(label=_("Rules"))
    length = forms.ChoiceField(
        label=_("A match lasts"),
        choices=[
            (TO, _("until one side has won this many hands")),
            (DEALS, _("a fixed number of deals")),
        ],
        widget=forms.RadioSelect,
        initial=TO,
    )
    hands = forms.IntegerField(
        label=_("How many"), min_value=1, max_value=MAX_HANDS_TO_WIN, initial=3
    )
    cotos = forms.IntegerField(
        label=_("Cotos that win a match"),
        min_value=1,
        max_value=MAX_COTOS,
        initial=1,
        required=False,
        help_text=_(
            "1: the first to win that many hands wins; 2: the best of three cotos; 3: of five."
        ),
    )
    profile = forms.ChoiceField(
        label=_("What decides between those with equal points"), required=False
    )
    expected = forms.IntegerField(
        label=_("How many do you expect?"),
        min_value=2,
        max_value=MAX_ENTRIES,
        required=False,
        help_text=_("Only to see how the plan works out; it is not binding."),
    )
    seeding = forms.ChoiceField(
        label=_("How the draw is made"),
        choices=SEEDINGS,
        initial=Seeding.AUTO.value,
        required=False,
        help_text=_("It can be changed until the draw."),
    )
    seeded = forms.IntegerField(
        label=_("Seeded before the lots are drawn"),
        min_value=0,
        max_value=MAX_ENTRIES,
        initial=0,
        required=False,
        help_text=_("This many of the best by rating keep the first places; 0: all by lot."),
    )
    warn_minutes = minutes_field(
        label=WARNING, help_text=_("On the clock, the projector and the phones.")
    )
    private = forms.BooleanField(
        label=_("Private: only the club and those who play see it"),
        required=False,
        help_text=_("What is played in a private tournament counts in no rating."),
    )

    def __init__(self, plan: Plan, *args: Any, **kwargs: Any) -> None:
        """Build the fields that ``plan`` asks for."""
        super().__init__(*args, **kwargs)
        self.plan = plan
        if FORMATS[plan.format].is_endless:
            self.fields["confirm_minutes"].initial = WEEKS_CONFIRM
        self.fields["ruleset"] = forms.ChoiceField(
            label=_("Rules"),
            choices=[(name, ruleset_name(name)) for name in fitting_rulesets(plan)],
        )
        if TABLE_RULESET in fitting_rulesets(plan) and TYPED_ONLY not in plan.asks:
            self.fields["ruleset"].initial = TABLE_RULESET
            self.fields["ruleset"].help_text = RULESET_HELP
        for question in (*plan.asks, *plan.scoring):
            self.fields[question.name] = field_for(question)
        if plan.profiles:
            orders: list[tuple[str, Any]] = [("", _("The usual order of this format"))]
            orders += [(code, domain_text(f"profile.{code}")) for code in plan.profiles]
            self.fields["profile"] = forms.ChoiceField(
                label=self.fields["profile"].label, choices=orders, required=False
            )
        else:
            del self.fields["profile"]
        left_out = ["length", "hands", "cotos"] if BOARDS in plan.asks else []
        if TYPED_ONLY in plan.asks:
            left_out += ["cotos", *SET_FIELDS]
            # As often as at three and at four everybody deals; at four the dealer sits out.
            self.fields["length"].initial, self.fields["hands"].initial = DEALS, 12
        if BOARDS in plan.asks or plan.seats == CHANGING_PARTNER_SEATS:
            left_out += SET_FIELDS
        elif plan.seats == THREE_SIDES and TYPED_ONLY not in plan.asks:
            left_out += TEST_FIELDS
        for name in left_out:
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """Outline the plan for the expected number of entries, if it is given."""
        data = super().clean() or {}
        if not self.errors and data.get("expected"):
            try:
                self.outlined = outline(self.stages, data["expected"])
            except CannotDraw as refused:
                self.add_error("expected", str(DRAW_FAULTS[refused.code]) % refused.facts)
        return data

    outlined: tuple[StageSize, ...] = ()
    """Sizes of the plan's stages for the expected number of entries, once `clean` has run."""

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal is about."""
        option = str(refusal.params.get("text", ""))
        if refusal.reason is Reason.BAD_STAGE:
            option = str(refusal.params.get("pointer", option))
        option = "stop_high" if option == "stop" else option
        asked_for = [name for name in self.fields if name in {option, option.rpartition("/")[2]}]
        if refusal.reason in {Reason.BAD_OPTIONS, Reason.BAD_STAGE} and asked_for:
            return asked_for[0]
        field = REFUSAL_FIELDS.get(refusal.reason)
        if refusal.reason is Reason.WRONG_SEATS and TYPED_ONLY.name in self.fields:
            field = TYPED_ONLY.name
        return field if field in self.fields else None

    @property
    def announced(self) -> Iterator[BoundField]:
        """What the poster says beside name and day: the place, prizes, the club's own rules."""
        return (self[name] for name in ANNOUNCED if name not in MAIN_FIELDS)

    @property
    def has_announced_errors(self) -> bool:
        """Whether a field of the poster has an error."""
        return any(name in self.errors for name in ANNOUNCED if name not in MAIN_FIELDS)

    @property
    def main(self) -> Iterator[BoundField]:
        """Name and day."""
        return (self[name] for name in MAIN_FIELDS)

    @property
    def game(self) -> Iterator[BoundField]:
        """The fields about the game."""
        return (self[name] for name in GAME_FIELDS if name in self.fields)

    @property
    def has_game_errors(self) -> bool:
        """Whether a field about the game or of the plan has an error."""
        return any(field.errors for field in (*self.game, *self.numbers))

    @property
    def numbers(self) -> Iterator[BoundField]:
        """The fields of the plan."""
        asked_for = [question.name for question in self.plan.asks]
        return (
            self[n] for n in (*asked_for, "profile", *DRAW_FIELDS, "expected") if n in self.fields
        )

    @property
    def scoring(self) -> Iterator[BoundField]:
        """The fields about how results count."""
        return (self[question.name] for question in self.plan.scoring)

    @property
    def has_scoring_errors(self) -> bool:
        """Whether a field about how results count has an error."""
        return any(question.name in self.errors for question in self.plan.scoring)

    @property
    def day(self) -> Iterator[BoundField]:
        """The fields about the terms of the day."""
        return (self[name] for name in DAY_FIELDS)

    @property
    def has_day_errors(self) -> bool:
        """Whether a field about the terms has an error."""
        return any(name in self.errors for name in DAY_FIELDS)

    @property
    def stages(self) -> tuple[Planned, ...]:
        """The stages as arguments of the service."""
        data = self.cleaned_data
        deals = self.options.get(DEALS)
        stages = self.plan.stages(data, data.get("profile") or "", deals)
        warning = {"warn_minutes": data.get("warn_minutes")}
        return tuple(
            {**stage, **warning, "name": stage_name(get_language() or "", stage["name"])}
            if "name" in stage
            else {**stage, **warning}
            for stage in stages
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on movement, scoring and clock, where they are not the usual ones."""
        stages = [
            rules_from_dict(stage["rules"], FORMATS[stage["format"]].rules) for stage in self.stages
        ]
        scoring = (note for rules in stages for note in scoring_notes(get_language(), rules))
        terms = (*self._clock_notes, *self._day_notes, *self._lateness)
        return (*self._movement_notes, *dict.fromkeys(scoring), *terms)

    @property
    def _clock_notes(self) -> Iterator[str]:
        """Say how long a round lasts, and when the clock warns."""
        if minutes := self.cleaned_data.get("round_minutes"):
            yield gettext("A round lasts %(length)s.") % {"length": duration(minutes)}
        if minutes := self.cleaned_data.get("warn_minutes"):
            yield gettext("The clock warns %(length)s before the end of the round.") % {
                "length": duration(minutes)
            }

    @property
    def _lateness(self) -> Iterator[str]:
        """Say what lateness costs."""
        data = self.cleaned_data
        wait = data.get("no_show_minutes") or 0
        return lateness_notes(data.get("late_minutes"), wait, data.get("grace_minutes"))

    @property
    def _day_notes(self) -> Iterator[str]:
        """Say where the sides may not move their match by themselves."""
        if "sides_agree_days" in self.fields and not self.cleaned_data["sides_agree_days"]:
            yield gettext("The sides of a match cannot agree another day by themselves.")

    @property
    def _movement_notes(self) -> Iterator[str]:
        """Say by which movement the deals and pairs of a duplicate go round, and how it counts."""
        for planned, size in zip(self.stages, self.outlined, strict=False):
            rules = rules_from_dict(planned["rules"], FORMATS[planned["format"]].rules)
            if FORMATS[planned["format"]].same_deals:
                yield domain_text(f"movement.{movement_kind(size.entrants, rules)}")
                if rules.switch is SwitchRule.NEVER:
                    yield domain_text("movement.two_lines")
                yield domain_text(f"movement.counted.{rules.comparison or rules.scoring.value}")

    @property
    def options(self) -> dict[str, int]:
        """The length of a match, as options of its records."""
        data = self.cleaned_data
        if "hands" not in self.fields:
            return {DEALS: int(data[BOARDS.name] or BOARDS.usual or 1)}
        return {data["length"]: data["hands"]}

    @property
    def planned(self) -> NewTournament:
        """The fields of the plan and its game as the service takes them."""
        data = self.cleaned_data
        return NewTournament(
            game=GameSettings(
                ruleset=data["ruleset"],
                options={**self.options, **self.house_rules},
                cotos=data.get("cotos") or 1,
                **self.set_arguments,
            ),
            stages=self.stages,
            seeding=data["seeding"] or Seeding.AUTO.value,
            seeded=data["seeded"] or 0,
        )

    @property
    def tournament(self) -> NewTournament:
        """The fields as the service takes them, apart from the name."""
        data = self.cleaned_data
        return replace(
            self.planned,
            terms=Terms(
                visibility=VISIBILITIES[data["private"]],
                **{name: data[name] for name in TERM_FIELDS},
            ),
            announcement={name: data[name] for name in ANNOUNCED},
        )


class PlanForm(TournamentForm):
    """Another plan of a draft: what a new tournament asks, but its name, poster and terms."""

    def __init__(self, tournament: Tournament, plan: Plan, *args: Any, **kwargs: Any) -> None:
        """Fill in the game of the tournament; ``initial`` comes before it."""
        now: dict[str, Any] = {"ruleset": tournament.ruleset, "cotos": tournament.cotos}
        now |= {"deal_sets": tournament.deal_sets or None}
        for length in (TO, DEALS):
            if length in tournament.options:
                now |= {"length": length, "hands": tournament.options[length]}
        now |= {RULE + name: code_of(value) for name, value in tournament.options.items()}
        given = {name: value for name, value in kwargs.pop("initial", {}).items() if value != ""}
        super().__init__(plan, *args, initial=now | given, **kwargs)
        for name in ("name", "private", *ANNOUNCED, *TERM_FIELDS, "warn_minutes"):
            del self.fields[name]

    @property
    def prize_stages(self) -> dict[int, int | None]:
        """The stages that prizes move to, by the stage of before, where one was chosen."""
        chosen = (
            (read_number(name.removeprefix("prizes_")), read_number(str(value)))
            for name, value in self.data.items()
        )
        return {stage: to for stage, to in chosen if stage is not None and to is not None}


class PointListsField(forms.Field):
    """Lists of points, a line each: ``4 3 2 1``; with a point or a comma."""

    default_error_messages: ClassVar = {
        "invalid": _("Write a line for each size, such as 3 1 -1 -3.")
    }
    widget = text_area(3, inputmode="text", placeholder="4 3 2 1")

    def to_python(self, value: Any) -> list[list[Any]]:
        """Return the lists, each of as many points as a table has places."""
        lines = [line.replace("−", "-").split() for line in (value or "").splitlines()]
        try:
            lists = [
                [jsonable(Fraction(word.strip(",;").replace(",", "."))) for word in line]
                for line in lines
                if line
            ]
        except (ValueError, ZeroDivisionError) as error:
            raise forms.ValidationError(self.error_messages["invalid"]) from error
        sizes = [len(points) for points in lists]
        if len(set(sizes)) < len(sizes) or not {3, 4, 5}.issuperset(sizes):
            raise forms.ValidationError(self.error_messages["invalid"])
        return lists


def field_for(question: Question) -> forms.Field:
    """Return the form field of a question."""
    label, help_id = domain_text(f"ask.{question.name}"), f"ask.{question.name}.help"
    help_text = domain_text(help_id) if has_message(help_id) else ""
    if question.words:
        words = [(word, domain_text(f"ask.{question.name}.{word}")) for word in question.words]
        return forms.ChoiceField(label=label, choices=words, required=False, help_text=help_text)
    if question.lists:
        return PointListsField(label=label, required=False, help_text=help_text)
    if question.is_yes_or_no:
        return forms.BooleanField(
            label=label, required=False, initial=bool(question.usual), help_text=help_text
        )
    return forms.IntegerField(
        label=label,
        min_value=question.least,
        max_value=question.most,
        initial=question.usual,
        required=question.usual is not None,
        help_text=help_text,
    )
