"""Organisers put names right on the pages where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from django.urls import reverse

from tests.support import scenes
from tests.web.test_doors import visitor
from tournaments.models import Pair, Player

if TYPE_CHECKING:
    from django.http import HttpResponse

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> scenes.Scene:
    return scenes.running()


def submit_form(scene: scenes.Scene, path: str, **fields: str) -> HttpResponse:
    """Return what an organiser is shown after submitting the form."""
    return cast("HttpResponse", visitor(scene, "organiser").post(path, fields, follow=True))


def test_a_player_s_page_leads_organisers_to_the_form(scene: scenes.Scene) -> None:
    player = Player.objects.get(code="J01")
    page, form = (reverse(name, args=[player.pk]) for name in ("player", "rename-player"))
    assert form in visitor(scene, "organiser").get(page).content.decode()
    for role in ("", "player", "arbiter"):
        assert form not in visitor(scene, role).get(page).content.decode()
    html = submit_form(scene, form, name="Pilar Martín Ruiz").content.decode()
    assert "<h1>Pilar Martín Ruiz" in html
    assert 'role="status"' in html


def test_a_pair_and_a_club_are_put_right_in_the_same_way(scene: scenes.Scene) -> None:
    pair = Pair.objects.get(code="P1")
    page = submit_form(
        scene, reverse("rename-pair", args=[pair.pk]), name="Los Oros"
    ).content.decode()
    assert "<h1>Los Oros" in page
    path = reverse("rename-club", args=[scene.club.slug])
    assert path in visitor(scene, "organiser").get(reverse("club", args=[scene.club.slug])).text
    page = submit_form(scene, path, name="Casino Mercantil", city="Huesca").content.decode()
    assert "<h1>Casino Mercantil" in page
    assert "Huesca" in page


def test_a_name_that_is_refused_stays_in_the_form_with_the_reason_beside_it(
    scene: scenes.Scene,
) -> None:
    player, other = Player.objects.order_by("pk")[:2]
    path = reverse("rename-player", args=[player.pk])
    response = submit_form(scene, path, name=other.name)
    assert response.status_code == 409
    assert f'value="{other.name}"' in response.text
    assert 'aria-invalid="true"' in response.text
    assert submit_form(scene, path, name="Ana\u202e").status_code == 422
    assert Player.objects.get(pk=player.pk).name == player.name
