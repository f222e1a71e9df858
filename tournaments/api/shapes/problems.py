"""How the API says no."""

from rest_framework import serializers

from tournaments.api.shapes.fields import Count
from tournaments.api.shapes.verdicts import VerdictField


class Problem(serializers.Serializer[object]):
    """A refusal or an error (RFC 9457)."""

    type = serializers.URLField(help_text="Where this kind of problem is described.")
    title = serializers.CharField(help_text="The same for every problem of its code.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence in the language asked for.")
    instance = serializers.CharField(help_text="The address that was asked.")
    code = serializers.CharField(help_text="Stable: programs decide by it.")
    request_id = serializers.CharField(
        required=False, help_text="With a 500: the number under which it was written down."
    )


class RecordProblem(Problem):
    """A record that was not accepted: why, where, and where it is kept."""

    reason = serializers.CharField(
        required=False, help_text="A finer code, such as `duplicate_key` or `too_deep`."
    )
    record = serializers.URLField(
        required=False, help_text="Where the refused record is kept, with its verdict."
    )
    pointer = serializers.CharField(required=False, help_text="JSON pointer to the place.")
    line = Count(required=False)
    column = Count(required=False)
    verdict = VerdictField(required=False)


class ProblemKind(serializers.Serializer[object]):
    """One kind of problem."""

    code = serializers.CharField()
    title = serializers.CharField()
    status = serializers.ListField(child=serializers.IntegerField())
    description = serializers.CharField()
