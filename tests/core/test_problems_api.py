"""Every refusal has one shape, whichever layer it comes from."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404
from django.http.request import UnreadablePostError
from rest_framework.exceptions import NotAuthenticated, ParseError
from rest_framework.request import Request

from tests.support.caller import Caller, problem
from tournaments.core.api import problems
from tournaments.core.api.problems import kinds
from tournaments.core.errors import Reason
from tournaments.core.faults import RECORD_FAULTS
from tournaments.people import queries

if TYPE_CHECKING:
    from django.test import RequestFactory

    from tests.conftest import Issue
    from tests.support.scenes import Scene


@pytest.fixture
def caller() -> Caller:
    program = Caller()
    program.client.raise_request_exception = False
    return program


@pytest.fixture
def breaking(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a function that makes the list of clubs raise an error."""

    def break_with(error: Exception) -> None:
        def raising(_after: str, _count: int) -> None:
            raise error

        monkeypatch.setattr(queries, "clubs_after", raising)

    return break_with


@pytest.mark.django_db
def test_an_address_that_leads_nowhere(caller: Caller) -> None:
    for path in ("nada/", "clubs", "tournaments/x/nada/", "matches/1/hands/"):
        for method in ("GET", "POST", "DELETE", "OPTIONS"):
            answer = caller.call(method, path, headers={"Accept": "text/html"})
            assert problem(answer, 404, "not_found")["instance"] == f"/api/v1/{path}"


@pytest.mark.django_db
def test_an_address_that_leads_nowhere_asks_for_no_token(caller: Caller) -> None:
    answer = caller.call("GET", "nada/", headers={"Authorization": "Bearer nobody"})
    problem(answer, 404, "not_found")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/", "/api/v2/clubs/", "/api/v1"])
def test_an_address_beside_the_api(caller: Caller, path: str) -> None:
    problem(caller.get(path), 404, "not_found")


def test_a_host_that_is_not_ours(caller: Caller) -> None:
    response = caller.get("clubs/", Host="evil.example")
    assert "evil" not in response.content.decode()
    problem(response, 400, "bad_request")
    page = caller.client.get("/", headers={"Host": "evil.example"})
    assert (page.status_code, page.headers["Content-Type"][:9]) == (400, "text/html")


@pytest.mark.django_db
def test_input_45_a_method_that_the_address_does_not_know(caller: Caller) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        response = caller.call(method, "clubs/")
        problem(response, 405, "method_not_allowed")
        assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    response = caller.get("matches/1/records/")
    problem(response, 405, "method_not_allowed")
    assert set(response.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}
    problem(caller.call("POST", "docs/"), 405, "method_not_allowed")
    problem(caller.call("POST", "openapi.json"), 405, "method_not_allowed")


@pytest.mark.django_db
def test_input_45_an_answer_that_is_not_to_be_had(caller: Caller) -> None:
    response = caller.get("clubs/", Accept="application/xml")
    problem(response, 406, "not_acceptable")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query",
    [
        *("page_size=1000000000", "page_size=0", "page_size=-1", "page_size=x", "page_size="),
        *("page_size=٣", "cursor=x", "cursor=", "cursor=%00", "cursor=WyJhIl0:1:x"),
        *("color=red", "page=2", "format=xml", "page_size=1&page_size=2"),
    ],
)
def test_input_44_a_parameter_that_is_not_possible(caller: Caller, query: str) -> None:
    body = problem(caller.get(f"clubs/?{query}"), 400, "bad_parameter")
    assert query.partition("=")[0] in body["detail"]


@pytest.mark.django_db
def test_input_44_a_parameter_where_none_is_known(caller: Caller, scene: Scene) -> None:
    problem(caller.get(f"clubs/{scene.club.slug}/?lang=es"), 400, "bad_parameter")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (RequestDataTooBig(), 413, "too_large"),
        (UnreadablePostError(), 400, "bad_request"),
        (SuspiciousOperation(), 400, "bad_request"),
        (ParseError(), 400, "bad_request"),
        (PermissionDenied(), 403, "forbidden"),
        (Http404(), 404, "not_found"),
        (NotAuthenticated(), 401, "sign_in"),
    ],
)
def test_what_django_refuses_has_the_same_shape(
    error: Exception, status: int, code: str, rf: RequestFactory
) -> None:
    response = problems.handle_exception(error, {"request": Request(rf.get("/api/v1/clubs/"))})
    assert response is not None
    assert (response.status_code, response.data["code"]) == (status, code)
    assert response.content_type == "application/problem+json"


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed")])
def test_a_database_that_is_away_is_a_503(
    caller: Caller, breaking: Any, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    breaking(error)
    response = caller.get("clubs/")
    body = problem(response, 503, "unavailable")
    assert int(response.headers["Retry-After"]) > 0
    assert str(error) not in json.dumps(body)
    assert "does not answer" in caplog.text


@pytest.mark.django_db
def test_a_database_that_is_away_while_a_token_is_looked_up(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raising(_text: str) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr("tournaments.core.api.requests.authenticate_token", raising)
    response = caller.get("clubs/", Authorization="Bearer baza_x_y")
    problem(response, 503, "unavailable")


@pytest.mark.django_db
def test_a_bug_is_a_500_that_says_no_more_than_its_number(
    caller: Caller, breaking: Any, caplog: pytest.LogCaptureFixture
) -> None:
    details: list[object] = []
    listener = lambda **settings: details.append(settings["request"])  # noqa: E731
    got_request_exception.connect(listener)
    breaking(ZeroDivisionError("the secret of the house"))
    with caplog.at_level(logging.ERROR):
        body = problem(caller.get("clubs/"), 500, "internal_error")
    got_request_exception.disconnect(listener)
    assert "secret" not in json.dumps(body)
    assert body["request_id"] in caplog.text
    assert "the secret of the house" in caplog.text
    assert details


@pytest.mark.django_db
def test_every_problem_leads_to_its_description(caller: Caller) -> None:
    body = problem(caller.get("clubs/?x=y"), 400, "bad_parameter")
    page, _, code = body["type"].partition("#")
    kind = next(kind for kind in caller.read(page) if kind["code"] == code)
    assert kind["status"] == [400]
    assert kind["title"] == body["title"] == "Bad parameter"
    assert "%" not in kind["description"]


def test_no_code_means_two_things() -> None:
    codes = [kind.code for kind in kinds()]
    assert len(codes) == len(set(codes))
    assert len(codes) == len(Reason) + len(RECORD_FAULTS)


@pytest.mark.django_db
def test_problems_are_in_the_language_asked_for(caller: Caller) -> None:
    bodies_by_language = {
        language: problem(caller.get("nada/", **{"Accept-Language": language}), 404, "not_found")
        for language in ("es", "en", "fr")
    }
    assert bodies_by_language["en"]["title"] == bodies_by_language["es"]["title"] == "Not found"
    assert bodies_by_language["fr"]["detail"] == bodies_by_language["es"]["detail"]


@pytest.mark.parametrize(
    ("address", "reason", "allowed"),
    [
        ("clubs/?page=2", "unknown", ["cursor", "name", "page_size"]),
        ("clubs/?page_size=x", "value", None),
        ("clubs/?page_size=5&page_size=6", "value", None),
        ("clubs/?cursor=x", "cursor", None),
        ("tournaments/?state=over", "value", ["draft", "running", "finished"]),
        ("tournaments/{slug}/events/?since=x", "cursor", None),
    ],
)
def test_a_bad_parameter_says_why_and_what_may_stand_there(
    scene: Scene, address: str, reason: str, allowed: list[str] | None
) -> None:
    response = Caller().get(address.format(slug=scene.tournament.slug))
    body = problem(response, 400, "bad_parameter")
    assert (body["reason"], body.get("allowed")) == (reason, allowed)
    assert "pointer" not in body


@pytest.mark.parametrize(
    ("body", "reason", "pointer", "allowed"),
    [
        ({}, "missing", "/name", None),
        ({"name": 7}, "value", "/name", None),
        ({"name": "De otoño", "seeding": "luck"}, "value", "/seeding", ["auto", "rating"]),
        ({"name": "De otoño", "a/b": 1}, "unknown", "/a~1b", ["name", "slug"]),
    ],
)
def test_a_bad_field_says_where_it_is(
    issue: Issue,
    scene: Scene,
    body: dict[str, object],
    reason: str,
    pointer: str,
    allowed: list[str] | None,
) -> None:
    response = issue("organiser").submit(f"clubs/{scene.club.slug}/tournaments/", json.dumps(body))
    told = problem(response, 400, "bad_parameter")
    assert (told["reason"], told["pointer"]) == (reason, pointer)
    assert set(allowed or ()) <= set(told.get("allowed", ()))
    assert bool(allowed) == ("allowed" in told)


def test_a_bad_field_of_a_row_is_pointed_at(issue: Issue, scene: Scene) -> None:
    rows = [{"players": ["Ana", "Bea"]}, {"players": "Eva"}]
    path = f"tournaments/{scene.tournament.slug}/entries/preview/"
    response = issue("organiser").submit(path, json.dumps({"entries": rows}))
    told = problem(response, 400, "bad_parameter")
    assert (told["parameter"], told["pointer"]) == ("entries/1", "/entries/1/players")
