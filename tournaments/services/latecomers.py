"""Late entries: into the running round when somebody there is without an opponent."""

from typing import Final

from django.db import transaction
from django.utils import timezone

from tournaments.audit import write_event
from tournaments.domain.rows import Bye
from tournaments.errors import Reason, Refusal
from tournaments.models import Bot, Entry, Match, Pair, Player, Round, Stage, Tournament
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries.find import found
from tournaments.queries.state import refuse_closed, takes_latecomers, tournament_facts
from tournaments.services.draws import open_round, refresh_drafts
from tournaments.services.entries import (
    store_bot_entries,
    store_pair_entries,
    store_player_entries,
)
from tournaments.services.locks import bump, lock_tournament
from tournaments.services.restoring import keep_restore_point

TWO_AT_A_TABLE: Final = 2


@transaction.atomic
def enter_late(actor: Actor, tournament: Tournament, newcomer: Pair | Player | Bot) -> Entry:
    """Enter a pair, a player or a bot into a tournament that is running.

    It plays in the running round when somebody there has nobody to play with, else from the next
    one on; for what it missed it gets what the stage's rules give latecomers. Refuses FORBIDDEN,
    NOT_RUNNING, NO_LATE_ENTRY, and what :func:`enter_pairs`, :func:`enter_players` or
    :func:`enter_bots` refuses.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("enter_late", tournament_facts(tournament))
    stage = found(tournament.stages.filter(begun_at__isnull=False).order_by("number").last())
    keep_restore_point(actor, tournament, "entry.late")
    if isinstance(newcomer, Pair):
        (entry,) = store_pair_entries(actor, tournament, [newcomer])
    elif isinstance(newcomer, Bot):
        (entry,) = store_bot_entries(actor, tournament, [newcomer])
    else:
        (entry,) = store_player_entries(actor, tournament, [newcomer])
    stage.entrants = [*stage.entrants, entry.number]
    stage.save(update_fields=["entrants"])
    against = _idle(stage)
    entry.joined_round = open_round(tournament) if against is None else against.round.number
    entry.checked_in_at = timezone.now()
    entry.save(update_fields=["joined_round", "checked_in_at"])
    if against is not None:
        _seat(entry, against)
    bump(tournament)
    refresh_drafts(tournament)
    write_event(
        actor,
        "entry.late",
        entry,
        club=tournament.club,
        tournament=tournament,
        entry=entry.name,
        round=entry.joined_round,
        against=None if against is None else against.home.name,
        rows=[entry],
    )
    return entry


def join_begun_stage(entry: Entry, round_: int) -> None:
    """Let an entry that was away when the first stage began into it, from a round on.

    For the rounds before it is a latecomer. Refuses NO_LATE_ENTRY.
    """
    stages = entry.tournament.stages.filter(begun_at__isnull=False).order_by("number")
    first, *later = stages or [None]
    if first is None or later or entry.number in first.entrants:
        return
    if not takes_latecomers(first):
        raise Refusal(Reason.NO_LATE_ENTRY)
    first.entrants = [*first.entrants, entry.number]
    first.save(update_fields=["entrants"])
    entry.joined_round = round_
    entry.save(update_fields=["joined_round"])


def _idle(stage: Stage) -> Match | None:
    """Return the bye of somebody who has nobody to play with in the running round."""
    rounds = stage.rounds.exclude(state=Round.State.DRAFT).order_by("number")
    running = rounds.last()
    if stage.kind.seats != TWO_AT_A_TABLE or running is None:
        return None
    if running.state != Round.State.PUBLISHED:
        return None
    byes = Match.objects.with_names().filter(round=running, bye=Bye.PAIRING)
    return byes.order_by("table").first()


def _seat(entry: Entry, match: Match) -> None:
    """Seat a latecomer opposite somebody who had a bye."""
    match.away, match.bye, match.state = entry, "", Match.State.PENDING
    match.edited = True
    match.whys = [
        {"code": "late_entry", "entrants": [entry.number, match.home.number], "facts": {}}
    ]
    match.save(update_fields=["away", "bye", "state", "edited", "whys"])
