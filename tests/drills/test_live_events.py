"""Fault 31: sixteen who write at once, and followers whose connections break.

Transactions that begin first end last, some are rolled back, some events are for members alone or
for another tournament. Every follower, from any token, gets each event once, in order.
"""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction

from baza_client import Client, Transport
from tests.client.breaking import BreakingWay
from tests.clubs import NOBODY, SYSTEM, a_club, a_draft, the_liguilla
from tests.served import WebServer
from tournaments.core.audit import NewEvent, write_all_events, write_event
from tournaments.domain.feed import PRIVATE, PUBLIC, PublicEvent
from tournaments.live.queries.feed import events_after, open_feed, sequence_of, token_of
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.drills.conftest import Tell

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WRITERS, READERS, FOLLOWERS = 16, 4, 3
TRANSACTIONS = 12
SAID = sorted(set(PUBLIC) - {"tournament.finished"})
UNSAID = sorted(PRIVATE)


class Undone(Exception):  # noqa: N818
    """A transaction that ends in nothing."""


@pytest.fixture
def server(child_environment: dict[str, str], tmp_path: Path) -> Iterator[WebServer]:
    with WebServer(child_environment, tmp_path / "granian.log") as service:
        yield service


def write(tournament: Tournament, other: Tournament, seed: str, barrier: Barrier) -> None:
    chance = random.Random(seed)
    barrier.wait(timeout=60)
    try:
        for _ in range(TRANSACTIONS):
            try:
                with transaction.atomic():
                    write_some(tournament, other, chance)
            except Undone:
                continue
    finally:
        connection.close()


def write_some(tournament: Tournament, other: Tournament, chance: random.Random) -> None:
    """Begin, wait, write, wait, and end or undo it."""
    Tournament.objects.get(pk=other.pk)
    time.sleep(chance.random() / 100)
    about = chance.choices([tournament, other], [4, 1])[0]
    verbs = [chance.choice(chance.choices([SAID, UNSAID], [3, 1])[0]) for _ in range(2)]
    if chance.random() < 0.3:
        events: list[NewEvent] = [(SYSTEM, verb, about, {}) for verb in verbs]
        write_all_events(events, club=about.club, tournament=about)
    else:
        write_event(SYSTEM, verbs[0], about, club=about.club, tournament=about)
    time.sleep(chance.random() / 200)
    if chance.random() < 0.2:
        raise Undone


def read_along(slug: str, seed: str, over: Event) -> list[int]:
    """Read page after page, now and then again from some token of before; the first of each."""
    chance, positions = random.Random(seed), [0]
    sequences = {0}
    try:
        while True:
            was_over = over.is_set()
            since = chance.choice(positions) if chance.random() < 0.3 else positions[-1]
            feed = open_feed(slug, NOBODY)
            new = [
                event.sequence
                for event in events_after(feed, since, chance.randint(1, 40))
                if event.sequence not in sequences
            ]
            positions += new
            sequences.update(new)
            if was_over and since == positions[-1]:
                return positions[1:]
    finally:
        connection.close()


def follow(url: str, tournament: Tournament, since: str, seed: int) -> list[int | None]:
    """Follow the stream until the tournament is over."""
    transport = Transport(attempts=30, first_wait=0.01, chance=random.Random(seed))
    sequences = []
    for event in Client(url, transport=transport).follow(tournament.slug, since):
        sequences.append(sequence_of(tournament.pk, event.token))
        if event.type == "tournament.finished":
            break
    return sequences


def all_of(tournament: Tournament) -> tuple[PublicEvent, ...]:
    return events_after(open_feed(tournament.slug, NOBODY), 0, 10_000)


def test_sixteen_write_at_once_and_nobody_misses_anything(server: WebServer, tell: Tell) -> None:
    """Fault 31: every follower gets everything once, in order, from any token."""
    club = a_club()
    tournament, other = the_liguilla(club, published=1), a_draft(club, name="Otra")
    before = all_of(tournament)[-1].sequence
    barrier, over = Barrier(WRITERS), Event()
    with (
        BreakingWay(server.url, "sixteen writers", 500, 6000) as way,
        ThreadPoolExecutor(WRITERS + READERS + FOLLOWERS) as pool,
    ):
        readers = [
            pool.submit(read_along, tournament.slug, f"reader {number}", over)
            for number in range(READERS)
        ]
        followers = [
            pool.submit(follow, way.url, tournament, token_of(tournament.pk, before), number)
            for number in range(FOLLOWERS)
        ]
        writers = [
            pool.submit(write, tournament, other, f"writer {number}", barrier)
            for number in range(WRITERS)
        ]
        for writer in writers:
            writer.result(timeout=120)
        with transaction.atomic():
            write_event(SYSTEM, "tournament.finished", tournament, club=club, tournament=tournament)
        over.set()
        read = [reader.result(timeout=120) for reader in readers]
        outcomes = [follower.result(timeout=120) for follower in followers]
    everything = [event.sequence for event in all_of(tournament)]
    assert len(everything) > WRITERS * TRANSACTIONS // 3
    assert everything == sorted(set(everything))
    assert read == [everything] * READERS
    assert outcomes == [[number for number in everything if number > before]] * FOLLOWERS
    assert way.connections > FOLLOWERS
    summary = f"{len(everything)} events, {way.connections} connections of {FOLLOWERS} followers"
    tell(summary, sum(len(set(everything) - set(sequences)) for sequences in read))
    for place, number in enumerate(everything, start=1):
        feed = open_feed(tournament.slug, NOBODY)
        after = [event.sequence for event in events_after(feed, number, 10_000)]
        assert after == everything[place:]
