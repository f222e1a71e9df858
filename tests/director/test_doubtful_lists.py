"""Lists that mislead, by page, upload and API: read right, or asked about and then answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

import engine
from tests.clubs import a_draft
from tests.domain.test_misleading_lines import cases
from tests.support.caller import Caller

if TYPE_CHECKING:
    from tests.support.scenes import Scene
    from tournaments.models import Tournament

FILES: Final = Path(__file__).parents[1] / "inputs/doubtful_lists"
RIGHT: Final = {
    "form_gl.csv": 2,
    "gemelos_sin_acentos.txt": 3,
    "grupos.tsv": 3,
    "mesa_pareja_ab.csv": 4,
    "multilinea.csv": 2,
    "own_entries_es.csv": 3,
    "socios_cp1252.csv": 2,
    "tabla.md": 2,
}
"""Files that are read right, with their pairs; all others are asked about or refused."""


def test_each_file_is_read_right_or_asked_about(
    scene: Scene, organiser: Caller, client: Client
) -> None:
    draft = a_draft(scene.club, "Con listas")
    client.force_login(scene.users["organiser"])
    page = reverse("enter-list", args=[draft.slug])
    read = {}
    for file in sorted(FILES.iterdir()):
        if file.name == "misleading_lines.txt":
            continue
        content = file.read_bytes()
        upload = client.post(page, {"list_file": SimpleUploadedFile(file.name, content)})
        plan = upload.context["plan"]
        if upload.status_code == 200:
            read[file.name] = len(plan.entries)
        if file.suffix != ".xlsx":
            body = json.dumps({"csv": engine.decode_text(content)[0]})
            answer = organiser.submit(f"tournaments/{draft.slug}/entries/preview/", body)
            assert answer.status_code == upload.status_code, file.name
    assert read == RIGHT
    assert not draft.entries.exists()


def test_each_line_is_read_right_or_asked_about(scene: Scene, organiser: Caller) -> None:
    draft = a_draft(scene.club, "Con líneas")
    path = f"tournaments/{draft.slug}/entries/preview/"
    right = []
    for text in (FILES / "misleading_lines.txt").read_text(encoding="utf-8").splitlines():
        answer = organiser.submit(path, json.dumps({"csv": text.replace("⏎", "\n")}))
        if answer.status_code == 200:
            right += [entry["players"] for entry in json.loads(answer.content)["entries"]]
    pair = ["Paco Bel", "Rosa Lana"]
    assert sorted(right) == [["Ana Gil", "Luis Sanz"], pair, pair, pair, pair]


@pytest.mark.parametrize("door", ["page", "upload", "api"])
def test_a_sample_of_misleading_lines_enters_nobody_wrong_at_any_door(
    scene: Scene, organiser: Caller, client: Client, door: str
) -> None:
    """The pair, nobody, or a question: also after *Enter them all* and by `entries/list/`."""
    draft = a_draft(scene.club, "Con dudas")
    client.force_login(scene.users["organiser"])
    sample = cases()[::14]
    assert len(sample) >= 25
    for number, line in enumerate(sample):
        text = line.replace("⏎", "\n")
        send(organiser, client, draft, door, text, number)
        names = [entry.seat_names for entry in draft.entries.with_players()]
        assert set(names) <= {("Paco Bel", "Rosa Lana")}, line
        draft.entries.all().delete()


@pytest.mark.parametrize("door", ["upload", "api"])
@pytest.mark.parametrize("language", ["es", "en"])
def test_the_own_standings_enter_their_pairs_by_their_people(
    scene: Scene, organiser: Caller, client: Client, door: str, language: str
) -> None:
    client.force_login(scene.users["organiser"])
    path = f"/t/{scene.tournament.slug}/tables/standings.csv"
    table = client.get(path, headers={"accept-language": language})
    assert table.status_code == 200
    draft = a_draft(scene.club, "Otra vez")
    assert send(organiser, client, draft, door, table.content.decode(), 0) in {200, 201}
    names = {entry.seat_names for entry in draft.entries.with_players()}
    before = {entry.seat_names for entry in scene.tournament.entries.with_players()}
    assert names == (before if door == "api" else set())  # a file is shown first


def send(
    organiser: Caller, client: Client, draft: Tournament, door: str, text: str, number: int
) -> int:
    """Enter a list at a door, without an answer to any question; return the status."""
    if door == "api":
        body = json.dumps({"csv": text})
        path = f"tournaments/{draft.slug}/entries/list/"
        return organiser.submit(path, body, f"list-{number}").status_code
    file = SimpleUploadedFile("lista.csv", text.encode())
    fields: dict[str, Any] = {"list_file": file} if door == "upload" else {"list_text": text}
    page = reverse("enter-list", args=[draft.slug])
    return client.post(page, {**fields, "enter": "1"}).status_code


@pytest.mark.parametrize("door", ["page", "api"])
def test_what_is_asked_is_answered_by_the_line(
    scene: Scene, organiser: Caller, client: Client, door: str
) -> None:
    draft = a_draft(scene.club, "Con dudas")
    text = (
        "Eva Mur y Noa Paz\nPaco Bel y Rosa Lana (baja)\nIda Cid y Ton Ros, mañana\n¡Nos vemos!\n"
    )
    if door == "api":
        path = f"tournaments/{draft.slug}/entries/list/"
        assert organiser.submit(path, json.dumps({"csv": text}), "asked").status_code == 422
        lines = [
            {"line": 2, "players": []},
            {"line": 3, "players": ["Ida Cid", "Ton Ros"]},
            {"line": 4, "players": []},
        ]
        answer = organiser.submit(path, json.dumps({"csv": text, "lines": lines}), "answered")
        assert answer.status_code == 201, answer.content
    else:
        client.force_login(scene.users["organiser"])
        page = reverse("enter-list", args=[draft.slug])
        asked = client.post(page, {"list_text": text})
        assert asked.status_code == 422
        answers = {
            "list_text": text,
            "answers_of": asked.context["form"].digest,
            "players-2": ["Paco Bel", "Rosa Lana"],
            "leave-2": "on",
            "players-3": ["Ida Cid", "Ton Ros"],
            "no_entries": "4,",
            "leave_no_entries": "on",
        }
        shown = client.post(page, answers)
        assert shown.status_code == 200, shown.context["plan"].faults
        columns = [column.field for column in shown.context["plan"].read.columns]
        confirmed = {**answers, "shown": shown.context["shown"], "column": columns, "confirm": "1"}
        assert client.post(page, confirmed).status_code == 302
    names = [entry.seat_names for entry in draft.entries.with_players().order_by("number")]
    assert names == [("Eva Mur", "Noa Paz"), ("Ida Cid", "Ton Ros")]
