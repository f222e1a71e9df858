"""Entering everybody of one list, by their names alone; the codes are ours."""

from collections.abc import Iterable, Iterator
from itertools import count

from django.db import transaction

from tournaments.domain.names import folded
from tournaments.domain.roster import EnteredLine, PairLine, PlayerLine, Source, read_entries
from tournaments.errors import Reason, Refusal
from tournaments.models import Club, Entry, Pair, Player, Tournament
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries.lists import Known, Plan, name_of, plan_of
from tournaments.services.draws import refresh_drafts
from tournaments.services.entries import MOST_ENTRIES, store_pair_entries, store_player_entries
from tournaments.services.latecomers import enter_late
from tournaments.services.locks import lock_club, lock_tournament
from tournaments.services.rosters import store_pairs, store_players


def checked_plan(actor: Actor, tournament: Tournament, source: Source) -> Plan:
    """Return what a list would make, and make nothing.

    Refuses FORBIDDEN, TOURNAMENT_OVER, IMPORT_REFUSED with every fault and its line.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    if tournament.state == Tournament.State.FINISHED:
        raise Refusal(Reason.TOURNAMENT_OVER)
    plan = plan_of(tournament, source, MOST_ENTRIES)
    if plan.faults:
        raise Refusal(Reason.IMPORT_REFUSED, errors=plan.faults, count=len(plan.faults))
    return plan


@transaction.atomic
def import_list(actor: Actor, tournament: Tournament, source: Source) -> tuple[Entry, ...]:
    """Enter everybody of a list, in its order, making the players and pairs that are new.

    Who has the name of a player of the club is that player. In a tournament that is running they
    come late (:func:`enter_late`). Refuses FORBIDDEN, TOURNAMENT_OVER, NO_LATE_ENTRY,
    IMPORT_REFUSED with every fault and its line.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    club = lock_club(tournament.club)
    tournament = lock_tournament(tournament)
    checked_plan(actor, tournament, source)
    pairs = tournament.unit == Tournament.Unit.PAIR
    lines = read_entries(source, pairs=pairs).lines
    _make_players(actor, club, lines)
    if pairs:
        _make_pairs(actor, tournament, lines)
    entries = _entered(actor, tournament, lines)
    for entry, line in zip(entries, lines, strict=True):
        entry.rating, entry.origin = line.rating, line.club
    Entry.objects.bulk_update(entries, ["rating", "origin"])
    if tournament.state == Tournament.State.RUNNING:
        refresh_drafts(tournament)
    return entries


def _make_players(actor: Actor, club: Club, lines: Iterable[EnteredLine]) -> None:
    known = set(club.players.values_list("folded", flat=True))
    codes = _codes("J", set(club.players.values_list("code", flat=True)))
    names = {folded(name): name for line in lines for name in (line.first, line.second) if name}
    new = [name for key, name in names.items() if key not in known]
    store_players(actor, club, [PlayerLine(0, next(codes), name) for name in new])


def _make_pairs(actor: Actor, tournament: Tournament, lines: Iterable[EnteredLine]) -> None:
    club, known = tournament.club, Known.of(tournament)
    codes = _codes("P", set(club.pairs.values_list("code", flat=True)))
    new = [
        PairLine(
            line=line.line,
            code=next(codes),
            name=name_of(line, None),
            first=known.players[folded(line.first)].code,
            second=known.players[folded(line.second)].code,
        )
        for line in lines
        if known.pair_of(line) is None
    ]
    store_pairs(actor, club, new)


def _codes(letter: str, taken: set[str]) -> Iterator[str]:
    """Yield codes that nobody has, J001 and on."""
    return (code for number in count(1) if (code := f"{letter}{number:03}") not in taken)


def _entered(
    actor: Actor, tournament: Tournament, lines: Iterable[EnteredLine]
) -> tuple[Entry, ...]:
    known = Known.of(tournament)
    running = tournament.state == Tournament.State.RUNNING
    if tournament.unit == Tournament.Unit.PLAYER:
        players: list[Player] = [known.players[folded(line.first)] for line in lines]
        if running:
            return tuple(enter_late(actor, tournament, player) for player in players)
        return store_player_entries(actor, tournament, players)
    pairs: list[Pair] = [pair for line in lines if (pair := known.pair_of(line)) is not None]
    if running:
        return tuple(enter_late(actor, tournament, pair) for pair in pairs)
    return store_pair_entries(actor, tournament, pairs)
