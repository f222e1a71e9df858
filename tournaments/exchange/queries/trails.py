"""The audit trail as a chain (verified, published, exported), and the history page."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.models import Q, QuerySet

from tournaments.core.db import row_of
from tournaments.core.find import find_club, find_match, not_found_unless
from tournaments.core.permissions import Actor, club_rights
from tournaments.director.queries.tournaments import open_tournament
from tournaments.domain.sides import SIDES
from tournaments.domain.trail import reading
from tournaments.domain.trail.chain import FIRST, REDACTED, Event, Link, link, redactions, says
from tournaments.domain.trail.checking import COUNTER, ChainReport, Walk, faults_of
from tournaments.domain.trail.checkpoints import Checkpoint, public_key
from tournaments.domain.trail.rows import (
    CLUB_KINDS,
    KINDS,
    ROWS,
    RowFault,
    RowHistory,
)
from tournaments.models import (
    AuditCheckpoint,
    AuditCounter,
    AuditEvent,
    Club,
    Match,
    Record,
    Tournament,
)
from tournaments.models.audited import FETCHED, audited_rows, audited_rows_of_club
from tournaments.results.queries.records import RecordsFile, consistent_snapshot, write_lines_file

# --- Trails ---------------------------------------------------------------------------------------
# The history as a chain of digests: verified, published, and exported as a file.


TRAILS_FETCHED: Final = 2000
"""Events fetched at a time."""

MAX_CHECKPOINTS: Final = 100  # of the page of a club, the latest

GUARDS: Final = {
    "sqlite": ("fixed", "kept", "added"),
    "postgresql": ("fixed", "kept", "whole"),
}
"""Triggers of each of the `GUARDED` tables, by the ends of their names."""

GUARDED: Final = ("tournaments_auditevent", "tournaments_auditcheckpoint")


def installation_key() -> str:
    """Return the public key of this installation: 64 hex digits."""
    return public_key(settings.AUDIT_KEY)


# --- checking --------------------------------------------------------------------------------


def check_club(
    club: Club,
    keys: Collection[str],
    stored: Iterable[Checkpoint] = (),
    advance: Callable[[int, int], object] | None = None,
) -> ChainReport:
    """Verify the chain of a club's events from its beginning to its end.

    ``keys`` are the public keys that are trusted, ``stored`` checkpoints that people have kept
    elsewhere. ``advance`` is called with the number of events done and of all events.
    """
    counter = AuditCounter.objects.filter(club=club).first()
    checkpoints = [
        row.to_checkpoint() for row in AuditCheckpoint.objects.filter(club=club).order_by("number")
    ]
    stored = [checkpoint for checkpoint in stored if checkpoint.club == club.pk]
    heads = [
        (checkpoint.sequence, checkpoint.digest, checkpoint.number)
        for checkpoint in (*checkpoints, *stored)
    ]
    if counter is not None and counter.chained:
        heads.append((counter.chained, counter.head, COUNTER))
    walk = Walk(heads)
    for batch in _batches(club, 0):
        for event in batch:
            walk.add_event(event.to_chain_event())
        if advance is not None:
            advance(walk.last, max(walk.last, counter.last if counter else 0))
    result = walk.finish()
    signatures = (
        *faults_of(checkpoints, keys),
        *(f for checkpoint in stored for f in faults_of([checkpoint], keys, None)),
    )
    faults = sorted((*result.faults, *signatures), key=lambda fault: fault.sequence)
    return ChainReport(tuple(faults), result.last, result.head, result.redacted)


def missing_guards() -> tuple[str, ...]:
    """Return the triggers protecting the history that are missing or disabled.

    Asked of the database's catalogue, which has no model.
    """
    trigger_names = {f"{table}_{guard}" for table in GUARDED for guard in GUARDS[connection.vendor]}
    queries = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (%s, %s)",
        # While a backup is restored, the previous tables are in another schema.
        "postgresql": "SELECT tgname FROM pg_trigger WHERE tgenabled IN ('O', 'A')"
        " AND tgrelid IN (to_regclass(%s), to_regclass(%s))",
    }
    with connection.cursor() as cursor:
        cursor.execute(queries[connection.vendor], GUARDED)
        return tuple(sorted(trigger_names - {name for (name,) in cursor.fetchall()}))


def _batches(club: Club, after: int) -> Iterator[Sequence[AuditEvent]]:
    """Yield the events after a number in their order; each batch is a query of its own."""
    events = AuditEvent.objects.filter(club=club).order_by("sequence")
    while batch := list(events.filter(sequence__gt=after)[:TRAILS_FETCHED]):
        yield batch
        after = batch[-1].sequence


# --- what is published -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SignedState:
    """The last signed event of a club's history, and the given events that break the chain."""

    sequence: int
    at: datetime
    wrong: tuple[int, ...]


def checkpoints_after(slug: str, number: int, count: int) -> tuple[Checkpoint, ...]:
    """Return the next checkpoints of a club; they are public."""
    rows = AuditCheckpoint.objects.filter(club=find_club(slug), number__gt=number)
    return tuple(row.to_checkpoint() for row in rows.order_by("number")[:count])


def latest_checkpoints(slug: str) -> tuple[AuditCheckpoint, ...]:
    """Return the newest checkpoints of a club, the latest first."""
    rows = AuditCheckpoint.objects.filter(club=find_club(slug))
    return tuple(rows.order_by("-number")[:MAX_CHECKPOINTS])


def signed_state(club_pk: int, events: Sequence[AuditEvent]) -> SignedState | None:
    """Return how far the club's history is signed, and which of the events break the chain.

    Two queries; ``None`` without a checkpoint.
    """
    last = AuditCheckpoint.objects.filter(club=club_pk).order_by("-number").first()
    if last is None:
        return None
    return SignedState(last.sequence, last.at, _chain_breaks(club_pk, events))


def _chain_breaks(club_pk: int, events: Sequence[AuditEvent]) -> tuple[int, ...]:
    chained = [event for event in events if event.digest]
    digests = {event.sequence: event.digest for event in chained}
    predecessors = {event.sequence - 1 for event in chained} - set(digests)
    rows = AuditEvent.objects.filter(club=club_pk, sequence__in=predecessors)
    digests |= dict(rows.values_list("sequence", "digest"))
    return tuple(
        event.sequence
        for event in chained
        if link(digests.get(event.sequence - 1, FIRST), says(event.to_chain_event()))
        != event.digest
    )


# --- files ---------------------------------------------------------------------------------------


def trail_of_club(slug: str, viewer: Actor) -> RecordsFile:
    """Write the whole history of a club to a file; for organisers. Refuses NOT_FOUND."""
    club = find_club(slug)
    not_found_unless(club_rights(viewer, club).read_trail)
    return write_lines_file(lambda: _lines(club, None))


def trail_of_tournament(slug: str, viewer: Actor) -> RecordsFile:
    """Write the history from a tournament's first event on to a file; for members.

    Of the club's other events it has only the digests, and of redactions those of its own events.
    Refuses NOT_FOUND.
    """
    access = open_tournament(slug, viewer)
    not_found_unless(access.powers.read_history)
    return write_lines_file(lambda: _lines(access.tournament.club, access.tournament))


def _lines(club: Club, tournament: Tournament | None) -> Iterator[bytes]:
    start, redacted = 1, frozenset[int]()
    if tournament is not None:
        events = AuditEvent.objects.filter(tournament=tournament).order_by("sequence")
        start = events.values_list("sequence", flat=True).first() or 1
        redacted = frozenset(events.filter(salt="").values_list("sequence", flat=True))
    before = AuditEvent.objects.filter(club=club, sequence=start - 1)
    head = reading.Head(
        club=_identify(club),
        tournament=None if tournament is None else _identify(tournament),
        start=start,
        before=before.values_list("digest", flat=True).first() or FIRST,
        key=installation_key(),
    )
    yield reading.line(head.document())
    for row in AuditCheckpoint.objects.filter(club=club, sequence__gte=start).order_by("number"):
        yield reading.line({"checkpoint": row.to_checkpoint().document()})
    for batch in _batches(club, start - 1):
        for event in batch:
            is_shown = tournament is None or event.tournament_id == tournament.pk
            yield _line(event, is_shown=is_shown or _redacts(event, redacted))


def _redacts(event: AuditEvent, sequences: Collection[int]) -> bool:
    """Return whether an event replaced the texts of one of these."""
    if event.verb != REDACTED:
        return False
    try:
        return not redactions(event.facts).keys().isdisjoint(sequences)
    except ValueError:  # forged: shown, so that it is found
        return True


def _line(event: AuditEvent, *, is_shown: bool) -> bytes:
    """Return the line of an event; of one that is not shown only its digests."""
    chained: Event = event.to_chain_event()
    if is_shown:
        return reading.line({"event": reading.event_document(chained)})
    event_link = Link(chained.sequence, says(chained), chained.digest)
    return reading.line({"link": reading.link_document(event_link)})


def _identify(row: Club | Tournament) -> dict[str, Any]:
    return {"pk": row.pk, "slug": row.slug, "name": row.name}


# --- Audited --------------------------------------------------------------------------------------
# Compares the rows that count with the digests in the events that wrote them
# (docs/operators/audit.md).


def check_rows(tournament: Tournament) -> tuple[RowFault, ...]:
    """Return where the rows of a tournament differ from its history, by event.

    Two queries for the events and one for each kind of row, read in batches from one snapshot of
    the database; in memory are the digests of one tournament.
    """
    history = RowHistory()
    with consistent_snapshot():
        _apply_events(history, AuditEvent.objects.filter(tournament=tournament))
        private = {"subject_type": "tournament", "subject_pk": tournament.pk}
        _apply_events(history, _events_of_club(tournament.club_id).filter(**private))
        for kind in KINDS:
            history.compare(kind, audited_rows(kind, tournament.pk))
    return tuple(history.faults)


def check_club_rows(club: Club) -> tuple[RowFault, ...]:
    """Return where the seasons and merges of a club differ from its history, by event."""
    history = RowHistory()
    with consistent_snapshot():
        _apply_events(history, _events_of_club(club.pk).exclude(subject_type="tournament"))
        for kind in CLUB_KINDS:
            history.compare(kind, audited_rows_of_club(kind, club.pk))
    return tuple(history.faults)


def _events_of_club(club_pk: int) -> QuerySet[AuditEvent]:
    """Return the events of a club alone: those of private rows have their tournament as subject."""
    return AuditEvent.objects.filter(tournament=None, club=club_pk)


def _apply_events(history: RowHistory, events: QuerySet[AuditEvent]) -> None:
    rows = events.filter(facts__has_key=ROWS).order_by("sequence")
    for event in rows.values_list("sequence", "salt", "facts").iterator(chunk_size=FETCHED):
        history.apply_event(*event)


# --- History --------------------------------------------------------------------------------------
# The history page of a tournament or match.


MAX_EVENTS = 500  # of a history page, the latest
LAST_NUMBER = re.compile(r"\d+$")
LABEL = re.compile(r".*/([0-9]{1,4})/([0-9]{1,5})", re.DOTALL)
"""The label of a match (`Match.label`), with round and table. An imported event may have another
value in its place."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event of the history."""

    sequence: int
    at: datetime
    verb: str
    actor: str
    subject: str
    facts: dict[str, Any]
    digest: str


@dataclass(frozen=True, slots=True)
class MatchRef:
    """The match of an event."""

    pk: int
    round: int
    table: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """An event with its match, scores and reason, for the history page.

    ``meeting`` is missing for an event about no match, or a deleted one; ``about`` is then its
    subject and ``round`` the number of the round. ``score`` and ``before`` are hands side by side,
    empty without a result. ``record`` is the key of its record, ``code`` why that was refused, with
    the values of that sentence (``params``).
    """

    event: EventRow
    meeting: MatchRef | None
    about: str
    round: int | None
    score: tuple[int, ...]
    before: tuple[int, ...]
    record: int | None
    code: str
    params: Mapping[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class History:
    """Events, the latest first, and how far the club's history is signed, if it is."""

    events: tuple[HistoryEvent, ...]
    signed: SignedState | None


def tournament_history(slug: str, viewer: Actor) -> History:
    """Return the history of a tournament with the matches of its events; for members."""
    return _history(_events(slug, viewer))


def match_history(pk: int, viewer: Actor) -> History:
    """Return the history of a match and its records; for members."""
    match = find_match(pk, viewer)
    events = _events(match.tournament.slug, viewer)
    records = list(match.records.values_list("pk", flat=True))
    return _history(
        events.filter(
            Q(subject_type="match", subject_pk=match.pk)
            | Q(subject_type="record", subject_pk__in=records)
            | Q(facts__match=match.label)
        )
    )


def _history(queryset: QuerySet[AuditEvent]) -> History:
    events = tuple(queryset.order_by("-sequence")[:MAX_EVENTS])
    pks = [event.subject_pk for event in events if event.subject_type == "record"]
    records = Record.objects.only("match_id", "params").in_bulk(pks)
    meetings = _meetings(events, records)
    rows = zip(events, _event_rows(events), strict=True)
    return History(
        tuple(_history_event(event, row, meetings.get(event.pk), records) for event, row in rows),
        signed_state(events[0].club_id, events) if events else None,
    )


def _history_event(
    event: AuditEvent, row: EventRow, meeting: MatchRef | None, records: Mapping[int, Record]
) -> HistoryEvent:
    facts = row.facts
    after = facts.get("after") or facts.get("result") or facts.get("score")
    reason = str(facts.get("reason") or "")
    record = records.get(event.subject_pk) if event.subject_type == "record" else None
    return HistoryEvent(
        row,
        meeting,
        "" if meeting else _about(event),
        None if meeting else _round(event),
        _score(after if isinstance(after, Mapping) else facts),
        _score(facts.get("before")),
        record.pk if meeting and record else None,
        str(facts.get("code") or ""),
        record.params if record else {},
        "" if reason in event.subject else reason,
    )


def _about(event: AuditEvent) -> str:
    """Return the subject of an event; empty for the tournament and its rounds.

    The page names these by itself.
    """
    entry_name = event.facts.get("entry")
    if entry_name or event.subject_type in {"tournament", "round"}:
        return str(entry_name or "")
    return event.subject


def _round(event: AuditEvent) -> int | None:
    """Return the number of an event's round."""
    number = event.facts.get("round")
    if isinstance(number, int):
        return number
    if event.subject_type != "round":
        return None
    match = LAST_NUMBER.search(event.subject)
    return int(match[0]) if match else None


def _score(facts: object) -> tuple[int, ...]:
    """Return the places that an event states, or else the hands."""
    if not isinstance(facts, Mapping):  # before an undo a verb, of a postponement a time
        return ()
    hands = (facts.get(f"{side}_hands") for side in SIDES)
    counts = tuple(count for count in hands if isinstance(count, int))
    places = facts.get("places")
    return tuple(places) if counts and isinstance(places, list) else counts


def _meetings(
    events: Sequence[AuditEvent], records: Mapping[int, Record]
) -> Mapping[int, MatchRef]:
    """Return the matches of events of one tournament, by the keys of the events: one query."""
    keys = {event.pk: key for event in events if (key := _match_key(event, records)) is not None}
    labels = {event.pk: label for event in events if (label := _match_label(event)) is not None}
    tables: dict[int, set[int]] = {}
    for label in labels.values():
        tables.setdefault(int(label[1]), set()).add(int(label[2]))
    condition = Q(pk__in=keys.values())
    for round_, tables_of_round in tables.items():
        condition |= Q(round__number=round_, table__in=tables_of_round)
    matches = Match.objects.with_names().filter(condition)
    if events:
        matches = matches.filter(round__stage__tournament=events[0].tournament_id)
    by_pk = {match.pk: match for match in matches}
    by_label = {match.label: match for match in by_pk.values()}
    found = {pk: by_label.get(label[0]) for pk, label in labels.items()}
    found |= {pk: by_pk.get(key) for pk, key in keys.items()}
    return {pk: _meeting(match) for pk, match in found.items() if match is not None}


def _match_key(event: AuditEvent, records: Mapping[int, Record]) -> int | None:
    """Return the key of the match that an event is of, or that its record was submitted to."""
    if event.subject_type == "match":
        return event.subject_pk
    if event.subject_type == "record" and event.subject_pk in records:
        return records[event.subject_pk].match_id
    return None


def _match_label(event: AuditEvent) -> re.Match[str] | None:
    """Return the label of the match that an event of another row names.

    Events of results, disputes and bots have these as their subjects, and the match only in words.
    """
    return LABEL.fullmatch(str(event.facts.get("match")))


def _meeting(match: Match) -> MatchRef:
    names = tuple(" + ".join(entry.name for entry in side) for side in match.sides)
    return MatchRef(match.pk, match.round.number, match.table, names)


def history_after(
    slug: str,
    sequence: int,
    count: int,
    viewer: Actor,
    *,
    verb: str | None = None,
    since: datetime | None = None,
) -> tuple[EventRow, ...]:
    """Return the next events of a tournament, the earliest first; for members.

    They may be narrowed to a ``verb`` (`round.published`, or all of `round`) and to those
    ``since`` a moment.
    """
    events = _events(slug, viewer).filter(sequence__gt=sequence)
    if verb is not None:
        condition = Q(verb=verb) if "." in verb else Q(verb__startswith=f"{verb}.")
        events = events.filter(condition)
    if since is not None:
        events = events.filter(at__gte=since)
    return _event_rows(events.order_by("sequence")[:count])


def _events(slug: str, viewer: Actor) -> QuerySet[AuditEvent]:
    access = open_tournament(slug, viewer)
    not_found_unless(access.powers.read_history)
    return AuditEvent.objects.filter(tournament=access.tournament)


def _event_rows(events: Iterable[AuditEvent]) -> tuple[EventRow, ...]:
    return tuple(row_of(EventRow, event) for event in events)
