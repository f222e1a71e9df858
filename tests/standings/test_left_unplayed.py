"""A pair that left without having played: last of its match points, no podium, no diploma."""

import json

import pytest
from django.test import Client

from tests.clubs import NOBODY, SYSTEM, organiser, user
from tests.sheets.reading import words_of
from tests.support.day import a_day, entry, play_round
from tools.verify_export import Report, check_proof
from tournaments.director.services.absences import expel, withdraw
from tournaments.director.services.tournaments import finish
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.ranking import LEFT_UNPLAYED
from tournaments.domain.rows import PlaceRule
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import Stage, Tournament
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended() -> Tournament:
    """A Swiss of one round; the third pair has left after the draw, before a card was dealt."""
    tournament = a_day(entered=3, late=0, rounds=1)
    withdraw(SYSTEM, entry(tournament, 3))
    play_round(tournament, 1)
    finish(SYSTEM, tournament)
    tournament.refresh_from_db()
    return tournament


def test_it_stands_below_the_pair_that_lost_and_says_why(ended: Tournament) -> None:
    rows = standings_page(ended.slug, NOBODY).rows
    assert [row.played for row in rows] == [1, 1, 0]
    assert (rows[2].number, rows[2].decided_by) == (3, LEFT_UNPLAYED)
    page = Client(headers={"accept-language": "en"}).get(f"/t/{ended.slug}/").content.decode()
    assert "left without playing" in page
    api = Client().get(f"/api/v1/tournaments/{ended.slug}/standings/").json()
    assert [row["decided_by"] for row in api["rows"]][2] == "left_unplayed"


def test_it_is_on_no_podium_and_gets_no_diploma(ended: Tournament) -> None:
    name = entry(ended, 3).name
    assert [row.number for row in standings_page(ended.slug, NOBODY).podium] == [
        row.number for row in standings_page(ended.slug, NOBODY).rows[:2]
    ]
    screen = Client().get(f"/t/{ended.slug}/screen/?slides=podium").content.decode()
    assert entry(ended, 1).name in screen
    assert name not in screen
    organiser(ended.club)
    staff = Client()
    staff.force_login(user("olga"))
    pages = words_of(staff.get(f"/t/{ended.slug}/print/diplomas.pdf").content)
    assert len(pages) == 2
    assert name not in " ".join(pages)
    assert staff.get(f"/t/{ended.slug}/print/diplomas.pdf?places=3").status_code == 404


def test_a_tournament_of_before_keeps_its_table_and_podium(ended: Tournament) -> None:
    stage = Stage.objects.get(tournament=ended)
    stage.settings.pop("places")
    stage.save()
    Tournament.objects.filter(pk=ended.pk).update(version=ended.version + 1)
    page = standings_page(ended.slug, NOBODY)
    assert stage.rules.places is PlaceRule.LISTED
    assert [row.number for row in page.rows][1] == 3
    assert 3 in [row.number for row in page.podium]


def test_the_proof_with_the_rule_holds_for_both_verifiers(ended: Tournament) -> None:
    file = proof_file(ended)
    assert all_hold(verify(bundle_from_bytes(file)))
    report = Report()
    check_proof(report, json.loads(file), set())
    assert not report.faults


def test_an_expelled_pair_that_has_played_keeps_its_line_and_stands_on_no_podium() -> None:
    tournament = a_day(entered=4, late=0, rounds=2)
    play_round(tournament, 1)
    expel(SYSTEM, entry(tournament, 1), "no mercy")
    rows = standings_page(tournament.slug, NOBODY).rows
    assert [row.number for row in rows if not row.on_podium] == [1]
    assert LEFT_UNPLAYED not in [row.decided_by for row in rows]
