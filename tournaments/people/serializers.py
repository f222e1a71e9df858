"""Serializers of clubs, players and pairs."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.core.api.serializers import (
    MAX_INTEGER,
    Count,
    Flag,
    Integer,
    Moment,
    Number,
    StrictSerializer,
    Text,
)
from tournaments.domain.roster import Reading, WhoAnswer
from tournaments.models import ApiToken
from tournaments.models.people import MAX_TERMS_LENGTH

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


class Profile(serializers.Serializer[object]):
    """What a club says of itself; each may be empty."""

    address = serializers.CharField()
    contact = serializers.CharField()
    opening_hours = serializers.CharField()
    news = serializers.CharField(help_text="One line.")
    colour = serializers.CharField(help_text="Such as `#b47c10`.")
    house_terms = serializers.CharField(
        help_text="The club's own rules, as new tournaments propose them."
    )


class ClubChange(StrictSerializer):
    """The right name of a club, its town, its settings, what it says of itself; the rest stays."""

    name = Text(required=False)
    city = Text(required=False, allow_blank=True)
    people_in_search = Flag(required=False, help_text=PEOPLE_IN_SEARCH)
    address = Text(required=False, allow_blank=True)
    contact = Text(required=False, allow_blank=True, help_text="For all to see.")
    opening_hours = Text(required=False, allow_blank=True)
    news = Text(required=False, allow_blank=True, help_text="One line.")
    colour = Text(
        required=False,
        allow_blank=True,
        help_text="Such as `#b47c10`, to be seen on light and on dark pages.",
    )
    house_terms = Text(
        required=False,
        allow_blank=True,
        max_length=MAX_TERMS_LENGTH,
        help_text="The club's own rules, the `rules_text` of new tournaments that name none.",
    )


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


class NewPerson(StrictSerializer):
    """A person new to the club."""

    new = Text()


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string"},
            {
                "type": "object",
                "properties": {"new": {"type": "string"}},
                "required": ["new"],
                "additionalProperties": False,
            },
        ]
    }
)
class PersonMeant(serializers.Field[Any, Any, Any, Any]):
    """The code of a player of the club, or a new person."""

    def to_internal_value(self, data: Any) -> WhoAnswer:
        """Return the answer; refuse everything but a text and `NewPerson`."""
        if isinstance(data, str):
            return WhoAnswer(code=data)
        new = NewPerson(data=data)
        new.is_valid(raise_exception=True)
        return WhoAnswer(mark=new.validated_data["new"].strip(" ()"))


class PersonAnswer(StrictSerializer):
    """Which person a name means."""

    line = Integer(min_value=1, max_value=MAX_INTEGER, help_text="As the question has it.")
    seat = Number(help_text="1 or 2.")
    vars()["is"] = PersonMeant(
        help_text='The code of a player of the club, or `{"new": mark}`: a new person. The mark '
        "tells the person from another of the same name, and is written behind the name in "
        "brackets: a village, a nickname; empty where nobody has the name."
    )


class PersonAnswers(StrictSerializer):
    """Which persons names mean that may mean several (`who_is_this`)."""

    who = PersonAnswer(many=True, required=False)
    if_in_doubt = serializers.ChoiceField(
        ("new",),
        required=False,
        help_text="Takes names that are nearly those of others for new persons.",
    )


def answers_of(data: Any) -> Reading:
    """Return what a body says of persons."""
    who = {(answer["line"], answer["seat"]): answer["is"] for answer in data.get("who", ())}
    return Reading(who=who, is_new_in_doubt=data.get("if_in_doubt") == "new")


class Roster(PersonAnswers):
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
