"""Standings, results and entries as CSV and XLSX: by page and API, for those who see the page."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from tests.clubs import organiser, user
from tests.sheets.test_spreadsheets import cells_of
from tests.support.caller import Caller, problem
from tests.support.day import a_day, entry, play_round
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def day() -> Tournament:
    """A round of six pairs, one of which has a name that begins like a formula."""
    tournament = a_day(entered=6, late=0)
    Entry.objects.filter(tournament=tournament, number=1).update(name="=1+1")
    pair = entry(tournament, 1).pair
    assert pair is not None
    pair.name = "=1+1"
    pair.save()
    play_round(tournament, 1)
    return tournament


def rows_of(content: bytes) -> list[dict[str, str]]:
    """Return the rows of a CSV by their headings."""
    return list(csv.DictReader(StringIO(content.decode("utf-8-sig"))))


def get(path: str, language: str = "es") -> Any:
    return Client(headers={"accept-language": language}).get(path)


def test_the_standings_have_the_numbers_of_the_page(day: Tournament) -> None:
    answer = get(f"/t/{day.slug}/tables/standings.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    name = f'attachment; filename="{day.slug}.standings.csv"'
    assert answer.headers["Content-Disposition"] == name
    rows = rows_of(answer.content)
    told = Caller().read(f"tournaments/{day.slug}/standings/")["rows"]
    assert [int(row["Puesto"]) for row in rows] == [row["rank"] for row in told]
    points = [float(row["Puntos de partida"]) for row in rows]
    assert points == [row["match_points"] for row in told]
    assert {row["Nombre"] for row in rows} >= {"'=1+1"}


def test_the_results_have_each_table_of_the_published_rounds(day: Tournament) -> None:
    rows = cells_of(get(f"/t/{day.slug}/tables/results.xlsx", "en").content)
    heading = [cell.value for cell in rows[0]]
    assert heading[:5] == ["Round", "Table", "Name 1", "Hands 1", "Points 1"]
    told = Caller().read(f"tournaments/{day.slug}/matches/")["results"]
    hands = [(row[3].value, row[6].value) for row in rows[1:]]
    assert hands == [(m["score"]["home_hands"], m["score"]["away_hands"]) for m in told]
    names = {row[place].value for row in rows[1:] for place in (2, 5)}
    assert "=1+1" in names
    assert {cell.data_type for row in rows for cell in row} <= {"s", "n"}


def test_the_entries_name_their_players_and_no_code(day: Tournament) -> None:
    content = get(f"/t/{day.slug}/tables/entries.csv", "en").content
    rows = rows_of(content)
    assert len(rows) == 6
    assert list(rows[0]) == ["Entry", "Name", "Players"]
    codes = [row.code for row in Entry.objects.filter(tournament=day)]
    assert all(codes)
    for table in ("entries", "standings", "results"):
        text = get(f"/t/{day.slug}/tables/{table}.csv").content.decode()
        assert not [code for code in codes if code in text]


def test_the_api_gives_the_same_files(day: Tournament) -> None:
    page = get(f"/t/{day.slug}/tables/results.xlsx", "en").content
    answer = Caller().get(f"tournaments/{day.slug}/tables/results/?kind=xlsx")
    assert answer.content == page
    again = Caller().get(
        f"tournaments/{day.slug}/tables/results/?kind=xlsx", **{"If-None-Match": answer["ETag"]}
    )
    assert again.status_code == 304
    unknown = Caller().get(f"tournaments/{day.slug}/tables/results/?kind=ods")
    body = problem(unknown, 400, "bad_parameter")
    assert body["allowed"] == ["csv", "xlsx"]
    problem(Caller().get(f"tournaments/{day.slug}/tables/codes/"), 404, "not_found")


def test_who_does_not_see_the_tournament_gets_no_table(day: Tournament) -> None:
    day.visibility = Tournament.Visibility.PRIVATE
    day.save()
    for table in ("standings", "results", "entries"):
        assert get(f"/t/{day.slug}/tables/{table}.csv").status_code == 404
        problem(Caller().get(f"tournaments/{day.slug}/tables/{table}/"), 404, "not_found")
    organiser(day.club)
    client = Client()
    client.force_login(user("olga"))
    assert client.get(f"/t/{day.slug}/tables/entries.csv").status_code == 200
    assert get(f"/t/{day.slug}/tables/entries.ods").status_code == 404


def test_the_pages_lead_to_their_tables(day: Tournament) -> None:
    for page, table in (("", "standings"), ("entries/", "entries"), ("rounds/", "results")):
        text = get(f"/t/{day.slug}/{page}").content.decode()
        for kind in ("csv", "xlsx"):
            assert f'href="/t/{day.slug}/tables/{table}.{kind}"' in text, page
    text = get(f"/t/{day.slug}/files/").content.decode()
    assert text.count(f'href="/t/{day.slug}/tables/') == 6
