"""The arena: bots compared, and when their rounds play themselves."""

from rest_framework import serializers

from tournaments.api.serializers.base import (
    Count,
    Flag,
    Integer,
    Moment,
    Pattern,
    StrictSerializer,
    Text,
)
from tournaments.api.serializers.tournaments import Tournament
from tournaments.domain.contest import HIGH, LOW, OPEN


class Figure(serializers.Serializer[object]):
    """A mean of deal sets and its 95 % interval, whose bounds are null for a single one."""

    mean = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class RatingCompared(serializers.Serializer[object]):
    """A rating: the true one lies within `margin` of `rating`, probably."""

    rating = serializers.IntegerField()
    margin = Count()
    provisional = serializers.BooleanField()


class BotCompared(serializers.Serializer[object]):
    """A bot compared with all whom it met; the figures are null before it has played."""

    number = Count(help_text="The number of its entry.")
    name = serializers.CharField()
    bot = serializers.SlugField(source="slug")
    matches = Count()
    sets = Count(help_text="Deal sets; without them, matches.")
    margin = Figure(allow_null=True, help_text="Points a record above the mean of its opponents.")
    won = Figure(allow_null=True, help_text="The share of its deal sets that it won.")
    forfeits = Count(help_text="Hands that it lost by what it did wrong.")
    rating = RatingCompared(allow_null=True)


class SequentialTest(serializers.Serializer[object]):
    """A sequential test of `low` against `high`: decided when the LLR leaves its bounds."""

    model = serializers.ChoiceField(("points", "logistic", "normalized"))
    low = serializers.FloatField()
    high = serializers.FloatField()
    llr = serializers.FloatField()
    lower = serializers.FloatField(help_text="The LLR at which `low` is accepted.")
    upper = serializers.FloatField(help_text="The LLR at which `high` is accepted.")
    sets = Count()
    state = serializers.ChoiceField((OPEN, LOW, HIGH))


class PairCompared(serializers.Serializer[object]):
    """Two bots that met, by the numbers of their entries; `margin` is that of `one`."""

    one = Count()
    other = Count()
    matches = Count()
    sets = Count()
    margin = Figure()
    test = SequentialTest(allow_null=True)


class Arena(serializers.Serializer[object]):
    """The bots of a tournament compared, the best first."""

    tournament = Tournament(source="head")
    deal_sets = Count(help_text="How many a match can have; 0 where a match is one observation.")
    matches = Count(source="compared.matches")
    sets = Count(source="compared.sets")
    bots = BotCompared(many=True, source="compared_bots")
    pairs = PairCompared(many=True, source="compared.pairs")


class Days(serializers.ListField):
    """Days of the week: 0 is Monday."""

    child = Integer(checked=False, min_value=0, max_value=6)


class Timed(StrictSerializer):
    """A time of the day, the days of the week, and whose clock tells them."""

    on = Flag(help_text="Off, nothing happens by itself.")
    at = Pattern(r"^[0-2][0-9]:[0-5][0-9]$", help_text="Hours and minutes: `03:00`.")
    zone = Text(help_text="A name of the time-zone database: `Europe/Madrid`.")
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
