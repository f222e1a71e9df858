"""The history as a chain: walked and checked, published, and taken along as a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import connection

from tournaments.domain.trail import reading
from tournaments.domain.trail.chain import FIRST, REDACTED, Event, Link, link, says
from tournaments.domain.trail.checking import COUNTER, Found, Walk, faults_of
from tournaments.domain.trail.checkpoints import Checkpoint, public_key
from tournaments.models import AuditCheckpoint, AuditCounter, AuditEvent, Club, Tournament
from tournaments.permissions import Actor, powers
from tournaments.queries.find import find_club, visible
from tournaments.queries.heads import open_tournament
from tournaments.queries.records_file import RecordsFile, whole_file

FETCHED: Final = 2000
"""Events that are fetched at a time."""

GUARDS: Final = {
    "sqlite": ("fixed", "kept", "added"),
    "postgresql": ("fixed", "kept", "whole"),
}
"""The triggers of each of the two tables, by the ends of their names."""

GUARDED: Final = ("tournaments_auditevent", "tournaments_auditcheckpoint")


def own_key() -> str:
    """Return the public key of this installation: 64 hex digits."""
    return public_key(settings.AUDIT_KEY)


# --- checking --------------------------------------------------------------------------------


def check_club(
    club: Club,
    keys: Collection[str],
    kept: Iterable[Checkpoint] = (),
    advance: Callable[[int, int], object] | None = None,
) -> Found:
    """Walk the club's chain from its beginning to its end.

    ``keys`` are the public keys that are trusted, ``kept`` checkpoints that somebody has kept.
    ``advance`` hears how many events are done, and of how many.
    """
    counter = AuditCounter.objects.filter(club=club).first()
    own = [row.stated() for row in AuditCheckpoint.objects.filter(club=club).order_by("number")]
    kept = [one for one in kept if one.club == club.pk]
    heads = [(one.sequence, one.digest, one.number) for one in (*own, *kept)]
    if counter is not None and counter.chained:
        heads.append((counter.chained, counter.head, COUNTER))
    walk = Walk(heads)
    for batch in _batches(club, 0):
        for event in batch:
            walk.take(event.in_chain())
        if advance is not None:
            advance(walk.last, max(walk.last, counter.last if counter else 0))
    found = walk.finish()
    signatures = (*faults_of(own, keys), *(f for one in kept for f in faults_of([one], keys, None)))
    faults = sorted((*found.faults, *signatures), key=lambda fault: fault.sequence)
    return Found(tuple(faults), found.last, found.head, found.redacted)


def missing_guards() -> tuple[str, ...]:
    """Return the triggers that should keep the history as it is and are not there, or are off."""
    wanted = {f"{table}_{guard}" for table in GUARDED for guard in GUARDS[connection.vendor]}
    there = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (%s, %s)",
        # While a backup comes back, what was before stands aside in another schema.
        "postgresql": "SELECT tgname FROM pg_trigger WHERE tgenabled IN ('O', 'A')"
        " AND tgrelid IN (to_regclass(%s), to_regclass(%s))",
    }
    with connection.cursor() as cursor:
        cursor.execute(there[connection.vendor], GUARDED)
        return tuple(sorted(wanted - {name for (name,) in cursor.fetchall()}))


def _batches(club: Club, after: int) -> Iterator[Sequence[AuditEvent]]:
    """Yield the events after a number in their order; each batch is read by itself."""
    events = AuditEvent.objects.filter(club=club).order_by("sequence")
    while batch := list(events.filter(sequence__gt=after)[:FETCHED]):
        yield batch
        after = batch[-1].sequence


# --- what is published -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signed:
    """How far a club's history is signed, and the events among some that do not follow."""

    sequence: int
    at: datetime
    wrong: tuple[int, ...]


def checkpoints_after(slug: str, number: int, count: int, viewer: Actor) -> tuple[Checkpoint, ...]:
    """Return the next checkpoints of a club; everybody may have them."""
    rows = AuditCheckpoint.objects.filter(club=find_club(slug, viewer), number__gt=number)
    return tuple(row.stated() for row in rows.order_by("number")[:count])


def latest_checkpoints(slug: str, count: int, viewer: Actor) -> tuple[AuditCheckpoint, ...]:
    """Return the newest checkpoints of a club, the latest first."""
    rows = AuditCheckpoint.objects.filter(club=find_club(slug, viewer))
    return tuple(rows.order_by("-number")[:count])


def signed(club_pk: int, events: Sequence[AuditEvent]) -> Signed | None:
    """Tell how far the club's history is signed, and whether these events follow: two queries."""
    last = AuditCheckpoint.objects.filter(club=club_pk).order_by("-number").first()
    if last is None:
        return None
    return Signed(last.sequence, last.at, _not_following(club_pk, events))


def _not_following(club_pk: int, events: Sequence[AuditEvent]) -> tuple[int, ...]:
    chained = [event for event in events if event.digest]
    known = {event.sequence: event.digest for event in chained}
    wanted = {event.sequence - 1 for event in chained} - set(known)
    rows = AuditEvent.objects.filter(club=club_pk, sequence__in=wanted)
    known |= dict(rows.values_list("sequence", "digest"))
    return tuple(
        event.sequence
        for event in chained
        if link(known.get(event.sequence - 1, FIRST), says(event.in_chain())) != event.digest
    )


# --- files ---------------------------------------------------------------------------------------


def trail_of_club(slug: str, viewer: Actor) -> RecordsFile:
    """Write all that was done in a club; for organisers. Refuses NOT_FOUND."""
    club = find_club(slug, viewer)
    visible(powers(viewer, club).read_trail)
    return whole_file(lambda: _lines(club, None))


def trail_of_tournament(slug: str, viewer: Actor) -> RecordsFile:
    """Write what was done in a tournament, from its first event on; for members.

    Of the club's other events there are only the digests. Refuses NOT_FOUND.
    """
    this = open_tournament(slug, viewer)
    visible(this.powers.read_history)
    return whole_file(lambda: _lines(this.tournament.club, this.tournament))


def _lines(club: Club, tournament: Tournament | None) -> Iterator[bytes]:
    start = 1
    if tournament is not None:
        own = AuditEvent.objects.filter(tournament=tournament).order_by("sequence")
        start = own.values_list("sequence", flat=True).first() or 1
    before = AuditEvent.objects.filter(club=club, sequence=start - 1)
    head = reading.Head(
        club=_named(club),
        tournament=None if tournament is None else _named(tournament),
        start=start,
        before=before.values_list("digest", flat=True).first() or FIRST,
        key=own_key(),
    )
    yield reading.line(head.document())
    for row in AuditCheckpoint.objects.filter(club=club, sequence__gte=start).order_by("number"):
        yield reading.line({"checkpoint": row.stated().document()})
    for batch in _batches(club, start - 1):
        for event in batch:
            yield _line(event, tournament)


def _line(event: AuditEvent, tournament: Tournament | None) -> bytes:
    """Write an event; one that is none of the tournament's as its digests alone."""
    chained: Event = event.in_chain()
    if tournament is None or event.tournament_id == tournament.pk or event.verb == REDACTED:
        return reading.line({"event": reading.event_document(chained)})
    shown = Link(chained.sequence, says(chained), chained.digest)
    return reading.line({"link": reading.link_document(shown)})


def _named(row: Club | Tournament) -> dict[str, Any]:
    return {"pk": row.pk, "slug": row.slug, "name": row.name}
