"""Pages and files of records, and their replay against the stored rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import get_language

import engine
from tournaments.core.errors import REASONS, sentence_of
from tournaments.core.find import find_record, find_tournament
from tournaments.core.permissions import Actor, hidden_matches, is_member
from tournaments.director.queries.rows import (
    DisputeRow,
    MatchRow,
    RecordRow,
    dispute_row,
    match_row,
    record_row,
    score_in,
)
from tournaments.director.queries.tournaments import TournamentHead, open_fetched_tournament
from tournaments.domain.match_parts import coto_of, sets_of, stored_part, tally
from tournaments.domain.scores import sides_of
from tournaments.domain.sides import SIDES
from tournaments.models import Record, Result, Round, Tournament

# --- Replays --------------------------------------------------------------------------------------
# Compares the replay of every accepted record with its stored rows.


BATCH = 200  # records audited at a time


@dataclass(frozen=True, slots=True)
class Replay:
    """The replay of one accepted record; ``differences`` names the stored fields that disagree."""

    record_pk: int
    match: str
    hands: int
    differences: tuple[str, ...]


def count_replays(tournament: str | None = None) -> int:
    """Return how many records :func:`replays` will go through."""
    return _accepted(tournament).count()


def replays(tournament: str | None = None) -> Iterator[Replay]:
    """Replay every accepted record, or those of one tournament, a batch at a time."""
    rows = _accepted(tournament).select_related("match__round__stage__tournament")
    records = rows.prefetch_related("hands", "results", "match__results").iterator(chunk_size=BATCH)
    while batch := list(islice(records, BATCH)):
        verdicts = engine.audit_many(record.text.encode() for record in batch)
        for record, verdict in zip(batch, verdicts, strict=True):
            differences = tuple(_differences(record, verdict))
            yield Replay(record.pk, record.match.label, len(record.hands.all()), differences)


def _accepted(tournament: str | None) -> QuerySet[Record]:
    rows = Record.objects.accepted().order_by("pk")
    if tournament is None:
        return rows
    return rows.filter(match__round__stage__tournament__slug=tournament)


def _differences(record: Record, verdict: engine.Verdict | engine.ValidVerdict) -> Iterator[str]:
    if not verdict.valid:
        yield f"verdict: {', '.join(fault.code for fault in verdict.faults)}"
        return
    if verdict.digest != record.digest:
        yield "digest"
    stored = [(hand.number, dict(hand.points), hand.winner) for hand in record.hands.all()]
    # The first of two deals of a game may have no winner (R9.2)
    replayed = [(hand.number, dict(hand.points or {}), hand.winner or "") for hand in verdict.hands]
    if stored != replayed:
        yield "hands"
    tournament = record.match.tournament
    if tournament.cotos > 1 or tournament.deal_sets:
        yield from _set_differences(record) if tournament.deal_sets else _coto_differences(record)
        return
    for result in record.results.all():
        score = verdict.score or {}
        replayed_hands = [score.get(side) for side in sides_of(record.home_side)]
        if list(score_in(result).hands) != replayed_hands:
            yield f"result, version {result.version}"


def _coto_differences(record: Record) -> Iterator[str]:
    """Compare a coto with the results of its match that were made from records."""
    for result in record.match.results.all():
        if not result.live or result.depth != Result.Depth.RECORD:
            continue
        rows = result.hand_scores
        hands = score_in(result).hands
        won = [sum(row["winner"] == side for row in rows) for side in SIDES[: len(hands)]]
        coto = coto_of(record.verdict, record.home_side)
        is_said = record.coto <= len(rows) and rows[record.coto - 1] == {
            **dict(zip(SIDES, coto.points, strict=False)),
            "winner": SIDES[coto.winner],
        }
        if not is_said or tuple(won) != hands:
            yield f"result, version {result.version}"


def _set_differences(record: Record) -> Iterator[str]:
    """Compare the sets of a match with its result, once, at its last record."""
    live = [
        result
        for result in record.results.all()
        if result.live and result.depth == Result.Depth.RECORD
    ]
    for result in live:
        sides = len(sides_of(record.home_side))
        sets = sets_of(
            [
                stored_part(part.verdict, part.home_side)
                for part in record.match.records.accepted().order_by("coto")
            ]
        )
        score = tally(sets, sides)
        rows = [{side: row[side] for side in SIDES[:sides]} for row in result.hand_scores]
        points = [dict(zip(SIDES, deal_set.points, strict=False)) for deal_set in sets]
        if rows != points or score_in(result).hands != score.hands:
            yield f"result, version {result.version}"


# --- Records file ---------------------------------------------------------------------------------
# All accepted records of a tournament as JSON lines, with a trailer that shows it is complete.


MEMORY_BYTES: Final = 1 << 20
"""Bytes of a file kept in memory; a larger one is on disk."""

FETCHED: Final = 500
"""Records fetched at a time."""


@dataclass(frozen=True, slots=True)
class RecordsFile:
    """The file, open at its beginning: ``size`` bytes with the hash ``sha256``, trailer included.

    The reader closes it, which deletes it.
    """

    file: IO[bytes]
    size: int
    count: int
    sha256: str


def records_file(slug: str, viewer: Actor) -> RecordsFile:
    """Write the records that the viewer may see, in the order of rounds, tables and cotos.

    All are from one snapshot of the database. The file is complete before it is sent, so that a
    slow reader holds neither a snapshot nor a database connection. Refuses NOT_FOUND.
    """
    return write_lines_file(lambda: _lines(find_tournament(slug, viewer), viewer))


def write_lines_file(lines: Callable[[], Iterable[bytes]]) -> RecordsFile:
    """Write lines read from one snapshot of the database, and the trailer."""
    file = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115 - the reader closes it
    digest, count = hashlib.sha256(), 0
    try:
        with consistent_snapshot():
            for line in lines():
                digest.update(line)
                file.write(line)
                count += 1
        trailer = trailer_of(count, digest.hexdigest())
        digest.update(trailer)
        size = file.tell() + file.write(trailer)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return RecordsFile(file, size, count, digest.hexdigest())


def trailer_of(count: int, sha256: str) -> bytes:
    """Return the last line: the number of lines and the hash of all bytes before it."""
    return f'{{"end":true,"count":{count},"sha256":"{sha256}"}}\n'.encode()


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """Read everything within the context from one snapshot of the database.

    On SQLite any transaction does that; on PostgreSQL one of level REPEATABLE READ, unless a
    transaction is running already: its level cannot be changed any more.
    """
    starts = not connection.in_atomic_block
    with transaction.atomic():
        if starts and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _lines(tournament: Tournament, viewer: Actor) -> Iterator[bytes]:
    records = (
        Record.objects.accepted()
        .filter(match__round__stage__tournament=tournament)
        .order_by("match__round__stage__number", "match__round__number", "match__table", "coto")
    )
    if not is_member(viewer, tournament.club):
        records = records.exclude(match__round__state=Round.State.DRAFT)
        records = records.exclude(match__in=hidden_matches(viewer, tournament))
    return record_lines(records)


def record_lines(records: QuerySet[Record]) -> Iterator[bytes]:
    """Yield the texts of records, a line each."""
    for text in records.values_list("text", flat=True).iterator(FETCHED):
        if "\n" in text.strip("\n") or "\r" in text:  # the same value without line breaks
            text = json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
        yield text.strip("\n").encode() + b"\n"


# --- Records --------------------------------------------------------------------------------------


MAX_FRAMES: Final = 20
"""Faults shown with the table at that moment; the others as text alone."""

COUNTED: Final = (Record.State.ACCEPTED, Record.State.SUPERSEDED)
"""States of public records: they count, or did."""


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault or a notice, its ``message`` in the current language.

    ``frame`` is the table at that moment. ``hints`` say what may have been meant; only the first
    fault of a hand has any.
    """

    fault: engine.Fault
    message: str
    frame: engine.Frame | None = None
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrickRemarks:
    """A trick explained in the current language: rule and sentence of each remark."""

    number: int
    remarks: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A record as it was submitted, with its verdict (F3, messages in the current language).

    ``code`` and ``message`` say why it was refused or contested, by the engine or the service;
    both are empty for a record that counts. ``seats`` are the names by seat, empty when the text
    could not be read that far.
    """

    head: TournamentHead
    match: MatchRow
    record: RecordRow
    text: str
    seats: Mapping[str, str]
    verdict: Mapping[str, Any]
    faults: tuple[FaultRow, ...]
    notices: tuple[FaultRow, ...]
    dispute: DisputeRow | None
    code: str
    message: str
    explained: Mapping[int, tuple[TrickRemarks, ...]]
    """The hands that a fault in their play stopped, trick by trick."""


@dataclass(frozen=True, slots=True)
class RecordListRow:
    """A record in the list of a tournament, with the place of its match."""

    record: RecordRow
    match: int
    round: int
    table: int
    coto: int


def records_after(
    slug: str, after: int, count: int, viewer: Actor, filters: Mapping[str, Any]
) -> tuple[RecordListRow, ...]:
    """Return the next records of a tournament after a key: four queries at most.

    The club sees them all, everybody else those that count or did. ``filters`` may narrow them to a
    ``state``, to a ``source``, and to a ``round`` by its number. Refuses NOT_FOUND.
    """
    tournament = find_tournament(slug, viewer)
    fields = {"state": "state", "source": "source", "round": "match__round__number"}
    narrowed = {fields[name]: value for name, value in filters.items()}
    rows = Record.objects.filter(pk__gt=after, match__round__stage__tournament=tournament)
    if not is_member(viewer, tournament.club):
        rows = rows.filter(state__in=COUNTED).exclude(match__round__state=Round.State.DRAFT)
        rows = rows.exclude(match__in=hidden_matches(viewer, tournament))
    rows = rows.filter(**narrowed).select_related("match__round").defer("text", "verdict")
    return tuple(
        RecordListRow(
            record_row(row), row.match_id, row.match.round.number, row.match.table, row.coto
        )
        for row in rows.order_by("pk")[:count]
    )


def record_page(pk: int, viewer: Actor) -> RecordPage:
    """Return a record's page: eight queries at most."""
    record = find_record(pk, viewer)
    match = record.match
    access = open_fetched_tournament(match.tournament, viewer)
    language = get_language()
    faults = [_fault(stored_fault) for stored_fault in record.verdict["faults"]]
    notices = [_fault(stored_fault) for stored_fault in record.verdict["notices"]]
    parsed = _parsed(record)
    moments = _moments(parsed, faults) if parsed else {}
    hints = _hints(parsed, language) if parsed and faults else {}
    dispute = match.disputes.filter(record=record).first()
    return RecordPage(
        head=access.head,
        match=match_row(match, match.results.live().first()),
        record=record_row(record),
        text=record.text,
        seats=_seats(parsed) if parsed else {},
        verdict=_verdict_in_language(record.verdict, faults, notices, language),
        faults=tuple(
            FaultRow(
                fault,
                engine.explain(fault, language),
                moments.get(fault.hand or 0),
                hints.get((fault.hand, fault.code), ()),
            )
            for fault in faults
        ),
        notices=tuple(FaultRow(notice, engine.explain(notice, language)) for notice in notices),
        dispute=None if dispute is None else dispute_row(dispute),
        code=record.code,
        message=_message(record, faults, language),
        explained={hand: trick_remarks(parsed, hand) for hand in moments} if parsed else {},
    )


def trick_remarks(parsed: engine.Record, hand: int) -> tuple[TrickRemarks, ...]:
    """Explain a hand, numbered from 1, in the current language; empty where it has no play."""
    remarks, language = engine.explain_hand(parsed, hand - 1), get_language()
    return tuple(
        TrickRemarks(
            trick or 0,
            tuple((remark.rule, engine.explain(remark, language)) for remark in of_trick),
        )
        for trick, of_trick in groupby(remarks, key=lambda remark: remark.trick)
    )


def _fault(stored_fault: Mapping[str, Any]) -> engine.Fault:
    """Read a fault back from a stored verdict."""
    fields = {name: value for name, value in stored_fault.items() if name != "message"}
    return engine.Fault(**{**fields, "legal": tuple(stored_fault["legal"])})


def _hints(parsed: engine.Record, language: str) -> dict[tuple[int | None, str], tuple[str, ...]]:
    """Return the hints by hand and code; computed again each time, as it takes milliseconds."""
    return {
        (fault.hand, fault.code): tuple(engine.explain_hint(hint, language) for hint in fault.hints)
        for fault in engine.audit(parsed, hints=True).faults
        if fault.hints
    }


def _parsed(record: Record) -> engine.Record | None:
    """Return the parsed record, ``None`` when the text is none."""
    try:
        return engine.parse_record(record.text)
    except engine.RecordError:
        return None


def _seats(parsed: engine.Record) -> dict[str, str]:
    """Return the names that a record, which may be refused, has at its seats."""
    names = map(engine.escape_controls, parsed.seats)
    return dict(zip(parsed.ruleset.seats, names, strict=True))


def _moments(parsed: engine.Record, faults: list[engine.Fault]) -> dict[int, engine.Frame]:
    """Return the last legal moment of each hand that a fault in its play stopped."""
    stopped = [fault.hand for fault in faults if fault.token is not None and fault.hand]
    return {
        hand: frames[-1]
        for hand in stopped[:MAX_FRAMES]
        if (frames := engine.frames(parsed, hand - 1))
    }


def _verdict_in_language(
    verdict: Mapping[str, Any],
    faults: list[engine.Fault],
    notices: list[engine.Fault],
    language: str,
) -> dict[str, Any]:
    """Return a stored verdict with its messages in ``language``."""
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
    return sentence_of(record.code, record.params) if record.code in REASONS else ""
