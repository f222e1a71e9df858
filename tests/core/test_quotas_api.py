"""How much may be asked for in a minute (input 47)."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as NoRedis
from rest_framework.settings import api_settings

from tests.support.caller import Caller, problem
from tournaments.core.api import requests

if TYPE_CHECKING:
    from tests.conftest import Issue
    from tests.support.scenes import Scene


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three requests a minute without a token, five with one, in a minute that does not end."""
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", {"anonymous": 3, "token": 5})
    monkeypatch.setattr("tournaments.core.api.requests.time.time", lambda: 6_000_000_030.0)


def test_input_47_one_who_asks_too_often_has_to_wait(small: None, scene: Scene) -> None:
    caller = Caller()
    for _ in range(3):
        assert caller.get("clubs/").status_code == 200
    response = caller.get("clubs/")
    problem(response, 429, "throttled")
    assert response.headers["Retry-After"] == "30"


def test_a_token_has_a_quota_of_its_own(small: None, issue: Issue) -> None:
    organiser, other = issue("organiser"), issue("arbiter")
    assert [organiser.get("clubs/").status_code for _ in range(6)] == [200] * 5 + [429]
    assert other.get("clubs/").status_code == 200
    assert Caller().get("clubs/").status_code == 200


def test_a_header_does_not_make_another_address(small: None, scene: Scene) -> None:
    answers = [
        Caller().get("clubs/", **{"X-Forwarded-For": f"10.0.0.{n}"}).status_code for n in range(4)
    ]
    assert answers == [200, 200, 200, 429]


def test_the_next_minute_starts_again(
    small: None, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [Caller().get("clubs/").status_code for _ in range(4)][-1] == 429
    monkeypatch.setattr("tournaments.core.api.requests.time.time", lambda: 6_000_000_060.0)
    assert Caller().get("clubs/").status_code == 200


def test_a_burst_in_parallel_is_counted_exactly(broker_url: str) -> None:
    numbers: list[int] = []

    def count() -> None:
        numbers.append(requests.count_request("burst"))

    threads = [threading.Thread(target=count) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 17))


def test_the_first_requests_of_a_process_share_one_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is forgotten for another would close its connections under who asks over them."""
    make = Redis.from_url

    def slowly(url: str) -> Any:
        time.sleep(0.05)
        return make(url)

    monkeypatch.setattr(Redis, "from_url", slowly)
    requests.make_cache_client.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        clients = list(threads.map(lambda _: requests.cache_client(), range(8)))
    assert len({id(client) for client in clients}) == 1


def test_without_a_cache_everybody_may_pass(
    small: None, scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def lost(*_: Any, **__: Any) -> None:
        raise NoRedis("connection refused")

    monkeypatch.setattr(requests.cache_client(), "pipeline", lost)
    assert [Caller().get("clubs/").status_code for _ in range(5)] == [200] * 5
    assert "uncounted" in caplog.text


def test_every_counted_answer_says_what_is_left(small: None, scene: Scene) -> None:
    caller = Caller()
    answers = [caller.get("clubs/") for _ in range(4)]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"anonymous";q=3;w=60'}
    left = [answer.headers["RateLimit"] for answer in answers]
    assert left == [f'"anonymous";r={count};t=30' for count in (2, 1, 0, 0)]
    assert answers[-1].status_code == 429
