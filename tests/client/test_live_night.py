"""The club night played back by clients against the service as it is served.

Everything an organiser does is done over the API, on a connection that loses answers after they
were carried out; a reader follows all of it live, on a connection that breaks again and again.
"""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from baza_client import Client, LiveEvent, Transport
from tests.client.breaking import BreakingWay
from tests.client.lossy import LossyWay, every
from tests.clubs import (
    SYSTEM,
    a_club,
    club_night_lines,
    csv,
    organiser,
    play_the_club_night,
    the_liguilla,
    user,
)
from tests.domain.test_club_night_standings import TABLE
from tests.served import WebServer
from tournaments.accounts.services.invitations import issue_token
from tournaments.models import Match, Record, Result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SCOPES = ["tournaments:manage", "games:submit", "games:read"]
ROUNDS = range(1, 8)


@pytest.fixture
def server(child_environment: dict[str, str], tmp_path: Path) -> Iterator[WebServer]:
    with WebServer(child_environment, tmp_path / "granian.log") as service:
        yield service


def client(url: str, token: str = "", seed: int = 0) -> Client:
    transport = Transport(attempts=12, first_wait=0.01, chance=random.Random(seed))
    return Client(url, token, transport=transport)


def set_up(sender: Client, club: str) -> str:
    slug = sender.create_tournament(club, "La noche en directo", options={"to": 3}, seeding="order")
    sender.enter_pairs(slug, csv("players.csv").decode(), csv("pairs.csv").decode())
    sender.draw(slug)
    return slug


def followed(follower: Client, slug: str) -> list[LiveEvent]:
    """Everything that is heard of a tournament until it is over."""
    events = []
    for event in follower.follow(slug):
        events.append(event)
        if event.type == "tournament.finished":
            break
    return events


def played_as_in_the_demo(reader: Client) -> Any:
    """The table of the same night, as the demo plays it: in the service itself."""
    other = the_liguilla(a_club("El Ebro"))
    play_the_club_night(other)
    return reader.get(f"tournaments/{other.slug}/standings/")["rows"]


def canonical(document: Any) -> str:
    return json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def test_the_night_is_played_back_and_followed_live(server: WebServer) -> None:
    club = a_club()
    organiser(club)
    token = issue_token(SYSTEM, club, user("olga"), name="the desk", scopes=SCOPES)[1]
    with (
        LossyWay(server.url, every(3)) as lossy,
        BreakingWay(server.url, "a bad night") as breaking,
        ThreadPoolExecutor(5) as pool,
    ):
        desk = client(lossy.url, token)
        slug = set_up(desk, club.slug)
        following = pool.submit(followed, client(breaking.url), slug)
        for number in ROUNDS:
            desk.publish(slug, number)

        def hand_in(seat: int) -> list[str]:
            sender = client(lossy.url, token, seat)
            return [sender.submit(slug, text).outcome for text in club_night_lines()[seat::4]]

        outcomes = [outcome for part in pool.map(hand_in, range(4)) for outcome in part]
        for number in ROUNDS:
            desk.close(slug, number)
        desk.finish(slug)
        events = following.result(timeout=120)
    assert outcomes == ["accepted"] * 28
    assert (Record.objects.count(), Result.objects.count()) == (28, 28)
    assert lossy.requests > 28 + 2 * len(ROUNDS) + 4
    assert breaking.connections > 3
    reader = client(server.url)
    assert_each_event_came_once(reader, slug, events)
    rows = reader.get(f"tournaments/{slug}/standings/")["rows"]
    assert [row["points_for"] for row in rows] == [line[6] for line in TABLE]
    assert canonical(rows) == canonical(played_as_in_the_demo(reader))


def assert_each_event_came_once(reader: Client, slug: str, live_events: list[LiveEvent]) -> None:
    page = reader.get(f"tournaments/{slug}/events/?page_size=200")
    assert page["next"] is None
    assert [event.token for event in live_events] == [row["token"] for row in page["results"]]
    results = [event.subject["id"] for event in live_events if event.type == "result.accepted"]
    assert sorted(results) == sorted(Match.objects.values_list("pk", flat=True))
    published = [event.subject["id"] for event in live_events if event.type == "round.published"]
    assert published == list(ROUNDS)
