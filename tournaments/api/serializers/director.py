"""Directing a tournament: made, drawn, published and closed; its drafts, clock and check-in."""

from rest_framework import serializers

from tournaments.api.serializers.base import (
    MOST,
    Count,
    Flag,
    Integer,
    Number,
    Slug,
    StrictSerializer,
    Text,
    Word,
)
from tournaments.domain.rows import Seeding


class HowDrawn(StrictSerializer):
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

    name = Text()
    slug = Slug(required=False, help_text="Its short name; from its name if left.")
    ruleset = Text(required=False, default="parejas-online")
    options = serializers.DictField(
        required=False, help_text="Those of its records: `to`, `deals`."
    )
    format = Text(required=False, default="liguilla")
    visibility = Word(["public", "private"], required=False, default="public")


class Draw(StrictSerializer):
    """Which round is to be drawn."""

    after = Count(
        required=False, default=0, help_text="The number of the last round; 0 for the first draw."
    )
    order = serializers.ListField(
        child=Integer(),
        required=False,
        help_text="The numbers of the entries in the order drawn by hand, where a stage begins.",
    )
    reason = Text(
        required=False, help_text="Why a stage that was drawn and taken back is drawn again."
    )


class Visibility(StrictSerializer):
    """Who sees a tournament: everybody, or its club and those who play in it."""

    visibility = Word(["public", "private"])


class Finish(StrictSerializer):
    """Whether a tournament ends although rounds are left to be drawn."""

    early = Flag(required=False)


class Organised(serializers.Serializer[object]):
    """The tournament as it stands now."""

    tournament = serializers.URLField()
    slug = serializers.SlugField()
    state = serializers.ChoiceField(choices=["draft", "running", "finished"])
    version = Count()


class Absent(StrictSerializer):
    """What becomes of those who have not checked in."""

    absent = serializers.ChoiceField(("withdraw", "bye"), required=False)


class Afresh(StrictSerializer):
    """Whether everybody checks in anew."""

    afresh = Flag(required=False)


class Again(StrictSerializer):
    """Which tables stay when a draft is drawn again."""

    keep_all = Flag(required=False, help_text="All that can; else the pinned.")


class AnotherDraw(StrictSerializer):
    """Why a stage is drawn again, and its order where that was drawn by hand."""

    reason = Text()
    order = serializers.ListField(
        child=Integer(),
        required=False,
        help_text="The numbers of the entries as they were drawn; without it Baza draws.",
    )


class Two(StrictSerializer):
    """Two entries, by their numbers."""

    one = Number()
    other = Number()


class Rest(StrictSerializer):
    """An entry that does not play in a round, and what that is worth."""

    entry = Number()
    bye = serializers.ChoiceField(("pairing", "full", "half", "zero"), required=False)


class Minutes(StrictSerializer):
    """How long a round lasts."""

    minutes = Integer(min_value=1, max_value=MOST)


class Pinned(StrictSerializer):
    """Whether a table stays as it is when the draft is drawn again."""

    pinned = Flag(required=False)
