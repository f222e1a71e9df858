"""Rounds of bots that are drawn and played by themselves, at set times.

The row says when a round is due; the database's clock says whether it is. All of a round begins in
one transaction under the tournament's lock, so that any number of ticks at once begin it once, and
one that is broken off has begun nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime, time
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from tournaments.audit import write_event
from tournaments.domain.timetable import Timetable, weekdays
from tournaments.errors import Reason, Refusal
from tournaments.models import Absence, Entry, Match, Round, Schedule, Tournament
from tournaments.permissions import Actor, may_manage, may_run_bots, refuse_unless
from tournaments.services.draws import draw, draw_next, open_round, refresh_drafts
from tournaments.services.locks import bump, lock_round, lock_tournament
from tournaments.services.tournaments import close_round, publish_round
from tournaments.services.waking import play_round

logger = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 200
"""Tournaments and rounds that one tick looks after at most."""

BENCHED: Final = Absence.Kind.BENCHED


@transaction.atomic
def set_schedule(
    actor: Actor,
    tournament: Tournament,
    *,
    at: time,
    zone: str,
    days: Iterable[int],
    is_on: bool = True,
) -> Schedule:
    """Give a tournament of bots its schedule, or another one; off, nothing happens by itself.

    Said again, nothing changes. Refuses FORBIDDEN, TOURNAMENT_OVER, BOTS_ONLY, BAD_SCHEDULE.
    """
    _refuse_unless_may(actor, tournament)
    tournament = lock_tournament(tournament)
    if tournament.state == Tournament.State.FINISHED:
        raise Refusal(Reason.TOURNAMENT_OVER)
    _refuse_people(tournament)
    table = _checked(at, zone, days)
    said = {"at": table.at, "zone": table.zone, "days": list(table.days), "is_on": is_on}
    schedule = Schedule.objects.filter(tournament=tournament).first() or Schedule(
        tournament=tournament
    )
    if schedule.pk and all(getattr(schedule, name) == value for name, value in said.items()):
        return schedule
    for name, value in said.items():
        setattr(schedule, name, value)
    schedule.due_at = table.after(_now(tournament))
    schedule.made_by = actor.label[:200]
    schedule.save()
    _note(actor, "schedule.set", tournament, **said | {"at": table.at.isoformat("minutes")})
    return schedule


@transaction.atomic
def run_now(actor: Actor, tournament: Tournament) -> Round:
    """Do at once what the schedule would do when it is due; it stays due when it was.

    Refuses FORBIDDEN, TOURNAMENT_OVER, BOTS_ONLY, and whatever stands in the way: ROUND_UNFINISHED,
    TOO_FEW_ENTRIES, TOO_MANY_ENTRIES, NOTHING_TO_DRAW, CANNOT_DRAW, NO_BOT_MATCHES.
    """
    _refuse_unless_may(actor, tournament)
    tournament = lock_tournament(tournament)
    _close_complete(actor, tournament)
    round_, facts = _begin(actor, tournament)
    schedule = Schedule.objects.filter(tournament=tournament).first()
    if schedule is not None:
        _say(schedule, _now(tournament), "", facts)
    return round_


def run_due() -> int:
    """Begin the rounds that are due and close those that are complete; answers how many began.

    Safe to call at any time, from anywhere, any number of times. What goes wrong with one
    tournament is logged, is tried again with the next call, and stops no other.
    """
    due = Schedule.objects.due().values_list("tournament", flat=True)
    begun = 0
    for tournament_pk in due[:MOST_AT_ONCE]:
        try:
            begun += _run(tournament_pk)
        except Exception:
            logger.exception("the schedule of tournament %s broke off", tournament_pk)
    for round_pk in _complete().values_list("pk", flat=True)[:MOST_AT_ONCE]:
        try:
            close_played(round_pk)
        except Exception:
            logger.exception("round %s, which is complete, was not closed", round_pk)
    return begun


@transaction.atomic
def close_played(round_pk: int) -> bool:
    """Close a round that the bots have played to its end, where a schedule is at work."""
    found = Round.objects.filter(pk=round_pk).select_related("stage__tournament").first()
    if found is None:
        return False
    lock_round(found)
    round_ = _complete().select_related("stage__tournament__club").filter(pk=round_pk).first()
    if round_ is None:
        return False
    close_round(Actor.system(), round_)
    return True


@transaction.atomic
def _run(tournament_pk: int) -> bool:
    """Begin a round if one is due; a refusal is written down, and the next time is another try."""
    tournament = lock_tournament(Tournament(pk=tournament_pk))
    schedule = Schedule.objects.due().filter(tournament=tournament).first()
    if schedule is None:
        return False
    actor, now, code = Actor.system(), _now(tournament), ""
    try:
        _close_complete(actor, tournament, wake=True)
        _, facts = _begin(actor, tournament)
    except Refusal as refusal:
        code, facts = refusal.code, _plain(refusal.params)
        _note(actor, "schedule.refused", tournament, code=code, **facts)
    schedule.due_at = schedule.timetable.after(now)
    _say(schedule, now, code, facts)
    return not code


def _close_complete(actor: Actor, tournament: Tournament, *, wake: bool = False) -> None:
    """Close the rounds that are being played; refuses ROUND_UNFINISHED.

    With ``wake`` what is left to play of one is asked for again.
    """
    if tournament.state != Tournament.State.RUNNING:
        return
    playing = Round.objects.filter(stage__tournament=tournament, state=Round.State.PUBLISHED)
    for round_ in playing.select_related("stage__tournament__club").order_by("number"):
        if wake and round_.matches.unfinished().of_bots().exists():
            play_round(actor, round_)
        close_round(actor, round_)


@transaction.atomic
def _begin(actor: Actor, tournament: Tournament) -> tuple[Round, dict[str, Any]]:
    """Draw the next round without those on the bench, publish it and have it played.

    Answers it and what is to be told of it. All of it or nothing: a refusal leaves no trace.
    """
    if tournament.state == Tournament.State.FINISHED:
        raise Refusal(Reason.TOURNAMENT_OVER)
    _refuse_people(tournament)
    left_out = _leave_out(actor, tournament)
    round_ = play_round(actor, publish_round(actor, _next_draft(actor, tournament)))
    facts = {"round": round_.number, "left_out": left_out}
    _note(actor, "schedule.ran", tournament, **facts)
    return round_, facts


def _next_draft(actor: Actor, tournament: Tournament) -> Round:
    """Return the draft that comes next, drawn now if it is not there."""
    rounds = Round.objects.filter(stage__tournament=tournament).select_related("stage__tournament")
    if tournament.state == Tournament.State.DRAFT:
        draw(actor, tournament)
    drafts = rounds.filter(state=Round.State.DRAFT).order_by("number")
    if (draft := drafts.first()) is not None:
        return draft
    last = rounds.order_by("number").last()
    return draw_next(actor, tournament, after=last.number if last else 0)


def _leave_out(actor: Actor, tournament: Tournament) -> list[str]:
    """Let the bots that are benched or retired be away for one round; answers their names.

    Whoever was put back meanwhile is away no more.
    """
    number = open_round(tournament)
    sits = Q(bot__benched_at__isnull=False) | Q(bot__retired_at__isnull=False)
    covers = Q(from_round__lte=number) & (Q(until_round__isnull=True) | Q(until_round__gt=number))
    absences = Absence.objects.filter(entry__tournament=tournament)
    benched = list(tournament.entries.filter(sits).order_by("number"))
    back = absences.filter(covers, kind=BENCHED).exclude(entry__in=benched)
    away = set(absences.filter(covers).values_list("entry", flat=True))
    new = [entry for entry in benched if entry.pk not in away]
    changes = _end(back, number)
    for entry in new:
        _bench(actor, entry, number)
    if changes or new:
        bump(tournament)
        refresh_drafts(tournament)
    return [entry.name for entry in benched]


def _end(absences: Iterable[Absence], number: int) -> bool:
    """End absences before a round; tells whether there were any."""
    ended = list(absences)
    for absence in ended:
        if absence.from_round >= number:
            absence.delete()
        else:
            absence.until_round = number
            absence.save(update_fields=["until_round"])
    return bool(ended)


def _bench(actor: Actor, entry: Entry, number: int) -> None:
    """Let an entry be away for a round, along with those just before it."""
    before = entry.absences.filter(kind=BENCHED, until_round=number)
    if not before.update(until_round=number + 1):
        Absence.objects.create(
            entry=entry,
            kind=BENCHED,
            from_round=number,
            until_round=number + 1,
            made_by=actor.label[:200],
        )


def _complete() -> QuerySet[Round]:
    """Return the rounds that bots have played to their end, where a schedule is at work."""
    left = Match.objects.unfinished().values("round")
    return Round.objects.filter(
        state=Round.State.PUBLISHED,
        play_requested_at__isnull=False,
        stage__tournament__state=Tournament.State.RUNNING,
        stage__tournament__schedule__in=Schedule.objects.at_work(),
    ).exclude(pk__in=left)


def _refuse_unless_may(actor: Actor, tournament: Tournament) -> None:
    may = may_manage(actor, tournament.club) and may_run_bots(actor, tournament.club)
    refuse_unless(may, actor)


def _refuse_people(tournament: Tournament) -> None:
    """Refuse BOTS_ONLY: people are not drawn and made to play while they sleep."""
    people = tournament.entries.filter(bot__isnull=True).order_by("number").first()
    if people is not None:
        raise Refusal(Reason.BOTS_ONLY, text=people.name)


def _checked(at: time, zone: str, days: Iterable[int]) -> Timetable:
    try:
        return Timetable(at, zone, weekdays(days))
    except ValueError as error:
        raise Refusal(Reason.BAD_SCHEDULE, text=str(error)) from error


def _now(tournament: Tournament) -> datetime:
    """Return the time by the database's clock."""
    told = Tournament.objects.annotate(now=Now()).values_list("now", flat=True)
    now: datetime = told.get(pk=tournament.pk)
    return now


def _say(schedule: Schedule, now: datetime, code: str, facts: Mapping[str, Any]) -> None:
    """Write down what became of a time."""
    schedule.last_at, schedule.last_code, schedule.last_facts = now, code, dict(facts)
    schedule.save(update_fields=["due_at", "last_at", "last_code", "last_facts"])


def _plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the particulars of a refusal as JSON holds them."""
    return {
        name: value if isinstance(value, int | str) else str(value) for name, value in facts.items()
    }


def _note(actor: Actor, verb: str, tournament: Tournament, **facts: Any) -> None:
    write_event(actor, verb, tournament, club=tournament.club, tournament=tournament, **facts)
