"""Tournaments: lists, entries, standings, the crosstable, rounds and history."""

from rest_framework import serializers

from tournaments.api.shapes.fields import Count, Moment, Winner

TOURNAMENT_STATES = ("draft", "running", "finished")
ROUND_STATES = ("draft", "published", "closed")
MATCH_STATES = ("pending", "accepted", "disputed", "bye")
OUTCOMES = ("won", "tied", "lost")
CRITERIA = ("", "match_points", "direct_encounter", "hand_difference", "point_difference", "shared")
BOT_KINDS = ("random", "simple")


class TournamentCard(serializers.Serializer[object]):
    """A tournament in a list."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    club = serializers.SlugField(source="club_slug")
    club_name = serializers.CharField()
    state = serializers.ChoiceField(TOURNAMENT_STATES)
    entries = Count()
    rounds = Count()
    rounds_closed = Count()
    current_round = Count(allow_null=True, help_text="The round being played.")


class Tournaments(serializers.Serializer[object]):
    """A page of tournaments, in the order of their short names."""

    results = TournamentCard(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class Tournament(serializers.Serializer[object]):
    """A tournament."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    club = serializers.SlugField(source="club_slug")
    club_name = serializers.CharField()
    state = serializers.ChoiceField(TOURNAMENT_STATES)
    ruleset = serializers.CharField()
    options = serializers.DictField(help_text="House rules and match length, as in a record.")
    version = Count(help_text="Goes up with whatever changes the standings.")
    entries = Count()
    rounds = Count()
    rounds_closed = Count()
    current_round = Count(allow_null=True, help_text="The round being played.")
    matches = Count()
    decided = Count(help_text="Matches with an accepted result.")
    disputed = Count(help_text="Matches whose result is under dispute.")


class Side(serializers.Serializer[object]):
    """An entry as one of the two sides of a match."""

    number = Count()
    name = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2)
    is_bot = serializers.BooleanField()


class Bot(serializers.Serializer[object]):
    """A bot that may be entered."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(BOT_KINDS)


class Entries(serializers.Serializer[object]):
    """Who plays in a tournament, and the bots that may be entered."""

    tournament = Tournament(source="head")
    entries = Side(many=True)
    bots = Bot(many=True)


class StandingRow(serializers.Serializer[object]):
    """One entry's line of the table."""

    rank = Count()
    shared = serializers.BooleanField(help_text="Nothing separates it from another of its rank.")
    number = Count(help_text="The entry's number.")
    name = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2)
    is_bot = serializers.BooleanField()
    played = Count()
    won = Count()
    tied = Count()
    lost = Count()
    match_points = Count()
    hands_for = Count()
    hands_against = Count()
    hand_difference = serializers.IntegerField()
    points_for = Count()
    points_against = Count()
    point_difference = serializers.IntegerField()
    decided_by = serializers.ChoiceField(
        CRITERIA, help_text="What placed it below the entry before it; empty for the first."
    )
    direct_points = serializers.FloatField(
        allow_null=True, help_text="Match points among those tied, where that was looked at."
    )


class Standings(serializers.Serializer[object]):
    """The table, computed from accepted results alone."""

    tournament = Tournament(source="head")
    provisional = serializers.BooleanField(help_text="A result is under dispute.")
    rows = StandingRow(many=True)


class EntryName(serializers.Serializer[object]):
    """An entry's number and name."""

    number = Count()
    name = serializers.CharField()


class Cell(serializers.Serializer[object]):
    """One match as the entry of the row saw it."""

    match = Count(source="match_pk")
    outcome = serializers.ChoiceField(OUTCOMES)
    hands_for = Count()
    hands_against = Count()
    points_for = Count()
    points_against = Count()


class CrosstableRow(serializers.Serializer[object]):
    """One entry against all, in the order of `names`; an empty cell was not played."""

    rank = Count()
    number = Count()
    name = serializers.CharField()
    match_points = Count()
    cells = serializers.ListField(child=Cell(many=True))


class Crosstable(serializers.Serializer[object]):
    """Everybody against everybody; rows and columns in the order of the standings."""

    tournament = Tournament(source="head")
    names = EntryName(many=True)
    rows = CrosstableRow(many=True)


class Score(serializers.Serializer[object]):
    """The result of a match."""

    home_hands = Count()
    away_hands = Count()
    home_points = Count()
    away_points = Count()
    winner = Winner()


class MatchRow(serializers.Serializer[object]):
    """A match of a round; without `away` it is a bye."""

    id = Count(source="pk")
    round = Count()
    table = Count()
    home = Side()
    away = Side(allow_null=True)
    state = serializers.ChoiceField(MATCH_STATES)
    score = Score(allow_null=True)
    needs_arbiter = serializers.BooleanField()


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


class Rounds(serializers.Serializer[object]):
    """All rounds that may be seen."""

    tournament = Tournament(source="head")
    rounds = RoundRow(many=True)


class Progress(serializers.Serializer[object]):
    """How far the bots of a round have come."""

    total = Count()
    played = Count()
    running = Count()
    waiting = Count()
    stuck = Count(help_text="Given up after three attempts: left to the arbiter.")
    asked = serializers.BooleanField(help_text="Whether the bots have been asked to play.")
    finished = serializers.BooleanField()


class Round(serializers.Serializer[object]):
    """One round."""

    tournament = Tournament(source="head")
    round = RoundRow()
    progress = Progress(allow_null=True, help_text="Null in a round without bot matches.")


class Event(serializers.Serializer[object]):
    """One change to the tournament: who did what, when."""

    sequence = Count(help_text="Counts the events of the club, without a gap.")
    at = Moment()
    verb = serializers.CharField()
    actor = serializers.CharField()
    subject = serializers.CharField()
    facts = serializers.DictField()


class History(serializers.Serializer[object]):
    """A page of events, oldest first."""

    results = Event(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")
