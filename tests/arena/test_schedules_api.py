"""The schedule over the API: read by everybody, set by those who run the tournament."""

import json
from typing import Any

import pytest
from django.http import HttpResponse

from tests.arena.test_schedules import a_ladder, make_due, scheduled, the_schedule
from tests.clubs import SYSTEM, organiser, user
from tests.support.caller import Caller, problem
from tournaments.accounts.services.invitations import issue_token
from tournaments.arena.services.arena import run_due
from tournaments.models import Schedule, Tournament

pytestmark = pytest.mark.django_db

NIGHTLY = {"on": True, "at": "03:00", "zone": "Europe/Madrid", "days": [0, 1, 2, 3, 4, 5, 6]}


def caller(tournament: Tournament, *scopes: str) -> Caller:
    organiser(tournament.club)
    _, key = issue_token(SYSTEM, tournament.club, user("olga"), name="reloj", scopes=scopes)
    return Caller(key)


def put(
    caller: Caller, tournament: Tournament, body: Any, tag: str | None = "as it is"
) -> HttpResponse:
    """Set the schedule: one that is there as it is now, or with this `If-Match`."""
    path = f"tournaments/{tournament.slug}/schedule/"
    read = caller.get(path)
    current_etag = read.headers["ETag"] if read.status_code == 200 else None
    etag = current_etag if tag == "as it is" else tag
    headers = {"If-Match": etag} if etag else None
    return caller.call("PUT", path, json.dumps(body).encode(), headers, "application/json")


def test_a_schedule_is_changed_by_who_has_seen_it_as_it_is() -> None:
    tournament = a_ladder()
    desk = caller(tournament, "tournaments:manage", "bots:run", "games:read")
    problem(put(desk, tournament, NIGHTLY, '"never"'), 412, "precondition_failed")
    assert put(desk, tournament, NIGHTLY, None).status_code == 200  # there was none
    etag = desk.get(f"tournaments/{tournament.slug}/schedule/").headers["ETag"]
    problem(put(desk, tournament, NIGHTLY, None), 428, "precondition_required")
    assert put(desk, tournament, {**NIGHTLY, "at": "04:00"}, f'"other", {etag}').status_code == 200
    problem(put(desk, tournament, NIGHTLY, etag), 412, "precondition_failed")
    assert put(desk, tournament, NIGHTLY, "*").status_code == 200
    packed = desk.get(f"tournaments/{tournament.slug}/schedule/").headers["ETag"]
    assert put(desk, tournament, NIGHTLY, f"W/{packed}").status_code == 200  # came compressed


def test_a_program_sets_the_schedule_and_everybody_reads_it() -> None:
    tournament = a_ladder()
    desk = caller(tournament, "tournaments:manage", "bots:run", "games:read")
    response = put(desk, tournament, NIGHTLY)
    assert response.status_code == 200, response.content
    body = json.loads(response.content)
    assert {name: body[name] for name in NIGHTLY} == NIGHTLY
    assert (len(body["next"]), body["last_at"], body["last_code"]) == (3, None, "")
    assert put(desk, tournament, NIGHTLY).content == response.content
    make_due(tournament)
    run_due()
    read = Caller().read(f"tournaments/{tournament.slug}/schedule/")
    assert (read["last_round"], read["left_out"], read["last_text"]) == (1, [], "")
    assert put(desk, tournament, {**NIGHTLY, "on": False}).status_code == 200
    assert Caller().read(f"tournaments/{tournament.slug}/schedule/")["next"] == []


def test_why_no_round_was_begun_is_reported_by_code_and_in_words() -> None:
    tournament = a_ladder()
    scheduled(tournament)
    run_due()
    make_due(tournament)
    run_due()
    read = Caller().read(f"tournaments/{tournament.slug}/schedule/")
    assert (read["last_code"], read["last_round"]) == ("round_unfinished", None)
    assert read["last_text"] == "Round 1 cannot be closed yet. Matches without a final result: 2."


def test_one_scope_is_not_enough() -> None:
    tournament = a_ladder()
    for scope in ("tournaments:manage", "bots:run"):
        desk = caller(tournament, scope, "games:read")
        assert put(desk, tournament, NIGHTLY).status_code == 403
    assert put(Caller(), tournament, NIGHTLY).status_code == 401
    assert not Schedule.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"at": "3 o'clock"}, 400, "bad_parameter"),
        ({"at": 3}, 400, "bad_parameter"),
        ({"days": ["0"]}, 400, "bad_parameter"),
        ({"days": [True]}, 400, "bad_parameter"),
        ({"on": 1}, 400, "bad_parameter"),
        ({"every": "night"}, 400, "bad_parameter"),
        ({"days": [9]}, 422, "bad_schedule"),
        ({"days": []}, 422, "bad_schedule"),
        ({"zone": "Europe/Atlantis"}, 422, "bad_schedule"),
        ({"at": "27:38"}, 422, "bad_schedule"),
        ({"at": "03:00:30"}, 422, "bad_schedule"),
        ({"at": "03:00+01:00"}, 422, "bad_schedule"),
    ],
    ids=str,
)
def test_what_is_no_schedule_is_refused(wrong: dict[str, Any], status: int, code: str) -> None:
    tournament = a_ladder()
    desk = caller(tournament, "tournaments:manage", "bots:run", "games:read")
    response = put(desk, tournament, {**NIGHTLY, **wrong})
    assert (response.status_code, json.loads(response.content)["code"]) == (status, code)
    assert not Schedule.objects.filter(tournament=tournament).exists()


def test_a_tournament_without_one_has_none() -> None:
    tournament = a_ladder()
    scheduled(tournament)
    run_due()
    the_schedule(tournament).delete()
    assert Caller().get(f"tournaments/{tournament.slug}/schedule/").status_code == 404
