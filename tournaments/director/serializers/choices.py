"""Serializers of what a tournament can be made of."""

from rest_framework import serializers

import engine
from tournaments.core.api.serializers import Count, Integer, Texts
from tournaments.domain.pairing import FORMATS
from tournaments.domain.tiebreaks import CRITERIA, Family


class Option(serializers.Serializer[object]):
    """An option of a tournament's records: one of some choices, or a number within bounds."""

    name = serializers.CharField()
    meaning = serializers.CharField(help_text="In the language asked for.")
    value = serializers.JSONField(help_text="What it is where nothing is said.")
    choices = serializers.ListField(child=serializers.JSONField(), allow_null=True)
    least = Integer(allow_null=True)
    most = Integer(allow_null=True)


class Ruleset(serializers.Serializer[object]):
    """A way to play, with the options that a tournament may set."""

    name = serializers.ChoiceField(list(engine.RULESETS))
    version = Count()
    identity = serializers.CharField(help_text="Name and version: `cuatro@1`.")
    title = serializers.CharField()
    seat_counts = serializers.ListField(child=Count(), help_text="How many may sit at a table.")
    pairs = serializers.BooleanField(help_text="Two play together; else everybody alone.")
    options = Option(many=True)


class Format(serializers.Serializer[object]):
    """A format of a stage."""

    name = serializers.ChoiceField(list(FORMATS))
    title = serializers.CharField(help_text="In the language asked for.")
    seats = Count(help_text="How many entries sit at a full table.")
    min_entrants = Count()
    max_entrants = Count(allow_null=True, help_text="Null: without limit.")
    all_at_once = serializers.BooleanField(
        help_text="All rounds are drawn before the first, by the settings that it has by default."
    )
    is_endless = serializers.BooleanField(help_text="Rounds go on as long as one likes.")
    order = Texts(help_text="The criteria after the match points, where the rules name none.")
    rules = serializers.DictField(
        help_text="The rules of a stage that it reads, each with what it is where nothing is said."
    )


class Criterion(serializers.Serializer[object]):
    """A criterion of an order."""

    code = serializers.ChoiceField(list(CRITERIA))
    title = serializers.CharField(help_text="In the language asked for.")
    column = serializers.CharField(help_text="The heading of its column.")
    family = serializers.ChoiceField([family.value for family in Family])
    acronym = serializers.CharField(help_text="FIDE's; or empty.")
    article = serializers.CharField(help_text="Of FIDE's C.07; or empty.")
