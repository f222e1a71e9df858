"""A token without a scope is told which one it lacks; the document says it beforehand."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.core.cache import cache
from django.urls import resolve
from django.utils.dateparse import parse_datetime

from tests.api.test_routes import ROWS, Row, addresses, answer_to
from tests.conftest import ALL_SCOPES
from tests.security.test_web_matrix import undone
from tests.support import scenes
from tests.support.caller import Caller, document, problem
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Actor
from tournaments.models import ApiToken
from tournaments.results.services.matches import dispute_result

if TYPE_CHECKING:
    from tests.conftest import Issue

pytestmark = pytest.mark.django_db

WRITES: Final = {"POST", "PUT", "PATCH", "DELETE"}


def requirements(route: str, method: str) -> list[set[str]]:
    """Return the sets of scopes that the document names for an operation; any one is enough."""
    by_route = {re.sub(r"{\w+}", "{}", path): found for path, found in document()["paths"].items()}
    security: Any = by_route[f"/api/v1/{route}"][method.lower()]["security"]
    return [set(need["token"]) for need in security if need]


def route_of(path: str) -> str:
    """Return the address of a route with its parameters as `{}`, as a path leads to it."""
    address = path.partition("?")[0]
    return re.sub(r"<[^>]+>", "{}", resolve(f"/api/v1/{address}").route).removeprefix("api/v1/")


def test_every_write_names_a_scope() -> None:
    for path, methods in document()["paths"].items():
        for method in set(methods) & {method.lower() for method in WRITES}:
            route = re.sub(r"{\w+}", "{}", path.removeprefix("/api/v1/"))
            assert all(requirements(route, method)), (method, path)
    assert set().union(*requirements("tournaments/{}/schedule/run/", "POST")) == {
        "tournaments:manage",
        "bots:run",
    }
    assert requirements("tournaments/{}/entries/{}/withdraw/", "POST") == [
        {"tournaments:manage"},
        {"games:submit"},
    ]
    assert requirements("tournaments/{}/history/", "GET") == [{"audit:read"}]
    assert requirements("tournaments/{}/standings/", "GET") == [set()]


def test_a_403_names_the_scope_in_header_and_body(issue: Issue, scene: scenes.Scene) -> None:
    path = f"clubs/{scene.club.slug}/tournaments/"
    reader = issue("organiser", ("games:read",))
    refused = reader.submit(path, '{"name": "De otoño"}')
    body = problem(refused, 403, "forbidden")
    assert body["scope"] == "tournaments:manage"
    assert body["detail"].endswith("The token lacks: tournaments:manage.")
    assert refused.headers["WWW-Authenticate"] == (
        'Bearer realm="baza", error="insufficient_scope", scope="tournaments:manage"'
    )
    organiser = issue("organiser", (body["scope"],))
    assert organiser.submit(path, '{"name": "De otoño"}').status_code == 201
    refused = issue("player").submit(path, '{"name": "De invierno"}')
    assert "scope" not in problem(refused, 403, "forbidden"), "it is not the token's fault"
    assert "WWW-Authenticate" not in refused.headers


def test_a_404_of_what_members_read_names_it_too(issue: Issue, scene: scenes.Scene) -> None:
    for address in (f"tournaments/{scene.tournament.slug}/history/", "tournaments/nada/history/"):
        body = problem(issue("organiser", ("games:read",)).get(address), 404, "not_found")
        assert body["scope"] == "audit:read", "the same whether it is there or not"
    assert "scope" not in problem(Caller().get(address), 404, "not_found")


@pytest.mark.slow
def test_the_scopes_of_the_document_are_those_that_are_needed(db: None) -> None:
    cache.clear()
    scene = scenes.running()
    places = addresses(scene)
    dispute = dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.")
    places["dispute"] = dispute.pk

    def answer(row: Row, scopes: set[str]) -> Any:
        user = scene.users["organiser"]
        token = issue_token(Actor.system(), scene.club, user, name="x", scopes=sorted(scopes))[1]
        with undone():
            return answer_to(Caller(token), scene, row, row.path.format(**places))

    wrong = {}
    for row in (row for rows in ROWS.values() for row in rows):
        if row.path in {"openapi.json", "docs/", "nada/", ""}:
            continue
        path = row.path.format(**places)
        needs = requirements(route_of(path), row.method)
        if not any(needs):
            continue
        with_all = answer(row, set(ALL_SCOPES)).status_code
        # a draft and what belongs to it are there for members alone
        if (got := answer(row, needs[0] | {"games:read"}).status_code) != with_all:
            wrong[row.method, row.path] = f"{got} with {needs[0]}, {with_all} with all"
        asked = set().union(*needs)
        refused = answer(row, set(ALL_SCOPES) - asked)
        named = json.loads(refused.content).get("scope", "") if refused.status_code > 400 else ""
        if refused.status_code not in {403, 404} or set(named.split()) != asked:
            wrong[row.method, row.path] = f"{refused.status_code} without {asked}, told {named}"
    assert wrong == {}


def test_a_token_is_told_what_it_is(issue: Issue, scene: scenes.Scene) -> None:
    told = issue("arbiter", ("games:submit", "games:read")).read("token/")
    assert told["scopes"] == ["games:submit", "games:read"]
    assert (told["user"], told["role"]) == (scene.users["arbiter"].get_username(), "arbiter")
    assert told["club"] == scene.club.slug
    token = ApiToken.objects.get(name="arbiter's")
    assert parse_datetime(told["expires_at"]) == token.expires_at
    assert issue("player").read("token/")["role"] is None
    problem(Caller().get("token/"), 401, "sign_in")


def test_a_token_without_the_scope_is_refused_before_its_body_is_read(
    scene: scenes.Scene, issue: Issue
) -> None:
    path = f"tournaments/{scene.tournament.slug}/draw/"
    answer = issue(scopes=("games:read",)).submit(path, "{no json", "one")
    assert problem(answer, 403, "forbidden")["scope"] == "tournaments:manage"
    problem(issue().submit(path, "{no json", "two"), 400, "bad_request")
