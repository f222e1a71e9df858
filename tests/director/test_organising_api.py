"""Organising over the API: each verb once, in its order, and by whom it may be done."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.clubs import SYSTEM, a_club, csv, organiser, user
from tests.support.caller import Caller, problem
from tournaments.accounts.services.invitations import issue_token
from tournaments.models import ApiToken, AuditEvent, Club, Round, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    club = a_club()
    organiser(club)
    return club


@pytest.fixture
def desk(club: Club) -> Caller:
    scopes = list(ApiToken.Scope.values)
    return Caller(issue_token(SYSTEM, club, user("olga"), name="desk", scopes=scopes)[1])


def say(desk: Caller, path: str, body: Any, key: str = "") -> Any:
    return desk.submit(path, json.dumps(body), key or path)


def lists() -> dict[str, str]:
    return {"players": csv("players.csv").decode(), "pairs": csv("pairs.csv").decode()}


def test_a_tournament_is_made_filled_drawn_and_published(club: Club, desk: Caller) -> None:
    response = say(desk, f"clubs/{club.slug}/tournaments/", {"name": "Otoño", "options": {"to": 3}})
    assert response.status_code == 201, response.content
    body = json.loads(response.content)
    assert (body["slug"], body["state"]) == ("otono", "draft")
    assert response["Location"] == body["tournament"]
    place = "tournaments/otono"
    assert say(desk, f"{place}/entries/import/", lists(), "lists").status_code == 201
    draw_response = say(desk, f"{place}/draw/", {})
    assert json.loads(draw_response.content)["state"] == "running"
    assert say(desk, f"{place}/rounds/1/publish/", {}).status_code == 201
    assert [round_["number"] for round_ in Caller().read(f"{place}/rounds/")["rounds"]] == [1]
    problem(say(desk, f"{place}/rounds/1/publish/", {}, "again"), 409, "round_not_draft")
    problem(say(desk, f"{place}/rounds/1/close/", {}), 409, "round_unfinished")
    problem(say(desk, f"{place}/finish/", {}), 409, "tournament_unfinished")
    problem(say(desk, f"{place}/draw/", {}, "again"), 409, "after_missing")


def test_what_is_sent_twice_is_done_once(club: Club, desk: Caller) -> None:
    path, body = f"clubs/{club.slug}/tournaments/", {"name": "Otoño"}
    first, second = (say(desk, path, body, "one-key") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert second["Idempotency-Replayed"] == "true"
    assert first.content == second.content
    assert Tournament.objects.count() == 1
    problem(say(desk, path, {"name": "Otra"}, "one-key"), 422, "idempotency_mismatch")


@pytest.mark.parametrize(
    "body",
    [
        {"name": 7},
        {},
        {"name": "Otoño", "options": []},
        {"name": "Otoño", "slug": None},
        {"name": "Otoño", "club": "x"},
    ],
)
def test_what_is_of_the_wrong_kind_is_refused(club: Club, desk: Caller, body: Any) -> None:
    problem(say(desk, f"clubs/{club.slug}/tournaments/", body, "k"), 400, "bad_parameter")
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("after", ["1", -1, 1000, True, None])
def test_a_round_that_is_no_number_is_refused(club: Club, desk: Caller, after: Any) -> None:
    say(desk, f"clubs/{club.slug}/tournaments/", {"name": "Otoño"})
    response = say(desk, "tournaments/otono/draw/", {"after": after}, "k")
    problem(response, 400, "bad_parameter")
    assert not Round.objects.exists()


def test_lists_with_faults_bring_nobody(club: Club, desk: Caller) -> None:
    say(desk, f"clubs/{club.slug}/tournaments/", {"name": "Otoño"})
    before = AuditEvent.objects.count()
    bad = {**lists(), "pairs": "pareja,nombre,jugador1,jugador2\nP1,Solos,J01,J99\n"}
    problem(say(desk, "tournaments/otono/entries/import/", bad, "k"), 422, "import_refused")
    assert AuditEvent.objects.count() == before
