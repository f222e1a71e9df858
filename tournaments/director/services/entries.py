"""Enters players, pairs and bots: before the start, by list, or late."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from tournaments.core.audit import deleted_rows, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_club, lock_entry, lock_tournament, or_404, raise_version
from tournaments.core.names import validate_name
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.lists import (
    MAX_ENTRIES,
    ClubNames,
    ImportPlan,
    import_plan,
    name_of,
)
from tournaments.director.queries.mass_acts import written_time
from tournaments.director.queries.seats import entries_by_person, refuse_two_seats, seatings
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import (
    TWO_SIDED_SEATS,
    entry_facts,
    is_drawn,
    open_round,
    open_round_of,
    refuse_closed,
    round_states,
    stage_for_latecomers,
    tournament_facts,
)
from tournaments.director.queries.tickets import active_entries, next_to_move_up
from tournaments.director.services.drafts import refresh_drafts
from tournaments.director.services.restore_points import store_restore_point
from tournaments.director.services.settings import refuse_bots_where_typed
from tournaments.director.services.substitutions import set_lineups
from tournaments.director.services.tickets import leave_with_entry
from tournaments.domain.beside import tables_in_use
from tournaments.domain.names import fold_name
from tournaments.domain.roster import RECOGNISE, EnteredLine, PairLine, Reading, Source
from tournaments.domain.rows import Bye
from tournaments.models import Bot, Entry, Match, Pair, Player, Round, Stage, Tournament
from tournaments.models.matches import at_any_place
from tournaments.people.queries.who import refuse_open_questions
from tournaments.people.services.bots import refuse_unless_ready
from tournaments.people.services.clubs import (
    create_players,
    identify_players,
    read_pair_list,
    read_player_list,
    refuse_faults,
    store_pairs,
    store_players,
    unused_codes,
)

# --- Entries --------------------------------------------------------------------------------------
# Entering into a tournament that is a draft.


Newcomer = Pair | Player | Bot

LATE_REST: Final = "late_rest"
"""Code of the reason for the bye of a pair that came late to a duplicate."""


@transaction.atomic
def enter_newcomers(
    actor: Actor, tournament: Tournament, newcomers: Sequence[Newcomer]
) -> tuple[Entry, ...]:
    """Enter pairs or players of the club, or bots, numbered in the order given after the others.

    Bots are those of the house or of the club; one may enter several times, numbered. Refuses
    FORBIDDEN, NOT_A_DRAFT, NOTHING_LISTED, OTHER_CLUB, NAME_TAKEN, TOO_MANY_ENTRIES; of people
    WRONG_UNIT, BOTS_ONLY, ALREADY_ENTERED, PLAYER_TWICE; of bots BOT_RETIRED, BOT_BENCHED,
    NOT_ITS_RULESET, NO_READY_VERSION, TYPED_ONLY.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("enter", tournament_facts(tournament))
    if not newcomers:
        raise Refusal(Reason.NOTHING_LISTED)
    return store_entries(actor, tournament, newcomers)


@dataclass(frozen=True, slots=True)
class Removal:
    """What became of the ticket of a removed entry, 0 for none, and who moves up, if anybody."""

    ticket: int = 0
    is_kept: bool = False
    moves_up: str = ""


@transaction.atomic
def remove_entry(actor: Actor, entry: Entry, *, keeps_ticket: bool = False) -> Removal:
    """Remove an entry that no draw names, others keep their numbers.

    Its ticket leaves the list too, so that the next one moves up, or with ``keeps_ticket`` waits
    for an entry again; what was paid without a ticket is to be returned.

    That is any entry before the draw, and afterwards one that came late, or was away, and has sat
    at no table: proofs state the draws with the numbers of their entries. Drafts are drawn again
    without it. Refuses FORBIDDEN, ENTRY_IN_PLAY, the latter also where a draft that was changed by
    hand keeps it at a table.
    """
    refuse_unless(may_manage(actor, entry.tournament.club), actor)
    entry = lock_entry(entry)
    tournament = entry.tournament
    refuse_closed("remove", entry_facts(entry, is_drawn=is_drawn(entry)))
    store_restore_point(actor, tournament, "entry.removed")
    take_off_stages(entry)
    raise_version(tournament)
    write_tournament_event(
        actor, "entry.removed", entry, tournament, entry=entry.name, rows=deleted_rows([entry])
    )
    moves_up = "" if keeps_ticket else next_to_move_up(tournament)
    held_place = active_entries(tournament).filter(pk=entry.pk).exists()
    request = entry.request
    entry.delete()
    if request is None or not request.is_ticket:
        return Removal(moves_up=moves_up if held_place else "")
    if not keeps_ticket:
        rows = leave_with_entry(request)
        write_tournament_event(
            actor, "sign_up.left", tournament, tournament, ticket=request.ticket, rows=rows
        )
    return Removal(request.ticket, keeps_ticket, moves_up if held_place else "")


def take_off_stages(entry: Entry) -> None:
    """Take an entry that no draw names off the stages it has joined, and out of their drafts."""
    tournament, number = entry.tournament, entry.number
    for stage in tournament.stages.all():
        if number in stage.entrants:
            stage.entrants = [other for other in stage.entrants if other != number]
            stage.save(update_fields=["entrants"])
    refresh_drafts(tournament, "entry")
    if Match.objects.filter(at_any_place(entry)).exists():
        raise Refusal(Reason.ENTRY_IN_PLAY, text=entry.name)
    for draft in Round.objects.filter(stage__tournament=tournament, state=Round.State.DRAFT):
        # A draft that is drawn alike without it stays, with the facts of its entries then.
        draft.drawn.get("entrants", {}).pop(str(number), None)
        draft.save(update_fields=["drawn"])


@transaction.atomic
def describe_entry(
    actor: Actor,
    entry: Entry,
    *,
    rating: float | None = None,
    origin: str | None = None,
    apart: Sequence[str] | None = None,
    fixed_table: int | None = None,
) -> Entry:
    """Set what the draw considers of an entry: seeding rating, club, labels that keep it apart.

    Two entries that share a label of ``apart`` are not paired. ``fixed_table`` is the number of the
    table where it sits in every round from the next one on, 0 for none. Once drawn, the rating
    cannot change. Setting the present values changes nothing. Refuses FORBIDDEN, NOT_A_DRAFT,
    BAD_NAME.
    """
    refuse_unless(may_manage(actor, entry.tournament.club), actor)
    entry = lock_entry(entry)
    tournament = entry.tournament
    before = entry.rating, entry.origin, entry.apart, entry.fixed_table
    if rating is not None and rating != entry.rating:
        refuse_closed("rate", entry_facts(entry))
        entry.rating = rating
    if origin is not None:
        entry.origin = validate_name(origin) if origin.strip() else ""
    if apart is not None:
        entry.apart = sorted({validate_name(label) for label in apart if label.strip()})
    if fixed_table is not None:
        entry.fixed_table = fixed_table
    if (entry.rating, entry.origin, entry.apart, entry.fixed_table) == before:
        return entry
    entry.save(update_fields=["rating", "origin", "apart", "fixed_table"])
    raise_version(tournament)
    refresh_drafts(tournament, "entry")
    write_tournament_event(
        actor,
        "entry.described",
        entry,
        tournament,
        entry=entry.name,
        rating=entry.rating,
        origin=entry.origin,
        apart=entry.apart,
        fixed_table=entry.fixed_table,
        rows=[entry],
    )
    return entry


@transaction.atomic
def import_entries(
    actor: Actor,
    tournament: Tournament,
    players_csv: bytes | str,
    pairs_csv: bytes | str,
    *,
    as_written: bool = False,
    reading: Reading = RECOGNISE,
) -> tuple[Entry, ...]:
    """Import players and pairs from CSV, and enter the pairs in the order of their list.

    Names of players in doubt are right ``as_written``; ``reading`` answers who the new ones are.
    Pairs that are entered already stay as they are. Returns the new entries. Refuses FORBIDDEN,
    NOT_A_DRAFT, IMPORT_REFUSED with the faults of both lists, WHO_IS_THIS, UNKNOWN_PLAYER, and what
    `enter_newcomers` refuses.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    club = lock_club(tournament.club)
    tournament = lock_tournament(tournament)
    refuse_closed("enter", tournament_facts(tournament))
    player_lines, player_faults = read_player_list(club, players_csv, as_written=as_written)
    pair_lines, pair_faults = read_pair_list(club, pairs_csv, new_players=player_lines)
    refuse_faults(player_faults + pair_faults)
    found = identify_players(club, player_lines, reading)
    pair_lines = found.with_codes(pair_lines)
    store_players(actor, club, found.lines)
    store_pairs(actor, club, pair_lines)
    entered = {pair.main_pk for pair in Pair.objects.filter(entries__tournament=tournament)}
    pairs = {pair.code: pair for pair in club.pairs.with_players()}
    listed = [pairs[line.code] for line in pair_lines]
    return store_entries(
        actor, tournament, [pair for pair in listed if pair.main_pk not in entered]
    )


def store_entries(
    actor: Actor, tournament: Tournament, newcomers: Sequence[Newcomer], joined_round: int = 1
) -> tuple[Entry, ...]:
    """Enter newcomers into a locked tournament; refuses what :func:`enter_newcomers` does.

    Of merged players and pairs the main ones enter.
    """
    bots = [newcomer for newcomer in newcomers if isinstance(newcomer, Bot)]
    people = [newcomer.main for newcomer in newcomers if not isinstance(newcomer, Bot)]
    entries = _people_entries(tournament, people) if people else []
    entries += _bot_entries(tournament, bots) if bots else []
    for entry in entries:
        entry.joined_round = joined_round
    stored = _enter(actor, tournament, entries)
    if people:
        refuse_two_seats(tournament, stored, joined_round)
    return stored


def _bot_entries(tournament: Tournament, bots: Sequence[Bot]) -> list[Entry]:
    """Return unsaved entries of bots."""
    for bot in bots:
        if bot.club_id not in {None, tournament.club_id}:
            raise Refusal(Reason.OTHER_CLUB, text=bot.name)
    refuse_bots_where_typed(tournament.stages.all())
    refuse_unless_ready(dict.fromkeys(bots), tournament.ruleset)
    names = _numbered(tournament, bots)
    seats = 2 if tournament.unit == Tournament.Unit.PAIR else 1
    return [Entry(name=name, bot=bot, seats=seats) for name, bot in zip(names, bots, strict=True)]


def _people_entries(tournament: Tournament, people: Sequence[Pair | Player]) -> list[Entry]:
    """Return unsaved entries of pairs or players, whichever the tournament is for."""
    of_pairs = tournament.unit == Tournament.Unit.PAIR
    entered = {
        frozenset(player.main_pk for player in entry.players)
        for entry in tournament.entries.with_players().filter(bot__isnull=True)
    }
    for newcomer in people:
        if isinstance(newcomer, Pair) != of_pairs:
            unit = Tournament.Unit(tournament.unit).label
            raise Refusal(Reason.WRONG_UNIT, text=newcomer.name, unit=str(unit))
        if newcomer.club_id != tournament.club_id:
            raise Refusal(Reason.OTHER_CLUB, text=newcomer.name)
        keys = (
            newcomer.main_player_pks
            if isinstance(newcomer, Pair)
            else frozenset((newcomer.main_pk,))
        )
        if keys in entered:  # also when they have left: they are readmitted, with their points
            raise Refusal(Reason.ALREADY_ENTERED, text=newcomer.name)
        entered.add(keys)
    return [
        Entry(name=newcomer.name, pair=newcomer)
        if isinstance(newcomer, Pair)
        else Entry(name=newcomer.name, player=newcomer, seats=1)
        for newcomer in people
    ]


def _numbered(tournament: Tournament, bots: Sequence[Bot]) -> list[str]:
    """Return names for the bots' entries, numbered where a bot enters several times."""
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
    """Save new entries, numbered after the existing ones, and write the event.

    Matches of deal sets are for bots alone: refuses BOTS_ONLY.
    """
    people = [entry.name for entry in newcomers if entry.bot_id is None]
    if tournament.deal_sets and people:
        raise Refusal(Reason.BOTS_ONLY, text=people[0])
    numbered = tournament.entries.values_list("number", "folded")
    used_names = {name for _, name in numbered}
    last = max((number for number, _ in numbered), default=0)
    if last + len(newcomers) > MAX_ENTRIES:
        raise Refusal(Reason.TOO_MANY_ENTRIES, most=MAX_ENTRIES)
    for number, entry in enumerate(newcomers, start=last + 1):
        entry.tournament, entry.number, entry.folded = tournament, number, fold_name(entry.name)
        if entry.folded in used_names:
            raise Refusal(Reason.NAME_TAKEN, text=entry.name)
        used_names.add(entry.folded)
    if newcomers:
        Entry.objects.bulk_create(newcomers)
        raise_version(tournament)
        names = [entry.name for entry in newcomers]
        write_tournament_event(
            actor, "entries.added", tournament, tournament, entries=names, rows=newcomers
        )
    return tuple(newcomers)


# --- Latecomers -----------------------------------------------------------------------------------
# Late entries: into the running round when an entry there has no opponent.


@transaction.atomic
def enter_late(actor: Actor, tournament: Tournament, newcomer: Newcomer) -> Entry:
    """Enter a pair, a player or a bot into a tournament that is running.

    It plays in the running round when an entry there has no opponent and its people sit at no table
    of it (in a duplicate it rests there: the bye has no deals), else from the next round on; for
    the rounds it missed it gets what the stage's rules give latecomers. Refuses FORBIDDEN,
    NOT_RUNNING, NO_LATE_ENTRY, and what :func:`enter_newcomers` refuses.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    return store_late_entry(actor, lock_tournament(tournament), newcomer)


def store_late_entry(actor: Actor, tournament: Tournament, newcomer: Newcomer) -> Entry:
    """Enter a newcomer into a locked tournament that is running, as :func:`enter_late` does."""
    refuse_closed("enter_late", tournament_facts(tournament))
    stages = list(tournament.stages.order_by("number"))
    stage = or_404(stage_for_latecomers(stages, round_states(tournament)))
    store_restore_point(actor, tournament, "entry.late")
    (entry,) = store_entries(actor, tournament, [newcomer], open_round(tournament))
    stage.entrants = [*stage.entrants, entry.number]
    stage.save(update_fields=["entrants"])
    entry.joined_round = open_round_of(entry)
    against = _waiting_opponent(stage, entry)
    rests = against is not None and stage.kind.same_deals
    if against is not None:
        entry.joined_round = against.round.number
    # Only where a check-in is held: one mark would call all the others missing in the control room.
    if tournament.entries.filter(checked_in_at__isnull=False).exists():
        entry.checked_in_at = timezone.now()
    entry.save(update_fields=["joined_round", "checked_in_at"])
    if against is not None:
        (_rest_beside if rests else _seat)(entry, against)
    raise_version(tournament)
    refresh_drafts(tournament, "entry")
    write_tournament_event(
        actor,
        "entry.late",
        entry,
        tournament,
        entry=entry.name,
        round=entry.joined_round,
        against=None if against is None or rests else against.home.name,
        **({"rests": True} if rests else {}),
        rows=[entry],
    )
    return entry


def join_begun_stage(entry: Entry, round_: int) -> None:
    """Add an entry that was away when the first stage began to that stage, from a round on.

    For the rounds before it counts as a latecomer. The caller has asked whether it can join.
    """
    stages = entry.tournament.stages.filter(begun_at__isnull=False).order_by("number")
    first, *later = stages or [None]
    if first is None or later or entry.number in first.entrants:
        return
    first.entrants = [*first.entrants, entry.number]
    first.save(update_fields=["entrants"])
    entry.joined_round = round_
    entry.save(update_fields=["joined_round"])


def _waiting_opponent(stage: Stage, newcomer: Entry) -> Match | None:
    """Return the match of an entry in the running round that has a bye for want of an opponent.

    None if people of the newcomer sit in that round: for a pair that has left since, for example.
    In a duplicate each such entry is returned once: as many late pairs as byes fit the movement.
    """
    rounds = stage.rounds.exclude(state=Round.State.DRAFT).order_by("number")
    running_round = rounds.last()
    if stage.kind.seats != TWO_SIDED_SEATS or running_round is None:
        return None
    if running_round.state != Round.State.PUBLISHED:
        return None
    seated = entries_by_person(seatings(stage.tournament), running_round.number)
    if not seated.keys().isdisjoint(player.main for player in newcomer.players):
        return None
    byes = Match.objects.with_names().filter(round=running_round, bye=Bye.PAIRING)
    waiting = [match for match in byes.order_by("table") if not _is_late_rest(match)]
    late_rests = byes.count() - len(waiting)
    return waiting[late_rests] if late_rests < len(waiting) else None


def _seat(entry: Entry, match: Match) -> None:
    """Seat a latecomer opposite an entry that had a bye."""
    match.away, match.bye, match.state = entry, "", Match.State.PENDING
    match.table = _free_table(match)
    match.edited = True
    match.whys = [
        {"code": "late_entry", "entrants": [entry.number, match.home.number], "facts": {}}
    ]
    match.save(update_fields=["table", "away", "bye", "state", "edited", "whys"])
    set_lineups(match.home, [match])  # a substitute may have come since the bye was drawn


def _rest_beside(entry: Entry, match: Match) -> None:
    """Let a latecomer rest in the round of a bye: what was dealt there is played by others."""
    last = match.round.matches.aggregate(last=Max("table"))["last"]
    rest = Match(round=match.round, table=last + 1, home=entry, bye=str(Bye.PAIRING), edited=True)
    rest.state = Match.State.BYE
    rest.whys = [{"code": LATE_REST, "entrants": [entry.number], "facts": {}}]
    rest.save()


def _is_late_rest(match: Match) -> bool:
    return any(why["code"] == LATE_REST for why in match.whys)


def _free_table(match: Match) -> int:
    """Return the table of a match that had a bye, whose number another board may have in use."""
    stage = match.round.stage
    rows = rows_of(stage.tournament)
    in_use = tables_in_use(rows, stage.number)
    if match.table not in in_use:
        return match.table
    own = match.round.matches.values_list("table", flat=True)
    return max([*in_use, *own]) + 1


# --- Lists ----------------------------------------------------------------------------------------
# Entering a list of names; the players' codes are generated here.


def preview_list(
    actor: Actor, tournament: Tournament, source: Source, reading: Reading = RECOGNISE
) -> ImportPlan:
    """Return what a list would create, with its questions, without creating anything.

    Refuses FORBIDDEN, TOURNAMENT_OVER, UNKNOWN_PLAYER, IMPORT_REFUSED with every fault and its
    line.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    refuse_closed("enter_list", tournament_facts(tournament))
    plan = import_plan(tournament, source, reading)
    if plan.hard_faults:
        raise Refusal(
            Reason.IMPORT_REFUSED,
            errors=plan.faults,
            count=len(plan.faults),
            who=plan.open_who,
        )
    return plan


@transaction.atomic
def enter_list(
    actor: Actor, tournament: Tournament, source: Source, reading: Reading = RECOGNISE
) -> tuple[Entry, ...]:
    """Enter everybody of a list, in its order, creating the players and pairs that are new.

    A name that a player of the club has, or that only one had before it was corrected, means that
    player, unless that is in doubt (`ask_who`). In a running tournament they enter late
    (:func:`enter_late`). Refuses FORBIDDEN, TOURNAMENT_OVER, NO_LATE_ENTRY, UNKNOWN_PLAYER,
    IMPORT_REFUSED with every fault and its line, WHO_IS_THIS with all questions about persons.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    lock_club(tournament.club)
    tournament = lock_tournament(tournament)
    plan = preview_list(actor, tournament, source, reading)
    refuse_open_questions(plan.open_who, plan.faults)
    return enter_lines(actor, tournament, plan.read.lines)


def enter_lines(
    actor: Actor, tournament: Tournament, lines: Sequence[EnteredLine]
) -> tuple[Entry, ...]:
    """Enter the lines of a plan without faults, made since club and tournament were locked."""
    club = tournament.club
    create_players(actor, club, [n for line in lines for n in (line.first, line.second) if n])
    if tournament.unit == Tournament.Unit.PAIR:
        _make_pairs(actor, tournament, lines)
    entries = _store_entries(actor, tournament, lines)
    for entry, line in zip(entries, lines, strict=True):
        entry.rating, entry.origin = line.rating, line.club
    Entry.objects.bulk_update(entries, ["rating", "origin"])
    if tournament.state == Tournament.State.RUNNING:
        refresh_drafts(tournament, "entry")
    write_tournament_event(
        actor,
        "list.entered",
        tournament,
        tournament,
        entries=[entry.name for entry in entries],
        round=open_round(tournament),
        changed=[[entry.pk, None, written_time(entry.checked_in_at)] for entry in entries],
    )
    return entries


def _make_pairs(actor: Actor, tournament: Tournament, lines: Iterable[EnteredLine]) -> None:
    club, club_names = tournament.club, ClubNames.of(tournament)
    codes = unused_codes("P", set(club.pairs.values_list("code", flat=True)))
    new = [
        PairLine(
            line=line.line,
            code=next(codes),
            name=name_of(line, None),
            first=club_names.players[fold_name(line.first)].code,
            second=club_names.players[fold_name(line.second)].code,
        )
        for line in lines
        if club_names.pair_of(line) is None
    ]
    store_pairs(actor, club, new)


def _store_entries(
    actor: Actor, tournament: Tournament, lines: Iterable[EnteredLine]
) -> tuple[Entry, ...]:
    club_names = ClubNames.of(tournament)
    is_running = tournament.state == Tournament.State.RUNNING
    newcomers: list[Player] | list[Pair] = [
        club_names.players[fold_name(line.first)] for line in lines
    ]
    if tournament.unit == Tournament.Unit.PAIR:
        newcomers = [pair for line in lines if (pair := club_names.pair_of(line)) is not None]
    if is_running:
        return tuple(enter_late(actor, tournament, newcomer) for newcomer in newcomers)
    return store_entries(actor, tournament, newcomers)
