"""Submits records, one or many at once: parsed, judged against their locked matches, and written.

A refused record is an answer: it is stored with its verdict as evidence. For a body that is not
even a JSON object only an event is written.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final

from django.db import transaction
from django.db.models import Q

from tournaments.core import idempotency
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_match, lock_tournament
from tournaments.core.metrics import SUBMISSIONS
from tournaments.core.permissions import (
    Actor,
    club_rights,
    may_submit,
    may_submit_to,
    own_players,
    refuse_unless,
    side_of,
)
from tournaments.domain.names import fold_name
from tournaments.domain.scores import current_names, home_side, name_changes
from tournaments.domain.sides import PLACES
from tournaments.models import ApiToken, Entry, Match, Record, Round, Tournament
from tournaments.models.matches import set_entries
from tournaments.results.services.decide import Decision, decide
from tournaments.results.services.submission import (
    MatchSnapshot,
    NumberedRecord,
    OutcomeKind,
    ParsedRecord,
    SubmissionOutcome,
    parse_content,
    parse_record,
    read_snapshots,
    stored_answer,
    submitted_record,
)
from tournaments.results.services.write import (
    outcome_before_write,
    write_decisions,
    write_event_without_match,
)

# --- The match of a record ------------------------------------------------------------------------


People = frozenset[str]


class MatchFinder:
    """Finds the matches of a tournament for given records; a handful of queries.

    Candidates are the matches of exactly the people at the seats, and all matches with a stand-in.
    """

    def __init__(self, tournament: Tournament, records: Iterable[ParsedRecord]) -> None:
        entries = {entry.pk: entry for entry in tournament.entries.with_players()}
        self._entry_of = {
            fold_name(name): entry for entry in entries.values() for name in entry.seat_names
        }
        self._renamed = name_changes(
            player for entry in entries.values() for player in entry.players
        )
        wanted_people = {_people_at(self._seats(parsed)) for parsed in records}
        matches = _matches(tournament, entries, wanted_people)
        self._keys = [match.pk for match in matches]
        self._by_people: dict[People, list[Match]] = defaultdict(list)
        self._with_stand_ins = [match for match in matches if match.lineup]
        for match in matches:
            self._by_people[_people_at(name for side in match.names for name in side)].append(match)

    def find(self, parsed: ParsedRecord) -> Match:
        """Return the match of a record, matches with stand-ins included.

        Refuses NOT_A_PARTICIPANT, PAIRING_MISMATCH.
        """
        seats = self._seats(parsed)
        candidates = self._by_people.get(_people_at(seats), self._with_stand_ins)
        matches = [match for match in candidates if home_side(seats, *match.names)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            return min(matches, key=self._preference(parsed))
        playing = {fold_name(name) for match in candidates for side in match.names for name in side}
        strangers = [
            name
            for name in seats
            if fold_name(name) not in self._entry_of and fold_name(name) not in playing
        ]
        if strangers or not seats:
            raise Refusal(Reason.NOT_A_PARTICIPANT, text=", ".join(strangers)[:400])
        involved = {
            self._entry_of[name] for name in map(fold_name, seats) if name in self._entry_of
        }
        expected = " – ".join(
            f"{entry.name} ({', '.join(entry.seat_names)})"
            for entry in sorted(involved, key=lambda entry: entry.number)
        )
        raise Refusal(Reason.PAIRING_MISMATCH, expected=expected)

    def _seats(self, parsed: ParsedRecord) -> tuple[str, ...]:
        return current_names(parsed.seats, self._renamed)

    @cached_property
    def _digests(self) -> dict[int, set[str]]:
        """Digests of accepted records by match; read only if a record fits several matches."""
        digests: dict[int, set[str]] = defaultdict(set)
        accepted = Record.objects.accepted().filter(match__in=self._keys)
        for match_pk, digest in accepted.values_list("match", "digest"):
            digests[match_pk].add(digest)
        return digests

    def _preference(self, parsed: ParsedRecord) -> Callable[[Match], tuple[bool, ...]]:
        """Return the sort key for matches of the same people, the most likely one first."""
        digest = parsed.verdict.digest or ""
        tagged = parsed.record.tags.get("round") if parsed.record else None

        def order(match: Match) -> tuple[bool, ...]:
            is_open = match.round.state == Round.State.PUBLISHED
            waits = match.state in {Match.State.PENDING, Match.State.POSTPONED}
            return (
                digest not in self._digests[match.pk],
                str(match.round.number) != tagged,
                not (is_open and waits),
                not waits,
                not is_open,
            )

        return order


def _people_at(seats: Iterable[str]) -> People:
    return frozenset(map(fold_name, seats))


def _matches(
    tournament: Tournament,
    entries: Mapping[int, Entry],
    wanted_people: Collection[People],
) -> list[Match]:
    """Return the matches of the people wanted, and those with stand-ins, in order.

    They have two sides at least; rounds, entries and the tournament are shared objects.
    """
    people = People().union(*wanted_people)
    involved = [
        pk
        for pk, entry in entries.items()
        if not people.isdisjoint(map(fold_name, entry.seat_names))
    ]
    of_tournament = Match.objects.filter(round__stage__tournament=tournament, away__isnull=False)
    candidates = of_tournament.filter(home__in=involved, away__in=involved)
    names = {pk: _people_at(entry.seat_names) for pk, entry in entries.items()}
    places = candidates.order_by().values_list("pk", *(f"{place}_id" for place in PLACES))
    keys = [
        pk
        for pk, *entry_pks in places
        if People().union(*(names[entry_pk] for entry_pk in entry_pks if entry_pk)) in wanted_people
    ]
    rows = of_tournament.filter(Q(pk__in=keys) | ~Q(lineup={})).defer("whys")
    matches = list(rows.with_rounds().order_by("round__number", "table"))
    for match in matches:
        match.round.stage.tournament = tournament
    set_entries(matches, entries)
    return matches


# --- Submit ---------------------------------------------------------------------------------------


Source = Record.Source


def submit_record(
    actor: Actor,
    match: Match,
    body: bytes | str | ParsedRecord,
    *,
    source: str = Source.API,
    idempotency_key: str | None = None,
) -> SubmissionOutcome:
    """Submit a record of a match; a refused record is an answer, not an exception.

    Refuses SIGN_IN, FORBIDDEN, and what :func:`.idempotency.claim` refuses.
    """
    refuse_unless(may_submit(actor, match), actor)
    parsed = parse_record(body)

    def submit() -> SubmissionOutcome:
        return judge(actor, match, parsed, Source(source))

    return _submit(actor, f"match {match.pk}", parsed, idempotency_key, submit)


def submit_to_tournament(
    actor: Actor,
    tournament: Tournament,
    body: bytes | str | ParsedRecord,
    *,
    source: str = Source.API,
    idempotency_key: str | None = None,
) -> SubmissionOutcome:
    """Submit a record of some match of a tournament, found by the names at its seats.

    Of several matches of the same people, it takes the one that accepted this record, then the one
    of the round in its tags, then the first open one. Refuses as :func:`submit_record`; a record
    whose seats fit no match is answered with NOT_A_PARTICIPANT or PAIRING_MISMATCH.
    """
    vouches = club_rights(actor, tournament.club).submit
    refuse_unless(vouches or may_submit_to(actor, tournament), actor)
    parsed = parse_record(body)

    def submit() -> SubmissionOutcome:
        try:
            match = MatchFinder(tournament, [parsed]).find(parsed)
        except Refusal as refusal:
            objection = None if parsed.error else refusal
            return write_event_without_match(actor, tournament, tournament, parsed, objection)
        refuse_unless(vouches or may_submit(actor, match), actor)
        return judge(actor, match, parsed, Source(source))

    return _submit(actor, f"tournament {tournament.pk}", parsed, idempotency_key, submit)


@transaction.atomic(savepoint=False)
def judge(
    actor: Actor, match: Match, parsed: ParsedRecord, source: Record.Source
) -> SubmissionOutcome:
    """Lock the match of a record, decide about it, and write the decision."""
    if parsed.document is None:
        return write_event_without_match(actor, match, match.tournament, parsed)
    match = lock_match(match)
    snapshot = read_snapshots([match])[match.pk]
    decision = decide(submitted_record(actor, match, parsed, source), snapshot)
    return write_decisions([decision])[0]


def _submit(
    actor: Actor,
    target: str,
    parsed: ParsedRecord,
    key: str | None,
    submit: Callable[[], SubmissionOutcome],
) -> SubmissionOutcome:
    """Run a submission once for each idempotency key, and count its outcome."""
    if key is None:
        submitted = submit()
    else:
        # Of target and body: a key that is used with another digest is refused.
        digest = hashlib.sha256(f"{target} {parsed.sha256}".encode()).hexdigest()
        claimed = idempotency.claim(actor, key, digest)
        if claimed.answer is not None:
            submitted = _stored_answer(claimed.answer, parsed)
        else:
            submitted = idempotency.carry_out(claimed, submit, stored_answer)
    SUBMISSIONS.labels("replayed" if submitted.replayed else submitted.outcome).inc()
    return submitted


def _stored_answer(answer: Mapping[str, Any], parsed: ParsedRecord) -> SubmissionOutcome:
    """Return a stored answer; the body is the same, so it has the same verdict.

    Answers stored by the previous release may be refusals of the service.
    """
    refusal = answer.get("refusal")
    return SubmissionOutcome(
        outcome=OutcomeKind(answer["outcome"]),
        parsed=parsed,
        match=next(iter(Match.objects.filter(pk=answer["match"]).list_with_names()), None),
        record=Record.objects.filter(pk=answer["record"]).first(),
        refusal=Refusal(Reason[refusal], **answer["params"]) if refusal else None,
        replayed=True,
        is_kept=answer.get("is_kept", True),
    )


# --- Many records ---------------------------------------------------------------------------------
# All of them, or none. Every line is parsed, judged and written as a record sent alone would be, in
# the order of the lines, with the tournament locked once. One line that cannot be accepted undoes
# all of it, and so does a dry run: the report is the same, and nothing has been written.


MAX_LINES: Final = 1000  # of one request, as docs/programs/api.md promises
MAX_BYTES: Final = 5 * 1024 * 1024  # of one request, as docs/programs/api.md promises


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """The outcome of a line; ``number`` counts from 1, blank lines of NDJSON included.

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


def submit_lines(
    actor: Actor,
    tournament: Tournament,
    lines: Sequence[NumberedRecord],
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
    numbered = [(number, parse_content(content)) for number, content in lines]
    if dry_run or idempotency_key is None:
        return _judge_batch(actor, tournament, numbered, dry_run=dry_run)
    claimed = idempotency.claim(actor, idempotency_key, _fingerprint(tournament, numbered))
    if claimed.answer is not None:
        stored = tuple(LineOutcome(*line) for line in claimed.answer["lines"])
        return Batch(stored, replayed=True)
    judge_all = partial(_judge_batch, actor, tournament, numbered)
    return idempotency.carry_out(claimed, judge_all, _batch_answer)


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
                outcome = SubmissionOutcome(OutcomeKind.REFUSED, parsed, None, None, objection)
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
        if decision.outcome is not OutcomeKind.REFUSED:
            self.waiting.append((len(self.outcomes), decision))
            self.seen.add(snapshot.match.pk)
        self.outcomes.append(outcome_before_write(decision))

    def _write(self) -> None:
        """Write the pending decisions; accepted records in a row raise the version once."""
        outcomes = write_decisions([decision for _, decision in self.waiting])
        for (index, _), outcome in zip(self.waiting, outcomes, strict=True):
            self.outcomes[index] = outcome
        self.waiting = []


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
        was_known = line.outcome in {OutcomeKind.DUPLICATE, OutcomeKind.CONFIRMED}
        return was_known and line.record not in new

    lines = [line if is_there(line) else replace(line, record=None) for line in batch.lines]
    return replace(batch, lines=tuple(lines))


def _fingerprint(tournament: Tournament, lines: Sequence[tuple[int, ParsedRecord]]) -> str:
    digest = hashlib.sha256(f"tournament {tournament.pk} bulk".encode())
    for number, parsed in lines:
        digest.update(f"\n{number} ".encode() + parsed.body)
    return digest.hexdigest()


def _batch_answer(batch: Batch) -> dict[str, Any] | None:
    """Return the stored form of an accepted batch's answer, to repeat it later."""
    if batch.refused:
        return None
    return {
        "lines": [
            [line.number, line.outcome, line.status, line.match, line.record]
            for line in batch.lines
        ]
    }
