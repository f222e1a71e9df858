"""Lists as people bring them, by every way in: pasted, uploaded, over the API."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

import engine
from tests import clubs
from tests.clubs import SYSTEM, a_club, new_tournament, user
from tests.support.caller import Caller, problem
from tournaments.cli import main
from tournaments.director.queries.lists import import_plan
from tournaments.director.services.tournaments import create_tournament
from tournaments.domain.roster import Reading
from tournaments.models import Club, Tournament

if TYPE_CHECKING:
    from tests.support.scenes import Scene

pytestmark = pytest.mark.django_db

FILES: Final = Path(__file__).parents[1] / "inputs/lists"
ONE: Final = ("Ana Gil", "Luis Sanz")
TWO: Final = ("Eva Mur", "Pau Roca")


@dataclass(frozen=True)
class Expected:
    """What a file enters, the encoding it is in, and the faults until it is said how to read it."""

    entries: tuple[tuple[str, ...], ...]
    encoding: str = "UTF-8"
    format: str = "swiss"
    ratings: tuple[float, ...] = ()
    left_out: str = ""
    faults: tuple[str, ...] = ()
    reading: Reading = Reading()


TABLE: Final = {
    "accent_twins.txt": Expected((("Íñigo Buñuel",), ("Inigo Bunuel",)), format="individual"),
    "chat_mentions.txt": Expected((ONE,)),
    "chat_numbered.txt": Expected((ONE, TWO)),
    "club_columns.csv": Expected((ONE,), left_out="Nº, Teléfono, Pagado"),
    "excel_unicode_text.txt": Expected((ONE,), "UTF-16"),
    "macintosh.csv": Expected((ONE, TWO)),
    "merged_heading.tsv": Expected((ONE, TWO), "UTF-16", left_out="Pagado"),
    "numbered_cells.tsv": Expected((ONE, TWO), left_out="1"),
    "one_cell.csv": Expected((ONE, TWO), left_out="Telefon"),
    "person_a_row.csv": Expected((ONE, TWO), "UTF-8 (BOM)", left_out="Teléfono"),
    "players_cp1252.csv": Expected(
        (("Begoña Gil",), ("Joaquín Pérez",)), "Windows-1252", "individual", left_out="id"
    ),
    "rating_thousands.csv": Expected((ONE, TWO), ratings=(1500, 900)),
    "rating_unclear.csv": Expected(
        (ONE, TWO),
        ratings=(1500, 1450),
        faults=("ambiguous_rating", "ambiguous_rating"),
        reading=Reading(decimal_mark=","),
    ),
    "surname_first_quoted.csv": Expected((("Gil, Ana", "Sanz, Luis"), ("Mur, Eva", "Roca, Pau"))),
    "three_names.csv": Expected(
        (ONE, TWO),
        faults=("players_unknown",),
        reading=Reading(columns=("pair", "first", "second")),
    ),
    "title_and_repeated_heading.csv": Expected((ONE, TWO), "Windows-1252", ratings=(1500, 1450.5)),
}
FILE_NAMES: Final = sorted(TABLE)


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def page(club: Club) -> Client:
    """The organiser of the club, signed in, who reads English."""
    clubs.organiser(club)
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("olga"))
    return client


def draft_for(expected: Expected, club: Club) -> Tournament:
    return create_tournament(
        SYSTEM, club, "Nueva", new_tournament(stages=[{"format": expected.format}])
    )


def entered(tournament: Tournament) -> list[tuple[str, ...]]:
    return [entry.seat_names for entry in tournament.entries.with_players().order_by("number")]


def fields_of(expected: Expected) -> dict[str, object]:
    reading = expected.reading
    return {"column": list(reading.columns), "decimal_mark": reading.decimal_mark}


def preview_then_enter(
    page: Client, club: Club, expected: Expected, fields: dict[str, object]
) -> str:
    """Preview a list, say what is asked, and enter it; returns the text of the last preview."""
    tournament = draft_for(expected, club)
    path = reverse("enter-list", args=[tournament.slug])
    response = page.post(path, fields)
    for fault in expected.faults:
        assert fault in {fault.code for fault in response.context["plan"].faults}
    assert response.status_code == (422 if expected.faults else 200)
    text = response.context["form"].text
    again = {"list_text": text, "shown": response.context["shown"], **fields_of(expected)}
    if expected.faults:
        response = page.post(path, again)
        again = {**again, "shown": response.context["shown"]}
    shown = " ".join(response.content.decode().split())
    plan = response.context["plan"]
    assert ", ".join(plan.left_out_columns) == expected.left_out
    if expected.left_out:
        assert expected.left_out in shown
    assert not entered(tournament)
    columns = [column.field for column in plan.read.columns]
    again |= {f"who-{asked.key}": "new" for asked in plan.who}
    done = page.post(path, {**again, "column": columns, "confirm": "1"})
    assert done.status_code == 302, done.context["form"].errors
    assert entered(tournament) == list(expected.entries)
    if expected.ratings:
        ratings = tournament.entries.order_by("number").values_list("rating", flat=True)
        assert tuple(ratings) == expected.ratings
    return shown


@pytest.mark.parametrize("name", FILE_NAMES)
def test_a_file_is_previewed_in_its_encoding_and_entered(
    page: Client, club: Club, name: str
) -> None:
    file = SimpleUploadedFile(name, (FILES / name).read_bytes())
    shown = preview_then_enter(page, club, TABLE[name], {"list_file": file})
    assert TABLE[name].faults or f"The file was read as {TABLE[name].encoding}." in shown


@pytest.mark.parametrize("name", FILE_NAMES)
def test_the_same_is_read_from_what_is_pasted(page: Client, club: Club, name: str) -> None:
    text, _encoding = engine.decode_text((FILES / name).read_bytes())
    preview_then_enter(page, club, TABLE[name], {"list_text": text})


@pytest.mark.parametrize("name", FILE_NAMES)
def test_the_same_is_read_over_the_api(organiser: Caller, scene: Scene, name: str) -> None:
    expected = TABLE[name]
    draft = draft_for(expected, scene.club)
    body: dict[str, object] = {"csv": engine.decode_text((FILES / name).read_bytes())[0]}
    path = f"tournaments/{draft.slug}/entries/"
    if expected.faults:
        answer = organiser.submit(f"{path}list/", json.dumps(body), "asked")
        errors = problem(answer, 422, "import_refused")["errors"]
        assert tuple(error["code"] for error in errors) == expected.faults
        reading = expected.reading
        said = {"columns": list(reading.columns), "decimal_mark": reading.decimal_mark}
        body |= {name: value for name, value in said.items() if value}
    answer = organiser.submit(f"{path}preview/", json.dumps(body))
    assert answer.status_code == 200
    left_out = [column["heading"] for column in json.loads(answer.content)["columns"]]
    assert all(heading in left_out for heading in expected.left_out.split(", ") if len(heading) > 1)
    body["if_in_doubt"] = "new"
    assert organiser.submit(f"{path}list/", json.dumps(body), "k").status_code == 201
    assert entered(draft) == list(expected.entries)


@pytest.mark.parametrize("name", FILE_NAMES)
def test_where_records_are_handed_in_it_is_refused_with_the_right_page(
    club_night: Scene, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    slug = club_night.tournament.slug
    client = Client(headers={"accept-language": "en"})
    client.force_login(club_night.users["organiser"])
    file = SimpleUploadedFile(name, (FILES / name).read_bytes())
    response = client.post(reverse("submit-any", args=[slug]), {"file": file})
    assert response.status_code == 422
    assert f'href="{reverse("enter-list", args=[slug])}"' in response.content.decode()
    assert main(["audit", str(FILES / name), "--lang", "en"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "it is entered in its tournament, by “Enter a list”" in printed


def test_the_table_names_every_file() -> None:
    assert sorted(file.name for file in FILES.iterdir()) == FILE_NAMES


def test_a_file_that_is_no_text_is_refused_by_its_kind(page: Client, club: Club) -> None:
    tournament = draft_for(TABLE["chat_mentions.txt"], club)
    workbook = SimpleUploadedFile("lista.xlsx", b"PK\x03\x04\x14\x00\xff")
    response = page.post(reverse("enter-list", args=[tournament.slug]), {"list_file": workbook})
    assert response.status_code == 422
    assert "this is a packed file" in response.content.decode()
    assert import_plan(tournament, b"PK\x03\x04\x14\x00\xff").faults[0].code == "file_packed"
    assert import_plan(tournament, b"PK\x03\x04 xl/").faults[0].code == "file_sheet"
    assert import_plan(tournament, b"Ana\xff\x81 Gil\x00").faults[0].code == "bad_encoding"


def test_two_lists_with_codes_are_read_in_their_encoding_and_other_columns_left_out(
    page: Client, club: Club
) -> None:
    tournament = draft_for(TABLE["chat_mentions.txt"], club)
    players = "Socios;;\nCódigo;Nombre;Teléfono\nJ1;Begoña Gil;600\nJ2;Luis Sanz;601\n"
    pairs = "pareja\tnombre\tjugador1\tjugador2\nP1\tLos Uno\tJ1\tJ2\n"
    files = {
        "players_file": SimpleUploadedFile("players.csv", players.encode("cp1252")),
        "pairs_file": SimpleUploadedFile("pairs.txt", pairs.encode("utf-16")),
    }
    path = reverse("import-entries", args=[tournament.slug])
    shown = page.post(path, files, follow=True).content.decode()
    assert entered(tournament) == [("Begoña Gil", "Luis Sanz")]
    for said in (
        "The file was read as Windows-1252.",
        "The file was read as UTF-16.",
        "This column is left out: Teléfono.",
    ):
        assert said in shown
