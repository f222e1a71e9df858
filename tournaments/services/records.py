"""Submitting a record: the one way by which hands become a result.

What was sent is read and replayed first, without the database (:mod:`.readings`); then, the match
being locked, it is set against the match (:mod:`.judging`). A record refused is an answer, and is
kept with its verdict as evidence; what is not even a JSON object leaves an event alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import transaction

from tournaments.errors import Reason, Refusal
from tournaments.models import Match, Record, Tournament
from tournaments.permissions import Actor, may_submit, may_submit_to, refuse_unless
from tournaments.services import submissions
from tournaments.services.answers import Outcome, Submitted
from tournaments.services.judging import judge, note_unmatched
from tournaments.services.leases import Lease
from tournaments.services.matching import match_meant
from tournaments.services.readings import Reading, read

Source = Record.Source

CONFLICT: Final = 409
"""Answers of this status may be others next time: their key is free again."""

__all__ = ["Outcome", "Source", "Submitted", "submit_record", "submit_to_tournament"]


def submit_record(
    actor: Actor,
    match: Match,
    body: bytes | str,
    *,
    source: str = Source.API,
    idempotency_key: str | None = None,
    lease: Lease | None = None,
) -> Submitted:
    """Submit a record of a match; a record refused is an answer, not an exception.

    ``lease`` is a bot worker's, checked with the match locked. Refuses SIGN_IN, FORBIDDEN, and what
    :func:`.submissions.claim` refuses.
    """
    refuse_unless(may_submit(actor, match), actor)
    reading = read(body)

    def submit() -> Submitted:
        return judge(actor, match, reading, Source(source), lease)

    return _once(actor, f"match {match.pk}", reading, idempotency_key, submit)


def submit_to_tournament(
    actor: Actor,
    tournament: Tournament,
    body: bytes | str,
    *,
    source: str = Source.API,
    idempotency_key: str | None = None,
) -> Submitted:
    """Submit a record of some match of a tournament, found by the names at its seats.

    Of several matches of the same two, the one that accepted this record, then the one of the
    round its tags name, then the first one open is meant. Refuses as :func:`submit_record`; a
    record whose seats fit no match is answered with NOT_A_PARTICIPANT or PAIRING_MISMATCH.
    """
    refuse_unless(may_submit_to(actor, tournament), actor)
    reading = read(body)

    def submit() -> Submitted:
        try:
            match = match_meant(tournament, reading)
        except Refusal as refusal:
            return note_unmatched(actor, tournament, reading, refusal)
        refuse_unless(may_submit(actor, match), actor)
        return judge(actor, match, reading, Source(source), None)

    return _once(actor, f"tournament {tournament.pk}", reading, idempotency_key, submit)


def _once(
    actor: Actor,
    target: str,
    reading: Reading,
    key: str | None,
    submit: Callable[[], Submitted],
) -> Submitted:
    """Carry a submission out, once for each idempotency key."""
    if key is None:
        return submit()
    fingerprint = hashlib.sha256(f"{target} {reading.sha256}".encode()).hexdigest()
    claimed = submissions.claim(actor, key, fingerprint)
    if claimed.answer is not None:
        return _recalled(claimed.answer, reading)
    try:
        with transaction.atomic():
            submitted = submit()
            if submitted.status == CONFLICT:
                submissions.release(claimed)
            else:
                submissions.keep(claimed, _answer(submitted))
    except Exception:
        submissions.release(claimed)
        raise
    return submitted


def _answer(submitted: Submitted) -> dict[str, Any]:
    """Return what has to be kept of an answer to give it again."""
    refusal = submitted.refusal
    return {
        "outcome": submitted.outcome,
        "match": submitted.match.pk if submitted.match else None,
        "record": submitted.record.pk if submitted.record else None,
        "refusal": refusal.reason.name if refusal else None,
        "params": refusal.params if refusal else {},
    }


def _recalled(answer: Mapping[str, Any], reading: Reading) -> Submitted:
    """Give an answer again; the body, being the same, has the same verdict."""
    refusal = answer["refusal"]
    return Submitted(
        outcome=Outcome(answer["outcome"]),
        reading=reading,
        match=Match.objects.with_names().filter(pk=answer["match"]).first(),
        record=Record.objects.filter(pk=answer["record"]).first(),
        refusal=Refusal(Reason[refusal], **answer["params"]) if refusal else None,
        replayed=True,
    )
