"""Who leaves, who comes back, who rests: withdrawals, expulsions and byes that were asked for.

All of it concerns the rounds that are not published yet; what is published stays, and is settled at
its table. Drafts are drawn again.
"""

from django.db import transaction

from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.models import Absence, ByeRequest, Entry, Tournament
from tournaments.permissions import (
    Actor,
    may_arbitrate,
    may_manage,
    may_speak_for,
    refuse_unless,
)
from tournaments.queries.find import found
from tournaments.queries.state import entry_facts, refuse_closed
from tournaments.services.draws import open_round, refresh_drafts
from tournaments.services.latecomers import join_begun_stage
from tournaments.services.locks import bump, lock_entry
from tournaments.services.naming import checked_reason, checked_remark

Kind = Absence.Kind


@transaction.atomic
def withdraw(actor: Actor, entry: Entry, reason: str = "") -> Absence:
    """Take an entry out from the next round on; its people may do it themselves.

    Refuses FORBIDDEN, TOURNAMENT_OVER, ALREADY_AWAY.
    """
    refuse_unless(may_speak_for(actor, entry), actor)
    return _leave(actor, entry, Kind.WITHDRAWN, checked_remark(reason))


@transaction.atomic
def expel(actor: Actor, entry: Entry, reason: str) -> Absence:
    """Take an entry out for good. Refuses FORBIDDEN, REASON_MISSING and as :func:`withdraw`."""
    refuse_unless(may_manage(actor, entry.tournament.club), actor)
    return _leave(actor, entry, Kind.EXPELLED, checked_reason(reason))


@transaction.atomic
def bring_back(actor: Actor, entry: Entry) -> Entry:
    """Let an entry that left play again from the next round on.

    The rounds that it missed stay byes without points, however often it leaves; who was away when
    the first stage began comes into it like a latecomer. Refuses FORBIDDEN, TOURNAMENT_OVER,
    NOT_AWAY, EXPELLED, NO_LATE_ENTRY.
    """
    refuse_unless(may_arbitrate(actor, entry.tournament.club), actor)
    entry, away = _locked(entry, "bring_back")
    away = found(away)
    round_ = open_round(entry.tournament)
    if round_ <= away.from_round:
        away.delete()
    else:
        away.until_round = round_
        away.save(update_fields=["until_round"])
    join_begun_stage(entry, round_)
    _changed(actor, "entry.came_back", entry, round=round_, rows=[entry])
    return entry


@transaction.atomic
def request_bye(actor: Actor, entry: Entry, round_number: int, kind: str) -> ByeRequest:
    """Ask for a bye in a round that is not published yet.

    An entry may ask for so many with points as the tournament allows (`bye_quota`); a full one only
    the organiser gives. Refuses FORBIDDEN, TOURNAMENT_OVER, UNKNOWN_CHOICE, ROUND_PUBLISHED,
    BYE_ASKED, BYE_QUOTA.
    """
    refuse_unless(may_speak_for(actor, entry), actor)
    if kind not in ByeRequest.Kind.values:
        raise Refusal(Reason.UNKNOWN_CHOICE, text=kind[:60])
    entry, _ = _locked(entry, "ask_bye")
    tournament, kind = entry.tournament, ByeRequest.Kind(kind)
    manages = may_manage(actor, tournament.club)
    refuse_unless(manages or kind != ByeRequest.Kind.FULL, actor)
    _refuse_published(tournament, round_number)
    if entry.bye_requests.filter(round_number=round_number).exists():
        raise Refusal(Reason.BYE_ASKED, round=round_number)
    paid = entry.bye_requests.exclude(kind=ByeRequest.Kind.ZERO).count()
    if kind != ByeRequest.Kind.ZERO and not manages and paid >= tournament.bye_quota:
        raise Refusal(Reason.BYE_QUOTA, most=tournament.bye_quota)
    bye = ByeRequest.objects.create(
        entry=entry, round_number=round_number, kind=kind, made_by=actor.label[:200]
    )
    _changed(actor, "bye.requested", entry, round=round_number, kind=str(kind))
    return bye


@transaction.atomic
def cancel_bye(actor: Actor, bye: ByeRequest) -> None:
    """Take back a bye that was asked for. Refuses FORBIDDEN, TOURNAMENT_OVER, ROUND_PUBLISHED."""
    refuse_unless(may_speak_for(actor, bye.entry), actor)
    entry, _ = _locked(bye.entry, "change")
    _refuse_published(entry.tournament, bye.round_number)
    entry.bye_requests.filter(pk=bye.pk).delete()
    _changed(actor, "bye.cancelled", entry, round=bye.round_number)


def _leave(actor: Actor, entry: Entry, kind: Absence.Kind, reason: str) -> Absence:
    entry, open_ = _locked(entry, "expel" if kind == Kind.EXPELLED else "withdraw")
    round_ = open_round(entry.tournament)
    if open_ is not None:
        round_ = min(round_, open_.from_round)
        open_.delete()
    absence = Absence.objects.create(
        entry=entry, kind=kind, from_round=round_, reason=reason, made_by=actor.label[:200]
    )
    verb = "entry.expelled" if kind == Kind.EXPELLED else "entry.withdrawn"
    _changed(actor, verb, entry, round=round_, reason=reason)
    return absence


def _locked(entry: Entry, verb: str) -> tuple[Entry, Absence | None]:
    """Lock an entry of which the verb is open; return its absence without an end, too."""
    entry = lock_entry(entry)
    absence = entry.absences.filter(until_round__isnull=True).first()
    refuse_closed(verb, entry_facts(entry, absence))
    return entry, absence


def _refuse_published(tournament: Tournament, round_number: int) -> None:
    if round_number < open_round(tournament):
        raise Refusal(Reason.ROUND_PUBLISHED, round=round_number)


def _changed(actor: Actor, verb: str, entry: Entry, **facts: object) -> None:
    """Let the drafts follow, and write the event."""
    tournament = entry.tournament
    bump(tournament)
    refresh_drafts(tournament)
    write_event(
        actor,
        verb,
        entry,
        club=tournament.club,
        tournament=tournament,
        entry=entry.name,
        **facts,
    )
