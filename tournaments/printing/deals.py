"""Rows of the papers of a duplicate: travelling slips, cards of the deals, personal sheets."""

import engine
from tournaments.core.find import not_found_unless
from tournaments.core.permissions import Actor
from tournaments.director.queries.boards import (
    BoardRow,
    BoardsPage,
    OwnDeals,
    boards_page,
    own_deals,
)
from tournaments.director.queries.tournaments import open_tournament
from tournaments.domain.boards import dealer_of
from tournaments.models import Match
from tournaments.printing.queries.papers import (
    PAIR_SEATS,
    SINGLE_SEATS,
    PrintFile,
    masthead,
    print_file,
)
from tournaments.sheets import rows


def travelling_slips_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> PrintFile:
    """Return a slip for each deal, with the tables that play it in the rounds the viewer sees.

    Refuses NOT_FOUND where the tables of no stage play the same deals, or none is drawn.
    """
    page = boards_page(slug, viewer, stage)
    access = open_tournament(slug, viewer)
    rules = engine.RULESETS[page.head.ruleset]
    matches = Match.objects.with_names().filter(
        round__stage__tournament=access.tournament,
        round__stage__number=page.stage.number,
        round__number__in=access.visible_rounds,
        bye="",
    )
    lines: dict[int, list[rows.TravellingLine]] = {}
    for match in matches.order_by("round__number", "table"):
        first, second = ("+".join(str(one.number) for one in side) for side in match.sides)
        line = rows.TravellingLine(match.round.number, match.table, first, second)
        for board in match.boards:
            lines.setdefault(board, []).append(line)
    not_found_unless(bool(lines))
    slips = tuple(
        rows.TravellingSlip(board, rules.seats[dealer_of(rules, board)], tuple(lines[board]))
        for board in sorted(lines)
    )
    sheet = rows.TravellingSlips(masthead(page.head, language, page.stage), slips)
    return print_file(page.head, page.stage, "slips", sheet)


def deal_record_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> PrintFile:
    """Return the cards of all deals, many on a page.

    Refuses NOT_FOUND where the viewer sees no cards, or none are known.
    """
    page, boards = _dealt(slug, viewer, stage)
    head = masthead(page.head, language, page.stage)
    return print_file(page.head, page.stage, "deals", rows.DealRecord(head, boards, page.is_open))


def seat_slips_paper(slug: str, viewer: Actor, stage: int | None, language: str) -> PrintFile:
    """Return a slip with the cards of each seat of each deal.

    Refuses as `deal_record_paper`, and NOT_FOUND where a deal has a stock: slips of the seats do
    not make it up.
    """
    page, boards = _dealt(slug, viewer, stage)
    not_found_unless(not page.has_stock)
    head = masthead(page.head, language, page.stage)
    return print_file(page.head, page.stage, "seats", rows.SeatSlips(head, boards))


def personal_sheets_paper(
    slug: str, viewer: Actor, stage: int | None, entry: int | None, language: str
) -> PrintFile:
    """Return the deals of an entry beside the field, or a sheet for each entry.

    Refuses NOT_FOUND where the viewer sees no results, or the entry has none.
    """
    page = boards_page(slug, viewer, stage)
    numbers = page.entries if entry is None else [entry]
    own = [own_deals(page, number) for number in numbers if number in page.entries]
    sheets = tuple(_personal_sheet(page, one) for one in own if one.deals)
    not_found_unless(bool(sheets))
    head = masthead(page.head, language, page.stage)
    kind = "personal" if entry is None else f"personal-{entry}"
    return print_file(page.head, page.stage, kind, rows.PersonalSheets(head, sheets, page.top > 0))


def _personal_sheet(page: BoardsPage, own: OwnDeals) -> rows.PersonalSheet:
    letters = PAIR_SEATS if engine.RULESETS[page.head.ruleset].pairs else SINGLE_SEATS
    lines = tuple(
        rows.PersonalLine(
            deal.board,
            deal.round,
            "-".join(letters[deal.side]),
            deal.against,
            deal.points,
            deal.differences,
            deal.award,
            deal.percentage,
        )
        for deal in own.deals
    )
    return rows.PersonalSheet(own.number, own.name, lines, own.total, own.percentage)


def _dealt(
    slug: str, viewer: Actor, stage: int | None
) -> tuple[BoardsPage, tuple[rows.DealtBoard, ...]]:
    page = boards_page(slug, viewer, stage)
    boards = tuple(_dealt_board(board) for board in page.boards if board.hands)
    not_found_unless(bool(boards))
    return page, boards


def _dealt_board(board: BoardRow) -> rows.DealtBoard:
    seats = tuple(rows.SeatCards(hand.seat, hand.cards) for hand in board.hands)
    return rows.DealtBoard(board.number, board.dealer, board.trump, seats, board.stock)
