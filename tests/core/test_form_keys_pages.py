"""A form that is sent twice is carried out once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.results.test_concurrency import at_once
from tests.support import scenes
from tournaments.accounts.services.accounts import begin_second_factor, confirm_second_factor
from tournaments.core.permissions import Actor
from tournaments.director.services.rounds import start_clock
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.totp import code_of, step_at
from tournaments.models import ApiToken, Club, Season

pytestmark = pytest.mark.django_db

KEY = re.compile(r'name="form_key" value="([^"]+)"')
SEASON = {"name": "Invierno", "scale": "fixed", "by": "entry", "first_criterion": "wins"}


@pytest.fixture
def scene() -> scenes.Scene:
    return scenes.drawn()


@pytest.fixture
def organiser(scene: scenes.Scene) -> Client:
    client = Client()
    client.force_login(scene.users["organiser"])
    return client


def form_of(client: Client, path: str, **fields: Any) -> dict[str, Any]:
    """Fill in the form of a page, with the key that the page wrote into it."""
    keys = KEY.findall(client.get(path).content.decode())
    return {"form_key": keys[-1], **fields}


def test_pressed_twice_a_season_is_opened_once(scene: scenes.Scene, organiser: Client) -> None:
    path = reverse("new-season", args=[scene.club.slug])
    form = form_of(organiser, path, **SEASON)
    responses = [organiser.post(path, form) for _ in range(2)]
    places = [response["Location"] for response in responses]
    assert places == [reverse("season", args=[scene.club.slug, "invierno"])] * 2
    assert Season.objects.count() == 1
    # The message was written when the form was sent, in the language of that request.
    assert "aunque el formulario" in organiser.get(places[1]).content.decode()


def test_another_name_after_going_back_is_another_season(
    scene: scenes.Scene, organiser: Client
) -> None:
    path = reverse("new-season", args=[scene.club.slug])
    form = form_of(organiser, path, **SEASON)
    organiser.post(path, form)
    organiser.post(path, {**form, "name": "Verano"})
    assert set(Season.objects.values_list("slug", flat=True)) == {"invierno", "verano"}


def test_the_form_fetched_again_makes_another(scene: scenes.Scene, organiser: Client) -> None:
    path = reverse("new-season", args=[scene.club.slug])
    for _ in range(2):
        organiser.post(path, form_of(organiser, path, **SEASON))
    assert set(Season.objects.values_list("slug", flat=True)) == {"invierno", "invierno-2"}


def test_a_form_that_was_refused_is_taken_when_it_is_possible(
    scene: scenes.Scene, organiser: Client
) -> None:
    form = {"form_key": "the same", "name": "Casino de Huesca"}
    assert organiser.post(reverse("new-club"), form).status_code == 403
    scene.users["organiser"].is_staff = True
    scene.users["organiser"].save()
    assert organiser.post(reverse("new-club"), form).status_code == 302


def test_a_form_that_led_to_the_second_factor_is_taken_afterwards(
    scene: scenes.Scene, organiser: Client, settings: Settings
) -> None:
    path, user = reverse("new-season", args=[scene.club.slug]), scene.users["organiser"]
    form = form_of(organiser, path, **SEASON)
    settings.SECOND_FACTOR_REQUIRED = True
    assert organiser.post(path, form)["Location"].startswith(reverse("set-up-factor"))
    actor = Actor.for_user(user)
    code = code_of(begin_second_factor(actor).secret, step_at(timezone.now().timestamp()))
    confirm_second_factor(actor, code, keep=organiser.session.session_key)
    assert organiser.post(path, form)["Location"].endswith("/invierno/")
    assert Season.objects.count() == 1


def test_a_button_that_was_refused_works_when_it_is_possible(
    scene: scenes.Scene, organiser: Client
) -> None:
    publish_round(scene.organiser, scene.rounds[0])
    path = reverse("clock", args=[scene.tournament.slug, 1, "stop"])
    back = reverse("round", args=[scene.tournament.slug, 1])
    assert organiser.post(path, {"form_key": "the same"})["Location"] == back
    assert "no está en marcha" in organiser.get(back).content.decode()
    start_clock(scene.organiser, scene.rounds[0], 50)
    organiser.post(path, {"form_key": "the same"})
    assert scene.rounds[0].clock_stopped_at is not None


def test_a_token_s_secret_is_shown_by_the_first_answer_alone(
    scene: scenes.Scene, organiser: Client
) -> None:
    path = reverse("tokens", args=[scene.club.slug])
    form = form_of(organiser, path, name="marcador", scopes=["games:read"], days=30)
    first, second = (organiser.post(path, form) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 409)
    assert b"baza_" in first.content
    assert ApiToken.objects.count() == 1


def test_a_key_is_good_in_its_own_session_alone(scene: scenes.Scene, organiser: Client) -> None:
    path = reverse("new-season", args=[scene.club.slug])
    form = form_of(organiser, path, **SEASON)
    organiser.post(path, form)
    stranger = Client()
    stranger.force_login(scene.users["outsider"])
    assert stranger.post(path, form).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_pressed_twice_in_the_same_instant_one_club_is_made() -> None:
    staff = scenes.user_named("staff", is_staff=True)
    client = Client()
    client.force_login(staff)
    form = form_of(client, reverse("new-club"), name="Casino de Huesca", city="Huesca")

    def press() -> str:
        other = Client()
        other.cookies = client.cookies
        return str(other.post(reverse("new-club"), form)["Location"])

    assert set(at_once(*[press] * 4)) == {reverse("propose", args=["casino-de-huesca"])}
    assert Club.objects.count() == 1
