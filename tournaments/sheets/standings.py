"""The standings of a stage on paper, a table a group."""

from __future__ import annotations

from typing import Final

from tournaments.sheets.grid import Column, Grid, draw_pages
from tournaments.sheets.letters import BOLD
from tournaments.sheets.paper import FOOT, MARGIN, QUIET, TOP, Paper, note_of
from tournaments.sheets.rows import Place, Standings
from tournaments.sheets.words import Words

UPRIGHT: Final = 3
"""As many criteria fit an upright page beside the rest."""
MOST: Final = 8
"""As many fit a page that lies; later ones are left out, as they decide the least."""


def standings(paper: Paper, sheet: Standings) -> None:
    """Draw the standings; upright unless the criteria need the width."""
    words = paper.words
    shown = [n for n, code in enumerate(sheet.columns) if code not in ALREADY][:MOST]
    lies = len(shown) > UPRIGHT
    width, height = (297.0, 210.0) if lies else (210.0, 297.0)
    after = words.counted("after", sheet.after) if sheet.after else ""
    title = words("final_standings" if sheet.is_final else "standings")
    note = note_of(sheet.head, words, "" if sheet.is_final else after)
    if sheet.is_provisional:
        note = f"{note}. {words('provisional')}".removeprefix(". ")
    grids = [
        Grid(
            _columns(sheet, words, shown),
            tuple(_row(place, words, shown) for place in places),
            9.4,
            words("group", number=group) if group else "",
        ).fill(width - 2 * MARGIN, 1)
        for group, places in sheet.groups
    ]

    def begin(page: int, pages: int) -> None:
        paper.start(sheet.head, title, page=page, pages=pages, note=note, landscape=lies)

    draw_pages(paper, grids, begin, height - TOP - FOOT - 8, _key(sheet, words))


ALREADY: Final = frozenset({"match_points"})
"""Criteria with a column of their own in any case."""


def _columns(sheet: Standings, words: Words, shown: list[int]) -> tuple[Column, ...]:
    hands = "hands_cotos" if sheet.cotos > 1 else "hands"
    small = [Column(words(key), 7.5, "C") for key in ("played", "won", "tied", "lost")]
    criteria = [
        Column(words.criterion(sheet.columns[n], "column", sheet.cotos), 16, "R", size=9)
        for n in shown
    ]
    return (
        Column("", 11, "R", BOLD, 12),
        Column(words("name"), 0, hand=BOLD, size=11),
        *small,
        Column(words(hands), 13, "C", size=9, colour=QUIET),
        Column(words("points"), 20, "C", size=9, colour=QUIET),
        *criteria,
        Column(words("match_points"), 14, "R", BOLD, 12),
    )


def _row(place: Place, words: Words, shown: list[int]) -> tuple[str, ...]:
    name = f"{place.name} ({words('withdrawn')})" if place.withdrawn else place.name
    if place.players:
        name = f"{name}\n{place.players}"
    return (
        f"{place.rank}.",
        name,
        *map(str, (place.played, place.won, place.tied, place.lost)),
        "–".join(map(str, place.hands)),
        "–".join(map(str, place.points)) if any(place.points) else "",
        *(words.number(place.values[n]) for n in shown),
        words.number(place.match_points),
    )


def _key(sheet: Standings, words: Words) -> str:
    order = [words("order")]
    order += [words.criterion(code, "criterion", sheet.cotos) for code in sheet.columns]
    return f"{words('key')} {'; '.join(order)}."
