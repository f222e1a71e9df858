"""Who has come: check-in by the staff, by code or by oneself, and what its end means."""

from django.db import transaction
from django.utils import timezone

from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.models import Absence, ByeRequest, Entry, Tournament
from tournaments.permissions import (
    Actor,
    may_arbitrate,
    may_manage,
    may_speak_for,
    powers,
    refuse_unless,
)
from tournaments.queries.state import entry_facts, refuse_closed, role_of, tournament_facts
from tournaments.services.draws import open_round, refresh_drafts
from tournaments.services.locks import bump, lock_entry, lock_tournament

ABSENT = ("withdraw", "bye")
"""What becomes of those who did not come: they are out, or rest for one round."""


def entry_with_code(tournament: Tournament, code: str) -> Entry:
    """Return the entry that a code belongs to. Refuses BAD_CODE."""
    entries = tournament.entries.with_players().select_related("tournament__club")
    entry = entries.filter(code=code.strip().upper()).first()
    if entry is None:
        raise Refusal(Reason.BAD_CODE)
    return entry


@transaction.atomic
def check_in(actor: Actor, entry: Entry) -> Entry:
    """Note that an entry has come: by the staff, or by its own people where they may.

    Asked for again, nothing changes. Refuses FORBIDDEN, TOURNAMENT_OVER, CHECK_IN_CLOSED.
    """
    refuse_unless(may_speak_for(actor, entry), actor)
    entry = lock_entry(entry)
    tournament = entry.tournament
    if not may_arbitrate(actor, tournament.club):
        refuse_unless(tournament.self_check_in, actor)
    refuse_closed("check_in", entry_facts(entry), role_of(actor, powers(actor, tournament.club)))
    if entry.checked_in_at is None:
        entry.checked_in_at = timezone.now()
        entry.save(update_fields=["checked_in_at"])
        _note(actor, "entry.checked_in", entry)
    return entry


@transaction.atomic
def undo_check_in(actor: Actor, entry: Entry) -> Entry:
    """Take a check-in back; the staff's affair. Refuses FORBIDDEN, TOURNAMENT_OVER."""
    refuse_unless(may_arbitrate(actor, entry.tournament.club), actor)
    entry = lock_entry(entry)
    refuse_closed("undo_check_in", entry_facts(entry))
    if entry.checked_in_at is not None:
        entry.checked_in_at = None
        entry.save(update_fields=["checked_in_at"])
        _note(actor, "entry.check_in_undone", entry)
    return entry


@transaction.atomic
def close_check_in(actor: Actor, tournament: Tournament, *, absent: str = "withdraw") -> int:
    """End the check-in: whoever has not come is withdrawn, or rests in the coming round.

    Bots are always there. Answers how many did not come. Refuses FORBIDDEN, TOURNAMENT_OVER,
    CHECK_IN_CLOSED, UNKNOWN_CHOICE.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    if absent not in ABSENT:
        raise Refusal(Reason.UNKNOWN_CHOICE, text=absent[:60])
    tournament = lock_tournament(tournament)
    refuse_closed("close_check_in", tournament_facts(tournament))
    tournament.check_in_closed_at = timezone.now()
    tournament.save(update_fields=["check_in_closed_at"])
    round_ = open_round(tournament)
    missing = list(_missing(tournament))
    for entry in missing:
        if absent == "withdraw":
            Absence.objects.create(
                entry=entry,
                kind=Absence.Kind.NO_SHOW,
                from_round=round_,
                made_by=actor.label[:200],
            )
        else:
            ByeRequest.objects.get_or_create(
                entry=entry,
                round_number=round_,
                defaults={"kind": ByeRequest.Kind.ZERO, "made_by": actor.label[:200]},
            )
    if missing:
        bump(tournament)
        refresh_drafts(tournament)
    write_event(
        actor,
        "check_in.closed",
        tournament,
        club=tournament.club,
        tournament=tournament,
        round=round_,
        absent=absent,
        missing=[entry.name for entry in missing],
    )
    return len(missing)


@transaction.atomic
def open_check_in(actor: Actor, tournament: Tournament, *, afresh: bool = False) -> Tournament:
    """Open the check-in again, for those who come late; ``afresh`` everybody checks in anew.

    Refuses FORBIDDEN, TOURNAMENT_OVER.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("open_check_in", tournament_facts(tournament))
    tournament.check_in_closed_at = None
    tournament.save(update_fields=["check_in_closed_at"])
    if afresh:
        tournament.entries.update(checked_in_at=None)
    write_event(
        actor,
        "check_in.opened",
        tournament,
        club=tournament.club,
        tournament=tournament,
        afresh=afresh,
    )
    return tournament


def _missing(tournament: Tournament) -> list[Entry]:
    """Return the people who have not come and are not away already."""
    entries = tournament.entries.filter(checked_in_at__isnull=True, bot__isnull=True)
    away = Absence.objects.filter(entry__tournament=tournament, until_round__isnull=True)
    return list(entries.exclude(pk__in=away.values("entry")).order_by("number"))


def _note(actor: Actor, verb: str, entry: Entry) -> None:
    tournament = entry.tournament
    write_event(actor, verb, entry, club=tournament.club, tournament=tournament, entry=entry.name)
