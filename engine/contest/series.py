"""Plays a series of deal sets in parallel and yields them in order.

What is played follows from the terms and the number of the set alone, so that it is the same on
one processor and on many, today and tomorrow.
"""

import signal
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, Final, NamedTuple

from engine.bots.failures import BotFailure
from engine.contest.makers import Entrant, maker_of
from engine.contest.sets import MatchSummary, Seating, play_deal_set, seatings, summary_of
from engine.rulesets import RULESETS

_BATCHES_PER_PROCESS: Final = 3
"""Tasks queued for each process: enough never to be idle, few to throw away at an early stop."""

_SETS_PER_BATCH: Final = 4
"""Deal sets in one task."""

_ATTEMPTS: Final = 3
"""How often a deal set is played when the machine fails."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a series: everything that its matches depend on.

    ``duplicate`` is one of :data:`engine.contest.ORDERS`, or empty: then a set is one match, and
    the seats change from set to set. ``table`` is what the labels of the deals begin with.
    """

    ruleset: str
    entrants: tuple[Entrant, ...]
    seed: bytes
    seat_count: int
    sides: int
    options: Mapping[str, Any] = field(default_factory=dict)
    duplicate: str = ""
    table: str = "play"

    @property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """The opponents: every choice of as many bots as there are sides."""
        return tuple(combinations(range(len(self.entrants)), self.sides))

    def orders(self, number: int) -> Sequence[Seating]:
        """The seatings of a deal set."""
        orders = seatings(self.sides, all_orders=self.duplicate == "permutations")
        return orders if self.duplicate else [orders[(number - 1) % len(orders)]]


class PlayedSet(NamedTuple):
    """A deal set: its number from 1, who sat at the table, and its matches."""

    number: int
    who: tuple[int, ...]
    lines: tuple[MatchSummary, ...]


class SeriesError(Exception):
    """A worker process died, or a bot could not be run in any attempt; the message says why."""


def play_series(terms: Terms, sets: int, jobs: int = 1) -> Generator[PlayedSet]:
    """Play deal sets 1 to ``sets`` at every table; in order, with ``jobs`` processes.

    Closing the generator stops the play: running sets are waited for, no new ones begin. Raises
    :class:`SeriesError` when the machine fails.
    """
    tasks = ((number, bots) for number in range(1, sets + 1) for bots in terms.tables)
    if jobs == 1:
        return (_play_set(terms, number, bots) for number, bots in tasks)
    return _play_in_processes(terms, tasks, jobs)


def _play_in_processes(
    terms: Terms, tasks: Iterator[tuple[int, tuple[int, ...]]], jobs: int
) -> Generator[PlayedSet]:
    pool = ProcessPoolExecutor(jobs, initializer=_ignore_interrupts)
    futures: deque[Future[list[PlayedSet]]] = deque()
    try:
        while True:
            while len(futures) < jobs * _BATCHES_PER_PROCESS and (
                batch := list(islice(tasks, _SETS_PER_BATCH))
            ):
                futures.append(pool.submit(_play_batch, terms, batch))
            if not futures:
                return
            yield from futures.popleft().result()
    except BrokenProcessPool as error:
        raise SeriesError(str(error)) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_batch(terms: Terms, tasks: Sequence[tuple[int, tuple[int, ...]]]) -> list[PlayedSet]:
    return [_play_set(terms, number, bots) for number, bots in tasks]


def _play_set(terms: Terms, number: int, bots: tuple[int, ...]) -> PlayedSet:
    sitting = [terms.entrants[bot] for bot in bots]
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            matches = play_deal_set(
                RULESETS[terms.ruleset],
                [maker_of(entrant, terms.options) for entrant in sitting],
                [entrant.name for entrant in sitting],
                terms.seed,
                f"{terms.table}/{number}",
                seat_count=terms.seat_count,
                options=terms.options,
                tags={"event": "baza play", "round": str(number)},
                orders=terms.orders(number),
            )
        except BotFailure as failure:
            if attempt == _ATTEMPTS:
                raise SeriesError(str(failure)) from None
        else:
            return PlayedSet(number, bots, tuple(summary_of(match) for match in matches))
    raise AssertionError("unreachable")
