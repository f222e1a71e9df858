"""Webhooks for tests: a club that has one, and the other side of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import F
from django.utils import timezone

from tests.clubs import SYSTEM
from tournaments.core.outgoing import Fault, Reply
from tournaments.models import Club, Delivery, Webhook
from tournaments.webhooks.services import deliveries
from tournaments.webhooks.services.webhooks import add_webhook

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

    from tournaments.domain.addresses import Address

URL = "https://club.example/baza"


def a_webhook(club: Club, **fields: Any) -> Webhook:
    return add_webhook(SYSTEM, club, **{"url": URL, **fields})


def reply_with(status: int, body: bytes = b"") -> Reply:
    return Reply(status, body, None, 12)


def unanswered(fault: Fault = Fault.TIME) -> Reply:
    return Reply(None, b"", fault, 15_000)


@dataclass
class OtherSide:
    """A replacement for the network: what was sent, and what is answered to it."""

    says: Callable[[Mapping[str, Any]], Reply] = lambda _: reply_with(204)
    messages: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)

    def send(
        self, address: Address, body: bytes, headers: Mapping[str, str], *, private: bool = False
    ) -> Reply:
        assert not private
        message = json.loads(body)
        self.messages.append(message)
        self.headers.append(dict(headers))
        self.bodies.append(body)
        self.hosts.append(address.host)
        return self.says({**message, "host": address.host})

    @property
    def types(self) -> list[str]:
        return [message["type"] for message in self.messages]

    def install(self, patch: pytest.MonkeyPatch) -> OtherSide:
        patch.setattr(deliveries, "send", self.send)
        return self


def let_time_pass(**passed: float) -> None:
    """What waiting so long would do to the rows of webhooks."""
    past = timedelta(**passed)
    Delivery.objects.update(next_at=F("next_at") - past)
    Delivery.objects.exclude(lease_until=None).update(lease_until=F("lease_until") - past)
    Webhook.objects.exclude(held_until=None).update(held_until=F("held_until") - past)
    Webhook.objects.exclude(failing_since=None).update(failing_since=F("failing_since") - past)
    Webhook.objects.exclude(old_until=None).update(old_until=F("old_until") - past)


def a_moment_ago() -> Any:
    return timezone.now() - timedelta(seconds=1)
