"""Pages of other origins may read what the API answers to everyone, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.support.caller import BASE, Caller

if TYPE_CHECKING:
    from tests.conftest import Issue
    from tests.support.scenes import Scene

pytestmark = pytest.mark.django_db

ALLOW = "Access-Control-Allow-Origin"
ELSEWHERE = {"Origin": "https://page.example"}


@pytest.mark.parametrize("path", ["clubs/", "tournaments/{slug}/standings/", "openapi.json"])
def test_what_everyone_may_read_pages_of_other_origins_may_read(scene: Scene, path: str) -> None:
    path = path.format(slug=scene.tournament.slug)
    answer = Caller().get(path, **ELSEWHERE)
    assert (answer.status_code, answer[ALLOW]) == (200, "*")
    assert "ETag" in answer["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer
    assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))
    assert Caller().get(path)[ALLOW] == "*"  # without Origin too, so that answers do not differ
    unchanged = Caller().get(path, **ELSEWHERE, **{"If-None-Match": answer["ETag"]})
    assert (unchanged.status_code, unchanged[ALLOW]) == (304, "*")


def test_a_refusal_can_be_read_too(scene: Scene) -> None:
    answer = Caller().get("tournaments/none/", **ELSEWHERE)
    assert (answer.status_code, answer[ALLOW]) == (404, "*")


def test_an_answer_to_a_token_or_to_cookies_cannot_be_read(scene: Scene, issue: Issue) -> None:
    assert ALLOW not in issue("organiser").get("clubs/", **ELSEWHERE)
    assert ALLOW not in Caller("baza_wrong").get("clubs/", **ELSEWHERE)
    browser = Client()
    browser.force_login(scene.users["organiser"])
    answer = browser.get(f"{BASE}clubs/", headers=ELSEWHERE)
    assert answer.status_code == 200
    assert ALLOW not in answer
    assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))


def test_writing_and_pages_are_closed_to_other_origins(scene: Scene) -> None:
    for method in ("POST", "PATCH", "DELETE", "OPTIONS"):
        assert ALLOW not in Client().generic(method, f"{BASE}clubs/", headers=ELSEWHERE)
    for path in ("/", f"/t/{scene.tournament.slug}/", f"/t/{scene.tournament.slug}/file/"):
        assert ALLOW not in Client().get(path, headers=ELSEWHERE)
