"""Writes decisions: records, hands, results, states, events; bounds the evidence kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

import engine
from tournaments.analysis.services import analyse_when_accepted
from tournaments.core.audit import NewEvent, write_all_events, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.models import Dispute, EvidenceDay, Hand, Match, Record, Result, Tournament
from tournaments.results.services.decide import NO_FACTS, Decision
from tournaments.results.services.results import (
    NewResult,
    confirm,
    contest_result,
    continue_match,
    make_result,
    rows_of,
    score_facts,
    write_results,
)
from tournaments.results.services.submission import (
    OutcomeKind,
    ParsedRecord,
    SubmissionOutcome,
    SubmittedRecord,
)

# --- Evidence -------------------------------------------------------------------------------------
# Limits on stored evidence, so that senders cannot fill the disk.
#
# Refused and contested records are evidence. Their texts are kept up to a number for a match and up
# to a number and size for a sender a day. Beyond that an event keeps the digest and not the text,
# and after `MAX_NOTES` of these the answer is 429 (docs/programs/api.md). The service itself has no
# daily limit. The counts are rows, so that a rollback undoes them.


MAX_PER_MATCH: Final = 50  # refused and contested records
MAX_TEXTS: Final = 200  # of a sender a day
MAX_BYTES: Final = 16 * 1024 * 1024  # of a sender a day
MAX_NOTES: Final = 1000  # of a sender a day
DAY: Final = timedelta(days=1)

KINDS: Final = (Record.State.REFUSED, Record.State.CONTESTED)  # states of evidence


def reserve_evidence(actor: Actor, match: Match, size: int) -> bool:
    """Count a text of ``size`` bytes; returns whether the limits allow it. The match is locked."""
    if match.records.filter(state__in=KINDS).count() >= MAX_PER_MATCH:
        return False
    if actor.is_system:
        return True
    rows = _evidence_today(actor).filter(texts__lt=MAX_TEXTS, size__lte=MAX_BYTES - size)
    return rows.update(texts=F("texts") + 1, size=F("size") + size) == 1


def count_evidence_event(actor: Actor) -> None:
    """Count an event about a text that is not kept. Refuses EVIDENCE_FULL."""
    if actor.is_system:
        return
    if not _evidence_today(actor).filter(notes__lt=MAX_NOTES).update(notes=F("notes") + 1):
        raise Refusal(Reason.EVIDENCE_FULL, retry_after=_until_tomorrow())


def delete_old_counts() -> int:
    """Delete the counts of past days; returns how many."""
    return EvidenceDay.objects.filter(day__lt=timezone.now().date() - DAY).delete()[0]


def _evidence_today(actor: Actor) -> QuerySet[EvidenceDay]:
    """Return the sender's count of today (UTC), created if missing."""
    today: dict[str, Any] = {"who": actor.scope_name, "day": timezone.now().date()}
    EvidenceDay.objects.get_or_create(**today)
    return EvidenceDay.objects.filter(**today)


def _until_tomorrow() -> int:
    now = timezone.now()
    midnight = datetime.combine(now.date() + DAY, datetime.min.time(), UTC)
    return int((midnight - now).total_seconds()) + 1


# --- Write ----------------------------------------------------------------------------------------
# The only place where submissions change rows.
#
# It writes records, hands, results, states, audit events and jobs of one decision or of a thousand,
# from people, batches of lines, and bots. The caller has locked the tournament and the matches.


State = Record.State
RULED_STATES: Final = (Dispute.State.INTERIM, Dispute.State.UPHELD, Dispute.State.AMENDED)


def write_decisions(decisions: Sequence[Decision]) -> list[SubmissionOutcome]:
    """Write decisions about records of one tournament, in their order, and return the answers.

    Accepted records in a row are written together and raise the tournament's version once; so no
    two of them may be about the same match if its result is that of one record. Refuses
    EVIDENCE_FULL.
    """
    outcomes: list[SubmissionOutcome] = []
    for is_accepted, group in groupby(decisions, key=lambda decision: decision.is_accepted):
        if is_accepted:
            outcomes += _write_accepted(list(group))
        else:
            outcomes += [_WRITERS[decision.outcome](decision) for decision in group]
    return outcomes


def _write_accepted(decisions: Sequence[Decision]) -> list[SubmissionOutcome]:
    """Write accepted records, with the results that some of them give their matches."""
    tournament = decisions[0].submission.match.tournament
    for decision in decisions:
        match = decision.submission.match
        if decision.replaces:
            match.records.accepted().filter(coto=decision.number).update(state=State.SUPERSEDED)
        if decision.withdraws:
            continue_match(match)
    records = [
        _record_row(decision.submission, State.ACCEPTED, coto=decision.number)
        for decision in decisions
    ]
    Record.objects.bulk_create(records)
    Hand.objects.bulk_create(
        hand
        for decision, record in zip(decisions, records, strict=True)
        for parsed in [decision.submission.parsed]
        for hand in hands_of(record, parsed.record, parsed.verdict)
    )
    analyse_when_accepted(*records)
    results = _write_results(tournament, list(zip(decisions, records, strict=True)))
    events: list[NewEvent] = []
    for decision, record in zip(decisions, records, strict=True):
        result = results.get(record.pk)
        facts = {
            "digest": record.digest,
            "score": score_facts(result) if result else decision.progress,
            "rows": _changed_rows(decision, record, result),
        }
        verb = "record.accepted" if decision.counts else "record.reported"
        events.append((decision.submission.actor, verb, record, facts))
    write_all_events(events, club=tournament.club, tournament=tournament)
    return [
        SubmissionOutcome(decision.outcome, decision.submission.parsed, record.match, record)
        for decision, record in zip(decisions, records, strict=True)
    ]


def _write_results(
    tournament: Tournament, accepted: Sequence[tuple[Decision, Record]]
) -> dict[int, Result]:
    """Write the results of decided matches; returns them by the keys of their records."""
    new = {}
    for decision, record in accepted:
        if (score := decision.result) is None:
            continue
        submission = decision.submission
        row = make_result(
            submission.actor,
            record.match,
            score.score,
            Result.Depth.RECORD,
            record=record,
            hand_scores=score.hand_scores,
            reported_for=submission.party,
            confirmed_by=score.confirmed_by,
        )
        before = None if decision.withdraws else decision.snapshot.results
        new[record.pk] = NewResult(row, decision.counts, before)
    if new:
        write_results(tournament, list(new.values()), end_leases=True)
    return {pk: new_result.row for pk, new_result in new.items()}


def _changed_rows(decision: Decision, record: Record, result: Result | None) -> list[Any]:
    """Return the rows whose digests the event of an accepted record carries."""
    if decision.is_addition:
        return [record] if result is None else [record, result]
    return list(rows_of(record.match, record))


def _write_repeated(decision: Decision) -> SubmissionOutcome:
    """Add this side to the record's submitters; confirm the live result if the decision says so."""
    submission, duplicate = decision.submission, decision.duplicate_of
    if duplicate is None or duplicate.row is None:
        raise ValueError("only a record that is written can be said again")
    duplicate.row.match = submission.match
    if decision.adds_submitter:
        duplicate.row.said_by = [*duplicate.said_by, submission.submitter]
        duplicate.row.save(update_fields=["said_by"])
    live_result = decision.snapshot.live
    if decision.outcome is OutcomeKind.CONFIRMED and live_result is not None:
        live_result.match = submission.match
        confirm(submission.actor, submission.match, live_result)
    return SubmissionOutcome(decision.outcome, submission.parsed, submission.match, duplicate.row)


def _write_refused(decision: Decision) -> SubmissionOutcome:
    """Store a refused record as evidence, once, with the code of the refusal or of the fault."""
    submission, answer = decision.submission, outcome_before_write(decision)
    match, parsed = submission.match, submission.parsed
    filters = {"state": State.REFUSED, "sha256": parsed.sha256, "code": answer.code}
    row = match.records.filter(**filters).first()
    if row is None:
        if not reserve_evidence(submission.actor, match, len(parsed.body)):
            return _write_unkept(submission, answer)
        params = decision.refusal.params if decision.refusal else NO_FACTS
        row = _record_row(submission, State.REFUSED, answer.code, params)
        row.save(force_insert=True)
        _note(submission, "record.refused", row, code=row.code, sha256=row.sha256)
    return replace(answer, record=row)


def _write_contested(decision: Decision) -> SubmissionOutcome:
    """Store a record beside the accepted one and open a dispute, unless it is stored already."""
    submission, answer = decision.submission, outcome_before_write(decision)
    match, parsed = submission.match, submission.parsed
    stored_record = match.records.filter(
        coto=decision.number,
        state__in=(State.CONTESTED, State.SUPERSEDED),
        digest=parsed.verdict.digest,
        home_side=submission.home,
    ).first()
    # Without a ruling a superseded record is one that a side has replaced: nobody contested it.
    if stored_record is not None and (stored_record.state == State.CONTESTED or _is_ruled(match)):
        return replace(answer, record=stored_record)
    has_room = reserve_evidence(submission.actor, match, len(parsed.body))
    # The first contested record of a match opens its dispute, however much evidence there is.
    if not has_room and match.records.filter(state=State.CONTESTED).exists():
        return _write_unkept(submission, answer)
    refusal = decision.refusal or Refusal(Reason.CONFLICTING_LOG)
    row = _record_row(submission, State.CONTESTED, refusal.code, refusal.params, decision.number)
    row.save(force_insert=True)
    _note(submission, "record.contested", row, digest=row.digest, rows=[row])
    contest_result(submission.actor, match, refusal.code, record=row)
    return replace(answer, record=row)


def _is_ruled(match: Match) -> bool:
    """Return whether the last dispute of a match let a result count."""
    last = match.disputes.first()
    return last is not None and last.state in RULED_STATES


def _write_unkept(submission: SubmittedRecord, answer: SubmissionOutcome) -> SubmissionOutcome:
    """Write an event with the digest of a record that is not kept, as there is enough evidence."""
    count_evidence_event(submission.actor)
    parsed = submission.parsed
    facts = {"code": answer.code, "size": len(parsed.body), "sha256": parsed.sha256}
    _note(submission, "record.unkept", submission.match, **facts)
    return replace(answer, is_kept=False)


_WRITERS: Final = {
    OutcomeKind.DUPLICATE: _write_repeated,
    OutcomeKind.CONFIRMED: _write_repeated,
    OutcomeKind.REFUSED: _write_refused,
    OutcomeKind.CONTESTED: _write_contested,
}


def outcome_before_write(decision: Decision) -> SubmissionOutcome:
    """Return the answer to a submission before anything is written."""
    submission = decision.submission
    return SubmissionOutcome(
        decision.outcome, submission.parsed, submission.match, None, decision.refusal
    )


@transaction.atomic
def write_event_without_match(
    actor: Actor,
    subject: Match | Tournament,
    tournament: Tournament,
    parsed: ParsedRecord,
    refusal: Refusal | None = None,
) -> SubmissionOutcome:
    """Write an event about a body that is no JSON object, or fits no match; the text is not kept.

    Without ``refusal`` the objection is that it is no record. Refuses EVIDENCE_FULL.
    """
    match = subject if isinstance(subject, Match) else None
    answer = SubmissionOutcome(OutcomeKind.REFUSED, parsed, match, None, refusal)
    count_evidence_event(actor)
    facts: dict[str, Any] = {
        "code": answer.code,
        "reason": answer.reason,
        "size": len(parsed.body),
        "sha256": parsed.sha256,
    }
    verb = "record.unmatched" if refusal else "record.unreadable"
    write_tournament_event(actor, verb, subject, tournament, **facts)
    return answer


def _record_row(
    submission: SubmittedRecord,
    state: Record.State,
    code: str = "",
    params: Mapping[str, Any] = NO_FACTS,
    coto: int = 1,
) -> Record:
    """Return the unsaved row of a submitted record."""
    parsed = submission.parsed
    return Record(
        match=submission.match,
        coto=coto,
        said_by=[submission.submitter],
        state=state,
        source=submission.source,
        text=parsed.text,
        sha256=parsed.sha256,
        digest=parsed.verdict.digest or "",
        home_side=submission.home,
        verdict=parsed.verdict_json,
        code=code,
        params=dict(params),
        submitted_by=submission.actor.user,
        submitter=submission.actor.label,
    )


def hands_of(row: Record, record: engine.Record | None, verdict: engine.Verdict) -> list[Hand]:
    """Return the unsaved hands of a valid record, with the points of the replay."""
    if record is None:
        raise ValueError("only a valid record is accepted")
    return [
        Hand(
            record_id=row.pk,
            number=replayed.number,
            dealer=hand.dealer,
            trump=hand.trump or "",
            deal=None if hand.deal is None else dict(hand.deal),
            play=hand.play,
            points=dict(replayed.points or {}),
            winner=replayed.winner or "",
        )
        for hand, replayed in zip(record.hands, verdict.hands, strict=True)
    ]


def write_hands(row: Record, record: engine.Record, verdict: engine.Verdict) -> None:
    """Write the hands of a valid record, with the points of the replay."""
    Hand.objects.bulk_create(hands_of(row, record, verdict))


def _note(submission: SubmittedRecord, verb: str, subject: Record | Match, **facts: Any) -> None:
    write_tournament_event(submission.actor, verb, subject, submission.match.tournament, **facts)
