"""The statistics of a club, drawn as bars: SVG whose numbers are attributes, never styles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from tournaments.queries.statistics import Bar, statistics_page
from tournaments.web.answers import asker

HEIGHT: Final = 26
"""Of a bar with the room below it, in units of the drawing."""
WIDTH: Final = 400
LABEL: Final = 130
"""Room for what a bar is of."""
VALUE: Final = 56
"""Room for its number, behind it."""

CALLS: Final = {
    "40": gettext_lazy("the forty"),
    "20": gettext_lazy("a twenty"),
    "tute": gettext_lazy("a tute"),
}


@dataclass(frozen=True, slots=True)
class DrawnBar:
    """A bar in the units of its drawing, and in words."""

    label: str
    value: str
    top: int
    width: float

    @property
    def end(self) -> float:
        """Where its number begins, behind it."""
        return LABEL + self.width + 6


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of bars one below the other; ``what`` names its two columns as a table."""

    key: str
    title: str
    what: tuple[str, str]
    bars: tuple[DrawnBar, ...]
    left: int = LABEL
    width: int = WIDTH

    @property
    def height(self) -> int:
        """Of the whole drawing."""
        return HEIGHT * len(self.bars)


@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Months, rulesets, margins, declarations and the busiest, as pictures and as tables."""
    page = statistics_page(slug, asker(request))
    told = page.told
    match, hand = _("Matches"), _("Hands")
    charts = [
        _counted("months", _("Matches by month"), (_("Month"), match), _named(told.months)),
        _counted("rulesets", _("Hands by ruleset"), (_("Ruleset"), hand), told.rulesets),
        _counted("margins", _("By how many hands matches end"), (_("Margin"), match), told.margins),
        chart(
            "calls",
            _("Declarations in a hundred hands"),
            (_("Declaration"), _("In a hundred hands")),
            [(str(CALLS[call]), share, number_format(share, 1)) for call, share in told.calls],
        ),
        _counted("busiest", _("Who plays most"), (_("Name"), match), told.busiest),
    ]
    shown = [one for one in charts if one.bars]
    return render(request, "statistics/page.html", {"page": page, "told": told, "charts": shown})


def _counted(key: str, title: str, what: tuple[str, str], bars: Sequence[Bar]) -> Chart:
    return chart(key, title, what, [(bar.label, bar.count, str(bar.count)) for bar in bars])


def chart(
    key: str, title: str, what: tuple[str, str], rows: Sequence[tuple[str, float, str]]
) -> Chart:
    """Draw rows of label, number and the number in words; the greatest fills the width."""
    most = max((number for _, number, _ in rows), default=0) or 1
    room = WIDTH - LABEL - VALUE
    return Chart(
        key,
        title,
        what,
        tuple(
            DrawnBar(label, words, n * HEIGHT, round(room * number / most, 1))
            for n, (label, number, words) in enumerate(rows)
        ),
    )


def _named(months: Sequence[Bar]) -> list[Bar]:
    """Name months in the language in use."""
    return [
        Bar(date_format(date.fromisoformat(f"{bar.label}-01"), "M Y"), bar.count) for bar in months
    ]
