"""Serializers of the days of a tournament."""

from rest_framework import serializers

from tournaments.core.api.serializers import (
    Count,
    Flag,
    Integer,
    Moment,
    Number,
    StrictSerializer,
    Text,
)
from tournaments.director.serializers.tournaments import MatchRow, Tournament
from tournaments.director.services.days import MAX_DAYS_TO_PLAY, MAX_ROUNDS_A_DAY
from tournaments.domain.days import MAX_DAYS
from tournaments.domain.names import MAX_ANNOUNCEMENT_LENGTH, MAX_NAME_LENGTH
from tournaments.models.tournaments import MAX_LINE_LENGTH


class Day(serializers.Serializer[object]):
    """A day on which rounds are played."""

    number = Count()
    starts_at = Moment(allow_null=True, help_text="Null where only the last day is planned.")
    play_by = serializers.DateField(
        allow_null=True, help_text="The last day to play its matches; null: the day itself."
    )
    place = serializers.CharField(help_text="Where it is played, the tournament's place included.")
    note = serializers.CharField()
    holds = Count(help_text="The rounds of a stage that it holds.")
    moved_from = Moment(allow_null=True, help_text="When it was to begin before it was moved.")
    due_on = serializers.DateField(help_text="After this day its matches are overdue.")
    rounds = serializers.ListField(child=Count(), help_text="The rounds on it, by their numbers.")


class OverdueMatch(serializers.Serializer[object]):
    """A match that was to be played before today."""

    match = MatchRow()
    due_on = serializers.DateField()
    is_postponed = serializers.BooleanField(help_text="It was postponed to that day.")


class PostponedMatch(serializers.Serializer[object]):
    """A match that is played on another day than its round."""

    match = MatchRow(source="*")
    to = Moment(source="postponed_to", allow_null=True, help_text="Null: still to be agreed on.")


class Days(serializers.Serializer[object]):
    """The days of a tournament in the order of time."""

    tournament = Tournament(source="head")
    days = Day(many=True)
    overdue = OverdueMatch(many=True, help_text="For arbiters, the oldest first; else empty.")
    postponed = PostponedMatch(many=True, help_text="By their new time, those without it last.")


class Pause(StrictSerializer):
    """Days without play."""

    first = serializers.DateField()
    last = serializers.DateField(help_text="The same for one day off.")


class DayPlan(StrictSerializer):
    """Days on some days of the week."""

    on = serializers.ListField(
        child=Integer(min_value=0, max_value=6), help_text="Days of the week; 0 is Monday."
    )
    at = serializers.TimeField(
        required=False,
        allow_null=True,
        help_text="In the zone of the club; null: each day is only the last to play on.",
    )
    first = serializers.DateField(help_text="The first day that may be one.")
    count = Integer(min_value=1, max_value=MAX_DAYS)
    pauses = Pause(many=True, required=False)
    before_holidays = Flag(
        required=False, help_text="A pause of one day moves the day to the one before."
    )
    play_within = Integer(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MAX_DAYS_TO_PLAY,
        help_text="Days after it by which its matches are to be played.",
    )
    place = Text(required=False, max_length=MAX_NAME_LENGTH, help_text="Empty: the tournament's.")
    holds = Integer(required=False, min_value=1, max_value=MAX_ROUNDS_A_DAY)


class NewDay(StrictSerializer):
    """A day that begins at an hour, has a last day to play, or both."""

    starts_at = Moment(required=False, allow_null=True, help_text="With its offset.")
    play_by = serializers.DateField(required=False, allow_null=True)
    place = Text(required=False, max_length=MAX_NAME_LENGTH, help_text="Empty: the tournament's.")
    note = Text(required=False, max_length=MAX_LINE_LENGTH)
    holds = Integer(required=False, min_value=1, max_value=MAX_ROUNDS_A_DAY)


class DayChange(NewDay):
    """What is to be another of a day; what is left out stays."""

    rounds = serializers.ListField(
        child=Number(), required=False, help_text="The rounds on it, and no others."
    )
    announcement = Text(
        required=False, max_length=MAX_ANNOUNCEMENT_LENGTH, help_text="Announced to the hall."
    )
