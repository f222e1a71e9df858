"""Pages of lists and seasons: what is shown, what is done, and that it is shown first."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.clubs import SYSTEM, play_the_club_night, the_liguilla, the_round
from tests.support import scenes
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, finish
from tournaments.models import Club, Season, Tournament
from tournaments.standings.services.seasons import RulesOfSeason, create_season

pytestmark = pytest.mark.django_db

ENGLISH = {"accept-language": "en"}


@pytest.fixture
def boss() -> Client:
    client = Client(headers=ENGLISH)
    client.force_login(scenes.user_named("marta", is_superuser=True))
    return client


def page(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status
    return str(answer.content.decode())


def test_a_list_is_shown_before_it_is_entered(boss: Client) -> None:
    scene = scenes.draft()
    tournament = scene.tournament
    path, before = f"/t/{tournament.slug}/entries/list/", tournament.entries.count()
    text = "pareja;jugador1;jugador2\nLos <b>Nuevos;Eva Lamarca;Leo\n"
    preview = page(boss.post(path, {"list_text": text}))
    assert "2 players are new to the club." in preview
    assert "Los &lt;b&gt;Nuevos" in preview
    assert tournament.entries.count() == before
    response = boss.post(path, {"list_text": text, "confirm": "1"})
    assert response["Location"] == f"/t/{tournament.slug}/entries/"
    assert tournament.entries.count() == before + 1


def test_a_spreadsheet_in_its_old_encoding_is_read(boss: Client) -> None:
    scene = scenes.draft()
    file = SimpleUploadedFile("lista.csv", "jugador1;jugador2\nÍñigo;Begoña\n".encode("cp1252"))
    text = page(boss.post(f"/t/{scene.tournament.slug}/entries/list/", {"list_file": file}))
    assert "Íñigo (new) / Begoña (new)" in " ".join(text.split())


def test_a_list_at_fault_is_reported_line_by_line(boss: Client) -> None:
    path = f"/t/{scenes.draft().tournament.slug}/entries/list/"
    text = "jugador1;jugador2\nEva;Eva\n"
    for data in ({"list_text": text}, {"list_text": text, "confirm": "1"}):
        answer = page(boss.post(path, data), 422)
        assert "Line 2" in answer
        assert "a pair is two players: Eva comes twice" in answer
    for empty in ("jugador1;jugador2\n", "", " \n\n"):
        assert "The list is empty." in page(boss.post(path, {"list_text": empty}), 422)


def a_finished_club_night() -> Tournament:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    return finish(SYSTEM, tournament)


def test_a_season_from_its_opening_to_its_end(boss: Client) -> None:
    tournament = a_finished_club_night()
    club = tournament.club
    assert "No season yet" in page(boss.get(f"/clubs/{club.slug}/seasons/"))
    fields = {"name": "Temporada 2026", "scale": "fixed", "by": "entry", "best": "3"}
    form = page(boss.get(f"/clubs/{club.slug}/new-season/"))
    first, second = (form.split(f'name="{nth}_criterion"')[1] for nth in ("first", "second"))
    assert "nothing" not in first.split("</select>")[0]
    assert "nothing" in second.split("</select>")[0]
    page(boss.post(f"/clubs/{club.slug}/new-season/", {**fields, "first_criterion": ""}), 422)
    fields["first_criterion"] = "wins"
    response = boss.post(f"/clubs/{club.slug}/new-season/", fields)
    place = f"/clubs/{club.slug}/seasons/temporada-2026/"
    assert response["Location"] == place
    assert "Nobody has points yet" in page(boss.get(place))
    response = boss.post(place + "add/", {"tournament": tournament.slug, "weight": "1.5"})
    assert response["Location"] == place
    text = page(Client(headers=ENGLISH).get(place))
    assert "the best 3 results count" in text
    assert "counts 1.5 times" in text
    assert ">27<" in text  # eighteen for the first place, one and a half times
    assert "Remove" not in text
    response = boss.post(place + "close/")
    assert "closed" in page(Client(headers=ENGLISH).get(place))
    refusal_text = page(boss.post(place + "remove/", {"tournament": tournament.slug}), 409)
    assert "The season is closed." in refusal_text


def test_a_tournament_is_taken_out_again(boss: Client) -> None:
    tournament = a_finished_club_night()
    season = create_season(SYSTEM, tournament.club, name="Temporada")
    place = f"/clubs/{tournament.club.slug}/seasons/temporada/"
    boss.post(place + "add/", {"tournament": tournament.slug, "weight": "1"})
    assert season.events.count() == 1
    boss.post(place + "remove/", {"tournament": tournament.slug})
    assert season.events.count() == 0


def test_the_rules_of_a_running_season_change_after_a_look_at_the_table(boss: Client) -> None:
    tournament = a_finished_club_night()
    season = create_season(SYSTEM, tournament.club, name="Temporada")
    place = f"/clubs/{tournament.club.slug}/seasons/temporada/"
    boss.post(place + "add/", {"tournament": tournament.slug, "weight": "1"})
    assert f"{place}rules/" in page(boss.get(place))
    fields = {"scale": "fixed", "own_scale": "50, 30 20", "first_criterion": "countback"}
    shown = page(boss.post(place + "rules/", {**fields, "step": "preview"}))
    assert "What changes" in shown
    assert ">50<" in shown
    assert ">18<" in shown
    assert "Give a reason." in page(boss.post(place + "rules/", fields), 422)
    assert "Write whole numbers" in page(
        boss.post(place + "rules/", {**fields, "own_scale": "viele"}), 422
    )
    response = boss.post(place + "rules/", {**fields, "reason": "The assembly voted it."})
    assert response["Location"] == place
    season.refresh_from_db()
    assert (season.own_scale, season.criteria) == ("50 30 20", "countback")
    assert "50, 30, 20" in page(Client(headers=ENGLISH).get(place))


@pytest.mark.parametrize(
    ("language", "zeros", "order"),
    [
        ("en", "each one missed counts zero", "level on points: events won, sum of all results"),
        ("es", "cada torneo que falta cuenta cero", "a igualdad de puntos: torneos ganados, suma"),
        ("de", "jedes fehlende zählt null", "bei Punktgleichheit: gewonnene Turniere, Summe aller"),
    ],
)
def test_a_season_says_what_is_missed_and_who_is_level(
    language: str, zeros: str, order: str
) -> None:
    club = scenes.draft().club
    order_of = ["wins", "all_results"]
    rules: RulesOfSeason = {"mean_of": 12, "missed_as_zero": True, "criteria": order_of}
    create_season(SYSTEM, club, name="Temporada", **rules)
    client = Client(headers={"accept-language": language})
    shown = page(client.get(f"/clubs/{club.slug}/seasons/temporada/"))
    assert zeros in shown
    assert order in shown


def test_what_a_season_does_not_take_is_reported_at_its_form(boss: Client) -> None:
    scene = scenes.draft()
    club: Club = scene.club
    create_season(SYSTEM, club, name="Temporada")
    place = f"/clubs/{club.slug}/seasons/temporada/add/"
    page(boss.post(place, {"tournament": "nowhere", "weight": "1"}), 422)
    page(boss.post(place, {"tournament": scene.tournament.slug, "weight": "99"}), 422)
    page(boss.post(f"/clubs/{club.slug}/new-season/", {"name": " ", "scale": "x"}), 422)
    assert Season.objects.get().events.count() == 0


def test_a_season_of_the_club_is_found_from_its_page() -> None:
    tournament = the_liguilla(published=1)
    create_tournament(
        SYSTEM, tournament.club, "Otra", NewTournament(GameSettings(options={"to": 3}))
    )
    path = f"/clubs/{tournament.club.slug}/"
    assert f"{path}seasons/" in page(Client(headers=ENGLISH).get(path))
