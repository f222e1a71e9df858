"""The two sides of a match agree another day for it, until the day by which it is to be played."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_match
from tournaments.core.permissions import Actor, Scope, refuse_unless, side_of
from tournaments.director.queries.state import last_day_to_agree, match_facts, refuse_closed
from tournaments.domain.state import Role
from tournaments.models import Match
from tournaments.results.services.matches import write_new_day
from tournaments.results.services.results import write_match_event


@transaction.atomic
def propose_day(actor: Actor, match: Match, to: datetime) -> Match:
    """Propose another day to the other side; it replaces the one that was proposed before.

    Repeating it changes nothing. Refuses FORBIDDEN, NOTHING_TO_PLAY, NOT_RUNNING, ROUND_NOT_OPEN,
    HAS_RESULT, DAY_IS_SET, PLAYED_BY_BOTS, BAD_DAYS.
    """
    match, side = _lock(actor, match, "propose_day")
    _refuse_out_of_reach(match, to)
    if (match.proposed_day, match.day_proposed_by) == (to, side):
        return match
    _set_proposal(match, to, side)
    write_match_event(actor, "match.day_proposed", match, match, to=to.isoformat(), side=side)
    return match


@transaction.atomic
def agree_day(actor: Actor, match: Match, to: datetime) -> Match:
    """Agree to the day ``to`` that the other side proposed: the match is postponed to it.

    Refuses FORBIDDEN, NO_DAY_PROPOSED, OWN_PROPOSAL, PROPOSAL_CHANGED (another day than ``to``),
    and what `propose_day` refuses: the day may be over by now.
    """
    match, side = _lock(actor, match, "agree_day")
    if match.proposed_day != to:
        raise Refusal(Reason.PROPOSAL_CHANGED)
    _refuse_out_of_reach(match, to)
    _set_proposal(match, None, "")
    write_new_day(actor, match, to, agreed_by=side)
    return match


@transaction.atomic
def decline_day(actor: Actor, match: Match) -> Match:
    """Decline the day that the other side proposed, or take back the own proposal.

    Refuses FORBIDDEN, NO_DAY_PROPOSED, and what closes `propose_day`.
    """
    match, side = _lock(actor, match, "decline_day")
    declined = "" if match.proposed_day is None else match.proposed_day.isoformat()
    _set_proposal(match, None, "")
    write_match_event(actor, "match.day_declined", match, match, to=declined, side=side)
    return match


def _lock(actor: Actor, match: Match, verb: str) -> tuple[Match, str]:
    """Return the locked match and the actor's side of it; refuses what closes the verb."""
    side = side_of(actor, match)
    refuse_unless(bool(side) and actor.allows(Scope.SUBMIT), actor)
    match = lock_match(match)
    facts = match_facts(match, last_day=last_day_to_agree(match))
    refuse_closed(verb, facts, Role(frozenset({"play"}), side=side))
    return match, side


def _refuse_out_of_reach(match: Match, to: datetime) -> None:
    """Refuse BAD_DAYS for a day that is over, or after the last one to play the match."""
    last_day = last_day_to_agree(match)
    if last_day is not None and not (timezone.localdate() <= timezone.localdate(to) <= last_day):
        why = gettext("this match is to be played from today to %(day)s")
        day = date_format(last_day, "SHORT_DATE_FORMAT")
        raise Refusal(Reason.BAD_DAYS, why=why % {"day": day})


def _set_proposal(match: Match, day: datetime | None, side: str) -> None:
    match.proposed_day, match.day_proposed_by = day, side
    match.save(update_fields=["proposed_day", "day_proposed_by"])
