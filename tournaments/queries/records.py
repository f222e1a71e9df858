"""A record's page: the verdict, and for each fault the moment it happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import get_language

import engine
from tournaments.errors import Reason
from tournaments.models import Record, Round
from tournaments.permissions import Actor, is_member
from tournaments.queries.find import find_record, find_tournament
from tournaments.queries.heads import TournamentHead, opened
from tournaments.queries.records_file import unseen_matches
from tournaments.queries.rows import (
    DisputeRow,
    MatchRow,
    RecordRow,
    dispute_row,
    match_row,
    record_row,
)

MOST_FRAMES: Final = 20
"""Faults that are shown at the moment they happened; the others in words alone."""

COUNTED: Final = (Record.State.ACCEPTED, Record.State.SUPERSEDED)
"""States of records that everybody sees: they count, or did."""

TEXTS: Final = {reason.code: reason.text for reason in Reason}


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault or a notice, in the language in use; ``frame`` is the table when it happened."""

    code: str
    rule: str
    hand: int | None
    trick: int | None
    token: int | None
    path: str
    seat: str | None
    card: str | None
    legal: tuple[str, ...]
    message: str
    frame: engine.Frame | None
    hints: tuple[str, ...] = ()
    """What may have been meant, in words; for the first fault of a hand."""


@dataclass(frozen=True, slots=True)
class HandVerdictRow:
    """What the replay of one hand gave; nothing where a fault stopped it."""

    number: int
    audited: bool
    points: Mapping[str, int]
    winner: str
    last_trick: str
    declarations: tuple[str, ...]
    tricks: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A record as it was submitted, with its verdict (F3, messages in the language in use).

    ``code`` and ``message`` say why it was refused or contested, be it the engine or the service
    that did; both are empty for a record that counts. ``seats`` names who sat where; it is empty
    when the text could not be read that far.
    """

    head: TournamentHead
    match: MatchRow
    record: RecordRow
    text: str
    seats: Mapping[str, str]
    verdict: Mapping[str, Any]
    faults: tuple[FaultRow, ...]
    notices: tuple[FaultRow, ...]
    hands: tuple[HandVerdictRow, ...]
    dispute: DisputeRow | None
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class FiledRow:
    """A record in the list of a tournament, and the match that it was handed in for."""

    record: RecordRow
    match: int
    round: int
    table: int
    coto: int


def records_after(
    slug: str, after: int, count: int, viewer: Actor, wanted: Mapping[str, Any]
) -> tuple[FiledRow, ...]:
    """Return the next records of a tournament after a key: four queries at most.

    The club sees them all, everybody else those that count or once did. ``wanted`` may narrow them
    to a ``state``, to a ``source``, and to a ``round`` by its number. Refuses NOT_FOUND.
    """
    tournament = find_tournament(slug, viewer)
    fields = {"state": "state", "source": "source", "round": "match__round__number"}
    narrowed = {fields[name]: said for name, said in wanted.items()}
    rows = Record.objects.filter(pk__gt=after, match__round__stage__tournament=tournament)
    if not is_member(viewer, tournament.club):
        rows = rows.filter(state__in=COUNTED).exclude(match__round__state=Round.State.DRAFT)
        rows = rows.exclude(match__in=unseen_matches(tournament, viewer))
    rows = rows.filter(**narrowed).select_related("match__round").defer("text", "verdict")
    return tuple(
        FiledRow(record_row(row), row.match_id, row.match.round.number, row.match.table, row.coto)
        for row in rows.order_by("pk")[:count]
    )


def record_page(pk: int, viewer: Actor) -> RecordPage:
    """Return a record's page: eight queries at most."""
    record = find_record(pk, viewer)
    match = record.match
    this = opened(match.tournament, viewer)
    language = (get_language() or "es")[:2]
    faults = [_fault(written) for written in record.verdict["faults"]]
    notices = [_fault(written) for written in record.verdict["notices"]]
    parsed = _parsed(record)
    moments = _moments(parsed, faults) if parsed else {}
    hints = _hints(parsed, language) if parsed and faults else {}
    dispute = match.disputes.filter(record=record).first()
    return RecordPage(
        head=this.head,
        match=match_row(match, match.results.live().first()),
        record=record_row(record),
        text=record.text,
        seats=dict(zip(parsed.ruleset.seats, parsed.seats, strict=True)) if parsed else {},
        verdict=_worded(record.verdict, faults, notices, language),
        faults=tuple(
            replace(
                _row(fault, language, moments.get(fault.hand)),
                hints=hints.get((fault.hand, fault.code), ()),
            )
            for fault in faults
        ),
        notices=tuple(_row(notice, language, None) for notice in notices),
        hands=tuple(_hand(written) for written in record.verdict["hands"]),
        dispute=None if dispute is None else dispute_row(dispute),
        code=record.code,
        message=_message(record, faults, language),
    )


def _fault(written: Mapping[str, Any]) -> engine.Fault:
    """Read a fault back from a stored verdict."""
    fields = {name: value for name, value in written.items() if name != "message"}
    return engine.Fault(**{**fields, "legal": tuple(written["legal"])})


def _row(fault: engine.Fault, language: str, frame: engine.Frame | None) -> FaultRow:
    return FaultRow(
        code=fault.code,
        rule=fault.rule,
        hand=fault.hand,
        trick=fault.trick,
        token=fault.token,
        path=fault.path,
        seat=fault.seat,
        card=fault.card,
        legal=fault.legal,
        message=engine.explain(fault, language),
        frame=frame,
    )


def _hints(parsed: engine.Record, language: str) -> dict[tuple[int | None, str], tuple[str, ...]]:
    """Return what may have been meant, by hand and code; looked for anew, it takes milliseconds."""
    return {
        (fault.hand, fault.code): tuple(engine.explain_hint(hint, language) for hint in fault.hints)
        for fault in engine.audit(parsed, hints=True).faults
        if fault.hints
    }


def _parsed(record: Record) -> engine.Record | None:
    """Return the record as read, or nothing when it is none."""
    try:
        return engine.parse_record(record.text)
    except engine.RecordError:
        return None


def _moments(parsed: engine.Record, faults: list[engine.Fault]) -> dict[int | None, engine.Frame]:
    """Return the last legal moment of each hand that a fault in its play stopped."""
    stopped = [fault.hand for fault in faults if fault.token is not None and fault.hand]
    return {
        hand: frames[-1]
        for hand in stopped[:MOST_FRAMES]
        if (frames := engine.frames(parsed, hand - 1))
    }


def _hand(written: Mapping[str, Any]) -> HandVerdictRow:
    return HandVerdictRow(
        number=written["number"],
        audited=written["audited"],
        points=written["points"] or {},
        winner=written["winner"] or "",
        last_trick=written["last_trick"] or "",
        declarations=tuple(written["declarations"]),
        tricks=tuple((leader, cards) for leader, cards in written["tricks"]),
    )


def _worded(
    verdict: Mapping[str, Any],
    faults: list[engine.Fault],
    notices: list[engine.Fault],
    language: str,
) -> dict[str, Any]:
    """Return a stored verdict with its messages in another language."""
    return {
        **verdict,
        "faults": [engine.fault_to_dict(fault, language) for fault in faults],
        "notices": [engine.fault_to_dict(notice, language) for notice in notices],
    }


def _message(record: Record, faults: list[engine.Fault], language: str) -> str:
    """Return why a record was refused or contested."""
    first = next((fault for fault in faults if fault.code == record.code), None)
    if first is not None:
        return engine.explain(first, language)
    return str(TEXTS[record.code]) % record.params if record.code in TEXTS else ""
