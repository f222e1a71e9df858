"""What those who watch see: the live part of a tournament's page, and a projector's slides."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from tournaments.core.permissions import Actor, may_see_deals
from tournaments.director.queries.day import Clock, round_clock
from tournaments.director.queries.rounds import UNFINISHED, round_page, rounds_page
from tournaments.director.queries.rows import MatchRow
from tournaments.director.queries.snapshot import tournament_snapshot
from tournaments.director.queries.tournaments import (
    OpenedTournament,
    TournamentHead,
    open_tournament,
)
from tournaments.domain.names import sort_key
from tournaments.domain.pairing import FORMATS
from tournaments.domain.ranking import tables
from tournaments.domain.standing_rows import StandingRow
from tournaments.live.queries.feed import live_version
from tournaments.models import Hand, Match, Record, Round, Tournament
from tournaments.results.queries.matches import HandPage, TrickRow, hand_page
from tournaments.standings.queries.standings import StandingsPage, standings_page

# --- Broadcast ------------------------------------------------------------------------------------


LEADERS: Final = 3
MOST_TABLES: Final = 16  # a round of sixty players whole; of a larger one those still playing
MOST_UPSETS: Final = 3

PLACES_OF_UPSET: Final = 4
"""An upset by place: who wins was that many places below, and in the lower half of the distance
that the field has, so that third against seventh of eight is none.
"""

RATING_OF_UPSET: Final = 150
"""An upset by rating: who wins was rated that much lower, and so expected to win 3 in 10."""


@dataclass(frozen=True, slots=True)
class Upset:
    """A match that an entry won against one well above it, by ``place`` or by ``rating``.

    ``score`` is the winner's: their hands come first.
    """

    match: MatchRow
    winner: str
    loser: str
    score: str
    by: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class LastTrick:
    """The last trick of the hand that was recorded last."""

    match: MatchRow
    hand: int
    trick: TrickRow
    trump: str
    seats: Mapping[str, str]

    @property
    def taker(self) -> str:
        """Who took it."""
        return self.seats.get(self.trick.winner, self.trick.winner)


@dataclass(frozen=True, slots=True)
class Broadcast:
    """What is shown above the tables of a tournament; the same for all who may read it.

    ``round`` is the one in play, else the last one; ``matches`` are its tables, those still playing
    first, and ``more`` how many are left out. ``leaders`` are the first of each group.
    """

    page: StandingsPage
    round: int | None
    matches: tuple[MatchRow, ...]
    more: int
    played: int
    total: int
    leaders: tuple[StandingRow, ...]
    upsets: tuple[Upset, ...]
    trick: LastTrick | None

    @property
    def is_over(self) -> bool:
        """Whether the leaders are the podium."""
        return self.page.head.state == "finished"


def broadcast(slug: str, viewer: Actor) -> Broadcast:
    """Return what the tournament's page shows to those who watch: some thirty queries at most.

    It is cached by the version of the tournament. Refuses NOT_FOUND.
    """
    this = open_tournament(slug, viewer)
    page = standings_page(slug, viewer)
    number = this.head.current_round or _last_round(this)
    matches: tuple[MatchRow, ...] = ()
    if number is not None:
        matches = round_page(slug, number, viewer).round.matches
    tables_ = tuple(match for match in matches if match.away is not None)
    in_order = sorted(tables_, key=lambda match: (match.state not in UNFINISHED, match.table))
    has_begun = this.head.decided > 0
    return Broadcast(
        page=page,
        round=number,
        matches=tuple(in_order[:MOST_TABLES]),
        more=max(0, len(in_order) - MOST_TABLES),
        played=sum(match.state not in UNFINISHED for match in tables_),
        total=len(tables_),
        leaders=_leaders(page) if has_begun else (),
        upsets=_upsets(this, number, tables_) if number is not None else (),
        trick=None if this.head.is_of_bots else _last_trick(this, viewer),
    )


def _last_round(this: OpenedTournament) -> int | None:
    seen = [round_.number for round_ in this.rounds if round_.state != Round.State.DRAFT]
    return seen[-1] if seen else None


def _leaders(page: StandingsPage) -> tuple[StandingRow, ...]:
    """Return the first three, or of several groups the first of each."""
    if len(page.groups) > 1:
        return tuple(group.rows[0] for group in page.groups if group.rows)
    return page.rows[:LEADERS]


def _upsets(this: OpenedTournament, number: int, matches: Sequence[MatchRow]) -> tuple[Upset, ...]:
    """Return the greatest upsets of a round: by the places before it, else by ratings."""
    snapshot = tournament_snapshot(this.tournament)
    stage = next(s for s in this.head.stages if s.number == _stage_of(this, number))
    rows, drawn = snapshot.rows, snapshot.stage(stage.number)
    earlier = [round_.number for round_ in drawn.rounds if round_.number < number]
    # In a knock-out those who are still in share a place.
    has_places = earlier and FORMATS[stage.format].ranking is None
    if has_places:
        ranked = tables(rows, drawn, max(earlier))
        above = {line.entrant: line.rank for table in ranked for line in table.lines}
        by, least = "place", max(PLACES_OF_UPSET, len(above) // 3)
    else:
        above = {one.number: -round(one.rating) for one in rows.entrants if one.rating}
        by, least = "rating", RATING_OF_UPSET
    found = []
    for match in matches:
        winners = [side for side in match.sides if side.won]
        losers = [side for side in match.sides if not side.won and not side.absent]
        if len(winners) != 1 or len(losers) != 1:
            continue
        low, high = ([above[n] for n in side.entries if n in above] for side in (*winners, *losers))
        if low and high and min(low) - min(high) >= least:
            text = match.score.text if match.score else ""
            if winners[0] != match.sides[0]:
                text = "–".join(reversed(text.split("–")))
            told = winners[0].shown_name, losers[0].shown_name, text
            found.append(Upset(match, *told, by, abs(min(low)), abs(min(high))))
    found.sort(key=lambda upset: -abs(upset.low - upset.high))
    return tuple(found[:MOST_UPSETS])


def _stage_of(this: OpenedTournament, number: int) -> int:
    return next(round_.stage for round_ in this.rounds if round_.number == number)


def _last_trick(this: OpenedTournament, viewer: Actor) -> LastTrick | None:
    """Return the last trick of the hand recorded last, unless its cards are still secret."""
    records = Record.objects.accepted().filter(
        match__round__stage__tournament=this.tournament, hands__play__isnull=False
    )
    key = records.order_by("-created_at", "-pk").values_list("match", flat=True).first()
    if key is None:
        return None
    match = Match.objects.with_names().get(pk=key)
    if match.boards and match.round.stage.kind.same_deals and not match.round.stage.deals_are_open:
        return None  # the same for members, who could see them: the part is cached for all
    total = Hand.objects.filter(record__match=match, record__state=Record.State.ACCEPTED).count()
    page = hand_page(match.pk, total, viewer) if may_see_deals(viewer, match) else None
    return _trick(page) if page is not None and page.tricks else None


def _trick(page: HandPage) -> LastTrick:
    return LastTrick(page.match, page.number, page.tricks[-1], page.trump, page.seats)


# --- Screens --------------------------------------------------------------------------------------


KINDS: Final = ("podium", "tables", "names", "missing", "clock", "standings")
"""Kinds of slides, in the order in which they are shown."""

ROWS: Final = 8
"""Lines of a slide: as many as can be read at ten metres, with names of two people on two lines."""

MISSING: Final = 2
"""Tables are called when at most one in so many is still playing."""

ON_PODIUM: Final = 3

NAMES: Final = 2 * ROWS
"""Names on a slide: they have two columns."""

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class NameLine:
    """A player's or entry's place in a round; ``table`` is ``None`` in a bye."""

    name: str
    players: str
    table: int | None
    against: str


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide: its ``kind``, its ``page`` among the ``pages`` of that kind, and its rows.

    ``kind`` is one of `KINDS`, or ``waiting`` where there is nothing to show yet. ``group`` is
    that of the standings, 0 without groups.
    """

    kind: str
    page: int = 1
    pages: int = 1
    rows: tuple[Any, ...] = ()
    group: int = 0


@dataclass(frozen=True, slots=True)
class ScreenPage:
    """One slide of a screen, and the numbers of the slides before and after it.

    ``word`` is the version, which changes whenever anything on the screen may have. ``round`` is
    the one in play, else the last one.
    """

    head: TournamentHead
    word: str
    round: int | None
    clock: Clock | None
    slide: Slide
    number: int
    count: int

    @property
    def previous(self) -> int:
        """The number of the previous slide; before the first comes the last."""
        return self.number - 1 or self.count

    @property
    def next(self) -> int:
        """The number of the next slide; after the last comes the first."""
        return self.number % self.count + 1


def screen_page(
    slug: str, kinds: Sequence[str], number: int, word: str, viewer: Actor
) -> ScreenPage:
    """Return a slide of a tournament's screen: some twenty queries. Refuses NOT_FOUND.

    ``number`` counts from 1 and wraps around after the last slide.
    """
    standings = standings_page(slug, viewer)
    head = standings.head
    shown = _round(head, slug, viewer)
    clock = None if shown is None else round_clock(head, shown)
    slides: list[Slide] = []
    is_over = head.state == Tournament.State.FINISHED
    if is_over:
        slides += _podiums(standings)
    elif shown is not None:
        matches = round_page(slug, shown, viewer).round.matches
        slides += _paged("tables", matches, ROWS)
        slides += _paged("names", _names(matches), NAMES)
        missing = [match for match in matches if match.state in UNFINISHED]
        if len(missing) * MISSING <= len(matches):
            slides += _paged("missing", missing, ROWS - 1)  # below a heading
    if clock is not None:
        slides.append(Slide("clock"))
    if head.rounds_closed or head.decided:
        for group in standings.groups:
            slides += _paged("standings", group.rows, ROWS, group.group)
    chosen = [slide for slide in slides if slide.kind in kinds] or [Slide("waiting")]
    place = (number - 1) % len(chosen)
    return ScreenPage(head, word, shown, clock, chosen[place], place + 1, len(chosen))


def screen_word(slug: str, viewer: Actor) -> str:
    """Return the version of what a screen shows (`live_version`). Refuses NOT_FOUND."""
    return live_version(slug, viewer)


def _podiums(standings: StandingsPage) -> list[Slide]:
    """Return a podium for each group, the first place first."""
    return [
        Slide("podium", rows=group.rows[:ON_PODIUM], group=group.group)
        for group in standings.groups
        if group.rows
    ]


def _round(head: TournamentHead, slug: str, viewer: Actor) -> int | None:
    """Return the round in play, else the last one that is not a draft."""
    if head.current_round is not None or not head.rounds:
        return head.current_round
    rounds = rounds_page(slug, viewer).rounds
    seen = [round_.number for round_ in rounds if round_.state != Round.State.DRAFT]
    return seen[-1] if seen else None


def _paged(kind: str, rows: Iterable[Row], size: int, group: int = 0) -> list[Slide]:
    """Return the slides of a list, filled as evenly as possible."""
    whole = tuple(rows)
    pages = -(-len(whole) // size)
    each = -(-len(whole) // pages) if pages else 1
    return [
        Slide(kind, page + 1, pages, whole[page * each : (page + 1) * each], group)
        for page in range(pages)
    ]


def _names(matches: Iterable[MatchRow]) -> list[NameLine]:
    """Return the players with their tables, sorted by name."""
    lines = []
    for match in matches:
        rests = match.away is None
        for side in match.sides:
            others = ", ".join(other.shown_name for other in match.sides if other is not side)
            players = "" if len(side.who) > 1 else ", ".join(side.shown_players)
            lines += [
                NameLine(name, players, None if rests else match.table, others)
                for _, name in side.who
            ]
    return sorted(lines, key=lambda line: (sort_key(line.name), line.name))
