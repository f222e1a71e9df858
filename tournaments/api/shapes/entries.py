"""An entry as the staff sees it, what was decided about it, and the points to go back to."""

from rest_framework import serializers

from tournaments.api.shapes.directing import Number
from tournaments.api.shapes.fields import Count, Moment, Texts


class ByeAsked(serializers.Serializer[object]):
    """A bye that was asked for."""

    id = Count(source="pk")
    round = Count()
    kind = serializers.ChoiceField(("full", "half", "zero"))
    is_open = serializers.BooleanField(help_text="Its round is not published yet.")


class Substitute(serializers.Serializer[object]):
    """Somebody in the place of another."""

    id = Count(source="pk")
    leaves = serializers.CharField()
    comes = serializers.CharField()
    from_round = Count()
    until_round = Count(allow_null=True, help_text="Null while there is no end.")
    reason = serializers.CharField()


class EntryPenalty(serializers.Serializer[object]):
    """A penalty, or one that was taken back."""

    id = Count(source="pk")
    round = Count()
    match_points = serializers.FloatField()
    hands = serializers.IntegerField()
    points = serializers.IntegerField()
    reason = serializers.CharField()
    made_by = serializers.CharField()
    made_at = Moment()
    is_revoked = serializers.BooleanField()
    revocation = serializers.CharField(help_text="Why it was taken back; or empty.")


class EntryDetail(serializers.Serializer[object]):
    """An entry, what the draw knows of it, and what was decided about it."""

    number = Count(source="entry.number")
    name = serializers.CharField(source="entry.name")
    players = Texts(source="entry.players")
    rating = serializers.FloatField(source="entry.rating", help_text="The seeding rating.")
    origin = serializers.CharField(source="entry.origin", help_text="Where it comes from.")
    apart = Texts(help_text="Entries that share a label do not meet.")
    away = serializers.CharField(source="entry.away", help_text="Why it is not there; or empty.")
    byes = ByeAsked(many=True)
    substitutions = Substitute(many=True)
    penalties = EntryPenalty(many=True)


class Description(serializers.Serializer[object]):
    """What the draw should know; what is left out stays."""

    rating = serializers.IntegerField(
        min_value=0, max_value=9999, required=False, help_text="Once drawn, it stays."
    )
    origin = serializers.CharField(required=False, allow_blank=True)
    apart = Texts(required=False)


class Revocation(serializers.Serializer[object]):
    """Why a penalty is taken back."""

    reason = serializers.CharField()


class EndOfSubstitution(serializers.Serializer[object]):
    """From which round on the one who was replaced plays again."""

    until_round = Number()


class RestorePoint(serializers.Serializer[object]):
    """A moment that the tournament can be taken back to: before something was done."""

    id = Count(source="pk")
    verb = serializers.CharField(help_text="What was done then.")
    round = Count(allow_null=True)
    made_by = serializers.CharField()
    made_at = Moment()
    used_at = Moment(allow_null=True, help_text="When it was last gone back to.")
