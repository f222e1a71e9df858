"""Submits one record: parsed, judged against its locked match, and written.

A refused record is an answer: it is stored with its verdict as evidence. For a body that is not
even a JSON object only an event is written.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from tournaments.core import idempotency
from tournaments.core.errors import Reason, Refusal
from tournaments.core.locks import lock_match
from tournaments.core.metrics import SUBMISSIONS
from tournaments.core.permissions import Actor, may_submit, may_submit_to, powers, refuse_unless
from tournaments.models import Match, Record, Tournament
from tournaments.results.services.decide import decide
from tournaments.results.services.find_match import find_match
from tournaments.results.services.leases import Lease
from tournaments.results.services.outcome import Outcome, SubmissionOutcome, answer_of
from tournaments.results.services.parse import ParsedRecord, parse_record
from tournaments.results.services.snapshot import read_snapshots, submitted_record
from tournaments.results.services.write import note_without_match, write_decisions

Source = Record.Source


def submit_record(
    actor: Actor,
    match: Match,
    body: bytes | str,
    *,
    source: str = Source.API,
    idempotency_key: str | None = None,
    lease: Lease | None = None,
) -> SubmissionOutcome:
    """Submit a record of a match; a refused record is an answer, not an exception.

    ``lease`` is a bot worker's, checked with the match locked. Refuses SIGN_IN, FORBIDDEN, and
    what :func:`.idempotency.claim` refuses.
    """
    refuse_unless(may_submit(actor, match), actor)
    parsed = parse_record(body)

    def submit() -> SubmissionOutcome:
        return judge(actor, match, parsed, Source(source), lease)

    return _once(actor, f"match {match.pk}", parsed, idempotency_key, submit)


def submit_to_tournament(
    actor: Actor,
    tournament: Tournament,
    body: bytes | str,
    *,
    source: str = Source.API,
    idempotency_key: str | None = None,
) -> SubmissionOutcome:
    """Submit a record of some match of a tournament, found by the names at its seats.

    Of several matches of the same people, it takes the one that accepted this record, then the one
    of the round in its tags, then the first open one. Refuses as :func:`submit_record`; a record
    whose seats fit no match is answered with NOT_A_PARTICIPANT or PAIRING_MISMATCH.
    """
    vouches = powers(actor, tournament.club).submit
    refuse_unless(vouches or may_submit_to(actor, tournament), actor)
    parsed = parse_record(body)

    def submit() -> SubmissionOutcome:
        try:
            match = find_match(tournament, parsed)
        except Refusal as refusal:
            why = None if parsed.error else refusal
            return note_without_match(actor, tournament, tournament, parsed, why)
        refuse_unless(vouches or may_submit(actor, match), actor)
        return judge(actor, match, parsed, Source(source))

    return _once(actor, f"tournament {tournament.pk}", parsed, idempotency_key, submit)


@transaction.atomic(savepoint=False)
def judge(
    actor: Actor,
    match: Match,
    parsed: ParsedRecord,
    source: Record.Source,
    lease: Lease | None = None,
) -> SubmissionOutcome:
    """Lock the match of a record, decide about it, and write the decision."""
    if parsed.document is None:
        return note_without_match(actor, match, match.tournament, parsed)
    match = lock_match(match)
    snapshots = read_snapshots([match], () if lease is None else (lease,))
    decision = decide(submitted_record(actor, match, parsed, source), snapshots[match.pk])
    return write_decisions([decision])[0]


def _once(
    actor: Actor,
    target: str,
    parsed: ParsedRecord,
    key: str | None,
    submit: Callable[[], SubmissionOutcome],
) -> SubmissionOutcome:
    """Run a submission once for each idempotency key, and count its outcome."""
    return _count_outcome(_carried_out(actor, target, parsed, key, submit))


def _count_outcome(submitted: SubmissionOutcome) -> SubmissionOutcome:
    SUBMISSIONS.labels("replayed" if submitted.replayed else submitted.outcome).inc()
    return submitted


def _carried_out(
    actor: Actor,
    target: str,
    parsed: ParsedRecord,
    key: str | None,
    submit: Callable[[], SubmissionOutcome],
) -> SubmissionOutcome:
    """Run a submission and store its answer under the key, unless the service itself refuses.

    The engine's faults are final; the club may remove the cause of a service's refusal, and then
    the same record is judged again.
    """
    if key is None:
        return submit()
    claimed = idempotency.claim(actor, key, _fingerprint(target, parsed))
    if claimed.answer is not None:
        return _stored_answer(claimed.answer, parsed)
    try:
        with transaction.atomic():
            submitted = submit()
            if submitted.refusal is not None:
                idempotency.release(claimed)
            else:
                idempotency.keep(claimed, answer_of(submitted))
    except Exception:
        idempotency.release(claimed)
        raise
    return submitted


def _fingerprint(target: str, parsed: ParsedRecord) -> str:
    """Return the digest of target and body; a key used with another digest is refused."""
    return hashlib.sha256(f"{target} {parsed.sha256}".encode()).hexdigest()


def _stored_answer(answer: Mapping[str, Any], parsed: ParsedRecord) -> SubmissionOutcome:
    """Return a stored answer; the body is the same, so it has the same verdict.

    Answers stored by the previous release may be refusals of the service.
    """
    refusal = answer.get("refusal")
    return SubmissionOutcome(
        outcome=Outcome(answer["outcome"]),
        parsed=parsed,
        match=next(iter(Match.objects.filter(pk=answer["match"]).named()), None),
        record=Record.objects.filter(pk=answer["record"]).first(),
        refusal=Refusal(Reason[refusal], **answer["params"]) if refusal else None,
        replayed=True,
        is_kept=answer.get("is_kept", True),
    )
