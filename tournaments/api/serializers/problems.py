"""Problems, and records with their verdicts as every program writes them (F1, F3)."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import Count, Counts, Pairs, TextByName, Texts


class RecordHand(serializers.Serializer[object]):
    """One hand of a record (F1)."""

    dealer = serializers.CharField(help_text="Seat letter.")
    trump = serializers.CharField(required=False, allow_null=True)
    deal = TextByName(required=False, allow_null=True, help_text="The cards dealt to each seat.")
    play = serializers.CharField(
        allow_null=True,
        help_text="Tokens separated by blanks, in the order in which they happened; null when the "
        "table noted results only.",
    )
    points = Counts(required=False, allow_null=True)
    winner = serializers.CharField(required=False, allow_null=True)


class RecordText(serializers.Serializer[object]):
    """A record of one match, `baza/1` (F1). At most 1 MiB; unknown fields are refused."""

    format = serializers.ChoiceField(("baza/1",))
    ruleset = serializers.CharField()
    options = serializers.DictField(required=False)
    seats = Texts(min_length=4, max_length=4, help_text="The players at A, B, C, D.")
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


class HandVerdict(serializers.Serializer[object]):
    """What the replay of one hand gave (F3)."""

    number = Count()
    audited = serializers.BooleanField()
    points = Counts(allow_null=True)
    winner = serializers.CharField(allow_null=True)
    last_trick = serializers.CharField(allow_null=True)
    declarations = Texts()
    tricks = Pairs(help_text="Leader, then the cards.")


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
        required=False, help_text="A finer code, such as `duplicate_key` or `too_deep`."
    )
    line = Count(required=False, help_text="Where the body stops being JSON.")
    column = Count(required=False)
    errors = ListFault(  # type: ignore[assignment]
        many=True, required=False, help_text="With `import_refused`: all that is wrong."
    )
    request_id = serializers.CharField(
        required=False, help_text="With a 500: the number under which it was written down."
    )


class RecordProblem(Problem):
    """A record that was not accepted: why, where, and where it is kept."""

    record = serializers.URLField(
        required=False, help_text="Where the refused record is kept, with its verdict."
    )
    pointer = serializers.CharField(required=False, help_text="JSON pointer to the place.")
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


class BatchProblem(Problem):
    """Lines of which one at least cannot be accepted: nothing was written."""

    dry_run = serializers.BooleanField(required=False)
    lines = LineReport(many=True, required=False)


class ProblemKind(serializers.Serializer[object]):
    """One kind of problem."""

    code = serializers.CharField()
    title = serializers.CharField()
    status = serializers.ListField(child=serializers.IntegerField())
    description = serializers.CharField()
