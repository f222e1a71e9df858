"""Clubs, their players and pairs."""

from rest_framework import serializers

from tournaments.api.shapes.fields import Count
from tournaments.api.shapes.tournaments import TournamentCard


class ClubCard(serializers.Serializer[object]):
    """A club in a list."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    city = serializers.CharField()
    players = Count()
    tournaments = Count(help_text="Tournaments that may be seen.")


class Player(serializers.Serializer[object]):
    """A player of a club."""

    code = serializers.CharField(help_text="Unique in the club.")
    name = serializers.CharField()


class Pair(serializers.Serializer[object]):
    """Two players of a club who play together."""

    code = serializers.CharField(help_text="Unique in the club.")
    name = serializers.CharField()
    first = serializers.CharField(help_text="Sits at A when at home, at B when away.")
    second = serializers.CharField(help_text="Sits at C when at home, at D when away.")


class NameChange(serializers.Serializer[object]):
    """The right name of a player or a pair."""

    name = serializers.CharField(required=False)


class ClubChange(serializers.Serializer[object]):
    """The right name of a club, and its town; what is left out stays."""

    name = serializers.CharField(required=False)
    city = serializers.CharField(required=False, allow_blank=True)


class Club(serializers.Serializer[object]):
    """A club with its players, pairs and tournaments."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    city = serializers.CharField()
    players = Player(many=True)
    pairs = Pair(many=True)
    tournaments = TournamentCard(many=True)


class Clubs(serializers.Serializer[object]):
    """A page of clubs, in the order of their short names."""

    results = ClubCard(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")
