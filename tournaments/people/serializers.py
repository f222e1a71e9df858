"""Serializers of clubs, players and pairs."""

from typing import Final

from rest_framework import serializers

from tournaments.core.api.serializers import Count, Flag, Moment, StrictSerializer, Text
from tournaments.models import ApiToken

PEOPLE_IN_SEARCH: Final = "Search engines may list the public pages of its players and pairs."


class Token(serializers.Serializer[object]):
    """The token that a request came with."""

    name = serializers.CharField(help_text="What its maker called it.")
    user = serializers.CharField(help_text="The name of the account that it acts for.")
    club = serializers.SlugField(help_text="The short name of the only club that it is for.")
    club_name = serializers.CharField()
    role = serializers.ChoiceField(
        ("organiser", "arbiter"), allow_null=True, help_text="The account's role in the club."
    )
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.values))
    created_at = Moment()
    expires_at = Moment(allow_null=True, help_text="Until when it is valid; null: for good.")


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
    same_as = serializers.CharField(
        allow_null=True, help_text="Of one that is merged: the code of the one that stays."
    )


class Pair(serializers.Serializer[object]):
    """Two players of a club who play together."""

    code = serializers.CharField(help_text="Unique in the club.")
    name = serializers.CharField()
    first = serializers.CharField(help_text="Sits at A when at home, at B when away.")
    second = serializers.CharField(help_text="Sits at C when at home, at D when away.")
    same_as = serializers.CharField(
        allow_null=True, help_text="Of one that is merged: the code of the one that stays."
    )


class NameChange(StrictSerializer):
    """The right name of a player or a pair."""

    name = Text(required=False)


class PlayerChange(NameChange):
    """The right name of a player."""

    as_written = Flag(
        required=False, help_text="A name in doubt (`doubtful_name`) is right as it is."
    )


class ClubChange(StrictSerializer):
    """The right name of a club, its town, and a setting; what is left out stays."""

    name = Text(required=False)
    city = Text(required=False, allow_blank=True)
    people_in_search = Flag(required=False, help_text=PEOPLE_IN_SEARCH)


class Clubs(serializers.Serializer[object]):
    """A page of clubs, in the order of their short names."""

    results = ClubCard(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class Players(serializers.Serializer[object]):
    """A page of players, in the order of their codes."""

    results = Player(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class Pairs(serializers.Serializer[object]):
    """A page of pairs, in the order of their codes."""

    results = Pair(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class Roster(StrictSerializer):
    """A list as CSV, in the form that the pages take."""

    csv = Text(
        help_text="A heading, `id,nombre` or `pareja,nombre,jugador1,jugador2`, and one a line."
    )
    as_written = Flag(
        required=False, help_text="Of players: names in doubt (`name_…`) are right as they are."
    )


class Imported(serializers.Serializer[object]):
    """What became of the lines of a list."""

    created = Count()
    changed = Count()
    unchanged = Count()
