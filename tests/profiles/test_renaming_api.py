"""Names are put right over the API by who has seen them as they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.caller import Caller, problem
from tournaments.models import Player, Tournament
from tournaments.profiles.services.erasing import erase_player

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tests.support.scenes import Scene

ANY = {"If-Match": "*"}


def send(caller: Caller, path: str, body: dict[str, Any], **headers: str) -> HttpResponse:
    return caller.call("PATCH", path, json.dumps(body).encode(), headers, "application/json")


def test_a_player_is_renamed_by_who_has_seen_them(scene: Scene, organiser: Caller) -> None:
    path = f"clubs/{scene.club.slug}/players/J01/"
    tag = organiser.get(path).headers["ETag"]
    problem(send(organiser, path, {"name": "Nieves Otal"}), 428, "precondition_required")
    response = send(organiser, path, {"name": " Nieves  Otal "}, **{"If-Match": tag})
    assert json.loads(response.content) == {
        "code": "J01",
        "name": "Nieves Otal",
        "same_as": None,
    }
    assert json.loads(response.content) == organiser.read(path)
    stale = send(organiser, path, {"name": "Sara Val"}, **{"If-Match": tag})
    problem(stale, 412, "precondition_failed")
    entries = organiser.read(f"tournaments/{scene.tournament.slug}/entries/")
    assert "Nieves Otal" in json.dumps(entries, ensure_ascii=False)


def test_what_is_left_out_of_a_club_stays(scene: Scene, organiser: Caller) -> None:
    path = f"clubs/{scene.club.slug}/"
    before = organiser.read(path)
    body = json.loads(send(organiser, path, {"city": "Huesca"}, **ANY).content)
    assert body == {**before, "city": "Huesca"}
    assert json.loads(send(organiser, path, {}, **ANY).content) == body


def test_a_club_lets_search_engines_list_its_people(scene: Scene, organiser: Caller) -> None:
    path = f"clubs/{scene.club.slug}/"
    before = organiser.read(path)
    assert before["people_in_search"] is False
    body = json.loads(send(organiser, path, {"people_in_search": True}, **ANY).content)
    assert body == {**before, "people_in_search": True}
    assert json.loads(send(organiser, path, {"city": "Huesca"}, **ANY).content) == {
        **body,
        "city": "Huesca",
    }
    problem(send(organiser, path, {"people_in_search": "yes"}, **ANY), 400, "bad_parameter")


def test_a_pair_is_renamed_in_the_standings(scene: Scene, organiser: Caller) -> None:
    send(organiser, f"clubs/{scene.club.slug}/pairs/P1/", {"name": "Los Oros"}, **ANY)
    table = organiser.read(f"tournaments/{scene.tournament.slug}/standings/")
    assert "Los Oros" in json.dumps(table, ensure_ascii=False)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": " "}, 422, "bad_name"),
        ({"name": "A" * 101}, 422, "bad_name"),
        ({"name": 7}, 400, "bad_parameter"),
        ({"code": "J77"}, 400, "bad_parameter"),
    ],
)
def test_what_cannot_be_a_name_is_refused(
    scene: Scene, organiser: Caller, body: dict[str, Any], status: int, code: str
) -> None:
    problem(send(organiser, f"clubs/{scene.club.slug}/players/J01/", body, **ANY), status, code)


def test_names_of_others_and_who_was_erased_are_refused(scene: Scene, organiser: Caller) -> None:
    path = f"clubs/{scene.club.slug}/players/J01/"
    other = Player.objects.get(code="J02").name
    problem(send(organiser, path, {"name": other.upper()}, **ANY), 409, "name_taken")
    problem(send(organiser, path.replace("J01", "J77"), {"name": "X"}, **ANY), 404, "not_found")
    Tournament.objects.update(state=Tournament.State.FINISHED)
    erase_player(scene.organiser, Player.objects.get(code="J01"))
    problem(send(organiser, path, {"name": "Nieves Otal"}, **ANY), 409, "already_erased")
