"""Single players with partners that change, and tables of three, drawn and planned again."""

import pytest

from tests.clubs import SYSTEM, the_round
from tests.support.day import the_people
from tournaments.director.services.absences import withdraw
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import Match, Player, Round, Tournament

pytestmark = pytest.mark.django_db


def a_night(format_: str, ruleset: str, players: int, rounds: int) -> Tournament:
    """Single players of the club, drawn."""
    club, _ = the_people(8)
    tournament = create_tournament(
        SYSTEM,
        club,
        "Individual",
        NewTournament(
            GameSettings(ruleset=ruleset), stages=[{"format": format_, "rules": {"rounds": rounds}}]
        ),
    )
    people = list(Player.objects.filter(club=club).order_by("code")[:players])
    enter_newcomers(SYSTEM, tournament, people)
    draw(SYSTEM, tournament)
    tournament.refresh_from_db()
    return tournament


def partners(tournament: Tournament) -> list[frozenset[int]]:
    matches = Match.objects.filter(round__stage__tournament=tournament, away__isnull=False)
    sides = matches.values_list("home", "home_partner", "away", "away_partner")
    return [frozenset(two) for row in sides for two in (row[:2], row[2:])]


def test_eight_players_partner_each_other_once() -> None:
    tournament = a_night("individual", "parejas-online", players=8, rounds=7)
    assert Round.objects.filter(stage__tournament=tournament).count() == 7
    numbers = partners(tournament)
    assert len(numbers) == len(set(numbers)) == 28


def test_when_a_person_leaves_the_rest_is_planned_again_and_says_so() -> None:
    tournament = a_night("individual", "parejas-online", players=9, rounds=5)
    publish_round(SYSTEM, the_round(tournament, 1))
    entry = tournament.entries.with_players().select_related("tournament__club").get(number=3)
    withdraw(SYSTEM, entry)
    (reason,) = the_round(tournament, 2).drawn["whys"]
    assert reason["code"] == "individual_replanned"
    assert {"partner_repeats", "partner_repeats_before"} <= reason["facts"].keys()
    assert len(partners(tournament)) == len(set(partners(tournament)))
    later = Match.objects.filter(round__stage__tournament=tournament, round__number__gt=1)
    seats = ("home", "home_partner", "away", "away_partner")
    assert not any(entry.pk in row for row in later.values_list(*seats))


def test_a_person_who_comes_late_is_in_the_new_plan() -> None:
    tournament = a_night("individual", "parejas-online", players=8, rounds=5)
    publish_round(SYSTEM, the_round(tournament, 1))
    newcomer = Player.objects.filter(club=tournament.club, entries__isnull=True)[0]
    late = enter_late(SYSTEM, tournament, newcomer)
    assert late.joined_round == 2
    seats = ("home", "home_partner", "away", "away_partner")
    second = Match.objects.filter(round=the_round(tournament, 2))
    assert any(late.pk in row for row in second.values_list(*seats))


def test_three_at_a_table_do_not_meet_twice() -> None:
    tournament = a_night("threes", "arrastrado", players=9, rounds=4)
    matches = Match.objects.filter(round__stage__tournament=tournament)
    tables = [frozenset(row) for row in matches.values_list("home", "away", "third")]
    pairs = [frozenset((a, b)) for table in tables for a in table for b in table if a < b]
    assert len(tables) == 12
    assert len(pairs) == len(set(pairs)) == 36
