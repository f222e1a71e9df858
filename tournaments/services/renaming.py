"""Putting a name right that was typed wrong: of a player, a pair, a club.

Whoever is renamed stays who he is: his code, his entries, results and rating. What shows the name
shows the new one at once. Records and the history stay as they were written; the name that a player
had is kept with him, so that a record which still says it is known to be his.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q

from tournaments.audit import write_event
from tournaments.domain.names import folded, name_of_two
from tournaments.domain.pseudonyms import Renaming
from tournaments.errors import Reason, Refusal
from tournaments.models import Club, Erasure, Match, Pair, Player, RestorePoint, Tournament
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries.erasing import tournaments_showing
from tournaments.queries.naming import rows_naming
from tournaments.services.locks import bump, lock_club, lock_tournament, read_again
from tournaments.services.naming import checked_name

ENTRY, MATCH = "tournaments.entry", "tournaments.match"


@dataclass
class Names:
    """The new names by key; ``before`` are those that go."""

    players: dict[int, str] = field(default_factory=dict)
    pairs: dict[int, str] = field(default_factory=dict)
    before: dict[str, str] = field(default_factory=dict)

    def of_entry(self, name: str, pair: int | None, player: int | None) -> str:
        """Return the name of an entry, which is that of whom it is unless it was given another."""
        new = self.pairs.get(pair or 0) or self.players.get(player or 0)
        return new if new is not None and self.before.get(name) == new else name

    def of_lineup(self, lineup: Mapping[str, Any]) -> dict[str, Any]:
        """Return a line-up with the names of those who stand in."""
        return {side: self._stand_ins(who) for side, who in lineup.items()}

    def _stand_ins(self, who: Mapping[str, Any]) -> dict[str, Any]:
        people = zip(who["players"], who["names"], strict=False)
        return {**who, "names": [self.players.get(key, name) for key, name in people]}


@transaction.atomic
def rename_player(actor: Actor, player: Player, name: str) -> Player:
    """Put a player's name right, and that of the pairs that have theirs from their players.

    The same name changes nothing. Refuses FORBIDDEN, BAD_NAME, ALREADY_ERASED, NAME_TAKEN.
    """
    refuse_unless(may_manage(actor, player.club), actor)
    club, name = lock_club(player.club), checked_name(name)
    player = read_again(club.players.select_related("club"), player)
    if Erasure.objects.filter(player_key=player.pk).exists():
        raise Refusal(Reason.ALREADY_ERASED)
    if name == player.name:
        return player
    _refuse_taken(club.players.exclude(pk=player.pk).values_list("folded", flat=True), name)
    new = Names({player.pk: name}, before={player.name: name})
    pairs = _pairs_named_after(player, name)
    for pair, called in pairs:
        _refuse_taken(club.pairs.exclude(pk=pair.pk).values_list("folded", flat=True), called)
        new.pairs[pair.pk] = new.before[pair.name] = called
    tournaments = _locked(club, new, tournaments_showing(player))
    player.earlier = _with_earlier(player, name)
    player.name, player.folded = name, folded(name)
    player.save(update_fields=["name", "folded", "earlier"])
    for pair, called in pairs:
        Pair.objects.filter(pk=pair.pk).update(name=called, folded=folded(called))
    changed = _carried_on(new, tournaments)
    write_event(actor, "player.renamed", club, club=club, code=player.code)
    for pair, _called in pairs:
        write_event(actor, "pair.renamed", club, club=club, code=pair.code)
    _tell(actor, changed)
    return player


@transaction.atomic
def rename_pair(actor: Actor, pair: Pair, name: str) -> Pair:
    """Put a pair's name right; its players keep theirs.

    The same name changes nothing. Refuses FORBIDDEN, BAD_NAME, NAME_TAKEN.
    """
    refuse_unless(may_manage(actor, pair.club), actor)
    club, name = lock_club(pair.club), checked_name(name)
    pair = read_again(club.pairs.select_related("club", "first", "second"), pair)
    if name == pair.name:
        return pair
    _refuse_taken(club.pairs.exclude(pk=pair.pk).values_list("folded", flat=True), name)
    new = Names(pairs={pair.pk: name}, before={pair.name: name})
    tournaments = _locked(club, new, Tournament.objects.filter(entries__pair=pair))
    pair.name, pair.folded = name, folded(name)
    pair.save(update_fields=["name", "folded"])
    changed = _carried_on(new, tournaments)
    write_event(actor, "pair.renamed", club, club=club, code=pair.code)
    _tell(actor, changed)
    return pair


@transaction.atomic
def rename_club(actor: Actor, club: Club, *, name: str, city: str) -> Club:
    """Put the name of a club right, and its town; its address stays.

    What they are already changes nothing. Refuses FORBIDDEN, BAD_NAME.
    """
    refuse_unless(may_manage(actor, club), actor)
    club, name = lock_club(club), checked_name(name)
    city = checked_name(city) if city else ""
    if (name, city) == (club.name, club.city):
        return club
    club.name, club.city = name, city
    for tournament in club.tournaments.order_by("pk"):  # their pages say whose they are
        bump(lock_tournament(tournament))
    club.save(update_fields=["name", "city"])
    write_event(actor, "club.renamed", club, club=club, code=club.slug)
    return club


def _refuse_taken(taken: Iterable[str], name: str) -> None:
    if folded(name) in set(taken):
        raise Refusal(Reason.NAME_TAKEN, text=name)


def _with_earlier(player: Player, name: str) -> str:
    """Return the names that a player has had once he is called ``name``, one a line."""
    known = {folded(one): one for one in (*player.earlier_names, player.name)}
    known.pop(folded(name), None)
    return "\n".join(known.values())


def _pairs_named_after(player: Player, name: str) -> list[tuple[Pair, str]]:
    """Return the pairs of a player that are called after their two, each with its new name.

    Refuses BAD_NAME for one that would be too long.
    """
    own = Pair.objects.filter(Q(first=player) | Q(second=player)).select_related("first", "second")
    return [
        (pair, checked_name(name_of_two(*new)))
        for pair in own.order_by("pk")
        if pair.name == name_of_two(pair.first.name, pair.second.name)
        and (new := [name if one == player else one.name for one in (pair.first, pair.second)])
    ]


def _locked(club: Club, new: Names, shown: Iterable[Tournament]) -> list[Tournament]:
    """Lock the tournaments that show a name, and those that would bring it back by an undo."""
    kept = {point.tournament_id for point in _points(club, new)}
    keys = sorted({one.pk for one in shown} | kept)
    rows = Tournament.objects.in_bulk(keys)
    return [lock_tournament(rows[key]) for key in keys]


def _points(club: Club, new: Names) -> Iterable[RestorePoint]:
    points: Iterable[RestorePoint] = rows_naming(
        RestorePoint, ("snapshot",), Renaming(new.before), club
    )
    return points


def _carried_on(
    new: Names, tournaments: Sequence[Tournament]
) -> list[tuple[Tournament, list[int]]]:
    """Rename in locked tournaments; answers in which, with the numbers of the entries.

    Refuses NAME_TAKEN where another entry is called so.
    """
    changed = [(tournament, _entries_renamed(new, tournament)) for tournament in tournaments]
    matches = Match.objects.filter(round__stage__tournament__in=tournaments).exclude(lineup={})
    for match in matches.only("lineup"):
        lineup = new.of_lineup(match.lineup)
        if lineup != match.lineup:
            Match.objects.filter(pk=match.pk).update(lineup=lineup)
    for point in RestorePoint.objects.filter(tournament__in=tournaments).iterator():
        snapshot = _kept(new, point.snapshot)
        if snapshot != point.snapshot:
            RestorePoint.objects.filter(pk=point.pk).update(snapshot=snapshot)
    for tournament in tournaments:
        bump(tournament)
    return changed


def _entries_renamed(new: Names, tournament: Tournament) -> list[int]:
    entries = list(tournament.entries.order_by("number"))
    renamed = []
    for entry in entries:
        name = new.of_entry(entry.name, entry.pair_id, entry.player_id)
        if name == entry.name:
            continue
        _refuse_taken((one.folded for one in entries if one != entry), name)
        entry.name, entry.folded = name, folded(name)
        entry.save(update_fields=["name", "folded"])
        renamed.append(entry.number)
    return renamed


def _kept(new: Names, snapshot: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a restore point keeps, with the names as they are now."""
    rows = json.loads(snapshot["rows"])
    for row in rows:
        fields = row["fields"]
        if row["model"] == ENTRY:
            name = new.of_entry(fields["name"], fields["pair"], fields["player"])
            fields |= {"name": name, "folded": folded(name)}
        elif row["model"] == MATCH and fields["lineup"]:
            fields["lineup"] = new.of_lineup(fields["lineup"])
    if rows == json.loads(snapshot["rows"]):
        return dict(snapshot)
    return {**snapshot, "rows": json.dumps(rows, ensure_ascii=False)}


def _tell(actor: Actor, changed: Collection[tuple[Tournament, list[int]]]) -> None:
    """Write into the history of tournaments which entries have another name now."""
    for tournament, numbers in changed:
        if numbers:
            write_event(
                actor,
                "entry.renamed",
                tournament,
                club=tournament.club,
                tournament=tournament,
                entries=numbers,
                rows=tournament.entries.filter(number__in=numbers),
            )
