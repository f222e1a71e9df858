"""Public events of a tournament, and the version number that pages follow."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Model

from tournaments.core import keys as core_keys
from tournaments.core.find import find_tournament
from tournaments.core.live_version import with_last_event
from tournaments.core.permissions import Actor
from tournaments.domain.feed import PUBLIC, STANDINGS, PublicEvent, public_type
from tournaments.models import (
    AuditEvent,
    Dispute,
    Entry,
    Match,
    Penalty,
    Record,
    Result,
    Round,
    Substitution,
    Tournament,
)

# --- Feed -----------------------------------------------------------------------------------------
# The public part of a tournament's history, in the order of commits.
#
# A club's events are numbered in the order of their commits and without a gap, since the counter
# is locked until the transaction ends (`audit.write_event`). So no event with a smaller number can
# appear later, and reading on after the last number misses nothing.


PUBLIC_VERBS: Final = tuple(sorted(PUBLIC))

SUBJECTS: Final[Mapping[str, tuple[str, type[Model], str]]] = {
    "round": ("round", Round, "number"),
    "entry": ("entry", Entry, "number"),
    "penalty": ("entry", Penalty, "entry__number"),
    "substitution": ("entry", Substitution, "entry__number"),
    "match": ("match", Match, "pk"),
    "record": ("match", Record, "match_id"),
    "result": ("match", Result, "match_id"),
    "dispute": ("match", Dispute, "match_id"),
}
"""By the subject type of an event: the public subject, and the field with its number or key."""


NUMBER_BYTES, SEAL_BYTES = 8, 10
"""Bytes of a token: the masked sequence number, and the keyed digest that proves it genuine."""


@dataclass(frozen=True, slots=True)
class Feed:
    """How far the events of a tournament go: ``last`` is the club's newest event.

    ``hidden``: the tournament is private or not begun, so that some may not read it. ``version`` is
    that of its pages (:func:`live_version`).
    """

    tournament: int
    slug: str
    club: int
    last: int
    hidden: bool
    version: int


def open_feed(slug: str, viewer: Actor) -> Feed:
    """Return the feed of a tournament: two queries. Refuses NOT_FOUND."""
    return feeds([find_tournament(slug, viewer).pk])[0]


def feeds(tournaments: Collection[int]) -> tuple[Feed, ...]:
    """Return how far the events of tournaments go, by their keys: one query for all."""
    rows = with_last_event(Tournament.objects.filter(pk__in=tournaments)).values_list(
        "pk",
        "slug",
        "club_id",
        "club__auditcounter__last",
        "state",
        "visibility",
        "version",
        "last_event",
    )
    public = (Tournament.State.RUNNING, Tournament.State.FINISHED), Tournament.Visibility.PUBLIC
    return tuple(
        Feed(
            *(pk, slug, club, last or 0),
            hidden=not (state in public[0] and visibility == public[1]),
            version=version + (last_event or 0),
        )
        for pk, slug, club, last, state, visibility, version, last_event in rows
    )


def events_after(feed: Feed, sequence: int, count: int) -> tuple[PublicEvent, ...]:
    """Return the next events after a number, up to ``feed.last``."""
    rows = AuditEvent.objects.filter(
        club=feed.club,
        tournament=feed.tournament,
        verb__in=PUBLIC_VERBS,
        sequence__gt=sequence,
        sequence__lte=feed.last,
    )
    return public_events(list(rows.order_by("sequence")[:count]))


def token_of(tournament: int, sequence: int) -> str:
    """Return the opaque token of an event; the same every time, valid for this tournament alone.

    It hides the sequence number, because the gaps would show how many events are for members
    alone.
    """
    return _token(tournament, sequence, core_keys.secret_keys()[0])


def sequence_of(tournament: int, token: str) -> int | None:
    """Return the sequence number in a token; ``None`` if this tournament has not issued it."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii"))
    except ValueError:  # of characters or of their number
        return None
    if len(raw) != SEAL_BYTES + NUMBER_BYTES:
        return None
    for key in core_keys.secret_keys():
        sequence = int.from_bytes(
            _masked(raw[SEAL_BYTES:], tournament, raw[:SEAL_BYTES], key), "big"
        )
        if hmac.compare_digest(_token(tournament, sequence, key), token):
            return sequence
    return None


def _token(tournament: int, sequence: int, key: str) -> str:
    number = sequence.to_bytes(NUMBER_BYTES, "big")
    seal = _digest("seal", tournament, number, key)[:SEAL_BYTES]
    return urlsafe_b64encode(seal + _masked(number, tournament, seal, key)).decode()


def _masked(number: bytes, tournament: int, seal: bytes, key: str) -> bytes:
    mask = _digest("mask", tournament, seal, key)
    return bytes(byte ^ other for byte, other in zip(number, mask, strict=False))


def _digest(purpose: str, tournament: int, value: bytes, key: str) -> bytes:
    return core_keys.digest(f"feed:{purpose}:{tournament}", value, key)


def public_event(event: AuditEvent) -> PublicEvent | None:
    """Return the public form of an event; ``None`` if it is for members alone."""
    return next(iter(public_events([event])), None)


def public_events(events: Sequence[AuditEvent]) -> tuple[PublicEvent, ...]:
    """Return the public form of events, without those for members alone.

    One query for each kind of subject. The subject of an event about a deleted row is the
    tournament.
    """
    typed = [(event, public_type(event.verb, event.facts)) for event in events]
    numbers = _numbers(event for event, kind in typed if kind)
    return tuple(_public(event, kind, numbers) for event, kind in typed if kind)


def _public(
    event: AuditEvent, kind: str, numbers: Mapping[tuple[str, int], tuple[str, int]]
) -> PublicEvent:
    about, number = numbers.get((event.subject_type, event.subject_pk), ("tournament", None))
    return PublicEvent(event.sequence, kind, event.at, about, number, kind in STANDINGS)


def _numbers(events: Iterable[AuditEvent]) -> dict[tuple[str, int], tuple[str, int]]:
    """Return the public subject of each event's subject, with its number."""
    keys_by_subject: dict[str, set[int]] = {}
    for event in events:
        if event.subject_type in SUBJECTS:
            keys_by_subject.setdefault(event.subject_type, set()).add(event.subject_pk)
    return {
        (subject, pk): (SUBJECTS[subject][0], number)
        for subject, keys in keys_by_subject.items()
        for _, model, field in [SUBJECTS[subject]]
        for pk, number in model._default_manager.filter(  # noqa: SLF001 - Django's own name
            pk__in=keys
        ).values_list("pk", field)
    }
