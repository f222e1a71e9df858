"""Help: a guide for organisers and one for players, each in the reader's language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

ORGANISERS: Final = (
    "prepare",
    "check-in",
    "draw",
    "publish",
    "results",
    "disputes",
    "next-round",
    "end",
    "print",
    "people",
)
PLAYERS: Final = ("find-table", "check-in", "report", "confirm", "dispute", "withdraw", "follow")
TASKS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"organisers": ORGANISERS, "players": PLAYERS}
)
"""What each guide tells, by the anchors that pages link to."""
LANGUAGES: Final = ("es", "en")


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Where help is to be found."""
    return render(request, "help/index.html")


@require_safe
def organisers(request: HttpRequest) -> HttpResponse:
    """The day of a tournament, task by task."""
    return _guide(request, "organisers")


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """What somebody at a table does with a phone."""
    return _guide(request, "players")


def _guide(request: HttpRequest, who: str) -> HttpResponse:
    spoken = (get_language() or "es")[:2]
    language = spoken if spoken in LANGUAGES else "en"
    return render(request, f"help/{who}_{language}.html", {"language": language})
