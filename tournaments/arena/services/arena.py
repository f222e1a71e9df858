"""Services of bot rounds: pause and resume, schedules, replies of remote bots."""

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime, time, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

import engine
from tournaments.arena.services.dispatch import play_round
from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_round, lock_tournament, raise_version, refresh_row
from tournaments.core.jobs import Job, post
from tournaments.core.permissions import (
    Actor,
    may_act_as_staff,
    may_change_bot,
    may_manage,
    may_run_bots,
    refuse_unless,
)
from tournaments.director.queries.state import open_round, refuse_closed, round_facts
from tournaments.director.services.drafts import refresh_drafts
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.rounds import draw_again
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.domain.timetable import Timetable, weekdays
from tournaments.models import (
    Absence,
    Arena,
    Bot,
    BotTurn,
    Entry,
    Match,
    Round,
    Schedule,
    Tournament,
)
from tournaments.models.bots import ARENA_PK
from tournaments.results.services.turns import FAREWELL, LIMITS, failure_columns

# --- Pause ----------------------------------------------------------------------------------------
# Pauses and resumes bot matches, of one round or of the whole service. Paused matches are not
# claimed any more (`Match.objects.due`); a worker finishes those it holds.


@transaction.atomic
def pause_round(actor: Actor, round_: Round) -> Round:
    """Pause the bots of a round: workers finish the matches they hold, and claim no more.

    Refuses FORBIDDEN, ROUND_NOT_OPEN, NO_BOT_MATCHES, ALREADY_PAUSED.
    """
    round_ = _lock_for_pause(actor, round_, "pause")
    round_.paused_at = timezone.now()
    return _save_pause(actor, round_, "round.paused")


@transaction.atomic
def resume_round(actor: Actor, round_: Round) -> Round:
    """Resume a paused round, and wake its matches.

    Refuses FORBIDDEN, ROUND_NOT_OPEN, NO_BOT_MATCHES, NOT_PAUSED.
    """
    round_ = _lock_for_pause(actor, round_, "resume")
    round_.paused_at = None
    round_ = _save_pause(actor, round_, "round.resumed")
    Match.objects.due().filter(round=round_).update(woken_at=None)
    post(Job.PLAY_ROUND, round_.pk)
    return round_


@transaction.atomic
def pause_arena(actor: Actor) -> Arena:
    """Pause all bot matches of the service. Refuses FORBIDDEN, ALREADY_PAUSED."""
    arena = _lock_arena(actor)
    if arena.paused_at is not None:
        raise Refusal(Reason.ALREADY_PAUSED)
    arena.paused_at, arena.paused_by = timezone.now(), actor.label
    arena.save()
    _log_event(actor, "arena.paused", arena)
    return arena


@transaction.atomic
def resume_arena(actor: Actor) -> Arena:
    """Resume the bot matches of the service, and wake them. Refuses FORBIDDEN, NOT_PAUSED."""
    arena = _lock_arena(actor)
    if arena.paused_at is None:
        raise Refusal(Reason.NOT_PAUSED)
    arena.paused_at, arena.paused_by = None, ""
    arena.save()
    Match.objects.due().update(woken_at=None)
    _log_event(actor, "arena.resumed", arena)
    post(Job.SWEEP)
    return arena


def _lock_for_pause(actor: Actor, round_: Round, verb: str) -> Round:
    """Lock a round for which the verb is open."""
    refuse_unless(may_run_bots(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    refuse_closed(verb, round_facts(round_))
    return round_


def _save_pause(actor: Actor, round_: Round, verb: str) -> Round:
    round_.save(update_fields=["paused_at"])
    tournament = round_.stage.tournament
    write_tournament_event(actor, verb, round_, tournament, round=round_.number)
    return round_


def _lock_arena(actor: Actor) -> Arena:
    """Return the row of the arena, locked; it is made first, because a lock needs a row."""
    refuse_unless(may_act_as_staff(actor), actor)
    Arena.objects.get_or_create(pk=ARENA_PK)
    return Arena.objects.select_for_update().get(pk=ARENA_PK)


def _log_event(actor: Actor, verb: str, arena: Arena) -> None:
    """Write the event into the history of every tournament whose bots are at play.

    In the order of the clubs' keys: each event locks the club's counter, and a fixed order avoids
    deadlocks.
    """
    playing = Match.objects.requested().values("round__stage__tournament")
    tournaments = Tournament.objects.filter(pk__in=playing).select_related("club")
    for tournament in tournaments.order_by("club", "pk"):
        write_tournament_event(actor, verb, arena, tournament)


# --- Schedules ------------------------------------------------------------------------------------
# Rounds of bots that are drawn and played at set times. The row says when a round is due, by the
# database's clock. A round begins in one transaction under the tournament's lock, so concurrent
# ticks begin it once, and an interrupted one has no effect.


logger = logging.getLogger(__name__)

MAX_AT_ONCE: Final = 200
"""Limit of tournaments, and of rounds, that one tick handles."""

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
    """Set or replace the schedule of a tournament of bots; off, it begins no rounds.

    The same values change nothing. Refuses FORBIDDEN, TOURNAMENT_OVER, BOTS_ONLY, BAD_SCHEDULE.
    """
    _refuse_unless_may(actor, tournament)
    tournament = lock_tournament(tournament)
    if tournament.state == Tournament.State.FINISHED:
        raise Refusal(Reason.TOURNAMENT_OVER)
    _refuse_people(tournament)
    table = _checked_timetable(at, zone, days)
    values = {"at": table.at, "zone": table.zone, "days": list(table.days), "is_on": is_on}
    schedule = Schedule.objects.filter(tournament=tournament).first() or Schedule(
        tournament=tournament
    )
    if schedule.pk and all(getattr(schedule, name) == value for name, value in values.items()):
        return schedule
    for name, value in values.items():
        setattr(schedule, name, value)
    schedule.due_at = table.after(_now(tournament))
    schedule.made_by = actor.label
    schedule.save()
    _write_schedule_event(
        actor, "schedule.set", tournament, **values | {"at": table.at.isoformat("minutes")}
    )
    return schedule


@transaction.atomic
def run_now(actor: Actor, tournament: Tournament) -> Round:
    """Begin the next round now, as the schedule would; its next time does not change.

    Refuses FORBIDDEN, TOURNAMENT_OVER, BOTS_ONLY, and what prevents a round: ROUND_UNFINISHED,
    TOO_FEW_ENTRIES, TOO_MANY_ENTRIES, NOTHING_TO_DRAW, CANNOT_DRAW, NO_BOT_MATCHES.
    """
    _refuse_unless_may(actor, tournament)
    tournament = lock_tournament(tournament)
    _close_complete(actor, tournament)
    round_, facts = _begin(actor, tournament)
    schedule = Schedule.objects.filter(tournament=tournament).first()
    if schedule is not None:
        _store_run(schedule, _now(tournament), "", facts)
    return round_


def run_due() -> int:
    """Begin the rounds that are due and close complete ones; return how many began.

    Safe to call at any time and concurrently. A failure with one tournament is logged, retried by
    the next call, and does not affect the others.
    """
    due = Schedule.objects.due().values_list("tournament", flat=True)
    count = 0
    for tournament_pk in due[:MAX_AT_ONCE]:
        try:
            count += _run_schedule(tournament_pk)
        except Exception:
            logger.exception("the schedule of tournament %s broke off", tournament_pk)
    for round_pk in _complete_rounds().values_list("pk", flat=True)[:MAX_AT_ONCE]:
        try:
            close_played(round_pk)
        except Exception:
            logger.exception("round %s, which is complete, was not closed", round_pk)
    return count


@transaction.atomic
def close_played(round_pk: int) -> bool:
    """Close a round of bots whose matches are all played, if a schedule is active."""
    row = Round.objects.filter(pk=round_pk).select_related("stage__tournament").first()
    if row is None:
        return False
    lock_round(row)
    round_ = (
        _complete_rounds().select_related("stage__tournament__club").filter(pk=round_pk).first()
    )
    if round_ is None:
        return False
    close_round(Actor.system(), round_)
    return True


@transaction.atomic
def _run_schedule(tournament_pk: int) -> bool:
    """Begin a round if one is due; a refusal is stored, and the next time is another attempt."""
    tournament = lock_tournament(Tournament(pk=tournament_pk))
    schedule = Schedule.objects.due().filter(tournament=tournament).first()
    if schedule is None:
        return False
    actor, now, code = Actor.system(), _now(tournament), ""
    try:
        _close_complete(actor, tournament, wake=True)
        _, facts = _begin(actor, tournament)
    except Refusal as refusal:
        code, facts = refusal.code, _json_facts(refusal.params)
        _write_schedule_event(actor, "schedule.refused", tournament, code=code, **facts)
    schedule.due_at = schedule.timetable.after(now)
    _store_run(schedule, now, code, facts)
    return not code


def _close_complete(actor: Actor, tournament: Tournament, *, wake: bool = False) -> None:
    """Close the published rounds. Refuses ROUND_UNFINISHED.

    With ``wake``, their unfinished matches are requested again.
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
    """Draw the next round without the bots that cannot play, publish and start it.

    Returns the round and the facts for its event. The transaction is atomic: a refusal leaves no
    trace.
    """
    if tournament.state == Tournament.State.FINISHED:
        raise Refusal(Reason.TOURNAMENT_OVER)
    _refuse_people(tournament)
    left_out = _mark_absent(actor, tournament)
    draft = _next_draft(actor, tournament)
    if draft.is_outdated:  # nobody is there to look at it
        draft = draw_again(actor, draft)
    round_ = play_round(actor, publish_round(actor, draft))
    facts = {"round": round_.number, "left_out": left_out}
    _write_schedule_event(actor, "schedule.ran", tournament, **facts)
    return round_, facts


def _next_draft(actor: Actor, tournament: Tournament) -> Round:
    """Return the next draft, drawn now if there is none."""
    rounds = Round.objects.filter(stage__tournament=tournament).select_related("stage__tournament")
    if tournament.state == Tournament.State.DRAFT:
        draw(actor, tournament)
    drafts = rounds.filter(state=Round.State.DRAFT).order_by("number")
    if (draft := drafts.first()) is not None:
        return draft
    last = rounds.order_by("number").last()
    return draw_next(actor, tournament, after=last.number if last else 0)


def _mark_absent(actor: Actor, tournament: Tournament) -> list[str]:
    """Mark bots that cannot play as absent for one round; return their names.

    They are benched or retired; where no organiser has entered them, remote ones whose client does
    not ask for turns are absent too, as they would lose. Ends the absence of those that are back.
    """
    number = open_round(tournament)
    sits = Q(bot__benched_at__isnull=False) | Q(bot__retired_at__isnull=False)
    if tournament.open_to_bots:
        sits |= Q(bot__in=Bot.objects.silent())
    covers = Q(from_round__lte=number) & (Q(until_round__isnull=True) | Q(until_round__gt=number))
    absences = Absence.objects.filter(entry__tournament=tournament)
    benched = list(tournament.entries.filter(sits).order_by("number"))
    back = absences.filter(covers, kind=BENCHED).exclude(entry__in=benched)
    away = set(absences.filter(covers).values_list("entry", flat=True))
    new = [entry for entry in benched if entry.pk not in away]
    changes = _end_absences(back, number)
    for entry in new:
        _bench(actor, entry, number)
    if changes or new:
        raise_version(tournament)
        refresh_drafts(tournament, "entry")
    return [entry.name for entry in benched]


def _end_absences(absences: Iterable[Absence], number: int) -> bool:
    """End absences before a round; return whether there were any."""
    open_absences = list(absences)
    for absence in open_absences:
        if absence.from_round >= number:
            absence.delete()
        else:
            absence.until_round = number
            absence.save(update_fields=["until_round"])
    return bool(open_absences)


def _bench(actor: Actor, entry: Entry, number: int) -> None:
    """Mark an entry as absent for a round, extending the absence of the round before."""
    before = entry.absences.filter(kind=BENCHED, until_round=number)
    if not before.update(until_round=number + 1):
        Absence.objects.create(
            entry=entry,
            kind=BENCHED,
            from_round=number,
            until_round=number + 1,
            made_by=actor.label,
        )


def _complete_rounds() -> QuerySet[Round]:
    """Return the rounds whose matches are all played, in tournaments with an active schedule."""
    open_rounds = Match.objects.unfinished().values("round")
    return Round.objects.filter(
        state=Round.State.PUBLISHED,
        play_requested_at__isnull=False,
        stage__tournament__state=Tournament.State.RUNNING,
        stage__tournament__schedule__in=Schedule.objects.active(),
    ).exclude(pk__in=open_rounds)


def _refuse_unless_may(actor: Actor, tournament: Tournament) -> None:
    is_allowed = may_manage(actor, tournament.club) and may_run_bots(actor, tournament.club)
    refuse_unless(is_allowed, actor)


def _refuse_people(tournament: Tournament) -> None:
    """Refuse BOTS_ONLY: a schedule must not draw rounds at night for people."""
    people = tournament.entries.filter(bot__isnull=True).order_by("number").first()
    if people is not None:
        raise Refusal(Reason.BOTS_ONLY, text=people.name)


def _checked_timetable(start_time: time, zone: str, days: Iterable[int]) -> Timetable:
    try:
        return Timetable(start_time, zone, weekdays(days))
    except ValueError as error:
        raise Refusal(Reason.BAD_SCHEDULE, text=str(error)) from error


def _now(tournament: Tournament) -> datetime:
    """Return the time by the database's clock."""
    moments = Tournament.objects.annotate(now=Now()).values_list("now", flat=True)
    now: datetime = moments.get(pk=tournament.pk)
    return now


def _store_run(schedule: Schedule, now: datetime, code: str, facts: Mapping[str, Any]) -> None:
    """Store the outcome of a run of the schedule."""
    schedule.last_at, schedule.last_code, schedule.last_facts = now, code, dict(facts)
    schedule.save(update_fields=["due_at", "last_at", "last_code", "last_facts"])


def _json_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a refusal as JSON values."""
    return {
        name: value if isinstance(value, int | str) else str(value) for name, value in facts.items()
    }


def _write_schedule_event(actor: Actor, verb: str, tournament: Tournament, **facts: Any) -> None:
    write_tournament_event(actor, verb, tournament, tournament, **facts)


# --- Replies --------------------------------------------------------------------------------------
# Replies of remote bots to their turns, checked by the engine. Every turn is ended by one
# conditional update, either by the reply or by the sweep after the deadline, so a repeated or
# concurrent reply counts once.


HANG: Final = "hang"
SLOW_START: Final = "slow_start"

SERVICE_OUTAGE: Final = timedelta(seconds=30)
"""A turn this late was missed by the sweep: the service was down, which is not the bot's fault."""

TURN_RETENTION: Final = timedelta(days=1)
"""Time for which the turns of a decided match are kept, for repeated requests."""

MAX_EVIDENCE_BYTES: Final = 500
"""Bytes of an invalid line that are stored."""

REPLIES_MOST_AT_ONCE: Final = 500
"""Limit of turns that one sweep ends."""


@transaction.atomic
def store_reply(actor: Actor, turn: BotTurn, line: bytes) -> BotTurn:
    """Store a bot's line as the reply to a turn, and queue its match.

    An illegal or malformed answer is stored as the turn's failure. Repeating the same line changes
    nothing and gets the same response. Refuses FORBIDDEN, ALREADY_ANSWERED, TOO_LATE.
    """
    refuse_unless(may_change_bot(actor, turn.bot), actor)
    if turn.number == FAREWELL:
        raise Refusal(Reason.TOO_LATE)
    columns = _reply_columns(turn.messages[-1], line)
    of_this = BotTurn.objects.filter(pk=turn.pk)
    still_open = of_this.unanswered().filter(due_at__gt=Now())
    if of_this.of_matches_in_play() and still_open.update(**columns, answered_at=Now()):
        post(Job.PLAY_MATCH, turn.match_id)
        turn.refresh_from_db()
        return turn
    turn = refresh_row(BotTurn.objects.select_related("bot"), turn)
    if turn.answered_at is None or turn.failure in {HANG, SLOW_START}:
        raise Refusal(Reason.TOO_LATE)
    if any(getattr(turn, name) != value for name, value in columns.items()):
        raise Refusal(Reason.ALREADY_ANSWERED)
    return turn


@transaction.atomic
def expire_due() -> int:
    """End the turns past their deadline, and queue their matches; return how many.

    Those past it for `SERVICE_OUTAGE` are asked once more, with the time of one answer: nobody
    could answer while the service was down, so it does not count against any time bank.
    """
    over = BotTurn.objects.unanswered().of_matches_in_play().filter(due_at__lte=Now())
    missed = over.filter(due_at__lt=Now() - SERVICE_OUTAGE)
    missed.update(asked_at=Now(), due_at=Now() + timedelta(seconds=LIMITS.move_wall))
    rows = over.select_for_update(of=("self",), no_key=True, skip_locked=True).order_by("pk")
    count = 0
    for row in rows[:REPLIES_MOST_AT_ONCE]:
        columns = failure_columns(_missed_deadline(row))
        open_turn = BotTurn.objects.unanswered().filter(pk=row.pk, due_at__lte=Now())
        if open_turn.update(**columns, answered_at=F("due_at")):
            post(Job.PLAY_MATCH, row.match_id)
            count += 1
    return count


def delete_old_turns() -> int:
    """Delete the turns of decided matches a day after they were asked; return how many.

    Forfeits stay with the match, the play with its record.
    """
    decided = BotTurn.objects.filter(match__state__in=(Match.State.ACCEPTED, Match.State.BYE))
    return decided.filter(asked_at__lt=Now() - TURN_RETENTION).delete()[0]


def _reply_columns(question: dict[str, Any], line: bytes) -> dict[str, Any]:
    """Return the columns of a turn for a line: an answer or a failure."""
    if len(line) > LIMITS.line:
        return _failure_columns(
            engine.BotFailure("output_flood", limit=LIMITS.line, what="line"), line
        )
    try:
        return {"say": engine.answer_to(question, line), "failure": ""}
    except engine.BotFailure as failure:
        return _failure_columns(failure, line)


def _failure_columns(failure: engine.BotFailure, line: bytes) -> dict[str, Any]:
    if "ending" not in failure.facts:  # a bot that has ended wrote no line
        failure.evidence = failure.evidence or line[:MAX_EVIDENCE_BYTES].decode(errors="replace")
    return failure_columns(failure)


def _missed_deadline(row: BotTurn) -> engine.BotFailure:
    limit = (row.due_at - row.asked_at).total_seconds()
    code = SLOW_START if row.is_greeting else HANG
    return engine.BotFailure(code, limit=round(limit, 1))
