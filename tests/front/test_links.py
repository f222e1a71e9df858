"""What search engines, messengers and phones read of the service."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.clubs import SYSTEM, a_club, play_the_club_night, the_liguilla, the_match
from tests.signup.test_signing_up import a_posted
from tournaments.director.services.tournaments import change_tournament, set_visibility
from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.models import Club, Player, Tournament
from tournaments.people.services.clubs import set_people_in_search
from tournaments.profiles.services.erasing import erase_player
from tournaments.profiles.services.merging import merge_player

pytestmark = pytest.mark.django_db

HOST = "http://testserver"


def page_of(client: Client, path: str) -> str:
    return client.get(path, headers={"accept-language": "en"}).content.decode()


def metas(text: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="(og:[a-z:]+)" content="([^"]*)">', text))


def event_of(text: str) -> dict[str, Any] | None:
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    return json.loads(found.group(1)) if found else None


def test_every_page_has_a_canonical_address_and_a_picture(client: Client) -> None:
    the_liguilla(published=1)
    for path in ("/", "/clubs/casino-de-zaragoza/", "/t/liguilla-de-otono/rounds/", "/bots/"):
        text = page_of(client, f"{path}?clubs=all" if path == "/" else path)
        assert f'<link rel="canonical" href="{HOST}{path}">' in text
        assert metas(text)["og:url"] == f"{HOST}{path}"
        picture = metas(text)["og:image"].removeprefix(HOST)
        if picture.startswith("/t/"):
            assert client.get(picture).status_code == 200
        else:
            assert finders.find(picture.removeprefix("/static/"))


def test_a_tournament_is_an_event_whatever_its_name(client: Client) -> None:
    tournament = the_liguilla(published=1)
    name = '</script><b>"Liguilla" & más'
    begins_at = datetime(2027, 4, 23, 15, 30, tzinfo=UTC)
    change_tournament(SYSTEM, tournament, {"name": name, "begins_at": begins_at, "place": "Casino"})
    text = page_of(client, f"/t/{tournament.slug}/")
    event = event_of(text)
    assert event is not None
    assert (event["@type"], event["name"]) == ("SportsEvent", name)
    assert event["startDate"] == "2027-04-23T15:30:00+00:00"
    assert event["location"]["name"] == "Casino"
    assert "April" in metas(text)["og:description"]
    assert len(name) <= MAX_NAME_LENGTH


def test_a_poster_is_an_event_that_has_not_begun(client: Client) -> None:
    tournament = a_posted()
    assert event_of(page_of(client, f"/t/{tournament.slug}/poster/")) is None, "no day yet"
    day = datetime(2027, 4, 23, 15, 30, tzinfo=UTC)
    change_tournament(SYSTEM, tournament, {"begins_at": day, "place": "Casino"})
    text = page_of(client, f"/t/{tournament.slug}/poster/")
    event = event_of(text)
    assert event is not None
    assert "image" not in event
    assert metas(text)["og:title"] == tournament.name


def test_the_sitemap_lists_clubs_and_public_tournaments_and_no_people(client: Client) -> None:
    public, posted = the_liguilla(published=1), a_posted()
    private = the_liguilla(a_club("Otro"), published=1)
    set_visibility(SYSTEM, private, Tournament.Visibility.PRIVATE)
    text = page_of(client, "/sitemap.xml")
    listed = re.findall(r"<loc>(.*?)</loc>", text)
    assert listed == [
        f"{HOST}/clubs/casino-de-zaragoza/",
        f"{HOST}/clubs/{posted.club.slug}/",
        f"{HOST}/clubs/otro/",
        f"{HOST}/t/{public.slug}/",
        f"{HOST}/t/{posted.slug}/poster/",
    ]
    robots = page_of(client, "/robots.txt")
    assert f"Sitemap: {HOST}/sitemap.xml" in robots
    assert "Disallow: /api/" in robots


def test_the_pages_of_people_ask_to_be_left_out(client: Client) -> None:
    tournament = the_liguilla(published=1)
    player, pair = tournament.club.players.first(), tournament.club.pairs.first()
    assert player is not None
    assert pair is not None
    for path in (f"/players/{player.pk}/", f"/pairs/{pair.pk}/", "/search/?q=pilar"):
        response = client.get(path)
        assert (response.status_code, response["X-Robots-Tag"]) == (200, "noindex")
    assert "X-Robots-Tag" not in client.get(f"/t/{tournament.slug}/").headers


def test_a_club_may_let_search_engines_list_its_people(client: Client) -> None:
    tournament, other = the_liguilla(published=1), the_liguilla(a_club("Otro"), published=1)
    club = tournament.club
    pair, hidden = club.pairs.order_by("pk")[0], other.club.players.order_by("pk")[0]
    assert people_listed(client) == []
    set_people_in_search(SYSTEM, club, people_in_search=True)
    pairs = club.pairs.order_by("pk").values_list("pk", flat=True)
    assert people_listed(client) == [
        *(f"/players/{pk}/" for pk in played_in(club)),
        *(f"/pairs/{pk}/" for pk in pairs),
    ]
    for path in people_listed(client):
        assert "X-Robots-Tag" not in client.get(path).headers
    for path in (f"/players/{hidden.pk}/", f"/clubs/{club.slug}/head-to-head/"):
        assert client.get(path)["X-Robots-Tag"] == "noindex"
    set_visibility(SYSTEM, tournament, Tournament.Visibility.PRIVATE)
    assert people_listed(client) == []
    assert client.get(f"/pairs/{pair.pk}/")["X-Robots-Tag"] == "noindex"
    set_visibility(SYSTEM, tournament, Tournament.Visibility.PUBLIC)
    set_people_in_search(SYSTEM, club, people_in_search=False)
    assert people_listed(client) == []
    assert client.get(f"/pairs/{pair.pk}/")["X-Robots-Tag"] == "noindex"


def test_erased_and_merged_people_stay_out_of_search_engines(client: Client) -> None:
    tournament = the_liguilla(published=1)
    club = tournament.club
    set_people_in_search(SYSTEM, club, people_in_search=True)
    pair, other = club.pairs.order_by("pk")[:2]
    unmatched = Player.objects.create(club=club, code="J99", name="Otra", folded="otra")
    merge_player(SYSTEM, pair.second, unmatched)
    Tournament.objects.update(state=Tournament.State.FINISHED)
    erase_player(SYSTEM, pair.first)
    listed = people_listed(client)
    assert f"/players/{unmatched.pk}/" in listed
    for path in (f"/players/{pair.first.pk}/", f"/pairs/{pair.pk}/"):
        assert path not in listed
        assert client.get(path)["X-Robots-Tag"] == "noindex"
    assert f"/players/{pair.second.pk}/" not in listed
    assert f"/pairs/{other.pk}/" in listed


def people_listed(client: Client) -> list[str]:
    """The addresses of people in the sitemap."""
    listed = re.findall(rf"<loc>{HOST}(.*?)</loc>", page_of(client, "/sitemap.xml"))
    return [path for path in listed if path.startswith(("/players/", "/pairs/"))]


def played_in(club: Club) -> list[int]:
    """The keys of the players of the club's pairs."""
    seats = club.pairs.values_list("first", "second")
    return sorted({pk for pair in seats for pk in pair})


def test_the_service_can_be_installed_as_an_app(client: Client) -> None:
    manifest = json.loads(page_of(client, "/manifest.webmanifest"))
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    for icon in manifest["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page_of(client, "/")


def test_oembed_gives_the_table_and_a_hand_to_pages_of_others(client: Client) -> None:
    tournament = the_liguilla(published=7)
    play_the_club_night(tournament)
    match = the_match(tournament, 1, 1)
    table = page_of(client, f"/t/{tournament.slug}/")
    found = re.search(r'type="application/json\+oembed" href="([^"]*)"', table)
    assert found is not None
    answer = client.get(found.group(1).replace("&amp;", "&")).json()
    assert (answer["type"], answer["title"]) == ("rich", tournament.name)
    assert f'src="{HOST}/embed/t/{tournament.slug}/standings/"' in answer["html"]
    url = f"{HOST}/matches/{match.pk}/hands/1/"
    answer = client.get("/oembed/", {"url": url, "maxwidth": "300"}).json()
    assert answer["width"] == 300
    assert f'src="{HOST}/embed/matches/{match.pk}/hands/1/"' in answer["html"]


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("http://elsewhere.example/t/liguilla-de-otono/", 404),
        (f"{HOST}/t/no/", 404),
        (f"{HOST}/bots/", 404),
        ("//[", 404),
        ("", 404),
        (f"{HOST}/t/liguilla-de-otono/", 200),
    ],
)
def test_oembed_answers_for_addresses_of_this_service_alone(
    client: Client, url: str, status: int
) -> None:
    the_liguilla(published=1)
    assert client.get("/oembed/", {"url": url}).status_code == status
    assert client.get("/oembed/", {"url": url, "format": "xml"}).status_code == 501


def test_oembed_shows_nothing_private(client: Client) -> None:
    tournament = the_liguilla(published=1)
    set_visibility(SYSTEM, tournament, Tournament.Visibility.PRIVATE)
    url = f"{HOST}/t/{tournament.slug}/"
    assert client.get("/oembed/", {"url": url}).status_code == 404
