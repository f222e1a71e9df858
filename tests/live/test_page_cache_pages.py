"""Pages that are rendered once for all anonymous visitors, and what they must never show."""

from __future__ import annotations

import gzip
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.test import Client
from django.urls import path
from redis.exceptions import RedisError

from tests.support import scenes
from tournaments import urls
from tournaments.core import page_cache
from tournaments.core.live_version import live_version
from tournaments.core.page_cache import cached_page
from tournaments.core.permissions import Actor
from tournaments.domain.scores import Score
from tournaments.models import Result
from tournaments.results.services.matches import correct_result

if TYPE_CHECKING:
    from tests.support.scenes import Scene

pytestmark = pytest.mark.django_db

NOW = 1_800_000_000.0
PAGES = ("", "crosstable/", "rounds/", "rounds/1/board/", "rounds/1/")


@cached_page
def with_token(request: Any, slug: str) -> HttpResponse:
    """A page with a form."""
    return HttpResponse(f"{slug}: {get_token(request)}")


@cached_page
def with_cookie(_request: Any, slug: str) -> HttpResponse:
    """A page that sets a cookie."""
    response = HttpResponse(slug)
    response.set_cookie("seat", "north")
    return response


@cached_page
def with_session(request: Any, slug: str) -> HttpResponse:
    """A page that begins a session."""
    request.session["seat"] = "north"
    return HttpResponse(slug)


handler404 = urls.handler404
urlpatterns = [
    path("token/<slug:slug>/", with_token),
    path("cookie/<slug:slug>/", with_cookie),
    path("session/<slug:slug>/", with_session),
    *urls.urlpatterns,
]


@pytest.fixture
def scene() -> Scene:
    """Give a tournament in its first round, its first table played."""
    return scenes.running()


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the keys under which pages are stored."""
    keys: list[str] = []

    def set_cached(key: str, value: object) -> None:
        keys.append(key)
        cache.set(key, value)

    monkeypatch.setattr(page_cache, "set_cached", set_cached)
    return keys


def address(scene: Scene, page: str = "") -> str:
    """Return the address of a page of the tournament."""
    return f"/t/{scene.tournament.slug}/{page}"


def version(scene: Scene) -> str:
    """Return the version of the tournament as anonymous visitors see it."""
    return live_version(scene.tournament.slug, Actor.anonymous())


def text(answer: Any) -> str:
    """Return a page without the version that it was rendered at."""
    return re.sub(r'(seen=(published-)?)[^"]*', "", answer.content.decode())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_from_the_cache_is_the_one_that_was_rendered(
    scene: Scene, page: str, stored: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: NOW)  # a round's page shows the clock
    first = Client().get(address(scene, page))
    second = Client().get(address(scene, page))
    assert len(stored) == 1
    assert first.status_code == second.status_code == 200
    assert first.content == second.content
    different = {"X-Request-ID"}
    assert {name: first[name] for name in first.headers if name not in different} == {
        name: second[name] for name in second.headers if name not in different
    }
    assert {"Accept-Language", "Cookie"} <= set(second["Vary"].split(", "))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_is_opened_after_a_result_was_accepted_shows_it(
    scene: Scene, page: str
) -> None:
    before = text(Client().get(address(scene, page)))
    scene.submit(scene.matches()[1])
    after = text(Client().get(address(scene, page)))
    assert after != before
    assert Result.objects.get(match=scene.matches()[1]).counts_from is not None
    cache.clear()
    assert after == text(Client().get(address(scene, page)))


def test_a_page_from_the_cache_costs_one_query(
    scene: Scene, django_assert_num_queries: Any
) -> None:
    Client().get(address(scene))
    with django_assert_num_queries(1):
        assert Client().get(address(scene)).status_code == 200


@pytest.mark.parametrize("page", ["", "hands/1/"])
def test_a_page_of_a_match_from_the_cache_costs_one_query(
    scene: Scene, django_assert_num_queries: Any, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: NOW)
    path = f"/matches/{scene.matches()[0].pk}/{page}"
    first = Client().get(path)
    with django_assert_num_queries(1):
        second = Client().get(path)
    assert (first.status_code, second.content) == (200, first.content)


@pytest.mark.parametrize("page", ["", "hands/1/"])
def test_a_page_of_a_match_is_gone_with_its_tournament(scene: Scene, page: str) -> None:
    path = f"/matches/{scene.matches()[0].pk}/{page}"
    assert Client().get(path).status_code == 200
    scene.tournament.visibility = "private"
    scene.tournament.save()
    assert Client().get(path).status_code == 404


def test_without_the_cache_pages_are_rendered(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise RedisError("connection refused")

    for name in ("get", "set", "add"):
        monkeypatch.setattr(f"tournaments.core.cache.cache.{name}", away)
    for page in PAGES:
        assert Client().get(address(scene, page)).status_code == 200
    old_version = version(scene)
    assert Client().get(address(scene), {"seen": old_version}).status_code == 204
    assert Client().get(address(scene), {"seen": str(int(old_version) - 1)}).status_code == 200


def test_a_query_that_no_page_links_to_is_not_stored(scene: Scene, stored: list[str]) -> None:
    for number in range(3):
        assert Client().get(address(scene), {"n": number}).status_code == 200
        assert Client().get(address(scene), {"n": str(number), "seen": "1"}).status_code == 200
    Client().get(address(scene), QUERY_STRING="stage=1&stage=1")
    assert not stored
    for _ in range(2):
        Client().get(address(scene), {"stage": "1"})
    assert len(stored) == 1


@pytest.mark.parametrize("page", PAGES[:4])
def test_a_poll_is_informed_that_nothing_has_changed(scene: Scene, page: str) -> None:
    old_version = f"published-{version(scene)}" if "board" in page else version(scene)
    assert Client().get(address(scene, page), {"seen": old_version}).status_code == 204


def test_a_poll_is_never_sent_back_to_an_earlier_version(scene: Scene) -> None:
    before = version(scene)
    assert Client().get(address(scene), {"seen": before}).status_code == 204
    scene.submit(scene.matches()[1])
    assert int(version(scene)) > int(before)
    assert Client().get(address(scene), {"seen": version(scene)}).status_code == 204


def test_a_poll_gets_what_is_new_after_a_moment(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_version = version(scene)
    assert Client().get(address(scene), {"seen": old_version}).status_code == 204
    scene.submit(scene.matches()[1])
    assert Client().get(address(scene), {"seen": old_version}).status_code == 204
    cache.delete(f"version:{scene.tournament.slug}")  # it expires after POLL_SECONDS
    response = Client().get(address(scene), {"seen": old_version})
    assert response.status_code == 200
    assert response.content == Client().get(address(scene)).content


def test_polls_leave_the_rendering_to_the_first_of_them(scene: Scene) -> None:
    before = str(int(version(scene)) - 1)
    statuses = []

    @cached_page
    def slow(_request: Any, slug: str) -> HttpResponse:
        other = Client().get(address(scene), {"seen": before})
        statuses.append((other.status_code, other["HX-Trigger"]))
        return HttpResponse(f"{slug}: what is new")

    request = Client().get(address(scene, "files/")).wsgi_request
    request.path = address(scene)
    request.GET = type(request.GET)(f"seen={before}")
    assert slow(request, slug=scene.tournament.slug).status_code == 200
    assert statuses == [(204, "later")]
    assert Client().get(address(scene), {"seen": before}).status_code == 200


def test_a_poll_comes_again_while_another_page_is_rendered(scene: Scene) -> None:
    before = str(int(version(scene)) - 1)
    with page_cache.rendering:
        response = Client().get(address(scene), {"seen": before})
        assert (response.status_code, response["HX-Trigger"]) == (204, "later")
        assert Client().get(address(scene)).status_code == 200, "an opened page does not wait"
    cache.clear()
    assert Client().get(address(scene), {"seen": before}).status_code == 200


def test_a_poll_that_heard_of_a_version_is_not_answered_by_an_older_one(scene: Scene) -> None:
    old_version = version(scene)
    assert Client().get(address(scene), {"seen": old_version}).status_code == 204
    scene.submit(scene.matches()[1])
    assert Client().get(address(scene), {"seen": old_version}).status_code == 204
    assert poll(scene, old_version, requested=version(scene)).status_code == 200
    assert Client().get(address(scene), {"seen": old_version}).status_code == 200


def test_polls_that_heard_of_versions_in_quick_succession_share_one(scene: Scene) -> None:
    old_version, match = version(scene), scene.matches()[1]
    assert poll(scene, old_version, requested=old_version).status_code == 204
    scene.submit(match)
    first = poll(scene, old_version, requested=version(scene))
    assert (first.status_code, first.get("HX-Trigger")) == (200, None)
    match.refresh_from_db()
    correct_result(scene.organiser, match, Score(0, 3, 0, 0), reason="Se apuntó al revés.")
    last = version(scene)
    behind = poll(scene, old_version, requested=last)
    assert behind.content == first.content
    assert behind["HX-Trigger"] == "later", "the page asks again"
    cache.delete(f"version:{scene.tournament.slug}:reread")  # it expires after REREAD_SECONDS
    new_page = poll(scene, old_version, requested=last)
    assert (new_page.status_code, new_page.get("HX-Trigger")) == (200, None)
    assert new_page.content != first.content


def poll(scene: Scene, old_version: str, *, requested: str) -> Any:
    """Ask for what is new as a page does that heard of a version."""
    return Client().get(address(scene), {"seen": old_version}, headers={"baza-version": requested})


@pytest.mark.parametrize("requested", ["9" * 18, "9" * 19, "-1", "later"])
def test_a_version_that_never_was_is_asked_of_the_database(scene: Scene, requested: str) -> None:
    assert poll(scene, version(scene), requested=requested).status_code == 204


def test_polls_cost_no_query(scene: Scene, django_assert_num_queries: Any) -> None:
    old_version = version(scene)
    assert Client().get(address(scene), {"seen": old_version}).status_code == 204
    for page in PAGES[:-1]:
        with django_assert_num_queries(0):
            response = Client().get(address(scene, page), {"seen": f"published-{old_version}"})
        assert response.status_code == 204, page


@pytest.mark.parametrize("page", PAGES)
def test_no_page_for_anonymous_visitors_carries_a_token(scene: Scene, page: str) -> None:
    response = Client().get(address(scene, page))
    assert b"csrfmiddlewaretoken" not in response.content
    assert not response.cookies


@pytest.mark.urls("tests.live.test_page_cache_pages")
@pytest.mark.parametrize("page", ["token", "cookie", "session"])
@pytest.mark.parametrize("has_token", [False, True])
def test_a_page_with_something_of_its_visitor_is_never_stored(
    scene: Scene, page: str, has_token: bool, stored: list[str]
) -> None:
    where = f"/{page}/{scene.tournament.slug}/"
    client = Client()
    if has_token:
        client.cookies["csrftoken"] = "a" * 32
    assert client.get(where).status_code == 200
    assert not stored


def test_a_page_of_an_account_is_neither_stored_nor_taken_from_the_cache(
    scene: Scene, stored: list[str]
) -> None:
    organiser = Client()
    organiser.force_login(scene.users["organiser"])
    assert "organiser" in organiser.get(address(scene)).content.decode()
    assert not stored
    assert "organiser" not in Client().get(address(scene)).content.decode()
    assert "organiser" in organiser.get(address(scene)).content.decode()


@pytest.mark.parametrize("cookie", ["sessionid", "messages"])
def test_a_browser_with_a_session_or_a_message_gets_a_page_of_its_own(
    scene: Scene, cookie: str, stored: list[str]
) -> None:
    client = Client()
    client.cookies[cookie] = "something"
    assert client.get(address(scene)).status_code == 200
    assert not stored


def test_each_language_and_each_host_has_its_own(scene: Scene, stored: list[str]) -> None:
    spanish = Client().get(address(scene), headers={"Accept-Language": "es"}).content.decode()
    english = Client().get(address(scene), headers={"Accept-Language": "en"}).content.decode()
    assert 'lang="es"' in spanish
    assert 'lang="en"' in english
    Client().get(address(scene), headers={"Accept-Language": "en", "Host": "127.0.0.1"})
    assert len(set(stored)) == 3


def test_a_page_is_stored_compressed_for_the_browsers_that_take_it_so(
    scene: Scene, stored: list[str]
) -> None:
    plain = Client().get(address(scene))
    first = Client().get(address(scene), headers={"Accept-Encoding": "gzip, br"})
    second = Client().get(address(scene), headers={"Accept-Encoding": "gzip"})
    assert len(stored) == 2
    assert "Content-Encoding" not in plain.headers
    assert first["Content-Encoding"] == cache.get(stored[1])["Content-Encoding"] == "gzip"
    assert gzip.decompress(first.content) == plain.content
    assert second.content == first.content


def test_a_tournament_that_became_private_is_gone_at_once(scene: Scene) -> None:
    old_version = version(scene)
    assert Client().get(address(scene)).status_code == 200
    type(scene.tournament).objects.update(state="draft")
    assert Client().get(address(scene)).status_code == 404
    assert Client().get(address(scene), {"seen": old_version}).status_code == 404
