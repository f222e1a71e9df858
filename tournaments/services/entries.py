"""Who takes part: pairs and bots are entered while the tournament is a draft."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from django.db import transaction

from tournaments.audit import write_event
from tournaments.domain.names import folded
from tournaments.errors import Reason, Refusal
from tournaments.models import Bot, Entry, Pair, Tournament
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.services.locks import bump, lock_club, lock_tournament
from tournaments.services.rosters import (
    checked_pairs,
    checked_players,
    refuse_faults,
    store_pairs,
    store_players,
)
from tournaments.services.tournaments import refuse_unless_draft

MOST_ENTRIES: Final = 64
"""A liguilla of more would have thousands of matches."""


@transaction.atomic
def enter_pairs(actor: Actor, tournament: Tournament, pairs: Sequence[Pair]) -> tuple[Entry, ...]:
    """Enter pairs of the club, numbered on in the order given.

    Refuses FORBIDDEN, NOT_A_DRAFT, OTHER_CLUB, ALREADY_ENTERED, PLAYER_TWICE, NAME_TAKEN,
    TOO_MANY_ENTRIES.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_unless_draft(tournament)
    return _enter_pairs(actor, tournament, pairs)


@transaction.atomic
def enter_bots(actor: Actor, tournament: Tournament, bots: Sequence[Bot]) -> tuple[Entry, ...]:
    """Enter bots of the house or of the club; the same one may come several times, numbered.

    Refuses FORBIDDEN, NOT_A_DRAFT, OTHER_CLUB, TOO_MANY_ENTRIES.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_unless_draft(tournament)
    for bot in bots:
        if bot.club_id not in {None, tournament.club_id}:
            raise Refusal(Reason.OTHER_CLUB, text=bot.name)
    names = _numbered(tournament, bots)
    return _enter(
        actor, tournament, [(name, None, bot) for name, bot in zip(names, bots, strict=True)]
    )


@transaction.atomic
def import_entries(
    actor: Actor, tournament: Tournament, players_csv: bytes | str, pairs_csv: bytes | str
) -> tuple[Entry, ...]:
    """Import players and pairs, and enter the pairs in the order of their list.

    Pairs that are entered already stay as they are. Answers the new entries. Refuses FORBIDDEN,
    NOT_A_DRAFT, IMPORT_REFUSED with the faults of both lists, and what `enter_pairs` refuses.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    club = lock_club(tournament.club)
    tournament = lock_tournament(tournament)
    refuse_unless_draft(tournament)
    player_lines, player_faults = checked_players(club, players_csv)
    pair_lines, pair_faults = checked_pairs(club, pairs_csv, coming=player_lines)
    refuse_faults(player_faults + pair_faults)
    entered = set(tournament.entries.values_list("pair__code", flat=True))
    new = [line.code for line in pair_lines if line.code not in entered]
    store_players(actor, club, player_lines)
    store_pairs(actor, club, pair_lines)
    found = {pair.code: pair for pair in Pair.objects.filter(club=club, code__in=new)}
    return _enter_pairs(actor, tournament, [found[code] for code in new])


def _enter_pairs(actor: Actor, tournament: Tournament, pairs: Sequence[Pair]) -> tuple[Entry, ...]:
    entered = {entry.pair_id for entry in tournament.entries.all()}
    for pair in pairs:
        if pair.club_id != tournament.club_id:
            raise Refusal(Reason.OTHER_CLUB, text=pair.name)
        if pair.pk in entered:
            raise Refusal(Reason.ALREADY_ENTERED, text=pair.name)
        entered.add(pair.pk)
    _refuse_players_twice(entered)
    return _enter(actor, tournament, [(pair.name, pair, None) for pair in pairs])


def _refuse_players_twice(pairs: Iterable[int | None]) -> None:
    """Refuse that one player play in two of these pairs."""
    seats = Pair.objects.filter(pk__in=[pk for pk in pairs if pk is not None])
    times = Counter(
        name for names in seats.values_list("first__name", "second__name") for name in names
    )
    if twice := sorted(name for name, count in times.items() if count > 1):
        raise Refusal(Reason.PLAYER_TWICE, text=", ".join(twice))


def _numbered(tournament: Tournament, bots: Sequence[Bot]) -> list[str]:
    """Name the bots' entries: the bot's name, with a number when there are several of it."""
    before = Counter(tournament.entries.values_list("bot", flat=True))
    total = before + Counter(bot.pk for bot in bots)
    names = []
    for bot in bots:
        before[bot.pk] += 1
        names.append(f"{bot.name} {before[bot.pk]}" if total[bot.pk] > 1 else bot.name)
    return names


def _enter(
    actor: Actor,
    tournament: Tournament,
    newcomers: Sequence[tuple[str, Pair | None, Bot | None]],
) -> tuple[Entry, ...]:
    """Write entries after those that are there, and the event."""
    numbered = tournament.entries.values_list("number", "folded")
    taken = {name for _, name in numbered}
    last = max((number for number, _ in numbered), default=0)
    if last + len(newcomers) > MOST_ENTRIES:
        raise Refusal(Reason.TOO_MANY_ENTRIES, most=MOST_ENTRIES)
    entries = []
    for number, (name, pair, bot) in enumerate(newcomers, start=last + 1):
        if folded(name) in taken:
            raise Refusal(Reason.NAME_TAKEN, text=name)
        taken.add(folded(name))
        entries.append(
            Entry(
                tournament=tournament,
                number=number,
                name=name,
                folded=folded(name),
                pair=pair,
                bot=bot,
            )
        )
    if entries:
        Entry.objects.bulk_create(entries)
        bump(tournament)
        names = [entry.name for entry in entries]
        write_event(
            actor,
            "entries.added",
            tournament,
            club=tournament.club,
            tournament=tournament,
            entries=names,
        )
    return tuple(entries)
