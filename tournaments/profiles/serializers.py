"""Serializers of meetings and statistics, and of merges of players and pairs."""

from rest_framework import serializers

from tournaments.analysis.serializers import Mean
from tournaments.core.api.serializers import Count, StrictSerializer, Text
from tournaments.profiles.queries.statistics import Statistics


class Merge(StrictSerializer):
    """The player or pair of the club that stays."""

    into = Text(help_text="Its code.")


class Split(StrictSerializer):
    """Which tournaments of a player go to a new player, and the mark of that one."""

    tournaments = serializers.ListField(child=Text(), help_text="Their short names.")
    mark = Text(
        help_text="Written behind the name in brackets; tells the two apart: a village, a nickname."
    )


class Merged(serializers.Serializer[object]):
    """A player or pair after a merge or a separation."""

    code = serializers.CharField()
    name = serializers.CharField()
    same_as = serializers.CharField(
        allow_null=True, help_text="The code of the one that stays; null when it is not merged."
    )


class ShownRating(serializers.Serializer[object]):
    """A rating as it is shown."""

    rating = serializers.IntegerField()
    margin = serializers.IntegerField()
    matches = Count()


class MergeRating(serializers.Serializer[object]):
    """The rating of one of the two under a ruleset; null without matches."""

    ruleset = serializers.CharField()
    name = serializers.CharField()
    before = ShownRating(allow_null=True)
    after = ShownRating(allow_null=True)


class MergeSeasonLine(serializers.Serializer[object]):
    """The line of one of the two, or of their pairs, in a season."""

    name = serializers.CharField()
    rank = serializers.IntegerField(min_value=1)
    total = serializers.FloatField()


class MergeSeason(serializers.Serializer[object]):
    """The lines of a season that a merge changes."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    before = MergeSeasonLine(many=True)
    after = MergeSeasonLine(many=True)


class MergePairs(serializers.Serializer[object]):
    """A pair that is merged with its player, and the one that stays."""

    merged = serializers.CharField()
    main = serializers.CharField(help_text="The one that stays.")


class MergePreview(serializers.Serializer[object]):
    """What a merge would change."""

    merged = serializers.CharField(source="merged.name")
    main = serializers.CharField(source="main.name", help_text="The one that stays.")
    pairs = MergePairs(many=True)
    ratings = MergeRating(many=True)
    seasons = MergeSeason(many=True)


class Competitor(serializers.Serializer[object]):
    """A player, a pair or a bot."""

    ref = serializers.CharField(help_text="`player-<id>`, `pair-<id>` or `bot-<slug>`.")
    name = serializers.CharField()


class MeetingSums(serializers.Serializer[object]):
    """The sums of meetings, from the side of the first."""

    matches = Count()
    won = Count()
    tied = Count()
    lost = Count()
    hands_for = Count()
    hands_against = Count()
    points_for = Count()
    points_against = Count()


class MetMatch(serializers.Serializer[object]):
    """A meeting, from the side of the first."""

    match = Count(source="match_pk")
    round = Count()
    day = serializers.DateField(allow_null=True)
    name = serializers.CharField(help_text="As what the first sat there.")
    against = serializers.CharField()
    outcome = serializers.ChoiceField(("won", "tied", "lost"))
    hands = serializers.ListField(child=Count(), min_length=2, max_length=2)
    points = serializers.ListField(child=Count(), min_length=2, max_length=2)
    forfeit = serializers.BooleanField()


class TournamentMeetings(serializers.Serializer[object]):
    """The meetings in one tournament."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    sums = MeetingSums(source="tally")
    matches = MetMatch(many=True)


class HeadToHead(serializers.Serializer[object]):
    """Two, and all their meetings."""

    one = Competitor(allow_null=True)
    other = Competitor(allow_null=True)
    sums = MeetingSums(source="tally")
    tournaments = TournamentMeetings(many=True)


class Bar(serializers.Serializer[object]):
    """How many there are of something."""

    label = serializers.CharField()  # type: ignore[assignment]  # DRF's
    count = Count()


class ClubStatistics(serializers.Serializer[object]):
    """What was played in a club and counts."""

    matches = Count()
    hands = Count()
    months = Bar(many=True, help_text="`2026-11`, without gaps.")
    rulesets = Bar(many=True, help_text="Hands under each.")
    margins = Bar(many=True, help_text="Matches by the difference of hands.")
    calls = serializers.SerializerMethodField(help_text="Of each declaration in a hundred hands.")
    with_cards = Count(help_text="Hands whose cards are known.")
    dealer = Mean(allow_null=True, help_text="The share of hands that the dealer's side won.")
    busiest = Bar(many=True)

    def get_calls(self, statistics: Statistics) -> dict[str, float]:
        """Return the shares by declaration."""
        return dict(statistics.calls)
