"""What an organiser says to have a tournament made, drawn, published and closed."""

from rest_framework import serializers

from tournaments.api.shapes.fields import Count
from tournaments.domain.rows import Seeding
from tournaments.services.tournaments import MOST_OF_TERMS


class HowDrawn(serializers.Serializer[object]):
    """How a stage is seeded."""

    seeding = serializers.ChoiceField(
        [seeding.value for seeding in Seeding],
        required=False,
        default="auto",
        help_text="How it is drawn; `auto`: by lot where fewer than half have a rating.",
    )
    seeded = Count(
        required=False, default=0, help_text="How many keep their place in a draw by lot."
    )


class NewTournament(HowDrawn):
    """A tournament that is to be made."""

    name = serializers.CharField()
    slug = serializers.SlugField(required=False, help_text="Its short name; from its name if left.")
    ruleset = serializers.CharField(required=False, default="parejas-online")
    options = serializers.DictField(
        required=False, help_text="Those of its records: `to`, `deals`."
    )
    format = serializers.CharField(required=False, default="liguilla")
    visibility = serializers.ChoiceField(["public", "private"], required=False, default="public")


class Lists(serializers.Serializer[object]):
    """Two lists as CSV, in the form that the pages take."""

    players = serializers.CharField(help_text="A heading, `id,nombre`, and a player a line.")
    pairs = serializers.CharField(
        help_text="A heading, `pareja,nombre,jugador1,jugador2`, and a pair a line."
    )


class BotEntries(serializers.Serializer[object]):
    """Bots that are to be entered."""

    bots = serializers.ListField(
        child=serializers.CharField(),
        help_text="Their short names, each as often as it is to play; it comes numbered then.",
    )


class Draw(serializers.Serializer[object]):
    """Which round is to be drawn."""

    after = Count(
        required=False, default=0, help_text="The number of the last round; 0 for the first draw."
    )
    order = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="The numbers of the entries in the order drawn by hand, where a stage begins.",
    )
    reason = serializers.CharField(
        required=False, help_text="Why a stage that was drawn and taken back is drawn again."
    )


class Change(serializers.Serializer[object]):
    """What is to be another of a tournament; what is left out stays."""

    name = serializers.CharField(required=False, help_text="Until it is over.")
    visibility = serializers.ChoiceField(["public", "private"], required=False)
    confirmation = serializers.BooleanField(
        required=False, help_text="This and all below until its rounds are drawn."
    )
    confirm_after = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_OF_TERMS["confirm_after"], help_text="Hours."
    )
    bye_quota = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_OF_TERMS["bye_quota"]
    )
    no_show_minutes = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_OF_TERMS["no_show_minutes"]
    )
    self_check_in = serializers.BooleanField(required=False)


class Visibility(serializers.Serializer[object]):
    """Who sees a tournament: everybody, or its club and those who play in it."""

    visibility = serializers.ChoiceField(["public", "private"])


class Nothing(serializers.Serializer[object]):
    """Nothing has to be said: an empty object."""


class Finish(serializers.Serializer[object]):
    """Whether a tournament ends although rounds are left to be drawn."""

    early = serializers.BooleanField(required=False)


class Organised(serializers.Serializer[object]):
    """The tournament as it stands now."""

    tournament = serializers.URLField()
    slug = serializers.SlugField()
    state = serializers.ChoiceField(choices=["draft", "running", "finished"])
    version = Count()
