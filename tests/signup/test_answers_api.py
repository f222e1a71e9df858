"""What the verbs of list and money answer: the place of a ticket, a balance, the entries made."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

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
