"""An arbiter's decisions about a match: disputes, corrections, forfeits, postponements."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

import engine
from tournaments.analysis.services import analyse_when_accepted
from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.find import lock_match, or_404, refresh_row
from tournaments.core.names import validate_reason
from tournaments.core.permissions import Actor, may_arbitrate, may_submit, plays_in, refuse_unless
from tournaments.director.queries.state import match_facts, refuse_closed
from tournaments.domain.scores import Score, score_of
from tournaments.domain.sides import SIDES
from tournaments.models import Dispute, Match, Record, Result
from tournaments.models.matches import ATTEMPTS
from tournaments.results.queries.effects import RulingOutcome, correction_effect, effect_facts
from tournaments.results.services.given import (
    GivenResult,
    HandAward,
    award_facts,
    score_of_given,
)
from tournaments.results.services.reports import HandScores
from tournaments.results.services.results import (
    board_scores,
    contest_result,
    continue_match,
    make_result,
    reinstate_result,
    replace_result,
    score_facts,
    score_so_far,
    settle_cotos,
    withdraw_result,
    write_match_event,
)
from tournaments.results.services.write import write_hands

Depth = Result.Depth


class Ruling(StrEnum):
    """The rulings of an arbiter on a dispute."""

    INTERIM = "interim"
    UPHOLD = "uphold"
    AMEND = "amend"
    VOID = "void"


STATE_AFTER_RULING = {
    Ruling.INTERIM: Dispute.State.INTERIM,
    Ruling.UPHOLD: Dispute.State.UPHELD,
    Ruling.AMEND: Dispute.State.AMENDED,
    Ruling.VOID: Dispute.State.VOIDED,
}


# --- disputes -----------------------------------------------------------------------------------


@transaction.atomic
def dispute_result(actor: Actor, match: Match, reason: str) -> Dispute:
    """Open a dispute about a result, confirmed or not; its round stays open until the ruling.

    A result that counts goes on counting, one that waits for confirmation still does not. Possible
    until the tournament is finished; afterwards the arbiter can still correct. A match of several
    cotos can be disputed after its first coto. Refuses FORBIDDEN, REASON_MISSING,
    ALREADY_DISPUTED, NOTHING_TO_DISPUTE, NOT_RUNNING.
    """
    refuse_unless(may_submit(actor, match), actor)
    reason = validate_reason(reason)
    match = lock_match(match)
    unsettled = match.disputes.unsettled().first()
    in_play = score_so_far(match) is not None
    refuse_closed("dispute", match_facts(match, dispute=unsettled, in_play=in_play))
    dispute = contest_result(actor, match, reason)
    if dispute is None:
        raise Refusal(Reason.ALREADY_DISPUTED)
    return dispute


@transaction.atomic
def take_up(actor: Actor, dispute: Dispute) -> Dispute:
    """Mark a dispute as under review, which is public.

    Refuses FORBIDDEN, OWN_TABLE, ALREADY_RULED, ALREADY_TAKEN_UP.
    """
    refuse_unless_arbiter(actor, dispute.match)
    match = lock_match(dispute.match)
    dispute = _lock_dispute(match, dispute, "take_up")
    dispute.state = Dispute.State.UNDER_REVIEW
    dispute.reviewed_by, dispute.reviewed_at = actor.label, timezone.now()
    dispute.save(update_fields=["state", "reviewed_by", "reviewed_at"])
    write_match_event(actor, "dispute.taken_up", dispute, match)
    return dispute


@transaction.atomic
def rule_on_dispute(
    actor: Actor,
    dispute: Dispute,
    ruling: str,
    *,
    reason: str,
    score: Score | None = None,
    hand_scores: HandScores = (),
    cut: bool = False,
    award: HandAward | None = None,
    record: Record | None = None,
    result: Result | None = None,
) -> Dispute:
    """Rule on a dispute: let the result count for now, uphold it, amend it, or void it.

    ``interim``: the result counts for now, so that its round can be closed and the next one drawn;
    the dispute waits for its final ruling. ``uphold``: the result counts again; a match of several
    cotos without a result goes on. ``amend``: give the contested ``record``, the contested
    ``result``, or a ``score`` or ``hand_scores`` as the new result (``cut``: time ended it), or the
    ``award`` of a hand to a side. ``void``: the match is to be played again.
    Refuses FORBIDDEN, OWN_TABLE, UNKNOWN_RULING, REASON_MISSING, ALREADY_RULED,
    NOTHING_TO_DISPUTE, AMENDMENT_MISSING, IMPOSSIBLE_SCORE, LEVEL_CUT, DEALS_MISSING, and what is
    refused of hands.
    """
    refuse_unless_arbiter(actor, dispute.match)
    refuse_unless_known(Reason.UNKNOWN_RULING, ruling, Ruling)
    ruling, reason = Ruling(ruling), validate_reason(reason)
    match = lock_match(dispute.match)
    live = match.results.live().first()
    dispute = _lock_dispute(
        match, dispute, "rule_interim" if ruling is Ruling.INTERIM else "rule", live
    )
    before = score_facts(live)
    if ruling is Ruling.AMEND:
        given = GivenResult(score, hand_scores, cut, award)
        _amend(actor, match, reason, given, record, result)
    elif ruling is Ruling.VOID:
        _void_result(match)
    elif live is None:
        continue_match(match)
    elif dispute.state != Dispute.State.INTERIM:  # else it counts already
        reinstate_result(actor, match, live, reason=reason)
    _write_ruling(actor, match, dispute, ruling, reason, before=before, award=award)
    return dispute


def preview_ruling(actor: Actor, dispute: Dispute, **ruling: Any) -> RulingOutcome:
    """Return what a ruling does to the result of the match; the ruling is made and undone.

    ``ruling`` are the arguments of :func:`rule_on_dispute`; refuses what that refuses.
    """
    match = dispute.match
    results = match.results.live()
    with transaction.atomic():
        before, cotos_played = results.first(), match.records.accepted().count()
        rule_on_dispute(actor, dispute, **ruling)
        after = results.first()
        goes_on = None if after else score_so_far(match)
        counted = len(after.hand_scores) if after else cotos_played
        transaction.set_rollback(True)
    surplus = match.tournament.cotos > 1 and cotos_played > counted
    return RulingOutcome(before, after, goes_on, surplus)


def _write_ruling(
    actor: Actor,
    match: Match,
    dispute: Dispute,
    ruling: Ruling,
    reason: str,
    *,
    before: dict[str, Any] | None,
    award: HandAward | None = None,
) -> None:
    """Write a ruling and its event, with the result ``before`` and the one after it."""
    dispute.state = STATE_AFTER_RULING[ruling]
    dispute.ruling, dispute.ruled_by = reason, actor.label
    dispute.ruled_at = timezone.now()
    dispute.save(update_fields=["state", "ruling", "ruled_by", "ruled_at"])
    after = score_facts(match.results.live().first())
    facts = {"ruling": str(ruling), "reason": reason, "before": before, "after": after}
    facts |= award_facts(award)
    write_match_event(actor, "dispute.ruled", dispute, match, **facts)


def _lock_dispute(match: Match, dispute: Dispute, verb: str, live: Result | None = None) -> Dispute:
    """Lock a dispute of a locked match; refuses if its state does not allow the verb."""
    disputes = Dispute.objects.select_for_update(of=("self",), no_key=True)
    dispute = refresh_row(disputes, dispute)
    refuse_closed(verb, match_facts(match, live, dispute if dispute.is_unsettled else None))
    return dispute


def _amend(
    actor: Actor,
    match: Match,
    reason: str,
    given: GivenResult,
    record: Record | None,
    result: Result | None,
) -> None:
    """Make a contested record or report count, or a result that the arbiter gives."""
    if given.ways + (record is not None) + (result is not None) != 1:
        raise Refusal(Reason.AMENDMENT_MISSING)
    if result is not None:
        _amend_by_report(actor, match, reason, result)
    elif record is not None:
        _amend_by_record(actor, match, reason, record)
    else:
        score, hands = score_of_given(match, given)
        row = make_result(actor, match, score, Depth.RULING, reason=reason, hand_scores=hands)
        replace_result(row)


def _amend_by_report(actor: Actor, match: Match, reason: str, result: Result) -> None:
    contested = match.results.filter(pk=result.pk, live=False, disputes__match=match).first()
    if contested is None:
        raise Refusal(Reason.AMENDMENT_MISSING)
    match.records.accepted().update(state=Record.State.SUPERSEDED)
    reinstate_result(actor, match, contested, reason=reason)


def _amend_by_record(actor: Actor, match: Match, reason: str, record: Record) -> None:
    contested = match.records.filter(state=Record.State.CONTESTED, pk=record.pk)
    if (chosen_record := contested.first()) is None:
        raise Refusal(Reason.AMENDMENT_MISSING)
    accepted_records = match.records.accepted().filter(coto=chosen_record.coto)
    accepted_records.update(state=Record.State.SUPERSEDED)
    chosen_record.state, chosen_record.code = Record.State.ACCEPTED, ""
    chosen_record.save(update_fields=["state", "code"])
    parsed = engine.parse_record(chosen_record.text)
    verdict = engine.audit(parsed)
    write_hands(chosen_record, parsed, verdict)
    analyse_when_accepted(chosen_record)
    if match.tournament.cotos > 1:
        settle_cotos(actor, match, reason)
        return
    row = make_result(
        actor,
        match,
        score_of(verdict, chosen_record.home_side),
        Depth.RECORD,
        record=chosen_record,
        reason=reason,
        hand_scores=board_scores(match, verdict, chosen_record.home_side),
    )
    replace_result(row)


def _void_result(match: Match) -> None:
    """Withdraw the result and all records; the match waits to be played again.

    Bots would play the same cards in the same way: their match is left to the arbiter.
    """
    withdraw_result(match)
    submitted = (Record.State.ACCEPTED, Record.State.CONTESTED)
    match.records.filter(state__in=submitted).update(state=Record.State.SUPERSEDED)
    match.state = Match.State.PENDING
    match.abandoned_at = timezone.now() if match.is_of_bots else None
    match.attempts = ATTEMPTS if match.is_of_bots else 0
    match.save(update_fields=["state", "abandoned_at", "attempts"])


# --- corrections --------------------------------------------------------------------------------


@transaction.atomic
def correct_result(
    actor: Actor,
    match: Match,
    score: Score | None = None,
    *,
    reason: str,
    hand_scores: HandScores = (),
    cut: bool = False,
    award: HandAward | None = None,
    version: int | None = None,
) -> Result:
    """Give a match another result, or its first; the old version is kept and no longer counts.

    ``award`` gives a hand of the result to a side. ``version`` is that of the result to correct, 0
    for none; ``None`` skips the check. An accepted
    record stays accepted. Possible also in rounds and tournaments that are over: the standings
    follow, the pairings stay; the event lists the changed places. Refuses FORBIDDEN, OWN_TABLE,
    REASON_MISSING, NOTHING_TO_PLAY, ROUND_NOT_OPEN, ALREADY_DISPUTED, SCORE_MISSING,
    DEALS_MISSING, IMPOSSIBLE_SCORE, LEVEL_CUT, REPORT_CHANGED, and what is refused of hands.
    """
    refuse_unless_arbiter(actor, match)
    reason = validate_reason(reason)
    match = lock_match(match)
    refuse_closed("correct", match_facts(match))
    before = match.results.live().first()
    if version is not None and version != (before.version if before else 0):
        raise Refusal(Reason.REPORT_CHANGED)
    score, hands = score_of_given(match, GivenResult(score, hand_scores, cut, award))
    return _give_result(actor, match, score, before, reason=reason, hand_scores=hands, award=award)


def preview_correction(actor: Actor, match: Match, **correction: Any) -> Result:
    """Return the result that a correction gives; the correction is made and undone.

    ``correction`` are the arguments of :func:`correct_result`; refuses what that refuses.
    """
    with transaction.atomic():
        result = correct_result(actor, match, **correction)
        transaction.set_rollback(True)
    return result


def _give_result(
    actor: Actor,
    match: Match,
    score: Score,
    before: Result | None,
    *,
    reason: str,
    forfeits: Sequence[str] = (),
    hand_scores: HandScores = (),
    award: HandAward | None = None,
) -> Result:
    """Give a match another result than the one ``before``; an interim ruling ends with it.

    The event lists the places that it changes.
    """
    facts = award_facts(award)
    if before is not None:
        effect = correction_effect(
            match.tournament, match, score, forfeits=forfeits, hand_scores=hand_scores
        )
        facts["effect"] = effect_facts(effect)
    old_facts = score_facts(before)
    depth, verb = Depth.RULING, "result.corrected"
    facts["reason"] = reason
    if forfeits:
        depth, verb, facts["forfeits"] = Depth.FORFEIT, "match.forfeited", list(forfeits)
    row = make_result(
        actor, match, score, depth, reason=reason, forfeits=forfeits, hand_scores=hand_scores
    )
    result = replace_result(row)
    facts |= {"before": old_facts, "after": score_facts(result)}
    write_match_event(actor, verb, result, match, **facts)
    for dispute in match.disputes.unsettled():
        _write_ruling(actor, match, dispute, Ruling.AMEND, reason, before=old_facts)
    return result


@transaction.atomic
def decide(actor: Actor, match: Match, side: str, *, reason: str) -> Result:
    """Decide which side goes on from a match that ended level: ``home``, ``away`` or ``third``.

    Refuses FORBIDDEN, OWN_TABLE, REASON_MISSING, UNKNOWN_SIDE, NOT_LEVEL.
    """
    refuse_unless_arbiter(actor, match)
    reason = validate_reason(reason)
    match = lock_match(match)
    refuse_unless_known(Reason.UNKNOWN_SIDE, side, SIDES[: len(match.sides)])
    live = match.results.live().first()
    refuse_closed("decide", match_facts(match, live))
    live = or_404(live)
    before = score_facts(live)
    result = reinstate_result(actor, match, live, reason=reason, decided=side)
    after = score_facts(result)
    write_match_event(
        actor, "match.decided", result, match, reason=reason, before=before, after=after
    )
    return result


# --- postponed matches --------------------------------------------------------------------------


@transaction.atomic
def postpone(actor: Actor, match: Match, to: datetime | None, *, reason: str = "") -> Match:
    """Postpone a match, to a time if that is known; its round can be closed meanwhile.

    Its result is accepted as long as the tournament runs. A postponed match can be postponed
    again. Refuses FORBIDDEN, OWN_TABLE, NOTHING_TO_PLAY, NOT_RUNNING, ROUND_NOT_OPEN, HAS_RESULT,
    BAD_REASON, REASON_TOO_LONG.
    """
    refuse_unless_arbiter(actor, match)
    reason, match = validate_reason(reason, required=False), lock_match(match)
    refuse_closed("postpone", match_facts(match))
    write_new_day(actor, match, to, reason=reason)
    return match


def write_new_day(actor: Actor, match: Match, to: datetime | None, **facts: str) -> None:
    """Postpone a locked match to a time, or to one that is not known yet, and write the event."""
    before = match.postponed_to
    match.state, match.postponed_to = Match.State.POSTPONED, to
    match.lease_token, match.lease_until = "", None
    match.save(update_fields=["state", "postponed_to", "lease_token", "lease_until"])
    times = {"before": _written_time(before), "after": _written_time(to)}
    write_match_event(actor, "match.postponed", match, match, **facts, **times)


@transaction.atomic
def resume(actor: Actor, match: Match) -> Match:
    """Undo the postponement of a match, so that it is played in its round.

    Refuses FORBIDDEN, OWN_TABLE, NOT_POSTPONED, ROUND_CLOSED.
    """
    refuse_unless_arbiter(actor, match)
    match = lock_match(match)
    refuse_closed("resume", match_facts(match))
    before = _written_time(match.postponed_to)
    match.state, match.postponed_to = Match.State.PENDING, None
    match.save(update_fields=["state", "postponed_to"])
    write_match_event(actor, "match.resumed", match, match, before=before, after=None)
    return match


def _written_time(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat()


# --- who, and what ------------------------------------------------------------------------------


def refuse_unless_arbiter(actor: Actor, match: Match) -> None:
    """Refuse people who are not arbiters of the club, and arbiters at their own table."""
    refuse_unless(may_arbitrate(actor, match.tournament.club), actor)
    if plays_in(actor, match):
        raise Refusal(Reason.OWN_TABLE)


# --- forfeits -----------------------------------------------------------------------------------


NO_SHOW: Final = "no_show"
"""The stored reason of a forfeit by absence; pages translate it."""


@transaction.atomic
def forfeit(actor: Actor, match: Match, sides: Iterable[str], *, reason: str) -> Result:
    """Give a match as lost by some of its sides, or by all of them: then there is no winner.

    No hands and no points are counted for any side; the stage defines its match points
    (`Scale.forfeit_win`, `forfeit_loss`). The previous result is kept and no longer counts.
    Refuses FORBIDDEN, OWN_TABLE, REASON_MISSING, NOTHING_TO_PLAY, ALREADY_DISPUTED,
    ROUND_NOT_OPEN, UNKNOWN_SIDE, BOTS_ARE_THERE.
    """
    refuse_unless_arbiter(actor, match)
    reason = validate_reason(reason)
    match = lock_match(match)
    refuse_closed("forfeit", match_facts(match))
    return _write_forfeit(actor, match, _absent_sides(match, sides), reason)


@transaction.atomic
def no_show(actor: Actor, match: Match, sides: Iterable[str]) -> Result:
    """Give a match as lost by the absent sides, after the waiting time.

    The time runs from the start of the round's clock, or else from its publication, and stops with
    the clock. Refuses as :func:`forfeit`, and HAS_RESULT, ROUND_NOT_OPEN, NO_SHOW_TOO_EARLY.
    """
    refuse_unless_arbiter(actor, match)
    match = lock_match(match)
    refuse_closed("no_show", match_facts(match))
    return _write_forfeit(actor, match, _absent_sides(match, sides), NO_SHOW)


def _absent_sides(match: Match, sides: Iterable[str]) -> tuple[str, ...]:
    """Return the absent sides in their order."""
    named_sides, match_sides = set(sides), SIDES[: len(match.sides)]
    if not named_sides or not named_sides <= set(match_sides):
        raise Refusal(
            Reason.UNKNOWN_SIDE, text=", ".join(sorted(named_sides - set(match_sides)))[:60]
        )
    absent = tuple(side for side in match_sides if side in named_sides)
    entries = [entry for side in absent for entry in match.sides[SIDES.index(side)]]
    if any(entry.bot_id is not None for entry in entries):
        raise Refusal(Reason.BOTS_ARE_THERE)
    return absent


def _write_forfeit(actor: Actor, match: Match, absent: tuple[str, ...], reason: str) -> Result:
    nothing = (0,) * len(match.sides)
    before = match.results.live().first()
    score = Score.of(nothing, nothing)
    return _give_result(actor, match, score, before, reason=reason, forfeits=absent)
