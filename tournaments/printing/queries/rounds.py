"""Rows of the papers of a round and of the codes, and the page that lists all papers.

`tournaments.sheets` draws these rows; the papers of a stage are in `stages`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import engine
from tournaments.core.find import visible
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.director.queries.rows import table_sides
from tournaments.director.queries.tournaments import (
    WAITING_STAGE,
    OpenedTournament,
    StageHead,
    TournamentHead,
    open_tournament,
)
from tournaments.domain.messages import message
from tournaments.domain.names import sort_key
from tournaments.domain.scores import Length
from tournaments.models import Match, Round
from tournaments.sheets import rows
from tournaments.standings.queries.crosstables import ROUNDS, VIEWS

PAIR_SEATS: Final = ("AC", "BD")
SINGLE_SEATS: Final = ("A", "B", "C")


@dataclass(frozen=True, slots=True)
class Printed:
    """Sheets that become one PDF; ``name`` is its file name without the extension."""

    name: str
    title: str
    sheets: tuple[rows.Sheet, ...]


@dataclass(frozen=True, slots=True)
class Addresses:
    """Absolute addresses for QR codes: the page of an entry's table, and the page for its code."""

    table: str
    come: str


@dataclass(frozen=True, slots=True)
class RoundToPrint:
    """A round with tables to play at."""

    number: int
    state: str


@dataclass(frozen=True, slots=True)
class StageToPrint:
    """What can be printed of a stage; ``view`` is how it is shown beside its standings.

    ``diplomas``: a round of it is closed, so that there are places.
    """

    stage: StageHead
    view: str
    diplomas: bool


@dataclass(frozen=True, slots=True)
class PrintPage:
    """What can be printed now; codes and diplomas are for the club's staff alone."""

    head: TournamentHead
    rounds: tuple[RoundToPrint, ...]
    stages: tuple[StageToPrint, ...]
    codes: bool


def print_page(slug: str, viewer: Actor) -> PrintPage:
    """Return what can be printed of a tournament: the head's queries alone."""
    this = open_tournament(slug, viewer)
    numbers = set(this.visible_rounds)
    return PrintPage(
        head=this.head,
        rounds=tuple(
            RoundToPrint(round_.number, round_.state)
            for round_ in reversed(this.rounds)
            if round_.number in numbers and round_.matches
        ),
        stages=tuple(
            StageToPrint(
                stage,
                VIEWS.get(stage.format, ROUNDS),
                diplomas=this.head.may.arbitrate and stage.rounds_closed > 0,
            )
            for stage in this.head.stages
            if stage.state != WAITING_STAGE
        ),
        codes=this.head.may.arbitrate and this.head.entries > this.head.bots,
    )


def masthead(
    this: OpenedTournament,
    language: str,
    stage: StageHead | None = None,
    round_: Round | None = None,
) -> rows.Masthead:
    """Return the heading of a paper; it names the stage where there are several."""
    head = this.head
    return rows.Masthead(
        tournament=head.name,
        club=head.club_name,
        stage=stage_named(stage, language) if stage and len(head.stages) > 1 else "",
        round=round_.number if round_ else 0,
        has_draft=round_ is not None and round_.state == Round.State.DRAFT,
    )


def stage_named(stage: StageHead, language: str) -> str:
    """Return the name of a stage, or that of its format."""
    name = stage.name or message(language, f"format.{stage.format}")
    return name[:1].upper() + name[1:]


def round_papers(
    slug: str, number: int, viewer: Actor, what: str, language: str, addresses: Addresses
) -> Printed:
    """Return one kind of a round's papers (`PAPERS`), or ``all`` of them in the order of use.

    The head's queries and two. Refuses NOT_FOUND.
    """
    this = open_tournament(slug, viewer)
    visible(number in this.visible_rounds and (what == ALL or what in PAPERS))
    found_rounds = Round.objects.select_related("stage__tournament")
    round_ = found_rounds.get(stage__tournament=this.tournament, number=number)
    matches = list(Match.objects.with_names().filter(round=round_).order_by("table"))
    tables = tuple(map(_table, matches))
    visible(any(not table.rests for table in tables))
    head = masthead(this, language, this.head.stage(round_.stage.number), round_)
    taken = PAPERS.values() if what == ALL else [PAPERS[what]]
    sheets = tuple(make(this.head, head, tables, addresses) for make in taken)
    ending = "" if what == ALL else f"-{what}"
    return Printed(f"{slug}-{number}{ending}", f"{this.head.name} {number}", sheets)


def _table(match: Match) -> rows.Table:
    """Return a table of a match read with its names; the seats follow from the ruleset."""
    pairs = engine.RULESETS[match.tournament.ruleset].pairs
    letters = PAIR_SEATS if pairs else SINGLE_SEATS
    return rows.Table(
        match.table,
        tuple(
            rows.Side(
                side.shown_name,
                tuple(map(rows.Seat, letters[number], side.players)),
                side.entries,
            )
            for number, side in enumerate(table_sides(match, None))
        ),
        tuple(match.boards),
    )


Tables = tuple[rows.Table, ...]


def _by_table(_: TournamentHead, head: rows.Masthead, tables: Tables, __: Addresses) -> rows.Sheet:
    return rows.ByTable(head, tables)


def _by_name(_: TournamentHead, head: rows.Masthead, tables: Tables, __: Addresses) -> rows.Sheet:
    lines = [line for table in tables for line in _lines(table)]
    return rows.ByName(head, tuple(sorted(lines, key=lambda line: sort_key(line.name))))


def _lines(table: rows.Table) -> Iterator[rows.Line]:
    """Yield a line for each player at a table or in a bye."""
    for side in table.sides:
        against = ", ".join(other.name for other in table.sides if other is not side)
        for seat in side.seats:
            partners = ", ".join(other.name for other in side.seats if other is not seat)
            where = (0, "") if table.rests else (table.number, seat.letter)
            yield rows.Line(seat.name, *where, partners, against)


def _table_cards(
    _: TournamentHead, head: rows.Masthead, tables: Tables, addresses: Addresses
) -> rows.Sheet:
    return rows.TableCards(head, tables, addresses.table)


def _score_sheets(
    tournament: TournamentHead, head: rows.Masthead, tables: Tables, _: Addresses
) -> rows.Sheet:
    """Return score sheets ruled for the longest match possible."""
    rules, options = engine.RULESETS[tournament.ruleset], tournament.options
    boards = max(len(table.boards) for table in tables)
    deals = boards or options.get("deals")
    to = None if deals else options.get("to", rules.target)
    length = Length(to, deals, 0, tournament.cotos)
    sides = max(len(table.sides) for table in tables)
    hands = [str(number) for number in range(1, length.most_hands(sides) + 1)]
    if rules.race_to:
        hands = [f"{hand}{deal}" for hand in hands for deal in "ab"]
    cotos = length.most_cotos(sides)
    if cotos > 1:
        hands = [f"{coto}.{hand}" for coto in range(1, cotos + 1) for hand in hands]
    counts, count = ("cotos", cotos) if cotos > 1 else ("first_to", to) if to else ("fixed", deals)
    return rows.ScoreSheets(head, tables, tournament.ruleset, count or 0, counts, tuple(hands))


Make = Callable[[TournamentHead, rows.Masthead, Tables, Addresses], rows.Sheet]

ALL: Final = "all"
PAPERS: Final[Mapping[str, Make]] = MappingProxyType(
    {
        "names": _by_name,
        "tables": _by_table,
        "cards": _table_cards,
        "sheets": _score_sheets,
    }
)
"""The papers of a round, in the order of use."""


def codes_paper(slug: str, viewer: Actor, language: str, addresses: Addresses) -> Printed:
    """Return the codes of the entries, bots left out: the head's queries and three.

    Refuses SIGN_IN and FORBIDDEN to people outside the club's staff, NOT_FOUND without entries.
    """
    this = open_tournament(slug, viewer)
    refuse_unless(this.head.may.arbitrate, viewer)
    entries = this.tournament.entries.with_players().filter(bot__isnull=True).order_by("number")
    codes = tuple(
        rows.Code(one.number, one.shown_name, one.code, f"{addresses.come}?code={one.code}")
        for one in entries
    )
    visible(bool(codes))
    first = this.tournament.stages.filter(number=1, begun_at=None).first()
    commitment = first.next_commitment if first is not None else ""
    sheet = rows.Codes(masthead(this, language), codes, commitment)
    return Printed(f"{slug}-codes", this.head.name, (sheet,))
