"""Slides that a projector shows: pairings by table and by name, clock, standings, podium."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from tournaments.core.permissions import Actor
from tournaments.director.queries.desk import Clock, round_clock
from tournaments.director.queries.rounds import UNFINISHED, round_page, rounds_page
from tournaments.director.queries.rows import MatchRow
from tournaments.director.queries.tournaments import RUNNING_STAGE, StageHead, TournamentHead
from tournaments.domain.names import sort_key
from tournaments.models import Round, Tournament
from tournaments.standings.queries.standings import StandingsPage, standings_page

KINDS: Final = ("podium", "tables", "names", "missing", "clock", "standings")
"""Kinds of slides, in the order in which they are shown."""

ROWS_PER_SLIDE: Final = 8
"""Lines of a slide: as many as can be read at ten metres, with names of two people on two lines."""

CALL_SHARE: Final = 2
"""Tables still playing are called when they are at most one in this many."""


NAMES_PER_SLIDE: Final = 2 * ROWS_PER_SLIDE
"""Names on a slide: they have two columns."""

JOINED: Final = re.compile(r" (?:/|&|y|e|and|und) ")
"""Between the two people of a pair that has no name of its own."""

SIZES: Final = ((14, 4), (16, 5), (19, 6), (22, 7))
"""Letters of a name that fit half a screen, with the number of lines whose size they have."""

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
    that of the standings, 0 without groups; ``by_line``: 1 and 2 are the lines of a Mitchell.
    ``stage`` is theirs where several are being played.
    """

    kind: str
    page: int = 1
    pages: int = 1
    rows: tuple[Any, ...] = ()
    group: int = 0
    by_line: bool = False
    stage: StageHead | None = None

    @property
    def size(self) -> int:
        """The size of the letters: as for a slide of so many lines, with names that fit a line."""
        longest = max(
            (
                len(person)
                for match in self.rows
                for side in match.sides
                for person in JOINED.split(side.shown_name)
            ),
            default=0,
        )
        by_name = next((size for most, size in SIZES if longest <= most), ROWS_PER_SLIDE)
        return max(len(self.rows), by_name)


@dataclass(frozen=True, slots=True)
class ScreenPage:
    """One slide of a screen, and the numbers of the slides before and after it.

    ``word`` is the version, which changes whenever anything on the screen may have. ``rounds`` are
    those in play, else the last one.
    """

    head: TournamentHead
    word: str
    rounds: tuple[int, ...]
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
    rounds = _rounds(head, slug, viewer)
    clocks = (round_clock(head, round_number) for round_number in rounds)
    clock = next((clock for clock in clocks if clock is not None), None)
    # All slides are made to show one: how many there are says where the number wraps around.
    slides: list[Slide] = []
    if head.state == Tournament.State.FINISHED:
        slides += _podium_slides(standings)
    elif rounds:
        slides += _round_slides(slug, rounds, viewer)
    if clock is not None:
        slides.append(Slide("clock"))
    if head.rounds_closed or head.decided:
        slides += _standings_slides(standings, slug, viewer)
    selection = [slide for slide in slides if slide.kind in kinds] or [Slide("waiting")]
    index = (number - 1) % len(selection)
    return ScreenPage(head, word, rounds, clock, selection[index], index + 1, len(selection))


def _podium_slides(standings: StandingsPage) -> list[Slide]:
    """Return a slide for the first three of each group."""
    return [
        Slide("podium", rows=group.podium, group=group.group, by_line=standings.by_line)
        for group in standings.parts
        if group.podium
    ]


def _round_slides(slug: str, rounds: Iterable[int], viewer: Actor) -> list[Slide]:
    """Return the slides of rounds: their tables, names, and the last tables that are missing."""
    pages = (round_page(slug, round_number, viewer) for round_number in rounds)
    matches = tuple(match for page in pages for match in page.round.matches)
    slides = _slides_of("tables", matches, ROWS_PER_SLIDE)
    slides += _slides_of("names", _name_lines(matches), NAMES_PER_SLIDE)
    missing = [match for match in matches if match.state in UNFINISHED]
    if len(missing) * CALL_SHARE <= len(matches):
        slides += _slides_of("missing", missing, ROWS_PER_SLIDE - 1)  # below a heading
    return slides


def _standings_slides(standings: StandingsPage, slug: str, viewer: Actor) -> list[Slide]:
    """Return the slides of the standings of all stages at play."""
    slides = []
    for page in _standings_at_play(standings, slug, viewer):
        stage = page.stage if len(page.head.rounds_at_play) > 1 else None
        for group in page.parts:
            of_group = _slides_of("standings", group.rows, ROWS_PER_SLIDE, group.group)
            slides += [replace(slide, by_line=page.by_line, stage=stage) for slide in of_group]
    return slides


def _rounds(head: TournamentHead, slug: str, viewer: Actor) -> tuple[int, ...]:
    """Return the rounds in play, else the last one that is not a draft."""
    if head.rounds_at_play or not head.rounds:
        return head.rounds_at_play
    rounds = rounds_page(slug, viewer).rounds
    numbers = [round_.number for round_ in rounds if round_.state != Round.State.DRAFT]
    return (max(numbers),) if numbers else ()


def _standings_at_play(page: StandingsPage, slug: str, viewer: Actor) -> Iterable[StandingsPage]:
    """Yield the standings of all stages that are being played, or else the page itself."""
    head = page.head
    if len(head.rounds_at_play) < 2:
        yield page
        return
    for stage in head.stages:
        if stage.state == RUNNING_STAGE:
            yield standings_page(slug, viewer, stage.number)


def _slides_of(kind: str, rows: Iterable[Row], size: int, group: int = 0) -> list[Slide]:
    """Return the slides of a list, filled as evenly as possible."""
    all_rows = tuple(rows)
    pages = -(-len(all_rows) // size)
    each = -(-len(all_rows) // pages) if pages else 1
    return [
        Slide(kind, page + 1, pages, all_rows[page * each : (page + 1) * each], group)
        for page in range(pages)
    ]


def _name_lines(matches: Iterable[MatchRow]) -> list[NameLine]:
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
