"""Expensive work is done by a limited number of threads at once."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tournaments.core.errors import Reason, Refusal
from tournaments.core.limits import Capacity


def test_of_nine_that_come_at_once_one_runs_two_wait_and_six_are_refused() -> None:
    capacity = Capacity(at_once=1, queue_size=2)
    running: list[int] = []
    running_counts: list[int] = []
    refused = threading.Semaphore(0)
    may_end = threading.Event()

    def work(number: int) -> Reason | None:
        try:
            with capacity.slot():
                running.append(number)
                running_counts.append(len(running))
                may_end.wait(30)
                running.remove(number)
        except Refusal as refusal:
            refused.release()
            return refusal.reason
        return None

    with ThreadPoolExecutor(9) as pool:
        futures = [pool.submit(work, number) for number in range(9)]
        for _ in range(6):
            assert refused.acquire(timeout=30)
        may_end.set()
    assert Counter(future.result() for future in futures) == {Reason.BUSY: 6, None: 3}
    assert set(running_counts) == {1}
    with capacity.slot():
        """The places were given back."""
