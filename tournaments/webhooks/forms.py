"""Form to add a webhook."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form, set_choices
from tournaments.models import Webhook
from tournaments.models.webhooks import MAX_ADDRESS_LENGTH, MAX_DESCRIPTION_LENGTH


class WebhookForm(Form):
    """Form of a new webhook: address, description, tournament and event types."""

    url = forms.CharField(
        label=_("Address"),
        max_length=MAX_ADDRESS_LENGTH,
        help_text=_("Where your program listens. It begins with https://."),
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=MAX_DESCRIPTION_LENGTH,
        required=False,
        help_text=_("What it is for, so that you know it again."),
    )
    tournament = forms.ChoiceField(label=_("Tournament"), required=False)
    types = forms.MultipleChoiceField(
        label=_("Only these events"),
        choices=Webhook.Type.choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("Tick none and all are sent."),
    )

    def __init__(self, tournaments: Sequence[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        """Build the form; ``tournaments`` are the choices: short name and name."""
        super().__init__(*args, **kwargs)
        everything = ("", _("All tournaments of the club"))
        set_choices(self, "tournament", [everything, *tournaments])

    def field_of(self, refusal: Refusal) -> str | None:
        """Return the name of the field that a refusal is about."""
        about = {Reason.BAD_WEBHOOK_ADDRESS: "url", Reason.BAD_NAME: "description"}
        return about.get(refusal.reason)
