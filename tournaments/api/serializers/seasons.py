"""Seasons: the list of a club, the table of one, and what is done with it."""

from rest_framework import serializers

from tournaments.api.serializers.base import (
    Count,
    Moment,
    Number,
    Pattern,
    Slug,
    StrictSerializer,
    Text,
    Texts,
)


class SeasonInShort(serializers.Serializer[object]):
    """A season of a list."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(("open", "closed"))
    tournaments = Count(help_text="How many it is made of.")
    created_at = Moment()


class Seasons(serializers.Serializer[object]):
    """The seasons of a club, the newest first."""

    slug = serializers.SlugField(help_text="The club's.")
    name = serializers.CharField(help_text="The club's.")
    seasons = SeasonInShort(many=True)


class SeasonTournament(serializers.Serializer[object]):
    """A tournament of a season."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(("draft", "running", "finished"))
    order = Count(help_text="In time.")
    weight = serializers.FloatField(help_text="How many times it counts.")
    counts = serializers.BooleanField(help_text="It is finished.")


class Taken(serializers.Serializer[object]):
    """What somebody took from a tournament."""

    rank = Count(help_text="The place in it; 0 for somebody who was not there.")
    worth = serializers.FloatField(help_text="Of the place, as many times as the event counts.")
    counts = serializers.BooleanField(help_text="Among the best, which are added up.")


class SeasonLine(serializers.Serializer[object]):
    """One line of the table."""

    rank = serializers.IntegerField(min_value=1)
    shared = serializers.BooleanField()
    name = serializers.CharField()
    players = Texts(help_text="The two of a pair; empty for a person.")
    total = serializers.FloatField()
    wins = Count(help_text="Tournaments won.")
    decided_by = serializers.CharField(
        help_text="What puts it below the line above: total, wins, last_event, shared, or nothing."
    )
    taken = Taken(many=True, help_text="One a tournament that counts, in their order.")


class Season(serializers.Serializer[object]):
    """A season with its table."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    club_slug = serializers.SlugField()
    club_name = serializers.CharField()
    state = serializers.ChoiceField(("open", "closed"))
    ruleset = serializers.CharField(help_text="Empty where any will do.")
    scale = serializers.ChoiceField(("fixed", "fixed40", "linear", "millesimal", "points"))
    by = serializers.ChoiceField(("entry", "person"), help_text="Who collects.")
    best = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="How many results count; null for all."
    )
    tournaments = SeasonTournament(many=True)
    lines = SeasonLine(many=True)


class NewSeason(StrictSerializer):
    """A season that is to be opened."""

    name = Text()
    slug = Slug(required=False, help_text="Its short name; from its name if left.")
    scale = serializers.ChoiceField(
        ("fixed", "fixed40", "linear", "millesimal", "points"), required=False
    )
    by = serializers.ChoiceField(("entry", "person"), required=False, help_text="Who collects.")
    best = Number(required=False, allow_null=True, help_text="How many results count; all if left.")
    ruleset = Text(required=False, help_text="Any will do if left.")


class SeasonEvent(StrictSerializer):
    """A tournament that is to count in a season."""

    tournament = Slug(help_text="Its short name.")
    weight = Pattern(
        r"^[0-9]{1,2}(\.[0-9])?$", required=False, help_text="How many times, as a text: `1.5`."
    )


class NoSeasonEvent(StrictSerializer):
    """A tournament that is to count in a season no more."""

    tournament = Slug(help_text="Its short name.")


class SeasonKept(serializers.Serializer[object]):
    """The season as it stands now."""

    season = serializers.URLField()
    slug = serializers.SlugField()
    state = serializers.ChoiceField(choices=["open", "closed"])
