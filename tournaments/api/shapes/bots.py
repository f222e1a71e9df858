"""Bots: who is there, what their checks said, what they did wrong, and how one is brought."""

from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from rest_framework import serializers

import engine
from tournaments.api.shapes.fields import Count, Moment
from tournaments.api.shapes.tournaments import BOT_KINDS as KINDS
from tournaments.models import Bot as BotRow
from tournaments.queries import bots as queries
from tournaments.services.programs import RUN_BY

BROUGHT = (BotRow.Kind.PROGRAM.value, BotRow.Kind.REMOTE.value)
STATES = ("ready", "checking", "refused", "empty", "benched", "retired")


def _language() -> str:
    return (get_language() or settings.LANGUAGE_CODE)[:2]


class InLanguage(serializers.CharField):
    """A text in the language asked for."""

    def to_representation(self, value: Any) -> str:
        """Choose it."""
        return str(value.get(_language()) or value.get("en", ""))


class BotRating(serializers.Serializer[object]):
    """A rating under one ruleset."""

    ruleset = serializers.CharField()
    rating = serializers.IntegerField()
    margin = serializers.IntegerField(help_text="How far it may be out.")
    provisional = serializers.BooleanField(help_text="Too unsure to rank anybody by.")
    matches = Count()


class BotCard(serializers.Serializer[object]):
    """A bot in a list."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(
        KINDS,
        help_text="`program`: the workers run it; `remote`: it fetches its turns over the API; "
        "the others are of the house.",
    )
    club_slug = serializers.CharField(help_text="Empty for a bot of the house.")
    owner = serializers.CharField(help_text="Its author's user name; empty for a house bot.")
    state = serializers.ChoiceField(
        STATES,
        help_text="`checking`, `refused` and `empty` are programs without a version that may play.",
    )
    rating = BotRating(allow_null=True, help_text="Under the ruleset of most matches.")
    forfeits = Count(help_text="Hands lost by what it did wrong.")


class Bots(serializers.Serializer[object]):
    """A page of bots, in the order of their short names."""

    results = BotCard(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class BotVersion(serializers.Serializer[object]):
    """A version of a program, and how far its check is."""

    number = Count()
    language = serializers.CharField()
    sha256 = serializers.CharField(help_text="Of its text, or of its command as JSON.")
    trusted = serializers.BooleanField(help_text="It runs without the sandbox.")
    state = serializers.ChoiceField(("checking", "ready", "refused"))
    made_by = serializers.CharField()
    made_at = Moment()
    checked_at = Moment(allow_null=True)
    done = Count(help_text="Checks made so far.")
    of = Count(help_text="Checks that there are; 0 before the first.")
    stuck = serializers.BooleanField(help_text="The machine broke the check off too often.")
    fault = serializers.CharField(help_text="What of the machine broke it off last.")


class CheckLine(serializers.Serializer[object]):
    """One check."""

    number = Count()
    check = InLanguage()
    state = serializers.ChoiceField(("ok", "failed", "advice"))
    code = serializers.CharField(help_text="Of `docs/bot-protocol.md`; empty unless it failed.")
    message = InLanguage()
    required = serializers.BooleanField(  # type: ignore[assignment]
        help_text="If it fails, the version may not play."
    )


class BotReport(BotVersion):
    """A version with what its check said, line by line."""

    report = CheckLine(many=True, source="lines")


class Benched(serializers.Serializer[object]):
    """Why a bot is on the bench."""

    tournament = serializers.CharField(required=False)
    round = Count(required=False)
    table = Count(required=False)
    match = Count(required=False, help_text="Under `/matches/{id}/`.")
    record = Count(required=False)
    hand = Count(required=False)
    code = serializers.CharField(required=False)


class BotPage(serializers.Serializer[object]):
    """A bot with its versions, the newest first."""

    slug = serializers.SlugField(source="card.slug")
    name = serializers.CharField(source="card.name")
    kind = serializers.ChoiceField(KINDS, source="card.kind")
    club_slug = serializers.CharField(source="card.club_slug")
    owner = serializers.CharField(source="card.owner")
    state = serializers.ChoiceField(STATES, source="card.state")
    about = serializers.CharField()
    benched_at = Moment(allow_null=True)
    benched_for = Benched()
    retired_at = Moment(allow_null=True)
    ratings = BotRating(many=True, help_text="The one of most matches first.")
    forfeits = Count(source="card.forfeits", help_text="Hands lost by what it did wrong.")
    versions = BotVersion(many=True)


class Forfeit(serializers.Serializer[object]):
    """A hand that a bot lost by what it did."""

    match = Count(source="match_pk", help_text="Under `/matches/{id}/`.")
    record = Count(source="part", help_text="Which record of the match, from 1.")
    hand = Count()
    seat = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)
    code = serializers.CharField(help_text="Of `docs/bot-protocol.md`.")
    message = serializers.SerializerMethodField(help_text="In the language asked for.")
    reply = serializers.CharField(help_text="What it sent.")
    legal = serializers.CharField(help_text="What it could have said.")
    play = serializers.CharField(help_text="What had been played.")
    stderr = serializers.CharField(help_text="For those alone who may change the bot.")
    unplayed = Count(help_text="Further hands lost with it, the bot being benched.")
    made_at = Moment()

    def get_message(self, row: queries.ForfeitRow) -> str:
        """Word it; by its code alone where what was played is still to be kept."""
        try:
            return engine.BotFailure(row.code, **row.facts).words(_language())
        except KeyError:
            return row.code


class Forfeits(serializers.Serializer[object]):
    """A page of forfeits, the latest first."""

    results = Forfeit(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


class NewVersion(serializers.Serializer[object]):
    """The text of a program."""

    language = serializers.ChoiceField(tuple(RUN_BY), help_text="What runs it.")
    source = serializers.CharField(  # type: ignore[assignment]
        help_text="One file, 262144 bytes of UTF-8 at most."
    )


class NewBot(serializers.Serializer[object]):
    """A bot that is brought; a program comes with its first version."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(BROUGHT)
    about = serializers.CharField(required=False)
    language = serializers.ChoiceField(tuple(RUN_BY), required=False, help_text="Of a program.")
    source = serializers.CharField(  # type: ignore[assignment]
        required=False, help_text="The text of a program."
    )


class Brought(serializers.Serializer[object]):
    """What is there now."""

    bot = serializers.URLField(help_text="The address of the bot.")
    version = serializers.URLField(allow_null=True, help_text="Its version; poll it for the check.")
