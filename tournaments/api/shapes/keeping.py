"""What a club keeps: its players, its pairs, its seasons."""

from rest_framework import serializers

from tournaments.api.shapes.directing import Number
from tournaments.api.shapes.fields import Count
from tournaments.api.shapes.people import Pair, Player


class Players(serializers.Serializer[object]):
    """A page of players, in the order of their codes."""

    results = Player(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class Pairs(serializers.Serializer[object]):
    """A page of pairs, in the order of their codes."""

    results = Pair(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class Roster(serializers.Serializer[object]):
    """A list as CSV, in the form that the pages take."""

    csv = serializers.CharField(
        help_text="A heading, `id,nombre` or `pareja,nombre,jugador1,jugador2`, and one a line."
    )


class Imported(serializers.Serializer[object]):
    """What became of the lines of a list."""

    created = Count()
    changed = Count()
    unchanged = Count()


class NewSeason(serializers.Serializer[object]):
    """A season that is to be opened."""

    name = serializers.CharField()
    slug = serializers.SlugField(required=False, help_text="Its short name; from its name if left.")
    scale = serializers.ChoiceField(
        ("fixed", "fixed40", "linear", "millesimal", "points"), required=False
    )
    by = serializers.ChoiceField(("entry", "person"), required=False, help_text="Who collects.")
    best = Number(required=False, allow_null=True, help_text="How many results count; all if left.")
    ruleset = serializers.CharField(required=False, help_text="Any will do if left.")


class SeasonEvent(serializers.Serializer[object]):
    """A tournament that is to count in a season."""

    tournament = serializers.SlugField(help_text="Its short name.")
    weight = serializers.RegexField(
        r"^[0-9]{1,2}(\.[0-9])?$", required=False, help_text="How many times, as a text: `1.5`."
    )


class NoSeasonEvent(serializers.Serializer[object]):
    """A tournament that is to count in a season no more."""

    tournament = serializers.SlugField(help_text="Its short name.")


class SeasonKept(serializers.Serializer[object]):
    """The season as it stands now."""

    season = serializers.URLField()
    slug = serializers.SlugField()
    state = serializers.ChoiceField(choices=["open", "closed"])
