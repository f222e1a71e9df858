"""One button shares a page that everybody sees: by an app, WhatsApp, the clipboard, a QR code."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from tests.clubs import SYSTEM, submitted, the_liguilla, the_match
from tests.signup.test_signing_up import a_posted, ask
from tournaments.director.services.tournaments import set_visibility
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

HOST = "http://testserver"


def shared_by(path: str, client: Client | None = None) -> list[str]:
    """The addresses that a page shares, each the same by app, WhatsApp and QR code."""
    page = (client or Client()).get(path).content.decode()
    paths = re.findall(r'data-share data-title="[^"]+" data-path="([^"]+)"', page)
    addresses = [f"{HOST}{path}" for path in paths]
    for address in addresses:
        (whatsapp,) = re.findall(r'href="(https://wa\.me/[^"]+)"', page)
        assert parse_qs(urlsplit(whatsapp).query)["text"][0].endswith(f" {address}")
        assert f'src="/address.svg?to={address.removeprefix(HOST)}"' in page
    return addresses


def test_pages_share_their_own_address_while_everybody_sees_them() -> None:
    tournament = the_liguilla()
    submitted(tournament, 0)
    slug, match = tournament.slug, the_match(tournament, 1, 1)
    player = tournament.club.players.order_by("pk")[0]
    pages = [f"/t/{slug}/", f"/t/{slug}/rounds/1/", f"/matches/{match.pk}/"]
    pages += [f"/matches/{match.pk}/hands/1/", f"/players/{player.pk}/", f"/t/{slug}/poster/"]
    for page in pages:
        assert shared_by(page) == [f"{HOST}{page}"]
    member = Client()
    member.post(f"/t/{slug}/come/code/", {"code": tournament.entries.order_by("pk")[0].code})
    assert shared_by(f"/t/{slug}/table/", member) == [f"{HOST}/t/{slug}/"]
    set_visibility(SYSTEM, tournament, Tournament.Visibility.PRIVATE)
    assert shared_by(f"/t/{slug}/table/", member) == []


def test_the_own_place_shares_the_poster_and_never_its_code() -> None:
    tournament = a_posted()
    code = ask(tournament, "Ana", "Bea").code
    client = Client()
    client.post(f"/t/{tournament.slug}/come/code/", {"code": code})
    path = f"/t/{tournament.slug}/sign-up/mine/"
    assert shared_by(path, client) == [f"{HOST}/t/{tournament.slug}/poster/"]
    assert f"/t/{tournament.slug}/calendar.ics" in client.get(path).content.decode()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/bots/", 200),
        ("//elsewhere.example/", 404),
        ("https://elsewhere.example/", 404),
        ("", 404),
    ],
)
def test_a_qr_code_leads_to_pages_of_this_service_alone(path: str, status: int) -> None:
    response = Client().get("/address.svg", {"to": path})
    assert response.status_code == status
    if status == 200:
        assert response["Content-Type"] == "image/svg+xml"
        assert response.content.startswith(b"<svg xmlns=")
