"""How much of what was refused is kept, so that nobody fills the disk with it.

Refused and contested records are evidence. Of a match so many are kept whole, of a sender so many a
day; of more, an event keeps the digest and not the text; of very many more nothing is kept at all,
and they are answered with 429. The service itself is no sender. A transaction that is undone gives
back what it took.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db.models import F, QuerySet
from django.utils import timezone

from tournaments.errors import Reason, Refusal
from tournaments.models import EvidenceDay, Match, Record
from tournaments.permissions import Actor

MOST_OF_A_MATCH: Final = 50
MOST_TEXTS: Final = 200
MOST_BYTES: Final = 16 * 1024 * 1024
MOST_NOTES: Final = 1000
DAY: Final = timedelta(days=1)

KINDS: Final = (Record.State.REFUSED, Record.State.CONTESTED)


def take_room(actor: Actor, match: Match, size: int) -> bool:
    """Take room for a text of so many bytes; tells whether there was any. The match is locked."""
    if match.records.filter(state__in=KINDS).count() >= MOST_OF_A_MATCH:
        return False
    if actor.is_system:
        return True
    left = _today(actor).filter(texts__lt=MOST_TEXTS, size__lte=MOST_BYTES - size)
    return left.update(texts=F("texts") + 1, size=F("size") + size) == 1


def take_note(actor: Actor) -> None:
    """Take room for an event about a text that is not kept. Refuses EVIDENCE_FULL."""
    if actor.is_system:
        return
    if not _today(actor).filter(notes__lt=MOST_NOTES).update(notes=F("notes") + 1):
        raise Refusal(Reason.EVIDENCE_FULL, retry_after=_until_tomorrow())


def forget_old() -> int:
    """Delete the counts of days that are over; answers how many."""
    return EvidenceDay.objects.filter(day__lt=timezone.now().date() - DAY).delete()[0]


def _today(actor: Actor) -> QuerySet[EvidenceDay]:
    """Return the sender's count of today (UTC), made if it is missing."""
    today: dict[str, Any] = {"who": actor.scope_name, "day": timezone.now().date()}
    EvidenceDay.objects.get_or_create(**today)
    return EvidenceDay.objects.filter(**today)


def _until_tomorrow() -> int:
    now = timezone.now()
    midnight = datetime.combine(now.date() + DAY, datetime.min.time(), UTC)
    return int((midnight - now).total_seconds()) + 1
