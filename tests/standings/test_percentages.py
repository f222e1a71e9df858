"""Percentages of a duplicate: the match points beside the most that could be had."""

import csv
from collections import defaultdict
from fractions import Fraction
from io import StringIO
from itertools import combinations
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client

from tests.clubs import SYSTEM, a_swiss
from tests.sheets.reading import words_of
from tests.support.caller import Caller
from tests.support.day import play_round
from tests.support.duplicates import a_duplicate, play_deals, points_at
from tournaments.cli.main import main
from tournaments.exchange.queries.exports import tournament_file
from tournaments.models import Match, Tournament

pytestmark = pytest.mark.django_db


def counted(tournament: Tournament) -> dict[int, tuple[Fraction, int]]:
    """Return match points and possible ones by entry: each deal, two tables at a time."""
    results = defaultdict(list)
    for match in Match.objects.with_names().filter(bye="", round__stage__tournament=tournament):
        home, away = (side[0].number for side in match.sides)
        for board in match.boards:
            points, others = points_at(match.round.number, match.table, board)
            results[board].append((home, away, points - others))
    most = max(map(len, results.values()))
    got: dict[int, Fraction] = defaultdict(Fraction)
    possible: dict[int, int] = defaultdict(int)
    for tables in results.values():
        earned: dict[int, int] = defaultdict(int)
        for (home, away, one), (other_home, other_away, other) in combinations(tables, 2):
            for first, second in ((home, other_home), (other_away, away)):
                earned[first] += 1 + (one > other) - (one < other)
                earned[second] += 1 + (one < other) - (one > other)
        for home, away, _ in tables:
            for number in (home, away):  # Neuberg, where fewer tables played the deal
                got[number] += Fraction(most, len(tables)) * (earned[number] + 1) - 1
                possible[number] += 2 * (most - 1)
    return {number: (got[number], possible[number]) for number in possible}


def played_howell() -> Tournament:
    """Return a Howell of six pairs, all of whose deals were played at every table."""
    tournament = a_duplicate(6, movement="howell", deals=3)
    for number in range(1, 6):
        play_deals(tournament, number)
    cache.clear()
    return tournament


def test_percentages_are_those_of_a_count_by_hand() -> None:
    tournament = played_howell()
    rows = Caller().read("tournaments/duplicada/standings/")["rows"]
    expected = counted(tournament)
    assert len(rows) == 6
    for row in rows:
        got, possible = expected[row["number"]]
        assert (row["match_points"], row["possible"]) == (got, possible)
        assert row["percentage"] == round(float(100 * got / possible), 2)
    assert sum(row["percentage"] for row in rows) == pytest.approx(300, abs=0.05)


@pytest.mark.slow
def test_twelve_pairs_by_howell() -> None:
    tournament = a_duplicate(12, movement="howell")
    for number in range(1, 12):
        play_deals(tournament, number)
    cache.clear()
    expected = counted(tournament)
    rows = Caller().read("tournaments/duplicada/standings/")["rows"]
    assert {row["possible"] for row in rows} == {2 * 11 * 2 * 5}
    for row in rows:
        got, possible = expected[row["number"]]
        assert row["percentage"] == round(float(100 * got / possible), 2)


@pytest.mark.slow
def test_seventeen_pairs_by_mitchell_in_six_rounds_with_byes() -> None:
    tournament = a_duplicate(17, movement="mitchell", rounds=6)
    for number in range(1, 7):
        play_deals(tournament, number)
    cache.clear()
    expected = counted(tournament)
    rows = Caller().read("tournaments/duplicada/standings/")["rows"]
    assert len(rows) == 17
    assert sum(row["played"] < 6 for row in rows) == 6, "one rests in each round"
    for row in rows:  # who rests gets the mean of their rounds, which leaves the percentage
        got, possible = expected[row["number"]]
        assert row["percentage"] == pytest.approx(float(100 * got / possible), abs=0.006)


def test_they_are_on_page_projector_sheet_and_in_tables(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played_howell()
    first = Caller().read("tournaments/duplicada/standings/")["rows"][0]
    client = Client(headers={"accept-language": "es"})
    percent = f"{first['percentage']:.1f}".replace(".", ",")
    page = client.get("/t/duplicada/").content.decode()
    assert f'<td class="number">{percent}</td>' in page
    sums = client.get(f"/t/duplicada/standings/{first['number']}/").content.decode()
    assert f"<span>{percent} % de {first['possible']}</span>" in sums
    screen = client.get("/t/duplicada/screen/?show=standings").content.decode()
    assert f'<td class="screen__record">{percent} %</td>' in screen
    assert f">{percent}</td>" in client.get("/embed/t/duplicada/standings/").content.decode()
    paper = client.get("/t/duplicada/print/standings.pdf").content
    assert f"{first['percentage']}".replace(".", ",") in words_of(paper)[0]
    table = client.get("/t/duplicada/tables/standings.csv").content.decode("utf-8-sig")
    line = next(csv.DictReader(StringIO(table)))
    assert float(line["Porcentaje"]) == first["percentage"]
    assert float(line["Puntos posibles"]) == first["possible"]
    path = tmp_path / "duplicada.json"
    path.write_bytes(tournament_file("duplicada", SYSTEM))
    assert main(["standings", str(path), "--lang", "es"]) == 0
    assert str(first["percentage"]) in capsys.readouterr().out


def test_who_only_had_a_bye_has_half_of_what_could_be_had() -> None:
    tournament = a_duplicate(5, movement="howell")
    play_deals(tournament, 1)
    cache.clear()
    rows = Caller().read("tournaments/duplicada/standings/")["rows"]
    resting = next(row for row in rows if not row["played"])
    assert (resting["percentage"], resting["possible"]) == (50, 4)


def test_other_scorings_have_none() -> None:
    tournament = a_swiss(4)
    play_round(tournament, 1)
    rows = Caller().read(f"tournaments/{tournament.slug}/standings/")["rows"]
    assert {(row["percentage"], row["possible"]) for row in rows} == {(None, 0)}
    assert (
        '<abbr title="Porcentaje">' not in Client().get(f"/t/{tournament.slug}/").content.decode()
    )
