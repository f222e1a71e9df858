"""Submits many records at once, one a line: all of them, or none.

Every line is parsed, judged and written as a record sent alone would be (:mod:`.submit`), in the
order of the lines, with the tournament locked once. One line that cannot be accepted undoes all of
it, and so does a dry run: the report is the same, and nothing has been written.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from django.db import transaction

from tournaments.core import idempotency
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament
from tournaments.core.permissions import (
    Actor,
    club_rights,
    may_submit_to,
    own_players,
    refuse_unless,
    side_of,
)
from tournaments.models import ApiToken, Match, Record, Tournament
from tournaments.results.services.decide import Decision, decide
from tournaments.results.services.submission import (
    MatchSnapshot,
    Outcome,
    ParsedRecord,
    SubmissionOutcome,
    parse_record,
    read_snapshots,
    submitted_record,
)
from tournaments.results.services.submit import MatchFinder
from tournaments.results.services.write import outcome_before_write, write_decisions

MAX_LINES: Final = 1000  # of one request, as docs/api.md promises
MAX_BYTES: Final = 5 * 1024 * 1024  # of one request, as docs/api.md promises

NumberedLine = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """The outcome of a line; ``number`` counts from 1, blank lines included.

    ``record`` and ``match`` are keys; without ``record`` nothing of it was written. ``pointer``
    and ``column`` are within the line.
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
    """The answer to many lines; ``replayed``: it was given before under the same key."""

    lines: tuple[LineOutcome, ...]
    dry_run: bool = False
    replayed: bool = False

    @property
    def refused(self) -> int:
        """The number of lines that cannot be accepted; if any, nothing has been written."""
        return sum(line.is_refused for line in self.lines)

    @property
    def refusal(self) -> Refusal | None:
        """The refusal of the batch; ``None`` when every line can be accepted."""
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
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Batch:
    """Submit records of matches of a tournament, each found by the names at its seats.

    Repeating an accepted batch under its key returns the same answer. A refused batch writes
    nothing and releases its key, so it is judged again. A dry run takes no key. Refuses SIGN_IN,
    FORBIDDEN, NOTHING_LISTED, and what :func:`.idempotency.claim` refuses.
    """
    refuse_unless(may_submit_to(actor, tournament), actor)
    if not lines:
        raise Refusal(Reason.NOTHING_LISTED)
    numbered = [(number, parse_record(raw)) for number, raw in lines]
    if dry_run or idempotency_key is None:
        return _judge_batch(actor, tournament, numbered, dry_run=dry_run)
    claimed = idempotency.claim(actor, idempotency_key, _fingerprint(tournament, lines))
    if claimed.answer is not None:
        stored = tuple(LineOutcome(*line) for line in claimed.answer["lines"])
        return Batch(stored, replayed=True)
    judge = partial(_judge_batch, actor, tournament, numbered)
    return idempotency.carry_out(claimed, judge, _answer)


def _judge_batch(
    actor: Actor,
    tournament: Tournament,
    numbered: Sequence[tuple[int, ParsedRecord]],
    *,
    dry_run: bool = False,
) -> Batch:
    """Judge all lines in one transaction, which is undone if a line is refused or in a dry run."""
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        numbers, records = zip(*numbered, strict=True)
        finder = MatchFinder(tournament, records)
        outcomes = _BatchJudge(actor, tournament, finder).judge(records)
        batch = Batch(tuple(map(_line, numbers, outcomes)), dry_run)
        is_final = not batch.refused and not dry_run
        if not is_final:
            transaction.set_rollback(True)
    return batch if is_final else _without_rolled_back(batch)


class _BatchJudge:
    """Judges the lines of a batch in their order, in the transaction that locked the tournament."""

    def __init__(self, actor: Actor, tournament: Tournament, finder: MatchFinder) -> None:
        self.actor = actor
        self.finder = finder
        self.own = own_players(actor)
        self.may_submit_all = club_rights(actor, tournament.club).submit
        self.outcomes: list[SubmissionOutcome] = []
        self.waiting: list[tuple[int, Decision]] = []
        """Decisions that are not written yet, with the index of their line."""
        self.seen: set[int] = set()
        """The matches that earlier lines changed."""

    def judge(self, records: Sequence[ParsedRecord]) -> list[SubmissionOutcome]:
        """Judge and write the records; matches are locked before the first event is written."""
        lookups = [self._find(parsed) for parsed in records]
        matches = {match.pk: match for match in lookups if isinstance(match, Match)}
        rows = Match.objects.select_for_update(no_key=True).filter(pk__in=matches).order_by("pk")
        for pk, state in rows.values_list("pk", "state"):
            matches[pk].state = state
        snapshots = read_snapshots(matches.values())
        for parsed, match in zip(records, lookups, strict=True):
            if isinstance(match, Refusal):
                objection = None if parsed.error else match
                outcome = SubmissionOutcome(Outcome.REFUSED, parsed, None, None, objection)
                self.outcomes.append(outcome)
                continue
            if match.pk in self.seen:  # an earlier line decides about this one: write it first
                self._write()
                snapshots |= read_snapshots([match])
            self._decide(parsed, snapshots[match.pk])
        self._write()
        return self.outcomes

    def _find(self, parsed: ParsedRecord) -> Match | Refusal:
        """Return the match of a line's record, or the refusal if the actor may not submit to it."""
        try:
            match = self.finder.find(parsed)
        except Refusal as refusal:
            return refusal
        if self.may_submit_all:
            return match
        is_own = side_of(self.actor, match, self.own)
        may_submit = is_own and self.actor.allows(ApiToken.Scope.SUBMIT)
        return match if may_submit else Refusal(Reason.FORBIDDEN)

    def _decide(self, parsed: ParsedRecord, snapshot: MatchSnapshot) -> None:
        """Decide about a line. A refused record is no evidence, since the batch is undone."""
        source = Record.Source.API
        submission = submitted_record(self.actor, snapshot.match, parsed, source, self.own)
        decision = decide(submission, snapshot)
        if decision.outcome is not Outcome.REFUSED:
            self.waiting.append((len(self.outcomes), decision))
            self.seen.add(snapshot.match.pk)
        self.outcomes.append(outcome_before_write(decision))

    def _write(self) -> None:
        """Write the pending decisions; accepted records in a row raise the version once."""
        outcomes = write_decisions([decision for _, decision in self.waiting])
        for (index, _), outcome in zip(self.waiting, outcomes, strict=True):
            self.outcomes[index] = outcome
        self.waiting = []


# --- the report ----------------------------------------------------------------------------------


def _line(number: int, submitted: SubmissionOutcome) -> LineOutcome:
    fault = submitted.parsed.fault if submitted.refusal is None else None
    return LineOutcome(
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


def _without_rolled_back(batch: Batch) -> Batch:
    """Remove the keys of rows that were rolled back from a report."""
    new = {line.record for line in batch.lines if line.status == 201}

    def is_there(line: LineOutcome) -> bool:
        was_known = line.outcome in {Outcome.DUPLICATE, Outcome.CONFIRMED}
        return was_known and line.record not in new

    lines = [line if is_there(line) else replace(line, record=None) for line in batch.lines]
    return replace(batch, lines=tuple(lines))


def _fingerprint(tournament: Tournament, lines: Sequence[NumberedLine]) -> str:
    digest = hashlib.sha256(f"tournament {tournament.pk} bulk".encode())
    for number, line in lines:
        digest.update(f"\n{number} ".encode() + line)
    return digest.hexdigest()


def _answer(batch: Batch) -> dict[str, Any] | None:
    """Return the stored form of an accepted batch's answer, to repeat it later."""
    if batch.refused:
        return None
    return {
        "lines": [
            [line.number, line.outcome, line.status, line.match, line.record]
            for line in batch.lines
        ]
    }
