"""A player's phone: few presses, a cut network, what is new at once, large type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Visitor
from tests.e2e.test_desk_network import MINUTE, network
from tests.support import scenes
from tournaments.core.permissions import Actor
from tournaments.core.views import ENTRY_CODES
from tournaments.director.services import tournaments
from tournaments.domain.scores import Score
from tournaments.models import Entry, Match, Result
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LARGE_TYPE = "document.documentElement.style.fontSize = '200%'"
COUNTED = """
window.presses = 0;
window.shaken = [];
addEventListener("click", (event) => { if (event.detail) window.presses += 1; }, true);
navigator.vibrate = (pattern) => window.shaken.push(pattern);
"""


@pytest.fixture
def phone(
    new_context: Callable[..., BrowserContext], live_server: LiveServer
) -> Callable[[Entry | None], Visitor]:
    """Give a function that hands out phones at the table of an entry, whose code was given."""

    def make(entry: Entry | None) -> Visitor:
        assert entry is not None
        context = new_context(viewport=PHONE, reduced_motion="reduce")
        context.add_init_script(COUNTED)
        session = SessionStore()
        session[ENTRY_CODES] = {entry.tournament.slug: entry.code}
        session.save()
        cookie: Any = {
            "name": settings.SESSION_COOKIE_NAME,
            "value": str(session.session_key),
            "url": live_server.url,
        }
        context.add_cookies([cookie])
        page = context.new_page()
        page.set_default_timeout(MINUTE)
        visitor = Visitor(page, live_server.url)
        page.goto(f"{live_server.url}/t/{entry.tournament.slug}/table/")
        return visitor

    return make


@pytest.fixture
def scene() -> scenes.Scene:
    """The first round is published."""
    scene = scenes.drawn()
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    return scene


def press(page: Page, name: str) -> None:
    """Press a button by the finger, wherever it is on the page."""
    page.get_by_role("button", name=name, exact=True).click()


def choose(page: Page, side: str, hands: int) -> None:
    page.locator(f"[name={side}_hands][value='{hands}']").click()


def presses(page: Page) -> int:
    count: int = page.evaluate("window.presses")
    return count


def test_a_report_takes_two_presses_and_its_confirmation_one(
    scene: scenes.Scene, phone: Callable[[Entry | None], Visitor]
) -> None:
    match = scene.matches()[0]
    home, away = phone(match.home).page, phone(match.away).page
    choose(home, "home", 1)
    expect(home.locator("[name=away_hands][value='3']")).to_be_checked()
    press(home, "Comunicar el resultado")
    expect(home.locator(".queue__line--saved")).to_contain_text("Ronda 1, mesa 1: 1–3")
    assert presses(home) == 2
    press(away, "Confirmar el resultado")
    expect(away.locator(".queue__line--saved")).to_contain_text("Confirmado: el resultado vale.")
    assert presses(away) == 1
    assert Match.objects.get(pk=match.pk).state == "accepted"


def test_only_scores_that_can_be_are_left_to_choose(
    scene: scenes.Scene, phone: Callable[[Entry | None], Visitor]
) -> None:
    page = phone(scene.matches()[0].home).page
    choose(page, "home", 3)
    expect(page.locator("[name=away_hands]:checked")).to_have_count(0)
    choose(page, "away", 2)
    expect(page.locator("[name=home_hands][value='3']")).to_be_checked()
    choose(page, "away", 3)
    expect(page.locator("[name=home_hands]:checked")).to_have_count(0)
    press(page, "Comunicar el resultado")
    expect(page.locator(".queue")).to_be_hidden()
    choose(page, "home", 0)
    expect(page.locator("[name=away_hands][value='3']")).to_be_checked()


def test_a_report_through_a_cut_and_a_reload_arrives_once(
    scene: scenes.Scene, phone: Callable[[Entry | None], Visitor]
) -> None:
    match = scene.matches()[0]
    user = phone(match.home)
    page, be = user.page, network(user.page)
    be(offline=True)
    choose(page, "home", 0)
    press(page, "Comunicar el resultado")
    waits = page.locator(".queue__line--pending")
    expect(waits).to_contain_text("en este teléfono, por enviar")
    expect(page.get_by_text("Sin conexión. Se guarda en este teléfono")).to_be_visible()
    expect(page.get_by_role("button", name="Comunicar el resultado")).to_be_hidden()
    expect(page.locator("[name=away_hands][value='3']")).to_be_checked()
    user.look(is_cut=True)
    assert not Result.objects.exists()

    page.route("**/report/", lambda route: route.abort())  # the page comes back, reports do not
    be()
    page.reload()
    expect(waits).to_have_count(1)
    page.unroute("**/report/")
    expect(page.locator(".queue__line--saved")).to_have_count(1)
    expect(waits).to_have_count(0)
    expect(page.locator("[data-net]")).to_be_hidden()
    assert Result.objects.get().reported_for == "home"


def test_a_reload_without_a_network_shows_the_table_and_what_waits(
    scene: scenes.Scene, phone: Callable[[Entry | None], Visitor], live_server: LiveServer
) -> None:
    match = scene.matches()[0]
    user = phone(match.home)
    page = user.page
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    choose(page, "home", 0)
    press(page, "Comunicar el resultado")
    waits = page.locator(".queue__line--pending")
    expect(waits).to_have_count(1)
    page.reload()
    expect(waits).to_contain_text("en este teléfono, por enviar")
    expect(page.locator(".own__name")).to_have_text(match.home.name)
    user.look(is_cut=True)
    with pytest.raises(PlaywrightError, match="ERR_INTERNET_DISCONNECTED"):
        page.goto(f"{live_server.url}/t/{scene.tournament.slug}/")  # no other page is kept
    page.context.set_offline(False)
    user.complaints.clear()  # those of the browser without a network
    user.go(f"/t/{scene.tournament.slug}/table/")
    expect(page.locator(".queue__line--saved")).to_have_count(1)
    assert Result.objects.get().reported_for == "home"


def test_an_answer_that_was_lost_is_asked_for_again_and_nothing_is_done_twice(
    scene: scenes.Scene, phone: Callable[[Entry | None], Visitor]
) -> None:
    match = scene.matches()[0]
    page = phone(match.home).page
    network(page)(800)
    lost: list[int] = []

    def lose(route: Any) -> None:
        lost.append(route.fetch().status)  # it arrives, its answer does not
        route.abort()
        page.unroute("**/report/")

    page.route("**/report/", lose)
    choose(page, "away", 2)
    press(page, "Comunicar el resultado")
    expect(page.locator(".queue__line--saved")).to_contain_text("Ronda 1, mesa 1: 3–2")
    assert lost == [200]
    assert Result.objects.get().version == 1


def test_a_confirmation_check_in_and_withdrawal_wait_for_the_network_too(
    phone: Callable[[Entry | None], Visitor],
) -> None:
    scene = scenes.drawn()
    entry = scene.tournament.entries.get(number=1)
    page = phone(entry).page
    be = network(page)
    be(offline=True)
    press(page, "Estamos aquí")
    expect(page.locator(".queue__line--pending")).to_contain_text("Estamos aquí")
    be(800)
    expect(page.locator(".queue__line--saved")).to_have_count(1)
    expect(page.get_by_text("ha venido")).to_be_visible()
    entry.refresh_from_db()
    assert entry.checked_in_at is not None

    tournaments.publish_round(scene.organiser, scene.rounds[0])
    match = scene.matches()[0]
    assert match.away is not None
    other = phone(match.away).page
    report_result(Actor.for_entry(match.home), match, score=Score(3, 1, 0, 0))
    expect(other.get_by_role("button", name="Confirmar el resultado")).to_be_visible()
    be = network(other)
    be(offline=True)
    press(other, "Confirmar el resultado")
    other.locator("summary", has_text="Retirarse del torneo").click()
    other.get_by_label("Sí, nos retiramos del torneo").check()
    press(other, "Retirarse")
    expect(other.locator(".queue__line--pending")).to_have_count(2)
    be()
    expect(other.locator(".queue__line--saved")).to_have_count(2)
    expect(other.get_by_text("Estáis fuera del torneo.")).to_be_visible()
    assert Match.objects.get(pk=match.pk).state == "accepted"
    assert match.away.absences.get().kind == "withdrawn"


def test_what_another_entry_s_page_kept_is_not_sent_in_the_name_of_this_one(
    scene: scenes.Scene, phone: Callable[[Entry | None], Visitor]
) -> None:
    match = scene.matches()[0]
    assert match.away is not None
    page = phone(match.home).page
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    session = SessionStore(cookies[settings.SESSION_COOKIE_NAME])
    session[ENTRY_CODES] = {scene.tournament.slug: match.away.code}  # given in another tab
    session.save()
    page.route("**/table/**", lambda route: route.abort())  # the page stays that of the first
    choose(page, "home", 0)
    press(page, "Comunicar el resultado")
    expect(page.get_by_text("Este teléfono no habla ahora por ti")).to_be_visible()
    assert not Result.objects.exists()


def test_the_next_round_is_announced_on_the_open_page_while_a_score_is_being_chosen(
    scene: scenes.Scene, phone: Callable[[Entry | None], Visitor]
) -> None:
    first, second = scene.matches()
    user = phone(first.home)
    page = user.page
    choose(page, "home", 3)
    page.get_by_text("Sonido cuando hay novedades").click()
    expect(page.locator("[data-alerts]")).to_have_attribute("aria-pressed", "true")
    report_result(scene.organiser, second, score=Score(3, 1, 0, 0))
    page.locator("[name=home_hands][value='3']").focus()
    expect(page.locator("[name=home_hands][value='3']")).to_be_checked()
    report_result(scene.organiser, first, score=Score(3, 1, 0, 0))
    tournaments.close_round(scene.organiser, scene.rounds[0])
    tournaments.publish_round(scene.organiser, scene.rounds[1])
    next_match = next(m for m in scene.matches(2) if first.home in (m.home, m.away))
    expect(page.locator("[data-told]")).to_contain_text(f"Ronda 2, mesa {next_match.table}")
    expect(page.locator(".own__table")).to_contain_text(str(next_match.table))
    assert "Ronda 2" in page.title()
    assert page.evaluate("window.shaken.length") >= 1
    expect(page.locator(".own__day")).to_contain_text("3–1")
    user.look()


def test_nothing_is_lost_with_type_of_twice_the_size(
    scene: scenes.Scene, phone: Callable[[Entry | None], Visitor]
) -> None:
    page = phone(scene.matches()[0].home).page
    page.evaluate(LARGE_TYPE)
    wide = page.evaluate(
        """[...document.querySelectorAll("body *")].filter((one) => {
            const box = one.getBoundingClientRect();
            return box.width > 1 && box.right > innerWidth;
        }).map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert wide == []
    choose(page, "home", 0)
    press(page, "Comunicar el resultado")
    expect(page.locator(".queue__line--saved")).to_have_count(1)


def test_without_javascript_a_score_is_chosen_and_sent(
    scene: scenes.Scene,
    phone: Callable[[Entry | None], Visitor],
    new_context: Callable[..., BrowserContext],
) -> None:
    match = scene.matches()[0]
    cookies = phone(match.home).page.context.cookies()
    plain = new_context(viewport=PHONE, java_script_enabled=False)
    plain.add_cookies(cookies)  # type: ignore[arg-type]
    page = plain.new_page()
    page.set_default_timeout(MINUTE)
    page.goto(phone(match.home).page.url)
    choose(page, "home", 3)
    choose(page, "away", 1)
    with page.expect_navigation():
        press(page, "Comunicar el resultado")
    expect(page.get_by_text("Por confirmar").first).to_be_visible()
    assert Result.objects.get().home_hands == 3
