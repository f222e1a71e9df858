"""A swiss of eight in which one line has card points: pages, API, paper and proof."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from tests.clubs import SYSTEM, the_match, the_round
from tests.sheets.reading import words_of
from tests.support.day import a_day
from tools import verify_export
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.scores import Score
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import Stage, Tournament
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db

ENGLISH = {"accept-language": "en"}
SENTENCE = "Tables whose points are missing: 3."


def an_evening(places: str = "played", *, points: int = 1, **rules: object) -> Tournament:
    """The first round of eight pairs, home winning each 3–1; of some tables with 400–300."""
    tournament = a_day(entered=8, late=0)
    stage = Stage.objects.get(tournament=tournament)
    stage.settings = {**stage.settings, "places": places, **rules}
    stage.save(update_fields=["settings"])
    publish_round(SYSTEM, the_round(tournament, 1))
    for table in range(1, 5):
        cards = (400, 300) if table <= points else (0, 0)
        report_result(SYSTEM, the_match(tournament, 1, table), score=Score(3, 1, *cards))
    tournament.refresh_from_db()
    return tournament


def rows_of(tournament: Tournament) -> list[dict[str, object]]:
    address = f"/api/v1/tournaments/{tournament.slug}/standings/"
    document = Client(headers=ENGLISH).get(address).json()
    return list(document["rows"])


def test_one_line_with_points_makes_nobody_first_alone_and_nobody_last_alone() -> None:
    assert [row["rank"] for row in rows_of(an_evening())] == [1, 1, 1, 1, 5, 5, 5, 5]


def test_a_tournament_by_the_rule_of_before_keeps_its_table() -> None:
    tournament = an_evening("listed")
    assert [row["rank"] for row in rows_of(tournament)] == [1, 2, 2, 2, 5, 5, 5, 8]
    page = Client(headers=ENGLISH).get(f"/t/{tournament.slug}/").content.decode()
    assert "points are missing" not in page


def test_the_table_says_what_was_passed_over() -> None:
    tournament = an_evening()
    client = Client(headers=ENGLISH)
    page = client.get(f"/t/{tournament.slug}/").content.decode()
    assert SENTENCE in page
    assert "this does not count: Difference of points." in page
    document = client.get(f"/api/v1/tournaments/{tournament.slug}/standings/").json()
    assert document["passed_over"] == ["point_difference"]
    assert document["tables_without_points"] == 3
    paper = client.get(f"/t/{tournament.slug}/print/standings.pdf")
    assert SENTENCE in " ".join(words_of(paper.content)[0].split())


def test_a_column_that_no_line_has_points_for_is_not_shown() -> None:
    tournament = an_evening(points=0)
    client = Client(headers=ENGLISH)
    page = client.get(f"/t/{tournament.slug}/").content.decode()
    assert 'title="Difference of hands' in page
    assert 'title="Difference of points' not in page
    reported = client.get(f"/t/{an_evening().slug}/").content.decode()
    assert 'title="Difference of points' in reported


def test_the_sums_of_an_entry_say_which_points_are_missing() -> None:
    tournament = an_evening()
    home = the_match(tournament, 1, 4).home
    page = Client(headers=ENGLISH).get(f"/t/{tournament.slug}/standings/{home.number}/")
    text = page.content.decode()
    assert "Does not count: the points of a match that was played are missing." in text
    assert "0–0" not in text


def test_with_all_points_the_difference_decides_as_before() -> None:
    tournament = an_evening(points=4)
    match = the_match(tournament, 1, 2)
    assert match.away is not None
    rows = rows_of(tournament)
    assert {row["decided_by"] for row in rows} <= {"", "match_points", "shared"}
    assert [row["point_difference"] for row in rows] == [100] * 4 + [-100] * 4


@pytest.mark.parametrize("places", ["played", "listed"])
def test_the_proof_of_either_table_verifies(places: str) -> None:
    tournament = an_evening(places, order=["point_difference", "hands_for"])
    close_round(SYSTEM, the_round(tournament, 1))
    proof = proof_file(tournament)
    stage = json.loads(proof)["stages"][0]
    assert stage["rules"].get("places", "listed") == places
    assert all_hold(verify(bundle_from_bytes(proof)))
    report = verify_export.Report()
    verify_export.check_proof(report, json.loads(proof), set())
    assert report.faults == []
    assert report.checked[-1] == "stage 1, round 1: points and tie-breaks come out the same"
