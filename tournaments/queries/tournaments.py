"""A tournament's pages: standings, crosstable, entries, rounds, history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.domain.standings import Played, Score, Standing, crosstable, standings
from tournaments.models import AuditEvent, Bot, Entry, Match, Result, Round, Tournament
from tournaments.permissions import Actor
from tournaments.queries.cached import remembered
from tournaments.queries.find import visible
from tournaments.queries.heads import (
    Opened,
    TournamentHead,
    TournamentMay,
    open_tournament,
)
from tournaments.queries.rows import MatchRow, live_results, match_row, side

__all__ = ["TournamentHead", "TournamentMay"]

CACHE_FORM = 1
"""Part of the cache's keys: to be moved on when the shape of what is kept changes."""

MOST_EVENTS = 500


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of the standings.

    ``decided_by`` is what put it below the line above: ``match_points``, ``direct_encounter``,
    ``hand_difference``, ``point_difference``, ``shared`` (nothing did), or empty for the first.
    ``direct_points`` are the match points among those level, where a direct encounter told them
    apart. A place is ``shared`` by all who have the same ``rank``.
    """

    rank: int
    shared: bool
    number: int
    name: str
    players: tuple[str, str]
    is_bot: bool
    played: int
    won: int
    tied: int
    lost: int
    match_points: int
    hands_for: int
    hands_against: int
    hand_difference: int
    points_for: int
    points_against: int
    point_difference: int
    decided_by: str
    direct_points: int | float | None


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The standings; ``provisional`` while a result is under dispute."""

    head: TournamentHead
    rows: tuple[StandingRow, ...]
    provisional: bool


@dataclass(frozen=True, slots=True)
class EntryName:
    """An entry by number and name."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One match seen from the row's side; ``outcome`` is ``won``, ``tied`` or ``lost``."""

    match_pk: int
    outcome: str
    hands_for: int
    hands_against: int
    points_for: int
    points_against: int


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """One entry against all: a tuple of cells for each column, empty where nothing was played."""

    rank: int
    number: int
    name: str
    match_points: int
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class CrosstablePage:
    """Everybody against everybody; rows and columns (``names``) in the order of the standings."""

    head: TournamentHead
    names: tuple[EntryName, ...]
    rows: tuple[CrosstableRow, ...]


@dataclass(frozen=True, slots=True)
class EntryRow:
    """Who is entered."""

    number: int
    name: str
    players: tuple[str, str]
    is_bot: bool


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot that could be entered."""

    pk: int
    slug: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class EntriesPage:
    """The entries in order, and the bots that could be added."""

    head: TournamentHead
    entries: tuple[EntryRow, ...]
    bots: tuple[BotRow, ...]


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round; its ``seed`` is shown once it is closed, its ``commitment`` once it is published."""

    number: int
    state: str
    published_at: datetime | None
    closed_at: datetime | None
    commitment: str
    seed: str
    matches: tuple[MatchRow, ...]


@dataclass(frozen=True, slots=True)
class RoundsPage:
    """The rounds that the viewer may see."""

    head: TournamentHead
    rounds: tuple[RoundRow, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the bot matches of a round have got.

    ``running`` are in a worker's hands, ``stuck`` left to the arbiter, ``waiting`` the rest.
    """

    total: int
    played: int
    running: int
    waiting: int
    stuck: int
    asked: bool
    finished: bool


@dataclass(frozen=True, slots=True)
class RoundMay:
    """What the viewer may do with the round now."""

    publish: bool
    close: bool
    play: bool


@dataclass(frozen=True, slots=True)
class RoundPage:
    """One round; ``progress`` is missing when no match of it is between bots."""

    head: TournamentHead
    round: RoundRow
    previous: int | None
    next: int | None
    progress: Progress | None
    may: RoundMay


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that was done."""

    sequence: int
    at: datetime
    verb: str
    actor: str
    subject: str
    facts: dict[str, Any]


def tournament_head(slug: str, viewer: Actor) -> TournamentHead:
    """Return the tournament in short: four queries, three for a viewer unknown."""
    return open_tournament(slug, viewer).head


def standings_page(slug: str, viewer: Actor) -> StandingsPage:
    """Return the standings: the head's queries and one more, two when they are not cached."""
    this = open_tournament(slug, viewer)
    entries = _entries(this.tournament)
    lines = _standings(this.tournament, entries)
    rows = tuple(_standing_row(line, entries[line.entry]) for line in lines)
    return StandingsPage(this.head, rows, provisional=this.head.disputed > 0)


def crosstable_page(slug: str, viewer: Actor) -> CrosstablePage:
    """Return everybody against everybody: the head's queries and two, three without the cache."""
    this = open_tournament(slug, viewer)
    entries = _entries(this.tournament)
    lines = _standings(this.tournament, entries)
    cells = _cells(this.tournament)
    rows = tuple(
        CrosstableRow(
            rank=line.rank,
            number=line.entry,
            name=entries[line.entry].name,
            match_points=line.match_points,
            cells=tuple(cells.get((line.entry, other.entry), ()) for other in lines),
        )
        for line in lines
    )
    names = tuple(EntryName(row.number, row.name) for row in rows)
    return CrosstablePage(this.head, names, rows)


def entries_page(slug: str, viewer: Actor) -> EntriesPage:
    """Return who is entered: the head's queries and two."""
    this = open_tournament(slug, viewer)
    entries = (side(entry) for entry in _entries(this.tournament).values())
    offered = Bot.objects.filter(Q(club__isnull=True) | Q(club=this.tournament.club_id))
    return EntriesPage(
        this.head,
        tuple(EntryRow(e.number, e.name, e.players, e.is_bot) for e in entries),
        tuple(BotRow(bot.pk, bot.slug, bot.name, bot.kind) for bot in offered),
    )


def rounds_page(slug: str, viewer: Actor) -> RoundsPage:
    """Return the rounds with their matches: the head's queries and three."""
    this = open_tournament(slug, viewer)
    numbers = this.visible_rounds
    rounds = Round.objects.filter(stage__tournament=this.tournament, number__in=numbers)
    matches = list(Match.objects.with_names().filter(round__in=rounds).order_by("table"))
    results = live_results(matches)
    shown: dict[int, list[MatchRow]] = {}
    for match in matches:
        shown.setdefault(match.round_id, []).append(match_row(match, results.get(match.pk)))
    return RoundsPage(
        this.head,
        tuple(
            _round_row(round_, tuple(shown.get(round_.pk, ())))
            for round_ in rounds.order_by("number")
        ),
    )


def round_page(slug: str, number: int, viewer: Actor) -> RoundPage:
    """Return one round: the head's queries and four."""
    this = open_tournament(slug, viewer)
    numbers = this.visible_rounds
    visible(number in numbers)
    round_ = Round.objects.get(stage__tournament=this.tournament, number=number)
    matches = list(Match.objects.with_names().filter(round=round_).order_by("table"))
    results = live_results(matches)
    rows = tuple(match_row(match, results.get(match.pk)) for match in matches)
    leased = set(round_.matches.leased().values_list("pk", flat=True))
    progress = _progress(round_, rows, leased)
    place = numbers.index(number)
    return RoundPage(
        head=this.head,
        round=_round_row(round_, rows),
        previous=numbers[place - 1] if place else None,
        next=numbers[place + 1] if place + 1 < len(numbers) else None,
        progress=progress,
        may=_round_may(this, round_, rows, progress),
    )


def history(slug: str, viewer: Actor) -> tuple[EventRow, ...]:
    """Return what was done in the tournament, the latest first; for members."""
    return _event_rows(_events(slug, viewer).order_by("-sequence")[:MOST_EVENTS])


def history_after(slug: str, sequence: int, count: int, viewer: Actor) -> tuple[EventRow, ...]:
    """Return what was done next in the tournament, the earliest first; for members."""
    events = _events(slug, viewer).filter(sequence__gt=sequence)
    return _event_rows(events.order_by("sequence")[:count])


def _events(slug: str, viewer: Actor) -> QuerySet[AuditEvent]:
    this = open_tournament(slug, viewer)
    visible(this.powers.read_history)
    return AuditEvent.objects.filter(tournament=this.tournament)


def _event_rows(events: QuerySet[AuditEvent]) -> tuple[EventRow, ...]:
    return tuple(EventRow(e.sequence, e.at, e.verb, e.actor, e.subject, e.facts) for e in events)


def _entries(tournament: Tournament) -> dict[int, Entry]:
    entries = tournament.entries.with_players().order_by("number")
    return {entry.number: entry for entry in entries}


def _live(tournament: Tournament) -> list[Result]:
    """Return the results that count, with the numbers of who played; one query."""
    results = Result.objects.counting().filter(match__round__stage__tournament=tournament)
    return list(results.select_related("match__home", "match__away").order_by("match_id"))


def _played(result: Result) -> Played | None:
    home, away = result.match.home, result.match.away
    if away is None:
        return None
    score = Score(result.home_hands, result.away_hands, result.home_points, result.away_points)
    return Played(home.number, away.number, score)


def _standings(tournament: Tournament, entries: dict[int, Entry]) -> tuple[Standing, ...]:
    """Return the standings of this version of the tournament, computed once."""

    def compute() -> tuple[Standing, ...]:
        played = [_played(result) for result in _live(tournament)]
        return standings(entries, [result for result in played if result is not None])

    born = int(tournament.created_at.timestamp() * 1_000_000)
    key = f"standings:{CACHE_FORM}:{tournament.pk}:{born}:{tournament.version}"
    return remembered(key, compute)


def _standing_row(line: Standing, entry: Entry) -> StandingRow:
    who = side(entry)
    return StandingRow(
        rank=line.rank,
        shared=line.shared,
        number=who.number,
        name=who.name,
        players=who.players,
        is_bot=who.is_bot,
        played=line.played,
        won=line.won,
        tied=line.tied,
        lost=line.lost,
        match_points=line.match_points,
        hands_for=line.hands_for,
        hands_against=line.hands_against,
        hand_difference=line.hand_difference,
        points_for=line.points_for,
        points_against=line.points_against,
        point_difference=line.point_difference,
        decided_by=line.decided_by.value,
        direct_points=_plain(line.direct_points),
    )


def _plain(number: Fraction | None) -> int | float | None:
    """Return a whole number as one, and an average as a decimal."""
    if number is None:
        return None
    return number.numerator if number.denominator == 1 else round(float(number), 2)


def _cells(tournament: Tournament) -> dict[tuple[int, int], tuple[Cell, ...]]:
    """Return the matches by entry and opponent, each from the entry's side."""
    cells: dict[tuple[int, int], tuple[Cell, ...]] = {}
    for result in _live(tournament):
        if (played := _played(result)) is None:
            continue
        for pair, scores in crosstable([played]).items():
            cells[pair] = (*cells.get(pair, ()), _cell(result.match_id, scores[0]))
    return cells


def _cell(match_pk: int, score: Score) -> Cell:
    outcome = "tied"
    if score.home_hands != score.away_hands:
        outcome = "won" if score.home_hands > score.away_hands else "lost"
    return Cell(
        match_pk,
        outcome,
        score.home_hands,
        score.away_hands,
        score.home_points,
        score.away_points,
    )


def _round_row(round_: Round, matches: tuple[MatchRow, ...]) -> RoundRow:
    is_draft = round_.state == Round.State.DRAFT
    is_closed = round_.state == Round.State.CLOSED
    return RoundRow(
        number=round_.number,
        state=round_.state,
        published_at=round_.published_at,
        closed_at=round_.closed_at,
        commitment="" if is_draft else round_.commitment,
        seed=round_.seed if is_closed else "",
        matches=matches,
    )


def _progress(round_: Round, matches: tuple[MatchRow, ...], leased: set[int]) -> Progress | None:
    bots = [m for m in matches if m.away is not None and m.home.is_bot and m.away.is_bot]
    if not bots:
        return None
    open_ = [match for match in bots if match.state == Match.State.PENDING]
    stuck = sum(match.needs_arbiter for match in open_)
    running = sum(match.pk in leased for match in open_)
    return Progress(
        total=len(bots),
        played=len(bots) - len(open_),
        running=running,
        waiting=len(open_) - stuck - running,
        stuck=stuck,
        asked=round_.play_requested_at is not None,
        finished=not open_,
    )


def _round_may(
    this: Opened, round_: Round, matches: tuple[MatchRow, ...], progress: Progress | None
) -> RoundMay:
    is_running = this.tournament.state == Tournament.State.RUNNING
    is_open = is_running and round_.state == Round.State.PUBLISHED
    undecided = {Match.State.PENDING, Match.State.REPORTED, Match.State.DISPUTED}
    is_decided = not any(match.state in undecided for match in matches)
    can_play = progress is not None and not progress.finished
    needs_asking = progress is not None and (not progress.asked or progress.stuck > 0)
    return RoundMay(
        publish=this.powers.manage and is_running and round_.state == Round.State.DRAFT,
        close=this.powers.manage and is_open and is_decided,
        play=this.powers.run_bots and is_open and can_play and needs_asking,
    )
