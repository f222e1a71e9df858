"""Organisers merge two names of one person on the person's page and over the API, and undo it."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, organiser, user
from tests.profiles.test_merging import pair_with, player, refreshed, three_nights
from tests.support.caller import Caller, problem
from tournaments.accounts.services.invitations import issue_token

if TYPE_CHECKING:
    from tournaments.models import Club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db: None) -> Club:
    cache.clear()
    return three_nights()


@pytest.fixture
def page(club: Club) -> Client:
    """A client of an organiser of the club, in English."""
    client = Client(headers={"accept-language": "en"})
    user = organiser(club).user
    assert user is not None
    client.force_login(user)
    return client


def text(client: Client, path: str) -> str:
    return client.get(path, follow=True).content.decode()


def test_a_person_is_merged_and_separated_from_the_page(page: Client) -> None:
    ana, anna = player("Ana Gil"), player("Anna Gil")
    own = reverse("player", args=[anna.pk])
    search = reverse("merge-player", args=[anna.pk])
    assert search in text(page, own)
    assert search not in text(Client(), own)

    found = text(page, search)
    assert found.index("Ana Gil</a>") < found.index("Eva Pons</a>")  # the most alike name first
    assert "Ana Gil</a>" not in text(page, f"{search}?q=eva")
    step = f"{search}?other={ana.pk}"
    shown = text(page, step)
    for part in ("Temporada", "Febrero", "Anna Gil – Luis Sanz → Ana Gil – Luis Sanz", "9 matches"):
        assert part in shown
    assert "cannot be the same" in text(page, f"{search}?other={player('Eva Pons').pk}")

    answer = page.post(step)
    assert answer.headers["Location"] == reverse("player", args=[ana.pk])
    merged = page.get(own)
    assert (merged.status_code, merged.headers["Location"]) == (302, answer.headers["Location"])
    rating = page.get(reverse("player-rating", args=[anna.pk]))
    assert rating.headers["Location"] == reverse("player-rating", args=[ana.pk])
    pair = page.get(reverse("pair", args=[pair_with("Anna Gil").pk]))
    assert pair.headers["Location"] == reverse("pair", args=[pair_with("Ana Gil").pk])
    back = reverse("separate-player", args=[anna.pk])
    html = text(page, own)
    assert "Also entered as:" in html
    assert back in html
    assert "Anna Gil" not in text(page, reverse("club", args=[ana.club.slug]))
    assert "other names" in text(page, reverse("erase-player", args=[ana.club.slug, anna.pk]))

    assert page.post(back).headers["Location"] == own
    assert "<h1>Anna Gil" in text(page, own)
    assert page.post(back).status_code == 409


def test_a_program_merges_after_a_preview(club: Club) -> None:
    organiser(club)
    _, token = issue_token(SYSTEM, club, user("olga"), name="x", scopes=["tournaments:manage"])
    caller = Caller(token)
    ana, anna, keys = player("Ana Gil"), player("Anna Gil"), map(str, count())
    path, body = f"clubs/{club.slug}/players/{anna.code}/", json.dumps({"into": ana.code})
    preview = json.loads(caller.submit(f"{path}merge/?dry_run=1", body, key=None).content)
    assert preview["pairs"] == [{"merged": "Anna Gil – Luis Sanz", "main": "Ana Gil – Luis Sanz"}]
    assert [row["after"] and row["after"]["matches"] for row in preview["ratings"]] == [None, 9]
    assert caller.read(path)["same_as"] is None
    assert caller.submit(f"{path}merge/", body, key=next(keys)).status_code == 201
    assert caller.read(path)["same_as"] == ana.code
    codes = [row["code"] for row in caller.read(f"clubs/{club.slug}/players/")["results"]]
    assert ana.code in codes
    assert anna.code not in codes
    refreshed()
    rating = caller.read(f"players/{anna.pk}/rating/")
    assert (rating["player"], rating["rating"]["matches"]) == (ana.pk, 9)
    problem(caller.submit(f"{path}merge/", body, key=next(keys)), 409, "merged_already")
    assert caller.submit(f"{path}separate/", "{}", key=next(keys)).status_code == 201
    assert caller.read(path)["same_as"] is None
    problem(caller.submit(f"{path}separate/", "{}", key=next(keys)), 409, "not_merged")
