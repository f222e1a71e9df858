"""The name of a person is judged at every door where one is made or renamed."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, a_club, a_draft
from tests.support.caller import Caller, problem
from tests.support.scenes import Scene
from tournaments.core.errors import Reason, Refusal
from tournaments.director.services.substitutions import substitute
from tournaments.models import Player
from tournaments.people.services.clubs import import_players
from tournaments.profiles.services.renaming import rename_player
from tournaments.signup.services.closing import close_sign_up, entering_plan
from tournaments.signup.services.requests import (
    Application,
    change_name,
    join,
    set_sign_up,
    sign_up,
)

pytestmark = pytest.mark.django_db


def refused(verb: Callable[..., object], *args: Any, **more: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        verb(*args, **more)
    return caught.value


def test_a_telephone_is_no_player_and_a_bracket_is_asked_about() -> None:
    club = a_club()
    answer = refused(import_players, SYSTEM, club, "id,nombre\nJ1,600112233\nJ2,Ana (la alta)\n")
    assert [fault.code for fault in answer.errors] == ["name_telephone", "name_bracket"]
    import_players(SYSTEM, club, "id,nombre\nJ2,Ana (la alta)\n", as_written=True)
    import_players(SYSTEM, club, "id,nombre\nJ2,Ana (la alta)\nJ3,Reina\n")  # who exists stays


def test_a_new_name_is_judged_and_can_be_confirmed(scene: Scene, client: Client) -> None:
    player = scene.club.players.get(code="J01")
    assert refused(rename_player, SYSTEM, player, "pilar@example.org").reason is Reason.BAD_NAME
    client.force_login(scene.users["organiser"])
    path = reverse("rename-player", args=[player.pk])
    asked = client.post(path, {"name": "Pilar (2)"})
    assert asked.status_code == 422
    assert 'name="as_written"' in asked.content.decode()
    assert client.post(path, {"name": "Pilar (2)", "as_written": "on"}).status_code == 302
    assert Player.objects.get(pk=player.pk).name == "Pilar (2)"


def test_a_substitute_has_the_name_of_a_person(scene: Scene) -> None:
    entry = scene.tournament.entries.get(number=1)
    leaves = entry.players[0]
    asked = refused(substitute, SYSTEM, entry, leaves=leaves, comes="su hermano", from_round=1)
    assert asked.reason is Reason.DOUBTFUL_NAME
    substitute(SYSTEM, entry, leaves=leaves, comes="El primo", from_round=1, as_written=True)


def test_a_sign_up_is_of_persons_and_of_two(scene: Scene) -> None:
    tournament = a_draft(scene.club, "Con plazas")
    set_sign_up(SYSTEM, tournament, {"places": 3})
    for names, reason in (
        (("?", "Luis Sanz"), Reason.DOUBTFUL_NAME),
        (("Ana Gil", "600 112 233"), Reason.BAD_NAME),
        (("Ana Gil", "ana gil"), Reason.SAME_PERSON_TWICE),
    ):
        assert refused(sign_up, SYSTEM, tournament, Application(names)).reason is reason
    request = sign_up(SYSTEM, tournament, Application(("Ana Gil", "Eva Mur")))
    request.people.filter(seat=2).update(name="yo", folded="yo")  # of before names were judged
    assert refused(change_name, SYSTEM, request, 2, "Ana Gil").reason is Reason.SAME_PERSON_TWICE
    (blocked,) = entering_plan(request.signup).blocked
    assert blocked.asks_name
    assert close_sign_up(SYSTEM, tournament) == ()
    (entry,) = close_sign_up(SYSTEM, tournament, as_written=[request.ticket])
    assert entry.seat_names == ("Ana Gil", "yo")


def test_a_name_that_was_confirmed_at_the_sign_up_is_not_asked_about_at_the_end(
    scene: Scene,
) -> None:
    tournament = a_draft(scene.club, "Con plazas")
    set_sign_up(SYSTEM, tournament, {"places": 3, "singles": True})
    sign_up(SYSTEM, tournament, Application(("Ana Gil", "Eva 2"), as_written=True))
    alone, other = (
        sign_up(SYSTEM, tournament, Application((name,), as_written=True))
        for name in ("Olga Ruiz", "Toni (el alto)")
    )
    join(SYSTEM, alone, other)
    changed = sign_up(SYSTEM, tournament, Application(("Noa Paz", "Ida Cid")))
    change_name(SYSTEM, changed, 2, "Ida 2", as_written=True)
    names = [entry.seat_names for entry in close_sign_up(SYSTEM, tournament)]
    assert sorted(names) == [
        ("Ana Gil", "Eva 2"),
        ("Noa Paz", "Ida 2"),
        ("Olga Ruiz", "Toni (el alto)"),
    ]


def test_over_the_api_a_name_in_doubt_is_sent_again_as_written(
    scene: Scene, organiser: Caller
) -> None:
    tournament = a_draft(scene.club, "Con plazas")
    path = f"tournaments/{tournament.slug}/sign-ups/"
    body: dict[str, object] = {"names": ["Ana Gil", "Toni 2"]}
    problem(organiser.submit(path, json.dumps(body), "one"), 422, "doubtful_name")
    body["as_written"] = True
    assert organiser.submit(path, json.dumps(body), "two").status_code == 201


def test_names_of_before_that_are_none_are_listed_for_the_organiser(
    scene: Scene, client: Client
) -> None:
    Player.objects.filter(club=scene.club, code="J02").update(name="Luis 600112233")
    client.force_login(scene.users["organiser"])
    page = client.get(reverse("rename-club", args=[scene.club.slug])).content.decode()
    assert "Luis 600112233" in page
