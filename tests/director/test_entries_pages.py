"""Who is entered: lists, players, latecomers, and how each stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, a_club, organiser, the_round, user
from tests.support import scenes
from tests.support.day import a_day, entry, late_pair, spare
from tournaments.director.services.absences import check_in, expel, penalise, request_bye, withdraw
from tournaments.director.services.entries import enter_late
from tournaments.director.services.settings import NewTournament
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.plans import PLANS
from tournaments.models import Tournament
from tournaments.people.services.clubs import import_players

if TYPE_CHECKING:
    from django.http import HttpResponse

pytestmark = pytest.mark.django_db


def text(response: HttpResponse) -> str:
    """A page's text without line breaks."""
    return " ".join(response.content.decode().split())


def read(tournament: Tournament, client: Client | None = None) -> str:
    path = reverse("entries", args=[tournament.slug])
    return text((client or Client()).get(path))  # type: ignore[arg-type]


def boss(tournament: Tournament) -> Client:
    """The organiser, signed in."""
    organiser(tournament.club)
    client = Client()
    client.force_login(user("olga"))
    return client


def test_the_list_shows_how_everybody_stands() -> None:
    tournament = a_day(6, rounds=5)
    publish_round(SYSTEM, the_round(tournament, 1))
    check_in(SYSTEM, entry(tournament, 1))
    withdraw(SYSTEM, entry(tournament, 2))
    expel(SYSTEM, entry(tournament, 3), "Insultos")
    request_bye(SYSTEM, entry(tournament, 4), 2, "half")
    penalise(SYSTEM, entry(tournament, 5), round_number=1, reason="Tarde", match_points=1)
    enter_late(SYSTEM, tournament, late_pair(tournament))
    pair, comes = entry(tournament, 6).pair, spare(tournament)
    assert pair is not None
    substitute(SYSTEM, entry(tournament, 6), leaves=pair.first, comes=comes, from_round=2)
    page = read(tournament)
    for text in (
        "ha venido",
        "retirad",
        "expulsad",
        "descansa en la ronda 2",
        "1 sanción",
        "tarde, desde la ronda 2",
        f"con {comes.name}",
    ):
        assert text in page, text


def test_spectators_are_led_to_no_page_of_the_staff() -> None:
    tournament = a_day(4)
    assert reverse("entry", args=[tournament.slug, 1]) not in read(tournament)
    assert reverse("check-in", args=[tournament.slug]) not in read(tournament)
    assert reverse("come", args=[tournament.slug]) in read(tournament)
    assert reverse("entry", args=[tournament.slug, 1]) in read(tournament, boss(tournament))


def test_clubs_and_ratings_have_columns_only_where_there_are_any() -> None:
    tournament = a_day(4, drawn=False)
    client = boss(tournament)
    assert "Huesca" not in read(tournament, client)
    tournament.entries.filter(number=2).update(origin="Casino de Huesca", rating=1650)
    page = read(tournament, client)
    assert "Casino de Huesca" in page
    assert "1650" in page


def test_players_enter_where_partners_rotate() -> None:
    club = a_club()
    people = "".join(f"J{n},Ana {n}\n" for n in range(8))
    import_players(SYSTEM, club, "id,nombre\n" + people, as_written=True)
    stages = PLANS["individual"].stages({})
    tournament = create_tournament(SYSTEM, club, "Individual", NewTournament(stages=stages))
    client = boss(tournament)
    page = read(tournament, client)
    assert "Ana 3" in page
    assert "pareja,nombre" not in page, "the lists of pairs have no place here"
    path = reverse("add-players", args=[tournament.slug])
    client.post(path, {"players": ["J3", "J5"]})
    assert list(tournament.entries.values_list("name", flat=True)) == ["Ana 3", "Ana 5"]
    assert client.post(path, {"players": ["J3"]}).status_code == 422
    entry_text = text(client.get(reverse("entry", args=[tournament.slug, 1])))  # type: ignore[arg-type]
    assert "Juega su titular" in entry_text
    assert "Poner" in entry_text.partition('id="substitutes"')[2].partition("</section>")[0]


def test_only_pairs_whose_players_are_free_are_offered() -> None:
    scene = scenes.draft(pairs=scenes.first_lines(scenes.PAIRS, 2))
    pairs = scene.club.pairs
    pair = pairs.get(code="P1")
    free = scene.club.players.exclude(pairs_as_first__isnull=False).exclude(
        pairs_as_second__isnull=False
    )[0]
    pairs.create(code="P8", name="Mezclada", folded="mezclada", first=pair.first, second=free)
    client = Client()
    client.force_login(scene.users["organiser"])
    form = client.get(reverse("entries", args=[scene.tournament.slug])).context["pairs"]
    assert "P8" not in dict(form.fields["pairs"].choices)


def test_a_finished_tournament_has_no_form_left() -> None:
    tournament = a_day(4)
    Tournament.objects.update(state="finished")
    page = read(tournament, boss(tournament))
    assert reverse("enter-late", args=[tournament.slug]) not in page
    assert reverse("come", args=[tournament.slug]) not in page


def test_a_bye_in_a_knock_out_is_said_to_be_the_way_out_of_it() -> None:
    text = "Quien descansa en una ronda de la eliminatoria queda fuera: sigue su rival."
    for format, is_told in (("knockout", True), ("swiss", False)):  # noqa: A001
        tournament = a_day(4, format=format)
        publish_round(SYSTEM, the_round(tournament, 1))
        phone, staff = Client(), boss(tournament)
        own_path = reverse("own-table", args=[tournament.slug])
        phone.post(
            reverse("give-code", args=[tournament.slug]), {"code": entry(tournament, 1).code}
        )
        page = staff.get(reverse("entry", args=[tournament.slug, 1])).content.decode()
        assert (text in page) is is_told
        assert (text in phone.get(own_path).content.decode()) is is_told


def test_one_who_is_no_longer_signed_in_is_informed_where_a_draft_seems_to_be_gone() -> None:
    tournament = a_day(4, drawn=False)
    path = reverse("entries", args=[tournament.slug])
    reason_text = "Lo que un club aún no ha publicado solo lo ve su gente, después de entrar."
    response = Client().get(path)
    assert response.status_code == 404
    assert reason_text in text(response)  # type: ignore[arg-type]
    assert f"{reverse('login')}?next={path}" in text(response)  # type: ignore[arg-type]
    assert reason_text not in text(boss(tournament).get("/nothing/"))  # type: ignore[arg-type]
