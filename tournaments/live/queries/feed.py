"""Live events of a tournament, and the version that pages poll."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Model, OuterRef, Subquery

from tournaments.core import keys as core_keys
from tournaments.core.find import find_tournament, found, visible
from tournaments.core.permissions import Actor, may_see
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

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

# --- Feed -----------------------------------------------------------------------------------------
# The live events of a tournament: its history as everybody may read it, in the order of commits.
#
# A club's events are numbered in the order of their commits and without a gap, since the counter
# is
# locked until the transaction ends (`audit.write_event`). So whoever has read up to a number has
# read
# all there will ever be below it, and asking for what is after it misses nothing.


VERBS: Final = tuple(sorted(PUBLIC))

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
"""By what a row of the history is about: what the public is told instead, and its number there."""


NUMBER, SEAL = 8, 10
"""Bytes of a token: its number, and what proves that it is one of ours."""


@dataclass(frozen=True, slots=True)
class Feed:
    """The events of a tournament: ``last`` is its club's newest, ``hidden`` one not for all."""

    tournament: int
    slug: str
    club: int
    last: int
    hidden: bool


def open_feed(slug: str, viewer: Actor) -> Feed:
    """Return the feed of a tournament: two queries. Refuses NOT_FOUND."""
    return feeds([find_tournament(slug, viewer).pk])[0]


def feeds(tournaments: Collection[int]) -> tuple[Feed, ...]:
    """Return how far the feeds of tournaments are, by their keys: one query for all."""
    told = Tournament.objects.filter(pk__in=tournaments).values_list(
        "pk", "slug", "club_id", "club__auditcounter__last", "state", "visibility"
    )
    public = (Tournament.State.RUNNING, Tournament.State.FINISHED), Tournament.Visibility.PUBLIC
    return tuple(
        Feed(pk, slug, club, last or 0, hidden=not (state in public[0] and seen == public[1]))
        for pk, slug, club, last, state, seen in told
    )


def events_after(feed: Feed, sequence: int, count: int) -> tuple[PublicEvent, ...]:
    """Return the next events after a number, up to where the feed was when it was asked for."""
    rows = AuditEvent.objects.filter(
        club=feed.club,
        tournament=feed.tournament,
        verb__in=VERBS,
        sequence__gt=sequence,
        sequence__lte=feed.last,
    )
    return public_events(list(rows.order_by("sequence")[:count]))


def token_of(tournament: int, sequence: int) -> str:
    """Return the token of an event: always the same, good for this tournament, and unreadable.

    How many events lie between two is nobody's business: some of them are for members alone.
    """
    return _token(tournament, sequence, core_keys.given()[0])


def sequence_of(tournament: int, token: str) -> int | None:
    """Return the number behind a token; nothing for one that this tournament never gave out."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii"))
    except ValueError:  # of characters or of their number
        return None
    if len(raw) != SEAL + NUMBER:
        return None
    for key in core_keys.given():
        sequence = int.from_bytes(_masked(raw[SEAL:], tournament, raw[:SEAL], key), "big")
        if hmac.compare_digest(_token(tournament, sequence, key), token):
            return sequence
    return None


def _token(tournament: int, sequence: int, key: str) -> str:
    number = sequence.to_bytes(NUMBER, "big")
    seal = _digest("seal", tournament, number, key)[:SEAL]
    return urlsafe_b64encode(seal + _masked(number, tournament, seal, key)).decode()


def _masked(number: bytes, tournament: int, seal: bytes, key: str) -> bytes:
    mask = _digest("mask", tournament, seal, key)
    return bytes(one ^ other for one, other in zip(number, mask, strict=False))


def _digest(purpose: str, tournament: int, value: bytes, key: str) -> bytes:
    return core_keys.digest(f"feed:{purpose}:{tournament}", value, key)


def public_event(event: AuditEvent) -> PublicEvent | None:
    """Return a row of the history as everybody may read it; nothing if it is for members alone."""
    return next(iter(public_events([event])), None)


def public_events(events: Sequence[AuditEvent]) -> tuple[PublicEvent, ...]:
    """Return rows of the history as everybody may read them, without those for members alone.

    A query for each kind of subject. What is about a row that is no more is told of the tournament.
    """
    told = [(event, public_type(event.verb, event.facts)) for event in events]
    numbers = _numbers(event for event, kind in told if kind)
    return tuple(_public(event, kind, numbers) for event, kind in told if kind)


def _public(
    event: AuditEvent, kind: str, numbers: Mapping[tuple[str, int], tuple[str, int]]
) -> PublicEvent:
    about, number = numbers.get((event.subject_type, event.subject_pk), ("tournament", None))
    return PublicEvent(event.sequence, kind, event.at, about, number, kind in STANDINGS)


def _numbers(events: Iterable[AuditEvent]) -> dict[tuple[str, int], tuple[str, int]]:
    """Return what each subject of the history is for the public."""
    wanted: dict[str, set[int]] = {}
    for event in events:
        if event.subject_type in SUBJECTS:
            wanted.setdefault(event.subject_type, set()).add(event.subject_pk)
    return {
        (subject, pk): (SUBJECTS[subject][0], number)
        for subject, keys in wanted.items()
        for pk, number in _numbers_of(subject, keys)
    }


def _numbers_of(subject: str, keys: set[int]) -> Iterable[tuple[int, int]]:
    _, model, field = SUBJECTS[subject]
    return model._default_manager.filter(pk__in=keys).values_list("pk", field)  # noqa: SLF001


# --- Live -----------------------------------------------------------------------------------------
# The version of a tournament: a number that every change raises which its public pages show.


SEEN: Final = ("version", "state", "visibility", "club__slug")
"""What is read of a tournament: its version, and who may see it."""


def live_version(slug: str, viewer: Actor) -> str:
    """Return the version of a tournament, a whole number, by one small query. Refuses NOT_FOUND.

    It is greater after every change of the tournament: whatever happens in one is
    written into its history, and what changes the standings raises its version. Numbers of the
    history are given out in the order of the commits, so the greater version is the later one.
    """
    told = AuditEvent.objects.filter(tournament=OuterRef("pk")).order_by("-sequence")
    known = Tournament.objects.select_related("club").only(*SEEN)
    known = known.annotate(told=Subquery(told.values("sequence")[:1]))
    tournament = found(known.filter(slug=slug).first())
    visible(may_see(viewer, tournament))
    return str(tournament.version + (tournament.told or 0))
