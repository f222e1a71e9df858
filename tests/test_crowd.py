"""Who is on his way to write something, and who waits for him."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tournaments.crowd import Crowd


@pytest.fixture
def crowd() -> Crowd:
    """Nobody yet."""
    return Crowd()


def test_whoever_waits_goes_on_when_nobody_is_on_his_way(crowd: Crowd) -> None:
    ways = [crowd.set_out(), crowd.set_out()]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(crowd.wait, 60.0)
        crowd.end(ways[0])
        assert not waiting.done()
        crowd.end(ways[1])
        waiting.result(60.0)


def test_nobody_is_waited_for_longer_than_said(crowd: Crowd) -> None:
    crowd.set_out()
    crowd.wait(0.0)
    assert crowd.arrive(), "one is on his way still"


def test_a_way_ends_once(crowd: Crowd) -> None:
    first, _second = crowd.set_out(), crowd.set_out()
    crowd.end(first)
    crowd.end(first)
    assert crowd.arrive()


def test_who_arrives_is_not_on_his_way_and_learns_of_the_others(crowd: Crowd) -> None:
    own, other = crowd.set_out(), crowd.set_out()
    with crowd.going(own):
        assert crowd.arrive()
        crowd.end(other)
        assert not crowd.arrive()


def test_a_request_that_arrives_nowhere_ends_its_way_with_its_answer(crowd: Crowd) -> None:
    with pytest.raises(ValueError, match="refused"), crowd.going(crowd.set_out()):
        raise ValueError("refused")
    assert not crowd.arrive()


def test_a_thread_that_is_on_no_way_ends_nobodys(crowd: Crowd) -> None:
    crowd.set_out()
    assert crowd.arrive()
    assert crowd.arrive()
