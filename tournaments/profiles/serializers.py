"""Serializers of merges of players and pairs."""

from rest_framework import serializers

from tournaments.core.api.serializers import Count, StrictSerializer, Text


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
