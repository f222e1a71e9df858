"""Splits a player who was two persons: chosen events go to a new player with a mark."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from django.db import transaction

from tournaments.core.audit import Deleted, write_event, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_club, lock_tournament, raise_version, refresh_row
from tournaments.core.jobs import Job, post
from tournaments.core.names import validate_name
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.domain.names import fold_name, marked_name, name_of_two, split_mark
from tournaments.models import (
    AnalysedSeat,
    Club,
    Entry,
    Erasure,
    Match,
    Pair,
    Player,
    RestorePoint,
    Substitution,
    Tournament,
)
from tournaments.people.services.clubs import unused_codes
from tournaments.profiles.queries.merging import pairs_of_other_people
from tournaments.profiles.queries.person import entries_of, tournaments_showing


@dataclass
class _Split:
    """The keys and names of a split: from ``old`` to ``new``, and the pairs in place of others."""

    old: Player
    new: Player
    pairs: dict[int, Pair] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def of_entry(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return the columns of an entry, as in a restore point, after the split."""
        pair, name = self.pairs.get(entry["pair"] or 0), entry["name"]
        is_own = entry["player"] == self.old.pk
        if pair is None and not is_own:
            return entry
        name = self.names.get(name, name)
        player = self.new.pk if is_own else entry["player"]
        changed = {"pair": pair.pk if pair else None, "player": player}
        return {**entry, **changed, "name": name, "folded": fold_name(name)}

    def of_lineup(self, lineup: dict[str, Any]) -> dict[str, Any]:
        """Return a line-up with the new player in place of the old one."""
        return {
            side: {
                **people,
                "players": [self.new.pk if pk == self.old.pk else pk for pk in people["players"]],
                "names": [
                    self.new.name if pk == self.old.pk else name
                    for pk, name in zip(people["players"], people["names"], strict=True)
                ],
            }
            for side, people in lineup.items()
        }


@transaction.atomic
def split_player(
    actor: Actor, player: Player, tournaments: Collection[Tournament], mark: str
) -> Player:
    """Give a player's entries in chosen tournaments to a new player, whose name has a mark.

    Pairs of which all entries go with it become pairs of the new player, of others a new one is
    made. Results, records and proofs stay as they were written; ratings, seasons and meetings
    follow the keys. Merging the two undoes it. Refuses FORBIDDEN, NOTHING_LISTED, BAD_NAME,
    NAME_TAKEN, ALREADY_ERASED, MERGED_ALREADY, UNKNOWN_CHOICE where the player was not entered,
    SPLIT_UNFINISHED.
    """
    refuse_unless(may_manage(actor, player.club), actor)
    club = lock_club(player.club)
    player = refresh_row(club.players.select_related("club"), player)
    chosen = _check(player, tournaments)
    mark = " ".join(mark.split()).strip(" ()")
    name = validate_name(marked_name(split_mark(player.name)[0], mark))
    if club.players.filter(folded=fold_name(name)).exists():
        raise Refusal(Reason.NAME_TAKEN, text=name)
    locked = [lock_tournament(tournament) for tournament in chosen]
    new = _new_player(club, player, name)
    split = _Split(player, new, names={player.name: name})
    entries = {
        tournament.pk: list(
            Entry.objects.with_players().filter(
                pk__in=entries_of(player).order_by().filter(tournament=tournament).values("pk")
            )
        )
        for tournament in locked
    }
    _split_pairs(split, list(chain.from_iterable(entries.values())), mark)
    for tournament in locked:
        _move(split, tournament, entries[tournament.pk])
    apart = [pair.pk for pair in pairs_of_other_people(club)]
    Pair.objects.filter(pk__in=apart).update(same_as=None)
    slugs = [tournament.slug for tournament in locked]
    facts: dict[str, Any] = {"code": player.code, "into": new.code, "tournaments": slugs}
    if apart:
        facts["rows"] = [Deleted("pair", key) for key in apart]
    write_event(actor, "player.split", player, club=club, **facts)
    for tournament in locked:
        # The columns of an entry that an event states never change: it is stated as another row.
        keys = [entry.pk for entry in entries[tournament.pk]]
        rows = list(tournament.entries.filter(pk__in=keys).order_by("number"))
        numbers = [entry.number for entry in rows]
        stated_rows = [*(Deleted("entry", key) for key in keys), *rows]
        write_tournament_event(
            actor, "entry.renamed", tournament, tournament, entries=numbers, rows=stated_rows
        )
    for tournament in {tournament.ruleset: tournament for tournament in locked}.values():
        post(Job.RATE, tournament.pk)
    return new


def _check(player: Player, tournaments: Collection[Tournament]) -> list[Tournament]:
    """Return the tournaments in the order of their keys; refuses as `split_player`."""
    if Erasure.objects.filter(player_key=player.pk).exists():
        raise Refusal(Reason.ALREADY_ERASED)
    if player.same_as_id is not None:
        raise Refusal(Reason.MERGED_ALREADY, text=player.name)
    if not tournaments:
        raise Refusal(Reason.NOTHING_LISTED)
    own = set(tournaments_showing(player).values_list("pk", flat=True))
    for tournament in tournaments:
        if tournament.pk not in own:
            raise Refusal(Reason.UNKNOWN_CHOICE, text=tournament.slug)
        if tournament.state != Tournament.State.FINISHED:
            raise Refusal(Reason.SPLIT_UNFINISHED, text=tournament.name)
    return sorted(set(tournaments), key=lambda tournament: tournament.pk)


def _new_player(club: Club, player: Player, name: str) -> Player:
    """Store the new player; the name of before is an earlier one: records may have it."""
    code = next(unused_codes("J", set(club.players.values_list("code", flat=True))))
    return Player.objects.create(
        club=club, code=code, name=name, folded=fold_name(name), earlier=player.name
    )


def _split_pairs(split: _Split, entries: Sequence[Entry], mark: str) -> None:
    """Give the pairs of the entries to the new player, or make others where entries stay."""
    club = split.old.club
    keys = [entry.pk for entry in entries]
    codes = unused_codes("P", set(club.pairs.values_list("code", flat=True)))
    pairs = {entry.pair.pk: entry.pair for entry in entries if entry.pair is not None}
    for pair in pairs.values():
        before = pair.name
        is_named_after = before == name_of_two(pair.first.name, pair.second.name)
        people = [split.new if p.pk == split.old.pk else p for p in (pair.first, pair.second)]
        stays = pair.entries.exclude(pk__in=keys).exists()
        name = before if not stays else marked_name(before, mark)
        if is_named_after:
            name = name_of_two(*(person.name for person in people))
        name = validate_name(name)
        if club.pairs.exclude(pk=pair.pk).filter(folded=fold_name(name)).exists():
            raise Refusal(Reason.NAME_TAKEN, text=name)
        kept = pair
        if stays:
            kept = Pair(club=club, code=next(codes))
        kept.first, kept.second = people
        kept.name, kept.folded = name, fold_name(name)
        kept.save()
        split.pairs[pair.pk], split.names[before] = kept, name


def _move(split: _Split, tournament: Tournament, entries: Sequence[Entry]) -> None:
    """Move the rows of a locked tournament to the new player and its pairs."""
    others = set(
        tournament.entries.exclude(pk__in=[e.pk for e in entries]).values_list("folded", flat=True)
    )
    for entry in entries:
        columns = {"pair": entry.pair_id, "player": entry.player_id, "name": entry.name}
        new = split.of_entry(columns)
        if new["folded"] in others:
            raise Refusal(Reason.NAME_TAKEN, text=new["name"])
        Entry.objects.filter(pk=entry.pk).update(**new)
    of_them = Substitution.objects.filter(entry__tournament=tournament)
    of_them.filter(comes=split.old).update(comes=split.new)
    of_them.filter(leaves=split.old).update(leaves=split.new)
    matches = Match.objects.filter(round__stage__tournament=tournament).exclude(lineup={})
    for match in matches.only("lineup"):
        Match.objects.filter(pk=match.pk).update(lineup=split.of_lineup(match.lineup))
    AnalysedSeat.objects.filter(
        hand__hand__record__match__round__stage__tournament=tournament, player=split.old
    ).update(player=split.new)
    for point in RestorePoint.objects.filter(tournament=tournament).iterator():
        RestorePoint.objects.filter(pk=point.pk).update(snapshot=_snapshot(split, point.snapshot))
    raise_version(tournament)


def _snapshot(split: _Split, snapshot: dict[str, Any]) -> dict[str, Any]:
    """Return the snapshot of a restore point after the split."""
    rows = json.loads(snapshot["rows"])
    for row in rows:
        fields = row["fields"]
        if row["model"] == "tournaments.entry":
            row["fields"] = split.of_entry(fields)
        elif row["model"] == "tournaments.match" and fields["lineup"]:
            fields["lineup"] = split.of_lineup(fields["lineup"])
    return {**snapshot, "rows": json.dumps(rows, ensure_ascii=False)}
