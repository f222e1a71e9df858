"""Serializers that several features share: problems and verdicts."""

from datetime import datetime
from typing import Any, ClassVar, NoReturn

from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

import engine
from tournaments.domain.datetimes import in_utc
from tournaments.domain.sides import WINNERS

# --- Base -----------------------------------------------------------------------------------------
# The strict serializer that reads every body, and the fields that several serializers share.


MAX_INTEGER = 2**31 - 1
"""The largest number of a column."""

MAX_NAME_LENGTH = 60
"""Characters of an unknown field's name that an answer repeats."""


class SparseSerializer(serializers.Serializer[Any]):
    """Leaves the fields of ``sparse`` out of an answer where they are null."""

    sparse: ClassVar[tuple[str, ...]] = ()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the answer without those fields."""
        answer = super().to_representation(instance)
        return {
            name: value
            for name, value in answer.items()
            if value is not None or name not in self.sparse
        }


class StrictSerializer(serializers.Serializer[Any]):
    """Reads a body, or an object in one, and refuses unknown fields.

    Its fields refuse values of another type: ``"7"`` and 7.0 are no integers.
    """

    def to_internal_value(self, data: Any) -> Any:
        """Return the values by field, without the fields that the body leaves out."""
        unknown = (
            [name for name in data if name not in self.fields] if isinstance(data, dict) else []
        )
        if unknown:
            raise serializers.ValidationError({unknown[0][:MAX_NAME_LENGTH]: "unknown field"})
        return super().to_internal_value(data)


class Nothing(StrictSerializer):
    """Nothing has to be said: an empty object."""


class Text(serializers.CharField):
    """A text as it was sent: not trimmed, perhaps empty.

    The services check its length and characters, and refuse it with their own codes.
    """

    def run_validation(self, data: Any = empty) -> Any:
        """Do not trim, and accept blank texts, unlike DRF's field."""
        return serializers.Field.run_validation(self, data)

    def to_internal_value(self, data: Any) -> str:
        """Refuse everything but texts; DRF takes numbers for texts."""
        return data if isinstance(data, str) else _wrong_type(self)

    def run_validators(self, value: Any) -> None:
        """Leave the checks to the services."""


class Slug(Text, serializers.SlugField):
    """A short name; the services check its form."""


class Pattern(Text, serializers.RegexField):
    """A text of a documented form, which the services check."""

    def __init__(self, regex: str, **settings: Any) -> None:
        super().__init__(regex=regex, **settings)


class Flag(serializers.BooleanField):
    """True or false; DRF takes `"yes"` and 1 for true."""

    def to_internal_value(self, data: Any) -> bool:
        """Refuse everything but `true` and `false`."""
        return data if isinstance(data, bool) else _wrong_type(self)


class Integer(serializers.IntegerField):
    """An integer; DRF takes `"7"` and 7.0 for one.

    Limits that are not ``checked`` are only documented: the services judge them.
    """

    def __init__(self, *, checked: bool = True, **settings: Any) -> None:
        super().__init__(**settings)
        self.checked = checked

    def to_internal_value(self, data: Any) -> int:
        """Refuse everything but integers."""
        return data if type(data) is int else _wrong_type(self)

    def run_validators(self, value: Any) -> None:
        """Check the limits."""
        if self.checked:
            super().run_validators(value)


class Count(Integer):
    """A number that is never negative."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(min_value=0, **settings)


class Points(serializers.FloatField):
    """Match points, or another number that may be broken: an integer when it is whole."""

    def __init__(self, help_text: str = "An integer when it is whole.", **kwargs: object) -> None:
        super().__init__(help_text=help_text, **kwargs)  # type: ignore[arg-type]

    def to_representation(self, value: float) -> float:  # type: ignore[override]
        """Leave whole numbers whole."""
        return value


class Word(serializers.ChoiceField):
    """A text whose possible values are documented; the services refuse others."""

    def to_internal_value(self, data: Any) -> str:
        """Refuse everything but texts."""
        return data if isinstance(data, str) else _wrong_type(self)


class Number(Integer):
    """The number of a round or of an entry."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(min_value=1, max_value=9999, **settings)


class Winner(serializers.ChoiceField):
    """Who won a match."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(WINNERS, **settings)


class Texts(serializers.ListField):
    """A list of texts; the services check its length."""

    child = Text()

    def run_validators(self, value: Any) -> None:
        """Leave the checks to the services."""


class Counts(serializers.DictField):
    """A number for each side, by its name."""

    child = Integer()


class TextsByName(serializers.DictField):
    """A list of texts for each side or seat, by its name."""

    child = Texts()


class TextByName(serializers.DictField):
    """A text for each seat, by its letter."""

    child = Text()


class Pairs(serializers.ListField):
    """A list of two texts each."""

    child = serializers.ListField(child=Text(), min_length=2, max_length=2)


class Moment(serializers.DateTimeField):
    """A moment in time, ISO 8601; in a body it has to have its offset."""

    def to_internal_value(self, value: Any) -> datetime:
        """Return it in UTC; DRF would take a date, or a time of its own zone."""
        try:
            moment = parse_datetime(value) if isinstance(value, str) else None
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is None:
            _wrong_type(self)
        return in_utc(moment)


def _wrong_type(field: serializers.Field[Any, Any, Any, Any]) -> NoReturn:
    raise serializers.ValidationError(f"not what {field.field_name} may be")


# --- Problems -------------------------------------------------------------------------------------
# Problems, and records with their verdicts as every program writes them (F1, F3).


class RecordHand(serializers.Serializer[object]):
    """One hand of a record (F1)."""

    dealer = serializers.CharField(help_text="Seat letter.")
    trump = serializers.CharField(required=False, allow_null=True)
    deal = TextByName(required=False, allow_null=True, help_text="The cards dealt to each seat.")
    stock = serializers.CharField(
        required=False, allow_null=True, help_text="The cards left to draw, where there are any."
    )
    play = serializers.CharField(
        allow_null=True,
        help_text="Tokens separated by blanks, in the order in which they happened; null when the "
        "table noted results only.",
    )
    points = Counts(required=False, allow_null=True)
    winner = serializers.CharField(required=False, allow_null=True)
    payments = Counts(
        required=False, allow_null=True, help_text="With stakes: what each seat won or lost."
    )


class RecordText(serializers.Serializer[object]):
    """A record of one match, `baza/1` (F1). At most 1 MiB; unknown fields are refused."""

    format = serializers.ChoiceField(("baza/1",))
    ruleset = serializers.CharField()
    options = serializers.DictField(required=False)
    seats = Texts(min_length=2, max_length=4, help_text="The players at A, B, C, D.")
    tags = TextByName(required=False)
    hands = RecordHand(many=True)
    score = Counts(required=False, allow_null=True)
    winner = serializers.CharField(required=False, allow_null=True)


class Fault(serializers.Serializer[object]):
    """A fault or notice of a verdict (F3); hands and tricks count from 1, tokens from 0."""

    code = serializers.CharField()
    rule = serializers.CharField()
    hand = Count(allow_null=True)
    trick = Count(allow_null=True)
    token = Count(allow_null=True)
    path = serializers.CharField(help_text="JSON pointer into the record.")
    seat = serializers.CharField(allow_null=True)
    card = serializers.CharField(allow_null=True)
    legal = Texts(help_text="The cards that were legal: a set.")
    message = serializers.CharField(help_text="In the language asked for.")
    declaration = serializers.CharField(required=False)
    line = Count(required=False, help_text="Where a text stops being JSON.")
    column = Count(required=False)
    facts = serializers.DictField(required=False)
    hints = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="Repairs that would mend the hand."
    )


class HandVerdict(serializers.Serializer[object]):
    """What the replay of one hand gave (F3)."""

    number = Count()
    audited = serializers.BooleanField()
    points = Counts(allow_null=True)
    winner = serializers.CharField(allow_null=True)
    last_trick = serializers.CharField(allow_null=True)
    declarations = Texts()
    tricks = Pairs(help_text="Leader, then the cards.")
    payments = Counts(
        required=False, allow_null=True, help_text="With stakes: what each seat won or lost."
    )
    plate = Integer(
        required=False, allow_null=True, help_text="With stakes: what the plate then held."
    )


class Verdict(serializers.Serializer[object]):
    """The verdict on a record (F3)."""

    valid = serializers.BooleanField()
    ruleset = serializers.CharField(allow_null=True)
    identity = serializers.CharField(
        allow_null=True, required=False, help_text="The ruleset with its version: `cuatro@1`."
    )
    source = serializers.CharField()  # type: ignore[assignment]  # F3's name
    digest = serializers.CharField(allow_null=True)
    hands = HandVerdict(many=True)
    score = Counts(allow_null=True)
    winner = serializers.CharField(allow_null=True)
    faults = Fault(many=True)
    notices = Fault(many=True)
    balance = Counts(
        required=False, help_text="With stakes: what each seat won or lost in the match."
    )


@extend_schema_field(Verdict)
class VerdictField(serializers.JSONField):
    """A verdict that the engine has already written."""


class ListFault(serializers.Serializer[object]):
    """What is wrong with one entry, player or pair of a list."""

    list = serializers.CharField(help_text="`players`, `pairs`, `entries`; `rows` of JSON.")
    line = Count(required=False, help_text="Of a file: from 1, the heading included.")
    index = Count(required=False, help_text="Of JSON: from 0.")
    code = serializers.CharField(help_text="Stable, such as `name_missing`, `already_entered`.")
    detail = serializers.CharField()


class Candidate(serializers.Serializer[object]):
    """A person whom a name may mean, and what helps to decide."""

    code = serializers.CharField(
        allow_null=True, help_text="Of a player of the club; null of one in an earlier line."
    )
    name = serializers.CharField()
    line = Count(allow_null=True, help_text="Of a person in the list; null of one of the club.")
    tournaments = Count(help_text="In how many other tournaments.")
    last_tournament = serializers.CharField()
    played_on = serializers.DateField(allow_null=True, help_text="The day of that tournament.")
    partner = serializers.CharField(help_text="With whom there.")
    origin = serializers.CharField(help_text="Where the person came from the last time.")
    elsewhere = serializers.CharField(help_text="Another tournament of the same day, if any.")


class WhoQuestion(serializers.Serializer[object]):
    """A name that may mean several persons."""

    line = Count(help_text="Of CSV the line, of rows the number from 1, of a sign-up the ticket.")
    seat = Count(help_text="1 or 2.")
    name = serializers.CharField()
    why = serializers.ListField(
        child=serializers.ChoiceField(("near", "twice", "entered", "elsewhere", "origin", "taken")),
        help_text="Nearly the name of another; comes twice; sits for another entry; is entered "
        "elsewhere on the same day; came from elsewhere before; a new person would have the name "
        "of another.",
    )
    candidates = Candidate(many=True)


class Problem(serializers.Serializer[object]):
    """A refusal or an error (RFC 9457)."""

    type = serializers.URLField(help_text="Where this kind of problem is described.")
    title = serializers.CharField(help_text="The same for every problem of its code.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence in the language asked for.")
    instance = serializers.CharField(help_text="The address that was asked.")
    code = serializers.CharField(help_text="Stable: programs decide by it.")
    parameter = serializers.CharField(
        required=False, help_text="With `bad_parameter`: the parameter, or the field of the body."
    )
    reason = serializers.CharField(
        required=False,
        help_text="A finer code, such as `duplicate_key` or `too_deep`; with `bad_parameter` "
        "`unknown`, `value`, `missing` or `cursor`.",
    )
    allowed = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="With `bad_parameter` and `unknown_…`: the names or values that are possible, "
        "where they can be listed.",
    )
    pointer = serializers.CharField(required=False, help_text="JSON pointer to the place.")
    scope = serializers.CharField(
        required=False,
        help_text="With 403 and 404: the scopes that the operation needs and the token lacks, "
        "separated by blanks.",
    )
    line = Count(required=False, help_text="Where the body stops being JSON.")
    column = Count(required=False)
    errors = ListFault(  # type: ignore[assignment]
        many=True, required=False, help_text="With `import_refused`: all that is wrong."
    )
    who = WhoQuestion(
        many=True,
        required=False,
        help_text="With `who_is_this`: the names that may mean several persons. Also with "
        "`import_refused`.",
    )
    request_id = serializers.CharField(
        required=False, help_text="With a 500: the number under which it was written down."
    )


class RecordProblem(Problem):
    """A record that was not accepted: why, where, and where it is kept."""

    record = serializers.URLField(
        required=False, help_text="Where the refused record is kept, with its verdict."
    )
    verdict = VerdictField(required=False)


class LineReport(serializers.Serializer[object]):
    """What became of a line, or would have."""

    line = Count(help_text="Its number, from 1; blank lines are counted.")
    outcome = serializers.ChoiceField(
        choices=["accepted", "reported", "confirmed", "duplicate", "refused", "contested"]
    )
    status = serializers.IntegerField(help_text="What the record alone would be answered with.")
    duplicate = serializers.BooleanField(help_text="The same record was here before.")
    match = serializers.URLField(allow_null=True, help_text="The address of its match.")
    record = serializers.URLField(
        allow_null=True, help_text="The address of the record; null where nothing was written."
    )
    code = serializers.CharField(required=False, help_text="Why it cannot be accepted.")
    reason = serializers.CharField(required=False, help_text="A finer code.")
    detail = serializers.CharField(required=False, help_text="In the language asked for.")
    pointer = serializers.CharField(required=False, help_text="JSON pointer within the line.")
    column = Count(required=False, help_text="Where the line stops being JSON.")


class FormField(serializers.ChoiceField):
    """What the body of many records was taken for."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            choices=[form.value for form in engine.Form],
            help_text="What the body was taken for.",
            **options,
        )


class BatchProblem(Problem):
    """Lines of which one at least cannot be accepted: nothing was written."""

    dry_run = serializers.BooleanField(required=False)
    form = FormField(required=False)
    lines = LineReport(many=True, required=False)


class ProblemKind(serializers.Serializer[object]):
    """One kind of problem."""

    code = serializers.CharField()
    title = serializers.CharField()
    status = serializers.ListField(child=serializers.IntegerField())
    description = serializers.CharField()
