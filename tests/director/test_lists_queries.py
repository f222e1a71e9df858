"""Lists that programs read to their end, some rows at a time."""

import pytest

from tests.clubs import NOBODY, SYSTEM, a_club, a_draft, organiser, program, the_liguilla
from tests.support.counting import count_queries
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.queries.cards import MAX_CARDS, tournaments_after
from tournaments.director.services.tournaments import create_tournament
from tournaments.exchange.queries.trails import history_after, tournament_history
from tournaments.people.queries import clubs_after

pytestmark = pytest.mark.django_db


def test_clubs_follow_one_another_by_their_short_names() -> None:
    for name in ("Cierzo", "Albada", "Boira"):
        a_club(name)
    first, queries = count_queries(lambda: clubs_after("", 2))
    assert [club.slug for club in first] == ["albada", "boira"]
    assert [club.slug for club in clubs_after("boira", 2)] == ["cierzo"]
    assert queries == 1


def test_no_tournament_is_left_out_however_many_there_are() -> None:
    club = a_club()
    for number in range(MAX_CARDS + 2):
        create_tournament(SYSTEM, club, f"Torneo {number:02}")
    tournament_cards, queries = count_queries(lambda: tournaments_after("", 100, SYSTEM))
    assert len(tournament_cards) == MAX_CARDS + 2
    assert queries == 2  # the tournaments, and their stages for the number of planned rounds
    assert tournaments_after("", 100, NOBODY) == ()


def test_drafts_are_listed_for_the_clubs_people_alone() -> None:
    club = a_club()
    draft = a_draft(club)
    elsewhere = organiser(a_club("Otro"), "otto")
    submitter = program(club, "games:submit", of="pepa")

    def slugs_for(viewer: Actor) -> list[str]:
        return [tournament.slug for tournament in tournaments_after("", 10, viewer)]

    assert slugs_for(NOBODY) == slugs_for(elsewhere) == slugs_for(submitter) == []
    assert slugs_for(organiser(club)) == slugs_for(program(club, "games:read")) == [draft.slug]


def test_the_history_can_be_read_from_its_beginning() -> None:
    tournament = the_liguilla()
    whole = [line.event for line in tournament_history(tournament.slug, SYSTEM).events]
    earliest = history_after(tournament.slug, 0, 3, SYSTEM)
    assert earliest == tuple(reversed(whole))[:3]
    rest = history_after(tournament.slug, earliest[-1].sequence, 1000, SYSTEM)
    assert earliest + rest == tuple(reversed(whole))
    with refusal(Reason.NOT_FOUND):
        history_after(tournament.slug, 0, 1, NOBODY)
