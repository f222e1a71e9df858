"""Workers that send webhooks at the same moment, on a real database."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from tests.clubs import SYSTEM, a_club, submitted, the_liguilla
from tests.results.test_concurrency import at_once
from tests.support.webhook_scenes import OtherSide, a_webhook, reply_with
from tournaments.models import Delivery
from tournaments.webhooks.services.deliveries import create_deliveries, send_due
from tournaments.webhooks.services.webhooks import ping

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_workers_never_send_the_same_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    league = the_liguilla(published=1)
    other_side = OtherSide().install(monkeypatch)
    for host in ("one", "two"):
        a_webhook(league.club, url=f"https://{host}.example/")
    for index in range(4):
        submitted(league, index)
    responses = at_once(*[lambda: send_due(league.club_id)] * 4)
    assert sum(int(count) for count in responses) == 8
    ids = Counter(headers["webhook-id"] for headers in other_side.headers)
    assert set(ids.values()) == {1}
    assert len(ids) == 8
    assert set(Delivery.objects.values_list("attempts", flat=True)) == {1}


def test_an_event_is_taken_up_once_however_many_look() -> None:
    league = the_liguilla(published=1)
    a_webhook(league.club)
    submitted(league, 0)
    responses = at_once(*[lambda: create_deliveries(league.club_id)] * 4)
    assert sorted(int(count) for count in responses) == [0, 0, 0, 1]
    assert Delivery.objects.count() == 1


def test_a_webhook_that_hangs_holds_up_no_other_and_no_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Fault 32: while one address says nothing, another club's and this club's others go on."""
    slow, quick = a_club("Peña lenta"), a_club("Peña rápida")
    hangs, released = threading.Event(), threading.Event()

    def say(message: object) -> object:
        if "slow.example" in str(message):
            hangs.set()
            assert released.wait(30)
        return reply_with(204)

    other_side = OtherSide(says=say).install(monkeypatch)  # type: ignore[arg-type]
    ping(SYSTEM, a_webhook(slow, url="https://slow.example/"))
    ping(SYSTEM, a_webhook(slow, url="https://beside.example/"))
    ping(SYSTEM, a_webhook(quick, url="https://quick.example/"))

    def hang() -> int:
        return send_due(slow.pk)

    def go_on() -> int:
        assert hangs.wait(30)
        try:
            league = the_liguilla(slow, published=1)
            submitted(league, 0)
            return send_due(quick.pk) + send_due(slow.pk)
        finally:
            released.set()

    first, second = at_once(hang, go_on)
    assert (int(first) + int(second), Delivery.objects.filter(state="arrived").count()) >= (3, 3)
    order = other_side.hosts
    assert order[0] == "slow.example"
    assert {"quick.example", "beside.example"} <= set(order)
