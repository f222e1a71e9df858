"""What a director says of rounds, entries, matches and disputes."""

from typing import Any

from rest_framework import serializers

from tournaments.api.shapes.fields import Count, Moment, Texts
from tournaments.models.matches import SIDES

MOST = 2**31 - 1


class Number(serializers.IntegerField):
    """The number of a round or of an entry."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(min_value=1, max_value=9999, **settings)


class Reason(serializers.Serializer[object]):
    """Why."""

    reason = serializers.CharField()


class EntryRow(serializers.Serializer[object]):
    """Somebody to be entered, by name: a pair of two players, or one."""

    players = Texts(min_length=1, max_length=2)
    name = serializers.CharField(required=False, help_text="The pair's own name, if it has one.")
    club = serializers.CharField(required=False, help_text="Where they come from.")
    rating = serializers.IntegerField(required=False, min_value=0, max_value=100_000)


class EntryList(serializers.Serializer[object]):
    """A list of entries: as CSV in the form that the pages take, or row by row; one of the two."""

    csv = serializers.CharField(required=False, help_text="A heading, and one a line.")
    entries = EntryRow(many=True, required=False)


class PlannedEntry(serializers.Serializer[object]):
    """An entry that would be made."""

    line = Count(help_text="Of CSV the line, of rows the number from 1.")
    name = serializers.CharField()
    players = Texts()
    new_players = Texts(help_text="Those whom the club does not know yet.")
    is_new_pair = serializers.BooleanField()
    club = serializers.CharField()
    rating = serializers.FloatField()


class EntryPlan(serializers.Serializer[object]):
    """What a list would do; nothing of it is done."""

    entries = PlannedEntry(many=True)
    new_players = Count()
    new_pairs = Count()


class Absent(serializers.Serializer[object]):
    """What becomes of those who have not checked in."""

    absent = serializers.ChoiceField(("withdraw", "bye"), required=False)


class Afresh(serializers.Serializer[object]):
    """Whether everybody checks in anew."""

    afresh = serializers.BooleanField(required=False)


class Again(serializers.Serializer[object]):
    """Which tables stay when a draft is drawn again."""

    keep_all = serializers.BooleanField(required=False, help_text="All that can; else the pinned.")


class AnotherDraw(serializers.Serializer[object]):
    """Why a stage is drawn again, and its order where that was drawn by hand."""

    reason = serializers.CharField()
    order = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="The numbers of the entries as they were drawn; without it Baza draws.",
    )


class Two(serializers.Serializer[object]):
    """Two entries, by their numbers."""

    one = Number()
    other = Number()


class Rest(serializers.Serializer[object]):
    """An entry that does not play in a round, and what that is worth."""

    entry = Number()
    bye = serializers.ChoiceField(("pairing", "full", "half", "zero"), required=False)


class Minutes(serializers.Serializer[object]):
    """How long a round lasts."""

    minutes = serializers.IntegerField(min_value=1, max_value=MOST)


class Pinned(serializers.Serializer[object]):
    """Whether a table stays as it is when the draft is drawn again."""

    pinned = serializers.BooleanField(required=False)


class Correction(serializers.Serializer[object]):
    """The score that counts, and why."""

    home_hands = Count(max_value=MOST)
    away_hands = Count(max_value=MOST)
    third_hands = Count(max_value=MOST, required=False, help_text="Where three play.")
    home_points = Count(max_value=MOST, required=False)
    away_points = Count(max_value=MOST, required=False)
    third_points = Count(max_value=MOST, required=False)
    reason = serializers.CharField()
    version = Count(
        max_value=MOST,
        required=False,
        help_text="Of the result that is put right, 0 for none: of another nothing is changed.",
    )


class Ruling(serializers.Serializer[object]):
    """What becomes of a contested result; to amend it, its score is wanted."""

    ruling = serializers.ChoiceField(
        ("interim", "uphold", "amend", "void"),
        help_text="`interim`: the result counts for now, and the last ruling follows.",
    )
    reason = serializers.CharField()
    home_hands = Count(max_value=MOST, required=False)
    away_hands = Count(max_value=MOST, required=False)
    third_hands = Count(max_value=MOST, required=False, help_text="Where three play.")
    home_points = Count(max_value=MOST, required=False)
    away_points = Count(max_value=MOST, required=False)
    third_points = Count(max_value=MOST, required=False)


class MatchForfeit(serializers.Serializer[object]):
    """The sides that lose a match without play, and why."""

    sides = Texts(help_text="`home`, `away`, `third`.")
    reason = serializers.CharField()


class Missing(serializers.Serializer[object]):
    """The sides that have not come."""

    sides = Texts(help_text="`home`, `away`, `third`.")


class Decision(serializers.Serializer[object]):
    """Who goes on after a tie, and why."""

    side = serializers.ChoiceField(SIDES)
    reason = serializers.CharField()


class Postponement(serializers.Serializer[object]):
    """When a match is played instead, if that is known."""

    to = Moment(required=False, allow_null=True, help_text="With its offset.")
    reason = serializers.CharField(required=False)


class Leave(serializers.Serializer[object]):
    """Why an entry leaves, if it says so."""

    reason = serializers.CharField(required=False, allow_blank=True)


class Bye(serializers.Serializer[object]):
    """A bye that is asked for."""

    round = Number()
    kind = serializers.ChoiceField(("full", "half", "zero"))


class NewPenalty(serializers.Serializer[object]):
    """What is taken from an entry, of which round, and why; negative numbers give."""

    round = Number()
    reason = serializers.CharField()
    match_points = serializers.RegexField(
        r"^-?[0-9]{1,4}(\.[0-9])?$", required=False, help_text="As a text: `0.5`."
    )
    hands = serializers.IntegerField(min_value=-MOST, max_value=MOST, required=False)
    points = serializers.IntegerField(min_value=-MOST, max_value=MOST, required=False)


class Substitution(serializers.Serializer[object]):
    """Who plays for whom, from one round until before another."""

    leaves = serializers.CharField(help_text="The code of a player of the club.")
    comes = serializers.CharField(help_text="The code of a player of the club.")
    from_round = Number()
    until_round = Number(required=False, allow_null=True)
    reason = serializers.CharField(required=False, allow_blank=True)
