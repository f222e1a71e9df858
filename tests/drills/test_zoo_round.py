"""The zoo in the service: each bad bot costs itself its hands, and nobody else anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.db.models import Q
from django.urls import reverse

import engine
from engine.bots import failures
from tests.clubs import SYSTEM
from tests.drills.crew import LONG, Crew, wait_until
from tests.drills.rounds import a_round_of, assert_each_counts_once, left
from tests.engine.bots.census import nobody
from tests.support.bot_tables import a_program, house_bot
from tournaments.arena.services.dispatch import play_round
from tournaments.director.services.tournaments import close_round
from tournaments.models import Bot, BotForfeit, Match, Round

if TYPE_CHECKING:
    from django.test import Client

    from tests.drills.conftest import Tell

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ZOO = Path(__file__).parents[1] / "engine/bots/zoo"

QUICK = {
    "illegal_card": failures.ILLEGAL_PLAY,
    "babbler": failures.MALFORMED_ANSWER,
    "stammerer": failures.MALFORMED_ANSWER,
    "deep": failures.MALFORMED_ANSWER,
    "stranger": failures.WRONG_ID,
    "spinner": failures.TIMEOUT_CPU,
    "sleeper": failures.HANG,
    "quitter": failures.CRASH,
    "segfault": failures.CRASH,
    "forker": failures.CRASH,
    "stillborn": failures.DIED_AT_START,
    "endless_line": failures.OUTPUT_FLOOD,
    "flood": failures.OUTPUT_FLOOD,
    "glutton": failures.MEMORY,
    "crowd": failures.THREADS,
    "ancient": failures.PROTOCOL_VERSION,
}
SLOW = {
    "loudmouth": failures.ILLEGAL_PLAY,
    "chatterbox": failures.MALFORMED_ANSWER,
    "latin": failures.MALFORMED_ANSWER,
    "silent_type": failures.MALFORMED_ANSWER,
    "echo": failures.WRONG_ID,
    "deaf": failures.HANG,
    "mute": failures.CRASH,
    "slow_start": failures.SLOW_START,
}
ANIMALS = QUICK | SLOW if LONG else QUICK
"""Bad bots, and what they lose their hand for."""

MAX_GROWTH = 96 << 20
"""Bytes by which a worker may grow, whatever bots write and want: they wrote a gigabyte."""


def memory_of(number: int) -> int:
    """Return the most memory that a process has had, in bytes."""
    lines = Path(f"/proc/{number}/status").read_text().splitlines()
    (peak,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(peak) << 10


def children_of(head: int) -> list[int]:
    """Return the processes that a worker plays with."""
    words = Path(f"/proc/{head}/task/{head}/children").read_text().split()
    return [int(word) for word in words]


def forfeits_of(match: Match) -> set[tuple[str, str]]:
    """Return who lost hands of a match for what."""
    return set(BotForfeit.objects.filter(match=match).values_list("bot__name", "code"))


def test_every_bad_bot_loses_by_its_own_fault_and_the_round_is_closed(
    crew: Crew, tell: Tell, client: Client
) -> None:
    """Faults 17-21: its own code on its page, no process left, the worker as large as before."""
    if not engine.capabilities().can_isolate:
        return
    bad = [a_program((ZOO / f"{name}.py").read_text(), name.title()) for name in ANIMALS]
    bots = [*bad, *(house_bot("simple", n + 1) for n in range(len(bad)))]
    round_ = play_round(SYSTEM, a_round_of(len(bad), *bots))
    crew.app = "tests.drills.strange"
    worker = crew.hire("--max-tasks-per-child", "10000", BAZA_DRILL_HASTE="1")
    players = children_of(worker.pid)
    before = {number: memory_of(number) for number in players}

    def is_over() -> bool:
        crew.tick()
        return not left(round_)

    wait_until(is_over, "the round", pause=0.2)
    assert nobody(str(Path(crew.environment["BAZA_VAR"]) / "bots"))
    assert children_of(worker.pid) == players, "no bot killed a worker"
    for number in players:
        assert memory_of(number) - before[number] < MAX_GROWTH
    assert_each_counts_once(round_)
    for name, code in ANIMALS.items():
        bot = Bot.objects.get(name=name.title())
        match = Match.objects.get(Q(home__bot=bot) | Q(away__bot=bot))
        assert forfeits_of(match) == {(bot.name, code)}, name
        result = match.results.live().get()
        assert {result.home_points, result.away_points} == {0, 130}
        page = client.get(reverse("bot", args=[bot.slug])).content.decode()
        assert code in page, name
    closed = close_round(SYSTEM, round_)
    assert closed.state == Round.State.CLOSED
    tell(f"{len(ANIMALS)} bad bots against as many of the house", left(round_))
