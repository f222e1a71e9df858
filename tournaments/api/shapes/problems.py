"""How the API says no."""

from rest_framework import serializers

from tournaments.api.shapes.fields import Count
from tournaments.api.shapes.verdicts import VerdictField


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
