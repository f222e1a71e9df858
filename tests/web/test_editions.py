"""Pages that are written once for a whole hall, and what they must never show."""

from __future__ import annotations

import gzip
import re
import threading
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.urls import reverse

from tests.web import scenes
from tests.web.scenes import Scene
from tournaments.models import Result
from tournaments.permissions import Actor
from tournaments.queries.live import live_word
from tournaments.web import editions

pytestmark = pytest.mark.django_db

PAGES = ("", "crosstable/", "rounds/", "rounds/1/board/", "rounds/1/")


@pytest.fixture
def scene() -> Scene:
    """Give a tournament in its first round, its first table played."""
    cache.clear()
    return scenes.running()


def address(scene: Scene, page: str = "") -> str:
    """Return where a page of the tournament is."""
    return f"/t/{scene.tournament.slug}/{page}"


def word(scene: Scene) -> str:
    """Return the word of the tournament as anybody sees it."""
    return live_word(scene.tournament.slug, Actor.anonymous())


def body(answer: Any) -> str:
    """Return what a page says, without the tokens of its forms and the word that it was sent at."""
    text = answer.content
    if answer.headers.get("Content-Encoding") == "gzip":
        text = gzip.decompress(text)
    return re.sub(r'(csrfmiddlewaretoken" value="|seen=(published-)?)[^"]*', "", text.decode())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_was_kept_says_what_one_says_that_was_not(scene: Scene, page: str) -> None:
    first = Client().get(address(scene, page))
    again = Client().get(address(scene, page))
    assert first.status_code == again.status_code == 200
    assert body(first) == body(again)


@pytest.mark.parametrize("page", PAGES)
def test_whoever_opens_a_page_after_a_result_was_accepted_sees_it(scene: Scene, page: str) -> None:
    before = body(Client().get(address(scene, page)))
    scene.submit(scene.matches()[1])
    result = Result.objects.get(match=scene.matches()[1])
    after = body(Client().get(address(scene, page)))
    assert after != before
    cache.clear()
    assert after == body(Client().get(address(scene, page)))
    assert result.counts_from is not None


def test_the_next_visitor_is_spared_the_writing(
    scene: Scene, django_assert_max_num_queries: Any
) -> None:
    Client().get(address(scene))
    with django_assert_max_num_queries(1):
        assert Client().get(address(scene)).status_code == 200


def test_no_page_is_kept_for_what_nobody_has_a_reason_to_ask(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []
    monkeypatch.setattr(editions, "keep", lambda key, _: kept.append(key))
    for number in range(3):
        assert Client().get(address(scene), {"n": number}).status_code == 200
        assert Client().get(address(scene), {"n": str(number), "seen": "1"}).status_code == 200
    assert not kept
    for _ in range(2):
        Client().get(address(scene), QUERY_STRING="stage=1&stage=1")
        Client().get(address(scene), {"stage": "1"})
    assert len(set(kept)) == 1


def test_a_page_that_follows_is_told_of_nothing_new(scene: Scene) -> None:
    seen = word(scene)
    for page in PAGES[:3]:
        assert Client().get(address(scene, page), {"seen": seen}).status_code == 204
    board = Client().get(address(scene, PAGES[3]), {"seen": f"published-{seen}"})
    assert board.status_code == 204


def test_a_page_that_follows_is_never_sent_back_to_what_was_before(scene: Scene) -> None:
    Client().get(address(scene))  # an edition, which stays young for a moment
    scene.submit(scene.matches()[1])
    latest = word(scene)
    assert Client().get(address(scene), {"seen": latest}).status_code == 204
    assert Client().get(address(scene), {"seen": str(int(latest) - 1)}).status_code == 204


def test_a_page_that_follows_gets_what_is_new_a_moment_later(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = word(scene)
    Client().get(address(scene))
    scene.submit(scene.matches()[1])
    assert Client().get(address(scene), {"seen": seen}).status_code == 204
    editions.words.clear()  # a second later
    assert Client().get(address(scene), {"seen": seen}).status_code == 204
    monkeypatch.setattr(editions, "LATE", 0.0)
    monkeypatch.setattr(editions, "REST", 0)
    told = Client().get(address(scene), {"seen": seen}, headers={"Accept-Encoding": "gzip"})
    assert told.status_code == 200
    assert told.headers["Content-Encoding"] == "gzip"
    assert body(told) == body(Client().get(address(scene)))


def test_who_follows_does_not_ask_the_database_who_opens_does(
    scene: Scene, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = word(scene)
    monkeypatch.setattr(editions, "RECENT", 60.0)
    assert Client().get(address(scene)).status_code == 200
    for page in PAGES[:-1]:
        with django_assert_num_queries(0):
            told = Client().get(address(scene, page), {"seen": f"published-{seen}"})
        assert told.status_code == 204, page
    with django_assert_num_queries(1):
        assert Client().get(address(scene)).status_code == 200


def test_one_visitor_writes_an_edition_while_the_others_who_follow_wait(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = word(scene)
    scene.submit(scene.matches()[1])
    asked: list[int] = []

    @editions.for_all
    def slow(request: Any, slug: str) -> Any:
        asked.append(Client().get(address(scene), {"seen": seen}).status_code)
        return HttpResponse("what is new")

    request = Client().get(address(scene)).wsgi_request
    cache.clear()
    monkeypatch.setattr(request, "GET", QueryDict(f"seen={seen}"))
    assert slow(request, slug=scene.tournament.slug).status_code == 200
    assert asked == [204]


@pytest.mark.django_db(transaction=True)
def test_who_opens_a_page_that_another_is_writing_gets_the_one_of_a_moment_before(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = reverse("crosstable", args=[scene.tournament.slug])
    before = body(Client().get(path))
    scene.submit(scene.matches()[1])
    held = threading.Lock()
    monkeypatch.setattr(editions, "LOCKS", (held,))
    monkeypatch.setattr(editions, "WRITING", 0.01)  # who waits does not wait for ever
    with held:
        assert body(Client().get(path)) == before
        monkeypatch.setattr(editions, "LATE", 0.0)
        monkeypatch.setattr(editions, "REST", 0)
        assert body(Client().get(path)) != before


@pytest.mark.parametrize("page", ["", "crosstable/", "rounds/", "rounds/1/"])
def test_a_page_sent_compressed_has_the_token_in_its_forms_and_nothing_else_changed(
    scene: Scene, page: str
) -> None:
    whole = Client().get(address(scene, page))
    browser = Client(headers={"accept-encoding": "gzip"})
    packed = browser.get(address(scene, page))
    assert packed.headers["Content-Encoding"] == "gzip"
    text = gzip.decompress(packed.content).decode()
    tokens = re.findall(r'csrfmiddlewaretoken" value="([^"]*)"', text)
    assert tokens
    assert all(len(token) == len(tokens[0]) == 64 for token in tokens)
    assert body(packed) == body(whole)
    said = {"language": "en", "csrfmiddlewaretoken": tokens[0]}
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    assert strict.post(reverse("set_language"), said).status_code == 302


def test_a_page_without_a_form_is_the_same_for_all() -> None:
    text = "<p>¿Quién da?</p>" * 100
    kept, gaps = editions.without_tokens(HttpResponse(text))
    assert gaps == ()
    assert gzip.decompress(kept).decode() == text


@pytest.mark.parametrize("forms", [1, 2, 5])
def test_a_token_is_put_into_every_gap_of_a_compressed_page(forms: int) -> None:
    form = '<p>¡Arrastro!</p><input name="csrfmiddlewaretoken" value="{}">'
    kept, gaps = editions.without_tokens(HttpResponse(form.format("x" * 64) * forms + "<b>ñ</b>"))
    edition = editions.Edition(1, 0.0, 0.0, kept, gaps)
    packed, page = editions.with_token(edition, b"T0k3n" * 12)
    wanted = form.format("T0k3n" * 12) * forms + "<b>ñ</b>"
    assert page.decode() == wanted
    assert gzip.decompress(packed) == page
    assert gzip.decompress(kept).decode() == form.format("") * forms + "<b>ñ</b>"


def test_everybody_gets_a_token_of_his_own_in_the_forms(scene: Scene) -> None:
    tokens = set()
    for _ in range(3):
        client = Client()
        text = client.get(address(scene)).content.decode()
        found = re.findall(r'csrfmiddlewaretoken" value="([^"]+)"', text)
        assert found
        assert client.cookies["csrftoken"]
        tokens.add(found[0])
    assert len(tokens) == 3


def test_the_form_of_a_kept_page_is_taken(scene: Scene) -> None:
    Client().get(address(scene))
    client = Client(enforce_csrf_checks=True)
    text = client.get(address(scene)).content.decode()
    token = re.findall(r'csrfmiddlewaretoken" value="([^"]+)"', text)[0]
    sent = {"language": "en", "csrfmiddlewaretoken": token, "next": address(scene)}
    assert client.post("/i18n/setlang/", sent).status_code == 302


def test_who_is_signed_in_gets_his_own_page_and_leaves_none_behind(scene: Scene) -> None:
    organiser = Client()
    organiser.force_login(scene.users["organiser"])
    own = organiser.get(address(scene)).content.decode()
    assert "organiser" in own
    assert "organiser" not in Client().get(address(scene)).content.decode()
    Client().get(address(scene))
    assert "organiser" in organiser.get(address(scene)).content.decode()


def test_each_language_has_its_own(scene: Scene) -> None:
    spanish = Client().get(address(scene), headers={"Accept-Language": "es"}).content.decode()
    english = Client().get(address(scene), headers={"Accept-Language": "en"}).content.decode()
    assert 'lang="es"' in spanish
    assert 'lang="en"' in english


def test_a_tournament_that_became_private_is_gone_at_once(scene: Scene) -> None:
    seen = word(scene)
    assert Client().get(address(scene)).status_code == 200
    type(scene.tournament).objects.update(state="draft")
    assert Client().get(address(scene)).status_code == 404
    assert Client().get(address(scene), {"seen": seen}).status_code == 404
