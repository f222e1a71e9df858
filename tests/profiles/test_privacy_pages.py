"""Taking one's data along, and being forgotten, on the pages."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.clubs import a_club, organiser, user
from tests.profiles.test_erasing import NAME, an_account, over, the_night, the_player
from tournaments.models import Player, Tournament

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse"


@pytest.fixture
def night() -> Tournament:
    return over(the_night())


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def with_password(name: str) -> Client:
    account = user(name)
    account.set_password(PASSWORD)
    account.save()
    return signed_in(name)


def test_a_file_of_one_s_own_has_what_was_played_and_no_secret(night: Tournament) -> None:
    an_account(night.club)
    client = signed_in("xylophana")
    assert client.post(reverse("own-data"), {"password": "wrong"}).status_code == 422
    response = client.post(reverse("own-data"), {"password": PASSWORD})
    assert response["Content-Disposition"] == 'attachment; filename="baza-account.json"'
    body = json.loads(response.content)
    account, (player,) = body["account"], body["players"]
    assert (account["username"], account["email"]) == ("xylophana", "ophana@zizkov.example")
    assert account["memberships"][0]["role"] == "organiser"
    assert account["memberships"][0]["club"] == night.club.slug
    assert [token["name"] for token in account["tokens"]] == ["marcador"]
    assert (player["name"], player["club"]) == (NAME, night.club.slug)
    assert len(player["entries"]) == 1
    assert len(player["matches"]) == 7
    assert len(player["results"]) == len(player["records"]) == 2
    assert {event["verb"] for event in body["events"]} >= {"token.issued", "player.linked"}
    stored = User.objects.get(username="xylophana")
    assert stored.password not in response.content.decode()
    assert "digest" not in account["tokens"][0]


def test_an_organiser_gives_a_player_their_data(night: Tournament) -> None:
    organiser(night.club)
    client = with_password("olga")
    path = reverse("player-data", args=[night.club.slug, the_player().pk])
    body = json.loads(client.post(path, {"password": PASSWORD}).content)
    assert [player["name"] for player in body["players"]] == [NAME]
    assert "account" not in body


def test_an_organiser_erases_a_player_by_typing_their_name(night: Tournament) -> None:
    organiser(night.club)
    client = with_password("olga")
    path = reverse("erase-player", args=[night.club.slug, the_player().pk])
    page = client.get(path).content.decode()
    assert NAME in page
    wrong = {"typed": "Pilar", "password": PASSWORD, "also": ""}
    assert client.post(path, wrong).status_code == 422
    assert client.post(path, {**wrong, "typed": NAME, "password": "no"}).status_code == 422
    assert the_player().name == NAME
    response = client.post(
        path, {**wrong, "typed": NAME.upper(), "also": "Xilo\nLa Xilo"}, follow=True
    )
    assert response.status_code == 200
    assert the_player().name == "NN 1001"
    assert NAME not in response.content.decode()
    second_response = client.post(path, {**wrong, "typed": "NN 1001"})
    assert second_response.status_code == 409


def test_a_player_of_another_club_is_not_there(night: Tournament) -> None:
    other = a_club("Otra")
    organiser(other)
    client = with_password("olga")
    path = reverse("erase-player", args=[other.slug, the_player().pk])
    assert client.get(path).status_code == 404


def test_an_account_erases_itself_and_is_signed_out(night: Tournament) -> None:
    an_account(night.club)
    client = signed_in("xylophana")
    path = reverse("erase-account")
    assert NAME in client.get(path).content.decode()
    form = {"typed": "xylophana", "password": PASSWORD, "players": "on"}
    response = client.post(path, form, follow=True)
    assert response.redirect_chain[0][0] == reverse("home")
    assert not User.objects.filter(username="xylophana").exists()
    assert not Player.objects.filter(name=NAME).exists()
    assert client.get(reverse("account")).status_code == 302


def test_the_only_organiser_is_informed_before_they_try() -> None:
    organiser(a_club("Sola y triste"), "sola")
    client = with_password("sola")
    assert "Sola y triste" in client.get(reverse("erase-account")).content.decode()
    form = {"typed": "sola", "password": PASSWORD}
    assert client.post(reverse("erase-account"), form).status_code == 409


def test_the_list_of_players_says_who_was_erased(night: Tournament) -> None:
    organiser(night.club)
    client = with_password("olga")
    path = reverse("erase-player", args=[night.club.slug, the_player().pk])
    client.post(path, {"typed": NAME, "password": PASSWORD})
    page = client.get(reverse("people-data", args=[night.club.slug])).content.decode()
    assert "NN 1001" in page
    assert path not in page
