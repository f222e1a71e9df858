"""The settings of a tournament on their page, and a draft that is thrown away."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support import scenes
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def boss(scene: scenes.Scene) -> Client:
    client = Client(headers=ENGLISH)
    client.force_login(scene.users["organiser"])
    return client


def test_the_name_and_the_terms_of_a_draft_are_changed_on_its_page() -> None:
    scene = scenes.draft()
    path = f"/t/{scene.tournament.slug}/settings/"
    client = boss(scene)
    assert '<option value="10" selected>10 minutes</option>' in client.get(path).content.decode()
    form = {"name": "Otra", "confirm_minutes": 720, "bye_quota": 2, "no_show_minutes": 5}
    assert client.post(path, form).status_code == 302
    tournament = Tournament.objects.get()
    assert (tournament.name, tournament.confirm_minutes, tournament.bye_quota) == ("Otra", 720, 2)
    assert (tournament.confirmation, tournament.self_check_in) == (False, False)
    wrong = client.post(path, {**form, "name": "\u200b"})
    assert wrong.status_code == 422
    assert Tournament.objects.get().name == "Otra"


def test_the_rules_of_a_draft_are_changed_on_its_page_or_refused_with_the_reason() -> None:
    scene = scenes.draft()
    path = f"/t/{scene.tournament.slug}/settings/"
    client = boss(scene)
    assert 'value="parejas-online" selected' in client.get(path).content.decode()
    form = {"name": "Otra", "confirm_minutes": 720, "bye_quota": 2, "no_show_minutes": 5}
    assert client.post(path, {**form, "ruleset": "cuatro"}).status_code == 302
    assert Tournament.objects.get().ruleset == "cuatro"
    refused = client.post(path, {**form, "ruleset": "arrastrado"})
    assert refused.status_code == 422
    assert "does not fit the number of seats" in refused.content.decode()
    assert Tournament.objects.get().ruleset == "cuatro"


def test_a_time_that_is_not_offered_stays_with_its_unit() -> None:
    scene = scenes.draft()
    Tournament.objects.update(confirm_after=7, confirm_minutes=None)
    page = boss(scene).get(f"/t/{scene.tournament.slug}/settings/").content.decode()
    assert '<option value="420" selected>7 hours</option>' in page
    assert '<option value="2880">2 days</option>' in page


def test_once_drawn_the_page_asks_for_the_name_alone() -> None:
    scene = scenes.drawn()
    path = f"/t/{scene.tournament.slug}/settings/"
    page = boss(scene).get(path).content.decode()
    assert 'name="name"' in page
    assert "confirm_minutes" not in page
    assert 'name="ruleset"' not in page
    assert boss(scene).post(path, {"name": "Otra", "confirm_minutes": 60}).status_code == 302
    tournament = Tournament.objects.get()
    assert (tournament.name, tournament.confirm_minutes) == ("Otra", 10)


def test_a_tournament_that_is_over_has_no_settings() -> None:
    scene = scenes.draft()
    Tournament.objects.update(state=Tournament.State.FINISHED)
    assert boss(scene).get(f"/t/{scene.tournament.slug}/settings/").status_code == 409


def test_a_draft_is_thrown_away_after_it_was_said_what_goes() -> None:
    scene = scenes.draft()
    path = f"/t/{scene.tournament.slug}/discard/"
    client = boss(scene)
    page = client.get(path).content.decode()
    assert "goes with 4 entries" in page
    assert "The players and pairs of the club stay." in page
    assert Tournament.objects.exists()
    response = client.post(path, follow=True)
    assert response.redirect_chain[-1][0] == f"/clubs/{scene.club.slug}/"
    assert "The draft is gone." in response.content.decode()
    assert scene.tournament.name not in response.content.decode()
    assert not Tournament.objects.exists()
    assert client.get(f"/t/{scene.tournament.slug}/").status_code == 404


def test_what_was_drawn_is_not_thrown_away() -> None:
    scene = scenes.drawn()
    path = f"/t/{scene.tournament.slug}/discard/"
    page = boss(scene).get(path).content.decode()
    assert "this is possible in a draft alone. “Undo” makes it a draft again" in page
    assert "nothing brings it back" not in page
    assert boss(scene).post(path).status_code == 409
    assert Tournament.objects.exists()
