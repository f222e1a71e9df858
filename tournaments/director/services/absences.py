"""Withdrawals, byes, check-in and penalties of entries."""

from decimal import Decimal, InvalidOperation
from typing import Final

from django.db import transaction
from django.utils import timezone

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.find import lock_entry, lock_tournament, or_404, raise_version, refresh_row
from tournaments.core.names import validate_reason
from tournaments.core.permissions import (
    Actor,
    club_rights,
    is_own_entry,
    may_act_for,
    may_arbitrate,
    may_manage,
    refuse_unless,
)
from tournaments.director.queries.expected import missing_entries
from tournaments.director.queries.mass_acts import written_time
from tournaments.director.queries.seats import refuse_two_seats
from tournaments.director.queries.state import (
    entry_facts,
    is_of_another_stage,
    last_round,
    next_rounds,
    open_round,
    open_round_of,
    refuse_closed,
    role_of,
    tournament_facts,
)
from tournaments.director.services.drafts import refresh_drafts
from tournaments.director.services.entries import join_begun_stage
from tournaments.domain.codes import read_code
from tournaments.models import Absence, ByeRequest, Entry, Penalty, Round, Tournament

# --- Absences -------------------------------------------------------------------------------------
# Withdrawals, expulsions and requested byes.
#
# They concern only rounds that are not published yet; published rounds stay, and absences in them
# are settled at the table (forfeits). Drafts are drawn again.


Kind = Absence.Kind


@transaction.atomic
def withdraw(actor: Actor, entry: Entry, reason: str = "") -> Absence:
    """Withdraw an entry from the next round on; its own people may do it.

    Refuses FORBIDDEN, TOURNAMENT_OVER, ALREADY_AWAY.
    """
    refuse_unless(may_act_for(actor, entry), actor)
    return store_leave(actor, entry, Kind.WITHDRAWN, validate_reason(reason, required=False))


@transaction.atomic
def expel(actor: Actor, entry: Entry, reason: str) -> Absence:
    """Expel an entry, until that is revoked; after the end too.

    Refuses FORBIDDEN, REASON_MISSING, ALREADY_AWAY.
    """
    refuse_unless(may_manage(actor, entry.tournament.club), actor)
    return store_leave(actor, entry, Kind.EXPELLED, validate_reason(reason))


@transaction.atomic
def readmit(actor: Actor, entry: Entry) -> Entry:
    """End an entry's absence: it plays again from the next round on.

    The rounds that it missed stay byes without points, however often it leaves. An entry that was
    away when the first stage began enters that stage as a latecomer. Refuses FORBIDDEN,
    TOURNAMENT_OVER, NOT_AWAY, EXPELLED, NO_LATE_ENTRY; PLAYER_TWICE if one of its people plays in
    another entry by now.
    """
    refuse_unless(may_arbitrate(actor, entry.tournament.club), actor)
    return store_return(actor, entry)


def store_return(actor: Actor, entry: Entry) -> Entry:
    """End an entry's absence as `readmit` does; the caller has checked the right."""
    entry, away = _lock_open(entry, "readmit")
    round_ = _end_absence(entry, or_404(away))
    _refresh_after_change(actor, "entry.came_back", entry, round=round_, rows=[entry])
    return entry


@transaction.atomic
def revoke_expulsion(actor: Actor, entry: Entry, reason: str) -> Entry:
    """Revoke an expulsion: the entry plays again from the next round on, as after `readmit`.

    After the end it has its place again; if it missed rounds it stays withdrawn from them on.
    Refuses FORBIDDEN, REASON_MISSING, NOT_AWAY, NO_LATE_ENTRY, PLAYER_TWICE.
    """
    refuse_unless(may_manage(actor, entry.tournament.club), actor)
    reason = validate_reason(reason)
    entry, away = _lock_open(entry, "revoke_expulsion")
    away = or_404(away)
    away.kind = Kind.WITHDRAWN  # in the rounds that it missed; the history keeps the expulsion
    round_ = _end_after_finish(entry, away) if _is_over(entry) else _end_absence(entry, away)
    _refresh_after_change(
        actor, "entry.expulsion_revoked", entry, round=round_, reason=reason, rows=[entry]
    )
    return entry


@transaction.atomic
def request_bye(actor: Actor, entry: Entry, round_number: int, kind: str) -> ByeRequest:
    """Request a bye in a round that is not published yet.

    An entry may request at most `Tournament.bye_quota` byes with points; only the organiser gives a
    full-point bye. Refuses FORBIDDEN, TOURNAMENT_OVER, UNKNOWN_CHOICE, ROUND_PUBLISHED,
    NO_SUCH_ROUND, NOT_IN_ROUND, BYE_ASKED, BYE_QUOTA.
    """
    refuse_unless(may_act_for(actor, entry), actor)
    refuse_unless_known(Reason.UNKNOWN_CHOICE, kind, ByeRequest.Kind.values)
    entry, _ = _lock_open(entry, "request_bye")
    tournament, kind = entry.tournament, ByeRequest.Kind(kind)
    manages = may_manage(actor, tournament.club)
    refuse_unless(manages or kind != ByeRequest.Kind.FULL, actor)
    _refuse_published(entry, round_number)
    last = last_round(tournament)
    if last is not None and round_number > last:
        raise Refusal(Reason.NO_SUCH_ROUND, round=round_number, last=last)
    _refuse_other_stage(entry, round_number)
    if entry.bye_requests.filter(round_number=round_number).exists():
        raise Refusal(Reason.BYE_ASKED, round=round_number)
    paid_byes = entry.bye_requests.exclude(kind=ByeRequest.Kind.ZERO).count()
    if kind != ByeRequest.Kind.ZERO and not manages and paid_byes >= tournament.bye_quota:
        raise Refusal(Reason.BYE_QUOTA, most=tournament.bye_quota)
    bye = ByeRequest.objects.create(
        entry=entry, round_number=round_number, kind=kind, made_by=actor.label
    )
    _refresh_after_change(actor, "bye.requested", entry, round=round_number, kind=str(kind))
    return bye


@transaction.atomic
def cancel_bye(actor: Actor, bye: ByeRequest) -> None:
    """Cancel a requested bye. Refuses FORBIDDEN, TOURNAMENT_OVER, ROUND_PUBLISHED."""
    refuse_unless(may_act_for(actor, bye.entry), actor)
    entry, _ = _lock_open(bye.entry, "change")
    bye = refresh_row(entry.bye_requests.all(), bye)
    _refuse_published(entry, bye.round_number)
    bye.delete()
    _refresh_after_change(actor, "bye.cancelled", entry, round=bye.round_number)


def _end_absence(entry: Entry, away: Absence) -> int:
    """End the absence of a locked entry; return the round from which on it plays again."""
    round_ = open_round_of(entry)
    if round_ <= away.from_round:
        away.delete()
    else:
        away.until_round = round_
        away.save(update_fields=["kind", "until_round"])
    refuse_two_seats(entry.tournament, [entry], round_)
    join_begun_stage(entry, round_)
    return round_


def _is_over(entry: Entry) -> bool:
    return entry.tournament.state == Tournament.State.FINISHED


def _end_after_finish(entry: Entry, away: Absence) -> int:
    """End an expulsion from a finished tournament; return the round from which on it was out."""
    if away.from_round < open_round(entry.tournament):
        away.save(update_fields=["kind"])
    else:
        away.delete()
    return away.from_round


def store_leave(actor: Actor, entry: Entry, kind: Absence.Kind, reason: str = "") -> Absence:
    """Withdraw or expel an entry; the caller has checked the right. Refuses as these do."""
    entry, open_ = _lock_open(entry, "expel" if kind == Kind.EXPELLED else "withdraw")
    # After the end it has missed nothing, in no stage: its results and the others' stay.
    round_ = open_round(entry.tournament) if _is_over(entry) else open_round_of(entry)
    if open_ is not None:
        round_ = min(round_, open_.from_round)
        open_.delete()
    absence = Absence.objects.create(
        entry=entry, kind=kind, from_round=round_, reason=reason, made_by=actor.label
    )
    verb = "entry.expelled" if kind == Kind.EXPELLED else "entry.withdrawn"
    _refresh_after_change(actor, verb, entry, round=round_, reason=reason)
    return absence


def come_back(entry: Entry, away: Absence) -> None:
    """End the absence of an entry of a locked tournament. Refuses as `readmit` does."""
    refuse_closed("readmit", entry_facts(entry, away))
    _end_absence(entry, away)


def _lock_open(entry: Entry, verb: str) -> tuple[Entry, Absence | None]:
    """Lock an entry and check that the verb is open; return it with its unfinished absence."""
    entry = lock_entry(entry)
    absence = entry.absences.filter(until_round__isnull=True).first()
    refuse_closed(verb, entry_facts(entry, absence))
    return entry, absence


def _refuse_published(entry: Entry, round_number: int) -> None:
    if round_number < open_round_of(entry):
        raise Refusal(Reason.ROUND_PUBLISHED, round=round_number)


def _refuse_other_stage(entry: Entry, round_number: int) -> None:
    if is_of_another_stage(entry, round_number):
        raise Refusal(Reason.NOT_IN_ROUND, text=entry.name)


def _refresh_after_change(actor: Actor, verb: str, entry: Entry, **facts: object) -> None:
    """Draw the drafts again after a change of an entry, and write the event."""
    tournament = entry.tournament
    raise_version(tournament)
    refresh_drafts(tournament, "entry")
    write_tournament_event(actor, verb, entry, tournament, entry=entry.name, **facts)


# --- Attendance -----------------------------------------------------------------------------------
# Check-in: by the staff, with the entry's code, or by the players; and closing it.


ABSENCE_OUTCOMES = ("withdraw", "bye")
"""What closing the check-in does to missing entries: withdraw them, or give one bye."""


def entry_with_code(tournament: Tournament, code: str) -> Entry:
    """Return the entry that a code belongs to. Refuses BAD_CODE."""
    entries = tournament.entries.with_players().select_related("tournament__club")
    entry = entries.filter(code=read_code(code)).first()
    if entry is None:
        raise Refusal(Reason.BAD_CODE)
    return entry


@transaction.atomic
def check_in(actor: Actor, entry: Entry) -> Entry:
    """Check an entry in: by the staff, or by its own people if self check-in is on.

    Idempotent. Refuses FORBIDDEN, TOURNAMENT_OVER, CHECK_IN_CLOSED.
    """
    refuse_unless(may_act_for(actor, entry), actor)
    entry = lock_entry(entry)
    tournament = entry.tournament
    if not may_arbitrate(actor, tournament.club):
        refuse_unless(tournament.self_check_in, actor)
    refuse_closed(
        "check_in", entry_facts(entry), role_of(actor, club_rights(actor, tournament.club))
    )
    if entry.checked_in_at is None:
        entry.checked_in_at = timezone.now()
        entry.save(update_fields=["checked_in_at"])
        write_tournament_event(actor, "entry.checked_in", entry, tournament, entry=entry.name)
    return entry


@transaction.atomic
def undo_check_in(actor: Actor, entry: Entry) -> Entry:
    """Undo a check-in; for the staff only. Refuses FORBIDDEN, TOURNAMENT_OVER."""
    refuse_unless(may_arbitrate(actor, entry.tournament.club), actor)
    entry = lock_entry(entry)
    refuse_closed("undo_check_in", entry_facts(entry))
    if entry.checked_in_at is not None:
        entry.checked_in_at = None
        entry.save(update_fields=["checked_in_at"])
        write_tournament_event(
            actor, "entry.check_in_undone", entry, entry.tournament, entry=entry.name
        )
    return entry


@transaction.atomic
def check_in_all(actor: Actor, tournament: Tournament) -> int:
    """Check in all entries that are missing; return how many. Refuses FORBIDDEN, TOURNAMENT_OVER.

    Missing are those of `expected_today`; entries that have left stay away.
    """
    refuse_unless(may_arbitrate(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("check_in_all", tournament_facts(tournament))
    missing = missing_entries(tournament)
    if missing:
        keys, now = [entry.pk for entry in missing], timezone.now()
        tournament.entries.filter(pk__in=keys).update(checked_in_at=now)
        write_tournament_event(
            actor,
            "check_in.all_came",
            tournament,
            tournament,
            entries=[entry.name for entry in missing],
            round=open_round(tournament),
            changed=[[key, None, written_time(now)] for key in keys],
        )
    return len(missing)


@transaction.atomic
def close_check_in(actor: Actor, tournament: Tournament, *, absent: str = "withdraw") -> int:
    """Close the check-in: entries that are missing are withdrawn, or get a bye in their next round.

    Missing are those of `expected_today`. Bots count as present. Returns how many were missing.
    Refuses FORBIDDEN, TOURNAMENT_OVER, CHECK_IN_CLOSED, UNKNOWN_CHOICE.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    refuse_unless_known(Reason.UNKNOWN_CHOICE, absent, ABSENCE_OUTCOMES)
    tournament = lock_tournament(tournament)
    refuse_closed("close_check_in", tournament_facts(tournament))
    tournament.check_in_closed_at = timezone.now()
    tournament.save(update_fields=["check_in_closed_at"])
    missing = missing_entries(tournament)
    rounds = next_rounds(tournament, [entry.number for entry in missing])
    changed: list[list[int | None]] = []
    for entry in missing:
        if absent == "withdraw":
            row: Absence | ByeRequest = Absence.objects.create(
                entry=entry,
                kind=Absence.Kind.NO_SHOW,
                from_round=rounds[entry.number].to_leave,
                made_by=actor.label,
            )
        else:
            row, is_new = ByeRequest.objects.get_or_create(
                entry=entry,
                round_number=rounds[entry.number].to_play,
                defaults={"kind": ByeRequest.Kind.ZERO, "made_by": actor.label},
            )
            if not is_new:
                continue
        changed.append([entry.pk, None, row.pk])
    discarded: list[int] = []
    if missing:
        raise_version(tournament)
        drafts = Round.objects.filter(stage__tournament=tournament, state=Round.State.DRAFT)
        numbers = list(drafts.order_by("number").values_list("number", flat=True))
        refresh_drafts(tournament, "entry")
        left = set(drafts.values_list("number", flat=True))
        discarded = [number for number in numbers if number not in left]
    write_tournament_event(
        actor,
        "check_in.closed",
        tournament,
        tournament,
        round=open_round(tournament),
        absent=absent,
        missing=[entry.name for entry in missing],
        changed=changed,
        **({"discarded": discarded} if discarded else {}),
    )
    return len(missing)


@transaction.atomic
def open_check_in(actor: Actor, tournament: Tournament, *, afresh: bool = False) -> Tournament:
    """Reopen the check-in for latecomers; with ``afresh`` every check-in is cleared.

    Refuses FORBIDDEN, TOURNAMENT_OVER.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("open_check_in", tournament_facts(tournament))
    closed_at, tournament.check_in_closed_at = tournament.check_in_closed_at, None
    tournament.save(update_fields=["check_in_closed_at"])
    here = tournament.entries.filter(checked_in_at__isnull=False).order_by("number")
    before = here.values_list("pk", "checked_in_at") if afresh else ()
    changed = [[key, written_time(time), None] for key, time in before]
    if afresh:
        tournament.entries.update(checked_in_at=None)
    facts = {"round": open_round(tournament), "changed": changed}
    times = {"closed_at": written_time(closed_at)}
    write_tournament_event(
        actor, "check_in.opened", tournament, tournament, afresh=afresh, **facts, **times
    )
    return tournament


# --- Penalties ------------------------------------------------------------------------------------
# Penalties: rows of their own, listed publicly, counted in every sum until revoked.


MAX_MATCH_POINTS: Final = 1_000
MAX_DEDUCTED: Final = 100_000
"""Match points, and hands or points; a larger number is treated as a typing error."""


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
    """Deduct match points, hands or points from an entry; negative numbers add.

    Arbiters may not rule on their own entry. Refuses FORBIDDEN, OWN_TABLE, REASON_MISSING,
    BAD_PENALTY; NOT_IN_ROUND for a round of another stage, where it would never count.
    """
    _refuse_unless_arbiter(actor, entry)
    reason = validate_reason(reason)
    deducted = _checked_deduction(match_points, hands, points)
    entry = lock_entry(entry)
    if round_number < 1:
        raise Refusal(Reason.BAD_PENALTY)
    _refuse_other_stage(entry, round_number)
    penalty = Penalty.objects.create(
        entry=entry,
        round_number=round_number,
        match_points=deducted,
        hands=hands,
        points=points,
        reason=reason,
        made_by=actor.label,
    )
    _note_penalty(actor, "penalty.given", penalty, reason)
    return penalty


@transaction.atomic
def revoke_penalty(actor: Actor, penalty: Penalty, reason: str) -> Penalty:
    """Revoke a penalty; it stays on record. Refuses as :func:`penalise`, ALREADY_REVOKED."""
    _refuse_unless_arbiter(actor, penalty.entry)
    reason = validate_reason(reason)
    entry = lock_entry(penalty.entry)
    penalty = refresh_row(entry.penalties.all(), penalty)
    if penalty.revoked_at is not None:
        raise Refusal(Reason.ALREADY_REVOKED)
    penalty.revoked_at = timezone.now()
    penalty.revoked_by, penalty.revocation = actor.label, reason
    penalty.save(update_fields=["revoked_at", "revoked_by", "revocation"])
    _note_penalty(actor, "penalty.revoked", penalty, reason)
    return penalty


def _refuse_unless_arbiter(actor: Actor, entry: Entry) -> None:
    refuse_unless(may_arbitrate(actor, entry.tournament.club), actor)
    if is_own_entry(actor, entry):
        raise Refusal(Reason.OWN_TABLE)


def _checked_deduction(match_points: Decimal | str | int, hands: int, points: int) -> Decimal:
    try:
        deducted = Decimal(str(match_points).replace(",", "."))
    except InvalidOperation as error:
        raise Refusal(Reason.BAD_PENALTY) from error
    fits = deducted.is_finite() and abs(deducted) <= MAX_MATCH_POINTS
    if not fits or deducted != round(deducted, 2) or max(abs(hands), abs(points)) > MAX_DEDUCTED:
        raise Refusal(Reason.BAD_PENALTY)
    if not (deducted or hands or points):
        raise Refusal(Reason.BAD_PENALTY)
    return deducted


def _note_penalty(actor: Actor, verb: str, penalty: Penalty, reason: str) -> None:
    tournament = penalty.entry.tournament
    raise_version(tournament)
    write_tournament_event(
        actor,
        verb,
        penalty,
        tournament,
        entry=penalty.entry.name,
        round=penalty.round_number,
        match_points=str(penalty.match_points),
        hands=penalty.hands,
        points=penalty.points,
        reason=reason,
        rows=[penalty],
    )
    refresh_drafts(tournament, "penalty")
