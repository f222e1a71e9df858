"""Everybody of a list is entered over the API, as rows or as CSV, after a look at what it does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.caller import Caller, problem
from tournaments.director.services.tournaments import create_tournament
from tournaments.models import Entry, Player, Tournament

if TYPE_CHECKING:
    from tests.support.scenes import Scene

TWO = [
    {"players": ["Nieves Otal", "Sara Val"], "name": "Las Nuevas", "rating": 1400},
    {"players": ["Eva Pina", "Leo Mur"], "club": "Huesca"},
]
WRONG = [*TWO, {"players": ["Zoe Gil"]}, {"players": ["Eva Pina", "Ivo Sanz"]}]


@pytest.fixture
def draft(scene: Scene) -> Tournament:
    return create_tournament(scene.organiser, scene.club, "Nueva")


def submit_list(
    caller: Caller, draft: Tournament, door: str, body: object, key: str | None = None
) -> Any:
    return caller.submit(f"tournaments/{draft.slug}/entries/{door}/", json.dumps(body), key)


def test_a_look_says_who_is_new_and_does_nothing(organiser: Caller, draft: Tournament) -> None:
    people = Player.objects.count()
    answer = submit_list(organiser, draft, "preview", {"entries": TWO})
    assert answer.status_code == 200
    plan = json.loads(answer.content)
    assert (plan["new_players"], plan["new_pairs"]) == (4, 2)
    assert [entry["name"] for entry in plan["entries"]] == ["Las Nuevas", "Eva Pina – Leo Mur"]
    assert plan["entries"][0]["new_players"] == ["Nieves Otal", "Sara Val"]
    assert Player.objects.count() == people
    assert not draft.entries.exists()


def test_rows_are_entered_in_their_order_once(organiser: Caller, draft: Tournament) -> None:
    for _ in range(2):
        assert submit_list(organiser, draft, "list", {"entries": TWO}, "k").status_code == 201
    rows = draft.entries.order_by("number").values_list("name", "rating", "origin")
    assert list(rows) == [("Las Nuevas", 1400, ""), ("Eva Pina – Leo Mur", 0, "Huesca")]


@pytest.mark.parametrize("door", ["preview", "list"])
def test_with_a_row_at_fault_nobody_is_entered_and_all_faults_are_reported_by_index(
    organiser: Caller, draft: Tournament, door: str
) -> None:
    answer = submit_list(organiser, draft, door, {"entries": WRONG}, "k")
    faults = problem(answer, 422, "import_refused")["errors"]
    assert [(fault["list"], fault["index"], fault["code"]) for fault in faults] == [
        ("rows", 2, "wrong_number"),
        ("rows", 3, "player_in_two_pairs"),
    ]
    assert all(fault["detail"] and "line" not in fault for fault in faults)
    assert not Entry.objects.filter(tournament=draft).exists()


def test_faults_of_csv_are_reported_by_line(organiser: Caller, draft: Tournament) -> None:
    csv = "jugador1,jugador2\nNieves Otal,Sara Val\nZoe Gil,\n"
    for door in ("preview", "list"):
        answer = submit_list(organiser, draft, door, {"csv": csv}, "k")
        (fault,) = problem(answer, 422, "import_refused")["errors"]
        assert (fault["list"], fault["line"], fault["code"]) == ("entries", 3, "name_missing")
        assert "index" not in fault


def test_a_look_at_csv_says_what_the_columns_are_and_who_may_be_whom(
    organiser: Caller, draft: Tournament
) -> None:
    csv = "Torneo de Navidad\nNº;Jugador 1;Jugador 2\n1;Pilar Martinez;Sara Val\n"
    plan = json.loads(submit_list(organiser, draft, "preview", {"csv": csv}).content)
    assert [column["field"] for column in plan["columns"]] == ["", "first", "second"]
    assert plan["left_out"] == [{"line": 1, "text": "Torneo de Navidad", "why": "title"}]
    twin = {"name": "Pilar Martínez", "line": None}
    assert plan["twins"] == [{"line": 3, "name": "Pilar Martinez", "twins": [twin]}]
    body = {"csv": csv, "same": {"Pilar Martinez": "Pilar Martínez"}}
    assert submit_list(organiser, draft, "list", body, "k").status_code == 201
    entry = Entry.objects.with_players().get(tournament=draft)
    assert entry.seat_names == ("Pilar Martínez", "Sara Val")
    assert not Player.objects.filter(name="Pilar Martinez").exists()


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({}, "entries"),
        ({"entries": TWO, "columns": ["first"]}, "columns"),
        ({"csv": "Ana;Luis", "columns": ["phone"]}, "columns"),
        ({"csv": "Ana;Luis", "decimal_mark": "'"}, "decimal_mark"),
        ({"csv": "nombre", "entries": []}, "entries"),
        ({"entries": {}}, "entries"),
        ({"entries": [TWO[0], {"name": "Nadie"}]}, "entries/1"),
        ({"entries": [{"players": "Eva, Leo"}]}, "entries/0"),
        ({"entries": [{"players": ["Eva", "Leo"], "rating": "1400"}]}, "entries/0"),
        ({"entries": [{"players": ["Eva", "Leo"], "elo": 1400}]}, "entries/0"),
        ({"csv": 7}, "csv"),
    ],
)
def test_what_is_no_list_is_refused_by_its_place(
    organiser: Caller, draft: Tournament, body: object, parameter: str
) -> None:
    for door in ("preview", "list"):
        answer = submit_list(organiser, draft, door, body, "k")
        assert problem(answer, 400, "bad_parameter")["parameter"] == parameter


def test_a_look_is_for_those_who_may_enter(
    scene: Scene, anonymous: Caller, organiser: Caller
) -> None:
    answer = submit_list(anonymous, scene.tournament, "preview", {"entries": TWO})
    problem(answer, 401, "sign_in")
    Tournament.objects.update(state=Tournament.State.FINISHED)
    over = submit_list(organiser, scene.tournament, "preview", {"entries": TWO})
    problem(over, 409, "tournament_over")
