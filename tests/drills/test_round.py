"""A round of bots while everything around it breaks: the results are those of a quiet night."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from django.db.models import Q

from tests.clubs import SYSTEM
from tests.drills.crew import Broker, Crew, times, wait_until
from tests.drills.rounds import (
    a_round_of,
    assert_each_counts_once,
    outcome_of,
    ratings_of,
    undisturbed,
)
from tournaments.arena.services.dispatch import play_round
from tournaments.models import Attempt, AuditEvent, Match, Record, Round

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.drills.conftest import Tell

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

GIVEN_UP = Q(abandoned_at__isnull=False, state=Match.State.PENDING)
MATCHES = times(40, 300)
MISCHIEF = times(8, 60)
SLOWNESS = 0.3  # seconds a record: long enough to be killed in


class Night:
    """Rounds at play, and what is done to them at moments drawn from a seed."""

    def __init__(self, crew: Crew, broker: Broker, seed: str) -> None:
        self.crew, self.broker = crew, broker
        self.chance = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.acts: tuple[Callable[[], None], ...] = (
            self.kill_one,
            self.kill_one,
            self.kill_all,
            self.hold_one,
            self.hold_all,
            self.wipe,
            self.kill_broker,
        )

    def played(self) -> int:
        return Record.objects.accepted().count()

    def left(self) -> bool:
        return Match.objects.undecided().filter(round__state=Round.State.PUBLISHED).exists()

    def pass_until(self, condition: Callable[[], object], what: str) -> None:
        """Let the service work on, the dead being passed over as time does it."""

        def passed() -> bool:
            self.crew.pass_over()
            self.crew.tick()
            self.ask_again()
            return bool(condition())

        try:
            wait_until(passed, what, pause=0.2)
        except AssertionError as error:
            open_ = Match.objects.undecided().values(
                "pk", "attempts", "abandoned_at", "lease_until"
            )
            raise AssertionError(f"{error}: {list(open_)}, {self.crew.under_way()}") from error

    def ask_again(self) -> None:
        """Do what the organiser does about a match that was broken off three times."""
        for round_ in Round.objects.filter(matches__in=Match.objects.filter(GIVEN_UP)).distinct():
            play_round(SYSTEM, round_)
            self.done["rounds asked for again"] += 1

    def someone_plays(self) -> bool:
        self.crew.tick()
        return bool(self.crew.players()) or not self.left()

    def kill_one(self) -> None:
        """SIGKILL to a process that plays."""
        wait_until(self.someone_plays, "somebody at play", pause=0.01)
        if players := self.crew.players():
            os.kill(self.chance.choice(players), signal.SIGKILL)
            self.done["processes killed"] += 1

    def kill_all(self) -> None:
        """SIGKILL to a worker with all its processes; another comes."""
        self.crew.dismiss(self.chance.choice(self.crew.workers))
        self.crew.hire()
        self.done["workers killed"] += 1

    def hold_one(self) -> None:
        """SIGSTOP to a process that plays, until another has played its match."""
        players: dict[int, int] = {}

        def is_held() -> bool:
            self.crew.tick()
            players.update(self.crew.under_way())
            is_claimed = any(
                self.crew.hold(number, players[number])
                for number in self.crew.players()
                if number in players
            )
            return is_claimed or not self.left()

        wait_until(is_held, "somebody at play", pause=0.01)
        for number in list(self.crew.held):
            open_ = Match.objects.undecided().filter(pk=players[number])
            self.pass_until(lambda open_=open_: not open_.exists(), "the match of one held still")  # type: ignore[misc]
            self.crew.let_go(number)
            self.done["processes held"] += 1

    def hold_all(self) -> None:
        """SIGSTOP to a worker with all its processes, for a moment."""
        worker = self.chance.choice(self.crew.workers)
        os.killpg(worker.pid, signal.SIGSTOP)
        time.sleep(self.chance.random())
        os.killpg(worker.pid, signal.SIGCONT)
        self.done["workers held"] += 1

    def wipe(self) -> None:
        """FLUSHALL."""
        self.broker.wipe()
        self.done["brokers wiped"] += 1

    def kill_broker(self) -> None:
        """SIGKILL to the broker, which comes back empty."""
        self.broker.kill()
        self.crew.tick()
        self.broker.start()
        self.done["brokers killed"] += 1

    def disturb(self, moments: list[int]) -> None:
        """Disturb the round at each of these numbers of records, and finish it."""
        acts = list(self.acts)
        self.chance.shuffle(acts)
        for number, moment in enumerate(moments):
            self.pass_until(lambda at=moment: self.played() >= at, f"{moment} records")  # type: ignore[misc]
            acts[number % len(acts)]()
        self.pass_until(lambda: not self.left(), "the end of the round")


def test_rounds_with_all_that_can_break_end_as_undisturbed_ones(
    crew: Crew, own_broker: Broker, tell: Tell
) -> None:
    """Faults 1-4: workers killed and held still, the broker wiped and killed; byte for byte."""
    bot_rounds = [a_round_of(MATCHES), a_round_of(MATCHES // 4, deal_sets=2)]
    rounds = [play_round(SYSTEM, round_) for round_ in bot_rounds]
    quiet, ratings = undisturbed(*rounds)
    records = sum(len(texts) for outcome in quiet for texts in outcome.texts.values())
    events = AuditEvent.objects.filter(verb="record.accepted").count()
    crew.take(SLOWNESS)
    crew.begin()
    crew.hire()
    night = Night(crew, own_broker, "night")
    night.disturb(sorted(night.chance.randrange(records * 9 // 10) for _ in range(MISCHIEF)))
    for round_, before in zip(rounds, quiet, strict=True):
        assert_each_counts_once(round_)
        assert outcome_of(round_) == before
    assert ratings_of() == ratings
    assert len({mu for _bot, mu, *_ in ratings}) > 2
    assert AuditEvent.objects.filter(verb="record.accepted").count() == events + records
    assert Attempt.objects.filter(outcome="lost").exists(), "nobody was killed at play"
    assert not Attempt.objects.filter(outcome__in=("broken", "refused")).exists()
    summary = ", ".join(f"{count} {fault}" for fault, count in sorted(night.done.items()))
    matches = sum(len(outcome.texts) for outcome in quiet)
    tell(f"{matches} matches, {records} records; {summary}", records - night.played())
