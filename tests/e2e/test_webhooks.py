"""An organiser adds a webhook, keeps its secret, tries it, and reads what was answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.quick import long
from tests.support import scenes
from tests.support.webhook_scenes import OtherSide, reply_with
from tournaments.models import Webhook
from tournaments.webhooks.services.deliveries import send_due
from tournaments.webhooks.services.webhooks import secret_text

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(
    ("screen", "scheme"), [(DESK, "dark"), *long([(PHONE, "light")])], ids=["desk", "phone"]
)
def test_a_webhook_from_its_address_to_an_answer(
    visitor: Callable[..., Visitor],
    screen: dict[str, int],
    scheme: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    OtherSide(says=lambda _: reply_with(500, b"no puedo")).install(monkeypatch)
    scene = scenes.running()
    organiser = visitor(screen, scheme=scheme)
    organiser.sign_in("organiser")
    organiser.go(f"/clubs/{scene.club.slug}/")
    organiser.follow("Webhooks")
    organiser.page.locator("[name=url]").fill("https://club.example/baza")
    organiser.page.locator("input[name=description]").fill("Marcador de la sede")
    organiser.press("Añadirlo")
    row = Webhook.objects.get()
    expect(organiser.page.get_by_text(secret_text(row))).to_be_visible()
    organiser.press("Enviar un mensaje de prueba")
    expect(organiser.page.get_by_text(secret_text(row))).to_have_count(0)
    send_due(scene.club.pk)
    organiser.go(f"/clubs/{scene.club.slug}/webhooks/{row.pk}/")
    organiser.page.get_by_text("Lo que respondió").click()
    expect(organiser.page.get_by_text("no puedo")).to_be_visible()
    organiser.look()
    organiser.go(f"/clubs/{scene.club.slug}/webhooks/")
    organiser.go(f"/clubs/{scene.club.slug}/webhooks/{row.pk}/")
    organiser.follow("Eliminar")
    organiser.press("Quitarlo")
    assert not Webhook.objects.exists()
