"""Pages for the pages of others: the standings, and a hand, to be shown in a frame anywhere.

They alone may be framed: their own policy says so, and no `X-Frame-Options` stands against it.
They read what everybody may see, whoever asks.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournaments.permissions import Actor
from tournaments.queries.live import live_version
from tournaments.queries.matches import hand_page
from tournaments.queries.standings import standings_page
from tournaments.web.live import unchanged
from tournaments.web.standings import stage_asked

POLICY: Final = "; ".join(
    f"{directive} {' '.join(sources)}"
    for directive, sources in {**settings.SECURE_CSP, "frame-ancestors": ["*"]}.items()
)


@require_safe
@xframe_options_exempt
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a stage, which follows by itself."""
    version = live_version(slug, Actor.anonymous())
    if same := unchanged(request, version):
        return same
    page = standings_page(slug, Actor.anonymous(), stage_asked(request))
    context = {"page": page, "head": page.head, "version": version}
    return framed(render(request, "embeds/standings.html", context))


@require_safe
@xframe_options_exempt
def hand(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A hand that can be stepped through; ``#t=7`` opens it at its seventh step."""
    page = hand_page(pk, number, Actor.anonymous())
    context = {"page": page, "match": page.match, "head": page.head}
    return framed(render(request, "embeds/hand.html", context))


def framed(response: HttpResponse) -> HttpResponse:
    """Allow the answer to be shown in a frame anywhere."""
    response["Content-Security-Policy"] = POLICY
    return response
