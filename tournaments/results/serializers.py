"""Serializers of matches, results, records and the answers to submissions."""

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from tournaments.core.api.serializers import (
    MAX_INTEGER,
    Count,
    Counts,
    Flag,
    FormField,
    HandVerdict,
    LineReport,
    Moment,
    Pairs,
    Points,
    SparseSerializer,
    StrictSerializer,
    Text,
    TextByName,
    Texts,
    TextsByName,
    VerdictField,
)
from tournaments.director.serializers.directing import ChangedTournament
from tournaments.director.serializers.tournaments import ROUND_STATES, MatchRow, Score, Tournament
from tournaments.domain.names import MAX_REASON_LENGTH
from tournaments.domain.sides import SIDES
from tournaments.standings.serializers import FilledBefore

# --- Results --------------------------------------------------------------------------------------
# Matches with their hands and results; reports, confirmations and rulings.


RECORD_STATES = ("accepted", "refused", "contested", "superseded")

RECORD_SOURCES = ("web", "api", "bot", "import")

DISPUTE_STATES = ("open", "review", "interim", "upheld", "amended", "voided")

SIDE_WORDS = f"{', '.join(f'`{side}`' for side in SIDES)}."

DEPTHS = ("record", "hands", "score", "ruling", "forfeit")


class HandRow(SparseSerializer):
    """A hand of an accepted record."""

    sparse = ("fourth_points",)
    number = Count(help_text="Counted through all cotos of the match.")
    coto = Count(help_text="The coto that it belongs to.")
    dealer = serializers.CharField()
    trump = serializers.CharField(help_text="The card that shows trumps.")
    home_points = Count()
    away_points = Count()
    third_points = Count(allow_null=True)
    fourth_points = Count(required=False, help_text="Where four play.")
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
        help_text="When the name of an erased person was taken out of the text; else null.",
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
    proposed_day = Moment(
        allow_null=True, help_text="Another day that one side proposes to the other."
    )


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


# Not `HandPoints`: generated clients give that name to the class of the field `points` of `Hand`.
class HandScore(serializers.Serializer[object]):
    """The points of one hand."""

    home = Count()
    away = Count()
    third = Count(required=False, help_text="Where three play.")
    fourth = Count(required=False, help_text="Where four play.")
    winner = serializers.ChoiceField(
        SIDES,
        required=False,
        help_text="Where more points did not decide the hand.",
    )
    board = Count(required=False, help_text="Its deal, in duplicate.")


@extend_schema_field(HandScore(many=True))
class Hands(serializers.ListField):
    """The points of each hand; the service says what is wrong with one."""

    child = serializers.DictField()


class Places(serializers.ListField):
    """The places of the sides of a table, in seat order, in place of hands."""

    child = Count(max_value=len(SIDES))


class Report(StrictSerializer):
    """How a match ended: its score, or the points of each hand; not both."""

    home_hands = Count(checked=False, required=False)
    away_hands = Count(checked=False, required=False)
    third_hands = Count(checked=False, required=False)
    home_points = Count(
        checked=False, required=False, help_text="Points may be left out, of all sides."
    )
    away_points = Count(checked=False, required=False)
    third_points = Count(checked=False, required=False)
    fourth_hands = Count(checked=False, required=False)
    fourth_points = Count(checked=False, required=False)
    fifth_hands = Count(checked=False, required=False)
    fifth_points = Count(checked=False, required=False)
    places = Places(required=False, min_length=2, max_length=len(SIDES))
    hands = Hands(required=False)
    cut = Flag(
        required=False, help_text="Time ended the match: any score, and any number of hands."
    )


class HandAward(StrictSerializer):
    """A hand whose points all go to one side, as after a revoke."""

    hand = Count(checked=False, help_text="Its number, from 1; 0: one of a score alone.")
    side = serializers.ChoiceField(SIDES)


class Confirmation(StrictSerializer):
    """The version of the result that is confirmed, so that no later one is by mistake."""

    version = Count(checked=False)


class Objection(StrictSerializer):
    """Why a result is disputed."""

    reason = Text(max_length=MAX_REASON_LENGTH)


class ChangedMatch(serializers.Serializer[object]):
    """What became of it."""

    match = serializers.URLField(help_text="The address of the match.")
    outcome = serializers.ChoiceField(
        choices=["accepted", "reported", "confirmed", "duplicate", "disputed"],
        help_text=(
            "accepted: it counts; reported: it does once another side has confirmed it; confirmed: "
            "what was reported counts now; duplicate: nothing has changed; disputed: the "
            "arbiter rules on it; a result that counted before counts until then."
        ),
    )
    version = Count(allow_null=True, help_text="The version of the result that it is about.")
    dispute = Count(allow_null=True, help_text="The dispute that was opened.")


class GivenResult(StrictSerializer):
    """A result that an arbiter gives: its score, its hands, or a hand awarded to a side."""

    home_hands = Count(max_value=MAX_INTEGER, required=False)
    away_hands = Count(max_value=MAX_INTEGER, required=False)
    third_hands = Count(max_value=MAX_INTEGER, required=False, help_text="Where three play.")
    home_points = Count(max_value=MAX_INTEGER, required=False)
    away_points = Count(max_value=MAX_INTEGER, required=False)
    third_points = Count(max_value=MAX_INTEGER, required=False)
    fourth_hands = Count(max_value=MAX_INTEGER, required=False, help_text="Where four play.")
    fourth_points = Count(max_value=MAX_INTEGER, required=False)
    fifth_hands = Count(max_value=MAX_INTEGER, required=False, help_text="Where five play.")
    fifth_points = Count(max_value=MAX_INTEGER, required=False)
    places = Places(required=False, min_length=2, max_length=len(SIDES))
    hands = Hands(required=False)
    award = HandAward(
        required=False, help_text="Instead: a hand of the result whose points all go to a side."
    )
    cut = Flag(
        required=False, help_text="Time ended the match: any score, and any number of hands."
    )


class Correction(GivenResult):
    """The score that counts, or the points of each hand, and why."""

    reason = Text(max_length=MAX_REASON_LENGTH)
    version = Count(
        max_value=MAX_INTEGER,
        required=False,
        help_text="Of the result that is put right, 0 for none: of another nothing is changed.",
    )


class EffectRow(serializers.Serializer[object]):
    """An entry's place and match points now and with another result."""

    number = Count(help_text="The number of the entry.")
    name = serializers.CharField()
    group = Count(help_text="0 where the stage has no groups.")
    before = Count(help_text="The place now.")
    after = Count(help_text="The place as it would be.")
    points_before = Points("Match points now; an integer when they are whole.")
    points_after = Points("Match points as they would be.")
    qualifies = serializers.ChoiceField(
        ("", "in", "out"),
        help_text="`in`: it would now go on to the next stage; `out`: no longer; else empty.",
    )


class PlayedOn(serializers.Serializer[object]):
    """Says that the next match of a bracket was played by the other side than a result has it."""

    winner = Count(
        source="winner_number",
        allow_null=True,
        help_text="The entry that goes on by the result; null: nobody does.",
    )
    plays = Count(source="plays_number", help_text="The entry that played the next match.")
    next_round = Count()
    next_table = Count()
    stays = serializers.BooleanField(
        help_text="`plays` stays in the bracket, as places follow from what was played; false: "
        "the bracket contradicts itself, and the tournament cannot be finished."
    )


class CorrectionEffect(serializers.Serializer[object]):
    """What a correction would change."""

    standings = EffectRow(many=True, source="rows", help_text="The table in its new order.")
    played_on = PlayedOn(many=True, help_text="Where the next match was played otherwise.")
    filled = serializers.ListField(
        child=Count(),
        help_text="Stages that have begun and keep their entries nevertheless.",
    )


class Corrected(ChangedTournament):
    """The tournament as it stands now, and what the result contradicts."""

    played_on = PlayedOn(many=True, help_text="Where the next match was played otherwise.")
    filled = FilledBefore(many=True, help_text="Stages that were filled before results changed.")


class RulingPreview(serializers.Serializer[object]):
    """What a ruling would change."""

    before = Score(allow_null=True, help_text="The result as it is; null for none.")
    after = Score(allow_null=True, help_text="The result as it would be; null for none.")
    standings = EffectRow(
        many=True,
        source="effect.rows",
        allow_null=True,
        help_text="The table of the stage in its new order; null without a result afterwards.",
    )
    played_on = PlayedOn(
        many=True,
        source="effect.played_on",
        allow_null=True,
        help_text="Where the next match of a bracket was played otherwise.",
    )


class Ruling(GivenResult):
    """What becomes of a contested result; to amend it, say by what: one of three.

    Its score, the points of its hands, or that what contradicts it counts (`contested`).
    """

    ruling = serializers.ChoiceField(
        ("interim", "uphold", "amend", "void"),
        help_text="`interim`: the result counts for now, and the last ruling follows.",
    )
    reason = Text(max_length=MAX_REASON_LENGTH)
    contested = Flag(
        required=False,
        help_text="To amend: the record or report that contradicts the result counts instead.",
    )


class MatchForfeit(StrictSerializer):
    """The sides that lose a match without play, and why."""

    sides = Texts(help_text=SIDE_WORDS)
    reason = Text(max_length=MAX_REASON_LENGTH)


class AbsentSides(StrictSerializer):
    """The sides that have not come."""

    sides = Texts(help_text=SIDE_WORDS)


class Decision(StrictSerializer):
    """Who goes on after a tie, and why."""

    side = serializers.ChoiceField(SIDES)
    reason = Text(max_length=MAX_REASON_LENGTH)


class Postponement(StrictSerializer):
    """When a match is played instead, if that is known."""

    to = Moment(required=False, allow_null=True, help_text="With its offset.")
    reason = Text(required=False, max_length=MAX_REASON_LENGTH)


class AgreedDay(StrictSerializer):
    """Another day for a match, on which its two sides agree."""

    to = Moment(help_text="With its offset.")


# --- Records --------------------------------------------------------------------------------------
# Records as they were submitted, and the answer to a submission.


@extend_schema_serializer(component_name="Moment")
class FaultMoment(serializers.Serializer[object]):
    """Where a fault or notice of the verdict happened: the table at that moment."""

    code = serializers.CharField(source="fault.code")
    hand = Count(source="fault.hand", allow_null=True)
    token = Count(source="fault.token", allow_null=True)
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
    moments = FaultMoment(
        many=True, source="faults", help_text="One for each fault of the verdict."
    )
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
    form = FormField(required=False)
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
