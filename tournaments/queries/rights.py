"""What a viewer may do with a match as it stands: the buttons of its page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.models import ApiToken, Dispute, Match, Result, Round, Tournament
from tournaments.permissions import Actor, Powers

OBJECTIONABLE = (Match.State.ACCEPTED, Match.State.REPORTED)
"""States of a match with a result that can be disputed."""

REPORTABLE = (Match.State.PENDING, Match.State.POSTPONED, Match.State.REPORTED)
"""States of a match without a result that counts, and without a dispute about it."""


@dataclass(frozen=True, slots=True)
class MatchMay:
    """What the viewer may do with the match now.

    ``submit`` a record, ``report`` a score, ``confirm`` what another side reported, ``dispute`` a
    result; an arbiter ``take_up`` a dispute and ``rule`` on it, ``correct`` a result, ``decide`` a
    level match, ``forfeit`` it, ``postpone`` it and ``resume`` it.
    """

    submit: bool
    correct: bool
    dispute: bool
    rule: bool
    report: bool = False
    confirm: bool = False
    take_up: bool = False
    decide: bool = False
    forfeit: bool = False
    postpone: bool = False
    resume: bool = False

    @property
    def settle(self) -> bool:
        """Anything of what an arbiter alone does, a dispute apart."""
        return self.correct or self.decide or self.forfeit or self.postpone or self.resume


def match_may(
    match: Match,
    live: Result | None,
    dispute: Dispute | None,
    allowed: Powers,
    viewer: Actor,
    *,
    side: str,
    is_in_play: bool = False,
) -> MatchMay:
    """Return what the viewer may do; ``side`` is his in the match, if he plays in it.

    ``live`` is the last word on the match, ``dispute`` the open one; a match of several cotos that
    ``is_in_play`` has some of them, and no result yet.
    """
    states = Match.State
    state = match.state
    is_running = match.tournament.state == Tournament.State.RUNNING
    is_open = is_running and match.round.state == Round.State.PUBLISHED
    is_known = match.round.state != Round.State.DRAFT and state != states.BYE
    is_late = is_running and match.round.state == Round.State.CLOSED and state != states.ACCEPTED
    may_submit = allowed.submit or (bool(side) and viewer.allows(ApiToken.Scope.SUBMIT))
    may_rule = allowed.arbitrate and not side
    takes = (is_open or is_late) and is_known and not match.is_of_bots
    is_still = is_known and state != states.DISPUTED
    return MatchMay(
        submit=may_submit and takes,
        correct=may_rule and is_still,
        dispute=may_submit and is_running and (state in OBJECTIONABLE or is_in_play),
        rule=may_rule and state == states.DISPUTED,
        report=may_submit and takes and state in REPORTABLE,
        confirm=_may_confirm(match, live, allowed, side=side, plays=may_submit),
        take_up=may_rule and dispute is not None and dispute.state == Dispute.State.OPEN,
        decide=may_rule and _is_level(match, live),
        forfeit=may_rule and is_still and not match.is_of_bots,
        postpone=may_rule and is_running and is_known and state in {"pending", "postponed"},
        resume=may_rule and is_open and state == states.POSTPONED,
    )


def _may_confirm(
    match: Match, live: Result | None, allowed: Powers, *, side: str, plays: bool
) -> bool:
    if match.state != Match.State.REPORTED or live is None:
        return False
    if side:
        return plays and live.reported_for != side
    return allowed.submit or allowed.arbitrate


def _is_level(match: Match, live: Result | None) -> bool:
    """Tell whether somebody has to go on from a match that ended level."""
    return (
        match.round.stage.kind.in_brackets
        and match.state == Match.State.ACCEPTED
        and live is not None
        and live.winner == Result.Winner.TIE
    )


def no_show_from(match: Match) -> datetime | None:
    """Return from when those who have not come may be left out, while the clock is running."""
    round_ = match.round
    if round_.clock_started_at is not None and round_.clock_stopped_at is not None:
        return None
    started = round_.clock_started_at or round_.published_at
    return started and started + timedelta(minutes=match.tournament.no_show_minutes)
