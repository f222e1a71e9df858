"""Kinds of field that several shapes share."""

from typing import Any

from rest_framework import serializers

WINNERS = ("home", "away", "third", "tie", "nobody")


class Count(serializers.IntegerField):
    """A number that is never negative."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(min_value=0, **settings)


class Winner(serializers.ChoiceField):
    """Who won a match."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(WINNERS, **settings)


class Texts(serializers.ListField):
    """A list of texts."""

    child = serializers.CharField()


class Counts(serializers.DictField):
    """A number for each side, by its name."""

    child = serializers.IntegerField()


class TextsByName(serializers.DictField):
    """A list of texts for each side or seat, by its name."""

    child = Texts()


class TextByName(serializers.DictField):
    """A text for each seat, by its letter."""

    child = serializers.CharField()


class Pairs(serializers.ListField):
    """A list of two texts each."""

    child = serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2)


class Moment(serializers.DateTimeField):
    """A moment in time, ISO 8601."""
