"""Webhooks: where they lead, what became of their messages, and what is asked of them."""

from rest_framework import serializers

from tournaments.core.api.serializers import Count, Moment, Slug, StrictSerializer, Text, Word
from tournaments.models import Delivery as DeliveryRow
from tournaments.models import Webhook as WebhookRow

TYPES = "The kinds of events that are sent; empty: all."


class WebhookSubject(serializers.Serializer[object]):
    """What an event is about, by the ids under which the API returns it."""

    kind = serializers.ChoiceField(("tournament", "round", "entry", "match"))
    id = Count(allow_null=True, help_text="As of live events.")


class WebhookEventData(serializers.Serializer[object]):
    """An event of a tournament."""

    club = serializers.SlugField()
    tournament = serializers.SlugField()
    token = serializers.CharField(help_text="Go on after this event with `?since=`.")
    subject = WebhookSubject()
    standings = serializers.BooleanField(help_text="The table may be another after it.")


class WebhookMessage(serializers.Serializer[object]):
    """A message; further fields may be added."""

    type = serializers.CharField(help_text="Stable; treat an unknown one as *other*.")
    timestamp = Moment()


class WebhookEvent(WebhookMessage):
    """A message about an event of a tournament."""

    data = WebhookEventData()  # type: ignore[assignment]  # Standard Webhooks' name


class WebhookClubData(serializers.Serializer[object]):
    """What `audit.checkpoint` and `ping` say."""

    club = serializers.SlugField()
    checkpoint = serializers.DictField(
        required=False, help_text="Of `audit.checkpoint`: a signed state of the history."
    )


class WebhookOfClub(WebhookMessage):
    """A message about the club itself."""

    data = WebhookClubData()  # type: ignore[assignment]


class Webhook(serializers.Serializer[object]):
    """A webhook, and how many of its messages wait, were given up, and arrived within a month."""

    id = Count(source="pk")
    url = serializers.CharField()
    description = serializers.CharField()
    types = serializers.ListField(child=serializers.CharField(), help_text=TYPES)
    tournament_slug = serializers.CharField(help_text="Empty: all tournaments of the club.")
    state = serializers.ChoiceField(WebhookRow.State.values)
    why = serializers.ChoiceField(
        ("", *WebhookRow.DisableReason.values), help_text="Why it is disabled; empty unless it is."
    )
    failing_since = Moment(allow_null=True)
    held_until = Moment(allow_null=True, help_text="Nothing is sent before, after a failure.")
    waiting = Count()
    failed = Count()
    arrived = Count()
    made_by = serializers.CharField()
    made_at = Moment()


class Webhooks(serializers.Serializer[object]):
    """The webhooks of a club, the oldest first."""

    results = Webhook(many=True)


class NewWebhook(StrictSerializer):
    """A webhook to be added."""

    url = Text(help_text="`https`, port 443 or from 1024 on, of a public host.")
    description = Text(required=False)
    types = serializers.ListField(
        child=Word(WebhookRow.Type.values), required=False, help_text=TYPES
    )
    tournament = Slug(required=False, help_text="Of one tournament alone, by its short name.")


class WebhookOrder(StrictSerializer):
    """What is asked of a webhook; ``since`` only of `redeliver`."""

    since = Moment(required=False, help_text="Send again what was made since then, instead of all.")


class ChangedWebhook(serializers.Serializer[object]):
    """What has become of it."""

    webhook = Webhook(allow_null=True, help_text="As it is now; `null` once it is removed.")
    secret = serializers.CharField(
        allow_null=True, help_text="`whsec_…`, shown when it is new and never again."
    )
    messages = Count(help_text="How many messages are sent, or sent again.")


class Delivery(serializers.Serializer[object]):
    """A message, how often it was tried, and what was answered last."""

    id = Count(source="pk")
    type = serializers.CharField()
    message = serializers.CharField(help_text="The `webhook-id` that it is sent under.")
    state = serializers.ChoiceField(DeliveryRow.State.values)
    attempts = Count()
    status = serializers.IntegerField(allow_null=True, help_text="HTTP, of the last answer.")
    fault = serializers.ChoiceField(
        ("", *DeliveryRow.Fault.values), help_text="Why there was no answer; empty if there was."
    )
    answer = serializers.CharField(help_text="Its first 1,000 characters.")
    took = serializers.IntegerField(allow_null=True, help_text="Milliseconds.")
    made_at = Moment()
    tried_at = Moment(allow_null=True)
    next_at = Moment(allow_null=True, help_text="When it is tried again.")
    arrived_at = Moment(allow_null=True)


class Deliveries(serializers.Serializer[object]):
    """A page of messages, the latest first."""

    results = Delivery(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")
