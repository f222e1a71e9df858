"""Papers of a stage: standings, brackets, crosstables, guide cards, diplomas."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from django.db.models import Max

from tournaments.core.find import not_found_unless
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.director.queries.tournaments import (
    FINISHED_STAGE,
    WAITING_STAGE,
    open_tournament,
)
from tournaments.domain.messages import message, passed_over_text
from tournaments.domain.pairing.boards import Meeting
from tournaments.models import Match, Round, Tournament
from tournaments.models.matches import day_played
from tournaments.printing.queries.papers import PrintFile, masthead, print_file
from tournaments.sheets import rows
from tournaments.sheets.messages import PaperMessages
from tournaments.standings.queries import crosstables
from tournaments.standings.queries.crosstables import (
    CrosstablePage,
    CrosstableRow,
    crosstable_page,
    guide_cards,
)
from tournaments.standings.queries.prizes import prize_list
from tournaments.standings.queries.standings import StandingsPage, standings_page
from tournaments.standings.queries.texts import prize_text

FIRST_THREE: Final = (1, 2, 3)
"""Places that get a diploma by default."""


def standings_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> PrintFile:
    """Return the standings of a stage that has begun, by default the current one.

    The queries of the standings page. Refuses NOT_FOUND.
    """
    page = standings_page(slug, viewer, stage)
    not_found_unless(page.stage.state != WAITING_STAGE)
    sheet = rows.Standings(
        head=masthead(page.head, language, page.stage),
        after=page.stage.rounds_closed,
        is_final=page.stage.state == FINISHED_STAGE and not page.provisional,
        is_provisional=page.provisional,
        columns=page.columns,
        groups=page.parts,
        by_line=page.by_line,
        cotos=page.head.cotos,
        hidden=page.hidden,
        remark=_remark(page, language),
    )
    return print_file(page.head, page.stage, "standings", sheet)


def _remark(page: StandingsPage, language: str) -> str:
    """Return what to know before reading the standings, as sentences; empty for nothing."""
    lists = message(language, page.note) if page.lists and not page.by_line else ""
    facts = page.passed_over, page.tables_without_points, page.head.cotos
    return f"{lists} {passed_over_text(language, *facts)}".strip()


def crosstable_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> PrintFile:
    """Return the crosstable, rounds or bracket of a stage, as its page shows it.

    The queries of that page. Refuses NOT_FOUND, also for a stage shown by guide cards.
    """
    page = crosstable_page(slug, viewer, stage)
    not_found_unless(page.stage.state != WAITING_STAGE and page.view in CROSSTABLE_SHEETS)
    head = masthead(page.head, language, page.stage)
    sheet = CROSSTABLE_SHEETS[page.view](page, head, PaperMessages(language))
    return print_file(page.head, page.stage, "crosstable", sheet)


def _crosstable(page: CrosstablePage, head: rows.Masthead, _: PaperMessages) -> rows.Sheet:
    groups = tuple(
        (group.group, tuple(_cross_row(row, index) for index, row in enumerate(group.rows)))
        for group in page.groups
    )
    return rows.Crosstable(head, (), groups)


def _cross_row(row: CrosstableRow, own_index: int) -> rows.CrossRow:
    cells = tuple(
        rows.Cell("", rows.SELF)
        if index == own_index
        else rows.Cell(
            " ".join(f"{cell.hands_for}–{cell.hands_against}" for cell in cells),
            cells[0].outcome if cells else "",
        )
        for index, cells in enumerate(row.cells)
    )
    return rows.CrossRow(row.shown_name, cells, row.match_points)


def _by_rounds(page: CrosstablePage, head: rows.Masthead, message: PaperMessages) -> rows.Sheet:
    places = page.places
    groups = tuple(
        (
            group.group,
            tuple(
                rows.CrossRow(
                    row.shown_name,
                    tuple(_round_cell(cell, places, message) for cell in row.rounds),
                    row.match_points,
                )
                for row in group.rows
            ),
        )
        for group in page.groups
    )
    return rows.Crosstable(head, page.rounds, groups)


def _round_cell(
    cell: crosstables.RoundCell, places: Mapping[int, int], message: PaperMessages
) -> rows.Cell:
    """Return the printed cell of a round: opponents and hands; of a bye its points."""
    if not cell.kind:
        return rows.Cell("")
    if not cell.opponents:
        return rows.Cell(f"+{message.number(cell.match_points)}")
    opponents = "+".join(str(places.get(number, "")) for number in cell.opponents)
    texts = {"played": f"{cell.hands_for}–{cell.hands_against}", "open": "…"}
    unplayed = "+" if cell.outcome == "won" else "−"
    return rows.Cell(f"{opponents}\n{texts.get(cell.kind, unplayed)}", cell.outcome)


def _bracket(page: CrosstablePage, head: rows.Masthead, _: PaperMessages) -> rows.Sheet:
    return rows.Bracket(head, bracket_columns(page), page.has_two_boards)


def bracket_columns(page: CrosstablePage) -> tuple[rows.BracketColumn, ...]:
    """Return the rounds of a bracket; of other stages none."""
    if not page.columns:
        return ()
    scores = {
        (round_, row.number): f"{cell.hands_for}–{cell.hands_against}"
        for row in page.rows
        for round_, cell in zip(page.rounds, row.rounds, strict=True)
        if cell.kind == "played"
    }
    return tuple(
        rows.BracketColumn(
            column.board.value,
            column.place,
            tuple(_meeting(meeting, page.entries, scores) for meeting in column.meetings),
        )
        for column in page.columns
    )


def _meeting(
    meeting: Meeting, names: Mapping[int, str], scores: Mapping[tuple[int, int], str]
) -> rows.BracketLine:
    first, second = (
        names[place.entrant]
        if place.entrant is not None
        else (place.won, place.match)
        if place.match
        else ""
        for place in meeting.places
    )
    entrants = [place.entrant for place in meeting.places]
    winner = entrants.index(meeting.winner) if meeting.winner in entrants else None
    key = (meeting.table[0], entrants[0]) if meeting.table and entrants[0] else None
    score = scores.get(key, "") if key else ""
    return rows.BracketLine(
        meeting.number, (first, second), None if meeting.winner is None else winner, score
    )


CROSSTABLE_SHEETS: Final[
    Mapping[str, Callable[[CrosstablePage, rows.Masthead, PaperMessages], rows.Sheet]]
] = MappingProxyType(
    {
        crosstables.CROSSTABLE: _crosstable,
        crosstables.ROUNDS: _by_rounds,
        crosstables.BRACKET: _bracket,
    }
)
"""The function that makes the sheet, by the view of the stage."""


Digests = dict[str, str]
"""Digests of guide cards by the number of the entry, as a session stores them."""


def guides_paper(
    slug: str,
    viewer: Actor,
    stage: int | None,
    language: str,
    entries: Collection[int] = (),
) -> PrintFile:
    """Return guide cards of a stage whose movement is known.

    The club's staff get those of drafts, too. ``entries`` are the numbers of those wanted; empty:
    all. Refuses NOT_FOUND where there are none.
    """
    access = open_tournament(slug, viewer)
    head = access.head.stage(stage)
    cards = tuple(
        rows.GuideCard(card.number, card.name, tuple(map(_turn, card.turns)))
        for card in guide_cards(access, head)
        if not entries or card.number in entries
    )
    not_found_unless(bool(cards))
    sheet = rows.GuideCards(masthead(access.head, language, head), cards)
    return print_file(access.head, head, "guides", sheet)


def guide_digests(printed: PrintFile) -> Digests:
    """Return the digests of printed guide cards."""
    cards = (sheet.cards for sheet in printed.sheets if isinstance(sheet, rows.GuideCards))
    return {str(card.number): _digest(card.turns) for part in cards for card in part}


def changed_guides(slug: str, viewer: Actor, stage: int, printed: Digests) -> tuple[int, ...]:
    """Return the entries whose guide card is not the one that was printed."""
    access = open_tournament(slug, viewer)
    return tuple(
        card.number
        for card in guide_cards(access, access.head.stage(stage))
        if printed.get(str(card.number)) != _digest(tuple(map(_turn, card.turns)))
    )


def _digest(turns: tuple[rows.Turn, ...]) -> str:
    return sha256(repr(turns).encode()).hexdigest()[:16]


def _turn(turn: crosstables.Turn) -> rows.Turn:
    return rows.Turn(
        turn.round,
        turn.table,
        turn.seat,
        ", ".join(partner.shown_name for partner in turn.partners),
        ", ".join(opponent.shown_name for opponent in turn.opponents),
        turn.boards,
    )


def diplomas_paper(
    slug: str, viewer: Actor, stage: int | None, places: tuple[int, ...], language: str
) -> PrintFile:
    """Return diplomas for places of a stage's standings: the standings' queries and nine.

    They name the prizes of these places, of the last stage also those of the final places. All who
    share a place get its diploma, but not those who left without having played. Refuses SIGN_IN and
    FORBIDDEN to people outside the club's staff, NOT_FOUND before a round is closed and where the
    standings have no such place.
    """
    page = standings_page(slug, viewer, stage)
    refuse_unless(page.head.may.arbitrate, viewer)
    tournament = open_tournament(slug, viewer).tournament
    winners = tuple(_winners(page, frozenset(places), _prizes_of_stage(tournament, page)))
    not_found_unless(page.stage.rounds_closed > 0 and bool(winners))
    matches = Match.objects.filter(
        round__stage__tournament=tournament,
        round__stage__number=page.stage.number,
        round__state=Round.State.CLOSED,
    )
    sheet = rows.Diplomas(
        head=masthead(page.head, language, page.stage),
        city=tournament.club.city,
        day=matches.aggregate(last=Max(day_played()))["last"],
        winners=winners,
    )
    return print_file(page.head, page.stage, "diplomas", sheet)


def _prizes_of_stage(tournament: Tournament, page: StandingsPage) -> dict[int, str]:
    """Return the prizes of a stage by entry number; of the last one also those of final places."""
    stages: set[int | None] = {page.stage.number}
    if page.stage.number == page.head.current_stage.number:
        stages.add(None)
    prizes: dict[int, list[str]] = defaultdict(list)
    for one in prize_list(tournament).recipients:
        if one.stage in stages:
            prizes[one.number].append(prize_text(one.cents, one.goods))
    return {number: " + ".join(texts) for number, texts in prizes.items()}


def _winners(
    page: StandingsPage, places: frozenset[int], prizes: Mapping[int, str]
) -> Iterator[rows.Winner]:
    for part in page.parts:
        of_part = part.places
        for row in part.rows:
            if of_part.get(row.number) in places:
                prize = prizes.get(row.number, "")
                yield rows.Winner(of_part[row.number], row.shown_name, row.shown_players, prize)
