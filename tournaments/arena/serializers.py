"""Serializers of the arena, bots, schedules and turns."""

from typing import Any

from django.utils.translation import get_language
from rest_framework import serializers

import engine
from tournaments.arena.queries.turns import Ending
from tournaments.arena.services.comparisons import MAX_SETS
from tournaments.core.api.serializers import (
    Count,
    Flag,
    Integer,
    Moment,
    Pattern,
    StrictSerializer,
    Text,
    Word,
)
from tournaments.director.queries import forfeits
from tournaments.director.serializers.tournaments import BOT_KINDS as KINDS
from tournaments.director.serializers.tournaments import MatchRow, Tournament
from tournaments.domain.contest import HIGH, LOW, OPEN
from tournaments.domain.match_parts import TWO_SIDED
from tournaments.models import Bot as BotRow
from tournaments.models import VersionComparison
from tournaments.people.services.programs import INTERPRETERS

# --- Arena ----------------------------------------------------------------------------------------
# The arena: bots compared, and when their rounds play themselves.


class Figure(serializers.Serializer[object]):
    """A mean of deal sets and its 95 % interval, whose bounds are null for a single one."""

    mean = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class RatingCompared(serializers.Serializer[object]):
    """A rating: the true one lies within `margin` of `rating`, probably."""

    rating = serializers.IntegerField(source="shown")
    margin = Count()
    provisional = serializers.BooleanField(source="is_provisional")


class BotCompared(serializers.Serializer[object]):
    """A bot compared with all whom it met; the figures are null before it has played."""

    number = Count(help_text="The number of its entry.")
    name = serializers.CharField()
    bot = serializers.SlugField(source="slug")
    matches = Count()
    sets = Count(help_text="Deal sets; without them, matches.")
    margin = Figure(allow_null=True, help_text="Points a record above the mean of its opponents.")
    won = Figure(allow_null=True, help_text="The share of its deal sets that it won.")
    forfeits = Count(help_text="Hands that it lost by what it did wrong.")
    rating = RatingCompared(allow_null=True)


class SequentialTest(serializers.Serializer[object]):
    """A sequential test of `low` against `high`: decided when the LLR leaves its bounds."""

    model = serializers.ChoiceField(("points", "logistic", "normalized"))
    low = serializers.FloatField()
    high = serializers.FloatField()
    llr = serializers.FloatField()
    lower = serializers.FloatField(help_text="The LLR at which `low` is accepted.")
    upper = serializers.FloatField(help_text="The LLR at which `high` is accepted.")
    sets = Count()
    state = serializers.ChoiceField((OPEN, LOW, HIGH))


class PairCompared(serializers.Serializer[object]):
    """Two bots that met, by the numbers of their entries; `margin` is that of `one`."""

    one = Count()
    other = Count()
    matches = Count()
    sets = Count()
    margin = Figure()
    test = SequentialTest(allow_null=True)


class Arena(serializers.Serializer[object]):
    """The bots of a tournament compared, the best first."""

    tournament = Tournament(source="head")
    deal_sets = Count(help_text="How many a match can have; 0 where a match is one observation.")
    matches = Count(source="compared.matches")
    sets = Count(source="compared.sets")
    bots = BotCompared(many=True, source="compared_bots")
    pairs = PairCompared(many=True, source="compared.pairs")


class Days(serializers.ListField):
    """Days of the week: 0 is Monday."""

    child = Integer(checked=False, min_value=0, max_value=6)


class ScheduleTimes(StrictSerializer):
    """A time of the day, the days of the week, and whose clock tells them."""

    on = Flag(help_text="Off, nothing happens by itself.")
    at = Pattern(r"^[0-2][0-9]:[0-5][0-9]$", help_text="Hours and minutes: `03:00`.")
    zone = Text(help_text="A name of the time-zone database: `Europe/Madrid`.")
    days = Days(help_text="Days of the week on which a round begins; 0 is Monday.")


class Schedule(ScheduleTimes):
    """A schedule, and what became of the last time."""

    next = serializers.ListField(child=Moment(), help_text="Its next times; none while it is off.")
    last_at = Moment(allow_null=True, help_text="When it last did something.")
    last_round = serializers.IntegerField(allow_null=True, help_text="The round begun then.")
    left_out = serializers.ListField(
        child=serializers.CharField(),
        help_text="The bots that could not play: benched, retired, without a client.",
    )
    last_code = serializers.CharField(help_text="Why no round was begun then; else empty.")
    last_text = serializers.CharField(help_text="The same in words.")


# --- Bots -----------------------------------------------------------------------------------------
# Bots: their checks, forfeits and turns, and how one is brought.


BROUGHT = (BotRow.Kind.PROGRAM.value, BotRow.Kind.REMOTE.value)

STATES = ("ready", "checking", "refused", "empty", "benched", "retired")


class InLanguage(serializers.CharField):
    """A text in the language asked for."""

    def to_representation(self, value: Any) -> str:
        """Choose it."""
        return str(value.get(get_language()) or value.get("en", ""))


class BotRating(serializers.Serializer[object]):
    """A rating under one ruleset."""

    ruleset = serializers.CharField()
    rating = serializers.IntegerField()
    margin = serializers.IntegerField(help_text="How far it may be out.")
    provisional = serializers.BooleanField(help_text="Too unsure to rank anybody by.")
    matches = Count()


class BotCard(serializers.Serializer[object]):
    """A bot in a list."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(
        KINDS,
        help_text="`program`: the workers run it; `remote`: it fetches its turns over the API; "
        "the others are of the house.",
    )
    club_slug = serializers.CharField(help_text="Empty for a bot of the house.")
    owner = serializers.CharField(help_text="Its author's user name; empty for a house bot.")
    state = serializers.ChoiceField(
        STATES,
        help_text="`checking`, `refused` and `empty` are programs without a version that may play.",
    )
    rating = BotRating(allow_null=True, help_text="Under the ruleset of most matches.")
    forfeits = Count(help_text="Hands lost by what it did wrong.")


class Bots(serializers.Serializer[object]):
    """A page of bots, in the order of their short names."""

    results = BotCard(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class BotVersion(serializers.Serializer[object]):
    """A version of a program, and how far its check is."""

    number = Count()
    language = serializers.CharField()
    sha256 = serializers.CharField(help_text="Of its text, or of its command as JSON.")
    trusted = serializers.BooleanField(help_text="It runs without the sandbox.")
    state = serializers.ChoiceField(("checking", "ready", "refused"))
    made_by = serializers.CharField()
    made_at = Moment()
    checked_at = Moment(allow_null=True)
    done = Count(help_text="Checks made so far.")
    of = Count(help_text="Checks that there are; 0 before the first.")
    stuck = serializers.BooleanField(help_text="The machine broke the check off too often.")
    fault = serializers.CharField(help_text="What of the machine broke it off last.")


class CheckLine(serializers.Serializer[object]):
    """One check."""

    number = Count()
    check = InLanguage()
    state = serializers.ChoiceField(("ok", "failed", "advice"))
    code = serializers.CharField(
        help_text="Of `docs/bots/bot-protocol.md`; empty unless it failed."
    )
    message = InLanguage()
    required = serializers.BooleanField(  # type: ignore[assignment]
        help_text="If it fails, the version may not play."
    )
    reply = serializers.CharField(help_text="What it last wrote where it failed.")
    stderr = serializers.CharField(help_text="For those alone who may change the bot.")


class BotReport(BotVersion):
    """A version with what its check said, line by line."""

    report = CheckLine(many=True, source="lines")


class Benched(serializers.Serializer[object]):
    """Why a bot is on the bench."""

    tournament = serializers.CharField(required=False)
    round = Count(required=False)
    table = Count(required=False)
    match = Count(required=False, help_text="Under `/matches/{id}/`.")
    record = Count(required=False)
    hand = Count(required=False)
    code = serializers.CharField(required=False)


class Ladder(serializers.Serializer[object]):
    """The ladder of a bot's club under a ruleset."""

    ruleset = serializers.CharField()
    tournament = serializers.CharField(source="slug", help_text="Empty until one is made.")
    is_in = serializers.BooleanField(help_text="The bot plays on it.")


class BotPage(serializers.Serializer[object]):
    """A bot with its versions, the newest first."""

    slug = serializers.SlugField(source="card.slug")
    name = serializers.CharField(source="card.name")
    kind = serializers.ChoiceField(KINDS, source="card.kind")
    club_slug = serializers.CharField(source="card.club_slug")
    owner = serializers.CharField(source="card.owner")
    state = serializers.ChoiceField(STATES, source="card.state")
    about = serializers.CharField()
    rulesets = serializers.ListField(
        child=serializers.CharField(), help_text="What it plays alone; empty for all."
    )
    benched_at = Moment(allow_null=True)
    benched_for = Benched()
    retired_at = Moment(allow_null=True)
    ratings = BotRating(many=True, help_text="The one of most matches first.")
    forfeits = Count(source="card.forfeits", help_text="Hands lost by what it did wrong.")
    versions = BotVersion(many=True)
    ladders = Ladder(many=True, help_text="Those on which you may enter it.")


class Forfeit(serializers.Serializer[object]):
    """A hand that a bot lost by what it did."""

    match = Count(source="match_pk", help_text="Under `/matches/{id}/`.")
    record = Count(source="part", help_text="Which record of the match, from 1.")
    hand = Count()
    seat = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)
    code = serializers.CharField(help_text="Of `docs/bots/bot-protocol.md`.")
    message = serializers.SerializerMethodField(help_text="In the language asked for.")
    reply = serializers.CharField(help_text="What it sent.")
    legal = serializers.CharField(help_text="What it could have said.")
    play = serializers.CharField(help_text="What had been played.")
    stderr = serializers.CharField(help_text="For those alone who may change the bot.")
    unplayed = Count(help_text="Further hands lost with it, the bot being benched.")
    made_at = Moment()

    def get_message(self, row: forfeits.ForfeitRow) -> str:
        """Word it; by its code alone where what was played is still to be kept."""
        try:
            return engine.BotFailure(row.code, **row.facts).message_in(get_language())
        except KeyError:
            return row.code


class Forfeits(serializers.Serializer[object]):
    """A page of forfeits, the latest first."""

    results = Forfeit(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class BotLog(serializers.Serializer[object]):
    """How a program behaved at a place of a match, for those alone who may change the bot."""

    place = serializers.CharField(help_text="`home`, `away` …")
    times = serializers.ListField(
        child=serializers.ListField(child=Count(), min_length=2, max_length=2),
        help_text="Pairs of milliseconds, and of answers that took less, but not less than half.",
    )
    stderr = serializers.CharField(help_text="The end of its standard error, 4096 bytes.")


class BotMatch(serializers.Serializer[object]):
    """A match of a bot."""

    tournament = serializers.SlugField(source="slug")
    ruleset = serializers.CharField()
    published_at = Moment(source="at", allow_null=True)
    versions = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="The versions of the programs, by side; once a worker has begun it.",
    )
    match = MatchRow()
    logs = BotLog(many=True, help_text="For 30 days; none while the deals are secret.")


class BotMatches(serializers.Serializer[object]):
    """A page of matches, the latest first."""

    results = BotMatch(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class NewVersion(StrictSerializer):
    """The text of a program."""

    language = Word(tuple(INTERPRETERS), help_text="What runs it.")
    source = Text(  # type: ignore[assignment]
        help_text="One file, 262144 bytes of UTF-8 at most."
    )


class NewBot(StrictSerializer):
    """A bot that is brought; a program comes with its first version."""

    name = Text()
    kind = serializers.ChoiceField(BROUGHT)
    about = Text(required=False)
    rulesets = serializers.ListField(
        child=serializers.ChoiceField([*engine.RULESETS]),
        required=False,
        help_text="What it plays, and is checked and entered for; all where none is named.",
    )
    language = Word(tuple(INTERPRETERS), required=False, help_text="Of a program.")
    source = Text(  # type: ignore[assignment]
        required=False, help_text="The text of a program."
    )


class OnLadder(StrictSerializer):
    """Which ladder of the bot's club."""

    ruleset = serializers.ChoiceField(TWO_SIDED)


class EnteredBot(serializers.Serializer[object]):
    """An entry of a bot on a ladder."""

    tournament = serializers.URLField(help_text="The address of the ladder.")
    entry = Count(help_text="The number of the entry.")
    round = serializers.IntegerField(allow_null=True, help_text="The round that is being played.")


class SubmittedBot(serializers.Serializer[object]):
    """What is there now."""

    bot = serializers.URLField(help_text="The address of the bot.")
    version = serializers.URLField(allow_null=True, help_text="Its version; poll it for the check.")


class NewComparison(StrictSerializer):
    """Two versions of a program that are to be compared, by their numbers."""

    version = Integer(min_value=1, help_text="Is it better …")
    base = Integer(min_value=1, help_text="… than this one?")
    ruleset = serializers.ChoiceField(TWO_SIDED)
    sets = Integer(
        required=False,
        min_value=1,
        max_value=MAX_SETS,
        help_text=f"Deal sets at most; {MAX_SETS} where nothing is said.",
    )


class KeptComparison(StrictSerializer):
    """Whether a comparison is kept for good."""

    kept = Flag()


class ComparisonAddress(serializers.Serializer[object]):
    """What is there now."""

    comparison = serializers.URLField(help_text="The address of the comparison.")


class ComparisonRow(serializers.Serializer[object]):
    """A comparison of two versions."""

    id = Count(source="pk")
    version = Count(help_text="The version from whose side all is stated.")
    base = Count(help_text="The version that it plays.")
    ruleset = serializers.CharField()
    sets = Count(help_text="Deal sets at most.")
    played = Count(help_text="Deal sets played so far.")
    outcome = serializers.ChoiceField(
        ["", *VersionComparison.Outcome.values],
        help_text="Empty while it is played; `high`: better; `low`: not better; `undecided` after "
        "all sets; `stopped`; `forfeits`: a version lost all its hands by faults; `broken`: the "
        "machine failed.",
    )
    kept = serializers.BooleanField()
    made_at = Moment()
    ended_at = Moment(allow_null=True)
    deleted_at = Moment(allow_null=True, help_text="When it is deleted unless it is kept.")


class Comparisons(serializers.Serializer[object]):
    """A page of comparisons, the latest first."""

    results = ComparisonRow(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class ComparisonPage(serializers.Serializer[object]):
    """A comparison with its test, all from the side of `version`."""

    bot = serializers.SlugField(source="slug")
    comparison = ComparisonRow(source="row")
    test = SequentialTest()
    margin = Figure(allow_null=True, help_text="Points a record above the other version.")
    won = Figure(allow_null=True, help_text="The share of deal sets won.")
    forfeits = serializers.ListField(
        child=serializers.DictField(child=serializers.IntegerField()),
        help_text="Hands lost by faults, by code: of `version`, of `base`.",
    )
    fault = serializers.CharField(help_text="What of the machine broke it off last.")


class Place(serializers.Serializer[object]):
    """One seat of one part of a match: one conversation."""

    match = Count(help_text="The number of the match.")
    part = Count(help_text="Which record of the match it is, from 1.")
    seat = serializers.CharField(help_text="The seat letter.")


class Ended(Place):
    """The end of a part of a match, listed for ten minutes; it needs no answer.

    A postponed match is listed as long as it is postponed, one whose round is a draft again as
    long as it is one.
    """

    messages = serializers.ListField(
        child=serializers.DictField(),
        help_text="The last `end`, and `bye`; `bye` alone where the match did not end by play.",
    )
    why = serializers.ChoiceField(
        [*Ending],
        help_text="`played`; `decided` by a ruling, correction or forfeit; `abandoned`: voided, or "
        "left to the arbiter; `postponed`; `withdrawn`: the publication of its round was undone.",
    )


class Turn(Place):
    """A question. One line is to be answered to the last of its messages."""

    id = Count(source="pk")
    messages = serializers.ListField(
        child=serializers.DictField(),
        help_text="What the table says, as `baza-bot/1` has it; a `hello` or an `ask` is the last.",
    )
    due_at = Moment(help_text="By when the answer has to be in.")


class Turns(serializers.Serializer[object]):
    """What waits for a bot, due first before others."""

    turns = Turn(many=True)
    ended = Ended(many=True)
    poll_after = serializers.FloatField(help_text="Seconds after which to ask again.")
    matches = serializers.ListField(
        child=Count(),
        help_text="The matches that the bot is playing. Once the ends listed are read, a "
        "conversation of any other match is over: the match may have been drawn again, or its "
        "draw undone.",
    )


class Line(serializers.Serializer[object]):
    """The line of the bot: its `ready`, or its answer; or that it has ended."""

    id = Count(required=False)
    say = serializers.CharField(required=False, allow_blank=True)
    type = serializers.ChoiceField(("ready",), required=False)
    protocol = serializers.CharField(required=False)
    name = serializers.CharField(required=False)
    version = serializers.CharField(required=False)
    failure = serializers.ChoiceField(("crash",), required=False)
    ending = serializers.CharField(
        required=False, help_text="How it ended: `code 1`, `signal SIGSEGV`, or `closed`."
    )
    stderr = serializers.CharField(
        required=False, allow_blank=True, help_text="The end of its standard error."
    )


class Replied(Place):
    """What became of a line: taken as an answer, or as the failure that it is."""

    id = Count(source="pk")
    say = serializers.CharField(allow_null=True, help_text="The token that was answered.")
    failure = serializers.CharField(help_text="A code of `baza-bot/1`: the hand is lost; or empty.")
    message = serializers.CharField(help_text="What was wrong; or empty.")
