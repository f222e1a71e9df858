"""A tournament over the API: changed by who has seen it as it is, and as a draft thrown away."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.http import HttpResponse

from tests.support.caller import Caller, problem
from tournaments.director.services.tournaments import create_tournament

if TYPE_CHECKING:
    from tests.support.scenes import Scene

Send = Callable[..., HttpResponse]


@pytest.fixture
def draft(scene: Scene) -> str:
    return f"tournaments/{create_tournament(scene.organiser, scene.club, 'Nueva').slug}/"


@pytest.fixture
def send(organiser: Caller) -> Send:
    def ask(method: str, path: str, body: object = None, **headers: str) -> HttpResponse:
        raw = b"" if body is None else json.dumps(body).encode()
        return organiser.call(method, path, raw, headers, "application/json")

    return ask


def test_it_is_changed_by_who_has_seen_it_as_it_is(
    organiser: Caller, draft: str, send: Send
) -> None:
    response = organiser.get(draft)
    tag = response.headers["ETag"]
    problem(send("PATCH", draft, {"name": "Otra"}), 428, "precondition_required")
    body = {"name": "Otra", "confirmation": False, "visibility": "private"}
    second_response = send("PATCH", draft, body, **{"If-Match": tag})
    assert second_response.status_code == 200
    document = json.loads(second_response.content)
    assert (
        document
        == organiser.read(draft)
        == {**json.loads(response.content), **body} | {"version": document["version"]}
    )
    problem(send("PATCH", draft, {"name": "X"}, **{"If-Match": tag}), 412, "precondition_failed")


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({"slug": "otra"}, "slug"),
        ({"confirm_after": "24"}, "confirm_after"),
        ({"confirm_after": 100_000}, "confirm_after"),
        ({"self_check_in": 1}, "self_check_in"),
        ({"visibility": "half"}, "visibility"),
        ({"name": None}, "name"),
    ],
)
def test_what_cannot_be_said_of_it_is_refused(
    draft: str, send: Send, body: dict[str, Any], parameter: str
) -> None:
    response = send("PATCH", draft, body, **{"If-Match": "*"})
    assert problem(response, 400, "bad_parameter")["parameter"] == parameter


@pytest.mark.parametrize(
    ("body", "minutes", "hours"),
    [
        ({"confirm_minutes": 5}, 5, 1),
        ({"confirm_after": 24}, 24 * 60, 24),
        ({"confirm_after": 24, "confirm_minutes": 90}, 90, 2),
    ],
)
def test_silence_confirms_after_minutes_or_hours(
    draft: str, send: Send, body: dict[str, Any], minutes: int, hours: int
) -> None:
    document = json.loads(send("PATCH", draft, body, **{"If-Match": "*"}).content)
    assert (document["confirm_minutes"], document["confirm_after"]) == (minutes, hours)


def test_once_drawn_its_name_can_change_alone(scene: Scene, send: Send) -> None:
    path, any_ = f"tournaments/{scene.tournament.slug}/", {"If-Match": "*"}
    assert send("PATCH", path, {"name": "Otra"}, **any_).status_code == 200
    problem(send("PATCH", path, {"confirm_after": 1}, **any_), 409, "rounds_drawn")
    problem(send("PATCH", path, {"name": " "}, **any_), 422, "bad_name")
    problem(send("DELETE", path, **any_), 409, "rounds_drawn")


def test_a_draft_is_thrown_away_once(organiser: Caller, draft: str, send: Send) -> None:
    etag = organiser.get(draft).headers["ETag"]
    problem(send("DELETE", draft), 428, "precondition_required")
    problem(send("DELETE", draft, **{"If-Match": '"other"'}), 412, "precondition_failed")
    response = send("DELETE", draft, **{"If-Match": etag})
    assert (response.status_code, response.content) == (204, b"")
    problem(organiser.get(draft), 404, "not_found")
    problem(send("DELETE", draft, **{"If-Match": etag}), 404, "not_found")
    results = organiser.read("tournaments/")["results"]
    assert draft.split("/")[1] not in [row["slug"] for row in results]


def test_only_organisers_change_it_or_throw_it_away(
    issue: Callable[..., Caller], draft: str
) -> None:
    for role, status, code in (("arbiter", 403, "forbidden"), ("player", 404, "not_found")):
        for method in ("PATCH", "DELETE"):
            body = b'{"name": "X"}' if method == "PATCH" else b""
            answer = issue(role).call(method, draft, body, {"If-Match": "*"}, "application/json")
            problem(answer, status, code)
    answer = Caller().call("DELETE", draft, b"", {"If-Match": "*"})
    problem(answer, 401, "sign_in")
