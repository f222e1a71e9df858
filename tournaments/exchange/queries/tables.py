"""Standings, results and entries as tables to take away: their columns, and their rows.

The rows are those of the pages, so that a table shows what its viewer sees there and nothing else.
"""

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.director.queries.entries import EntryRow, entries_page
from tournaments.director.queries.rounds import matches_after
from tournaments.director.queries.rows import MatchRow, TableSide
from tournaments.domain.messages import criterion_message, has_message, message
from tournaments.domain.standing_rows import StandingRow
from tournaments.domain.tiebreaks import MATCH_POINTS
from tournaments.models import Match
from tournaments.sheets.spreadsheets import MEDIA_TYPES, Cell, Column, Table, make_table, to_bytes
from tournaments.standings.queries.standings import StandingsPage, standings_page

LINES: Final = ("A-C", "B-D")  # the sides of a table
ALL: Final = 10**6  # more matches than a tournament can have
WITH_OWN_COLUMN: Final = frozenset({MATCH_POINTS, "hands_for", "points_for"})
"""Criteria that have a column in every table of standings."""


def table_file(
    slug: str, table: str, kind: str, viewer: Actor, language: str, stage: int | None = None
) -> bytes:
    """Return a table of a tournament (`TABLES`) as a file of a kind (`MEDIA_TYPES`).

    ``stage`` is that of the standings; None is the one in play. Refuses NOT_FOUND.
    """
    if table not in TABLES or kind not in MEDIA_TYPES:
        raise Refusal(Reason.NOT_FOUND)
    return to_bytes(TABLES[table](slug, viewer, language, stage), kind)


def _standings(slug: str, viewer: Actor, language: str, stage: int | None) -> Table:
    page = standings_page(slug, viewer, stage)
    rows = [row._replace(group=part.group) for part in page.parts for row in part.rows]
    return make_table(_("Standings"), _standing_columns(page, language), rows)


def _standing_columns(page: StandingsPage, language: str) -> tuple[Column[StandingRow], ...]:
    cotos = page.head.cotos
    group: list[Column[StandingRow]] = []
    if page.by_line:
        group = [Column(pgettext("standings", "Line"), lambda row: LINES[row.group - 1])]
    elif any(table.group for table in page.groups):
        group = [Column(_("Group"), lambda row: row.group)]
    criteria = [
        Column(_criterion_name(code, language, cotos), _value_at(place))
        for place, code in enumerate(page.columns)
        if code not in {*page.hidden, *WITH_OWN_COLUMN}
    ]
    return (
        *group,
        Column(_("Place"), lambda row: row.rank),
        Column(_("Entry"), lambda row: row.number),
        Column(_("Name"), lambda row: row.shown_name),
        Column(_("Players"), lambda row: "" if row.is_bot else ", ".join(row.players)),
        Column(_("Match points"), lambda row: row.match_points),
        *_percentage_columns(page),
        Column(_("Matches played"), lambda row: row.played),
        Column(_("Matches won"), lambda row: row.won),
        Column(_("Matches tied"), lambda row: row.tied),
        Column(_("Matches lost"), lambda row: row.lost),
        Column(_("Hands won"), lambda row: row.hands_for),
        Column(_("Hands lost"), lambda row: row.hands_against),
        Column(_("Points"), lambda row: row.points_for),
        Column(_("Points against"), lambda row: row.points_against),
        *criteria,
        Column(_("Decided by"), lambda row: _decided_name(row.decided_by, language, cotos)),
        Column(_("Withdrawn"), lambda row: _("withdrawn") if row.withdrawn else ""),
    )


def _percentage_columns(page: StandingsPage) -> tuple[Column[StandingRow], ...]:
    if not page.has_percentages:
        return ()
    return (
        Column(_("Percentage"), lambda row: row.percentage),
        Column(_("Possible match points"), lambda row: row.possible),
    )


def _value_at(place: int) -> Callable[[StandingRow], Cell]:
    return lambda row: row.values[place].number


def _decided_name(code: str, language: str, cotos: int) -> str:
    """Return what put a line below the one above it."""
    if code and has_message(f"decided.{code}"):
        return message(language, f"decided.{code}")
    return _criterion_name(code, language, cotos) if code else ""


def _criterion_name(code: str, language: str, cotos: int) -> str:
    """Return the name of a criterion without its explanation."""
    return criterion_message(language, "criterion", code, cotos).partition(":")[0]


def _results(slug: str, viewer: Actor, _language: str, _stage: int | None) -> Table:
    rows = matches_after(slug, (0, 0), ALL, viewer, {})
    sides = max((len(row.sides) for row in rows), default=2)
    has_places = any(row.score is not None and row.score.places for row in rows)
    return make_table(_("Results"), _result_columns(sides, has_places=has_places), rows)


def _result_columns(sides: int, *, has_places: bool) -> tuple[Column[MatchRow], ...]:
    def of_side(place: int, cell: Callable[[MatchRow, TableSide], Cell]) -> Callable[..., Cell]:
        return lambda row: cell(row, row.sides[place]) if place < len(row.sides) else None

    def points(row: MatchRow, side: TableSide) -> Cell:
        return side.points if any(other.points for other in row.sides) else None

    def place_of(place: int) -> Callable[[MatchRow], Cell]:
        def cell(row: MatchRow) -> Cell:
            places = () if row.score is None else row.score.places or ()
            return places[place] if place < len(places) else None

        return cell

    columns: list[Column[MatchRow]] = [
        Column(_("Round"), lambda row: row.round),
        Column(_("Table"), lambda row: row.table),
    ]
    for place in range(sides):
        number = place + 1
        columns += [
            Column(f"{_('Name')} {number}", of_side(place, lambda _row, side: side.shown_name)),
            *([Column(f"{_('Place')} {number}", place_of(place))] if has_places else []),
            Column(f"{_('Hands')} {number}", of_side(place, lambda _row, side: side.hands)),
            Column(f"{_('Points')} {number}", of_side(place, points)),
        ]
    return (*columns, Column(_("State"), lambda row: str(Match.State(row.state).label)))


def _entries(slug: str, viewer: Actor, _language: str, _stage: int | None) -> Table:
    page = entries_page(slug, viewer)
    columns: list[Column[EntryRow]] = [
        Column(_("Entry"), lambda row: row.number),
        Column(_("Name"), lambda row: row.shown_name),
        Column(_("Players"), lambda row: "" if row.is_bot else ", ".join(row.players)),
    ]
    if page.shows_origin:
        columns.append(Column(_("Club"), lambda row: row.origin))
    if page.shows_rating:
        columns.append(Column(_("Rating"), lambda row: row.rating or None))
    return make_table(_("Entries"), columns, page.entries)


TABLES: Final[dict[str, Callable[[str, Actor, str, int | None], Table]]] = {
    "standings": _standings,
    "results": _results,
    "entries": _entries,
}
"""The tables of a tournament, by their names in addresses."""
