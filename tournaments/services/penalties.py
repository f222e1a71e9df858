"""Penalties: events of their own, listed, in every sum until they are revoked."""

from decimal import Decimal, InvalidOperation
from typing import Final

from django.db import transaction
from django.utils import timezone

from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.models import Entry, Penalty
from tournaments.permissions import Actor, is_own_entry, may_arbitrate, refuse_unless
from tournaments.services.locks import bump, lock_entry, read_again
from tournaments.services.naming import checked_reason

MOST_MATCH_POINTS: Final = 1_000
MOST_TAKEN: Final = 100_000
"""Hands or points: more is a slip of the pen."""


@transaction.atomic
def penalise(
    actor: Actor,
    entry: Entry,
    *,
    round_number: int,
    reason: str,
    match_points: Decimal | str | int = 0,
    hands: int = 0,
    points: int = 0,
) -> Penalty:
    """Take match points, hands or points from an entry; negative numbers give.

    Nobody rules on his own entry. Refuses FORBIDDEN, OWN_TABLE, REASON_MISSING, BAD_PENALTY.
    """
    _refuse_unless_arbiter(actor, entry)
    reason = checked_reason(reason)
    taken = _checked(match_points, hands, points)
    entry = lock_entry(entry)
    if round_number < 1:
        raise Refusal(Reason.BAD_PENALTY)
    penalty = Penalty.objects.create(
        entry=entry,
        round_number=round_number,
        match_points=taken,
        hands=hands,
        points=points,
        reason=reason,
        made_by=actor.label[:200],
    )
    _note(actor, "penalty.given", penalty, reason)
    return penalty


@transaction.atomic
def revoke_penalty(actor: Actor, penalty: Penalty, reason: str) -> Penalty:
    """Take a penalty back; it stays written down. Refuses as :func:`penalise`, ALREADY_REVOKED."""
    _refuse_unless_arbiter(actor, penalty.entry)
    reason = checked_reason(reason)
    entry = lock_entry(penalty.entry)
    penalty = read_again(entry.penalties.all(), penalty)
    if penalty.revoked_at is not None:
        raise Refusal(Reason.ALREADY_REVOKED)
    penalty.revoked_at = timezone.now()
    penalty.revoked_by, penalty.revocation = actor.label[:200], reason
    penalty.save(update_fields=["revoked_at", "revoked_by", "revocation"])
    _note(actor, "penalty.revoked", penalty, reason)
    return penalty


def _refuse_unless_arbiter(actor: Actor, entry: Entry) -> None:
    refuse_unless(may_arbitrate(actor, entry.tournament.club), actor)
    if is_own_entry(actor, entry):
        raise Refusal(Reason.OWN_TABLE)


def _checked(match_points: Decimal | str | int, hands: int, points: int) -> Decimal:
    try:
        taken = Decimal(str(match_points).replace(",", "."))
    except InvalidOperation as error:
        raise Refusal(Reason.BAD_PENALTY) from error
    fits = taken.is_finite() and abs(taken) <= MOST_MATCH_POINTS
    if not fits or taken != round(taken, 2) or max(abs(hands), abs(points)) > MOST_TAKEN:
        raise Refusal(Reason.BAD_PENALTY)
    if not (taken or hands or points):
        raise Refusal(Reason.BAD_PENALTY)
    return taken


def _note(actor: Actor, verb: str, penalty: Penalty, reason: str) -> None:
    tournament = penalty.entry.tournament
    bump(tournament)
    write_event(
        actor,
        verb,
        penalty,
        club=tournament.club,
        tournament=tournament,
        entry=penalty.entry.name,
        round=penalty.round_number,
        match_points=str(penalty.match_points),
        hands=penalty.hands,
        points=penalty.points,
        reason=reason,
        rows=[penalty],
    )
