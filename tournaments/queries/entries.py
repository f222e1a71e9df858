"""Who is entered in a tournament, and how each of them stands on the day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q

from tournaments.models import (
    Absence,
    Bot,
    ByeRequest,
    Entry,
    Penalty,
    Player,
    Round,
    Substitution,
    Tournament,
)
from tournaments.permissions import Actor
from tournaments.queries.heads import Opened, TournamentHead, open_tournament
from tournaments.queries.rows import side


@dataclass(frozen=True, slots=True)
class EntryRow:
    """Who is entered, and how it stands.

    ``away`` is why it is not there (`Absence.Kind`), or empty; ``rests`` the rounds to come in
    which it has asked for a bye; ``substitutes`` who plays for one of its people now; ``penalties``
    how many count. ``who`` names whose it is (`queries.rows.who_of`).
    """

    number: int
    name: str
    players: tuple[str, ...]
    is_bot: bool
    origin: str = ""
    rating: float = 0.0
    checked_in_at: datetime | None = None
    joined_round: int = 1
    away: str = ""
    rests: tuple[int, ...] = ()
    substitutes: tuple[str, ...] = ()
    penalties: int = 0
    who: str = ""

    @property
    def is_missing(self) -> bool:
        """People who have not come, and are not away already."""
        return not (self.is_bot or self.away or self.checked_in_at)


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot that could be entered."""

    pk: int
    slug: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class EntriesPage:
    """The entries in order, and the bots that could be added; ``unit`` is who enters."""

    head: TournamentHead
    entries: tuple[EntryRow, ...]
    bots: tuple[BotRow, ...]
    unit: str
    shows_origin: bool
    shows_rating: bool


BOT: Final = "bot:"
"""What stands before the short name of a bot among newcomers."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A pair or a player of the club who is not entered, or a bot that could come.

    ``key`` is what a form names it by.
    """

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class CheckInPage:
    """Who has come. ``entries`` are those whose name was asked for, the counts are of all.

    ``round`` is the first that is not published yet: the one that the end of the check-in is about.
    """

    head: TournamentHead
    entries: tuple[EntryRow, ...]
    missing: tuple[EntryRow, ...]
    come: int
    away: int
    closed_at: datetime | None
    self_check_in: bool
    round: int


def entries_page(slug: str, viewer: Actor) -> EntriesPage:
    """Return who is entered: the head's queries and six."""
    this = open_tournament(slug, viewer)
    entries = entry_rows(this)
    of_the_club = Q(club__isnull=True) | Q(club=this.tournament.club_id)
    offered = Bot.objects.playable().filter(of_the_club)
    return EntriesPage(
        this.head,
        entries,
        tuple(BotRow(bot.pk, bot.slug, bot.name, bot.kind) for bot in offered),
        unit=this.tournament.unit,
        shows_origin=any(entry.origin for entry in entries),
        shows_rating=any(entry.rating for entry in entries),
    )


def check_in_page(slug: str, viewer: Actor, wanted: str = "") -> CheckInPage:
    """Return who has come, of those with ``wanted`` in a name: the head's queries and five."""
    this = open_tournament(slug, viewer)
    people = [entry for entry in entry_rows(this) if not entry.is_bot]
    asked = wanted.strip().casefold()
    return CheckInPage(
        this.head,
        tuple(e for e in people if _is_called(e, asked)),
        missing=tuple(entry for entry in people if entry.is_missing),
        come=sum(entry.checked_in_at is not None and not entry.away for entry in people),
        away=sum(bool(entry.away) for entry in people),
        closed_at=this.tournament.check_in_closed_at,
        self_check_in=this.tournament.self_check_in,
        round=open_round(this),
    )


def newcomers(slug: str, viewer: Actor) -> tuple[Newcomer, ...]:
    """Return the pairs or players of the club that could enter: the head's queries and one.

    Where bots alone play and the rounds are drawn, the bots too: the same one may come again.
    """
    this = open_tournament(slug, viewer)
    people = () if this.tournament.deal_sets else tuple(_people(this.tournament))
    if this.head.is_of_bots and not this.head.may.verbs["enter"]:
        offered = Q(club__isnull=True) | Q(club=this.tournament.club_id)
        bots = Bot.objects.playable().filter(offered)
        return (*(Newcomer(f"{BOT}{bot.slug}", bot.name) for bot in bots), *people)
    return people


def _people(tournament: Tournament) -> Iterator[Newcomer]:
    if tournament.unit == Tournament.Unit.PAIR:
        pairs = tournament.club.pairs.exclude(entries__tournament=tournament)
        taken = Q(pairs_as_first__entries__tournament=tournament)
        taken |= Q(pairs_as_second__entries__tournament=tournament)
        players = Player.objects.filter(taken)
        free = pairs.exclude(first__in=players).exclude(second__in=players)
        yield from (Newcomer(pair.code, pair.name) for pair in free.order_by("code"))
    else:
        others = tournament.club.players.exclude(entries__tournament=tournament)
        yield from (Newcomer(player.code, player.name) for player in others.order_by("code"))


def open_round(this: Opened) -> int:
    """Return the number of the first round that is not published yet."""
    published = [r.number for r in this.rounds if r.state != Round.State.DRAFT]
    return max(published, default=0) + 1


def entry_rows(this: Opened) -> tuple[EntryRow, ...]:
    """Return the entries in order with how they stand; five queries."""
    entries = this.tournament.entries.with_players().order_by("number")
    return rows_of_entries(entries, open_round(this), Q(entry__tournament=this.tournament))


def rows_of_entries(entries: Iterable[Entry], round_: int, of_them: Q) -> tuple[EntryRow, ...]:
    """Return entries with how they stand before a round; ``of_them`` finds what is theirs."""
    away = dict(
        Absence.objects.filter(of_them, until_round__isnull=True).values_list("entry", "kind")
    )
    rests: dict[int, list[int]] = {}
    asked = ByeRequest.objects.filter(of_them, round_number__gte=round_).order_by("round_number")
    for entry, number in asked.values_list("entry", "round_number"):
        rests.setdefault(entry, []).append(number)
    names: dict[int, list[str]] = {}
    running = Q(until_round__isnull=True) | Q(until_round__gt=max(1, round_ - 1))
    replaced = Substitution.objects.filter(of_them & running).order_by("pk")
    for entry, name in replaced.values_list("entry", "comes__name"):
        names.setdefault(entry, []).append(name)
    counting = Penalty.objects.filter(of_them, revoked_at__isnull=True)
    penalties = Counter(counting.values_list("entry", flat=True))
    return tuple(
        _row(e, away.get(e.pk, ""), rests.get(e.pk, ()), names.get(e.pk, ()), penalties[e.pk])
        for e in entries
    )


def _row(
    entry: Entry, away: str, rests: Iterable[int], substitutes: Iterable[str], penalties: int
) -> EntryRow:
    who = side(entry)
    return EntryRow(
        number=who.number,
        name=who.name,
        players=who.players,
        is_bot=who.is_bot,
        origin=entry.origin,
        rating=entry.rating,
        checked_in_at=entry.checked_in_at,
        joined_round=entry.joined_round,
        away=away,
        rests=tuple(rests),
        substitutes=tuple(substitutes),
        penalties=penalties,
        who=who.who,
    )


def _is_called(entry: EntryRow, asked: str) -> bool:
    return any(asked in name.casefold() for name in (str(entry.number), entry.name, *entry.players))
