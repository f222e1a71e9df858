"""The serializer of a club with its tournaments."""

from rest_framework import serializers

from tournaments.director.serializers.tournaments import TournamentCard
from tournaments.people.serializers import PEOPLE_IN_SEARCH, Pair, Player, Profile


class Club(serializers.Serializer[object]):
    """A club with its players, pairs and tournaments."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    city = serializers.CharField()
    people_in_search = serializers.BooleanField(help_text=PEOPLE_IN_SEARCH)
    profile = Profile(help_text="What the club says of itself.")
    players = Player(many=True)
    pairs = Pair(many=True)
    tournaments = TournamentCard(many=True)
