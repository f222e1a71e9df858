"""Two phones agree on a result, two others do not, and the arbiter rules at the desk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import BrowserContext, expect

from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.support import scenes
from tournaments.core.permissions import Actor
from tournaments.core.views import ENTRY_CODES
from tournaments.director.services import tournaments
from tournaments.domain.scores import Score
from tournaments.models import Entry, Match
from tournaments.results.services.matches import dispute_result, rule_on_dispute
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def phone(
    new_context: Callable[..., BrowserContext], live_server: LiveServer
) -> Callable[[Entry | None], Visitor]:
    """Give a function that hands out phones on which the code of an entry was given."""

    def make(entry: Entry | None) -> Visitor:
        context = new_context(viewport=PHONE, reduced_motion="reduce")
        if entry is not None:
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
        page.set_default_timeout(10_000)
        return Visitor(page, live_server.url)

    return make


def choose(visitor: Visitor, **hands: int) -> None:
    """Press the numbers of a score."""
    for side, number in hands.items():
        visitor.page.locator(f"[name={side}_hands][value='{number}']").check()


def report(visitor: Visitor, **hands: int) -> None:
    """Choose a score on a phone, send it, and wait until it is saved."""
    choose(visitor, **hands)
    visitor.page.get_by_role("button", name="Comunicar el resultado").click()
    expect(visitor.page.locator(".queue__line--saved")).to_have_count(1)


def table_of(visitor: Visitor, path: str) -> str:
    """Read the standings."""
    visitor.go(path)
    return visitor.page.locator("main table").first.inner_text()


def test_two_phones_agree_two_do_not_and_the_arbiter_rules_at_the_desk(
    visitor: Callable[..., Visitor], phone: Callable[[Entry | None], Visitor]
) -> None:
    scene = scenes.drawn()
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    first, second = scene.matches()
    slug = scene.tournament.slug
    table, standings = f"/t/{slug}/table/", f"/t/{slug}/"
    anybody = phone(None)
    empty = table_of(anybody, standings)

    # Table 1: reported by one side, confirmed by the other
    home, away = phone(first.home), phone(first.away)
    home.go(table)
    report(home, home=3, away=1)
    expect(home.page.locator(".own").get_by_text("Por confirmar")).to_be_visible()
    home.look()
    assert table_of(anybody, standings) == empty, "a report moved the standings"
    away.go(table)
    away.page.get_by_role("button", name="Confirmar el resultado").click()
    expect(
        away.page.locator(".queue").get_by_text("Confirmado: el resultado vale.").last
    ).to_be_visible()
    moved = table_of(anybody, standings)
    assert moved != empty

    # Table 2: hand by hand; the other side says otherwise
    third, fourth = phone(second.home), phone(second.away)
    third.go(table)
    third.follow("Anotar los tantos de cada mano")
    for number, points in enumerate(((90, 40), (130, 20), (100, 30)), 1):
        third.page.locator(f"[name=h{number}_home]").fill(str(points[0]))
        third.page.locator(f"[name=h{number}_away]").fill(str(points[1]))
    expect(third.page.locator("[data-total]").first).to_have_text("320")
    third.press("Comunicar las manos")
    fourth.go(table)
    fourth.page.get_by_text("Acabó de otra manera").click()
    choose(fourth, home=1)  # the other side's are given: only 1–3 is left
    fourth.page.get_by_role("button", name="Comunicar el resultado").click()
    expect(fourth.page.get_by_text("El otro bando ha comunicado").last).to_be_visible()
    fourth.look()
    fourth.page.get_by_role("button", name="Enviarlo de todos modos").click()
    expect(fourth.page.locator(".own").get_by_text("En reclamación").first).to_be_visible()
    assert Match.objects.get(pk=second.pk).state == "disputed"
    assert table_of(anybody, standings) == moved, "a dispute moved the standings"

    # The arbiter rules; what changes is shown before
    arbiter = visitor(DESK)
    page = arbiter.page
    arbiter.sign_in("arbiter")
    arbiter.go(f"/t/{slug}/desk/")
    expect(page.get_by_text("1 reclamación pendiente")).to_be_visible()
    with page.expect_navigation():
        page.locator("#disputes ~ ul a").first.click()
    arbiter.look()
    page.get_by_label("Vale lo que lo contradice").check()
    page.locator("[name=reason]").fill("Los dos marcadores de papel dicen 1-3.")
    arbiter.press("Resolver la reclamación")
    assert Match.objects.get(pk=second.pk).state == "accepted"
    assert table_of(anybody, standings) not in {empty, moved}
    third.go(table)
    expect(third.page.locator(".own__hands")).to_have_text(["1", "3"])


def test_a_whole_round_is_typed_at_the_desk_without_touching_the_mouse(
    visitor: Callable[..., Visitor],
) -> None:
    scene = scenes.drawn()
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    arbiter = visitor(DESK)
    page = arbiter.page
    arbiter.sign_in("arbiter")
    arbiter.go(f"/t/{scene.tournament.slug}/desk/")
    for table, hands in (("1", "3-1"), ("2", "0-3")):
        expect(page.locator("[name=table]")).to_be_focused()
        page.keyboard.type(table)
        page.keyboard.press("Tab")
        page.keyboard.type(hands)
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"Mesa {table}: {hands.replace('-', '–')} vale.")).to_be_visible()
        expect(page.locator("[name=table]")).to_have_value("")
    expect(page.get_by_text("La ronda 1 está completa.")).to_be_visible()
    arbiter.look()
    assert all(match.state == "accepted" for match in scene.matches())


def test_the_desk_sees_a_report_without_being_asked_to_look(
    visitor: Callable[..., Visitor], phone: Callable[[Entry | None], Visitor]
) -> None:
    scene = scenes.drawn()
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    arbiter = visitor(PHONE)
    page = arbiter.page
    arbiter.sign_in("arbiter")
    arbiter.go(f"/t/{scene.tournament.slug}/desk/")
    home = phone(scene.matches()[0].home)
    home.go(f"/t/{scene.tournament.slug}/table/")
    report(home, home=3, away=2)
    expect(page.get_by_role("link", name="Confirmar el resultado pendiente")).to_be_visible()
    arbiter.follow("Confirmar el resultado pendiente")
    arbiter.press("Confirmarlos")
    expect(page.get_by_text("1 resultado confirmado.")).to_be_visible()
    assert scene.matches()[0].state == "accepted"


def test_ones_own_table_follows_reports_disputes_and_the_next_round(
    phone: Callable[[Entry | None], Visitor],
) -> None:
    scene = scenes.drawn()
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    first, second = scene.matches()
    away = phone(first.away)
    page, element = away.page, away.page.locator("[data-told]")
    away.go(f"/t/{scene.tournament.slug}/table/")
    title = page.title()
    expect(element).to_be_empty()
    page.get_by_text("Enseñar a los rivales").click()
    page.get_by_role("link", name="Clasificación").last.focus()

    # The other side reports: said aloud, in the title, with its button; focus and all stay
    report_result(Actor.for_entry(first.home), first, score=Score(3, 1, 0, 0))
    expect(element).to_have_text(f"{first.home.name} ha comunicado 3–1. ¿Es correcto?")
    expect(page).to_have_title(re.compile(r"^\(1\) .* ha comunicado 3–1"))
    expect(page.get_by_role("button", name="Confirmar el resultado")).to_be_visible()
    expect(page.get_by_role("link", name="Clasificación").last).to_be_focused()
    expect(page.locator(".qr-panel")).to_have_attribute("open", "")
    away.look()
    page.keyboard.press("Tab")
    expect(page).to_have_title(title)

    # A dispute
    dispute = dispute_result(scene.organiser, first, "Fue al revés.")
    expect(element).to_have_text("Ronda 1, mesa 1: el resultado está en reclamación.")
    rule_on_dispute(scene.organiser, dispute, ruling="uphold", reason="Vale.")
    expect(element).to_have_text("Ronda 1, mesa 1: vale 3–1.")

    # The next table
    report_result(scene.organiser, second, score=Score(3, 1, 0, 0))
    tournaments.close_round(scene.organiser, scene.rounds[0])
    tournaments.publish_round(scene.organiser, scene.rounds[1])
    expect(element).to_contain_text("Ronda 2, mesa ")
    expect(page.get_by_role("button", name="Comunicar el resultado")).to_be_visible()
    away.look()
