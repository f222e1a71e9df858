"""The front page and a club's page."""

import pytest
from django.test import Client

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    a_draft,
    csv,
    organiser,
    play_the_club_night,
    program,
    the_liguilla,
    the_round,
)
from tests.support.counting import count_queries
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.cards import MAX_CLUBS, TournamentCard, club_page, home
from tournaments.director.services.tournaments import close_round
from tournaments.models import Club
from tournaments.people.services.clubs import import_players

pytestmark = pytest.mark.django_db


def test_the_front_page_shows_clubs_and_what_is_being_played() -> None:
    tournament = the_liguilla(published=2)
    play = home(NOBODY)
    (club,) = play.clubs
    assert (club.name, club.city, club.players, club.tournaments) == (
        "Casino de Zaragoza",
        "Zaragoza",
        16,
        1,
    )
    assert play.live == (
        TournamentCard(
            slug=tournament.slug,
            name="Liguilla de otoño",
            club_name="Casino de Zaragoza",
            club_slug="casino-de-zaragoza",
            state="running",
            entries=8,
            rounds=7,
            rounds_closed=0,
            current_round=1,
        ),
    )
    assert play.finished == ()


def test_a_card_shows_how_far_it_has_got() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in (1, 2):
        close_round(SYSTEM, the_round(tournament, number))
    (card,) = home(NOBODY).live
    assert (card.rounds_closed, card.current_round) == (2, 7), "all have been played"


def test_drafts_are_shown_to_the_clubs_people_alone() -> None:
    club = a_club()
    a_draft(club)
    reader, submitter = program(club, "games:read"), program(club, "games:submit", of="pepa")
    elsewhere = organiser(a_club("Otro"), "otto")
    assert home(NOBODY).live == home(elsewhere).live == home(submitter).live == ()
    assert home(NOBODY).clubs[0].tournaments == 0
    assert len(home(organiser(club)).live) == len(home(reader).live) == 1
    assert club_page(club.slug, NOBODY).tournaments == ()
    assert club_page(club.slug, submitter).tournaments == ()
    assert len(club_page(club.slug, organiser(club)).tournaments) == 1


def test_a_clubs_page_shows_its_people() -> None:
    club = the_liguilla().club
    page = club_page(club.slug, organiser(club))
    assert len(page.players) == 16
    assert page.players[0].name == "Pilar Martínez"
    assert (page.pairs[0].name, page.pairs[0].first, page.pairs[0].second) == (
        "Las Cuarenta",
        "Pilar Martínez",
        "Jesús Ibáñez",
    )
    assert page.may.manage
    assert not club_page(club.slug, NOBODY).may.member


def test_a_club_that_is_not_there_is_not_found() -> None:
    with refusal(Reason.NOT_FOUND):
        club_page("no", NOBODY)


def test_the_front_page_takes_as_many_queries_however_much_there_is() -> None:
    clubs = [a_club(name) for name in ("Uno", "Dos", "Tres")]
    for club in clubs:
        the_liguilla(club)
        a_draft(club, "Otra")
        import_players(SYSTEM, club, csv("players.csv"))
    boss = organiser(clubs[0])
    assert count_queries(lambda: home(NOBODY))[1] == 6
    assert count_queries(lambda: home(boss))[1] == 8


def test_the_front_page_shows_some_clubs_and_all_when_asked(client: Client) -> None:
    Club.objects.bulk_create(
        Club(slug=f"club-{number:02}", name=f"Club {number:02}") for number in range(MAX_CLUBS)
    )
    assert len(home(NOBODY).clubs) == MAX_CLUBS
    assert not home(NOBODY).has_more
    a_club("Zurdos")
    few, everyone = home(NOBODY), home(NOBODY, all_clubs=True)
    assert (len(few.clubs), few.has_more) == (MAX_CLUBS, True)
    assert (len(everyone.clubs), everyone.has_more) == (MAX_CLUBS + 1, False)
    assert "Zurdos" not in client.get("/").content.decode()
    assert 'href="?clubs=all#clubs"' in client.get("/").content.decode()
    assert "Zurdos" in client.get("/?clubs=all").content.decode()


def test_a_clubs_page_takes_eight_queries() -> None:
    club = the_liguilla().club
    boss = organiser(club)
    assert count_queries(lambda: club_page(club.slug, NOBODY))[1] == 7
    assert count_queries(lambda: club_page(club.slug, boss))[1] == 8


def test_the_front_page_offers_the_first_tournament_of_the_only_club(client: Client) -> None:
    club = a_club()
    offer = f"/clubs/{club.slug}/tournaments/propose/"
    assert offer not in client.get("/").content.decode()
    user = organiser(club).user
    assert user is not None
    client.force_login(user)
    assert offer in client.get("/").content.decode()
    a_draft(club)
    assert offer not in client.get("/").content.decode()
