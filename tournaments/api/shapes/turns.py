"""The turns of a bot that runs elsewhere, and what became of its line."""

from rest_framework import serializers

from tournaments.api.shapes.fields import Count, Moment


class Place(serializers.Serializer[object]):
    """One seat of one part of a match: one conversation."""

    match = Count(help_text="The number of the match.")
    part = Count(help_text="Which record of the match it is, from 1.")
    seat = serializers.CharField(help_text="The seat letter.")


class Ended(Place):
    """The end of a part of a match, told for ten minutes; nothing is to be answered."""

    messages = serializers.ListField(
        child=serializers.DictField(), help_text="The last `end`, and `bye`."
    )


class Turn(Place):
    """A question. One line is to be answered to the last of its messages."""

    id = Count(source="pk")
    messages = serializers.ListField(
        child=serializers.DictField(),
        help_text="What the table says, as `baza-bot/1` has it; a `hello` or an `ask` is the last.",
    )
    due_at = Moment(help_text="By when the answer has to be in.")


class Turns(serializers.Serializer[object]):
    """What waits for a bot, due first before others."""

    turns = Turn(many=True)
    ended = Ended(many=True)
    poll_after = serializers.FloatField(help_text="Seconds after which to ask again.")


class Line(serializers.Serializer[object]):
    """The line of the bot: its `ready`, or its answer."""

    id = Count(required=False)
    say = serializers.CharField(required=False, allow_blank=True)
    type = serializers.ChoiceField(("ready",), required=False)
    protocol = serializers.CharField(required=False)
    name = serializers.CharField(required=False)
    version = serializers.CharField(required=False)


class Replied(Place):
    """What became of a line: taken as an answer, or as the failure that it is."""

    id = Count(source="pk")
    say = serializers.CharField(allow_null=True, help_text="The token that was answered.")
    failure = serializers.CharField(help_text="A code of `baza-bot/1`: the hand is lost; or empty.")
    message = serializers.CharField(help_text="What was wrong; or empty.")
