"""Moves what is sealed or signed with the service's secret key to a new key."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from tournaments.core import keys
from tournaments.models import ApiToken, Invitation, SecondFactor, Webhook
from tournaments.models.webhooks import secret_key_of

RECENT_USE: Final = timedelta(days=30)
"""Time without use after which a token is reported."""


@dataclass(frozen=True, slots=True)
class KeyUse:
    """What depends on which key.

    Second factors: ``moved`` to the present key, already there (``kept``), with a ``lost`` key, or
    ``unknown``: of an earlier release, under one of several old keys, and moved at the next code.
    ``webhooks``, by club and host, sign under an older key until their secret is changed.
    ``tokens`` are valid tokens without use for thirty days, ``invitations`` is the end of the last
    open one: both move when used, or expire.
    """

    moved: int
    kept: int
    lost: int
    unknown: int
    webhooks: tuple[tuple[str, str], ...]
    tokens: int
    invitations: datetime | None


def reseal_second_factors() -> KeyUse:
    """Seal every second factor under the present key, each in its own transaction; repeatable."""
    pks = SecondFactor.objects.order_by("pk").values_list("pk", flat=True)
    outcomes = [_reseal(pk) for pk in pks]
    return KeyUse(
        moved=outcomes.count("moved"),
        kept=outcomes.count("kept"),
        lost=outcomes.count("lost"),
        unknown=outcomes.count("unknown"),
        webhooks=_webhooks_of_an_older_key(),
        tokens=_count_unused_tokens(),
        invitations=_last_invitation(),
    )


@transaction.atomic
def _reseal(pk: int) -> str:
    """Seal a second factor under the present key; locked, because its owner may change it."""
    factor = SecondFactor.objects.select_for_update().filter(pk=pk).first()
    if factor is None:  # removed meanwhile
        return "gone"
    if factor.is_sealed:
        result = keys.unseal(factor.SALT, factor.seed)
        if result is None:
            return "lost"
        if result[1] == keys.secret_keys()[0]:
            return "kept"
    # Sealing it under the wrong one of several old keys would lose the secret for good.
    elif len(factor.possible_secrets) > 2:
        return "unknown"
    factor.seed = keys.seal(factor.SALT, factor.secret)
    factor.save(update_fields=["seed"])
    return "moved"


def _webhooks_of_an_older_key() -> tuple[tuple[str, str], ...]:
    webhooks = Webhook.objects.select_related("club").order_by("club__slug", "pk")
    present = keys.secret_keys()[0]
    return tuple(
        (webhook.club.slug, webhook.host)
        for webhook in webhooks
        if secret_key_of(webhook) != present
    )


def _count_unused_tokens() -> int:
    now = timezone.now()
    unused = Q(last_used_at__lt=now - RECENT_USE) | Q(last_used_at__isnull=True)
    good = Q(revoked_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))
    return ApiToken.objects.filter(unused, good).count()


def _last_invitation() -> datetime | None:
    valid = Invitation.objects.filter(revoked_at__isnull=True, expires_at__gt=timezone.now())
    last = valid.filter(uses__lt=F("most_uses")).order_by("expires_at").last()
    return last.expires_at if last else None
