"""The pages about webhooks: what an organiser sees and does."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.clubs import a_club
from tests.support import scenes
from tests.support.webhook_scenes import OtherSide, reply_with, unanswered
from tournaments.models import Delivery, Webhook
from tournaments.webhooks.services.deliveries import send_due
from tournaments.webhooks.services.webhooks import MAX_PER_CLUB, secret_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> scenes.Scene:
    return scenes.running()


@pytest.fixture
def organiser(scene: scenes.Scene) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(scene.users["organiser"])
    return client


def base(scene: scenes.Scene) -> str:
    return f"/clubs/{scene.club.slug}/webhooks/"


def text_of(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def added(client: Client, scene: scenes.Scene, **fields: object) -> Webhook:
    response = client.post(base(scene), {"url": "https://club.example/baza", **fields})
    row = Webhook.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"{base(scene)}{row.pk}/")
    return row


def test_the_secret_is_shown_once_after_it_was_made(organiser: Client, scene: scenes.Scene) -> None:
    row = added(organiser, scene, description="Marcador", tournament=scene.tournament.slug)
    page = f"{base(scene)}{row.pk}/"
    first = organiser.get(page)
    assert secret_text(row) in first.content.decode()
    assert "no-store" in first["Cache-Control"]
    assert secret_text(row) not in text_of(organiser, page)
    assert row.tournament == scene.tournament
    organiser.post(f"{page}secret/")
    row.refresh_from_db()
    organiser.head(page)
    assert secret_text(row) in text_of(organiser, page)
    assert secret_text(row) not in text_of(organiser, page)


def test_an_address_that_is_refused_is_said_at_its_field(
    organiser: Client, scene: scenes.Scene
) -> None:
    response = organiser.post(base(scene), {"url": "http://club.example/"})
    assert response.status_code == 422
    assert "it does not begin with https://" in response.content.decode()
    assert not Webhook.objects.exists()


def test_what_was_answered_can_be_read_and_sent_again(
    organiser: Client, scene: scenes.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    OtherSide(says=lambda _: reply_with(500, b"<b>roto</b>")).install(monkeypatch)
    row = added(organiser, scene)
    page = f"{base(scene)}{row.pk}/"
    organiser.post(f"{page}ping/")
    send_due(scene.club.pk)
    text = text_of(organiser, page)
    assert "&lt;b&gt;roto&lt;/b&gt;" in text
    assert "answer 500 after 12 ms" in text
    assert "does not answer" in text
    delivery = Delivery.objects.get()
    for path in ("redeliver/", f"messages/{delivery.pk}/send/"):
        OtherSide(says=lambda _: unanswered()).install(monkeypatch)
        assert organiser.post(f"{page}{path}").status_code == 302
        assert send_due(scene.club.pk) == 1
    assert "no answer in time" in text_of(organiser, page)


def test_a_disabled_webhook_says_why_and_can_go_on(
    organiser: Client, scene: scenes.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    OtherSide(says=lambda _: reply_with(410)).install(monkeypatch)
    row = added(organiser, scene)
    page = f"{base(scene)}{row.pk}/"
    organiser.post(f"{page}ping/")
    send_due(scene.club.pk)
    assert "the address answered 410" in text_of(organiser, page)
    assert "disabled" in text_of(organiser, base(scene))
    organiser.post(f"{page}resume/")
    row.refresh_from_db()
    assert row.state == Webhook.State.ACTIVE


def test_pausing_and_removing(organiser: Client, scene: scenes.Scene) -> None:
    row = added(organiser, scene)
    page = f"{base(scene)}{row.pk}/"
    organiser.post(f"{page}pause/")
    assert "Resume" in text_of(organiser, page)
    assert "cannot be undone" in text_of(organiser, f"{page}remove/")
    assert organiser.post(f"{page}remove/")["Location"] == base(scene)
    assert organiser.get(page).status_code == 404
    assert organiser.post(f"{page}dance/").status_code == 404


def test_the_form_of_a_page_that_was_open_says_that_there_are_too_many(
    organiser: Client, scene: scenes.Scene
) -> None:
    fields = {"club": scene.club, "url": "https://club.example/baza"}
    Webhook.objects.bulk_create(Webhook(**fields) for _ in range(MAX_PER_CLUB))
    assert "Add a webhook" not in text_of(organiser, base(scene))
    answer = organiser.post(base(scene), {"url": "https://club.example/other"})
    assert answer.status_code == 409
    assert f"{MAX_PER_CLUB} webhooks at most" in answer.content.decode()


def test_a_webhook_of_another_club_is_not_there(organiser: Client, scene: scenes.Scene) -> None:
    row = added(organiser, scene)
    other = a_club("Peña del Tubo")
    Webhook.objects.update(club=other)
    for path in ("", "secret/", "remove/"):
        assert organiser.get(f"{base(scene)}{row.pk}/{path}").status_code == 404
