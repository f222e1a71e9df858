"""The records of a tournament as a file: linked by *Files*, and read back by every way in."""

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from engine.cli import main
from tests.support.caller import Caller
from tests.support.scenes import Scene, records_of
from tournaments.models import Record, Result, Tournament
from tournaments.results.services.submit import submit_to_tournament


@pytest.fixture
def played(club_night: Scene) -> Scene:
    """The night of the sample, all of it played."""
    for line in records_of("records"):
        submit_to_tournament(club_night.organiser, club_night.tournament, line)
    return club_night


def downloaded(scene: Scene) -> bytes:
    """The file, from the link on the page."""
    slug = scene.tournament.slug
    path = reverse("tournament-records", args=[slug])
    assert f'href="{path}"' in Client().get(reverse("files", args=[slug])).content.decode()
    response = Client().get(path)
    assert response["Content-Disposition"] == f'attachment; filename="{slug}.ndjson"'
    return response.content


def counted() -> tuple[int, int, int]:
    results = Result.objects.filter(live=True).count()
    return Record.objects.count(), results, Tournament.objects.get().version


def test_the_file_is_that_of_the_api(played: Scene) -> None:
    content = downloaded(played)
    assert sorted(content.decode().splitlines()[:-1]) == sorted(records_of("records"))
    path = reverse("api:export-records", args=[played.tournament.slug])
    assert Client().get(path).getvalue() == content


def test_without_a_record_there_is_no_link(club_night: Scene) -> None:
    slug = club_night.tournament.slug
    page = Client().get(reverse("files", args=[slug])).content.decode()
    assert reverse("tournament-records", args=[slug]) not in page


def test_it_is_read_back_by_the_commands(
    played: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "night.ndjson"
    path.write_bytes(downloaded(played))
    assert main(["audit", str(path)]) == 0
    printed = capsys.readouterr()
    assert printed.out.endswith("28 valid, 0 invalid\n")
    assert "an export of records" in printed.err
    assert main(["explain", "--record", "28", str(path)]) == 0
    capsys.readouterr()
    assert main(["convert", "--to", "tute", str(path)]) == 0
    text = tmp_path / "night.tute"
    text.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["audit", str(text)]) == 0
    assert capsys.readouterr().out.endswith("28 valid, 0 invalid\n")


@pytest.mark.parametrize("way", ["file", "text"])
def test_it_is_read_back_by_the_page_and_changes_nothing(played: Scene, way: str) -> None:
    content, before = downloaded(played), counted()
    client = Client(headers={"accept-language": "en"})
    client.force_login(played.users["organiser"])
    path = reverse("submit-any", args=[played.tournament.slug])
    data = {
        "file": SimpleUploadedFile("night.ndjson", content),
        "text": content.decode().replace("\n", "\r\n"),
    }
    response = client.post(path, {way: data[way]})
    assert response.content.decode().count("This record was here already.") == 28
    assert counted() == before


def test_it_is_read_back_in_bulk_and_changes_nothing(played: Scene, desk: Caller) -> None:
    content, before = downloaded(played), counted()
    path = f"tournaments/{played.tournament.slug}/records/bulk/"
    response = desk.submit(path, content, content_type="application/x-ndjson")
    assert response.status_code == 200
    answer = json.loads(response.content)
    assert answer["form"] == "export"
    assert [line["duplicate"] for line in answer["lines"]] == [True] * 28
    assert counted() == before


def test_one_that_was_cut_is_refused_in_bulk(played: Scene, desk: Caller) -> None:
    lines = downloaded(played).splitlines(keepends=True)
    path = f"tournaments/{played.tournament.slug}/records/bulk/"
    response = desk.submit(
        path, b"".join([*lines[:5], lines[-1]]), content_type="application/x-ndjson"
    )
    assert response.status_code == 422
    last = json.loads(response.content)["lines"][-1]
    assert (last["line"], last["reason"]) == (6, "cut_export")
