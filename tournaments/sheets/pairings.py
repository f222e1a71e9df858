"""Draws the pairings of a round for the notice board: by table, and by name."""

from tournaments.sheets.fonts import BOLD
from tournaments.sheets.grid import Column, Grid, draw_pages
from tournaments.sheets.paper import FOOT, MARGIN, QUIET, TOP, Paper, subtitle
from tournaments.sheets.rows import (
    Masthead,
    NameLine,
    PairingsByName,
    PairingsByTable,
    SheetTable,
    Side,
)

TABLES_HEIGHT = 297 - TOP - FOOT - 2
"""Height for tables on a page."""
WIDTH = 210 - 2 * MARGIN


def draw_pairings_by_table(paper: Paper, sheet: PairingsByTable) -> None:
    """Draw the pairings in table order; entries with a bye come last."""
    message = paper.message
    playing = [table for table in sheet.tables if not table.is_bye]
    byes = [table for table in sheet.tables if table.is_bye]
    most = max((len(table.sides) for table in sheet.tables), default=2)
    has_boards = any(table.boards for table in sheet.tables)
    boards = 24 if has_boards else 0
    side = (WIDTH - 16 - boards) / most
    columns = [Column(message("table"), 16, "C", BOLD, 14)]
    columns += [Column(head, side, size=11) for head in _side_heads(sheet, most)]
    columns += [Column(message("boards"), boards, "C", size=9, colour=QUIET)] if has_boards else []
    rows = tuple(_table_row(table, most, has_boards) for table in playing)
    rows += tuple(
        ("–", side_name(table.sides[0]), message("rests"), *("",) * (most - 2 + has_boards))
        for table in byes
    )
    _draw_pairings(paper, sheet.head, message("by_table"), Grid(tuple(columns), rows, 10.4))


def _side_heads(sheet: PairingsByTable, max_sides: int) -> list[str]:
    """Return the seats of each side where all tables have the same, else nothing."""
    heads: list[str] = []
    for number in range(max_sides):
        letters = {t.sides[number].letters for t in sheet.tables if len(t.sides) > max(number, 1)}
        heads.append(letters.pop() if len(letters) == 1 else "")
    return heads


def _table_row(table: SheetTable, max_sides: int, has_boards: bool) -> tuple[str, ...]:
    names = [side_name(side) for side in table.sides] + [""] * (max_sides - len(table.sides))
    boards = [number_ranges(table.boards)] if has_boards else []
    return (str(table.number), *names, *boards)


def side_name(side: Side) -> str:
    """Return the name of a side, with its people below it unless they are the name."""
    people = " · ".join(seat.name for seat in side.seats)
    return f"{side.name}\n{people}" if side.has_own_name else side.name


def number_ranges(numbers: tuple[int, ...]) -> str:
    """Return numbers in short form: ``1–3``, ``2, 5``."""
    first, last = (min(numbers), max(numbers)) if numbers else (0, -1)
    if len(numbers) > 1 and last - first + 1 == len(numbers):
        return f"{first}–{last}"
    return ", ".join(map(str, numbers))


def draw_pairings_by_name(paper: Paper, sheet: PairingsByName) -> None:
    """Draw the pairings in name order, each with its table in large print."""
    message = paper.message
    has_partners = any(line.with_ for line in sheet.lines)
    columns = [
        Column(message("name"), 0, font=BOLD, size=11),
        Column(message("table"), 15, "C", BOLD, 14),
        Column(message("seats"), 15, "C", size=10),
        *([Column(message("with"), 44, size=9.5)] if has_partners else []),
        Column(message("against"), 44 if has_partners else 70, size=9.5),
    ]
    rows = tuple(_name_row(line, message("rests"), has_partners) for line in sheet.lines)
    grid = Grid(tuple(columns), rows, 7.4).fill(WIDTH, 0)
    _draw_pairings(paper, sheet.head, message("by_name"), grid)


def _name_row(line: NameLine, bye_text: str, has_partners: bool) -> tuple[str, ...]:
    partner = (line.with_,) if has_partners else ()
    if not line.table:
        return (line.name, "–", "", *partner, bye_text)
    return (line.name, str(line.table), line.letters, *partner, line.against)


def _draw_pairings(paper: Paper, head: Masthead, title: str, grid: Grid) -> None:
    note = subtitle(head, paper.message)

    def begin(page: int, pages: int) -> None:
        paper.start_page(head, title, page=page, pages=pages, note=note)

    draw_pages(paper, [grid], begin, TABLES_HEIGHT)
