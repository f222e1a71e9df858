"""``{% load standings %}``: criteria, places and reasons as texts.

Filters take codes and plain numbers and return texts in the page's language.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from django import template
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

from tournaments.director.queries.tournaments import StageHead, TournamentHead
from tournaments.domain.messages import (
    criterion_message,
    explain,
    has_message,
    message,
    passed_over_text,
)
from tournaments.domain.pairing import PairingReason
from tournaments.domain.pairing.boards import Board, Column, Connector
from tournaments.domain.prospects import Prospect, Verdict
from tournaments.domain.ranking import EXIT_ROUND, GROUP_PLACE, LEFT_UNPLAYED, LOTS, SHARED
from tournaments.domain.scoring_notes import scoring_notes
from tournaments.domain.standing_rows import StandingRow, Value
from tournaments.domain.tiebreaks import CRITERIA, MATCH_POINTS
from tournaments.standings.queries.crosstables import VIEWS
from tournaments.standings.queries.standings import StandingsPage
from tournaments.standings.queries.texts import amount, length_text, stage_name

register = template.Library()
register.filter(amount)
register.filter(stage_name)
register.filter(length_text)

LATE_ROUNDS = {
    1: gettext_lazy("Final"),
    2: gettext_lazy("Semi-finals"),
    4: gettext_lazy("Quarter-finals"),
    8: gettext_lazy("Last 16"),
    16: gettext_lazy("Last 32"),
    32: gettext_lazy("Last 64"),
}
"""Names of a bracket's rounds by their number of matches."""

REASONS_WITHOUT_NUMBERS = {
    EXIT_ROUND: "course",
    GROUP_PLACE: "group",
    LEFT_UNPLAYED: "unplayed",
    LOTS: "lots",
    SHARED: "shared",
}
"""What decides a place and is no criterion, with the code of its sentence."""


def _message(code: str, **facts: object) -> str:
    return message(get_language(), code, **facts)


@register.filter
def criterion_name(code: str, cotos: int = 1) -> str:
    """``"buchholz"`` → "Buchholz: the opponents' scores"; of cotos where ``cotos`` win a match."""
    return criterion_message(get_language(), "criterion", code, cotos)


@register.filter
def criterion_short(code: str, cotos: int = 1) -> str:
    """Return the name of a criterion without its explanation: "Buchholz"."""
    return criterion_name(code, cotos).partition(":")[0]


@register.filter
def column_head(code: str, cotos: int = 1) -> str:
    """``"buchholz"`` → "BH"; of cotos where ``cotos`` win a match."""
    return criterion_message(get_language(), "column", code, cotos)


@register.filter
def decided_name(code: str, cotos: int = 1) -> str:
    """Return what put a line below the one above it: a criterion, the course of play, lots."""
    if not code:
        return ""
    if has_message(f"decided.{code}"):
        return _message(f"decided.{code}")
    return criterion_short(code, cotos)


@register.simple_tag
def decided_text(row: StandingRow, cotos: int = 1) -> str:
    """Return what put a line below the one above it, short: a column's head and its number."""
    code, number = row.decided_by, row.deciding_number
    if code not in CRITERIA or number is None:
        return decided_name(code, cotos)
    return f"{column_head(code, cotos)} {amount_of(number, code)}"


@register.simple_tag
def prospect_badge(row: StandingRow) -> SafeString:
    """Render what is certain of a line's place in the next stage; empty for nothing."""
    if row.prospect is None:
        return SafeString()
    tables = _table_numbers(row.prospect)
    texts = {
        Verdict.THROUGH: ("good", pgettext("next stage", "through")),
        Verdict.OUT: ("idle", pgettext("next stage", "out")),
        Verdict.WIN: ("note", _("a win is enough")),
        Verdict.DEPENDS: ("note", _("depends on table %(tables)s") % {"tables": tables}),
    }
    return format_html('<span class="badge badge--{}">{}</span>', *texts[row.prospect.verdict])


@register.simple_tag
def prospect_text(row: StandingRow, head: TournamentHead) -> str:
    """Return what is certain of a line's place in the next stage, and what decides it."""
    prospect = row.prospect
    if prospect is None:
        return ""
    facts = {
        "stage": stage_name(head.stage(prospect.stage)),
        "table": prospect.match.table if prospect.match else 0,
        "tables": _table_numbers(prospect),
    }
    texts = {
        Verdict.THROUGH: _("%(stage)s: through, whatever the matches that are left give."),
        Verdict.OUT: _("%(stage)s: out, whatever the matches that are left give."),
        Verdict.WIN: _("%(stage)s: a win at table %(table)s is enough."),
        Verdict.DEPENDS: _("%(stage)s: it depends on table %(tables)s."),
    }
    sentences = [texts[prospect.verdict] % facts]
    if prospect.decided_by == MATCH_POINTS.code:
        sentences.append(_("The match points decide it."))
    elif prospect.decided_by in CRITERIA:
        criterion = criterion_short(prospect.decided_by, head.cotos)
        sentences.append(_("Level on match points: %(criterion)s.") % {"criterion": criterion})
    return " ".join(sentences)


def _table_numbers(prospect: Prospect) -> str:
    """Return the tables that a place depends on, with the round where they are of several."""
    if len({round_ for round_, _table in prospect.tables}) < 2:
        return ", ".join(str(table) for _round, table in prospect.tables)
    return ", ".join(
        _("%(table)s (round %(round)s)") % {"table": table, "round": round_}
        for round_, table in prospect.tables
    )


@register.simple_tag
def place_change(row: StandingRow) -> SafeString:
    """Render the places that a line has won or lost since the last round; empty for none."""
    if not row.climbed:
        return SafeString()
    places = abs(row.climbed)
    if row.climbed > 0:
        kind, text = "up", ngettext("up %(count)s place", "up %(count)s places", places)
    else:
        kind, text = "down", ngettext("down %(count)s place", "down %(count)s places", places)
    return format_html(
        '<span class="change change--{}" role="img" aria-label="{}">{}</span>',
        kind,
        text % {"count": places},
        places,
    )


@register.simple_tag
def last_results(row: StandingRow) -> SafeString:
    """Render the last results of a line as dots, with their letters for who hears the page."""
    letters = {
        "won": pgettext("won", "W"),
        "tied": pgettext("tied", "T"),
        "lost": pgettext("lost", "L"),
    }
    dots = format_html_join("", '<i class="{}"></i>', ((outcome,) for outcome in row.outcomes))
    text = " ".join(letters[outcome] for outcome in row.outcomes)
    return format_html(
        '<span class="dots">{}<span class="visually-hidden">{}</span></span>', dots, text
    )


@register.filter
def term_name(note: str) -> str:
    """Return the name of an addend."""
    return _message(f"term.{note}")


@register.filter
def cut_name(reason: str) -> str:
    """Return why an addend does not count."""
    return _message(f"cut.{reason}")


@register.filter
def percent(number: float | None) -> str:
    """``59.72`` → "59,7" in Spanish; empty for ``None``."""
    return "" if number is None else str(number_format(round(Decimal(repr(number)), 1), 1))


@register.filter
def amount_of(number: float | None, code: str) -> str:
    """Return a criterion's number as text; differences have their sign."""
    text = amount(number)
    return f"+{text}" if number and number > 0 and CRITERIA[code].is_difference else text


@register.filter
def view_of(stage: StageHead) -> str:
    """Return the view of a stage: ``crosstable``, ``rounds``, ``bracket``, ``cards``."""
    return VIEWS.get(stage.format, "rounds")


@register.simple_tag
def bracket_round(column: Column, format_: str) -> str:
    """Return the name of a bracket's column, by its size where the board ends in the final."""
    if column.board is Board.FINAL:
        return _("Final") if column.place == 1 else _("Final, played again")
    if column.board is Board.THIRD:
        return _("Third place")
    matches = len(column.meetings)
    if column.board is Board.LOWER or format_ == "double":
        return _("Round %(number)s") % {"number": column.place}
    if matches in LATE_ROUNDS:
        return str(LATE_ROUNDS[matches])
    return _("Last %(count)s") % {"count": 2 * matches}


@register.filter
def round_at_play(columns: Sequence[Column]) -> int:
    """Return the place of the first column of a board with an open match, else of the last one."""
    is_open = (c.place for c in columns if any(m.winner is None for m in c.meetings))
    return next(is_open, columns[-1].place)


@register.filter
def svg_path(connector: Connector) -> str:
    """Return the path of a connector in a drawing."""
    return "M" + "L".join(f"{x} {y}" for x, y in connector.points)


@register.simple_tag
def match_address(matches: Mapping[tuple[int, int], int], table: tuple[int, int]) -> str:
    """Return the address of the match of a round and table."""
    return reverse("match", args=[matches[table]])


@register.simple_tag
def why_text(why: PairingReason, names: Mapping[int, str]) -> str:
    """Return a reason of a pairing as a sentence."""
    return explain(why, lambda number: names.get(number, f"#{number}"), get_language())


@register.simple_tag
def line_name(number: int) -> str:
    """Return the name of a line of a Mitchell: 1 sits still, 2 moves."""
    return _message("paper.first_line" if number == 1 else "paper.second_line")


@register.simple_tag
def lists_note(page: StandingsPage) -> str:
    """Return the sentence for a table that consists of several lists."""
    return _message(page.note)


@register.simple_tag
def scoring_note(page: StandingsPage) -> str:
    """Return the sentences on the stage's scoring; empty for the usual one."""
    return " ".join(scoring_notes(get_language(), page.rules))


@register.simple_tag
def passed_over_note(page: StandingsPage) -> str:
    """Return the sentence on criteria that were passed over; empty where none was."""
    facts = page.passed_over, page.tables_without_points, page.head.cotos
    return passed_over_text(get_language(), *facts)


@register.simple_tag
def order_reason(row: StandingRow, above: StandingRow | None, cotos: int = 1) -> str:
    """Return why a line is below the one above it, as a sentence; ``cotos`` win a match."""
    if above is None:
        return _message("place.first", name=row.shown_name)
    names = {"name": row.shown_name, "above": above.shown_name}
    if row.decided_by in REASONS_WITHOUT_NUMBERS:
        return _message(f"place.{REASONS_WITHOUT_NUMBERS[row.decided_by]}", **names)
    if row.decided_by == "match_points":
        numbers = {"mine": amount(row.match_points), "theirs": amount(above.match_points)}
        return _message("place.points", **names, **numbers)
    return _by_criterion(row, above, names, cotos)


def _by_criterion(row: StandingRow, above: StandingRow, names: dict[str, str], cotos: int) -> str:
    code = row.decided_by
    own_value, value_above = _value(row, code), _value(above, code)
    earlier = zip(row.values[: row.values.index(own_value)], above.values, strict=False)
    before = [
        own.code
        for own, other in earlier
        if not CRITERIA[own.code].of_points or _is_level(own, other)
    ]
    if row.match_points == above.match_points:
        before.insert(0, "match_points")
    level = [criterion_short(criterion, cotos) for criterion in before]
    facts = {**names, "level": ", ".join(level), "criterion": criterion_short(code, cotos)}
    if (
        own_value.number is None
        or value_above.number is None
        or own_value.number >= value_above.number
    ):
        return _message("place.among", **facts)
    numbers = {
        "mine": amount_of(own_value.number, code),
        "theirs": amount_of(value_above.number, code),
    }
    return _message("place.criterion" if level else "place.foremost", **facts, **numbers)


def _is_level(own: Value, other: Value) -> bool:
    """Tell whether a criterion of card points found two level: else it was passed over."""
    return own.number is not None and own.number == other.number


def _value(row: StandingRow, code: str) -> Value:
    return next(value for value in row.values if value.code == code)
