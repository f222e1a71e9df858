"""What people bring, by every way in: each file of `tests/inputs/records`, and a whole evening."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

import engine
from tests.support import scenes
from tests.support.caller import Caller, problem
from tests.support.scenes import Scene, records_of
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Actor
from tournaments.director.services.draws import draw
from tournaments.director.services.tournaments import publish_round
from tournaments.models import AuditEvent, Record, Result, Tournament
from tournaments.standings.queries.standings import standings_page

INPUTS = Path("tests/inputs/records")
TUTE = "application/x-tute"
LINES = "application/x-ndjson"
ACCEPTED = ""

WEB = {
    "00-ok.tute": [ACCEPTED],
    "02-bom.json": [ACCEPTED],
    "18-float.json": ["record.field"],
    "21-version.json": ["record.format"],
    "22-mixed.ndjson": [ACCEPTED, "ruleset_mismatch", "record.seats"],
    "31-trunc.tute": ["record.syntax"],
    "41-esc.tute": ["record.syntax"],
    "42-esc-ruleset.json": ["record.ruleset"],
    "42-esc-tagname.json": ["record.field"],
    "43-export.ndjson": [ACCEPTED, ACCEPTED, ACCEPTED],
}
"""The answer to each record of a file: uploaded, pasted, and in bulk."""

SINGLE = {
    "00-ok.tute": (201, "", ""),
    "02-bom.json": (400, "record.syntax", "bad_encoding"),  # as strict as before (input 11)
    "18-float.json": (400, "record.field", "wrong_type"),
    "21-version.json": (400, "record.format", "unsupported_format"),
    "22-mixed.ndjson": (400, "record.syntax", "malformed_json"),  # input 12
    "31-trunc.tute": (400, "record.syntax", "one_word"),
    "41-esc.tute": (400, "record.syntax", "bad_character"),
    "42-esc-ruleset.json": (422, "record.ruleset", "unknown_ruleset"),
    "42-esc-tagname.json": (400, "record.field", "bad_character"),
    "43-export.ndjson": (400, "record.syntax", "malformed_json"),
}
NAMES = sorted(path.name for path in INPUTS.iterdir())


def signed_in(scene: Scene, user: str = "organiser", language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(scene.users[user])
    return client


def hand_in(scene: Scene, content: bytes, way: str, name: str = "night.txt") -> Any:
    """Upload a file to the page of the tournament, or paste its text."""
    path = reverse("submit-any", args=[scene.tournament.slug])
    if way == "upload":
        return signed_in(scene).post(path, {"file": SimpleUploadedFile(name, content)})
    text = content.decode().replace("\n", "\r\n")  # as browsers send it
    return signed_in(scene).post(path, {"text": text})


def codes(response: Any) -> list[str]:
    """The code of each answer of the page; empty for what was accepted."""
    if response.status_code == 302:
        return [ACCEPTED]
    if "answers" in response.context:
        return [row.code for row in response.context["answers"]]
    return [response.context["answer"].code]


@pytest.mark.parametrize("way", ["upload", "paste"])
@pytest.mark.parametrize("name", NAMES)
def test_every_file_on_the_page(club_night: Scene, name: str, way: str) -> None:
    response = hand_in(club_night, (INPUTS / name).read_bytes(), way, name)
    assert codes(response) == WEB[name]
    assert Record.objects.accepted().count() == WEB[name].count(ACCEPTED)
    assert "\x1b" not in response.content.decode()


@pytest.mark.parametrize("name", NAMES)
def test_every_file_sent_alone_to_the_api(club_night: Scene, desk: Caller, name: str) -> None:
    status, code, reason = SINGLE[name]
    path = f"tournaments/{club_night.tournament.slug}/records/"
    kind = TUTE if name.endswith(".tute") else "application/json"
    response = desk.submit(path, (INPUTS / name).read_bytes(), content_type=kind)
    assert response.status_code == status, response.content
    if code:
        assert problem(response, status, code)["reason"] == reason


@pytest.mark.parametrize("name", NAMES)
def test_every_file_in_bulk_to_the_api(club_night: Scene, desk: Caller, name: str) -> None:
    path = f"tournaments/{club_night.tournament.slug}/records/bulk/"
    kind = TUTE if name.endswith(".tute") else LINES
    response = desk.submit(path, (INPUTS / name).read_bytes(), content_type=kind)
    answer = json.loads(response.content)
    assert [line.get("code", "") for line in answer["lines"]] == WEB[name]
    is_refused = set(WEB[name]) != {ACCEPTED}
    assert response.status_code == (422 if is_refused else 201)
    assert Record.objects.count() == (0 if is_refused else len(WEB[name]))
    suffix = {".tute": "tute", ".json": "json", ".ndjson": "ndjson"}[Path(name).suffix]
    assert answer["form"] == ("export" if name == "43-export.ndjson" else suffix)


def test_text_needs_its_media_type(club_night: Scene, desk: Caller) -> None:
    text = (INPUTS / "00-ok.tute").read_bytes()
    path = f"tournaments/{club_night.tournament.slug}/records/"
    for kind in ("text/plain", LINES):
        response = desk.submit(f"{path}bulk/", text, content_type=kind)
        assert TUTE in problem(response, 415, "unsupported_media_type")["detail"]
    response = desk.submit(path, text, content_type="text/plain")
    assert TUTE in problem(response, 415, "unsupported_media_type")["detail"]
    assert desk.submit(path, text).status_code == 400


def test_a_fault_in_text_is_named_at_its_line(club_night: Scene, desk: Caller) -> None:
    path = f"tournaments/{club_night.tournament.slug}/records/"
    text = (INPUTS / "31-trunc.tute").read_bytes()
    answer = problem(desk.submit(path, text, content_type=TUTE), 400, "record.syntax")
    assert (answer["line"], answer["column"]) == (79, 1)
    led = (INPUTS / "00-ok.tute").read_bytes().replace(b"C: 1e Ce", b"A: 1e Ce")
    answer = problem(desk.submit(path, led, "other", content_type=TUTE), 422, "play.leader")
    assert answer["line"] == 22
    assert Record.objects.count() == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("form", ["ndjson", "array", "array over lines", "tute"])
def test_an_evening_in_every_form_and_encoding(club_night: Scene, form: str, encoding: str) -> None:
    documents = [json.loads(line) for line in records_of("records")[:3]]
    text = {
        "ndjson": "\n".join(json.dumps(each, ensure_ascii=False) for each in documents),
        "array": json.dumps(documents, ensure_ascii=False),
        "array over lines": json.dumps(documents, ensure_ascii=False, indent=2),
        "tute": "\n".join(map(engine.write_text, documents)),
    }[form]
    response = hand_in(club_night, text.encode(encoding), "upload")
    assert codes(response) == [ACCEPTED] * 3
    shown = {"utf-8-sig": "UTF-8 (BOM)", "cp1252": "Windows-1252"}
    assert shown.get(encoding, encoding.upper()) in response.content.decode()


@pytest.mark.parametrize("way", ["upload", "paste"])
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Is it a list of names?"), ("es", "¿Es una lista"), ("de", "Ist es eine Namensliste?")],
)
def test_a_list_of_names_is_refused_with_its_page(
    club_night: Scene, way: str, language: str, words: str
) -> None:
    slug = club_night.tournament.slug
    content = "Nº;Jugador 1;Jugador 2\n1;Ana Gil;Luis Sanz\n"
    data: dict[str, Any] = {"text": content}
    if way == "upload":
        data = {"file": SimpleUploadedFile("lista.csv", content.encode("cp1252"))}
    before = AuditEvent.objects.count()
    path = reverse("submit-any", args=[slug])
    response = signed_in(club_night, language=language).post(path, data)
    page = response.content.decode()
    assert response.status_code == 422
    assert words in page
    assert f'href="{reverse("enter-list", args=[slug])}"' in page
    assert AuditEvent.objects.count() == before


def test_a_list_of_names_in_bulk_is_refused(club_night: Scene, desk: Caller) -> None:
    path = f"tournaments/{club_night.tournament.slug}/records/bulk/"
    response = desk.submit(path, "Ana Gil;Luis Sanz\nBea Royo;Eva Mir\n", content_type=LINES)
    (line,) = problem(response, 422, "batch_refused")["lines"]
    assert (line["code"], line["reason"]) == ("record.syntax", "not_a_record")
    assert "list of names" in line["detail"]


def test_the_page_of_one_match_takes_one_record_and_leads_to_the_other_page(
    club_night: Scene,
) -> None:
    match = club_night.matches()[0]
    path = reverse("submit-record", args=[match.pk])
    text = "\n".join(records_of("records")[:3])
    response = signed_in(club_night).post(path, {"text": text})
    assert response.status_code == 422
    assert "There are 3 records in it" in response.content.decode()
    assert reverse("submit-any", args=[club_night.tournament.slug]) in response.content.decode()
    document = json.loads(scenes.record_between(match, records_of("records")))
    file = SimpleUploadedFile("acta.tute", engine.write_text(document).encode())
    response = signed_in(club_night).post(path, {"file": file})
    assert response["Location"] == reverse("match", args=[match.pk])


def test_too_many_records_are_refused_with_the_limit(club_night: Scene, desk: Caller) -> None:
    response = hand_in(club_night, b"{}\n" * 201, "upload")
    assert response.status_code == 413
    assert "at most 200 records at once" in response.content.decode()
    path = f"tournaments/{club_night.tournament.slug}/records/bulk/"
    detail = problem(desk.submit(path, b"{}\n" * 1001, content_type=LINES), 413, "too_large")
    assert "at most 1,000 records at once" in detail["detail"]
    detail = problem(desk.submit(path, b"x" * (5 << 20) + b"x", "b", LINES), 413, "too_large")
    assert "at most 5 MiB at once" in detail["detail"]


# --- An evening -----------------------------------------------------------------------------------


@pytest.fixture
def evening(db: None) -> Scene:
    """A tournament of thirty pairs, whose first round of fifteen tables is published."""
    names = [f"Jugador {number:02}" for number in range(1, 61)]
    players = "id,nombre\n" + "".join(f"J{n:02},{name}\n" for n, name in enumerate(names, 1))
    pairs = "pareja,nombre,jugador1,jugador2\n" + "".join(
        f"P{n},Pareja {n},J{2 * n - 1:02},J{2 * n:02}\n" for n in range(1, 31)
    )
    scene = scenes.draft(pairs, players)
    scene.tournament = draw(scene.organiser, scene.tournament)
    publish_round(scene.organiser, scene.rounds[0])
    return scene


def records_of_the_round(scene: Scene) -> list[str]:
    """A record of each table, in the order of the tables."""
    lines = []
    for match, line in zip(scene.matches(), records_of("records")[:15], strict=True):
        assert match.away
        (a, c), (b, d) = match.home.seat_names, match.away.seat_names
        document = {**json.loads(line), "seats": [a, b, c, d], "tags": {}}
        lines.append(json.dumps(document, ensure_ascii=False))
    return lines


def counted(scene: Scene) -> tuple[int, int, int, object]:
    """Records and results that count, the version of the tournament, and its table."""
    return (
        Record.objects.accepted().count(),
        Result.objects.filter(live=True).count(),
        Tournament.objects.get().version,
        standings_page(scene.tournament.slug, Actor.anonymous()).rows,
    )


def test_an_evening_is_handed_in_as_one_file_and_counted_once(evening: Scene) -> None:
    lines = records_of_the_round(evening)
    spoiled = scenes.spoiled(lines[3]).text
    content = "\n".join([*lines[:3], spoiled, *lines[4:], lines[0].replace("Jugador", "Socia")])
    response = hand_in(evening, content.encode(), "upload", "velada.ndjson")
    rows = response.context["answers"]
    assert [row.number for row in rows] == list(range(1, 17))
    refused = [row for row in rows if row.is_refused]
    assert [row.number for row in refused] == [4, 16]
    assert refused[0].code.startswith("play.")
    assert refused[0].match.table == 4
    assert (refused[1].code, refused[1].match) == ("not_a_participant", None)
    assert [row.match.table for row in rows[:15]] == list(range(1, 16))
    page = response.content.decode()
    assert reverse("record", args=[refused[0].record]) in page
    assert page.count("Accepted: the result counts.") == 14
    assert counted(evening)[:2] == (14, 14)

    response = hand_in(evening, "\n".join(lines).encode(), "upload", "velada.ndjson")
    assert [row.is_refused for row in response.context["answers"]] == [False] * 15
    before = counted(evening)
    assert before[:2] == (15, 15)

    response = hand_in(evening, "\n".join(lines).encode(), "paste")
    assert response.status_code == 200
    assert response.content.decode().count("This record was here already.") == 15
    assert counted(evening) == before


def test_an_evening_is_handed_in_by_a_program_with_a_token(evening: Scene) -> None:
    lines = records_of_the_round(evening)
    user = evening.users["organiser"]
    _row, token = issue_token(
        Actor.system(), evening.club, user, name="desk", scopes=["games:submit"]
    )
    desk = Caller(token)
    path = f"tournaments/{evening.tournament.slug}/records/bulk/"
    body = "\ufeff[" + ",\n".join(lines) + "]"
    answer = json.loads(desk.submit(path, body, content_type=LINES).content)
    assert answer["form"] == "array"
    assert [line["line"] for line in answer["lines"]] == list(range(1, 16))
    assert all(line["outcome"] == "accepted" and line["match"] for line in answer["lines"])
    before = counted(evening)
    assert before[:2] == (15, 15)
    again = desk.submit(path, body, "other", LINES)
    assert again.status_code == 200
    assert all(line["duplicate"] for line in json.loads(again.content)["lines"])
    assert counted(evening) == before
    assert hand_in(evening, body.encode(), "upload").status_code == 200
    assert counted(evening) == before
