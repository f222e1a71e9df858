"""Screens for a projector: full pages without controls that rotate and follow by themselves.

What is shown stands in the address, so that it can be kept: ``show`` (several), ``seconds``,
``lang``, ``scheme``; ``slide`` is where it is now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from tournaments.queries.heads import tournament_head
from tournaments.queries.screens import KINDS, screen_page, screen_word
from tournaments.web.answers import asker
from tournaments.web.live import unchanged

SCHEMES: Final = ("light", "dark")
USUAL_SECONDS: Final = 15
SECONDS: Final = (5, 300)
"""The least and the most that a slide may stand."""

WORDS: Final = {
    "tables": gettext_lazy("Pairings by table"),
    "names": gettext_lazy("Pairings by name"),
    "clock": gettext_lazy("Clock"),
    "standings": gettext_lazy("Standings"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What an address asks for, whatever makes no sense left out."""

    show: tuple[str, ...]
    seconds: int
    language: str
    scheme: str
    slide: int

    def query(self, slide: int) -> str:
        """Return the address's query for another slide."""
        asked = {"show": self.show, "seconds": self.seconds, "lang": self.language}
        return "?" + urlencode({**asked, "scheme": self.scheme, "slide": slide}, doseq=True)


def chosen(given: QueryDict) -> Choice:
    """Read what is asked for."""
    show = tuple(kind for kind in KINDS if kind in given.getlist("show"))
    language, scheme = given.get("lang", ""), given.get("scheme", "")
    least, most = SECONDS
    return Choice(
        show=show or KINDS,
        seconds=min(max(_number(given.get("seconds"), USUAL_SECONDS), least), most),
        language=language if language in dict(settings.LANGUAGES) else translation.get_language(),
        scheme=scheme if scheme in SCHEMES else SCHEMES[0],
        slide=_number(given.get("slide"), 1),
    )


def _number(text: str | None, usual: int) -> int:
    word = text or ""
    is_one = word.isascii() and word.isdigit() and len(word) < 6
    return int(word) or usual if is_one else usual


@require_safe
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """One slide; nothing when it is as the browser has ``seen`` it."""
    who = asker(request)
    choice, word = chosen(request.GET), screen_word(slug, who)
    if same := unchanged(request, word):
        return same
    with translation.override(choice.language):
        page = screen_page(slug, choice.show, choice.slide, word, who)
        context = {
            "page": page,
            "head": page.head,
            "slide": page.slide,
            "choice": choice,
            "this": choice.query(page.number),
            "previous": choice.query(page.previous),
            "next": choice.query(page.next),
        }
        return render(request, "screens/screen.html", context)


@require_safe
def chooser(request: HttpRequest, slug: str) -> HttpResponse:
    """What the screen is to show: a form that leads to its address."""
    context = {
        "head": tournament_head(slug, asker(request)),
        "kinds": WORDS.items(),
        "choice": chosen(request.GET),
        "languages": settings.LANGUAGES,
        "least": SECONDS[0],
        "most": SECONDS[1],
    }
    return render(request, "screens/chooser.html", context)
