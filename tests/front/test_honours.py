"""The honours of a club: champions by year, records, attendance, people by name."""

import re
from collections import Counter

import pytest
from django.test import Client

from tests.clubs import (
    SYSTEM,
    a_club,
    play_out,
    play_the_club_night,
    the_liguilla,
    the_match,
    the_round,
)
from tests.support.counting import again
from tournaments.director.services.tournaments import finish
from tournaments.domain.scores import Score
from tournaments.front.queries.honours import Honours, club_honours
from tournaments.models import Club, Match, Tournament
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db


def finished(club: Club | None = None) -> Tournament:
    tournament = the_liguilla(club)
    for number in range(1, 8):
        play_out(the_round(tournament, number))
    return finish(SYSTEM, tournament)


def test_a_club_shows_who_won_by_year_and_how_many_came() -> None:
    tournament = finished()
    honours = club_honours(tournament.club.slug)
    ((year, (won,)),) = honours.years
    assert (year, won.name, won.entries) == (
        tournament.created_at.year,
        tournament.name,
        8,
    )
    (champion,) = won.champions
    page = Client(headers={"accept-language": "en"}).get(f"/clubs/{tournament.club.slug}/").text
    assert f'href="{champion.address}"><strong>{champion.name}</strong>' in page
    assert "Most entries: 8" in page
    assert "Attendance" in page
    assert "Most titles" not in page  # one title is no record
    assert "?editions=" not in Client().get(f"/t/{tournament.slug}/").text
    assert again(lambda: club_honours(tournament.club.slug)) == 2


def test_the_same_champion_of_two_tournaments_holds_the_records() -> None:
    first = finished()
    second = finished(first.club)
    Tournament.objects.filter(pk=second.pk).update(name="II Liguilla de otoño")
    correct_result(SYSTEM, the_match(second, 3, 2), Score(3, 0, 480, 20), reason="mal sumado")
    honours = club_honours(first.club.slug)
    assert (honours.titles, honours.in_a_row) == (2, 2)
    assert [one.name for one in honours.record] == [honours.won[0].champions[0].name]
    assert honours.streak == honours.record
    win, longest = honours.biggest_win, honours.longest_match
    assert win is not None
    assert longest is not None
    assert (win.pk, win.hands, longest.hands) == (the_match(second, 3, 2).pk, (3, 0), (3, 1))
    client = Client(headers={"accept-language": "en"})
    page = client.get(f"/clubs/{first.club.slug}/").text
    for text in ("Titles in a row: 2", "Biggest win", " 3–0 ", f"?editions={second.slug}#"):
        assert text in page
    editions = client.get(f"/clubs/{first.club.slug}/?editions={first.slug}").text
    assert f"/t/{second.slug}/" in editions
    assert client.get(f"/clubs/{first.club.slug}/?editions=none").status_code == 404
    page = client.get(f"/t/{first.slug}/").text
    assert f"?editions={first.slug}#champions" in page
    assert f"/t/{first.slug}/luck/" not in page  # no hand of it is analysed


def test_private_and_running_tournaments_give_no_honours() -> None:
    tournament = finished()
    Tournament.objects.filter(pk=tournament.pk).update(
        visibility=Tournament.Visibility.PRIVATE, version=tournament.version + 1
    )
    assert club_honours(tournament.club.slug) == Honours()
    assert club_honours(a_club("Peña La Sota").slug) == Honours()


def test_players_are_listed_by_name() -> None:
    tournament = finished()
    text = Client().get(f"/clubs/{tournament.club.slug}/").text
    listed = text[text.index('id="players"') :]
    names = sorted(tournament.club.players.values_list("name", flat=True))
    places = [listed.index(f">{name}<") for name in names if name.isascii()]
    assert places == sorted(places)


def test_the_most_forties_of_a_night_are_those_of_the_records() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    assert club_honours(tournament.club.slug).forties is None  # it is not over
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    counts: Counter[str] = Counter()
    for match in Match.objects.with_names().filter(round__stage__tournament=tournament):
        record = match.records.get()
        for play in record.hands.values_list("play", flat=True):
            for seat in re.findall(r"([A-D]):40\b", play or ""):
                ((home,), (away,)) = match.sides
                counts[(home if seat in record.home_side else away).shown_name] += 1
    night = club_honours(tournament.club.slug).forties
    assert night is not None
    assert night.count == max(counts.values()) == counts[night.who.name]
