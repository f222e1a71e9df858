"""The clock of a round: so many minutes, counted from when the play began."""

from typing import Final

from django.db import transaction
from django.utils import timezone

from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.models import Round
from tournaments.permissions import Actor, may_arbitrate, refuse_unless
from tournaments.queries.state import refuse_closed, round_facts
from tournaments.services.locks import lock_round

LONGEST_ROUND: Final = 24 * 60
"""Minutes."""


@transaction.atomic
def start_clock(actor: Actor, round_: Round, minutes: int) -> Round:
    """Start the clock of a round that is being played; started again, it begins anew.

    Refuses FORBIDDEN, ROUND_NOT_OPEN, BAD_MINUTES.
    """
    round_ = _locked(actor, round_, "start_clock")
    if not 1 <= minutes <= LONGEST_ROUND:
        raise Refusal(Reason.BAD_MINUTES, most=LONGEST_ROUND)
    round_.minutes, round_.clock_started_at = minutes, timezone.now()
    round_.clock_stopped_at = None
    return _written(actor, round_, "clock.started")


@transaction.atomic
def stop_clock(actor: Actor, round_: Round) -> Round:
    """Let the clock stand still. Refuses FORBIDDEN, ROUND_NOT_OPEN, CLOCK_NOT_RUNNING."""
    round_ = _locked(actor, round_, "stop_clock")
    round_.clock_stopped_at = timezone.now()
    return _written(actor, round_, "clock.stopped")


@transaction.atomic
def resume_clock(actor: Actor, round_: Round) -> Round:
    """Let a clock that stands still go on with the time it had left. Refuses as `stop_clock`."""
    round_ = _locked(actor, round_, "resume_clock")
    if round_.clock_started_at and round_.clock_stopped_at:
        round_.clock_started_at += timezone.now() - round_.clock_stopped_at
    round_.clock_stopped_at = None
    return _written(actor, round_, "clock.resumed")


def _locked(actor: Actor, round_: Round, verb: str) -> Round:
    """Lock a round of which the verb is open."""
    refuse_unless(may_arbitrate(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    refuse_closed(verb, round_facts(round_))
    return round_


def _written(actor: Actor, round_: Round, verb: str) -> Round:
    round_.save(update_fields=["minutes", "clock_started_at", "clock_stopped_at"])
    tournament = round_.stage.tournament
    write_event(
        actor,
        verb,
        round_,
        club=tournament.club,
        tournament=tournament,
        round=round_.number,
        minutes=round_.minutes,
    )
    return round_
