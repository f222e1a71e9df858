"""Merges players and pairs that are the same, and separates them again.

A merge sets a pointer (`Player.same_as`), which the queries follow; names, entries, results and the
history stay as written. The versions of the tournaments rise, so what was computed from them, the
ratings too, is computed again.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from tournaments.core.audit import Deleted, write_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_club, lock_tournament, raise_version, refresh_row
from tournaments.core.jobs import Job, post
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.models import Pair, Player, Tournament
from tournaments.profiles.queries.merging import (
    pairs_of_other_people,
    pairs_to_merge,
    refuse_merge,
)
from tournaments.profiles.queries.person import tournaments_showing


@transaction.atomic
def merge_player(actor: Actor, player: Player, main: Player) -> Player:
    """Let a player be the same as another one of the club, who stays.

    Pairs that become the same two people are merged too. Refuses FORBIDDEN, MERGED_WITH_ITSELF,
    OTHER_CLUB, MERGED_ALREADY, OTHERS_MERGED, PLAYED_TOGETHER, ALREADY_ERASED, ACCOUNT_STAYS.
    """
    refuse_unless(may_manage(actor, player.club), actor)
    club = lock_club(player.club)
    players = Player.objects.select_related("club")
    player, main = refresh_row(players, player), refresh_row(players, main)
    refuse_merge(player, main)
    pairs = pairs_to_merge(player, main)
    raised = _raise_versions(tournaments_showing(player))
    player.same_as = main
    player.save(update_fields=["same_as"])
    for pair, same in pairs:
        pair.same_as = same
        pair.save(update_fields=["same_as"])
    codes = [pair.code for pair, _ in pairs]
    facts: dict[str, Any] = {"code": player.code, "into": main.code, "pairs": codes}
    facts["rows"] = [player, *(pair for pair, _ in pairs)]
    write_event(actor, "player.merged", player, club=club, **facts)
    _rate(raised)
    return player


@transaction.atomic
def separate_player(actor: Actor, player: Player) -> Player:
    """Undo the merge of a player, and of pairs that are of the same two people no longer.

    Refuses FORBIDDEN, NOT_MERGED.
    """
    refuse_unless(may_manage(actor, player.club), actor)
    club = lock_club(player.club)
    player = refresh_row(Player.objects.select_related("club", "same_as"), player)
    if player.same_as is None:
        raise Refusal(Reason.NOT_MERGED, text=player.name)
    facts: dict[str, Any] = {"code": player.code, "from": player.same_as.code}
    raised = _raise_versions(tournaments_showing(player))
    player.same_as = None
    player.save(update_fields=["same_as"])
    pairs = pairs_of_other_people(club)
    Pair.objects.filter(pk__in=[pair.pk for pair in pairs]).update(same_as=None)
    facts["pairs"] = [pair.code for pair in pairs]
    facts["rows"] = [Deleted("player", player.pk), *(Deleted("pair", pair.pk) for pair in pairs)]
    write_event(actor, "player.separated", player, club=club, **facts)
    _rate(raised)
    return player


@transaction.atomic
def merge_pair(actor: Actor, pair: Pair, main: Pair) -> Pair:
    """Let a pair be the same as another one of the same two people, which stays.

    Refuses FORBIDDEN, MERGED_WITH_ITSELF, OTHER_CLUB, MERGED_ALREADY, OTHERS_MERGED,
    PLAYED_TOGETHER, OTHER_PAIR.
    """
    refuse_unless(may_manage(actor, pair.club), actor)
    club = lock_club(pair.club)
    pairs = Pair.objects.select_related("club", "first", "second")
    pair, main = refresh_row(pairs, pair), refresh_row(pairs, main)
    refuse_merge(pair, main)
    _raise_versions(Tournament.objects.filter(entries__pair=pair))
    pair.same_as = main
    pair.save(update_fields=["same_as"])
    facts: dict[str, Any] = {"code": pair.code, "into": main.code, "rows": [pair]}
    write_event(actor, "pair.merged", pair, club=club, **facts)
    return pair


@transaction.atomic
def separate_pair(actor: Actor, pair: Pair) -> Pair:
    """Undo the merge of a pair. Refuses FORBIDDEN, NOT_MERGED."""
    refuse_unless(may_manage(actor, pair.club), actor)
    club = lock_club(pair.club)
    pair = refresh_row(Pair.objects.select_related("club", "same_as"), pair)
    if pair.same_as is None:
        raise Refusal(Reason.NOT_MERGED, text=pair.name)
    facts: dict[str, Any] = {"code": pair.code, "from": pair.same_as.code}
    facts["rows"] = [Deleted("pair", pair.pk)]
    _raise_versions(Tournament.objects.filter(entries__pair=pair))
    pair.same_as = None
    pair.save(update_fields=["same_as"])
    write_event(actor, "pair.separated", pair, club=club, **facts)
    return pair


def _raise_versions(tournaments: Iterable[Tournament]) -> list[Tournament]:
    """Lock tournaments in the order of their keys, and raise their versions."""
    rows = {tournament.pk: tournament for tournament in tournaments}
    locked = [lock_tournament(rows[key]) for key in sorted(rows)]
    for tournament in locked:
        raise_version(tournament)
    return locked


def _rate(tournaments: Iterable[Tournament]) -> None:
    """Have the ratings of each ruleset computed again."""
    for tournament in {tournament.ruleset: tournament for tournament in tournaments}.values():
        post(Job.RATE, tournament.pk)
