"""Stages, tables and sums, as programs read them."""

from __future__ import annotations

import pytest

from tests.clubs import SYSTEM, the_match, the_round
from tests.standings.test_standings_queries import groups_and_final
from tests.support.caller import Caller
from tests.support.counting import again
from tests.support.day import a_day, entry, next_round, play_round
from tests.support.scene_rows import reuse_rows
from tournaments.director.services.absences import penalise
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss() -> Tournament:
    return two_rounds_played()


@reuse_rows()
def two_rounds_played() -> Tournament:
    """Seven pairs after two rounds, with a penalty."""
    tournament = a_day(entered=7, late=0)
    for number in (1, 2):
        play_round(tournament, number)
        next_round(tournament, number)
    penalise(SYSTEM, entry(tournament, 2), round_number=1, match_points="0,5", reason="late")
    return tournament


def test_the_table_has_the_criteria_with_their_names(swiss: Tournament) -> None:
    path = f"tournaments/{swiss.slug}/standings/"
    table = Caller(language="en").read(path)
    assert table["stage"]["format"] == "swiss"
    assert [stage["number"] for stage in table["stages"]] == [1]
    values = table["rows"][0]["values"]
    assert values[0]["code"] == "buchholz_cut1"
    assert values[0]["label"] == "Buchholz without the lowest opponent"
    assert Caller(language="es").read(path)["rows"][0]["values"][0]["label"].endswith("peor rival")


def test_the_table_is_read_once_a_version(swiss: Tournament) -> None:
    path = f"tournaments/{swiss.slug}/standings/"
    table = Caller().read(path)
    assert again(lambda: Caller().read(path)) == 1  # the version
    penalise(SYSTEM, entry(swiss, 3), round_number=1, match_points="0,5", reason="late again")
    assert Caller().read(path)["rows"] != table["rows"]
    Tournament.objects.update(visibility=Tournament.Visibility.PRIVATE)
    assert Caller().get(path).status_code == 404


def test_whole_match_points_are_integers_and_broken_ones_decimals(swiss: Tournament) -> None:
    rows = Caller().read(f"tournaments/{swiss.slug}/standings/")["rows"]
    by_number = {row["number"]: row for row in rows}
    assert isinstance(by_number[1]["match_points"], int)
    assert by_number[2]["match_points"] % 1 == 0.5
    assert by_number[2]["penalties"][0]["match_points"] == 0.5
    assert by_number[2]["penalties"][0]["reason"] == "late"
    assert (by_number[2]["withdrawn"], by_number[2]["lot"]) == (False, None)


def test_the_sums_of_an_entry_add_up(swiss: Tournament) -> None:
    document = Caller().read(f"tournaments/{swiss.slug}/standings/2/")
    for sum_row in document["sums"]:
        if sum_row["number"] is not None:
            total = sum(term["amount"] for term in sum_row["terms"] if not term["cut"])
            assert total == pytest.approx(sum_row["number"])
    assert [line["round"] for line in document["rounds"]] == [1, 2]
    assert (
        document["rounds"][0]["match"] is not None or document["rounds"][0]["kind"] == "pairing_bye"
    )
    assert Caller().get(f"tournaments/{swiss.slug}/standings/99/").status_code == 404


def test_the_stages_and_the_table_of_each() -> None:
    tournament = groups_and_final()
    next_round(tournament, 3)
    publish_round(SYSTEM, the_round(tournament, 4))
    caller, path = Caller(), f"tournaments/{tournament.slug}/"
    stages = caller.read(f"{path}stages/")["stages"]
    assert [(stage["format"], stage["state"]) for stage in stages] == [
        ("groups", "finished"),
        ("knockout", "running"),
    ]
    first = caller.read(f"{path}standings/?stage=1")
    assert [row["group"] for row in first["rows"]] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert caller.read(f"{path}standings/")["stage"]["number"] == 2
    crosstable = caller.read(f"{path}crosstable/")
    assert (crosstable["view"], crosstable["rounds"]) == ("bracket", [4])
    keys = {row["rounds"][0]["match"] for row in crosstable["rows"]}
    assert keys == {the_match(tournament, 4, table).pk for table in (1, 2)}


@pytest.mark.parametrize(("stage", "status"), [("9", 404), ("x", 400), ("0", 400), ("-1", 400)])
def test_a_stage_that_does_not_exist_is_refused(swiss: Tournament, stage: str, status: int) -> None:
    path = f"tournaments/{swiss.slug}/standings/?stage={stage}"
    assert Caller().get(path).status_code == status
