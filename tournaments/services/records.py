"""Submitting a record: the one way by which hands become a result.

What was sent is read and replayed first, without the database (:mod:`.readings`); then, the match
being locked, it is set against the match (:mod:`.judging`). A record refused is an answer, and is
kept with its verdict as evidence; what is not even a JSON object leaves an event alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from tournaments.errors import Reason, Refusal
from tournaments.metrics import SUBMISSIONS
from tournaments.models import Match, Record, Tournament
from tournaments.permissions import Actor, may_submit, may_submit_to, powers, refuse_unless
from tournaments.services import submissions
from tournaments.services.answers import Outcome, Submitted, answer_of
from tournaments.services.judging import judge, note_unmatched
from tournaments.services.leases import Lease
from tournaments.services.matching import match_meant
from tournaments.services.readings import Reading, read

Source = Record.Source

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
    vouches = powers(actor, tournament.club).submit
    refuse_unless(vouches or may_submit_to(actor, tournament), actor)
    reading = read(body)

    def submit() -> Submitted:
        try:
            match = match_meant(tournament, reading)
        except Refusal as refusal:
            return note_unmatched(actor, tournament, reading, refusal)
        refuse_unless(vouches or may_submit(actor, match), actor)
        return judge(actor, match, reading, Source(source), None)

    return _once(actor, f"tournament {tournament.pk}", reading, idempotency_key, submit)


def _once(
    actor: Actor,
    target: str,
    reading: Reading,
    key: str | None,
    submit: Callable[[], Submitted],
) -> Submitted:
    """Carry a submission out, once for each idempotency key, and count what became of it."""
    return _counted(_carried_out(actor, target, reading, key, submit))


def _counted(submitted: Submitted) -> Submitted:
    SUBMISSIONS.labels("replayed" if submitted.replayed else submitted.outcome).inc()
    return submitted


def _carried_out(
    actor: Actor,
    target: str,
    reading: Reading,
    key: str | None,
    submit: Callable[[], Submitted],
) -> Submitted:
    """Keep the answer under the key, unless the refusal is the service's own.

    What is wrong with a record stays wrong; what the club objects to may be put right by it, and
    the same record is judged anew.
    """
    if key is None:
        return submit()
    claimed = submissions.claim(actor, key, _fingerprint(target, reading))
    if claimed.answer is not None:
        return _recalled(claimed.answer, reading)
    try:
        with transaction.atomic():
            submitted = submit()
            if submitted.refusal is not None:
                submissions.release(claimed)
            else:
                submissions.keep(claimed, answer_of(submitted))
    except Exception:
        submissions.release(claimed)
        raise
    return submitted


def _fingerprint(target: str, reading: Reading) -> str:
    """Return the digest of what is asked, by which a key is known to be used for it."""
    return hashlib.sha256(f"{target} {reading.sha256}".encode()).hexdigest()


def _recalled(answer: Mapping[str, Any], reading: Reading) -> Submitted:
    """Give an answer again; the body, being the same, has the same verdict.

    One that the release before has kept may be a refusal of the service's own.
    """
    refusal = answer.get("refusal")
    return Submitted(
        outcome=Outcome(answer["outcome"]),
        reading=reading,
        match=next(iter(Match.objects.filter(pk=answer["match"]).named()), None),
        record=Record.objects.filter(pk=answer["record"]).first(),
        refusal=Refusal(Reason[refusal], **answer["params"]) if refusal else None,
        replayed=True,
        is_kept=answer.get("is_kept", True),
    )
