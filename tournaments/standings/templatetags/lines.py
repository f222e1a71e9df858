"""``{% load lines %}``: markup that a page of a large event repeats thousands of times.

Built from strings and not from templates: a crosstable of 150 entries has more than twenty thousand
cells, and rendering a template for each costs more than its output. All values but numbers and our
own words are escaped.
"""

from collections.abc import Container, Iterable, Mapping, Sequence

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.core.templatetags import icon
from tournaments.director.queries.rows import MatchRow, TableSide
from tournaments.standings.queries.crosstables import Cell, RoundCell
from tournaments.standings.queries.standings import SumRow, TermRow
from tournaments.standings.queries.texts import amount
from tournaments.standings.templatetags.standings import (
    amount_of,
    cut_name,
    term_name,
    why_text,
)

register = template.Library()

EMPTY_CELL = '<span class="quiet" aria-hidden="true">·</span>'
PLACES = ("", " match__side--away", *(" match__side--third",) * 3)
STATES_WITH_BADGE = frozenset({"reported", "postponed"})
"""States of a match for which a line has a badge."""


def _joined(parts: Iterable[str]) -> SafeString:
    """Join strings that are safe already."""
    return mark_safe("".join(parts))  # noqa: S308 - each part has escaped what it was given  # nosec B308 B703


def _match_address() -> str:
    """Return the address of a match with ``{}`` for its key: `reverse` is slow for each cell."""
    return reverse("match", args=[0]).replace("/0/", "/{}/")


@register.simple_tag
def meeting_cells(
    cells: Iterable[Sequence[Cell]], own: int, disputed: Container[int] = ()
) -> SafeString:
    """Render a row's cells, one an opponent: hands of each match, linked to it.

    ``own`` is the column of the entry itself, from 1; ``disputed`` are keys of matches.
    """
    mark = disputed_mark()
    address = _match_address()
    words = _("against itself"), _("not played yet")
    itself, open_ = (f'<span class="visually-hidden">{escape(word)}</span>' for word in words)
    parts = []
    for column, meetings in enumerate(cells, 1):
        links = [
            f'<a href="{address.format(cell.match_pk)}">'
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
def round_cells(
    cells: Iterable[RoundCell], places: Mapping[int, int], disputed: Container[int] = ()
) -> SafeString:
    """Render a row's cells, one a round: the opponent's place and hands, linked to the match.

    ``places`` are rows by entry number, ``disputed`` keys of matches.
    """
    address = _match_address()
    return _joined(
        format_html('<td class="{}">{}</td>', cell.outcome, _cell(cell, address, places, disputed))
        for cell in cells
    )


@register.simple_tag
def disputed_mark() -> SafeString:
    """Render the mark of a score that is under dispute."""
    return format_html(
        '<b class="cell__disputed" aria-hidden="true">?</b><span class="visually-hidden">{}</span>',
        _("Under dispute"),
    )


def _cell(
    cell: RoundCell, address: str, places: Mapping[int, int], disputed: Container[int]
) -> SafeString:
    if cell.match_pk:
        return format_html(
            '<a href="{}"><span class="cell__who">{}</span>{}{}</a>',
            address.format(cell.match_pk),
            "+".join(str(places.get(number, "–")) for number in cell.opponents),
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
    match_address = _match_address()
    entry_address = f"{escape(address)}standings/{{}}/?stage={stage:d}#match_points"
    return _joined(
        f'<li class="term{" term--cut" if term.cut else ""}">'
        f'<span class="term__what">{_addend(term, match_address, entry_address)}</span> '
        f'<span class="term__amount number">{_term_amount(term, row.code)}</span></li>'
        for term in row.terms
    )


@register.simple_tag
def sum_cells(sums: Iterable[SumRow], round_: int) -> SafeString:
    """Render what a round adds to each number, a cell each."""
    return _joined(
        f'<td class="number">{" ".join(_amount_in_cell(term, row.code) for term in terms)}</td>'
        for row in sums
        for terms in [[term for term in row.terms if term.round == round_]]
    )


def _amount_in_cell(term: TermRow, code: str) -> str:
    """Return an addend's number; of one that does not count crossed out, with the reason."""
    if term.cut:
        return f'<del title="{escape(cut_name(term.cut))}">{escape(amount(term.amount))}</del>'
    return escape(amount_of(term.amount, code))


def _addend(term: TermRow, match_address: str, entry_address: str) -> str:
    """Render what an addend is: its round, linked to the match, its entries, linked, and a note."""
    parts = []
    if term.round:
        round_ = escape(_("Round %(number)s") % {"number": term.round})
        parts.append(
            _link(match_address.format(term.match_pk), round_) if term.match_pk else round_
        )
    parts += [
        _link(entry_address.format(entry.number), escape(entry.shown_name))
        for entry in term.entries
    ]
    note = escape(term_name(term.note)) + (f" · {escape(cut_name(term.cut))}" if term.cut else "")
    return " ".join([*parts, f'<span class="quiet small">{note}</span>'])


def _link(address: str, text: str) -> str:
    return f'<a class="open" href="{address}">{text}</a>'


def _term_amount(term: TermRow, code: str) -> str:
    """Return an addend's number; one that does not count has no sign."""
    product = " × ".join(escape(amount(factor)) for factor in term.factors)
    before = f'<span class="quiet small">{product} =</span> ' if product else ""
    if term.cut:
        return f"{before}<del>{escape(amount(term.amount))}</del>"
    return f"{before}{escape(amount_of(term.amount, code))}"


# --- Tables of a round ----------------------------------------------------------------------------


@register.simple_tag
def table_line(
    match: MatchRow,
    own: Container[int] = (),
    names: Mapping[int, str] | None = None,
    forfeits: Mapping[int, int] | None = None,
) -> SafeString:
    """Render a table of a round in one line: its number, sides, score, and a badge if needed.

    The whole line leads to the match. ``own`` are the visitor's entries, whose line is marked.
    With ``names``, of the entries by number, the line has a menu with the reasons of the pairing.
    ``forfeits`` are the hands that bots lost by what they did, by match.
    """
    is_own = any(number in own for side in match.sides for number in side.entries)
    sides = [_side(side, place) for side, place in zip(match.sides, PLACES, strict=False)]
    if match.away is None:
        away = '<span class="match__side match__side--away"><span class="quiet">{}</span></span>'
        sides.append(format_html(away, _("sits out")))
    classes = f"match table-line table-line--{len(sides)}{' table-line--own' if is_own else ''}"
    return _joined(
        [
            f'<li class="{classes}" id="table-{match.round}-{match.table}">',
            _table_number(match),
            sides[0],
            f'<span class="match__score">{_score(match)}</span>',
            *sides[1:],
            _foot(match, is_own=is_own, hands_lost=(forfeits or {}).get(match.pk, 0)),
            "" if names is None else _reasons(match, names),
            "</li>",
        ]
    )


def _table_number(match: MatchRow) -> str:
    if match.away is None:
        return '<span class="table-line__number"></span>'
    word = escape(_("Table"))
    return (
        f'<span class="table-line__number"><span class="visually-hidden">{word} </span>'
        f"{match.table:d}</span>"
    )


def _side(side: TableSide, place: str) -> str:
    classes = f"match__side{place}{' match__winner' if side.won else ''}"
    parts = [f'<span class="{classes}"><span>{escape(side.shown_name)}</span>']
    if side.won:
        parts.append(f'<span class="visually-hidden"> {escape(pgettext("bracket", "won"))}</span>')
    if side.absent:
        parts.append(f' <span class="badge badge--bad">{escape(_("did not play"))}</span>')
    if side.shown_players:
        players = escape(", ".join(side.shown_players))
        parts.append(f' <span class="table-line__players quiet">{players}</span>')
    return "".join([*parts, "</span>"])


def _score(match: MatchRow) -> str:
    if match.away is None:
        return '<span class="quiet">–</span>'
    names = escape(", ".join(side.shown_name for side in match.sides))
    address = _match_address().format(match.pk)
    hidden = f'<span class="visually-hidden">: {names}</span>'
    return f'<a href="{address}">{score_text(match) or "–"}{hidden}</a>'


@register.simple_tag
def score_text(match: MatchRow) -> str:
    """Return the hands of all sides; of a forfeit the word, as its 0–0 was not played."""
    if match.score and match.score.forfeits:
        word = pgettext("walkover", "w/o")
        return format_html('<abbr title="{}">{}</abbr>', _("forfeit"), word)
    return escape(match.score.text if match.score else match.in_play)


def _foot(match: MatchRow, *, is_own: bool, hands_lost: int) -> str:
    parts = []
    if is_own:
        parts.append(f'<span class="badge badge--own">{escape(_("Your table"))}</span>')
    if match.needs_arbiter or match.state in STATES_WITH_BADGE:
        parts.append(render_to_string("results/matches/_state.html", {"match": match}))
    if match.score and match.score.cut:
        word = escape(pgettext("result", "by time"))
        parts.append(f'<abbr class="small quiet" title="{_("Time ended the match")}">{word}</abbr>')
    if match.score and match.score.places:
        parts.append(f'<span class="small quiet">{escape(pgettext("result", "places"))}</span>')
    if hands_lost:
        text = ngettext("%(count)s hand lost by a bot", "%(count)s hands lost by bots", hands_lost)
        lost = escape(text % {"count": hands_lost})
        parts.append(f'<span class="badge badge--warn">{lost}</span>')
    return f'<span class="match__foot">{"".join(parts)}</span>' if parts else ""


def _reasons(match: MatchRow, names: Mapping[int, str]) -> str:
    """Render the menu of a line with the reasons of its pairing; empty without any."""
    reasons = [_("The organiser arranged this table by hand.")] if match.edited else []
    reasons += [why_text(why, names) for why in match.whys]
    if not reasons:
        return ""
    question = _("Why this pairing?") if match.away else _("Why this rest?")
    texts = "".join(f"<p>{escape(reason)}</p>" for reason in reasons)
    return (
        f'<details class="table-line__menu" id="why-{match.pk}"><summary>{icon("more")}'
        f'<span class="visually-hidden">{escape(question)}</span></summary>'
        f'<div class="table-line__why small"><strong>{escape(question)}</strong>{texts}</div>'
        "</details>"
    )
