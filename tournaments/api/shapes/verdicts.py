"""Records and verdicts as every other program writes them: record format F1 and F3."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.shapes.fields import Count, Counts, Pairs, TextByName, Texts


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
