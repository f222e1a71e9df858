"""The rows of `tests.api.test_routes`, asked for again: of a private tournament, by other means."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.core.cache import cache

from tests.api import test_routes
from tests.api.test_routes import ROWS, Row, addresses
from tests.core.test_tokens_api import stranger
from tests.security.crowd import SECRET, crowded, private, visitor
from tests.security.test_web_matrix import undone
from tests.support import scenes
from tests.support.caller import Caller
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Actor
from tournaments.models import ApiToken
from tournaments.results.services.matches import dispute_result

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.django_db

OF_A_TOURNAMENT: Final = ("tournaments/{", "matches/", "records/", "disputes/")
"""How the addresses of what belongs to one tournament begin."""


@pytest.fixture
def scene() -> scenes.Scene:
    cache.clear()
    return scenes.running()


@pytest.fixture
def places(scene: scenes.Scene) -> dict[str, object]:
    """Where things are; made before the tournament becomes private."""
    fields = open_places(scene)
    private(scene)
    return fields


def open_places(scene: scenes.Scene) -> dict[str, object]:
    """Say where things are in a tournament that everybody sees."""
    paths = addresses(scene)
    paths["dispute"] = dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.").pk
    return paths


def answer_to(caller: Caller, scene: scenes.Scene, row: Row, path: str) -> Any:
    """Return the answer to a caller; changes are rolled back."""
    with undone():
        return test_routes.answer_to(caller, scene, row, path)


def test_a_private_tournament_is_not_there_for_strangers(
    scene: scenes.Scene, places: dict[str, object]
) -> None:
    callers = {"anonymous": Caller(), "stranger": stranger(scene)}
    wrong = {}
    for row in (row for rows in ROWS.values() for row in rows):
        path = row.path.format(**places)
        for role, caller in callers.items():
            answer = answer_to(caller, scene, row, path)
            is_asked_first = row.method != "GET" and role == "anonymous"
            status = 401 if is_asked_first else 404
            if row.path.startswith(OF_A_TOURNAMENT) and answer.status_code != status:
                wrong[row.path, role] = answer.status_code
            body = b"".join(answer) if answer.streaming else answer.content
            if SECRET.encode() in body:
                wrong[row.path, role] = "names it"
            is_example = (
                row.path == "openapi.json" or scene.tournament.slug in path
            )  # as an example
            if not is_example and scene.tournament.slug.encode() in body:
                wrong[row.path, role] = "leads to it"
    assert wrong == {}


def test_a_player_reads_it_with_a_token_that_may_read(
    scene: scenes.Scene, places: dict[str, object]
) -> None:
    def caller(*scopes: str) -> Caller:
        user = scene.users["player"]
        row = issue_token(Actor.system(), scene.club, user, name="suyo", scopes=scopes)
        return Caller(row[1])

    reads, submits = caller(ApiToken.Scope.READ), caller(ApiToken.Scope.SUBMIT)
    for row in (row for rows in ROWS.values() for row in rows):
        if row.method != "GET" or not row.path.startswith(OF_A_TOURNAMENT):
            continue
        path = row.path.format(**places)
        assert reads.get(path).status_code == row.answers[2], path
        assert submits.get(path).status_code in {404, row.answers[2]}, path
    assert submits.get(f"tournaments/{scene.tournament.slug}/").status_code == 404


def answers_of(
    callers: Iterable[Caller], scene: scenes.Scene, places: dict[str, object]
) -> dict[str, int]:
    """Return what callers are answered, who ask in turn, row by row; each begins where all did."""
    rows = [
        row
        for rows in ROWS.values()
        for row in rows
        if row.path != "tournaments/{slug}/events/stream/"  # stays open, and is read by everybody
    ]
    return {
        f"{row.method} {row.path}": answer_to(
            caller, scene, row, row.path.format(**places)
        ).status_code
        for row, caller in zip(rows, cycle(callers), strict=False)
    }


@pytest.mark.slow
def test_an_entry_s_code_and_a_session_are_no_way_into_the_api(scene: scenes.Scene) -> None:
    """One setting says which means the API takes, so each row is asked by one of them."""
    places = open_places(scene)
    crowded(scene)
    callers = []
    for role in ("code", "organiser", "root"):
        caller = Caller()
        caller.client = visitor(scene, role)
        callers.append(caller)
    assert answers_of(callers, scene, places) == answers_of([Caller()], scene, places)


@pytest.mark.slow
def test_a_token_of_the_service_s_staff_does_no_more_than_one_of_any_stranger(
    scene: scenes.Scene,
) -> None:
    places = open_places(scene)
    crowded(scene)
    elsewhere = answers_of([stranger(scene)], scene, places)
    for role in ("staff", "root"):
        user, scopes = scene.users[role], ApiToken.Scope.values
        token = issue_token(Actor.system(), scene.club, user, name=role, scopes=scopes)[1]
        assert answers_of([Caller(token)], scene, places) == elsewhere, role
