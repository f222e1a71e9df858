"""Rows of the papers of a stage: standings, crosstable, guide cards, diplomas."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext

from tournaments.core.find import visible
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.director.queries.tournaments import (
    FINISHED_STAGE,
    WAITING_STAGE,
    StageHead,
    TournamentHead,
    open_tournament,
)
from tournaments.domain.pairing.boards import Meeting
from tournaments.models import Round
from tournaments.printing.queries.rounds import Printed, stage_named
from tournaments.sheets import rows
from tournaments.sheets.messages import PaperMessages
from tournaments.sheets.share_card import CardRow, ShareCard
from tournaments.standings.queries import crosstables
from tournaments.standings.queries.crosstables import CrosstablePage, CrosstableRow, crosstable_page
from tournaments.standings.queries.standings import StandingsPage, standings_page
from tournaments.standings.templatetags.standings import amount

FIRST_THREE: Final = (1, 2, 3)
"""Places that get a diploma by default."""


def _masthead(head: TournamentHead, stage: StageHead, language: str) -> rows.Masthead:
    name = stage_named(stage, language) if len(head.stages) > 1 else ""
    return rows.Masthead(head.name, head.club_name, name)


def _printed(head: TournamentHead, stage: StageHead, what: str, sheet: rows.Sheet) -> Printed:
    part = f"-{stage.number}" if len(head.stages) > 1 else ""
    return Printed(f"{head.slug}{part}-{what}", head.name, (sheet,))


def standings_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> Printed:
    """Return the standings of a stage that has begun, by default the current one.

    The queries of the standings page. Refuses NOT_FOUND.
    """
    page = standings_page(slug, viewer, stage)
    visible(page.stage.state != WAITING_STAGE)
    sheet = rows.Standings(
        head=_masthead(page.head, page.stage, language),
        after=page.stage.rounds_closed,
        is_final=page.stage.state == FINISHED_STAGE and not page.provisional,
        is_provisional=page.provisional,
        columns=page.columns,
        groups=page.groups,
        cotos=page.head.cotos,
    )
    return _printed(page.head, page.stage, "standings", sheet)


def share_card(slug: str) -> ShareCard:
    """Return what the card to share says of a tournament that everybody sees.

    The queries of the standings page. Refuses NOT_FOUND.
    """
    page = standings_page(slug, Actor.anonymous())
    head, words = page.head, (page.head.place or page.head.club_name)
    begins = "" if head.begins_at is None else date_format(localtime(head.begins_at), "DATE_FORMAT")
    leaders = page.rows if len(page.groups) == 1 else [group.rows[0] for group in page.groups]
    shown = leaders if head.decided else ()
    return ShareCard(
        title=head.name,
        line=" · ".join(filter(None, (words, begins))),
        rows=tuple(CardRow(row.rank, row.shown_name, amount(row.match_points)) for row in shown),
        state=_state_of(head),
        note=head.prizes
        or ngettext("%(count)s entry", "%(count)s entries", head.entries) % {"count": head.entries},
    )


def _state_of(head: TournamentHead) -> str:
    """Return how far a tournament is, in the active language."""
    if head.state == "finished":
        return gettext("Final standings")
    if head.current_round is None:
        return head.club_name
    facts = {"number": head.current_round, "rounds": head.rounds}
    if head.rounds_known:
        return gettext("Round %(number)s of %(rounds)s") % facts
    return gettext("Round %(number)s") % facts


def crosstable_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> Printed:
    """Return the crosstable, rounds or bracket of a stage, as its page shows it.

    The queries of that page. Refuses NOT_FOUND, also for a stage shown by guide cards.
    """
    page = crosstable_page(slug, viewer, stage)
    visible(page.stage.state != WAITING_STAGE and page.view in MET)
    sheet = MET[page.view](
        page, _masthead(page.head, page.stage, language), PaperMessages(language)
    )
    return _printed(page.head, page.stage, "crosstable", sheet)


def _crosstable(page: CrosstablePage, head: rows.Masthead, _: PaperMessages) -> rows.Sheet:
    groups = tuple(
        (group.group, tuple(_cross_row(row, place) for place, row in enumerate(group.rows)))
        for group in page.groups
    )
    return rows.Crosstable(head, (), groups)


def _cross_row(row: CrosstableRow, own: int) -> rows.CrossRow:
    cells = tuple(
        rows.Cell("", rows.SELF)
        if place == own
        else rows.Cell(
            " ".join(f"{cell.hands_for}–{cell.hands_against}" for cell in cells),
            cells[0].outcome if cells else "",
        )
        for place, cells in enumerate(row.cells)
    )
    return rows.CrossRow(row.shown_name, cells, row.match_points)


def _by_rounds(page: CrosstablePage, head: rows.Masthead, message: PaperMessages) -> rows.Sheet:
    places = {
        row.number: place for group in page.groups for place, row in enumerate(group.rows, start=1)
    }
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
    made = {"played": f"{cell.hands_for}–{cell.hands_against}", "open": "…"}
    unplayed = "+" if cell.outcome == "won" else "−"
    return rows.Cell(f"{opponents}\n{made.get(cell.kind, unplayed)}", cell.outcome)


def _bracket(page: CrosstablePage, head: rows.Masthead, _: PaperMessages) -> rows.Sheet:
    scores = {
        (round_, row.number): f"{cell.hands_for}–{cell.hands_against}"
        for row in page.rows
        for round_, cell in zip(page.rounds, row.rounds, strict=True)
        if cell.kind == "played"
    }
    columns = tuple(
        rows.BracketColumn(
            column.board.value,
            column.place,
            tuple(_meeting(one, page.entries, scores) for one in column.meetings),
        )
        for column in page.columns
    )
    return rows.Bracket(head, columns, page.has_two_boards)


def _meeting(
    meeting: Meeting, names: Mapping[int, str], scores: Mapping[tuple[int, int], str]
) -> rows.Meeting:
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
    return rows.Meeting(
        meeting.number, (first, second), None if meeting.winner is None else winner, score
    )


MET: Final[Mapping[str, Callable[[CrosstablePage, rows.Masthead, PaperMessages], rows.Sheet]]] = (
    MappingProxyType(
        {
            crosstables.CROSSTABLE: _crosstable,
            crosstables.ROUNDS: _by_rounds,
            crosstables.BRACKET: _bracket,
        }
    )
)
"""The function that makes the sheet, by the view of the stage."""


def guides_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> Printed:
    """Return the guide cards of a stage whose movement is known: the crosstable's queries.

    Refuses NOT_FOUND where there are none.
    """
    page = crosstable_page(slug, viewer, stage)
    cards = tuple(
        rows.GuideCard(card.number, card.name, tuple(map(_turn, card.turns)))
        for card in page.cards
        if card.turns
    )
    visible(bool(cards))
    sheet = rows.GuideCards(_masthead(page.head, page.stage, language), cards)
    return _printed(page.head, page.stage, "guides", sheet)


def _turn(turn: crosstables.Turn) -> rows.Turn:
    return rows.Turn(
        turn.round,
        turn.table,
        turn.seat,
        ", ".join(one.shown_name for one in turn.partners),
        ", ".join(one.shown_name for one in turn.opponents),
        turn.boards,
    )


def diplomas_paper(
    slug: str, viewer: Actor, stage: int | None, places: tuple[int, ...], language: str
) -> Printed:
    """Return diplomas for places of a stage's standings: the standings' queries and six.

    All who share a place get its diploma. Refuses SIGN_IN and FORBIDDEN to people outside the
    club's staff, NOT_FOUND before a round is closed and where the standings have no such place.
    """
    page = standings_page(slug, viewer, stage)
    refuse_unless(page.head.may.arbitrate, viewer)
    winners = tuple(_winners(page, frozenset(places)))
    visible(page.stage.rounds_closed > 0 and bool(winners))
    tournament = open_tournament(slug, viewer).tournament
    closed = Round.objects.filter(stage__tournament=tournament, stage__number=page.stage.number)
    last = closed.aggregate(last=Max("closed_at"))["last"]
    sheet = rows.Diplomas(
        head=_masthead(page.head, page.stage, language),
        city=tournament.club.city,
        day=timezone.localdate(last) if last else None,
        winners=winners,
    )
    return _printed(page.head, page.stage, "diplomas", sheet)


def _winners(page: StandingsPage, places: frozenset[int]) -> Iterator[rows.Winner]:
    for row in page.rows:
        if row.rank in places:
            yield rows.Winner(row.rank, row.shown_name, row.shown_players)
