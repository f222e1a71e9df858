"""The live events of a tournament."""

from rest_framework import serializers

from tournaments.core.api.serializers import Count, Moment


class Subject(serializers.Serializer[object]):
    """What an event is about, and where that is read."""

    kind = serializers.ChoiceField(choices=["tournament", "round", "entry", "match"])
    id = Count(
        allow_null=True,
        help_text="The number of a round or an entry, the id of a match; null for the tournament.",
    )
    url = serializers.URLField(help_text="Where to read how it is now.")


class LiveEvent(serializers.Serializer[object]):
    """Something that is another now."""

    token = serializers.CharField(help_text="Go on after this event with `?since=`.")
    type = serializers.CharField(help_text="Stable, such as `result.accepted`; more may be added.")
    at = Moment()
    subject = Subject()
    standings = serializers.BooleanField(help_text="The table may be another after it.")


class LiveEvents(serializers.Serializer[object]):
    """Some events, oldest first."""

    results = LiveEvent(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one yet.")
    token = serializers.CharField(help_text="Where to go on with `?since=`, now or later.")
