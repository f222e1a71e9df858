"""Serializers of the requests that direct a tournament."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.core.api.serializers import (
    MAX_INTEGER,
    Count,
    Flag,
    Integer,
    Moment,
    Number,
    Pattern,
    Slug,
    StrictSerializer,
    Text,
    TextByName,
    Texts,
    WhoQuestion,
    Word,
)
from tournaments.director.serializers.tournaments import (
    MODELS,
    Announced,
    DayTerms,
    StageMinutes,
)
from tournaments.director.services.settings import TERM_LIMITS
from tournaments.domain.file import rules_schema
from tournaments.domain.names import MAX_REASON_LENGTH
from tournaments.domain.roster import entry_fields
from tournaments.domain.rows import MAX_FIXED_TABLE, Seeding, StageRules
from tournaments.people.serializers import PersonAnswers

# --- Director -------------------------------------------------------------------------------------
# Directing a tournament: made, drawn, published and closed; its drafts, clock and check-in.


class SeedingChoice(StrictSerializer):
    """How a stage is seeded."""

    seeding = serializers.ChoiceField(
        [seeding.value for seeding in Seeding],
        required=False,
        default="auto",
        help_text="How it is drawn; `auto`: by lot where fewer than half have a rating.",
    )
    seeded = Count(
        required=False, default=0, help_text="How many keep their place in a draw by lot."
    )


@extend_schema_field(rules_schema(StageRules()))
class Rules(serializers.DictField):
    """The rules of a stage, as in a tournament file; the service reads them."""


class PlannedStage(StrictSerializer):
    """A stage that is to be played, as in a tournament file."""

    format = Text(help_text="One of `formats/`.")
    name = Text(required=False, allow_blank=True)
    rules = Rules(
        required=False, help_text="Those that differ from the format's; `formats/` has them."
    )
    round_minutes = StageMinutes(help_text="What is proposed for the clock of its rounds.")
    warn_minutes = StageMinutes(help_text="So long before the end the clock warns.")


class NewStop(StrictSerializer):
    """The sequential test that may end a match of deal sets early."""

    model = serializers.ChoiceField(MODELS, required=False)
    low = serializers.FloatField(required=False)
    high = serializers.FloatField(required=False)
    alpha = serializers.FloatField(required=False)
    beta = serializers.FloatField(required=False)


class NewTournament(SeedingChoice, Announced, DayTerms):
    """A tournament that is to be made."""

    name = Text()
    slug = Slug(required=False, help_text="Its short name; from its name if left.")
    ruleset = Text(required=False, default="parejas-online")
    options = serializers.DictField(
        required=False, help_text="Those of its records: `to`, `deals`."
    )
    cotos = Count(required=False, help_text="How many cotos (records) win a match.")
    deal_sets = Count(required=False, help_text="Of bots: deal sets of a match, instead of cotos.")
    stop = NewStop(required=False)
    format = Text(
        required=False, default="liguilla", help_text="Of the only stage, without `stages`."
    )
    stages = PlannedStage(
        many=True, required=False, allow_empty=False, help_text="One after the other."
    )
    round_minutes = Integer(
        required=False,
        min_value=0,
        max_value=TERM_LIMITS["round_minutes"],
        help_text="What is proposed for the clock of a round.",
    )
    visibility = Word(["public", "private"], required=False, default="public")


class PrizeMove(StrictSerializer):
    """Where the prizes of a stage go that has no counterpart in another plan."""

    stage = Integer(min_value=1, help_text="Their stage of before.")
    to = Integer(min_value=1, allow_null=True, help_text="A stage of the new plan; null: they go.")


class NewPlan(SeedingChoice):
    """Another plan of a draft; of the game what is left out stays."""

    stages = PlannedStage(many=True, allow_empty=False, help_text="One after the other.")
    ruleset = Text(required=False)
    options = serializers.DictField(required=False, help_text="Those of its records.")
    cotos = Count(required=False)
    deal_sets = Count(required=False)
    stop = NewStop(required=False)
    prize_stages = PrizeMove(many=True, required=False)
    leave_out = Flag(
        required=False, default=False, help_text="What has no place in the plan goes, unasked."
    )


class Repeat(StrictSerializer):
    """A tournament that is played again; what is left out is proposed."""

    name = Text(required=False, help_text="Left out: that of the one before with the next number.")
    slug = Slug(required=False, help_text="Its short name; from its name if left.")
    begins_at = Moment(
        required=False,
        allow_null=True,
        help_text="Left out: the same weekday and hour, the first to come; null: not known yet.",
    )
    place = Text(required=False, allow_blank=True, help_text="Left out: the same.")
    entries = Word(
        ["none", "present", "all"],
        required=False,
        default="none",
        help_text="Who is entered again: nobody, who did not withdraw and was not expelled, all. "
        "People who were erased and bots that were retired are left out.",
    )


class Draw(StrictSerializer):
    """Which round is to be drawn."""

    after = Count(
        required=False, help_text="The number of the last round; 0 or nothing for the first draw."
    )
    stage = Count(
        required=False,
        help_text="The number of the stage that gets it; by default the first that can get one.",
    )
    order = serializers.ListField(
        child=Integer(),
        required=False,
        help_text="The numbers of the entries in the order drawn by hand, where a stage begins.",
    )
    reason = Text(
        required=False, help_text="Why a stage that was drawn and taken back is drawn again."
    )


class Visibility(StrictSerializer):
    """Who sees a tournament: everybody, or its club and those who play in it."""

    visibility = Word(["public", "private"])


class Finish(StrictSerializer):
    """Whether a tournament ends although rounds are left to be drawn."""

    early = Flag(required=False)


class ChangedTournament(serializers.Serializer[object]):
    """The tournament as it stands now."""

    tournament = serializers.URLField()
    slug = serializers.SlugField()
    state = serializers.ChoiceField(choices=["draft", "running", "finished"])
    version = Count()


class DrawnTable(serializers.Serializer[object]):
    """A table of a draw."""

    match = Count()
    table = Count()
    entries = serializers.ListField(child=Count(), help_text="Their numbers; one alone: a bye.")


class Drawn(ChangedTournament):
    """The tournament as it stands now, and its new round."""

    # An answer that an earlier release stored under its key has neither.
    round = Count(required=False, help_text="The first of those that were drawn.")
    tables = DrawnTable(many=True, required=False)


class Entered(ChangedTournament):
    """The tournament as it stands now, and its new entries."""

    entered = serializers.ListField(
        child=Count(), required=False, help_text="Their numbers, as listed."
    )


class CheckInClosing(StrictSerializer):
    """What becomes of those who have not checked in."""

    absent = serializers.ChoiceField(("withdraw", "bye"), required=False)


class CheckInOpening(StrictSerializer):
    """Whether all check-ins are cleared."""

    afresh = Flag(required=False)


class Announcement(StrictSerializer):
    """What the club tells the hall; empty to take it back."""

    text = Text()


class DraftRedraw(StrictSerializer):
    """Which tables stay when a draft is drawn again."""

    keep_all = Flag(required=False, help_text="All that can; else the pinned.")


class RoundPublication(StrictSerializer):
    """Whether a draft is published although it would be drawn otherwise now, and what with it."""

    as_is = Flag(required=False, help_text="Also if it is outdated; the event of it says so.")
    together = Flag(
        required=False,
        help_text="With it the next rounds of the stages that are played beside it.",
    )


class StageRedraw(StrictSerializer):
    """Why a stage is drawn again, and its order where that was drawn by hand."""

    reason = Text()
    order = serializers.ListField(
        child=Integer(),
        required=False,
        help_text="The numbers of the entries as they were drawn; without it Baza draws.",
    )


class Arranged(StrictSerializer):
    """A change of a draft, as its viewer saw it."""

    arrangement = Text(
        required=False, help_text="The draft's as it was read: it is refused if it has changed."
    )


class TwoEntries(Arranged):
    """Two entries, by their numbers."""

    one = Number()
    other = Number()


class LateSeat(StrictSerializer):
    """An entry without a table that sits down in the place of one that has not come."""

    absent = Number(help_text="Plays in the match; rests in this round without points.")
    late = Number()


class DraftBye(Arranged):
    """An entry that does not play in a round, and what that is worth."""

    entry = Number()
    bye = serializers.ChoiceField(("pairing", "full", "half", "zero"), required=False)


class Minutes(StrictSerializer):
    """How long a round lasts."""

    minutes = Integer(min_value=1, max_value=MAX_INTEGER)


class TablePin(StrictSerializer):
    """Whether a table stays as it is when the draft is drawn again."""

    pinned = Flag(required=False)


# --- Entries --------------------------------------------------------------------------------------
# Entries: how they are made, what was decided about one, and the points to go back to.


class RequestedBye(serializers.Serializer[object]):
    """A bye that was asked for."""

    id = Count(source="pk")
    round = Count()
    kind = serializers.ChoiceField(("full", "half", "zero"))
    is_open = serializers.BooleanField(help_text="Its round is not published yet.")


class Substitute(serializers.Serializer[object]):
    """A substitute and the player who is replaced."""

    id = Count(source="pk")
    leaves = serializers.CharField()
    comes = serializers.CharField()
    from_round = Count()
    until_round = Count(allow_null=True, help_text="Null while there is no end.")
    reason = serializers.CharField()


class EntryPenalty(serializers.Serializer[object]):
    """A penalty, or one that was taken back."""

    id = Count(source="pk")
    round = Count()
    match_points = serializers.FloatField()
    hands = serializers.IntegerField()
    points = serializers.IntegerField()
    reason = serializers.CharField()
    made_by = serializers.CharField()
    made_at = Moment()
    is_revoked = serializers.BooleanField()
    revocation = serializers.CharField(help_text="Why it was taken back; or empty.")


class EntryDetail(serializers.Serializer[object]):
    """An entry, what the draw knows of it, and what was decided about it."""

    number = Count(source="entry.number")
    name = serializers.CharField(source="entry.name")
    players = Texts(source="entry.players")
    rating = serializers.FloatField(source="entry.rating", help_text="The seeding rating.")
    origin = serializers.CharField(source="entry.origin", help_text="Where it comes from.")
    apart = Texts(help_text="Entries that share a label do not meet.")
    fixed_table = Count(
        source="entry.fixed_table", help_text="The table where it sits in every round; 0: none."
    )
    away = serializers.CharField(source="entry.away", help_text="Why it is not there; or empty.")
    byes = RequestedBye(many=True)
    substitutions = Substitute(many=True)
    penalties = EntryPenalty(many=True)


class Description(StrictSerializer):
    """What the draw should know; what is left out stays."""

    rating = Integer(min_value=0, max_value=9999, required=False, help_text="Once drawn, it stays.")
    origin = Text(required=False, allow_blank=True)
    apart = Texts(required=False)
    fixed_table = Integer(
        min_value=0,
        max_value=MAX_FIXED_TABLE,
        required=False,
        help_text="The table where it sits in every round from the next one on; 0: none.",
    )


class Revocation(StrictSerializer):
    """Why a penalty is taken back."""

    reason = Text(max_length=MAX_REASON_LENGTH)


class EndOfSubstitution(StrictSerializer):
    """From which round on the one who was replaced plays again."""

    until_round = Number()


class RestorePoint(serializers.Serializer[object]):
    """A moment that the tournament can be taken back to: before something was done."""

    id = Count(source="pk")
    verb = serializers.CharField(help_text="What was done then.")
    round = Count(allow_null=True)
    made_by = serializers.CharField()
    made_at = Moment()
    used_at = Moment(allow_null=True, help_text="When it was last gone back to.")


class Lists(PersonAnswers):
    """Two lists as CSV, in the form that the pages take."""

    players = Text(help_text="A heading, `id,nombre`, and a player a line.")
    pairs = Text(help_text="A heading, `pareja,nombre,jugador1,jugador2`, and a pair a line.")
    as_written = Flag(
        required=False, help_text="Names of players in doubt (`name_…`) are right as they are."
    )


class BotEntries(StrictSerializer):
    """Bots that are to be entered."""

    bots = serializers.ListField(
        child=Text(),
        help_text="Their short names, each as often as it is to play; it comes numbered then.",
    )


class EntryRow(StrictSerializer):
    """People to be entered, by name: a pair of two players, or one."""

    players = Texts(min_length=1, max_length=2)
    name = Text(required=False, help_text="The pair's own name, if it has one.")
    club = Text(required=False, help_text="Where they come from.")
    rating = Integer(required=False, min_value=0, max_value=100_000)


class ListedLine(StrictSerializer):
    """Who plays in a line of a list; a name that was doubted is right as it is given here."""

    line = Number(help_text="Of `csv` the line, of `entries` the number from 1.")
    players = serializers.ListField(
        child=Text(), max_length=8, help_text="None: the line is left out."
    )


class EntryList(PersonAnswers):
    """A list of entries: as CSV in the form that the pages take, or row by row; one of the two."""

    csv = Text(
        required=False,
        help_text="One a line, with a heading or without; columns are recognised as on the page.",
    )
    entries = EntryRow(many=True, required=False)
    columns = serializers.ListField(
        child=serializers.ChoiceField(entry_fields(pairs=True), allow_blank=True),
        required=False,
        help_text="Of `csv`: what each column holds, an empty text for what is left out.",
    )
    first_line = Number(required=False, help_text="Of `csv`: the first line with names.")
    decimal_mark = serializers.ChoiceField(
        (".", ","), required=False, help_text="Of `csv`: what stands before decimals in `1.500`."
    )
    same = TextByName(
        required=False,
        help_text="Of `csv`: the names that persons have in the club or in an earlier line, by"
        " their names in the list.",
    )

    lines = ListedLine(
        many=True,
        required=False,
        help_text="Answers about lines that were refused: who plays there.",
    )
    repair = Flag(
        required=False, help_text="Of `csv`: put right letters that were read wrongly (“Ã±”)."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a body with both, or with neither, and rows that say how CSV is read."""
        if ("csv" in attrs) == ("entries" in attrs):
            raise serializers.ValidationError({"entries": "one of the two"})
        for name in ("columns", "first_line", "decimal_mark", "same", "repair"):
            if name in attrs and "csv" not in attrs:
                raise serializers.ValidationError({name: "with csv alone"})
        return attrs


class PlannedEntry(serializers.Serializer[object]):
    """An entry that would be made."""

    line = Count(help_text="Of CSV the line, of rows the number from 1.")
    name = serializers.CharField()
    players = Texts()
    new_players = Texts(help_text="Those whom the club does not know yet.")
    is_new_pair = serializers.BooleanField()
    club = serializers.CharField()
    rating = serializers.FloatField()
    earlier_names = TextByName(
        help_text="Names in the list that players had before they were corrected, or that `same`"
        " says are theirs, by current name."
    )


class ListColumn(serializers.Serializer[object]):
    """A column of a list, and what it was taken for."""

    heading = serializers.CharField()
    field = serializers.CharField(help_text="Empty: it is left out.")
    examples = Texts(help_text="Its first cells.")


class LeftOutLine(serializers.Serializer[object]):
    """A line of a list that enters nobody."""

    line = Count()
    text = serializers.CharField()
    why = serializers.ChoiceField(("title", "heading", "open", "same", "pair", "reserve"))


class Twin(serializers.Serializer[object]):
    """A person whom a new name may mean."""

    name = serializers.CharField()
    line = Count(allow_null=True, help_text="Of a person in the list; null of one of the club.")


class TwinQuestion(serializers.Serializer[object]):
    """A new name that differs little from another; `same` says that it is that person."""

    line = Count()
    name = serializers.CharField()
    twins = Twin(many=True, source="candidates")


class EntryPlan(serializers.Serializer[object]):
    """What a list would do; nothing of it is done."""

    entries = PlannedEntry(many=True)
    new_players = Count()
    new_pairs = Count()
    columns = ListColumn(many=True, source="read.columns", help_text="Of CSV with columns.")
    left_out = LeftOutLine(many=True, source="read.left_out")
    twins = TwinQuestion(many=True)
    who = WhoQuestion(
        many=True, source="open_who", help_text="What has to be answered before it is done."
    )


class Leave(StrictSerializer):
    """Why an entry leaves, if it says so."""

    reason = Text(required=False, allow_blank=True, max_length=MAX_REASON_LENGTH)


KEEP: Final = "keep"
"""The ticket of a removed entry stays on the list of the sign-up."""


class Removal(StrictSerializer):
    """An entry that is removed, and its ticket."""

    ticket = serializers.ChoiceField(
        ["off", KEEP],
        required=False,
        help_text="`off` (as without it): it leaves the list; `keep`: it waits again.",
    )


class StatedReason(StrictSerializer):
    """Why."""

    reason = Text(max_length=MAX_REASON_LENGTH)


class Bye(StrictSerializer):
    """A bye that is asked for."""

    round = Number()
    kind = serializers.ChoiceField(("full", "half", "zero"))


class NewPenalty(StrictSerializer):
    """What is taken from an entry, of which round, and why; negative numbers give."""

    round = Number()
    reason = Text(max_length=MAX_REASON_LENGTH)
    match_points = Pattern(
        r"^-?[0-9]{1,4}([.,][0-9])?$", required=False, help_text="As a text: `0.5` or `0,5`."
    )
    hands = Integer(min_value=-MAX_INTEGER, max_value=MAX_INTEGER, required=False)
    points = Integer(min_value=-MAX_INTEGER, max_value=MAX_INTEGER, required=False)


class Substitution(PersonAnswers):
    """Who plays for whom, from one round until before another.

    Answers are about line 1, seat 1.
    """

    leaves = Text(help_text="The code or the name of a player of the club.")
    comes = Text(
        help_text="The code or the name of a player of the club; with `who` or `if_in_doubt` also "
        "the name of a new one."
    )
    from_round = Number()
    until_round = Number(required=False, allow_null=True)
    reason = Text(required=False, allow_blank=True, max_length=MAX_REASON_LENGTH)
