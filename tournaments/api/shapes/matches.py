"""A match with its hands, records, results and disputes; a hand step by step."""

from rest_framework import serializers

from tournaments.api.shapes.fields import (
    Count,
    Counts,
    Moment,
    Pairs,
    TextByName,
    Texts,
    TextsByName,
)
from tournaments.api.shapes.tournaments import ROUND_STATES, MatchRow, Score, Tournament
from tournaments.api.shapes.verdicts import HandVerdict

RECORD_STATES = ("accepted", "refused", "contested", "superseded")
RECORD_SOURCES = ("web", "api", "bot", "import")
DISPUTE_STATES = ("open", "review", "interim", "upheld", "amended", "voided")
SIDES = ("home", "away", "third")
DEPTHS = ("record", "hands", "score", "ruling", "forfeit")


class HandRow(serializers.Serializer[object]):
    """A hand of an accepted record."""

    number = Count(help_text="Counted through all cotos of the match.")
    coto = Count(help_text="The coto that it belongs to.")
    dealer = serializers.CharField()
    trump = serializers.CharField(help_text="The card that shows trumps.")
    home_points = Count()
    away_points = Count()
    third_points = Count(allow_null=True)
    winner = serializers.ChoiceField(SIDES)
    audited = serializers.BooleanField(help_text="False when the table noted the result only.")
    last_trick = serializers.CharField(help_text="Who took it, home or away; else empty.")
    declarations = Texts()


class RecordRow(serializers.Serializer[object]):
    """A record in a list."""

    id = Count(source="pk")
    state = serializers.ChoiceField(RECORD_STATES)
    source = serializers.ChoiceField(RECORD_SOURCES)  # type: ignore[assignment]
    code = serializers.CharField(help_text="Why it was refused or contested; else empty.")
    digest = serializers.CharField()
    submitted_by = serializers.CharField()
    created_at = Moment()
    redacted_at = Moment(
        allow_null=True,
        help_text="When the name of somebody who was erased was taken out of the text; else null.",
    )


class ResultRow(serializers.Serializer[object]):
    """A version of the result; the live one is the last word, whether it counts yet or not."""

    version = Count()
    live = serializers.BooleanField()
    counts = serializers.BooleanField(help_text="The standings are made of it.")
    depth = serializers.ChoiceField(DEPTHS, help_text="What it rests on.")
    score = Score()
    hands = serializers.ListField(
        child=serializers.ListField(child=Count()),
        help_text="The points of each hand, side by side, where only those were written down.",
    )
    reported_for = serializers.CharField(help_text="The side that reported it; empty: the club.")
    confirmed_by = serializers.CharField(help_text="Who confirmed it; else empty.")
    confirmed_at = Moment(allow_null=True)
    reason = serializers.CharField()
    made_by = serializers.CharField()
    made_at = Moment()


class Dispute(serializers.Serializer[object]):
    """A disagreement about the match, and how it was ruled on."""

    id = Count(source="pk")
    state = serializers.ChoiceField(DISPUTE_STATES)
    reason = serializers.CharField()
    opened_by = serializers.CharField()
    opened_at = Moment()
    ruling = serializers.CharField()
    ruled_by = serializers.CharField()
    ruled_at = Moment(allow_null=True)
    record = Count(source="record_pk", allow_null=True)
    reviewed_by = serializers.CharField(help_text="The arbiter who looks into it; else empty.")


class Match(serializers.Serializer[object]):
    """A match."""

    tournament = Tournament(source="head")
    match = MatchRow()
    round_state = serializers.ChoiceField(ROUND_STATES)
    home_side = serializers.CharField(
        help_text="AC or BD, A or B, the seats of all three; empty until a record is accepted."
    )
    seats = Texts(help_text="Who sat at A, B, C, D.")
    hands = HandRow(many=True)
    record = RecordRow(allow_null=True, help_text="The accepted record.")
    records = RecordRow(many=True, help_text="Those that may be seen.")
    results = ResultRow(many=True, help_text="Newest first.")
    disputes = Dispute(many=True)
    postponed_to = Moment(allow_null=True)


class Frame(serializers.Serializer[object]):
    """One step of a hand, everything open: after `token`, or before the first one."""

    token = serializers.CharField(allow_null=True)
    seat = serializers.CharField(allow_null=True, help_text="Who acted.")
    turn = serializers.CharField(allow_null=True, help_text="Who acts next; null at the end.")
    hands = TextsByName(help_text="The cards still held, by seat.")
    table = Pairs(help_text="Seat and card, the lead first.")
    trick = Count()
    points = Counts()
    legal = Texts(help_text="The legal cards of the seat in turn.")
    won = serializers.CharField(allow_null=True, help_text="The seat that has just won the trick.")
    tricks_won = Counts()
    declared = TextsByName()


class Trick(serializers.Serializer[object]):
    """One complete trick."""

    number = Count()
    leader = serializers.CharField()
    cards = Pairs(help_text="Seat and card, the lead first.")
    winner = serializers.CharField()


class Hand(serializers.Serializer[object]):
    """A hand of the accepted record, with every step of it."""

    tournament = Tournament(source="head")
    match = MatchRow()
    number = Count()
    coto = Count(help_text="The coto that it belongs to.")
    total = Count(help_text="Hands in the match.")
    record = Count(source="record_pk")
    digest = serializers.CharField()
    seats = TextByName(help_text="Who sat where.")
    sides = TextByName(help_text="The entry's name, by side.")
    dealer = serializers.CharField()
    trump = serializers.CharField()
    deal = TextsByName()
    declarations = Texts()
    points = Counts()
    winner = serializers.CharField()
    tricks = Trick(many=True)
    frames = Frame(many=True)
    verdict = HandVerdict()
