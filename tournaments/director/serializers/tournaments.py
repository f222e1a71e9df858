"""Tournaments: lists, entries, rounds, history, and what may be changed."""

from typing import Any

from rest_framework import serializers

from tournaments.core.api.serializers import (
    Count,
    Flag,
    Integer,
    Moment,
    SparseSerializer,
    StrictSerializer,
    Text,
    Winner,
)
from tournaments.director.queries.draws import DrawRow
from tournaments.director.services.settings import TERM_LIMITS
from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.domain.rows import Seeding
from tournaments.domain.sides import COUNTED, MORE_SIDES, SIDES
from tournaments.models.tournaments import MAX_LINE_LENGTH, MAX_RULES_LENGTH

TOURNAMENT_STATES = ("draft", "running", "finished")

ROUND_STATES = ("draft", "published", "closed")

MATCH_STATES = ("pending", "reported", "accepted", "disputed", "postponed", "bye")

SEEDINGS = [seeding.value for seeding in Seeding]

BOT_KINDS = ("random", "simple", "quick", "strong", "deep", "program", "remote")

ROUNDS = "How many it is to have; as many as are published where that depends on results."

CURRENT = "The first published round with a match still to be played, else the last published."

MODELS = ("points", "logistic", "normalized")


class TournamentCard(serializers.Serializer[object]):
    """A tournament in a list."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    club = serializers.SlugField(source="club_slug")
    club_name = serializers.CharField()
    state = serializers.ChoiceField(TOURNAMENT_STATES)
    visibility = serializers.ChoiceField(["public", "private"])
    entries = Count()
    rounds = Count(help_text=ROUNDS)
    rounds_closed = Count()
    current_round = Count(allow_null=True, help_text=CURRENT)


class Tournaments(serializers.Serializer[object]):
    """A page of tournaments, in the order of their short names."""

    results = TournamentCard(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class Stop(serializers.Serializer[object]):
    """A sequential test on deal sets."""

    model = serializers.ChoiceField(MODELS, required=False)
    low = serializers.FloatField(required=False)
    high = serializers.FloatField(required=False)
    alpha = serializers.FloatField(required=False)
    beta = serializers.FloatField(required=False)


class Tournament(serializers.Serializer[object]):
    """A tournament."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    club = serializers.SlugField(source="club_slug")
    club_name = serializers.CharField()
    state = serializers.ChoiceField(TOURNAMENT_STATES)
    visibility = serializers.ChoiceField(
        ["public", "private"], help_text="Whether only its club and who plays in it see it."
    )
    ruleset = serializers.CharField()
    options = serializers.DictField(help_text="House rules and match length, as in a record.")
    cotos = Count(help_text="How many cotos (records) win a match.")
    deal_sets = Count(help_text="Deal sets of a match between bots; 0 where there are none.")
    stop = Stop(help_text="The sequential test that ends a match early; empty without one.")
    version = Count(help_text="Goes up with whatever changes the standings.")
    entries = Count()
    rounds = Count(help_text=ROUNDS)
    rounds_closed = Count()
    current_round = Count(allow_null=True, help_text=CURRENT)
    matches = Count(help_text="Those of published rounds.")
    decided = Count(help_text="Matches with an accepted result.")
    disputed = Count(help_text="Matches whose result is under dispute.")
    confirmation = serializers.BooleanField(
        help_text="A result that a side reports waits for the other."
    )
    confirm_minutes = Count(help_text="Minutes after which silence confirms it.")
    confirm_after = Count(help_text="The same in hours, rounded up.")
    bye_quota = Count(help_text="Byes with points that an entry may ask for.")
    no_show_minutes = Count(help_text="Minutes after which an absent side forfeits.")
    late_minutes = Count(
        allow_null=True, help_text="Minutes of lateness that cost a hand; null: none do."
    )
    grace_minutes = Count(
        allow_null=True, help_text="Minutes in the first round from which lateness counts."
    )
    self_check_in = serializers.BooleanField(help_text="People check in with their code.")
    points_required = serializers.BooleanField(help_text="No result counts without its points.")
    sides_agree_days = serializers.BooleanField(
        help_text="Two sides may agree another day, until the last day to play."
    )
    begins_at = Moment(allow_null=True, help_text="When it begins, if that is announced.")
    place = serializers.CharField(help_text="Where it is played; or empty.")
    prizes = serializers.CharField(help_text="A line on the prizes; or empty.")
    rules_text = serializers.CharField(help_text="The club's own rules; or empty.")
    posted_at = Moment(allow_null=True, help_text="Since when everybody sees its poster.")
    cancelled_at = Moment(allow_null=True)
    cancel_reason = serializers.CharField(help_text="Why it is not played; or empty.")
    announcement = serializers.CharField(help_text="What the club tells the hall now, or nothing.")
    announced_at = Moment(allow_null=True)


class Side(serializers.Serializer[object]):
    """An entry as one of the two sides of a match."""

    number = Count()
    name = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField(), min_length=1, max_length=2)
    is_bot = serializers.BooleanField()


class EnterableBot(serializers.Serializer[object]):
    """A bot that may be entered."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(BOT_KINDS)


class Clash(serializers.Serializer[object]):
    """A person who is entered in another tournament of the same day."""

    person = serializers.CharField()
    entry = Count(help_text="The number of its entry here.")
    tournament = serializers.CharField(help_text="The name of the other tournament.")


class Entries(serializers.Serializer[object]):
    """Who plays in a tournament, and the bots that may be entered."""

    tournament = Tournament(source="head")
    entries = Side(many=True)
    bots = EnterableBot(many=True)
    clashes = Clash(many=True, help_text="For arbiters; else empty.")


class Score(SparseSerializer):
    """The result of a match."""

    sparse = (*(f"{side}_{counted}" for side in MORE_SIDES for counted in COUNTED), "places")
    home_hands = Count()
    away_hands = Count()
    home_points = Count()
    away_points = Count()
    third_hands = Count(allow_null=True, help_text="Null where two sides play.")
    third_points = Count(allow_null=True)
    fourth_hands = Count(required=False, help_text="Where four play.")
    fourth_points = Count(required=False)
    fifth_hands = Count(required=False, help_text="Where five play.")
    fifth_points = Count(required=False)
    places = serializers.ListField(
        child=Count(), required=False, help_text="Of the sides, where they were stated."
    )
    winner = Winner()
    forfeits = serializers.ListField(
        child=serializers.CharField(), help_text="The sides that did not play."
    )
    decided = serializers.CharField(help_text="Who goes on from a tie, by decision; else empty.")
    cut = serializers.BooleanField(help_text="Time ended the match.")


class TableSide(serializers.Serializer[object]):
    """A side of a table: an entry, or two single players who make a pair."""

    word = serializers.ChoiceField(SIDES, source="side")
    name = serializers.CharField()
    entries = serializers.ListField(child=Count(), help_text="The numbers of its entries.")
    players = serializers.ListField(
        child=serializers.CharField(), help_text="Who plays, stand-ins included."
    )
    is_bot = serializers.BooleanField()


class MatchRow(serializers.Serializer[object]):
    """A match of a round; without `away` it is a bye."""

    id = Count(source="pk")
    round = Count()
    table = Count()
    home = Side()
    away = Side(allow_null=True)
    sides = TableSide(many=True, help_text="All sides, in the order of the seats.")
    state = serializers.ChoiceField(MATCH_STATES)
    score = Score(allow_null=True)
    in_play = serializers.CharField(
        help_text="The cotos that each side has won so far, until there is a result; else empty."
    )
    needs_arbiter = serializers.BooleanField()
    postponed_to = Moment(allow_null=True, help_text="Its own new day, if it was postponed to one.")


class Matches(serializers.Serializer[object]):
    """A page of matches, by round and table."""

    results = MatchRow(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class RoundRow(serializers.Serializer[object]):
    """A round with its matches."""

    number = Count()
    state = serializers.ChoiceField(ROUND_STATES)
    published_at = Moment(allow_null=True)
    closed_at = Moment(allow_null=True)
    commitment = serializers.CharField(
        help_text="SHA-256 that binds the seed of the deals, in hexadecimal."
    )
    seed = serializers.CharField(help_text="The seed itself, once the round is closed; else empty.")
    matches = MatchRow(many=True)
    outdated = serializers.BooleanField(
        help_text="It is a draft that would be drawn otherwise now."
    )
    arrangement = serializers.CharField(
        help_text="Of a draft the digest of who sits where, else empty. A change that is sent with "
        "it is refused (`draft_changed`) once the draft is another."
    )


class Rounds(serializers.Serializer[object]):
    """All rounds that may be seen."""

    tournament = Tournament(source="head")
    rounds = RoundRow(many=True)


class Progress(serializers.Serializer[object]):
    """How far the bots of a round have come."""

    total = Count()
    played = Count()
    running = Count(help_text="In the hands of a worker.")
    waiting = Count()
    stuck = Count(help_text="Given up after three attempts: left to the arbiter.")
    asked = serializers.BooleanField(help_text="Whether the bots have been asked to play.")
    finished = serializers.BooleanField()
    paused = serializers.BooleanField(help_text="No further match of the round is begun.")
    arena_paused = serializers.BooleanField(help_text="No bot match of the service is begun.")
    records = Count(help_text="Records accepted.")
    hands = Count(help_text="Hands in them.")
    workers = serializers.ListField(
        child=serializers.CharField(), help_text="Who plays now: host and process."
    )
    rate = serializers.FloatField(
        allow_null=True, help_text="Hands a second in the last minute; null while too few to tell."
    )
    estimated_end = Moment(allow_null=True, help_text="What follows from the rate, if anything.")


class NamedTable(serializers.Serializer[object]):
    """A table by the names of its sides; with one side it is a bye."""

    table = Count(source="number")
    sides = serializers.ListField(child=serializers.CharField(), min_length=1, max_length=3)


class DraftDifferences(serializers.Serializer[object]):
    """The tables in which an outdated draft and the draw of now differ."""

    draft = NamedTable(many=True, help_text="As they are in the draft.")
    now = NamedTable(many=True, help_text="As they would be drawn now.")
    refusal = serializers.CharField(help_text="Why it cannot be drawn now; else empty.")


class Round(serializers.Serializer[object]):
    """One round."""

    tournament = Tournament(source="head")
    round = RoundRow()
    progress = Progress(allow_null=True, help_text="Null in a round without bot matches.")
    differences = DraftDifferences(
        allow_null=True, help_text="Null unless it is an outdated draft."
    )


class StageDraw(serializers.Serializer[object]):
    """A draw of a stage's seeding order."""

    number = Count(help_text="Counts the draws of the stage, from 1.")
    at = Moment()
    seeding = serializers.ChoiceField(SEEDINGS)
    reason = serializers.CharField(help_text="Why the stage was drawn again; else empty.")
    commitment = serializers.CharField(help_text="SHA-256 that binds its seed, in hexadecimal.")
    seed = serializers.CharField(
        help_text="Of the draw in force empty until a round of the stage is published; "
        "its organisers see it before."
    )
    order = serializers.SerializerMethodField(
        help_text="The numbers of the entries in seeding order, once the seed is there."
    )
    is_in_force = serializers.BooleanField(help_text="False where the draw was undone.")

    def get_order(self, draw: DrawRow) -> list[int]:
        """Return the entry numbers in seeding order."""
        return [entry.number for entry in draw.order]


class StageDraws(serializers.Serializer[object]):
    """How a stage is drawn, and was."""

    stage = Count(source="head.number")
    seeding = serializers.ChoiceField(SEEDINGS, help_text="The setting.")
    comes_to = serializers.ChoiceField(
        SEEDINGS, help_text="The method that it results in for the present entries."
    )
    seeded = Count(help_text="How many keep their place in a draw by lot.")
    next_commitment = serializers.CharField(
        source="commitment", help_text="SHA-256 that binds the seed of the next draw; or empty."
    )
    draws = StageDraw(many=True, help_text="The last first.")


class Event(serializers.Serializer[object]):
    """One change to the tournament: who did what, when."""

    sequence = Count(help_text="Counts the events of the club, without a gap.")
    at = Moment()
    verb = serializers.CharField()
    actor = serializers.CharField()
    subject = serializers.CharField()
    facts = serializers.DictField()
    digest = serializers.CharField(
        help_text="Ties it to the event before it (docs/operators/audit.md)."
    )


class History(serializers.Serializer[object]):
    """A page of events, oldest first."""

    results = Event(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class Announced(StrictSerializer):
    """What announces a tournament."""

    begins_at = Moment(required=False, allow_null=True)
    place = Text(required=False, allow_blank=True, max_length=MAX_NAME_LENGTH)
    prizes = Text(required=False, allow_blank=True, max_length=MAX_LINE_LENGTH)
    rules_text = Text(required=False, allow_blank=True, max_length=MAX_RULES_LENGTH)


class DayTerms(StrictSerializer):
    """What is agreed for the day, until the rounds are drawn."""

    confirmation = Flag(
        required=False, help_text="A result that a side reports waits for the other."
    )
    confirm_minutes = Integer(required=False, min_value=0, max_value=TERM_LIMITS["confirm_minutes"])
    bye_quota = Integer(required=False, min_value=0, max_value=TERM_LIMITS["bye_quota"])
    no_show_minutes = Integer(required=False, min_value=0, max_value=TERM_LIMITS["no_show_minutes"])
    late_minutes = Integer(
        required=False, allow_null=True, min_value=1, max_value=TERM_LIMITS["late_minutes"]
    )
    grace_minutes = Integer(
        required=False, allow_null=True, min_value=1, max_value=TERM_LIMITS["grace_minutes"]
    )
    self_check_in = Flag(required=False)
    points_required = Flag(required=False)
    sides_agree_days = Flag(required=False)


class StageMinutes(Integer):
    """Minutes of a stage; null takes them back."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs |= {"min_value": 1, "max_value": TERM_LIMITS["round_minutes"]}
        super().__init__(required=False, allow_null=True, **kwargs)


class StageTimes(StrictSerializer):
    """The times of a stage; what is left out stays."""

    number = Count(help_text="The number of the stage.")
    round_minutes = StageMinutes(help_text="What is proposed for the clock of its rounds.")
    warn_minutes = StageMinutes(help_text="So long before the end the clock warns.")


class Change(Announced, DayTerms):
    """What is to be another of a tournament; what is left out stays.

    Name, day, place, prizes and house rules until it is over; the rest until it is drawn, but for
    `visibility`.
    """

    name = Text(required=False)
    visibility = serializers.ChoiceField(["public", "private"], required=False)
    confirm_after = Integer(
        required=False,
        min_value=0,
        max_value=TERM_LIMITS["confirm_minutes"] // 60,
        help_text="Hours, where `confirm_minutes` is left out.",
    )
    stages = StageTimes(many=True, required=False, help_text="Times of stages, until it is over.")
    ruleset = Text(required=False)
    despite_requests = Flag(
        required=False, help_text="Change the ruleset though requests for a place no longer fit."
    )
