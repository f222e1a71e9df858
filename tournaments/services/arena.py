"""Pausing the bots: of one round, or of the whole service, and letting them go on.

What is paused is not claimed any more (`Match.objects.due`); a worker finishes what it holds.
"""

from django.db import transaction
from django.utils import timezone

from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.jobs import Job, post
from tournaments.models import Arena, Match, Round, Tournament
from tournaments.models.switch import THE_ARENA
from tournaments.permissions import Actor, may_run_bots, may_switch_arena, refuse_unless
from tournaments.queries.state import refuse_closed, round_facts
from tournaments.services.locks import lock_round


@transaction.atomic
def pause_round(actor: Actor, round_: Round) -> Round:
    """Let workers finish the matches of a round that they hold, and claim no more of them.

    Refuses FORBIDDEN, ROUND_NOT_OPEN, NO_BOT_MATCHES, ALREADY_PAUSED.
    """
    round_ = _locked(actor, round_, "pause")
    round_.paused_at = timezone.now()
    return _switched(actor, round_, "round.paused")


@transaction.atomic
def resume_round(actor: Actor, round_: Round) -> Round:
    """Let workers claim the matches of a paused round again, and wake them.

    Refuses FORBIDDEN, ROUND_NOT_OPEN, NO_BOT_MATCHES, NOT_PAUSED.
    """
    round_ = _locked(actor, round_, "resume")
    round_.paused_at = None
    round_ = _switched(actor, round_, "round.resumed")
    Match.objects.due().filter(round=round_).update(woken_at=None)
    post(Job.PLAY_ROUND, round_.pk)
    return round_


@transaction.atomic
def pause_arena(actor: Actor) -> Arena:
    """Let no worker claim any bot match of the service. Refuses FORBIDDEN, ALREADY_PAUSED."""
    arena = _locked_arena(actor)
    if arena.paused_at is not None:
        raise Refusal(Reason.ALREADY_PAUSED)
    arena.paused_at, arena.paused_by = timezone.now(), actor.label[:200]
    arena.save()
    _tell(actor, "arena.paused", arena)
    return arena


@transaction.atomic
def resume_arena(actor: Actor) -> Arena:
    """Let workers claim bot matches again, and wake them. Refuses FORBIDDEN, NOT_PAUSED."""
    arena = _locked_arena(actor)
    if arena.paused_at is None:
        raise Refusal(Reason.NOT_PAUSED)
    arena.paused_at, arena.paused_by = None, ""
    arena.save()
    Match.objects.due().update(woken_at=None)
    _tell(actor, "arena.resumed", arena)
    post(Job.SWEEP)
    return arena


def _locked(actor: Actor, round_: Round, verb: str) -> Round:
    """Lock a round of which the verb is open."""
    refuse_unless(may_run_bots(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    refuse_closed(verb, round_facts(round_))
    return round_


def _switched(actor: Actor, round_: Round, verb: str) -> Round:
    round_.save(update_fields=["paused_at"])
    tournament = round_.stage.tournament
    write_event(
        actor, verb, round_, club=tournament.club, tournament=tournament, round=round_.number
    )
    return round_


def _locked_arena(actor: Actor) -> Arena:
    refuse_unless(may_switch_arena(actor), actor)
    Arena.objects.get_or_create(pk=THE_ARENA)
    return Arena.objects.select_for_update().get(pk=THE_ARENA)


def _tell(actor: Actor, verb: str, arena: Arena) -> None:
    """Write the event down in the history of every tournament whose bots are at play.

    Clubs in the order of their keys: their counters are the last locks, and several.
    """
    playing = Match.objects.asked_for().values("round__stage__tournament")
    tournaments = Tournament.objects.filter(pk__in=playing).select_related("club")
    for tournament in tournaments.order_by("club", "pk"):
        write_event(actor, verb, arena, club=tournament.club, tournament=tournament)
