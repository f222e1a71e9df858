"""Writing down who did what. Services call it last, after the rows have changed.

Every event is tied to the one before it in its club (docs/audit.md): the club's counter, locked
until the transaction ends, keeps the digest of the last one.
"""

import secrets
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from django.db import models, transaction

from tournaments.domain.trail import chain
from tournaments.domain.trail.chain import Texts
from tournaments.models import AuditCounter, AuditEvent, Club, Tournament
from tournaments.models.rows import only, write_rows
from tournaments.permissions import Actor

SALT: Final = 16
"""Bytes of chance in the commitment to an event's texts."""

TOGETHER: Final = 500
"""Events that are chained, or replaced, by one statement."""

Told = tuple[Actor, str, models.Model, Mapping[str, Any]]
"""What somebody did: who, the verb, its subject, the facts."""


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

    The club's counter stays locked until that transaction ends, so numbers have no gap and stand in
    the order of the commits. It is the last lock that a service takes: nothing may be locked after.
    ``facts`` must be ready for JSON, whole numbers at most 2^53. Raises TransactionManagementError
    outside a transaction, ValueError for other numbers.
    """
    return write_events(actor, [(verb, subject, facts)], club=club, tournament=tournament)[0]


def write_events(
    actor: Actor,
    told: Sequence[tuple[str, models.Model, Mapping[str, Any]]],
    *,
    club: Club,
    tournament: Tournament | None = None,
) -> list[AuditEvent]:
    """Add several events in their order, each a verb, its subject and its facts.

    In all else as :func:`write_event`.
    """
    return write_all_events(
        [(actor, verb, subject, facts) for verb, subject, facts in told],
        club=club,
        tournament=tournament,
    )


def write_all_events(
    told: Sequence[Told], *, club: Club, tournament: Tournament | None = None
) -> list[AuditEvent]:
    """Add events of several people in their order; in all else as :func:`write_event`."""
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("an event needs the change's transaction")
    # By keys: setting whole rows on a thousand events takes as long as chaining them.
    tournament_pk = tournament.pk if tournament else None
    events = [
        AuditEvent(
            tournament_id=tournament_pk,
            verb=verb,
            actor=actor.label[:200],
            user_id=actor.user.pk if actor.user else None,
            token_id=actor.token.pk if actor.token else None,
            subject_type=subject._meta.model_name or "",
            subject_pk=subject.pk,
            subject=str(subject)[:200],
            facts=dict(facts),
        )
        for actor, verb, subject, facts in told
    ]
    return _append(club, events)


def copy_events(club: Club, events: Sequence[AuditEvent]) -> None:
    """Add events of another place to the club's history, numbered on in the order given.

    As for :func:`write_event`, the counter is the last lock of the transaction.
    """
    _append(club, events)


def redact_events(actor: Actor, club: Club, replaced: Mapping[int, Texts]) -> list[AuditEvent]:
    """Replace what events of the club say of people, by their numbers; the chain still holds.

    The new texts must be free of what has to go: their hashes are written, with the numbers, into
    events of their own (``audit.redacted``), which are returned. Those name nobody but the key of
    the account that asked, so that they never have to be replaced themselves. The old texts are
    gone from the rows, with the salt by which they could be guessed.

    In the transaction of the erasure, after its last lock, as :func:`write_event`. Raises
    LookupError for numbers that the club has not, ValueError for one that tells of a redaction.
    """
    told: list[AuditEvent] = []
    rest = iter(sorted(replaced))
    while numbers := tuple(islice(rest, TOGETHER)):
        texts = {number: replaced[number] for number in numbers}
        told += _append(club, [_redaction(actor, club, texts)])
        _replace(club, texts)
    return told


def lock_history(club: Club) -> AuditCounter:
    """Lock the club's counter, its chain complete up to the last event."""
    counters = AuditCounter.objects.select_for_update()
    counter = only(counters.filter(pk=club.pk))
    if counter is None:
        AuditCounter.objects.get_or_create(club=club)
        counter = counters.get(pk=club.pk)
    if counter.chained != counter.last:
        _chain_the_rest(counter)
    return counter


def _append(club: Club, events: Sequence[AuditEvent]) -> list[AuditEvent]:
    """Number events on, chain and write them: two statements for the counter, one for them."""
    counter = lock_history(club)
    for sequence, event in enumerate(events, start=counter.last + 1):
        event.club_id, event.sequence = club.pk, sequence
        counter.head = _tie(event, counter.head)
    counter.last += len(events)
    counter.chained = counter.last
    counter.save(update_fields=["last", "chained", "head"])
    write_rows(events)
    return list(events)


def _tie(event: AuditEvent, before: str) -> str:
    """Give an event its salt, its commitment and its digest, and return that."""
    event.salt = secrets.token_hex(SALT)
    event.texts_digest = chain.commitment(event.texts, event.salt)
    event.digest = chain.link(before, chain.says(event.in_chain()))
    return event.digest


def _chain_the_rest(counter: AuditCounter) -> None:
    """Chain the events that a release without a chain has written since."""
    rest = AuditEvent.objects.filter(club=counter.club_id, sequence__gt=counter.chained)
    while events := list(rest.filter(digest="").order_by("sequence")[:TOGETHER]):
        for event in events:
            counter.head = _tie(event, counter.head)
        AuditEvent.objects.bulk_update(events, ["salt", "texts_digest", "digest"])
    counter.chained = counter.last
    counter.save(update_fields=["chained", "head"])


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


def _replace(club: Club, texts: Mapping[int, Texts]) -> None:
    events = list(AuditEvent.objects.filter(club=club, sequence__in=texts))
    if len(events) != len(texts):
        raise LookupError("some of these events are not the club's")
    if any(event.verb == chain.REDACTED for event in events):
        raise ValueError("an event that tells of a redaction stays as it is")
    for event in events:
        new = texts[event.sequence]
        event.actor, event.subject, event.facts = new.actor, new.subject, dict(new.facts)
        event.salt = ""
    AuditEvent.objects.bulk_update(events, ["actor", "subject", "facts", "salt"])
