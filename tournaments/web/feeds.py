"""Feeds (Atom) and calendars (iCalendar, RFC 5545) of clubs and tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from tournaments.queries import news as queries
from tournaments.queries.news import Appointment, CalendarPage, News, NewsPage

if TYPE_CHECKING:
    Base = Feed[News, NewsPage]
else:
    Base = Feed

PRODUCT: Final = "-//Baza//Tute//ES"


class _News(Base):
    """News as a feed: rounds published, results of rounds, tournaments that are over."""

    feed_type = Atom1Feed

    def title(self, obj: NewsPage) -> str:
        """Return the name of the club or tournament."""
        return obj.name

    def items(self, obj: NewsPage) -> Sequence[News]:
        """Return the news, the newest first."""
        return obj.news

    def item_title(self, item: Any) -> str:
        """Say what happened in a line."""
        facts = {"name": item.tournament, "number": item.round}
        if item.kind == queries.PUBLISHED:
            return _("%(name)s: round %(number)s is published") % facts
        if item.kind == queries.CLOSED:
            return _("%(name)s: results of round %(number)s") % facts
        return _("%(name)s is over") % facts

    def item_description(self, item: Any) -> str:
        """Return the matches, a line each; feeds hold HTML, which Django escapes."""
        return "; ".join(item.lines)

    def item_link(self, item: News) -> str:
        """Return where it is to be seen."""
        if item.round:
            return reverse("round", args=[item.slug, item.round])
        return reverse("tournament", args=[item.slug])

    def item_guid(self, obj: News) -> str:
        """Return what names it for ever."""
        return f"tag:baza:{obj.slug}/{obj.round}/{obj.kind}"

    def item_pubdate(self, item: News) -> datetime:
        """Return when it happened."""
        return item.at

    def item_updateddate(self, item: News) -> datetime:
        """Return when it happened."""
        return item.at


class ClubNews(_News):
    """The news of a club."""

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> NewsPage:
        """Read them."""
        del request, args
        return queries.club_news(kwargs["slug"])

    def link(self, obj: NewsPage) -> str:
        """Return the club's page."""
        return reverse("club", args=[obj.slug])


class TournamentNews(_News):
    """The news of a tournament."""

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> NewsPage:
        """Read them."""
        del request, args
        return queries.tournament_news(kwargs["slug"])

    def link(self, obj: NewsPage) -> str:
        """Return the tournament's page."""
        return reverse("tournament", args=[obj.slug])


CLUB, TOURNAMENT = ClubNews(), TournamentNews()


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """The news of a club as Atom."""
    return CLUB(request, slug=slug)


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """The news of a tournament as Atom."""
    return TOURNAMENT(request, slug=slug)


@require_safe
def club_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds of a club and the days of its seasons as a calendar."""
    return written(request, queries.club_calendar(slug))


@require_safe
def tournament_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds of a tournament as a calendar."""
    return written(request, queries.tournament_calendar(slug))


def written(request: HttpRequest, page: CalendarPage) -> HttpResponse:
    """Return appointments as an iCalendar file, times in UTC."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", page.name)
    now = timezone.now()
    for one in page.appointments:
        event = Event()
        event.add("uid", f"{one.key}@{request.get_host()}")
        event.add("dtstamp", now)
        event.add("dtstart", timezone.localdate(one.begins) if one.season else one.begins)
        if one.ends is not None:
            event.add("dtend", one.ends)
        event.add("summary", _title(one))
        event.add("url", request.build_absolute_uri(_path(one)))
        calendar.add_component(event)
    answer = HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{page.slug}.ics"'
    return answer


def _title(one: Appointment) -> str:
    facts = {"name": one.tournament, "number": one.round}
    if one.season:
        opened = one.what == queries.OPENED
        text = _("%(name)s: the season begins") if opened else _("%(name)s: the season is over")
        return text % facts
    return (_("%(name)s, round %(number)s") if one.round else _("%(name)s: next round")) % facts


def _path(one: Appointment) -> str:
    if one.season:
        return reverse("season", args=[one.slug, one.season])
    if one.round:
        return reverse("round", args=[one.slug, one.round])
    return reverse("tournament", args=[one.slug])
