"""Writes audit events: who did what. Services call it last, after the rows have changed.

Every event is chained to the previous event of its club (docs/operators/audit.md): the club's
counter, locked until the transaction ends, holds the digest of the last event.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django.db import models, transaction

from tournaments.core.db import one_or_none
from tournaments.core.permissions import Actor
from tournaments.domain.trail import chain
from tournaments.domain.trail.chain import Texts
from tournaments.domain.trail.rows import BASELINE, KINDS, PRIVATE, ROWS, STATED, describe_row
from tournaments.models import (
    AuditCounter,
    AuditEvent,
    Club,
    Entry,
    Penalty,
    Record,
    Tournament,
)
from tournaments.models.audited import audited_rows

SALT_BYTES: Final = 16
"""Random bytes in the commitment to an event's texts."""

BATCH_SIZE: Final = 500
"""Events that one statement chains or replaces."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """A counted row that the event's change deleted."""

    kind: str
    pk: int


@dataclass(frozen=True, slots=True)
class RewordedRow:
    """A counted row in which only the texts were replaced."""

    row: models.Model


NewEvent = tuple[Actor, str, models.Model, Mapping[str, Any]]
"""An event as services pass it: actor, verb, subject, facts."""


def write_event(
    actor: Actor,
    verb: str,
    subject: models.Model,
    *,
    club: Club,
    tournament: Tournament | None = None,
    **facts: Any,
) -> AuditEvent:
    """Add an event to the club's history, in the transaction of the change itself.

    The club's counter stays locked until that transaction ends, so numbers have no gap and follow
    the order of the commits. It is the last lock that a service takes: nothing may be locked after
    it. ``facts`` must be ready for JSON, whole numbers at most 2^53. The exception is ``rows``: the
    rows that the change wrote, of the counted kinds (:mod:`tournaments.domain.trail.rows`), or
    :class:`Deleted`; private ones of a tournament are stated by an event of the club alone, which
    follows. Raises TransactionManagementError outside a transaction, ValueError for larger
    numbers.
    """
    return write_all_events([(actor, verb, subject, facts)], club=club, tournament=tournament)[0]


def write_tournament_event(
    actor: Actor, verb: str, subject: models.Model, tournament: Tournament, **facts: Any
) -> AuditEvent:
    """Add an event about a tournament to the history of its club; else as :func:`write_event`."""
    return write_event(actor, verb, subject, club=tournament.club, tournament=tournament, **facts)


def write_all_events(
    new_events: Sequence[NewEvent], *, club: Club, tournament: Tournament | None = None
) -> list[AuditEvent]:
    """Add several events in their order; otherwise as :func:`write_event`."""
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("an event needs the change's transaction")
    tournament_pk = tournament.pk if tournament else None
    events, private_events = [], []
    for actor, verb, subject, facts in new_events:
        if tournament is not None and ROWS in facts:
            facts, private = _split_rows(facts)
            if private:
                stated = _new_event(actor, STATED, tournament, {ROWS: private}, None)
                private_events.append(stated)
        events.append(_new_event(actor, verb, subject, facts, tournament_pk))
    is_of_bots = all(
        isinstance(subject, Record) and subject.source == Record.Source.BOT
        for _, _, subject, _ in new_events
    )
    _append(club, [*events, *private_events], is_shown=not is_of_bots)
    return events


def _new_event(
    actor: Actor,
    verb: str,
    subject: models.Model,
    facts: Mapping[str, Any],
    tournament_pk: int | None,
) -> AuditEvent:
    # By keys: setting whole rows on a thousand events takes as long as chaining them.
    return AuditEvent(
        tournament_id=tournament_pk,
        verb=verb,
        actor=actor.label,
        user_id=actor.user.pk if actor.user else None,
        token_id=actor.token.pk if actor.token else None,
        subject_type=subject._meta.model_name or "",
        subject_pk=subject.pk,
        subject=str(subject)[:200],
        **_with_rows(facts),
    )


def _split_rows(facts: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Any]]:
    """Return facts without their private rows, and these rows."""
    rows = list(facts[ROWS])
    private = [row for row in rows if _kind_of(row) in PRIVATE]
    if not private:
        return {**facts, ROWS: rows}, private
    facts = {name: value for name, value in facts.items() if name != ROWS}
    if public := [row for row in rows if _kind_of(row) not in PRIVATE]:
        facts[ROWS] = public
    return facts, private


def _kind_of(row: Any) -> str:
    if isinstance(row, Deleted):
        return row.kind
    instance = row.row if isinstance(row, RewordedRow) else row
    return str(instance._meta.model_name)


def write_baseline(
    actor: Actor, tournament: Tournament, reason: str, rows: Iterable[Any] | None = None
) -> None:
    """Record the present state of rows that no event of this release describes.

    Without ``rows``, all counted rows of the tournament: it was imported, or an earlier release
    wrote its events.
    """
    if rows is None:
        rows = (row for kind in KINDS for row in audited_rows(kind, tournament.pk))
    rest = iter(rows)
    while batch := list(islice(rest, BATCH_SIZE)):
        public, private = _split_rows({"why": reason, ROWS: batch})
        if ROWS in public:
            write_tournament_event(actor, BASELINE, tournament, tournament, **public)
        if private:
            facts = {"why": reason, ROWS: private}
            write_all_events([(actor, BASELINE, tournament, facts)], club=tournament.club)


def write_club_baseline(actor: Actor, club: Club, reason: str, rows: Iterable[Any]) -> None:
    """Record the present state of a club's own rows that no event of this release describes."""
    rest = iter(rows)
    while batch := list(islice(rest, BATCH_SIZE)):
        write_all_events([(actor, BASELINE, club, {"why": reason, ROWS: batch})], club=club)


def deleted_rows(entries: Iterable[Entry]) -> list[Deleted]:
    """Return entries, and the penalties that are deleted with them, as deleted rows."""
    keys = [entry.pk for entry in entries]
    penalties = Penalty.objects.filter(entry__in=keys).values_list("pk", flat=True)
    return [
        *(Deleted("entry", key) for key in keys),
        *(Deleted("penalty", key) for key in penalties.order_by("pk")),
    ]


def _with_rows(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of an event with its salt and the digests of its rows."""
    written = list(facts.get(ROWS, ()))
    others = {name: value for name, value in facts.items() if name != ROWS}
    if not written:
        return {"facts": others}
    salt = secrets.token_hex(SALT_BYTES)
    rows: dict[str, list[list[Any]]] = defaultdict(list)
    for row in written:
        kind = _kind_of(row)
        if isinstance(row, Deleted):
            rows[kind].append([row.pk])
            continue
        instance = row.row if isinstance(row, RewordedRow) else row
        pk, content, state, words = describe_row(kind, instance, salt)
        rows[kind].append([pk, content, None if isinstance(row, RewordedRow) else state, words])
    return {"facts": {**others, ROWS: dict(rows)}, "salt": salt}


def copy_events(club: Club, events: Sequence[AuditEvent]) -> None:
    """Append events of another installation to the club's history, numbered in the order given.

    As for :func:`write_event`, the counter is the last lock of the transaction.
    """
    _append(club, events)


def redact_events(actor: Actor, club: Club, replaced: Mapping[int, Texts]) -> list[AuditEvent]:
    """Replace the personal texts of events, given by number; the chain stays valid.

    The new texts must be free of what is to be removed: their hashes are written, with the numbers,
    into new events (``audit.redacted``), which are returned: those of each tournament, and of the
    club alone, in events of their own, because a trail shows the redactions of its events. They
    name nobody but the key of the account that asked, so they never have to be redacted themselves.
    The old texts are removed from the rows, with the salt that would let them be guessed.

    Called in the transaction of the erasure, after its last lock, as :func:`write_event`. Raises
    LookupError for numbers that the club does not have, ValueError for the number of a redaction.
    """
    new_events: list[AuditEvent] = []
    rest = iter(sorted(replaced))
    while numbers := tuple(islice(rest, BATCH_SIZE)):
        events = list(AuditEvent.objects.filter(club=club, sequence__in=numbers))
        if len(events) != len(numbers):
            raise LookupError("some of these events are not the club's")
        by_tournament: dict[int | None, dict[int, Texts]] = defaultdict(dict)
        for event in events:
            by_tournament[event.tournament_id][event.sequence] = replaced[event.sequence]
        redactions = [_redaction(actor, club, texts) for texts in by_tournament.values()]
        new_events += _append(club, redactions)
        _replace_texts(events, replaced)
    return new_events


def lock_history(club: Club) -> AuditCounter:
    """Lock the club's counter, after chaining every event that is not chained yet.

    All events of the club wait here, so it is the last lock of a transaction (`write_event`).
    """
    counters = AuditCounter.objects.select_for_update()
    counter = one_or_none(counters.filter(pk=club.pk))
    if counter is None:
        AuditCounter.objects.get_or_create(club=club)
        counter = counters.get(pk=club.pk)
    if counter.chained != counter.last:
        for tournament in _chain_unchained_events(counter):
            write_baseline(Actor.system(), tournament, "release")
        counter = counters.get(pk=club.pk)
    return counter


def _append(club: Club, events: Sequence[AuditEvent], *, is_shown: bool = True) -> list[AuditEvent]:
    """Number, chain and write events: two statements for the counter, one for the events.

    Those that are not ``is_shown`` leave the pages of the club as they are cached.
    """
    counter = lock_history(club)
    for sequence, event in enumerate(events, start=counter.last + 1):
        event.club_id, event.sequence = club.pk, sequence
        counter.head = _chain_event(event, counter.head)
    counter.last += len(events)
    counter.chained = counter.last
    if is_shown:
        counter.shown = counter.last
    counter.save(update_fields=["last", "chained", "shown", "head"])
    AuditEvent.objects.bulk_create(events)
    return list(events)


def _chain_event(event: AuditEvent, before: str) -> str:
    """Set the salt, the commitment and the digest of an event, and return the digest."""
    event.salt = event.salt or secrets.token_hex(SALT_BYTES)
    event.texts_digest = chain.commitment(event.texts, event.salt)
    event.digest = chain.link(before, chain.says(event.to_chain_event()))
    return event.digest


def _chain_unchained_events(counter: AuditCounter) -> list[Tournament]:
    """Chain the events that a release without a chain has written; return their tournaments."""
    keys: set[int] = set()
    rest = AuditEvent.objects.filter(club=counter.club_id, sequence__gt=counter.chained)
    while events := list(rest.filter(digest="").order_by("sequence")[:BATCH_SIZE]):
        for event in events:
            counter.head = _chain_event(event, counter.head)
        AuditEvent.objects.bulk_update(events, ["salt", "texts_digest", "digest"])
        keys |= {event.tournament_id for event in events if event.tournament_id is not None}
    counter.chained = counter.last
    counter.save(update_fields=["chained", "head"])
    return list(Tournament.objects.filter(pk__in=keys).select_related("club").order_by("pk"))


def _redaction(actor: Actor, club: Club, texts: Mapping[int, Texts]) -> AuditEvent:
    pairs = [[number, chain.commitment(new, "")] for number, new in texts.items()]
    return AuditEvent(
        verb=chain.REDACTED,
        actor="system" if actor.user is None else f"account {actor.user.pk}",
        subject_type="club",
        subject_pk=club.pk,
        subject=str(len(pairs)),
        facts={"events": pairs},
    )


def _replace_texts(events: Sequence[AuditEvent], replaced: Mapping[int, Texts]) -> None:
    if any(event.verb == chain.REDACTED for event in events):
        raise ValueError("the event of a redaction is never redacted itself")
    for event in events:
        new = replaced[event.sequence]
        event.actor, event.subject, event.facts = new.actor, new.subject, dict(new.facts)
        event.salt = ""
    AuditEvent.objects.bulk_update(events, ["actor", "subject", "facts", "salt"])
