"""A null character is in no row: an address that holds one leads nowhere."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from tests.support import scenes

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path",
    ["/invitations/%00/", "/accounts/email/%00/", "/clubs/%00/", "/accounts/new/%00/%00/", "/%00"],
)
def test_in_the_path_of_a_page_it_is_404(path: str) -> None:
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize("path", ["players/%00/", "pairs/a%00/"])
def test_in_the_path_of_the_api_it_is_404(path: str) -> None:
    club = scenes.open_club()[0]
    response = Client().get(f"/api/v1/clubs/{club.slug}/{path}")
    assert (response.status_code, json.loads(response.content)["code"]) == (404, "not_found")


def test_in_a_query_it_is_400() -> None:
    club = scenes.open_club()[0]
    assert Client().get(f"/clubs/{club.slug}/ratings/?ruleset=%00").status_code == 400
    response = Client().get(f"/api/v1/clubs/{club.slug}/ratings/?ruleset=%00")
    assert (response.status_code, json.loads(response.content)["code"]) == (400, "bad_parameter")


def test_in_a_form_it_is_400() -> None:
    scene = scenes.draft()
    client = Client()
    client.force_login(scene.users["organiser"])
    path = f"/t/{scene.tournament.slug}/entries/pairs/"
    assert client.post(path, {"pairs": "P1\0"}).status_code == 400
