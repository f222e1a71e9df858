"""``{% load lines %}``: markup that a page of a large event repeats thousands of times.

Built from strings and not from templates: a crosstable of 150 entries has more than twenty
thousand cells, and rendering a template for each costs more than its output. All values but
numbers and our own words are escaped.
"""

from collections.abc import Container, Iterable, Sequence

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.director.queries.rows import MatchRow, TableSide
from tournaments.standings.queries.crosstables import Cell, RoundCell
from tournaments.standings.queries.standings import SumRow, TermRow
from tournaments.standings.templatetags.standings import amount, amount_of, cut_name, term_name

register = template.Library()

NOTHING = '<span class="quiet" aria-hidden="true">·</span>'
PLACES = ("", " match__side--away", " match__side--third")
TO_BE_SAID = frozenset({"reported", "postponed"})
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
            parts.append(f"<td>{NOTHING}{open_}</td>")
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
            _ended(cell),
            disputed_mark() if cell.match_pk in disputed else "",
        )
    if not cell.kind:
        return mark_safe(NOTHING)  # noqa: S308 - our own  # nosec B308 B703
    points = "0" if cell.kind == "zero_bye" else f"+{amount(cell.match_points)}"
    return format_html('<abbr class="quiet" title="{}">{}</abbr>', term_name(cell.kind), points)


def _ended(cell: RoundCell) -> SafeString:
    if cell.kind == "played":
        return format_html("<span>{}–{}</span>", cell.hands_for, cell.hands_against)
    if cell.kind == "open":
        return format_html(
            '<span>…<span class="visually-hidden">{}</span></span>', _("no result that counts")
        )
    won = cell.kind == "forfeit_win"
    word = pgettext("walkover", "w/o") if won else pgettext("cell", "absent")
    return format_html('<abbr title="{}">{}</abbr>', term_name(cell.kind), word)


@register.simple_tag
def term_lines(row: SumRow, address: str, stage: int) -> SafeString:
    """Render the addends of a number, a line each; ``address`` is that of the tournament."""
    base = reverse("match", args=[0])
    there = f"{escape(address)}standings/{{}}/?stage={stage:d}#match_points"
    return _joined(
        f'<li class="term{" term--cut" if term.cut else ""}">'
        f'<span class="term__what">{_addend(term, base, there)}</span> '
        f'<span class="term__amount number">{_worth(term, row.code)}</span></li>'
        for term in row.terms
    )


def _addend(term: TermRow, base: str, there: str) -> str:
    parts = []
    if term.round:
        round_ = escape(_("Round %(number)s") % {"number": term.round})
        where = base.replace("/0/", f"/{term.match_pk}/")
        parts.append(f'<a class="open" href="{where}">{round_}</a>' if term.match_pk else round_)
    parts += [
        f'<a class="open" href="{there.format(one.number)}">{escape(one.shown_name)}</a>'
        for one in term.entries
    ]
    said = escape(term_name(term.note)) + (f" · {escape(cut_name(term.cut))}" if term.cut else "")
    return " ".join([*parts, f'<span class="quiet small">{said}</span>'])


def _worth(term: TermRow, code: str) -> str:
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
    return _joined([sides[0], score, *sides[1:], _foot(match)])


def _side(side: TableSide, place: str) -> str:
    won = " match__winner" if side.won else ""
    return f'<span class="match__side{place}{won}">{escape(side.shown_name)}</span>'


def _score(match: MatchRow, base: str) -> str:
    if match.away is None:
        return '<span class="quiet">–</span>'
    score = escape(match.score.text if match.score else match.in_play or "–")
    names = escape(", ".join(side.shown_name for side in match.sides))
    where = base.replace("/0/", f"/{match.pk:d}/")
    return f'<a href="{where}">{score}<span class="visually-hidden">: {names}</span></a>'


def _foot(match: MatchRow) -> str:
    if not (match.needs_arbiter or match.state in TO_BE_SAID):
        return ""
    state = render_to_string("results/matches/_state.html", {"match": match})
    return format_html('<span class="match__foot">{}</span>', state)
