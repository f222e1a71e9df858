"""What was decided is put right over the API: entries described, byes cancelled, draws undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.http import HttpResponse

from tests.api.test_routes import addresses
from tests.support.caller import Caller, problem
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Actor
from tournaments.models import Season

if TYPE_CHECKING:
    from tests.support.scenes import Scene

Patch = Callable[..., HttpResponse]


@pytest.fixture
def path(scene: Scene) -> str:
    return f"tournaments/{scene.tournament.slug}/entries/1/"


@pytest.fixture
def patch(organiser: Caller, path: str) -> Patch:
    def send(body: object, **headers: str) -> HttpResponse:
        raw = json.dumps(body).encode()
        return organiser.call("PATCH", path, raw, headers, "application/json")

    return send


def test_an_entry_is_described_by_who_has_seen_it_as_it_is(
    organiser: Caller, path: str, patch: Patch
) -> None:
    response = organiser.get(path)
    tag = response.headers["ETag"]
    problem(patch({"origin": "Huesca"}), 428, "precondition_required")
    second_response = patch({"origin": "Huesca", "apart": ["familia"]}, **{"If-Match": tag})
    assert second_response.status_code == 200
    body = {**json.loads(response.content), "origin": "Huesca", "apart": ["familia"]}
    assert json.loads(second_response.content) == organiser.read(path) == body
    problem(patch({"origin": "Teruel"}, **{"If-Match": tag}), 412, "precondition_failed")
    assert organiser.read(path)["origin"] == "Huesca"
    fresh = organiser.get(path).headers["ETag"]
    assert patch({"origin": ""}, **{"If-Match": fresh}).status_code == 200
    assert organiser.read(path)["origin"] == ""
    fresh = organiser.get(path).headers["ETag"]
    assert patch({"fixed_table": 2}, **{"If-Match": fresh}).status_code == 200
    assert organiser.read(path)["fixed_table"] == 2


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({"rating": "high"}, "rating"),
        ({"apart": [1]}, "apart"),
        ({"name": "Otros"}, "name"),
        ({"fixed_table": 1000}, "fixed_table"),
    ],
)
def test_what_cannot_be_said_of_an_entry_is_refused(
    patch: Patch, body: dict[str, Any], parameter: str
) -> None:
    assert problem(patch(body), 400, "bad_parameter")["parameter"] == parameter


def test_once_drawn_the_seeding_rating_stays(patch: Patch) -> None:
    problem(patch({"rating": 1500}, **{"If-Match": "*"}), 409, "not_a_draft")


def test_the_staff_reads_an_entry_and_an_organiser_alone_describes_it(
    scene: Scene, issue: Callable[..., Caller], path: str
) -> None:
    for role, number in (("arbiter", 200), ("player", 404)):
        caller, headers = issue(role), {"If-Match": "*"}
        answer = caller.call("PATCH", path, b'{"origin": "X"}', headers, "application/json")
        problem(answer, 403, "forbidden")
        assert caller.get(path).status_code == number


def test_a_bye_a_penalty_and_a_stand_in_are_taken_back(scene: Scene, organiser: Caller) -> None:
    paths = addresses(scene)
    path = f"tournaments/{paths['slug']}/entries/2/"
    document = organiser.read(path)
    assert [bye["id"] for bye in document["byes"]] == [paths["bye"]]
    (penalty,) = document["penalties"]
    assert (penalty["points"], penalty["is_revoked"]) == (5, False)
    for part, body in (
        (f"byes/{paths['bye']}/cancel/", "{}"),
        (f"penalties/{paths['penalty']}/revoke/", '{"reason": "Llegó a tiempo."}'),
        (f"substitutions/{paths['substitution']}/end/", '{"until_round": 3}'),
    ):
        assert organiser.submit(path + part, body, part).status_code == 201
    document = organiser.read(path)
    assert document["byes"] == []
    assert document["penalties"][0]["revocation"] == "Llegó a tiempo."
    assert document["substitutions"][0]["until_round"] == 3


def test_a_draw_with_results_is_not_undone(scene: Scene, organiser: Caller) -> None:
    path = f"tournaments/{scene.tournament.slug}/restore-points/"
    restore_point = organiser.read(path)[-1]
    assert (restore_point["verb"], restore_point["used_at"]) == ("tournament.drawn", None)
    problem(organiser.submit(f"{path}{restore_point['id']}/go-back/", "{}"), 409, "undo_live")
    assert organiser.read(path)[-1] == restore_point


def test_a_draw_is_undone_while_nothing_was_played(club_night: Scene) -> None:
    _row, token = issue_token(
        Actor.system(),
        club_night.club,
        club_night.users["organiser"],
        name="desk",
        scopes=["tournaments:manage", "games:read"],
    )
    organiser, slug = Caller(token), club_night.tournament.slug
    path = f"tournaments/{slug}/restore-points/"
    restore_point = organiser.read(path)[-1]
    response = organiser.submit(f"{path}{restore_point['id']}/go-back/", "{}")
    assert response.status_code == 201
    assert json.loads(response.content)["state"] == "draft"
    assert organiser.read(f"tournaments/{slug}/rounds/")["rounds"] == []
    assert organiser.read(path)[-1]["used_at"]
    assert organiser.read(path)[0]["verb"] == "tournament.restored"
    problem(organiser.submit(f"{path}9999/go-back/", "{}", "gone"), 404, "not_found")


def test_a_result_that_is_another_by_now_is_not_put_right(scene: Scene, organiser: Caller) -> None:
    path = f"matches/{scene.matches()[0].pk}/correct/"
    body = {"home_hands": 3, "away_hands": 1, "reason": "Mal sumado."}
    for version in (0, 2):
        response = organiser.submit(path, json.dumps({**body, "version": version}), f"v{version}")
        problem(response, 409, "report_changed")
    assert organiser.submit(path, json.dumps({**body, "version": 1})).status_code == 201
    second_response = organiser.submit(path, json.dumps({**body, "version": 1}), "again")
    problem(second_response, 409, "report_changed")
    assert organiser.submit(path, json.dumps({**body, "version": 2}), "seen").status_code == 201


def test_a_season_is_opened_filled_and_closed(scene: Scene, organiser: Caller) -> None:
    club, slug = f"clubs/{scene.club.slug}", scene.tournament.slug
    response = organiser.submit(f"{club}/open-season/", '{"name": "Otoño", "best": 5}')
    assert response.status_code == 201
    place = json.loads(response.content)["season"]
    assert response.headers["Location"] == place
    body = json.dumps({"tournament": slug, "weight": "1.5"})
    assert organiser.submit(f"{place}add/", body, "add").status_code == 201
    problem(organiser.submit(f"{place}add/", body, "twice"), 409, "already_in_season")
    (event,) = organiser.read(place)["tournaments"]
    assert (event["slug"], event["weight"]) == (slug, 1.5)
    out = json.dumps({"tournament": slug})
    assert organiser.submit(f"{place}remove/", out, "out").status_code == 201
    assert organiser.read(place)["tournaments"] == []
    assert organiser.submit(f"{place}close/", "{}", "close").status_code == 201
    problem(organiser.submit(f"{place}add/", body, "late"), 409, "season_closed")
    assert Season.objects.get().best == 5


def test_the_rules_of_a_season_are_set_over_the_api(scene: Scene, organiser: Caller) -> None:
    response = organiser.submit(f"clubs/{scene.club.slug}/open-season/", '{"name": "Otoño"}')
    place = json.loads(response.content)["season"]
    rules = json.dumps({"own_scale": [25, 18], "mean_of": 2, "missed_as_zero": True})
    effect = organiser.submit(f"{place}set-rules/?dry_run=1", rules)
    assert json.loads(effect.content) == {"before": [], "after": []}
    assert Season.objects.get().own_scale == ""
    assert organiser.submit(f"{place}set-rules/", rules, "set").status_code == 201
    body = organiser.read(place)
    assert (body["own_scale"], body["mean_of"], body["missed_as_zero"]) == ([25, 18], 2, True)
    assert body["criteria"] == ["wins", "last_event"]
    rules = '{"criteria": ["wins", "all_results"]}'
    assert organiser.submit(f"{place}set-rules/", rules, "order").status_code == 201
    assert organiser.read(place)["criteria"] == ["wins", "all_results"]
    widest = organiser.submit(f"{place}set-rules/", '{"own_scale": [10000, 1, 0]}', "widest")
    assert widest.status_code == 201
    assert organiser.read(place)["own_scale"] == [10000, 1, 0]
    for number, scale in enumerate(("[1, 2]", "[10001]", "[-1]")):
        bad = organiser.submit(f"{place}set-rules/", f'{{"own_scale": {scale}}}', f"bad-{number}")
        problem(bad, 422, "bad_scale")


def test_lists_of_players_and_pairs_are_brought_to_a_club(scene: Scene, organiser: Caller) -> None:
    club = f"clubs/{scene.club.slug}"
    players = json.dumps({"csv": "id,nombre\nJ01,Pilar Martínez\nJ20,Nieves Otal\nJ21,Sara Val\n"})
    response = organiser.submit(f"{club}/players/import/", players)
    assert json.loads(response.content) == {"created": 2, "changed": 0, "unchanged": 1}
    second_response = organiser.submit(f"{club}/players/import/", players)
    assert second_response.headers["Idempotency-Replayed"] == "true"
    assert second_response.content == response.content
    pairs = json.dumps({"csv": "pareja,nombre,jugador1,jugador2\nP9,Las Nuevas,J20,J21\n"})
    assert organiser.submit(f"{club}/pairs/import/", pairs, "pairs").status_code == 201
    bad = json.dumps({"csv": "pareja,nombre,jugador1,jugador2\nP10,Nadie,J70,J71\n"})
    problem(organiser.submit(f"{club}/pairs/import/", bad, "bad"), 422, "import_refused")
