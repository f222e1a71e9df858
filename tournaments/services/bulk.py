"""Submitting many records at once, one a line: all of them, or none.

Every line is read, replayed and judged as a record sent alone would be (:mod:`.judging`), in the
order of the lines, with the tournament locked once. What most of them are, the first record of a
match of people, is judged against rows in memory and written together with its like; everything
else goes the way of single records. One line that cannot be accepted undoes all of it, and so does
a dry run: the report is the same, and nothing has been written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction

from tournaments.errors import Reason, Refusal
from tournaments.models import ApiToken, Match, Record, Tournament
from tournaments.permissions import (
    Actor,
    may_submit_to,
    own_players,
    powers,
    refuse_unless,
)
from tournaments.queries.state import match_facts, refusal_of
from tournaments.services import submissions
from tournaments.services.answers import Outcome, Submitted
from tournaments.services.firsts import First, first_of, is_plain, write_firsts
from tournaments.services.judging import home_side_at, judge, mismatch
from tournaments.services.locks import lock_tournament
from tournaments.services.readings import Reading, read
from tournaments.services.sent import Sent
from tournaments.services.tables import Tables

MOST_LINES: Final = 1000
MOST_BYTES: Final = 5 * 1024 * 1024

NumberedLine = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class Line:
    """What became of a line, or would have: ``number`` counts from 1, blank lines included.

    ``record`` and ``match`` are keys; without ``record`` nothing of it was written. ``pointer`` and
    ``column`` are within the line.
    """

    number: int
    outcome: str
    status: int
    match: int | None = None
    record: int | None = None
    code: str = ""
    reason: str = ""
    message: str = ""
    pointer: str | None = None
    column: int | None = None

    @property
    def is_refused(self) -> bool:
        """It cannot be accepted."""
        return self.status >= 400


@dataclass(frozen=True, slots=True)
class Batch:
    """The answer to many lines; ``replayed`` when it was given before under the same key."""

    lines: tuple[Line, ...]
    dry_run: bool = False
    replayed: bool = False

    @property
    def refused(self) -> int:
        """How many lines cannot be accepted; with one of them, nothing has been written."""
        return sum(line.is_refused for line in self.lines)

    @property
    def refusal(self) -> Refusal | None:
        """Why nothing was written; nothing when every line is in order."""
        if not self.refused:
            return None
        return Refusal(Reason.BATCH_REFUSED, count=self.refused, of=len(self.lines))

    @property
    def has_new(self) -> bool:
        """Something was written."""
        return not self.dry_run and any(line.status == 201 for line in self.lines)


def lines_of(body: bytes) -> list[NumberedLine]:
    """Return the lines that are not blank, each with its number from 1."""
    lines = enumerate(body.split(b"\n"), start=1)
    return [(number, line.rstrip(b"\r")) for number, line in lines if line.strip()]


def submit_lines(
    actor: Actor,
    tournament: Tournament,
    lines: Sequence[NumberedLine],
    *,
    source: str = Record.Source.API,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Batch:
    """Submit records of matches of a tournament, each found by the names at its seats.

    A batch that was accepted is answered alike when it comes again under its key; one that was
    refused left nothing behind, its key neither, and is judged anew. A dry run takes no key.
    Refuses SIGN_IN, FORBIDDEN, NOTHING_LISTED, and what :func:`.submissions.claim` refuses.
    """
    refuse_unless(may_submit_to(actor, tournament), actor)
    if not lines:
        raise Refusal(Reason.NOTHING_LISTED)
    readings = [(number, read(raw)) for number, raw in lines]
    if dry_run:
        return _carried_out(actor, tournament, readings, source, dry_run=True)
    if idempotency_key is None:
        return _carried_out(actor, tournament, readings, source)
    claimed = submissions.claim(actor, idempotency_key, _fingerprint(tournament, lines))
    if claimed.answer is not None:
        return _recalled(claimed.answer)
    try:
        batch = _carried_out(actor, tournament, readings, source, claimed)
    except Exception:
        submissions.release(claimed)
        raise
    if batch.refused:
        submissions.release(claimed)
    return batch


def _carried_out(
    actor: Actor,
    tournament: Tournament,
    readings: Sequence[tuple[int, Reading]],
    source: str,
    claimed: submissions.Claim | None = None,
    *,
    dry_run: bool = False,
) -> Batch:
    """Judge all lines in one transaction, which is undone unless everything is to stand."""
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        tables = Tables(tournament, [reading for _, reading in readings])
        judged = _Judge(actor, tournament, Record.Source(source), tables).judge(readings)
        batch = Batch(tuple(_line(number, submitted) for number, submitted in judged), dry_run)
        stands = not batch.refused and not dry_run
        if stands and claimed is not None:
            submissions.keep(claimed, _answer(batch))
        if not stands:
            transaction.set_rollback(True)
    return batch if stands else _undone(batch)


class _Judge:
    """Judges the lines of a batch in their order, in the transaction that locked the tournament."""

    def __init__(
        self, actor: Actor, tournament: Tournament, source: Record.Source, tables: Tables
    ) -> None:
        self.actor = actor
        self.tournament = tournament
        self.source = source
        self.tables = tables
        self.own = own_players(actor)
        self.vouches = powers(actor, tournament.club).submit
        self.waiting: list[First] = []
        self.seen: set[int] = set()
        """The matches that earlier lines were about."""

    def judge(self, readings: Sequence[tuple[int, Reading]]) -> list[tuple[int, Submitted]]:
        """Judge and write them; matches are locked before the first event is written."""
        meant = [self._meant(reading) for _, reading in readings]
        keys = {match.pk for match in meant if isinstance(match, Match)}
        rows = Match.objects.select_for_update(no_key=True).filter(pk__in=keys)
        states = dict(rows.order_by("pk").values_list("pk", "state"))
        judged = []
        for (number, reading), match in zip(readings, meant, strict=True):
            if isinstance(match, Match):
                match.state = states.get(match.pk, match.state)
            judged.append((number, self._judged(reading, match)))
        self._flush()
        return judged

    def _meant(self, reading: Reading) -> Match | Refusal:
        """Return the match that a line is about, or why it is about none that he may submit."""
        try:
            match = self.tables.meant(reading)
        except Refusal as refusal:
            return refusal
        if self.vouches:
            return match
        side = Sent(self.actor, match, reading, self.source, "", self.own).party
        is_his = side and self.actor.allows(ApiToken.Scope.SUBMIT)
        return match if is_his else Refusal(Reason.FORBIDDEN)

    def _judged(self, reading: Reading, match: Match | Refusal) -> Submitted:
        if isinstance(match, Refusal):
            objection = None if reading.error else match
            return Submitted(Outcome.REFUSED, reading, None, None, objection)
        if reading.record is None or reading.fault is not None:
            return Submitted(Outcome.REFUSED, reading, match, None)
        answer = self._known_or_new(match, reading)
        if answer is None:
            self._flush()
            answer = judge(self.actor, match, reading, self.source, None)
        self.seen.add(match.pk)
        return answer

    def _known_or_new(self, match: Match, reading: Reading) -> Submitted | None:
        """Answer for the accepted record again, or for the first of a match; else nothing."""
        if reading.record is None or match.pk in self.seen or not is_plain(match):
            return None
        sent = Sent(self.actor, match, reading, self.source, home_side_at(match, reading), self.own)
        if refusal := mismatch(sent, reading.record):
            return Submitted(Outcome.REFUSED, reading, match, None, refusal)
        there = self.tables.accepted.get(match.pk)
        if there is not None:
            is_known = match.state == Match.State.ACCEPTED and sent.says_the_same_as(there)
            return sent.known(there) if is_known and sent.voice in there.said_by else None
        if match.state != Match.State.PENDING or match.pk in self.tables.with_result:
            return None
        if refusal := refusal_of("submit", match_facts(match)):
            return Submitted(Outcome.REFUSED, reading, match, None, refusal)
        self.waiting.append(first := first_of(sent))
        return first.submitted

    def _flush(self) -> None:
        """Write the first records that wait: one version on."""
        waiting, self.waiting = self.waiting, []
        if waiting:
            write_firsts(self.tournament, waiting)


# --- the report ----------------------------------------------------------------------------------


def _line(number: int, submitted: Submitted) -> Line:
    fault = submitted.reading.fault if submitted.refusal is None else None
    return Line(
        number,
        str(submitted.outcome),
        submitted.status,
        submitted.match.pk if submitted.match else None,
        submitted.record.pk if submitted.record else None,
        submitted.code,
        submitted.reason,
        submitted.message,
        fault.path if fault else None,
        submitted.column,
    )


def _undone(batch: Batch) -> Batch:
    """Take the keys of rows that were never written out of a report."""
    new = {line.record for line in batch.lines if line.status == 201}

    def is_there(line: Line) -> bool:
        was_known = line.outcome in {Outcome.DUPLICATE, Outcome.CONFIRMED}
        return was_known and line.record not in new

    kept = [line if is_there(line) else replace(line, record=None) for line in batch.lines]
    return replace(batch, lines=tuple(kept))


def _fingerprint(tournament: Tournament, lines: Sequence[NumberedLine]) -> str:
    digest = hashlib.sha256(f"tournament {tournament.pk} bulk".encode())
    for number, line in lines:
        digest.update(f"\n{number} ".encode() + line)
    return digest.hexdigest()


def _answer(batch: Batch) -> dict[str, Any]:
    """Return what has to be kept of a batch that was accepted to answer it again."""
    return {
        "lines": [
            [line.number, line.outcome, line.status, line.match, line.record]
            for line in batch.lines
        ]
    }


def _recalled(answer: Mapping[str, Any]) -> Batch:
    return Batch(tuple(Line(*kept) for kept in answer["lines"]), replayed=True)
