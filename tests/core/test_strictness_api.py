"""Every JSON body is read as strictly as a record, at every kind of endpoint."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.caller import Caller, problem
from tournaments.models import AuditEvent

if TYPE_CHECKING:
    from tests.support.scenes import Scene

DOORS = {
    "report a result": ("POST", "matches/{waiting}/report/"),
    "dispute a result": ("POST", "matches/{played}/dispute/"),
    "make a tournament": ("POST", "clubs/{club}/tournaments/"),
    "correct a result": ("POST", "matches/{played}/correct/"),
    "penalise an entry": ("POST", "tournaments/{slug}/entries/1/penalise/"),
    "start a clock": ("POST", "tournaments/{slug}/rounds/1/clock/start/"),
    "enter a list": ("POST", "tournaments/{slug}/entries/list/"),
    "preview a list": ("POST", "tournaments/{slug}/entries/preview/"),
    "import players": ("POST", "clubs/{club}/players/import/"),
    "bring a bot": ("POST", "clubs/{club}/bots/"),
    "add a webhook": ("POST", "clubs/{club}/webhooks/"),
    "describe an entry": ("PATCH", "tournaments/{slug}/entries/1/"),
    "change a tournament": ("PATCH", "tournaments/{slug}/"),
    "rename a club": ("PATCH", "clubs/{club}/"),
    "rename a player": ("PATCH", "clubs/{club}/players/J01/"),
    "rename a pair": ("PATCH", "clubs/{club}/pairs/P1/"),
    "set a schedule": ("PUT", "tournaments/{slug}/schedule/"),
}
BODIES: dict[str, tuple[bytes, str]] = {
    "a key that stands twice": (b'{"reason": "a", "reason": "b"}', "duplicate_key"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "bad_encoding"),
    "UTF-16": ("{}".encode("utf-16-le"), "malformed_json"),
    "UTF-16 with its mark": ("{}".encode("utf-16"), "bad_encoding"),
    "Latin-1": ('{"reason": "añadido"}'.encode("latin-1"), "bad_encoding"),
    "a number beyond all numbers": (b'{"points": 1e400}', "bad_number"),
    "what is not a number": (b'{"points": NaN}', "bad_number"),
    "nesting": (b'{"reason": ' + b"[" * 500 + b"]" * 500 + b"}", "too_deep"),
    "half a surrogate pair": (b'{"reason": "\\ud800"}', "bad_character"),
    "a NUL": (b'{"reason": "\\u0000"}', "bad_character"),
    "half a sentence": (b'{"reason":\n  oops}', "malformed_json"),
    "a list": (b"[]", "expected_object"),
}
TURNED: dict[str, dict[str, object]] = {
    "POST matches/{played}/dispute/": {},
    "POST matches/{waiting}/forfeit/": {"sides": ["away"]},
    "POST matches/{waiting}/postpone/": {},
    "POST matches/{played}/correct/": {"home_hands": 3, "away_hands": 1},
    "POST tournaments/{slug}/entries/1/penalise/": {"round": 1, "points": 5},
    "POST tournaments/{slug}/entries/1/withdraw/": {},
    "POST tournaments/{slug}/entries/1/expel/": {},
}


def address(scene: Scene, path: str) -> str:
    played, waiting = scene.matches()
    places = {"played": played.pk, "waiting": waiting.pk, "club": scene.club.slug}
    return path.format(slug=scene.tournament.slug, **places)


def send(caller: Caller, method: str, path: str, body: bytes) -> Any:
    headers = {"Idempotency-Key": "one"} if method == "POST" else {"If-Match": "*"}
    return caller.call(method, path, body, headers, "application/json")


@pytest.mark.parametrize("door", DOORS)
def test_no_door_guesses_what_was_meant(scene: Scene, organiser: Caller, door: str) -> None:
    method, path = DOORS[door]
    events = AuditEvent.objects.count()
    for label, (body, reason) in BODIES.items():
        response = send(organiser, method, address(scene, path), body)
        assert problem(response, 400, "bad_request")["reason"] == reason, label
    assert AuditEvent.objects.count() == events


def test_where_a_body_stops_being_json_is_reported(scene: Scene, organiser: Caller) -> None:
    body, _reason = BODIES["half a sentence"]
    path = address(scene, "matches/{played}/dispute/")
    document = problem(send(organiser, "POST", path, body), 400, "bad_request")
    assert (document["line"], document["column"]) == (2, 3)


@pytest.mark.parametrize("door", TURNED)
def test_no_reason_turns_the_direction_in_which_it_is_read(
    scene: Scene, organiser: Caller, door: str
) -> None:
    method, path = door.split()
    for character in ("\u202e", "\u2066", "\u200f", "\u0007", "\u0085"):
        body = {**TURNED[door], "reason": f"Llegó {character}tarde."}
        response = send(organiser, method, address(scene, path), json.dumps(body).encode())
        problem(response, 422, "bad_reason")


@pytest.mark.parametrize("text", ["\u200b", " \u2060 ", "\u3164", "\u0301"])
@pytest.mark.parametrize("door", TURNED)
def test_a_reason_of_nothing_that_can_be_seen_is_none(
    scene: Scene, organiser: Caller, door: str, text: str
) -> None:
    method, path = door.split()
    body = json.dumps({**TURNED[door], "reason": text}).encode()
    problem(send(organiser, method, address(scene, path), body), 422, "bad_reason")


@pytest.mark.parametrize("door", TURNED)
def test_a_reason_has_a_thousand_characters_at_most(
    scene: Scene, organiser: Caller, door: str
) -> None:
    method, path = door.split()
    body = json.dumps({**TURNED[door], "reason": "ñ" * 1001}).encode()
    document = problem(send(organiser, method, address(scene, path), body), 422, "reason_too_long")
    assert "1000" in document["detail"]
    body = json.dumps({**TURNED[door], "reason": f" {'ñ' * 1000}\n"}).encode()
    assert send(organiser, method, address(scene, path), body).status_code == 201


def test_a_reason_may_have_lines_and_any_writing(scene: Scene, organiser: Caller) -> None:
    body = {**TURNED["POST matches/{played}/correct/"], "reason": "Uno:\r\n\tdos 👩‍👧, שלוש"}
    path = address(scene, "matches/{played}/correct/")
    assert send(organiser, "POST", path, json.dumps(body).encode()).status_code == 201
