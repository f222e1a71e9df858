"""The arena: the bots of a tournament compared, and all that plays in the service."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from engine import Interval
from tournaments.errors import Reason, Refusal
from tournaments.permissions import Actor
from tournaments.queries import arena as queries
from tournaments.queries.at_play import arena_room, at_play
from tournaments.services import arena
from tournaments.web.answers import ABOUT_THE_ASKER, asker
from tournaments.web.live import UNCHANGED
from tournaments.web.standings import kept


@require_safe
def comparison(request: HttpRequest, slug: str) -> HttpResponse:
    """The bots of a tournament compared: each with all, and pair by pair."""
    page = queries.arena_page(slug, asker(request))
    context = {"page": page, "head": page.head}
    tables = {**context, "names": page.names}
    context["tables"] = kept("arena/_pairs.html", page.key, lambda: tables)
    return render(request, "arena/comparison.html", context)


@require_safe
def pair(request: HttpRequest, slug: str, one: int, other: int) -> HttpResponse:
    """The matches of two bots."""
    page = queries.meetings_page(slug, one, other, asker(request))
    return render(
        request, "arena/pair.html", {"page": page, "head": page.head, "names": page.names}
    )


@require_safe
def comparison_csv(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """The comparison as a table for other programs: ``bots`` or ``pairs``."""
    if part not in TABLES:
        raise Refusal(Reason.NOT_FOUND)
    page = queries.arena_page(slug, asker(request))
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-{part}.csv"'
    csv.writer(answer).writerows(TABLES[part](page))
    return answer


def _bots(page: queries.ArenaPage) -> Iterator[tuple[object, ...]]:
    yield (
        *("number", "name", "matches", "sets", "margin", "margin_low", "margin_high"),
        *("won", "won_low", "won_high", "forfeits", "rating", "rating_margin"),
    )
    for line in page.compared.bots:
        rating = page.ratings.get(line.bot)
        yield (
            *(line.number, _said(line.name), line.matches, line.sets),
            *_figure(line.margin),
            *_figure(line.won),
            line.forfeits,
            *((rating.rating, rating.margin) if rating else ("", "")),
        )


def _pairs(page: queries.ArenaPage) -> Iterator[tuple[object, ...]]:
    yield (
        *("one", "one_name", "other", "other_name", "matches", "sets"),
        *("margin", "margin_low", "margin_high", "llr", "llr_lower", "llr_upper", "test"),
    )
    for pair in page.compared.pairs:
        test = pair.test
        yield (
            *(pair.one, _said(page.names[pair.one]), pair.other, _said(page.names[pair.other])),
            *(pair.matches, pair.sets),
            *_figure(pair.margin),
            *((test.llr, test.lower, test.upper, test.state) if test else ("",) * 4),
        )


def _figure(figure: Interval | None) -> tuple[object, ...]:
    """Return a mean and its bounds, empty where there are none."""
    if figure is None:
        return ("",) * 3
    return tuple("" if number is None else number for number in figure[:3])


def _said(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(tuple("=+-@\t\r")) else name


TABLES: Final[dict[str, Callable[[queries.ArenaPage], Iterator[tuple[object, ...]]]]] = {
    "bots": _bots,
    "pairs": _pairs,
}


@require_safe
def room(request: HttpRequest) -> HttpResponse:
    """All that plays in the service, for everybody; its switch, for the staff."""
    page = arena_room(asker(request))
    return render(request, "arena/page.html", {"page": page, "at_play": page.at_play})


@require_safe
def room_board(request: HttpRequest) -> HttpResponse:
    """The moving part of that page; nothing when it is as the browser has ``seen`` it."""
    found = at_play()
    if request.GET.get("seen") == found.word:
        return HttpResponse(status=UNCHANGED)
    return render(request, "arena/_at_play.html", {"at_play": found})


@require_POST
def switch(request: HttpRequest, verb: str) -> HttpResponse:
    """Pause all bots of the service, or let them go on; a refusal is told on the page."""
    if verb not in SWITCH:
        raise Refusal(Reason.NOT_FOUND)
    act, done = SWITCH[verb]
    try:
        act(asker(request))
    except Refusal as refusal:
        if refusal.reason in ABOUT_THE_ASKER:
            raise
        messages.error(request, refusal.message)
    else:
        messages.success(request, str(done))
    return redirect("arena")


SWITCH: Final[dict[str, tuple[Callable[[Actor], object], Promise]]] = {
    "pause": (
        arena.pause_arena,
        gettext_lazy("All bots finish the matches that they are at, and begin no other."),
    ),
    "resume": (arena.resume_arena, gettext_lazy("All bots play on.")),
}
