"""Deleting what tells of people once it has been kept for its time (docs/privacy.md).

How many days that is stands in the settings. Every kind counts for itself, a few thousand rows at a
time, so that no run takes long; what is left over goes an hour later.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from tournaments.models import (
    AuditEvent,
    Delivery,
    Invitation,
    NewAddress,
    Record,
    SignIn,
    Tournament,
)

AT_ONCE: Final = 5000
"""Rows of a kind that one run deletes."""

log = logging.getLogger(__name__)


def forget_what_is_over() -> dict[str, int]:
    """Delete whatever is over for long enough; answers how many of each kind, and logs it."""
    now = timezone.now()
    gone = {
        kind: forget(now - timedelta(days=settings.ENVIRONMENT.keep_days[kind]))
        for kind, forget in KINDS.items()
    }
    if any(gone.values()):
        told = ", ".join(f"{count} {kind}" for kind, count in gone.items() if count)
        log.info("forgotten after their time: %s", told)
    return gone


def _invitations(limit: datetime) -> int:
    """Invitations that nobody can accept any more, and addresses that were never confirmed."""
    over = Q(expires_at__lt=limit) | Q(revoked_at__lt=limit)
    return _deleted(Invitation.objects.filter(over)) + _deleted(
        NewAddress.objects.filter(asked_at__lt=limit)
    )


def _sign_ins(limit: datetime) -> int:
    """Sign-ins that were not used for so long, and sessions that are over."""
    old = SignIn.objects.filter(seen_at__lt=limit)
    keys = list(old.values_list("session_key", flat=True)[:AT_ONCE])
    over = Session.objects.filter(Q(session_key__in=keys) | Q(expire_date__lt=timezone.now()))
    _deleted(over)
    return _deleted(old)


def _attempts(limit: datetime) -> int:
    """What the throttling of sign-ins wrote down: names, addresses, browsers."""
    kinds = (AccessAttempt, AccessFailureLog, AccessLog)
    return sum(_deleted(kind.objects.filter(attempt_time__lt=limit)) for kind in kinds)


def _evidence(limit: datetime) -> int:
    """Texts of refused records of tournaments that are over; digest, verdict and event stay.

    What a dispute was about stays whole.
    """
    finished = AuditEvent.objects.filter(
        tournament=OuterRef("match__round__stage__tournament"), verb="tournament.finished"
    )
    refused = Record.objects.filter(
        Exists(finished.filter(at__lt=limit)),
        ~Exists(finished.filter(at__gte=limit)),
        state=Record.State.REFUSED,
        match__round__stage__tournament__state=Tournament.State.FINISHED,
        disputes=None,
    ).exclude(text="")
    keys = list(refused.values_list("pk", flat=True)[:AT_ONCE])
    return Record.objects.filter(pk__in=keys).update(text="")


def _deliveries(limit: datetime) -> int:
    """Messages to webhooks that arrived or were given up, with what was answered."""
    over = Delivery.objects.exclude(state=Delivery.State.WAITING)
    return _deleted(over.filter(made_at__lt=limit))


def _mails(limit: datetime) -> int:
    """Mails that lie in files, where none are sent."""
    folder = settings.VAR / "mail"
    old = [
        path
        for path in (sorted(folder.glob("*")) if folder.is_dir() else ())
        if path.stat().st_mtime < time.mktime(timezone.localtime(limit).timetuple())
    ]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def _deleted(rows: QuerySet[Any]) -> int:
    keys = list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
    rows.model._default_manager.filter(pk__in=keys).delete()  # noqa: SLF001 - as every model has
    return len(keys)


KINDS: Final[Mapping[str, Callable[[datetime], int]]] = {
    "invitations": _invitations,
    "sign_ins": _sign_ins,
    "attempts": _attempts,
    "evidence": _evidence,
    "deliveries": _deliveries,
    "mails": _mails,
}
"""What is deleted, by the name of its days in the settings."""
