"""Who takes part: entered while the tournament is a draft, or late into one that is running."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from django.db import transaction

from tournaments.audit import deleted_with, write_event
from tournaments.domain.names import folded
from tournaments.errors import Reason, Refusal
from tournaments.models import Bot, Entry, Pair, Player, Tournament
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries.state import entry_facts, refuse_closed, tournament_facts
from tournaments.services.bots import refuse_unless_ready
from tournaments.services.draws import refresh_drafts
from tournaments.services.locks import bump, lock_club, lock_entry, lock_tournament
from tournaments.services.naming import checked_name
from tournaments.services.restoring import keep_restore_point
from tournaments.services.rosters import (
    checked_pairs,
    checked_players,
    refuse_faults,
    store_pairs,
    store_players,
)

MOST_ENTRIES: Final = 2_000
"""Of one tournament, whatever its format; a format may take fewer."""


@transaction.atomic
def enter_pairs(actor: Actor, tournament: Tournament, pairs: Sequence[Pair]) -> tuple[Entry, ...]:
    """Enter pairs of the club, numbered on in the order given.

    Refuses FORBIDDEN, NOT_A_DRAFT, BOTS_ONLY, OTHER_CLUB, ALREADY_ENTERED, PLAYER_TWICE,
    NAME_TAKEN, TOO_MANY_ENTRIES.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("enter", tournament_facts(tournament))
    return store_pair_entries(actor, tournament, pairs)


@transaction.atomic
def enter_players(
    actor: Actor, tournament: Tournament, players: Sequence[Player]
) -> tuple[Entry, ...]:
    """Enter single players of the club, where those enter.

    Refuses FORBIDDEN, NOT_A_DRAFT, WRONG_UNIT, BOTS_ONLY, OTHER_CLUB, ALREADY_ENTERED, NAME_TAKEN,
    TOO_MANY_ENTRIES.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("enter", tournament_facts(tournament))
    return store_player_entries(actor, tournament, players)


@transaction.atomic
def remove_entry(actor: Actor, entry: Entry) -> None:
    """Take an entry off the list of a draft; the others keep their numbers.

    Refuses FORBIDDEN, ENTRY_IN_PLAY.
    """
    refuse_unless(may_manage(actor, entry.tournament.club), actor)
    entry = lock_entry(entry)
    tournament = entry.tournament
    refuse_closed("remove", entry_facts(entry))
    keep_restore_point(actor, tournament, "entry.removed")
    bump(tournament)
    write_event(
        actor,
        "entry.removed",
        entry,
        club=tournament.club,
        tournament=tournament,
        entry=entry.name,
        rows=deleted_with([entry]),
    )
    entry.delete()


def refuse_unless_organiser(actor: Actor, entry: Entry) -> None:
    """Refuse FORBIDDEN to whoever may not describe an entry."""
    refuse_unless(may_manage(actor, entry.tournament.club), actor)


@transaction.atomic
def describe_entry(
    actor: Actor,
    entry: Entry,
    *,
    rating: float | None = None,
    origin: str | None = None,
    apart: Sequence[str] | None = None,
) -> Entry:
    """Say what the draw should know: the seeding rating, the club, whom it may not meet.

    Two entries that share a label of ``apart`` are kept apart. Once drawn, the rating stays. The
    same again changes nothing.
    Refuses FORBIDDEN, NOT_A_DRAFT, BAD_NAME.
    """
    refuse_unless(may_manage(actor, entry.tournament.club), actor)
    entry = lock_entry(entry)
    tournament = entry.tournament
    before = entry.rating, entry.origin, entry.apart
    if rating is not None and rating != entry.rating:
        refuse_closed("rate", entry_facts(entry))
        entry.rating = rating
    if origin is not None:
        entry.origin = checked_name(origin) if origin.strip() else ""
    if apart is not None:
        entry.apart = sorted({checked_name(label) for label in apart if label.strip()})
    if (entry.rating, entry.origin, entry.apart) == before:
        return entry
    entry.save(update_fields=["rating", "origin", "apart"])
    bump(tournament)
    refresh_drafts(tournament)
    write_event(
        actor,
        "entry.described",
        entry,
        club=tournament.club,
        tournament=tournament,
        entry=entry.name,
        rating=entry.rating,
        origin=entry.origin,
        apart=entry.apart,
        rows=[entry],
    )
    return entry


@transaction.atomic
def enter_bots(actor: Actor, tournament: Tournament, bots: Sequence[Bot]) -> tuple[Entry, ...]:
    """Enter bots of the house or of the club; the same one may come several times, numbered.

    Refuses FORBIDDEN, NOT_A_DRAFT, OTHER_CLUB, TOO_MANY_ENTRIES; BOT_RETIRED, BOT_BENCHED,
    NO_READY_VERSION.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("enter", tournament_facts(tournament))
    return store_bot_entries(actor, tournament, bots)


def store_bot_entries(
    actor: Actor, tournament: Tournament, bots: Sequence[Bot]
) -> tuple[Entry, ...]:
    """Enter bots into a locked tournament; refuses what :func:`enter_bots` does."""
    for bot in bots:
        if bot.club_id not in {None, tournament.club_id}:
            raise Refusal(Reason.OTHER_CLUB, text=bot.name)
    refuse_unless_ready(dict.fromkeys(bots))
    names = _numbered(tournament, bots)
    seats = 2 if tournament.unit == Tournament.Unit.PAIR else 1
    entries = [
        Entry(name=name, bot=bot, seats=seats) for name, bot in zip(names, bots, strict=True)
    ]
    return _enter(actor, tournament, entries)


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
    refuse_closed("enter", tournament_facts(tournament))
    player_lines, player_faults = checked_players(club, players_csv)
    pair_lines, pair_faults = checked_pairs(club, pairs_csv, coming=player_lines)
    refuse_faults(player_faults + pair_faults)
    entered = set(tournament.entries.values_list("pair__code", flat=True))
    new = [line.code for line in pair_lines if line.code not in entered]
    store_players(actor, club, player_lines)
    store_pairs(actor, club, pair_lines)
    found = {pair.code: pair for pair in Pair.objects.filter(club=club, code__in=new)}
    return store_pair_entries(actor, tournament, [found[code] for code in new])


def store_pair_entries(
    actor: Actor, tournament: Tournament, pairs: Sequence[Pair]
) -> tuple[Entry, ...]:
    """Enter pairs into a locked tournament; refuses what :func:`enter_pairs` does."""
    _refuse_unit(tournament, Tournament.Unit.PAIR, pairs)
    entered = {entry.pair_id for entry in tournament.entries.all()}
    for pair in pairs:
        if pair.club_id != tournament.club_id:
            raise Refusal(Reason.OTHER_CLUB, text=pair.name)
        if pair.pk in entered:
            raise Refusal(Reason.ALREADY_ENTERED, text=pair.name)
        entered.add(pair.pk)
    _refuse_players_twice(entered)
    return _enter(actor, tournament, [Entry(name=pair.name, pair=pair) for pair in pairs])


def store_player_entries(
    actor: Actor, tournament: Tournament, players: Sequence[Player]
) -> tuple[Entry, ...]:
    """Enter players into a locked tournament; refuses what :func:`enter_players` does."""
    _refuse_unit(tournament, Tournament.Unit.PLAYER, players)
    entered = set(tournament.entries.values_list("player", flat=True))
    for player in players:
        if player.club_id != tournament.club_id:
            raise Refusal(Reason.OTHER_CLUB, text=player.name)
        if player.pk in entered:
            raise Refusal(Reason.ALREADY_ENTERED, text=player.name)
        entered.add(player.pk)
    entries = [Entry(name=player.name, player=player, seats=1) for player in players]
    return _enter(actor, tournament, entries)


def _refuse_unit(
    tournament: Tournament, unit: Tournament.Unit, newcomers: Sequence[Pair | Player]
) -> None:
    if tournament.unit != unit and newcomers:
        here = Tournament.Unit(tournament.unit).label
        raise Refusal(Reason.WRONG_UNIT, text=newcomers[0].name, unit=str(here))


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
    newcomers: Sequence[Entry],
) -> tuple[Entry, ...]:
    """Write entries, made so far as who they are, after those that are there, and the event.

    Matches of deal sets are for bots alone: refuses BOTS_ONLY.
    """
    people = [entry.name for entry in newcomers if entry.bot_id is None]
    if tournament.deal_sets and people:
        raise Refusal(Reason.BOTS_ONLY, text=people[0])
    numbered = tournament.entries.values_list("number", "folded")
    taken = {name for _, name in numbered}
    last = max((number for number, _ in numbered), default=0)
    if last + len(newcomers) > MOST_ENTRIES:
        raise Refusal(Reason.TOO_MANY_ENTRIES, most=MOST_ENTRIES)
    for number, entry in enumerate(newcomers, start=last + 1):
        entry.tournament, entry.number, entry.folded = tournament, number, folded(entry.name)
        if entry.folded in taken:
            raise Refusal(Reason.NAME_TAKEN, text=entry.name)
        taken.add(entry.folded)
    if newcomers:
        Entry.objects.bulk_create(newcomers)
        bump(tournament)
        names = [entry.name for entry in newcomers]
        write_event(
            actor,
            "entries.added",
            tournament,
            club=tournament.club,
            tournament=tournament,
            entries=names,
            rows=newcomers,
        )
    return tuple(newcomers)
