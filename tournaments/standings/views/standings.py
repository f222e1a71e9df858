"""Pages of standings: tables, sums, crosstables, the effect of another result."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.core.cache import get_or_compute
from tournaments.core.live_version import live_version
from tournaments.core.page_cache import cached_page
from tournaments.core.views import (
    actor_from,
    read_stage,
    unchanged_response,
)
from tournaments.director.queries.forfeits import forfeits_in_stage
from tournaments.standings.queries import crosstables
from tournaments.standings.queries import standings as standings_queries

# --- Standings ------------------------------------------------------------------------------------


def table_context(
    frame: standings_queries.StandingsFrame, query: str, *, over_weeks: bool = False
) -> dict[str, Any]:
    """Return the context of a stage's tables; where bots play, with the hands that they lost.

    A league that is played ``over_weeks`` says how many matches each is to play.
    """
    page = standings_queries.standings_of(frame)
    has_bots = any(row.is_bot for row in page.rows)
    forfeits = forfeits_in_stage(frame.head.slug, frame.stage.number) if has_bots else {}
    of = frame.stage.matches_each if over_weeks else None
    return {"page": page, "query": query, "forfeits": forfeits, "of": of}


@require_safe
@cached_page
def sums(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show an entry's numbers, each with its addends."""
    page = standings_queries.entry_sums(slug, number, actor_from(request), read_stage(request))
    context = {"page": page, "head": page.head, "stage": page.stage}
    return render(request, "standings/sums.html", context)


@require_safe
@cached_page
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a crosstable, a table by rounds, a bracket or guide cards."""
    version = live_version(slug, actor_from(request))
    if response := unchanged_response(request, version):
        return response
    page = crosstables.crosstable_page(slug, actor_from(request), read_stage(request))
    context = {"page": page, "head": page.head, "stage": page.stage}
    context["tables"] = render_cached(f"standings/_{page.view}.html", page.key, lambda: context)
    return render(request, "director/tournaments/crosstable.html", {**context, "version": version})


def render_cached(template: str, key: str, context: Callable[[], dict[str, Any]]) -> SafeString:
    """Return a rendered part of a page, cached for each language; the same for all visitors."""
    text = get_or_compute(
        f"{key}:{template}:{get_language()}", lambda: str(render_to_string(template, context()))
    )
    return mark_safe(text)  # noqa: S308 - what a template of ours wrote  # nosec B308 B703
