"""What the verbs of list and money answer: the place of a ticket, a balance, the entries made."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

from django.test import Client
from django.utils import timezone

from tests.clubs import SYSTEM
from tournaments.director.services.tournaments import create_tournament
from tournaments.signup.services.requests import set_sign_up

if TYPE_CHECKING:
    from tests.support.caller import Caller
    from tests.support.scenes import Scene


def test_a_ticket_has_its_place_a_payment_its_balance_and_closing_its_entries(
    scene: Scene, organiser: Caller
) -> None:
    path = f"tournaments/{create_tournament(SYSTEM, scene.club, 'Copa').slug}/"
    set_sign_up(SYSTEM, scene.club.tournaments.get(name="Copa"), {"fee_cents": 1000})

    keys = count()

    def say(verb: str, **body: object) -> Any:
        answer = organiser.submit(path + verb, json.dumps(body), str(next(keys)))
        assert answer.status_code == 201, answer.content
        return json.loads(answer.content)

    noted = [
        say("sign-ups/", names=["Ana Gil", "Eva Sanz"]),
        say("sign-ups/", names=["Luis Pardo"]),
    ]
    assert [(one["ticket"], one["rank"]) for one in noted] == [(1, 1), (2, 2)]
    paid = say("money/pay/", ticket=1, cents=400)
    assert (paid["ticket"], paid["balance"]["taken"], paid["balance"]["payable"]) == (1, 400, 600)
    undone = say(f"money/{paid['line']}/reverse/")
    assert (undone["balance"]["taken"], undone["balance"]["payable"]) == (0, 1000)
    assert say("sign-ups/close/", leave_out=[2])["entered"] == [1]
    listed = say("entries/list/", entries=[{"players": ["Pilar Oto", "Rosa Vera"]}])
    assert listed["entered"] == [2]


def test_tickets_change_are_joined_and_parted_and_links_sign_up_their_own(
    scene: Scene, organiser: Caller
) -> None:
    tournament = create_tournament(SYSTEM, scene.club, "Copa")
    set_sign_up(SYSTEM, tournament, {"singles": True, "opens_at": timezone.now()})
    path, keys = f"tournaments/{tournament.slug}/sign-ups/", count()

    def say(verb: str, key: str = "", **body: object) -> Any:
        answer = organiser.submit(path + verb, json.dumps(body), key or str(next(keys)))
        assert answer.status_code == 201, answer.content
        return json.loads(answer.content)

    for name in ("Ana Gil", "Eva Sanz"):
        say("", names=[name])
    assert say("2/change/", names=["Eva Sanz Pardo"], contact="600 123 456")["rank"] == 2
    assert say("2/join/", other=1)["rank"] == 1
    assert say("1/part/")["rank"] == 1
    rows = organiser.read(path)["rows"]
    assert [(row["names"], row["contact"]) for row in rows] == [
        (["Ana Gil"], ""),
        (["Eva Sanz Pardo"], "600 123 456"),
    ]
    made = say("links/", "once", origin="Bar Central", quota=3)
    assert Client().get(made["address"]).status_code == 200
    assert say("links/", "once", origin="Bar Central", quota=3) == {**made, "address": None}
    say(f"links/{made['id']}/revoke/")
    (link,) = organiser.read(f"{path}links/")["results"]
    assert (link["origin"], link["quota"], link["used"]) == ("Bar Central", 3, 0)
    assert link["revoked_at"]
    assert Client().get(made["address"]).status_code == 404
