"""When the rounds of a tournament of bots play themselves."""

from rest_framework import serializers

from tournaments.api.shapes.fields import Moment


class Days(serializers.ListField):
    """Days of the week: 0 is Monday."""

    child = serializers.IntegerField(min_value=0, max_value=6)


class Timed(serializers.Serializer[object]):
    """A time of the day, the days of the week, and whose clock tells them."""

    on = serializers.BooleanField(help_text="Off, nothing happens by itself.")
    at = serializers.RegexField(r"^[0-2][0-9]:[0-5][0-9]$", help_text="Hours and minutes: `03:00`.")
    zone = serializers.CharField(help_text="A name of the time-zone database: `Europe/Madrid`.")
    days = Days(help_text="Days of the week on which a round begins; 0 is Monday.")


class Schedule(Timed):
    """A schedule, and what became of the last time."""

    next = serializers.ListField(child=Moment(), help_text="Its next times; none while it is off.")
    last_at = Moment(allow_null=True, help_text="When it last did something.")
    last_round = serializers.IntegerField(allow_null=True, help_text="The round begun then.")
    left_out = serializers.ListField(
        child=serializers.CharField(), help_text="The bots that were on the bench."
    )
    last_code = serializers.CharField(help_text="Why no round was begun then; else empty.")
    last_text = serializers.CharField(help_text="The same in words.")
