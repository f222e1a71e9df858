"""The stream of a tournament in a browser: one connection, and pages that change where they are."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import APIResponse, BrowserContext, Page, Request, Route, expect

from tests.e2e.conftest import LIVE
from tests.served import WebServer
from tests.support import scenes
from tournaments.director.services.draws import draw
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.support.scenes import Scene

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def server(child_environment: dict[str, str], tmp_path: Path) -> Iterator[WebServer]:
    environment = child_environment | {"BAZA_DEBUG": "1"}  # static files need not be collected
    with WebServer(environment, tmp_path / "granian.log") as service:
        yield service


def published() -> Scene:
    scene = scenes.drawn()
    publish_round(scene.organiser, scene.rounds[0])
    return scene


def points_of(page: Page, scene: Scene, match: int = 0) -> None:
    row = page.locator("tr").filter(has_text=scene.matches()[match].home.name)
    expect(row.locator(".total")).to_have_text("2", timeout=LIVE)


class RequestCounter:
    """Counts what the pages of a browser ask for."""

    def __init__(self, context: BrowserContext) -> None:
        self.streams: Counter[Page] = Counter()
        self.looks: Counter[Page] = Counter()
        context.on("request", self.note)

    def note(self, request: Request) -> None:
        if request.url.endswith("/events/stream/"):
            self.streams[request.frame.page] += 1
        elif "seen=" in request.url:
            self.looks[request.frame.page] += 1


def test_two_tabs_have_one_connection_and_both_show_the_result(
    server: WebServer, context: BrowserContext
) -> None:
    scene = published()
    requests = RequestCounter(context)
    pages = [context.new_page(), context.new_page()]
    for page in pages:
        page.goto(f"{server.url}/t/{scene.tournament.slug}/")
    pages[0].wait_for_timeout(6000)
    assert requests.streams.total() == 1
    assert requests.looks.total() == 0, "nothing has happened: the stream says so"
    report_result(scene.organiser, scene.matches()[0], score=Score(3, 1, 0, 0))
    for page in pages:
        points_of(page, scene)
    assert requests.streams.total() == 1
    first = next(iter(requests.streams))
    other = next(page for page in pages if page is not first)
    first.close()
    other.wait_for_timeout(500)
    assert requests.streams.total() == 2, "the other tab takes the stream over"


def test_a_far_page_shows_a_result_and_stays_where_it_is(
    server: WebServer, context: BrowserContext
) -> None:
    scene = published()
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 400})
    context.new_cdp_session(page).send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 800, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    page.goto(f"{server.url}/t/{scene.tournament.slug}/")
    page.wait_for_timeout(3000)
    table = page.locator(".scroll").first
    table.evaluate("(box) => { box.scrollLeft = 40; }")
    standings = page.get_by_role("region", name="Clasificación")
    link = standings.get_by_role("link", name=scene.matches()[0].home.name, exact=True)
    link.focus()
    scrolled = table.evaluate("(box) => [box.scrollLeft, window.scrollY]")
    began = time.monotonic()
    report_result(scene.organiser, scene.matches()[0], score=Score(3, 1, 0, 0))
    points_of(page, scene)
    print(f"shown after {time.monotonic() - began:.1f} s")
    assert table.evaluate("(box) => [box.scrollLeft, window.scrollY]") == scrolled
    expect(link).to_be_focused()


def test_a_result_is_shown_that_came_while_the_answer_with_the_one_before_was_under_way(
    server: WebServer, context: BrowserContext
) -> None:
    scene = published()
    page = context.new_page()
    page.goto(f"{server.url}/t/{scene.tournament.slug}/")
    answers: list[tuple[Route, APIResponse]] = []
    context.route("**/*seen=*", lambda route: answers.append((route, route.fetch())), times=1)
    first, second = scene.matches()[:2]
    report_result(scene.organiser, first, score=Score(3, 1, 0, 0))
    for _ in range(50):
        if answers:
            break
        page.wait_for_timeout(100)
    report_result(scene.organiser, second, score=Score(3, 1, 0, 0))
    page.wait_for_timeout(4000)  # the stream has said so, and the page has been about to ask
    [(route, response)] = answers
    route.fulfill(response=response)
    points_of(page, scene)
    points_of(page, scene, match=1)


def test_a_browser_without_a_stream_and_one_that_is_refused_poll(
    server: WebServer, new_context: Callable[[], BrowserContext]
) -> None:
    scene = published()
    without, refused = new_context(), new_context()
    without.add_init_script("delete window.EventSource")
    requests = RequestCounter(without)
    refused.route("**/events/stream/", lambda route: route.fulfill(status=429))
    pages = [without.new_page(), refused.new_page()]
    for page in pages:
        page.goto(f"{server.url}/t/{scene.tournament.slug}/")
    report_result(scene.organiser, scene.matches()[0], score=Score(3, 1, 0, 0))
    for page in pages:
        points_of(page, scene)
    assert requests.streams.total() == 0


def test_a_projector_that_is_opened_before_the_draw_begins_with_the_first_round(
    server: WebServer, context: BrowserContext
) -> None:
    scene = scenes.draft()
    client = Client()
    client.force_login(scene.users["organiser"])  # others see no draft
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server.url}])
    page = context.new_page()
    with page.expect_request("**/events/stream/"):
        page.goto(f"{server.url}/t/{scene.tournament.slug}/screen/")
    expect(page.locator(".screen__waiting")).to_be_visible()
    scene.tournament = draw(scene.organiser, scene.tournament)
    publish_round(scene.organiser, scene.rounds[0])
    expect(page.locator(".screen__slide--tables")).to_contain_text(scene.matches()[0].home.name)
