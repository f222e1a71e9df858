"""Records as they were submitted, and the answer to a submission."""

from rest_framework import serializers

from tournaments.api.serializers.base import (
    Count,
)
from tournaments.api.serializers.problems import LineReport, VerdictField
from tournaments.api.serializers.results import Dispute, Frame, RecordRow
from tournaments.api.serializers.tournaments import MatchRow, Tournament


class Moment(serializers.Serializer[object]):
    """Where a fault or notice of the verdict happened: the table at that moment."""

    code = serializers.CharField()
    hand = Count(allow_null=True)
    token = Count(allow_null=True)
    frame = Frame(allow_null=True, help_text="Null when it is not about a moment of a hand.")


class Record(serializers.Serializer[object]):
    """A record as it was submitted, with its verdict."""

    tournament = Tournament(source="head")
    match = MatchRow()
    record = RecordRow()
    text = serializers.CharField(
        trim_whitespace=False,
        help_text="Exactly as it was submitted, to the byte, in UTF-8; without the names of who "
        "was erased where `redacted_at` of the record says when.",
    )
    message = serializers.CharField(help_text="Why it was refused or contested; else empty.")
    verdict = VerdictField()
    moments = Moment(many=True, source="faults", help_text="One for each fault of the verdict.")
    dispute = Dispute(allow_null=True)


class FiledRecord(serializers.Serializer[object]):
    """A record in the list of a tournament."""

    record = RecordRow()
    match = Count(help_text="The match that it was handed in for.")
    round = Count()
    table = Count()
    coto = Count(help_text="Its number where several make a match.")


class FiledRecords(serializers.Serializer[object]):
    """A page of records, in the order in which they came."""

    results = FiledRecord(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class Batch(serializers.Serializer[object]):
    """What became of many records; or, of a dry run, what would have."""

    dry_run = serializers.BooleanField(help_text="Nothing was written.")
    lines = LineReport(many=True)


class Accepted(serializers.Serializer[object]):
    """The answer to a record that was taken, or was there already."""

    record = serializers.URLField(help_text="The address of the record.")
    match = serializers.URLField(help_text="The address of its match.")
    duplicate = serializers.BooleanField(help_text="The same record was here before.")
    outcome = serializers.ChoiceField(
        choices=["accepted", "reported", "confirmed", "duplicate"],
        help_text=(
            "Whether it counts: reported, it does once the other side has confirmed it; confirmed, "
            "it says what the other side had reported."
        ),
    )
    verdict = VerdictField()
