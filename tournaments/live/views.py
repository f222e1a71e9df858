"""Help, streams of versions, embedded pages, projector screens, feeds, calendars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from tournaments.core.errors import Refusal
from tournaments.core.limits import network_of
from tournaments.core.live_version import live_version
from tournaments.core.permissions import Actor
from tournaments.core.views import actor_from, read_stage, unchanged_response
from tournaments.director.queries.tournaments import tournament_head
from tournaments.live.queries import news
from tournaments.live.queries.feed import open_feed
from tournaments.live.queries.news import Appointment, CalendarPage, News, NewsPage
from tournaments.live.queries.screens import KINDS, screen_page
from tournaments.live.streams import SCOPE_KEY, SSE, StreamRequest, VersionStream
from tournaments.results.queries.matches import hand_page
from tournaments.standings.queries.standings import standings_page

# --- Streams --------------------------------------------------------------------------------------
# The version of a tournament, sent to its open pages whenever it changes (js/live.js).


@require_safe
def stream(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the version of a tournament as it changes, in an answer that stays open.

    It ends when the viewer may no longer see a tournament that is not public. A server that
    cannot keep it open answers with the version alone. Refuses NOT_FOUND, and as
    :meth:`StreamLimit.acquire`.
    """
    actor = actor_from(request)
    feed = open_feed(slug, actor)
    permission = partial(may_still_see, slug, actor) if feed.hidden else None
    versions = VersionStream(feed, permission)
    stream_request: StreamRequest | None = getattr(request, "scope", {}).get(SCOPE_KEY)
    if stream_request is not None and request.method == "GET":
        stream_request.open(versions, network_of(request))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return HttpResponse(versions.opening(), content_type=SSE, headers=headers)


def may_still_see(slug: str, actor: Actor) -> bool:
    """Return whether a user, as the database knows them now, still sees a tournament."""
    user = None if actor.user is None else User.objects.filter(pk=actor.user.pk).first()
    try:
        open_feed(slug, Actor.for_user(user or AnonymousUser(), dict(actor.codes)))
    except Refusal:
        return False
    return True


# --- Guides ---------------------------------------------------------------------------------------
# A guide for organisers and one for players, each in the reader's language.


ORGANISER_TASKS: Final = (
    "prepare",
    "post",
    "clauses",
    "check-in",
    "draw",
    "publish",
    "results",
    "disputes",
    "next-round",
    "end",
    "prizes",
    "print",
    "people",
)
PLAYER_TASKS: Final = (
    "find-table",
    "check-in",
    "report",
    "confirm",
    "dispute",
    "withdraw",
    "follow",
)
EVENING_TASKS: Final = (
    "absent",
    "late",
    "wrong-result",
    "disagree",
    "odd-number",
    "wrong-draw",
    "leaves",
    "no-printer",
    "no-network",
    "level",
)
GUIDE_TASKS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"organisers": ORGANISER_TASKS, "players": PLAYER_TASKS, "evening": EVENING_TASKS}
)
"""The tasks of each guide, by the anchors that pages link to."""
LANGUAGES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"organisers": ("es", "en"), "players": ("es", "en"), "evening": ("es", "en", "de")}
)
"""The languages of each guide."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the list of guides."""
    return render(request, "live/help/index.html")


@require_safe
def organisers(request: HttpRequest) -> HttpResponse:
    """Show the guide for organisers: the day of a tournament, task by task."""
    return _render_guide(request, "organisers")


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """Show the guide for players: what they do with a phone at the table."""
    return _render_guide(request, "players")


@require_safe
def evening(request: HttpRequest) -> HttpResponse:
    """Show what to press when something goes wrong on the evening of a tournament."""
    return _render_guide(request, "evening")


def _render_guide(request: HttpRequest, role: str) -> HttpResponse:
    language = get_language() if get_language() in LANGUAGES[role] else "en"
    return render(request, f"live/help/{role}_{language}.html", {"language": language})


# --- Embeds ---------------------------------------------------------------------------------------
# Standings and hands for frames on other sites.
#
# These pages alone may be framed: they have their own policy and no `X-Frame-Options`. They show
# public data only, also to people who are signed in.


# The site's policy, but any site may frame the page.
EMBED_POLICY: Final = "; ".join(
    f"{directive} {' '.join(sources)}"
    for directive, sources in {**settings.SECURE_CSP, "frame-ancestors": ["*"]}.items()
)


@require_safe
@xframe_options_exempt
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a stage, which updates itself."""
    version = live_version(slug, Actor.anonymous())
    if response := unchanged_response(request, version):
        return response
    page = standings_page(slug, Actor.anonymous(), read_stage(request))
    context = {"page": page, "head": page.head, "version": version}
    return allow_framing(render(request, "live/embeds/standings.html", context))


@require_safe
@xframe_options_exempt
def hand(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show a hand with its stepper; ``#t=7`` opens it at its seventh step."""
    page = hand_page(pk, number, Actor.anonymous())
    context = {"page": page, "match": page.match, "head": page.head}
    return allow_framing(render(request, "live/embeds/hand.html", context))


def allow_framing(response: HttpResponse) -> HttpResponse:
    """Allow any site to frame the response."""
    response["Content-Security-Policy"] = EMBED_POLICY
    return response


# --- Screens --------------------------------------------------------------------------------------
# Screens for a projector: full pages without controls that rotate and update themselves.
#
# The settings are in the address, so that it can be bookmarked: ``show`` (several), ``seconds``,
# ``lang``, ``scheme``; ``slide`` is the current slide.


SCHEMES: Final = ("light", "dark")
DEFAULT_SLIDE_SECONDS: Final = 15
SLIDE_SECONDS: Final = (5, 300)
"""The shortest and the longest time of a slide."""

SLIDE_LABELS: Final = {
    "podium": gettext_lazy("Podium at the end"),
    "tables": gettext_lazy("Pairings by table"),
    "names": gettext_lazy("Pairings by name"),
    "missing": gettext_lazy("Call for the last tables"),
    "clock": gettext_lazy("Clock"),
    "standings": gettext_lazy("Standings"),
}


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """The settings of a screen, read from its address; invalid values are left out."""

    show: tuple[str, ...]
    seconds: int
    language: str
    scheme: str
    slide: int

    def query(self, slide: int) -> str:
        """Return the query string for another slide."""
        parameters = {"show": self.show, "seconds": self.seconds, "lang": self.language}
        return "?" + urlencode({**parameters, "scheme": self.scheme, "slide": slide}, doseq=True)


def read_screen_settings(query: QueryDict) -> ScreenSettings:
    """Read the settings of a screen from a query; invalid values get their defaults."""
    show = tuple(kind for kind in KINDS if kind in query.getlist("show"))
    language, scheme = query.get("lang", ""), query.get("scheme", "")
    min_seconds, max_seconds = SLIDE_SECONDS
    return ScreenSettings(
        show=show or KINDS,
        seconds=min(
            max(_number_or(query.get("seconds"), DEFAULT_SLIDE_SECONDS), min_seconds), max_seconds
        ),
        language=language if language in dict(settings.LANGUAGES) else translation.get_language(),
        scheme=scheme if scheme in SCHEMES else SCHEMES[0],
        slide=_number_or(query.get("slide"), 1),
    )


def _number_or(text: str | None, usual: int) -> int:
    word = text or ""
    is_one = word.isascii() and word.isdigit() and len(word) < 6
    return int(word) or usual if is_one else usual


@require_safe
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one slide; UNCHANGED when the browser has ``seen`` this version."""
    actor = actor_from(request)
    choice, word = read_screen_settings(request.GET), live_version(slug, actor)
    if response := unchanged_response(request, word):
        return response
    with translation.override(choice.language):
        page = screen_page(slug, choice.show, choice.slide, word, actor)
        context = {
            "page": page,
            "head": page.head,
            "slide": page.slide,
            "choice": choice,
            "this": choice.query(page.number),
            "previous": choice.query(page.previous),
            "next": choice.query(page.next),
        }
        return render(request, "live/screens/screen.html", context)


@require_safe
def screen_form(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for the settings of a screen, which leads to its address."""
    context = {
        "head": tournament_head(slug, actor_from(request)),
        "kinds": SLIDE_LABELS.items(),
        "choice": read_screen_settings(request.GET),
        "languages": settings.LANGUAGES,
        "least": SLIDE_SECONDS[0],
        "most": SLIDE_SECONDS[1],
    }
    return render(request, "live/screens/chooser.html", context)


# --- Feeds ----------------------------------------------------------------------------------------
# Feeds (Atom) and calendars (iCalendar, RFC 5545) of clubs and tournaments.


if TYPE_CHECKING:
    Base = Feed[News, NewsPage]
else:
    Base = Feed

PRODUCT: Final = "-//Baza//Tute//ES"


class NewsFeed(Base):
    """A feed of news: rounds published, results of rounds, tournaments finished.

    ``read`` reads the news of what a short name in the address means, ``page`` is its page.
    """

    feed_type = Atom1Feed

    def __init__(self, read: Callable[[str], NewsPage], page: str) -> None:
        self.read, self.page = read, page

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> NewsPage:
        """Return the news of the club or tournament in the address."""
        del request, args
        return self.read(kwargs["slug"])

    def link(self, obj: NewsPage) -> str:
        """Return the page of the club or tournament."""
        return reverse(self.page, args=[obj.slug])

    def title(self, obj: NewsPage) -> str:
        """Return the name of the club or tournament."""
        return obj.name

    def items(self, obj: NewsPage) -> Sequence[News]:
        """Return the news, the newest first."""
        return obj.news

    def item_title(self, item: Any) -> str:
        """Return the headline of a news item."""
        facts = {"name": item.tournament, "number": item.round}
        if item.kind == news.PUBLISHED:
            return _("%(name)s: round %(number)s is published") % facts
        if item.kind == news.CLOSED:
            return _("%(name)s: results of round %(number)s") % facts
        return _("%(name)s is over") % facts

    def item_description(self, item: Any) -> str:
        """Return the pairings or results; feeds hold HTML, which Django escapes."""
        return "; ".join(item.lines)

    def item_link(self, item: News) -> str:
        """Return the address of the round or the tournament."""
        if item.round:
            return reverse("round", args=[item.slug, item.round])
        return reverse("tournament", args=[item.slug])

    def item_guid(self, obj: News) -> str:
        """Return the permanent identifier of a news item."""
        return f"tag:baza:{obj.slug}/{obj.round}/{obj.kind}"

    def item_pubdate(self, item: News) -> datetime:
        """Return when it happened."""
        return item.at

    item_updateddate = item_pubdate


CLUB_FEED = NewsFeed(news.club_news, "club")
TOURNAMENT_FEED = NewsFeed(news.tournament_news, "tournament")


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the news of a club as an Atom feed."""
    return CLUB_FEED(request, slug=slug)


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the news of a tournament as an Atom feed."""
    return TOURNAMENT_FEED(request, slug=slug)


@require_safe
def club_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the days, rounds and seasons of a club as a calendar."""
    return calendar_file(request, news.club_calendar(slug))


@require_safe
def season_calendar(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Return the rounds and days of the tournaments of a season as a calendar."""
    return calendar_file(request, news.season_calendar(slug, season))


@require_safe
def tournament_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the rounds of a tournament, or the days of a draft, as a calendar."""
    return calendar_file(request, news.tournament_calendar(slug, actor_from(request)))


def calendar_file(request: HttpRequest, page: CalendarPage) -> HttpResponse:
    """Return appointments as an iCalendar file, times in UTC."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", page.name)
    now = timezone.now()
    for appointment in page.appointments:
        event = Event()
        event.add("uid", f"{appointment.key}@{request.get_host()}")
        event.add("dtstamp", now)
        event.add(
            "dtstart",
            timezone.localdate(appointment.begins)
            if appointment.is_all_day
            else appointment.begins,
        )
        if appointment.ends is not None:
            event.add("dtend", appointment.ends)
        if (day := appointment.day) is not None:
            event.add("sequence", day.sequence)
            if day.place:
                event.add("location", day.place)
            if day.note:
                event.add("description", day.note)
        event.add("summary", _appointment_title(appointment))
        event.add("url", request.build_absolute_uri(_appointment_path(appointment)))
        calendar.add_component(event)
    answer = HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{page.slug}.ics"'
    return answer


def _appointment_title(one: Appointment) -> str:
    facts = {"name": one.tournament, "number": one.round}
    if one.season:
        opened = one.what == news.OPENED
        text = _("%(name)s: the season begins") if opened else _("%(name)s: the season is over")
        return text % facts
    if one.what == news.POSTED:
        return one.tournament
    if one.day is not None:
        title = ", ".join(filter(None, (one.tournament, one.day.what)))
        is_last_day = one.day.starts_at is None
        return _("%(name)s: last day to play") % {"name": title} if is_last_day else title
    if one.match:
        return _("%(name)s, round %(number)s: %(who)s") % {**facts, "who": one.what}
    return (_("%(name)s, round %(number)s") if one.round else _("%(name)s: next round")) % facts


def _appointment_path(one: Appointment) -> str:
    if one.season:
        return reverse("season", args=[one.slug, one.season])
    if one.what == news.POSTED:
        return reverse("poster", args=[one.slug])
    if one.match:
        return reverse("match", args=[one.match])
    if one.round:
        return reverse("round", args=[one.slug, one.round])
    return reverse("tournament", args=[one.slug])
