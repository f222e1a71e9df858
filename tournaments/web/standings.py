"""Who stands where and why: tables, sums, who met whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.errors import Reason, Refusal
from tournaments.queries import crosstables
from tournaments.queries import standings as queries
from tournaments.queries import sums as openings
from tournaments.queries.bots import forfeits_in_stage
from tournaments.queries.cached import remembered
from tournaments.queries.live import live_version
from tournaments.queries.schedules import next_round
from tournaments.web.answers import asker
from tournaments.web.live import unchanged
from tournaments.web.page_cache import cached_page

LARGEST = 10_000
"""No stage has a greater number."""


@require_safe
@cached_page
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Who stands where, and what decided it; nothing when it is as the browser has ``seen`` it."""
    version = live_version(slug, asker(request))
    if same := unchanged(request, version):
        return same
    frame = queries.standings_frame(slug, asker(request), stage_asked(request))
    context: dict[str, Any] = {"head": frame.head, "stage": frame.stage, "version": version}
    context["scheduled"] = next_round(frame.head)
    if frame.has_rows:
        query = f"?stage={frame.stage.number}" if len(frame.head.stages) > 1 else ""
        context["tables"] = kept("standings/_tables.html", frame.key, lambda: told(frame, query))
    return render(request, "tournaments/page.html", context)


def told(frame: queries.StandingsFrame, query: str) -> dict[str, Any]:
    """Return what the tables of a stage are made of; where bots play, the hands that they lost."""
    page = frame.read()
    has_bots = any(row.is_bot for row in page.rows)
    lost = forfeits_in_stage(frame.head.slug, frame.stage.number) if has_bots else {}
    return {"page": page, "query": query, "forfeits": lost}


@require_safe
@cached_page
def sums(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """An entry's numbers, each with what it is the sum of."""
    page = openings.entry_sums(slug, number, asker(request), stage_asked(request))
    context = {"page": page, "head": page.head, "stage": page.stage}
    return render(request, "standings/sums.html", context)


@require_safe
@cached_page
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """Who met whom: a crosstable, a table by rounds, a bracket or guide cards."""
    version = live_version(slug, asker(request))
    if same := unchanged(request, version):
        return same
    page = crosstables.crosstable_page(slug, asker(request), stage_asked(request))
    context = {"page": page, "head": page.head, "stage": page.stage}
    context["tables"] = kept(f"standings/_{page.view}.html", page.key, lambda: context)
    return render(request, "tournaments/crosstable.html", {**context, "version": version})


def stage_asked(request: HttpRequest) -> int | None:
    """Return the stage that is asked for, if one is; refuses NOT_FOUND what is no number."""
    text = request.GET.get("stage")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < len(str(LARGEST))):
        raise Refusal(Reason.NOT_FOUND)
    return int(text)


def kept(template: str, key: str, context: Callable[[], dict[str, Any]]) -> SafeString:
    """Return a part of a page that is the same for everybody, written once for each language."""
    text = remembered(
        f"{key}:{template}:{get_language()}", lambda: str(render_to_string(template, context()))
    )
    return mark_safe(text)  # noqa: S308 - what a template of ours wrote  # nosec B308 B703
