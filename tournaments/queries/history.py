"""What was done in a tournament."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.models import AuditEvent, Match, Record
from tournaments.models.matches import SIDES
from tournaments.permissions import Actor
from tournaments.queries.find import find_match, visible
from tournaments.queries.heads import open_tournament
from tournaments.queries.trails import Signed, signed

MOST_EVENTS = 500
LAST_NUMBER = re.compile(r"\d+$")


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that was done."""

    sequence: int
    at: datetime
    verb: str
    actor: str
    subject: str
    facts: dict[str, Any]
    digest: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """The match that an event is about."""

    pk: int
    round: int
    table: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """Something that was done, in the words of the table.

    ``meeting`` is missing where it was about no match, or one that is no more; ``about`` is then
    whom or what it was about, and ``round`` the number of the round. ``score`` and ``before`` are
    results side by side, empty without one.
    ``record`` is the key of the record it was about, ``code`` why that was refused.
    """

    event: EventRow
    meeting: Meeting | None
    about: str
    round: int | None
    score: tuple[int, ...]
    before: tuple[int, ...]
    record: int | None
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class History:
    """What was done, the latest first, and how far the club's history is signed, if it is."""

    events: tuple[Told, ...]
    signed: Signed | None


def told(slug: str, viewer: Actor) -> History:
    """Return what was done in a tournament, with the matches it was about; for members."""
    return _history(_events(slug, viewer))


def told_of_match(pk: int, viewer: Actor) -> History:
    """Return what was done about a match and its records; for members."""
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


def _history(chosen: QuerySet[AuditEvent]) -> History:
    events = tuple(chosen.order_by("-sequence")[:MOST_EVENTS])
    meetings = _meetings(events)
    rows = zip(events, _event_rows(events), strict=True)
    return History(
        tuple(_told(event, row, meetings.get(event.pk)) for event, row in rows),
        signed(events[0].club_id, events) if events else None,
    )


def _told(event: AuditEvent, row: EventRow, meeting: Meeting | None) -> Told:
    facts = row.facts
    after = facts.get("after") or facts.get("result") or facts.get("score")
    reason = str(facts.get("reason") or "")
    return Told(
        row,
        meeting,
        "" if meeting else _about(event),
        None if meeting else _round(event),
        _score(after if isinstance(after, Mapping) else facts),
        _score(facts.get("before") or {}),
        event.subject_pk if meeting and event.subject_type == "record" else None,
        str(facts.get("code") or ""),
        "" if reason in event.subject else reason,
    )


def _about(event: AuditEvent) -> str:
    """Return whom it was about; of the tournament and its rounds, nothing: the page tells."""
    named = event.facts.get("entry")
    if named or event.subject_type in {"tournament", "round"}:
        return str(named or "")
    return event.subject


def _round(event: AuditEvent) -> int | None:
    """Return the number of the round that it was about."""
    number = event.facts.get("round")
    if isinstance(number, int):
        return number
    if event.subject_type != "round":
        return None
    found = LAST_NUMBER.search(event.subject)
    return int(found[0]) if found else None


def _score(facts: Mapping[str, Any]) -> tuple[int, ...]:
    hands = (facts.get(f"{side}_hands") for side in SIDES)
    return tuple(count for count in hands if isinstance(count, int))


def _meetings(events: Sequence[AuditEvent]) -> Mapping[int, Meeting]:
    """Return the matches that events are about, by the keys of the events: two queries."""
    records = [event.subject_pk for event in events if event.subject_type == "record"]
    of_record = dict(Record.objects.filter(pk__in=records).values_list("pk", "match_id"))
    keys: dict[int, int] = {}
    labels: dict[int, str] = {}
    for event in events:
        if event.subject_type == "match":
            keys[event.pk] = event.subject_pk
        elif event.subject_type == "record" and event.subject_pk in of_record:
            keys[event.pk] = of_record[event.subject_pk]
        elif "match" in event.facts:
            labels[event.pk] = event.facts["match"]
    places = {tuple(map(int, label.rsplit("/", 2)[1:])) for label in labels.values()}
    wanted = Q(pk__in=keys.values())
    for number in {round_ for round_, _ in places}:
        tables = [table for round_, table in places if round_ == number]
        wanted |= Q(round__number=number, table__in=tables)
    matches = Match.objects.with_names().filter(wanted)
    if events:
        matches = matches.filter(round__stage__tournament=events[0].tournament_id)
    found = {match.pk: match for match in matches}
    by_label = {match.label: match for match in found.values()}
    about = {event: found.get(key) for event, key in keys.items()}
    about |= {event: by_label.get(label) for event, label in labels.items()}
    return {event: _meeting(match) for event, match in about.items() if match is not None}


def _meeting(match: Match) -> Meeting:
    names = tuple(" + ".join(entry.name for entry in side) for side in match.sides)
    return Meeting(match.pk, match.round.number, match.table, names)


def history(slug: str, viewer: Actor) -> tuple[EventRow, ...]:
    """Return what was done in the tournament, the latest first; for members."""
    return _event_rows(_events(slug, viewer).order_by("-sequence")[:MOST_EVENTS])


def history_after(
    slug: str,
    sequence: int,
    count: int,
    viewer: Actor,
    *,
    verb: str | None = None,
    since: datetime | None = None,
) -> tuple[EventRow, ...]:
    """Return what was done next in the tournament, the earliest first; for members.

    It may be narrowed to a ``verb`` (`round.published`, or all of `round`) and to what was done
    ``since`` a moment.
    """
    events = _events(slug, viewer).filter(sequence__gt=sequence)
    if verb is not None:
        whole = Q(verb=verb) if "." in verb else Q(verb__startswith=f"{verb}.")
        events = events.filter(whole)
    if since is not None:
        events = events.filter(at__gte=since)
    return _event_rows(events.order_by("sequence")[:count])


def _events(slug: str, viewer: Actor) -> QuerySet[AuditEvent]:
    this = open_tournament(slug, viewer)
    visible(this.powers.read_history)
    return AuditEvent.objects.filter(tournament=this.tournament)


def _event_rows(events: Iterable[AuditEvent]) -> tuple[EventRow, ...]:
    return tuple(
        EventRow(e.sequence, e.at, e.verb, e.actor, e.subject, e.facts, e.digest) for e in events
    )
