"""What is told of a match without a record, and the answer to it."""

from rest_framework import serializers

from tournaments.api.shapes.fields import Count


class HandPoints(serializers.Serializer[object]):
    """The points of one hand."""

    home = Count()
    away = Count()
    third = Count(required=False, help_text="Where three play.")
    winner = serializers.ChoiceField(
        ("home", "away", "third"),
        required=False,
        help_text="Where more points did not decide the hand.",
    )
    board = Count(required=False, help_text="Its deal, in duplicate.")


class Report(serializers.Serializer[object]):
    """How a match ended: its score, or the points of each hand; not both."""

    home_hands = Count(required=False)
    away_hands = Count(required=False)
    third_hands = Count(required=False)
    home_points = Count(required=False, help_text="Points may be left out, of all sides.")
    away_points = Count(required=False)
    third_points = Count(required=False)
    hands = HandPoints(many=True, required=False)


class Confirmation(serializers.Serializer[object]):
    """The version of the result that is confirmed, so that no later one is by mistake."""

    version = Count()


class Objection(serializers.Serializer[object]):
    """Why a result is disputed."""

    reason = serializers.CharField()


class Told(serializers.Serializer[object]):
    """What became of it."""

    match = serializers.URLField(help_text="The address of the match.")
    outcome = serializers.ChoiceField(
        choices=["accepted", "reported", "confirmed", "duplicate", "disputed"],
        help_text=(
            "accepted: it counts; reported: it does once another side has confirmed it; confirmed: "
            "what was reported counts now; duplicate: nothing has changed; disputed: nothing "
            "counts until the arbiter rules."
        ),
    )
    version = Count(allow_null=True, help_text="The version of the result that it is about.")
    dispute = Count(allow_null=True, help_text="The dispute that was opened.")
