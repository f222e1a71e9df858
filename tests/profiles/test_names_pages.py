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


def sent(scene: scenes.Scene, path: str, **said: str) -> HttpResponse:
    """Answer what an organiser is shown after he has filled the form in."""
    return cast("HttpResponse", visitor(scene, "organiser").post(path, said, follow=True))


def test_a_player_s_page_leads_organisers_to_the_form(scene: scenes.Scene) -> None:
    player = Player.objects.get(code="J01")
    page, form = (reverse(name, args=[player.pk]) for name in ("player", "rename-player"))
    assert form in visitor(scene, "organiser").get(page).content.decode()
    for role in ("", "player", "arbiter"):
        assert form not in visitor(scene, role).get(page).content.decode()
    said = sent(scene, form, name="Pilar Martín Ruiz").content.decode()
    assert "<h1>Pilar Martín Ruiz" in said
    assert 'role="status"' in said


def test_a_pair_and_a_club_are_put_right_in_the_same_way(scene: scenes.Scene) -> None:
    pair = Pair.objects.get(code="P1")
    said = sent(scene, reverse("rename-pair", args=[pair.pk]), name="Los Oros").content.decode()
    assert "<h1>Los Oros" in said
    path = reverse("rename-club", args=[scene.club.slug])
    assert path in visitor(scene, "organiser").get(reverse("club", args=[scene.club.slug])).text
    said = sent(scene, path, name="Casino Mercantil", city="Huesca").content.decode()
    assert "<h1>Casino Mercantil" in said
    assert "Huesca" in said


def test_a_name_that_is_refused_stays_in_the_form_with_the_reason_beside_it(
    scene: scenes.Scene,
) -> None:
    player, other = Player.objects.order_by("pk")[:2]
    path = reverse("rename-player", args=[player.pk])
    taken = sent(scene, path, name=other.name)
    assert taken.status_code == 409
    assert f'value="{other.name}"' in taken.text
    assert 'aria-invalid="true"' in taken.text
    assert sent(scene, path, name="Ana\u202e").status_code == 422
    assert Player.objects.get(pk=player.pk).name == player.name
