"""What the arbiter decides about a match: disputes and corrections, each with its reason."""

from enum import StrEnum

from django.db import transaction
from django.utils import timezone

import engine
from tournaments.audit import write_event
from tournaments.domain.seating import score_of
from tournaments.domain.standings import Score
from tournaments.errors import Reason, Refusal
from tournaments.models import Dispute, Match, Record, Result, Round, Tournament
from tournaments.models.matches import ATTEMPTS
from tournaments.permissions import (
    Actor,
    may_arbitrate,
    may_submit,
    plays_in,
    refuse_unless,
)
from tournaments.services.judging import write_hands
from tournaments.services.locks import lock_match
from tournaments.services.naming import checked_reason
from tournaments.services.results import replace_result, score_facts, withdraw_result

__all__ = ["Ruling", "Score", "correct_result", "open_dispute", "rule_on_dispute"]

Depth = Result.Depth

MOST_POINTS = 230
"""Points that one hand can give at most: the pack, the last ten, and every declaration."""


class Ruling(StrEnum):
    """What an arbiter can do about a dispute."""

    UPHOLD = "uphold"
    AMEND = "amend"
    VOID = "void"


STATE_AFTER = {
    Ruling.UPHOLD: Dispute.State.UPHELD,
    Ruling.AMEND: Dispute.State.AMENDED,
    Ruling.VOID: Dispute.State.VOIDED,
}


@transaction.atomic
def open_dispute(actor: Actor, match: Match, reason: str) -> Dispute:
    """Ask the arbiter to look at a match that has a result; the result counts meanwhile.

    Refuses FORBIDDEN, REASON_MISSING, ALREADY_DISPUTED, NOTHING_TO_DISPUTE.
    """
    refuse_unless(may_submit(actor, match), actor)
    reason = checked_reason(reason)
    match = lock_match(match)
    if match.state == Match.State.DISPUTED:
        raise Refusal(Reason.ALREADY_DISPUTED)
    if match.state != Match.State.ACCEPTED:
        raise Refusal(Reason.NOTHING_TO_DISPUTE)
    dispute = Dispute.objects.create(match=match, reason=reason, opened_by=actor.label[:200])
    match.state = Match.State.DISPUTED
    match.save(update_fields=["state"])
    _note(actor, "dispute.opened", dispute, match, reason=reason)
    return dispute


@transaction.atomic
def rule_on_dispute(
    actor: Actor,
    dispute: Dispute,
    ruling: str,
    *,
    reason: str,
    score: Score | None = None,
    record: Record | None = None,
) -> Dispute:
    """Close a dispute: uphold the result, amend it, or void it.

    To amend, give the contested ``record`` that is to count in place of the accepted one, or a
    ``score``. A match whose result is voided is to be played again. Refuses FORBIDDEN, OWN_TABLE,
    UNKNOWN_RULING, REASON_MISSING, ALREADY_RULED, AMENDMENT_MISSING, IMPOSSIBLE_SCORE.
    """
    _refuse_unless_arbiter(actor, dispute.match)
    if ruling not in list(Ruling):
        raise Refusal(Reason.UNKNOWN_RULING, text=ruling[:60])
    ruling, reason = Ruling(ruling), checked_reason(reason)
    match = lock_match(dispute.match)
    dispute = Dispute.objects.select_for_update(of=("self",), no_key=True).get(pk=dispute.pk)
    if dispute.state != Dispute.State.OPEN:
        raise Refusal(Reason.ALREADY_RULED)
    before = score_facts(match.results.live().first())
    if ruling is Ruling.AMEND:
        _amend(actor, match, reason, score, record)
    elif ruling is Ruling.VOID:
        _void(match)
    else:
        match.state = Match.State.ACCEPTED
        match.save(update_fields=["state"])
    dispute.state = STATE_AFTER[ruling]
    dispute.ruling, dispute.ruled_by = reason, actor.label[:200]
    dispute.ruled_at = timezone.now()
    dispute.save(update_fields=["state", "ruling", "ruled_by", "ruled_at"])
    after = score_facts(match.results.live().first())
    facts = {"ruling": str(ruling), "reason": reason, "before": before, "after": after}
    _note(actor, "dispute.ruled", dispute, match, **facts)
    return dispute


@transaction.atomic
def correct_result(actor: Actor, match: Match, score: Score, *, reason: str) -> Result:
    """Give a match another result, or its first; the old one is kept and counts no more.

    The accepted record stays what was played. Possible also in rounds and tournaments that are
    over: the standings follow, the pairings stay. Refuses FORBIDDEN, OWN_TABLE, REASON_MISSING,
    NOTHING_TO_PLAY, ROUND_NOT_OPEN, ALREADY_DISPUTED, IMPOSSIBLE_SCORE.
    """
    _refuse_unless_arbiter(actor, match)
    reason = checked_reason(reason)
    match = lock_match(match)
    if match.state == Match.State.BYE:
        raise Refusal(Reason.NOTHING_TO_PLAY)
    if match.state == Match.State.DISPUTED:
        raise Refusal(Reason.ALREADY_DISPUTED)
    if match.round.state == Round.State.DRAFT:
        raise Refusal(Reason.ROUND_NOT_OPEN, round=match.round.number)
    _refuse_impossible(score, match.tournament)
    before = score_facts(match.results.live().first())
    result = replace_result(actor, match, score, depth=Depth.RULING, reason=reason)
    after = score_facts(result)
    _note(actor, "result.corrected", result, match, reason=reason, before=before, after=after)
    return result


def _refuse_unless_arbiter(actor: Actor, match: Match) -> None:
    refuse_unless(may_arbitrate(actor, match.tournament.club), actor)
    if plays_in(actor, match):
        raise Refusal(Reason.OWN_TABLE)


def _amend(
    actor: Actor, match: Match, reason: str, score: Score | None, record: Record | None
) -> None:
    """Make a contested record count, or a score that the arbiter gives."""
    if (score is None) == (record is None):
        raise Refusal(Reason.AMENDMENT_MISSING)
    if score is not None:
        _refuse_impossible(score, match.tournament)
        replace_result(actor, match, score, depth=Depth.RULING, reason=reason)
        return
    contested = match.records.filter(state=Record.State.CONTESTED, pk=record.pk if record else 0)
    if (chosen := contested.first()) is None:
        raise Refusal(Reason.AMENDMENT_MISSING)
    match.records.accepted().update(state=Record.State.SUPERSEDED)
    chosen.state, chosen.code = Record.State.ACCEPTED, ""
    chosen.save(update_fields=["state", "code"])
    parsed = engine.parse_record(chosen.text)
    verdict = engine.audit(parsed)
    write_hands(chosen, parsed, verdict)
    new_score = score_of(verdict, chosen.home_side)
    replace_result(actor, match, new_score, depth=Depth.RECORD, record=chosen, reason=reason)


def _void(match: Match) -> None:
    """Take result and record out of the count; the match waits to be played again.

    Bots would only play the same cards in the same way: their match is left to the arbiter.
    """
    withdraw_result(match)
    match.records.accepted().update(state=Record.State.SUPERSEDED)
    match.state = Match.State.PENDING
    match.abandoned_at = timezone.now() if match.is_of_bots else None
    match.attempts = ATTEMPTS if match.is_of_bots else 0
    match.save(update_fields=["state", "abandoned_at", "attempts"])


def _refuse_impossible(score: Score, tournament: Tournament) -> None:
    """Refuse what no match of the tournament could end like, however it was cut short."""
    hands = (score.home_hands, score.away_hands)
    points = (score.home_points, score.away_points)
    options = tournament.options
    target = options.get("to", engine.RULESETS[tournament.ruleset].target)
    if "deals" in options:
        fits = sum(hands) <= options["deals"]
    else:
        fits = max(hands) <= target and min(hands) < target
    if min(*hands, *points) < 0 or not fits or sum(points) > MOST_POINTS * sum(hands):
        shown = f"{hands[0]}-{hands[1]} ({points[0]}-{points[1]})"
        raise Refusal(Reason.IMPOSSIBLE_SCORE, text=shown)


def _note(
    actor: Actor, verb: str, subject: Dispute | Result, match: Match, **facts: object
) -> None:
    tournament = match.tournament
    write_event(
        actor,
        verb,
        subject,
        club=tournament.club,
        tournament=tournament,
        match=match.label,
        **facts,
    )
