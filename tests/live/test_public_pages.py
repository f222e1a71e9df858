"""What the public takes with it: embeds, feeds, calendars, statistics, head to head."""

from __future__ import annotations

import html
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from tests.clubs import (
    SYSTEM,
    a_club,
    play_the_club_night,
    the_liguilla,
    the_round,
)
from tests.support import scenes
from tests.support.counting import again, count_queries
from tournaments.director.services.rounds import start_clock
from tournaments.director.services.tournaments import close_round, finish
from tournaments.live.queries import news
from tournaments.models import Season, Tournament
from tournaments.profiles.queries.statistics import Bar, statistics_page

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def scene() -> scenes.Scene:
    return scenes.running()


# --- Embeds --------------------------------------------------------------------------------------


def test_only_what_is_made_for_it_can_be_shown_in_a_frame(
    scene: scenes.Scene, client: Client
) -> None:
    slug, match = scene.tournament.slug, scene.matches()[0]
    framed = (reverse("embed-standings", args=[slug]), reverse("embed-hand", args=[match.pk, 1]))
    for path in framed:
        response = client.get(path)
        assert "frame-ancestors *" in response["Content-Security-Policy"]
        assert "script-src 'self'" in response["Content-Security-Policy"]
        assert "X-Frame-Options" not in response
    for path in (reverse("tournament", args=[slug]), reverse("hand", args=[match.pk, 1])):
        response = client.get(path)
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
        assert response["X-Frame-Options"] == "DENY"


def test_the_code_to_copy_shows_the_embedded_page(scene: scenes.Scene, client: Client) -> None:
    page = client.get(reverse("tournament", args=[scene.tournament.slug])).content.decode()
    pattern_match = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert pattern_match
    code = html.unescape(pattern_match[1])
    address = re.search(r'<iframe src="http://testserver([^"]+)"', code)
    assert address
    text = client.get(address[1]).content.decode()
    assert scene.tournament.name in text
    assert scene.matches()[0].home.name in text


# --- Feeds and calendars -------------------------------------------------------------------------


def entries_of(client: Client, path: str) -> list[str]:
    response = client.get(path, headers={"Accept-Language": "en"})
    feed = ET.fromstring(response.content)  # noqa: S314 - our own words
    return [str(entry.findtext(f"{ATOM}title")) for entry in feed.iter(f"{ATOM}entry")]


def test_a_feed_mentions_rounds_results_and_the_end(client: Client) -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    path = reverse("tournament-feed", args=[tournament.slug])
    assert len(entries_of(client, path)) == 7
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    finish(SYSTEM, tournament)
    entries = entries_of(client, path)
    assert entries[0] == "Liguilla de otoño is over"
    assert entries[1] == "Liguilla de otoño: results of round 7"
    assert len(entries) == 15
    assert entries_of(client, reverse("club-feed", args=[tournament.club.slug])) == entries


def test_a_feed_has_the_results_of_a_round_once_it_is_closed() -> None:
    tournament = the_liguilla(published=1)
    from tests.clubs import submitted

    for index in range(4):
        submitted(tournament, index)
    (published,) = news.tournament_news(tournament.slug).news
    assert len(published.lines) == 4
    close_round(SYSTEM, the_round(tournament, 1))
    closed = news.tournament_news(tournament.slug).news[0]
    assert (closed.kind, all("–" in line.partition(": ")[2] for line in closed.lines)) == (
        "closed",
        True,
    )
    assert count_queries(lambda: news.tournament_news(tournament.slug))[1] <= 6


def test_a_page_says_where_its_feed_is(scene: scenes.Scene, client: Client) -> None:
    for page, feed, slug in (
        ("club", "club-feed", scene.club.slug),
        ("tournament", "tournament-feed", scene.tournament.slug),
    ):
        text = client.get(reverse(page, args=[slug])).content.decode()
        assert f'type="application/atom+xml" href="{reverse(feed, args=[slug])}"' in text


def test_a_calendar_has_the_rounds_with_the_times_of_their_clocks(
    scene: scenes.Scene, client: Client
) -> None:
    path = reverse("tournament-calendar", args=[scene.tournament.slug])
    (event,) = Calendar.from_ical(client.get(path).content).walk("VEVENT")
    round_ = scene.rounds[0]
    assert round_.published_at is not None
    assert event["SUMMARY"] == "Liguilla de otoño, ronda 1"
    assert event.decoded("DTSTART") == round_.published_at.replace(microsecond=0)
    assert "DTEND" not in event
    start_clock(scene.organiser, round_, 45)
    path = reverse("club-calendar", args=[scene.club.slug])
    timed, *_days = Calendar.from_ical(client.get(path).content).walk("VEVENT")
    assert timed["UID"] == event["UID"]
    assert timed.decoded("DTEND") - timed.decoded("DTSTART") == timedelta(minutes=45)


def test_the_clubs_calendar_has_the_days_on_which_a_season_begins_and_ends(
    scene: scenes.Scene, client: Client
) -> None:
    season = Season.objects.create(club=scene.club, name="Otoño", slug="otono")
    path = reverse("club-calendar", args=[scene.club.slug])

    def days() -> list[tuple[str, date]]:
        events = Calendar.from_ical(client.get(path).content).walk("VEVENT")
        season_events = [event for event in events if str(event["URL"]).endswith("/seasons/otono/")]
        return [(str(event["SUMMARY"]), event.decoded("DTSTART")) for event in season_events]

    begun = ("Otoño: empieza la temporada", timezone.localdate(season.created_at))
    assert days() == [begun]
    season.closed_at = season.created_at + timedelta(days=90)
    season.state = Season.State.CLOSED
    season.save()
    assert days() == [begun, ("Otoño: se acabó la temporada", begun[1] + timedelta(days=90))]


def test_drafts_are_neither_in_feeds_nor_in_calendars(client: Client) -> None:
    tournament = the_liguilla()
    Tournament.objects.update(state="draft")
    assert news.club_news(tournament.club.slug).news == ()
    assert news.club_calendar(tournament.club.slug).appointments == ()
    assert client.get(reverse("tournament-feed", args=[tournament.slug])).status_code == 404


# --- Statistics ----------------------------------------------------------------------------------


def test_a_club_night_is_reported_in_numbers() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    statistics = statistics_page(tournament.club.slug).statistics
    assert (statistics.matches, [bar.count for bar in statistics.months]) == (28, [28])
    assert sum(bar.count for bar in statistics.margins) == 28
    assert statistics.rulesets == (Bar("parejas-online", statistics.hands),)
    assert statistics.with_cards == statistics.hands
    assert dict(statistics.calls)["20"] > dict(statistics.calls)["40"] > 0
    assert {bar.count for bar in statistics.busiest} == {7}
    assert statistics.dealer is not None
    assert statistics.dealer.low is not None
    assert 0 < statistics.dealer.low < statistics.dealer.mean < 1


def test_statistics_are_kept_until_something_changes() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    slug = tournament.club.slug
    assert count_queries(lambda: statistics_page(slug))[1] <= 18
    assert again(lambda: statistics_page(slug)) == 2


def test_pictures_are_tables_whose_labels_are_whole_and_have_no_style(client: Client) -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    page = client.get(reverse("statistics", args=[tournament.club.slug])).content.decode()
    assert page.count('<table class="bars">') == 5
    assert "…" not in page[page.index('<div class="charts">') :]
    assert '<rect width="100.0" height="10"/>' in page
    assert " style=" not in page


def test_a_club_without_matches_says_when_there_will_be_something(client: Client) -> None:
    page = client.get(reverse("statistics", args=[a_club().slug])).content.decode()
    assert "Todavía no hay nada que contar" in page


# --- People --------------------------------------------------------------------------------------


def test_names_lead_to_their_pages_and_from_there_to_every_meeting(
    scene: scenes.Scene, client: Client
) -> None:
    match = scene.matches()[0]
    pair = match.home.pair
    assert pair is not None
    path = reverse("pair", args=[pair.pk])
    for name, arguments in (
        ("match", [match.pk]),
        ("tournament", [scene.tournament.slug]),
        ("entries", [scene.tournament.slug]),
        ("sums", [scene.tournament.slug, 1]),
        ("club", [scene.club.slug]),
    ):
        assert f'href="{path}"' in client.get(reverse(name, args=arguments)).content.decode()
    page = client.get(f"{path}?tab=people").content.decode()
    pattern_match = re.search(
        r'href="(/clubs/[^"]+/head-to-head/\?one=[^"]+&amp;other=[^"]+)"', page
    )
    assert pattern_match
    text = client.get(html.unescape(pattern_match[1])).content.decode()
    assert reverse("match", args=[match.pk]) in text
