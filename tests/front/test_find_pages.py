"""Where a person plays now: the search of a tournament's pages."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.clubs import NOBODY, SYSTEM, the_liguilla, the_round
from tests.support.counting import count_queries
from tests.support.day import a_day, entry, play_round, spare
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.limits import SEARCHES
from tournaments.director.queries.rounds import round_page
from tournaments.director.services.absences import withdraw
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import publish_round, set_visibility
from tournaments.front import views
from tournaments.front.queries.find import find_page
from tournaments.models import Player, Tournament
from tournaments.profiles.services.erasing import erase_player

pytestmark = pytest.mark.django_db


def address(tournament: Tournament, wanted: str) -> str:
    return reverse("find", args=[tournament.slug], query={"who": wanted})


def test_a_name_leads_to_table_round_and_opponent(client: Client) -> None:
    tournament = the_liguilla(published=1)
    match = round_page(tournament.slug, 1, NOBODY).round.matches[2]
    answer = client.get(address(tournament, match.home.players[0]))
    page = answer.content.decode()
    assert f'href="/matches/{match.pk}/"' in page
    assert f"<strong>{match.table}</strong>" in page
    assert match.away is not None
    assert match.away.shown_name in page
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("wanted", ["jordan", "JORDÁN", "  jor  ", "pila jord"])
def test_the_beginnings_of_words_are_enough_without_case_and_accents(wanted: str) -> None:
    tournament = the_liguilla(published=1)
    Player.objects.filter(code="J01").update(name="Pilar Jordán")
    Tournament.objects.filter(pk=tournament.pk).update(version=tournament.version + 1)
    (found,) = find_page(tournament.slug, wanted, NOBODY).entries
    assert "Pilar Jordán" in {found.name, *found.players}


def test_a_part_within_a_word_is_no_hit() -> None:
    tournament = the_liguilla(published=1)
    Player.objects.filter(code="J01").update(name="Zzfrontera")
    Tournament.objects.filter(pk=tournament.pk).update(version=tournament.version + 1)
    assert find_page(tournament.slug, "zzf", NOBODY).entries
    assert not find_page(tournament.slug, "frontera", NOBODY).entries


def test_all_rounds_in_play_are_looked_at() -> None:
    tournament = the_liguilla(published=2)
    (found,) = find_page(tournament.slug, "Torrero", NOBODY).entries
    assert [seat.match.round for seat in found.seats] == [1, 2]


def test_more_rounds_in_play_take_no_more_queries() -> None:
    tournament = the_liguilla(published=1)
    one = count_queries(lambda: find_page(tournament.slug, "a", NOBODY))[1]
    for number in range(2, 8):
        publish_round(SYSTEM, the_round(tournament, number))
    assert count_queries(lambda: find_page(tournament.slug, "a", NOBODY))[1] == one


def test_a_closed_round_is_no_place_to_sit() -> None:
    tournament = a_day()
    play_round(tournament, 1)
    (found,) = find_page(tournament.slug, "Jugador 11", NOBODY).entries
    assert not found.seats


def test_a_substitute_is_found_at_the_table_of_the_pair() -> None:
    tournament = a_day()
    pair, comes = entry(tournament, 2), spare(tournament)
    Player.objects.filter(pk=comes.pk).update(name="Suplente Sola")
    assert pair.pair is not None
    comes.refresh_from_db()
    substitute(SYSTEM, pair, leaves=pair.pair.first, comes=comes, from_round=1)
    publish_round(SYSTEM, the_round(tournament, 1))
    (found,) = find_page(tournament.slug, "suplente", NOBODY).entries
    assert found.number == 2


def test_an_erased_person_is_found_neither_by_name_nor_by_pseudonym() -> None:
    tournament = the_liguilla(published=1)
    player = Player.objects.get(code="J01")
    name = player.name
    assert find_page(tournament.slug, name, NOBODY).entries
    withdraw(SYSTEM, tournament.entries.get(pair__first=player))
    erased = erase_player(SYSTEM, player)
    assert erased.name.startswith("NN")
    assert not find_page(tournament.slug, name, NOBODY).entries
    assert not find_page(tournament.slug, erased.name, NOBODY).entries
    assert not find_page(tournament.slug, "nn", NOBODY).entries


def test_a_private_tournament_is_searched_by_its_own_people_alone(client: Client) -> None:
    tournament = the_liguilla(published=1)
    set_visibility(SYSTEM, tournament, "private")
    with refusal(Reason.NOT_FOUND):
        find_page(tournament.slug, "Torrero", NOBODY)
    assert client.get(address(tournament, "Torrero")).status_code == 404


def test_searches_are_limited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    tournament = the_liguilla(published=1)
    monkeypatch.setattr(views, "SEARCHES", SEARCHES._replace(address=3))
    for _ in range(3):
        assert client.get(address(tournament, "")).status_code == 200
    assert client.get(address(tournament, "")).status_code == 429


@pytest.mark.parametrize("name", ["tournament", "crosstable", "rounds", "entries"])
def test_the_field_is_on_the_pages_of_a_tournament(client: Client, name: str) -> None:
    tournament = the_liguilla(published=1)
    page = client.get(reverse(name, args=[tournament.slug])).content.decode()
    assert f'action="{reverse("find", args=[tournament.slug])}"' in page
    assert " data-filter" in page
