"""A substitute of a single player: keeps the entry's number, tables and guide card."""

import pytest
from django.test import Client

from tests.clubs import SYSTEM, a_bot_liguilla, organiser, the_round, user
from tests.support.day import entry, the_people
from tests.support.draft_scenes import played_out
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.substitutions import end_substitution, substitute
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import Match, Player, Substitution, Tournament
from tournaments.ratings.queries.history import key_of, seats_of
from tournaments.standings.queries.crosstables import crosstable_page

pytestmark = pytest.mark.django_db


def an_individual(players: int = 8, rounds: int = 4) -> Tournament:
    club, _ = the_people(players // 2)
    tournament = create_tournament(
        SYSTEM,
        club,
        "Individual",
        NewTournament(
            GameSettings(options={"to": 3}),
            stages=[{"format": "individual", "rules": {"rounds": rounds}}],
        ),
        slug="individual",
    )
    people = list(Player.objects.filter(club=club).order_by("code"))
    enter_newcomers(SYSTEM, tournament, people[:players])
    draw(SYSTEM, tournament)
    return tournament


def put_in(tournament: Tournament, number: int, from_round: int) -> Substitution:
    left = entry(tournament, number)
    assert left.player is not None
    free = Player.objects.filter(club=tournament.club, entries__isnull=True)
    spare = free.filter(substitutions__isnull=True).order_by("code")[0]
    return substitute(SYSTEM, left, leaves=left.player, comes=spare, from_round=from_round)


def names_with(tournament: Tournament, number: int, round_: int) -> tuple[str, ...]:
    """Return the names on the side of an entry in a round."""
    for match in Match.objects.with_names().filter(round=the_round(tournament, round_)):
        for side, entries in enumerate(match.sides):
            if number in {one.number for one in entries}:
                return match.names_at(side)
    raise AssertionError("not in the round")


def numbers_at(match: Match) -> set[int]:
    return {one.number for side in match.sides for one in side}


def test_the_substitute_sits_with_each_partner_and_the_guide_card_stays() -> None:
    tournament = an_individual()
    before = crosstable_page("individual", SYSTEM).cards
    played_out(publish_round(SYSTEM, the_round(tournament, 1)))
    own = entry(tournament, 3).name
    substitution = put_in(tournament, 3, 2)
    assert own in names_with(tournament, 3, 1)
    for number in (2, 3, 4):
        names = names_with(tournament, 3, number)
        assert substitution.comes.name in names
        assert len(names) == 2
        assert own not in names
        publish_round(SYSTEM, the_round(tournament, number))
    cards = crosstable_page("individual", SYSTEM).cards
    assert [card.name for card in cards] == [card.name for card in before]
    assert [turn.round for turn in cards[2].turns] == [1, 2, 3, 4]


def test_two_substitutes_may_sit_on_one_side() -> None:
    tournament = an_individual()
    match = Match.objects.with_names().filter(round=the_round(tournament, 1)).order_by("table")[0]
    both = [put_in(tournament, one.number, 1).comes.name for one in match.sides[0]]
    match = Match.objects.with_names().get(pk=match.pk)
    assert list(match.names_at(0)) == both


def test_the_player_comes_back_and_results_count_for_who_played() -> None:
    tournament = an_individual()
    substitution = put_in(tournament, 3, 1)
    played_out(publish_round(SYSTEM, the_round(tournament, 1)))
    end_substitution(SYSTEM, substitution, until_round=2)
    assert substitution.comes.name in names_with(tournament, 3, 1)
    matches = Match.objects.with_names().filter(round=the_round(tournament, 1))
    (rated,) = (seats for match in matches if 3 in numbers_at(match) for seats in [seats_of(match)])
    assert key_of(substitution.comes.pk, None) in {key for side in rated for key in side}
    assert entry(tournament, 3).name in names_with(tournament, 3, 2)


def test_it_is_put_in_on_the_page_of_the_entry() -> None:
    tournament = an_individual()
    client = Client(headers={"accept-language": "es"})
    client.force_login(user("olga"))
    organiser(tournament.club)
    page = client.get("/t/individual/entries/3/").content.decode()
    assert "conserva el número, las mesas y la guía" in page
    left = entry(tournament, 3)
    assert left.player is not None
    fields = {"leaves": left.player.pk, "comes": "Nueva Vecina"}
    answer = client.post("/t/individual/entries/3/substitute/", {**fields, "from_round": "2"})
    assert answer.status_code == 302
    assert "Nueva Vecina" in names_with(tournament, 3, 2)


def test_the_round_at_play_is_proposed_where_all_are_published() -> None:
    tournament = an_individual()
    for number in (1, 2, 3, 4):
        publish_round(SYSTEM, the_round(tournament, number))
    played_out(the_round(tournament, 1))
    client = Client()
    client.force_login(user("olga"))
    organiser(tournament.club)
    page = client.get("/t/individual/entries/3/")
    assert page.context["forms"]["substitute"]["from_round"].value() == 2


def test_bots_have_none() -> None:
    tournament = a_bot_liguilla()
    spare = Player.objects.create(club=tournament.club, name="Nieves", code="N1", folded="nieves")
    with refusal(Reason.NOT_IN_ENTRY):
        substitute(SYSTEM, entry(tournament, 1), leaves=spare, comes="Nora Gil", from_round=1)
