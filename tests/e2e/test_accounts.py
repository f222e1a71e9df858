"""An arbiter is invited from the laptop, comes by phone, and goes again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.support import scenes
from tournaments.domain.totp import code_of, step_at
from tournaments.models import Membership, SecondFactor

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "la espada corta el viento"


@pytest.fixture
def browser_of(
    new_context: Callable[..., BrowserContext], live_server: LiveServer
) -> Callable[..., Visitor]:
    """Give a function that hands out browsers, each with its own cookies."""

    def make(screen: Any, **more: Any) -> Visitor:
        page = new_context(viewport=screen, reduced_motion="reduce", **more).new_page()
        page.set_default_timeout(10_000)
        return Visitor(page, live_server.url)

    return make


def code_now(name: str, steps: int = 0) -> str:
    secret = SecondFactor.objects.get(user__username=name).secret
    return code_of(secret, step_at(timezone.now().timestamp()) + steps)


def invite(boss: Visitor, slug: str) -> str:
    """Make an invitation for an arbiter, and return the path of its link."""
    boss.go(f"/clubs/{slug}/")
    boss.follow("Miembros y permisos")
    boss.page.locator("[name=note]").fill("Ana, mesa 3")
    boss.press("Crear el enlace")
    expect(boss.page.get_by_role("img", name="Código QR del enlace")).to_be_visible()
    link = boss.page.locator("#link").inner_text()
    boss.follow("Ya lo tengo")
    expect(boss.page.get_by_text("Ana, mesa 3")).to_be_visible()
    return link.removeprefix(boss.address)


def accept(guest: Visitor, link: str) -> None:
    """Make an account on the phone, and have the role."""
    guest.go(link)
    page = guest.page
    expect(page.get_by_text("organiser te invita")).to_be_visible()
    page.locator("[name=username]").fill("ana")
    page.locator("[name=chosen]").fill(PASSWORD)
    page.locator("[name=again]").fill(PASSWORD)
    guest.press("Crear la cuenta y aceptar")
    expect(page.get_by_text("Ya tienes un papel en Peña La Sota: árbitro.")).to_be_visible()


def set_factor_up(guest: Visitor) -> None:
    """Scan the picture, type the code, keep the recovery codes."""
    page = guest.page
    guest.follow("Tu cuenta")
    guest.follow("Configurar un segundo factor")
    expect(page.get_by_role("img", name="aplicación de autenticación")).to_be_visible()
    page.locator("[name=code]").fill(code_now("ana", -1))
    guest.press("Configurar")
    expect(page.locator(".codes li")).to_have_count(10)
    guest.follow("Ya los tengo")
    expect(page.get_by_text("Quedan 10 códigos de recuperación.")).to_be_visible()


def sign_in(guest: Visitor, name: str, password: str) -> None:
    """Sign in by the form."""
    page = guest.page
    guest.go("/accounts/login/")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(password)
    with page.expect_navigation():
        page.locator("main form button[type=submit]").click()
    guest.look()


def sign_in_in_two_steps(guest: Visitor) -> None:
    """Sign in on another device: password, then code."""
    page: Page = guest.page
    sign_in(guest, "ana", PASSWORD)
    page.locator("[name=code]").fill("000000")
    guest.press("Entrar")
    expect(page.get_by_text("Ese código no es correcto o ya se ha usado.")).to_be_visible()
    page.locator("[name=code]").fill(code_now("ana"))
    with page.expect_navigation():
        page.locator("main form button[type=submit]").click()
    guest.look()


def test_an_arbiter_is_invited_comes_by_phone_and_goes_again(
    browser_of: Callable[..., Visitor],
) -> None:
    cache.clear()
    scene = scenes.running()
    slug = scene.club.slug
    boss, phone = browser_of(DESK), browser_of(PHONE)
    tablet = browser_of(DESK, color_scheme="dark")
    sign_in(boss, "organiser", scenes.PASSWORD)

    accept(phone, invite(boss, slug))
    phone.go(f"/t/{scene.tournament.slug}/desk/")
    set_factor_up(phone)

    sign_in_in_two_steps(tablet)
    tablet.go("/accounts/")
    expect(tablet.page.locator(".person")).to_have_count(2)
    tablet.press("Cerrar las demás sesiones")
    phone.page.goto(phone.address + "/accounts/")
    expect(phone.page.locator("[name=password]")).to_be_visible()

    boss.go(f"/clubs/{slug}/people/")
    row = boss.page.locator(".person", has_text="ana")
    expect(row.get_by_text("segundo factor")).to_be_visible()
    with boss.page.expect_navigation():
        row.get_by_role("link", name="Retirar el papel de ana").click()
    boss.look()
    boss.press("Retirar")
    expect(boss.page.get_by_text("ana ya no tiene ningún papel en el club.")).to_be_visible()
    assert not Membership.objects.filter(user__username="ana").exists()
    assert User.objects.filter(username="ana").exists()
    refused = tablet.page.goto(f"{tablet.address}/t/{scene.tournament.slug}/desk/")
    assert refused is not None
    assert refused.status == 403
