"""``{% load standings %}``, ``{% load seasons %}``, ``{% load lines %}``: tables, sums, reasons."""

from collections.abc import Container, Iterable, Mapping, Sequence
from decimal import Decimal

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import get_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, pgettext
from django.utils.translation import gettext as _

from tournaments.director.queries.rows import MatchRow, TableSide
from tournaments.director.queries.tournaments import StageHead
from tournaments.domain.messages import (
    criterion_message,
    explain,
    has_message,
    message,
    passed_over_text,
)
from tournaments.domain.pairing import PairingReason
from tournaments.domain.pairing.boards import Board, Column
from tournaments.domain.ranking import EXIT_ROUND, GROUP_PLACE, LEFT_UNPLAYED, LOTS, SHARED
from tournaments.domain.standing_rows import StandingRow, Value
from tournaments.domain.tiebreaks import CRITERIA
from tournaments.standings.queries.crosstables import VIEWS, Cell, RoundCell
from tournaments.standings.queries.seasons import SeasonResult, SeasonStanding, SeasonTournament
from tournaments.standings.queries.standings import StandingsPage, SumRow, TermRow

# --- Standings ------------------------------------------------------------------------------------
# Filters take codes and plain numbers and return texts in the page's language.


register = template.Library()

DIGITS = 4
"""Decimals, at most."""

LATE_ROUNDS = {
    1: gettext_lazy("Final"),
    2: gettext_lazy("Semi-finals"),
    4: gettext_lazy("Quarter-finals"),
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


@register.filter
def term_name(note: str) -> str:
    """Return the name of an addend."""
    return _message(f"term.{note}")


@register.filter
def cut_name(reason: str) -> str:
    """Return why an addend does not count."""
    return _message(f"cut.{reason}")


@register.filter
def amount(number: float | None) -> str:
    """``2.5`` → "2,5" in Spanish; at most four decimals; empty for ``None``."""
    if number is None:
        return ""
    if isinstance(number, int):
        return str(number).replace("-", "−")
    text = format(round(Decimal(repr(number)), DIGITS), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−").replace(".", get_format("DECIMAL_SEPARATOR"))


@register.filter
def amount_of(number: float | None, code: str) -> str:
    """Return a criterion's number as text; differences have their sign."""
    text = amount(number)
    return f"+{text}" if number and number > 0 and CRITERIA[code].is_difference else text


@register.filter
def stage_name(stage: StageHead) -> str:
    """Return the name of a stage, or that of its format."""
    name = stage.name or _message(f"format.{stage.format}")
    return name[:1].upper() + name[1:]


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


@register.simple_tag
def match_address(matches: Mapping[tuple[int, int], int], table: tuple[int, int]) -> str:
    """Return the address of the match of a round and table."""
    return reverse("match", args=[matches[table]])


@register.simple_tag
def why_text(why: PairingReason, names: Mapping[int, str]) -> str:
    """Return a reason of a pairing as a sentence."""
    return explain(why, lambda number: names.get(number, f"#{number}"), get_language())


@register.simple_tag
def two_lists() -> str:
    """Return the sentence for a table that consists of two lists."""
    return _message("place.two_lists")


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


# --- Seasons --------------------------------------------------------------------------------------


@register.filter
def season_word(code: str) -> str:
    """``"wins"`` → "events won"."""
    return _message(f"season.{code}")


@register.filter
def with_tournaments(
    line: SeasonStanding, tournaments: tuple[SeasonTournament, ...]
) -> list[tuple[SeasonTournament, SeasonResult]]:
    """Pair the tournaments that count with a line's results, without those it did not play."""
    pairs = zip(tournaments, line.taken, strict=True)
    return [(tournament, result) for tournament, result in pairs if result.rank]


# --- Lines ----------------------------------------------------------------------------------------
# Markup that a page of a large event repeats thousands of times, built from strings and not from
# templates: a crosstable of 150 entries has more than twenty thousand cells, and rendering a
# template for each costs more than its output. All values but numbers and our own words are
# escaped.


EMPTY_CELL = '<span class="quiet" aria-hidden="true">·</span>'
PLACES = ("", " match__side--away", " match__side--third")
STATES_WITH_BADGE = frozenset({"reported", "postponed"})
"""States of a match for which a line has a badge."""


def _joined(parts: Iterable[str]) -> SafeString:
    """Join strings that are safe already."""
    return mark_safe("".join(parts))  # noqa: S308 - each part has escaped what it was given  # nosec B308 B703


@register.simple_tag
def meeting_cells(
    cells: Iterable[Sequence[Cell]], own: int, disputed: Container[int] = ()
) -> SafeString:
    """Render a row's cells, one an opponent: hands of each match, linked to it.

    ``own`` is the column of the entry itself, from 1; ``disputed`` are keys of matches.
    """
    mark = disputed_mark()
    before, after = reverse("match", args=[0]).split("0")
    words = _("against itself"), _("not played yet")
    itself, open_ = (f'<span class="visually-hidden">{escape(word)}</span>' for word in words)
    parts = []
    for column, meetings in enumerate(cells, 1):
        links = [
            f'<a href="{before}{cell.match_pk:d}{after}">'
            f"{cell.hands_for:d}–{cell.hands_against:d}"
            f"{mark if cell.match_pk in disputed else ''}</a>"
            for cell in meetings
        ]
        if column == own:
            parts.append(f'<td class="self">{itself}</td>')
        elif not links:
            parts.append(f"<td>{EMPTY_CELL}{open_}</td>")
        else:
            outcome = meetings[0].outcome
            parts.append(f'<td class="{escape(outcome)}">{"".join(links)}</td>')
    return _joined(parts)


@register.simple_tag
def round_cells(cells: Iterable[RoundCell], disputed: Container[int] = ()) -> SafeString:
    """Render a row's cells, one a round: opponent and hands, linked to the match.

    ``disputed`` are keys of matches.
    """
    base = reverse("match", args=[0])
    return _joined(
        format_html('<td class="{}">{}</td>', cell.outcome, _cell(cell, base, disputed))
        for cell in cells
    )


@register.simple_tag
def disputed_mark() -> SafeString:
    """Render the mark of a score that is under dispute."""
    return format_html(
        '<b class="cell__disputed" aria-hidden="true">?</b><span class="visually-hidden">{}</span>',
        _("Under dispute"),
    )


def _cell(cell: RoundCell, base: str, disputed: Container[int]) -> SafeString:
    if cell.match_pk:
        return format_html(
            '<a href="{}"><span class="cell__who">{}</span>{}{}</a>',
            base.replace("/0/", f"/{cell.match_pk}/"),
            "+".join(map(str, cell.opponents)),
            _round_score(cell),
            disputed_mark() if cell.match_pk in disputed else "",
        )
    if not cell.kind:
        return mark_safe(EMPTY_CELL)  # noqa: S308 - our own  # nosec B308 B703
    points = "0" if cell.kind == "zero_bye" else f"+{amount(cell.match_points)}"
    return format_html('<abbr class="quiet" title="{}">{}</abbr>', term_name(cell.kind), points)


def _round_score(cell: RoundCell) -> SafeString:
    if cell.kind == "played":
        return format_html("<span>{}–{}</span>", cell.hands_for, cell.hands_against)
    if cell.kind == "open":
        return format_html(
            '<span>…<span class="visually-hidden">{}</span></span>', _("no result that counts")
        )
    is_win = cell.kind == "forfeit_win"
    word = pgettext("walkover", "w/o") if is_win else pgettext("cell", "absent")
    return format_html('<abbr title="{}">{}</abbr>', term_name(cell.kind), word)


@register.simple_tag
def term_lines(row: SumRow, address: str, stage: int) -> SafeString:
    """Render the addends of a number, a line each; ``address`` is that of the tournament."""
    base = reverse("match", args=[0])
    link_format = f"{escape(address)}standings/{{}}/?stage={stage:d}#match_points"
    return _joined(
        f'<li class="term{" term--cut" if term.cut else ""}">'
        f'<span class="term__what">{_addend(term, base, link_format)}</span> '
        f'<span class="term__amount number">{_term_amount(term, row.code)}</span></li>'
        for term in row.terms
    )


def _addend(term: TermRow, base: str, link_format: str) -> str:
    parts = []
    if term.round:
        round_ = escape(_("Round %(number)s") % {"number": term.round})
        where = base.replace("/0/", f"/{term.match_pk}/")
        parts.append(f'<a class="open" href="{where}">{round_}</a>' if term.match_pk else round_)
    parts += [
        f'<a class="open" href="{link_format.format(entry.number)}">{escape(entry.shown_name)}</a>'
        for entry in term.entries
    ]
    text = escape(term_name(term.note)) + (f" · {escape(cut_name(term.cut))}" if term.cut else "")
    return " ".join([*parts, f'<span class="quiet small">{text}</span>'])


def _term_amount(term: TermRow, code: str) -> str:
    """Return an addend's number; one that does not count has no sign."""
    product = " × ".join(escape(amount(factor)) for factor in term.factors)
    before = f'<span class="quiet small">{product} =</span> ' if product else ""
    if term.cut:
        return f"{before}<del>{escape(amount(term.amount))}</del>"
    return f"{before}{escape(amount_of(term.amount, code))}"


@register.simple_tag
def match_line(match: MatchRow) -> SafeString:
    """Render a match in one line: sides, the score linked to the match, and a badge if needed."""
    sides = [_side(side, place) for side, place in zip(match.sides, PLACES, strict=False)]
    score = f'<span class="match__score">{_score(match, reverse("match", args=[0]))}</span>'
    if match.away is None:
        away = '<span class="match__side match__side--away"><span class="quiet">{}</span></span>'
        sides.append(format_html(away, _("sits out")))
    return _joined([sides[0], score, *sides[1:], _match_badge(match)])


def _side(side: TableSide, place: str) -> str:
    winner_class = " match__winner" if side.won else ""
    return f'<span class="match__side{place}{winner_class}">{escape(side.shown_name)}</span>'


def _score(match: MatchRow, base: str) -> str:
    if match.away is None:
        return '<span class="quiet">–</span>'
    score = escape(match.score.text if match.score else match.in_play or "–")
    names = escape(", ".join(side.shown_name for side in match.sides))
    where = base.replace("/0/", f"/{match.pk:d}/")
    return f'<a href="{where}">{score}<span class="visually-hidden">: {names}</span></a>'


def _match_badge(match: MatchRow) -> str:
    if not (match.needs_arbiter or match.state in STATES_WITH_BADGE):
        return ""
    state = render_to_string("results/matches/_state.html", {"match": match})
    return format_html('<span class="match__foot">{}</span>', state)
