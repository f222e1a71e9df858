"""The strict serializer that reads every body, and the fields that several serializers share."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NoReturn

from django.utils.dateparse import parse_datetime
from rest_framework import serializers
from rest_framework.fields import empty

from tournaments.domain.datetimes import in_utc

WINNERS = ("home", "away", "third", "tie", "nobody")
MOST = 2**31 - 1
"""The largest number of a column."""

LONGEST_NAME = 60
"""Characters of an unknown field's name that an answer repeats."""


class StrictSerializer(serializers.Serializer[Any]):
    """Reads a body, or an object in one, and refuses unknown fields.

    Its fields refuse values of another type: ``"7"`` and 7.0 are no integers.
    """

    def to_internal_value(self, data: Any) -> Any:
        """Return the values by field, without the fields that the body leaves out."""
        unknown = [name for name in data if name not in self.fields] if _is_object(data) else []
        if unknown:
            raise serializers.ValidationError({unknown[0][:LONGEST_NAME]: "unknown field"})
        return super().to_internal_value(data)


def _is_object(data: object) -> bool:
    return isinstance(data, dict)


class Nothing(StrictSerializer):
    """Nothing has to be said: an empty object."""


class Text(serializers.CharField):
    """A text as it was sent: not trimmed, perhaps empty.

    Services judge its length and its characters, and refuse it with their own codes.
    """

    def run_validation(self, data: Any = empty) -> Any:
        """Do not trim, and let pass what is blank, as DRF's texts do not."""
        return serializers.Field.run_validation(self, data)

    def to_internal_value(self, data: Any) -> str:
        """Refuse everything but texts; DRF takes numbers for texts."""
        return data if isinstance(data, str) else _wrong_type(self)

    def run_validators(self, value: Any) -> None:
        """Leave it to the services."""


class Slug(Text, serializers.SlugField):
    """A short name; that it has the form of one is the services' to judge."""


class Pattern(Text, serializers.RegexField):
    """A text of a documented form, which the services judge."""

    def __init__(self, regex: str, **settings: Any) -> None:
        super().__init__(regex=regex, **settings)


class Flag(serializers.BooleanField):
    """True or false; DRF takes `"yes"` and 1 for true."""

    def to_internal_value(self, data: Any) -> bool:
        """Refuse everything but `true` and `false`."""
        return data if isinstance(data, bool) else _wrong_type(self)


class Integer(serializers.IntegerField):
    """An integer; DRF takes `"7"` and 7.0 for one.

    Limits that are not ``checked`` are only documented: the services judge them.
    """

    def __init__(self, *, checked: bool = True, **settings: Any) -> None:
        super().__init__(**settings)
        self.checked = checked

    def to_internal_value(self, data: Any) -> int:
        """Refuse everything but integers."""
        return data if type(data) is int else _wrong_type(self)

    def run_validators(self, value: Any) -> None:
        """Check the limits."""
        if self.checked:
            super().run_validators(value)


class Count(Integer):
    """A number that is never negative."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(min_value=0, **settings)


class Word(serializers.ChoiceField):
    """One of some words; which ones are possible is the services' to judge."""

    def to_internal_value(self, data: Any) -> str:
        """Refuse everything but texts."""
        return data if isinstance(data, str) else _wrong_type(self)


class Number(Integer):
    """The number of a round or of an entry."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(min_value=1, max_value=9999, **settings)


class Winner(serializers.ChoiceField):
    """Who won a match."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(WINNERS, **settings)


class Texts(serializers.ListField):
    """A list of texts; how many it may have is the services' to judge."""

    child = Text()

    def run_validators(self, value: Any) -> None:
        """Leave it to the services."""


class Counts(serializers.DictField):
    """A number for each side, by its name."""

    child = Integer()


class TextsByName(serializers.DictField):
    """A list of texts for each side or seat, by its name."""

    child = Texts()


class TextByName(serializers.DictField):
    """A text for each seat, by its letter."""

    child = Text()


class Pairs(serializers.ListField):
    """A list of two texts each."""

    child = serializers.ListField(child=Text(), min_length=2, max_length=2)


class Moment(serializers.DateTimeField):
    """A moment in time, ISO 8601; in a body it has to have its offset."""

    def to_internal_value(self, value: Any) -> datetime:
        """Return it in UTC; DRF would take a date, or a time of its own zone."""
        try:
            moment = parse_datetime(value) if isinstance(value, str) else None
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is None:
            _wrong_type(self)
        return in_utc(moment)


def _wrong_type(field: serializers.Field[Any, Any, Any, Any]) -> NoReturn:
    raise serializers.ValidationError(f"not what {field.field_name} may be")
