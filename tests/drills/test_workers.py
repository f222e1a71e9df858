"""Workers that die, go, come back too late, or are killed by what they play."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest
from django.db.models import Max
from django.db.models.functions import Now

from tests.clubs import SYSTEM
from tests.drills.crew import LONG, Crew, times, wait_until
from tests.drills.rounds import (
    a_round_of,
    assert_each_counts_once,
    left,
    outcome_of,
    ratings_of,
    undisturbed,
)
from tests.support.bot_tables import a_program, text_of_example, two_versions
from tournaments.arena.services.comparisons import compare_versions
from tournaments.arena.services.comparisons import wake_due as wake_comparisons
from tournaments.arena.services.dispatch import play_round
from tournaments.models import Attempt, BotForfeit, Match, Record, VersionComparison
from tournaments.models.matches import ATTEMPTS, LEASE

if TYPE_CHECKING:
    from tests.drills.conftest import Tell

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SWEEP = 5  # seconds between two sweeps of the scheduler
LIMIT = 90  # seconds, at most, until another attempt
ROLLED = 3  # workers that wait to take over in a rolling restart
RESTARTS = times(3, 10)
COMPARED = 8  # deal sets of a comparison beside a round: fewer than may decide it
SLOW_START = 7.0  # seconds
SLOWNESS = 0.5  # seconds a record


def some_play(crew: Crew) -> bool:
    crew.tick()
    return bool(crew.players())


def may_be_killed(crew: Crew) -> list[int]:
    """Name the processes that play a match which has another attempt left.

    After the last a match is the arbiter's: that is fault 25, and here it would be luck.
    """
    playing = crew.under_way()
    matches = Match.objects.filter(pk__in=playing.values(), attempts__lt=ATTEMPTS)
    match_pks = set(matches.values_list("pk", flat=True))
    return sorted(number for number, match in playing.items() if match in match_pks)


def test_processes_killed_at_play_cost_nothing_but_time(crew: Crew, tell: Tell) -> None:
    """Fault 1: SIGKILL to pool children in the middle of matches; one result for each match."""
    kills = times(6, 200)
    round_ = play_round(SYSTEM, a_round_of(kills + 2))
    quiet, ratings = undisturbed(round_)
    crew.take(SLOWNESS)
    crew.hire()
    for kill in range(kills):
        wait_until(lambda: some_play(crew), "somebody at play", pause=0.01)
        time.sleep(0.05 * (kill % 7))
        players = may_be_killed(crew)
        if players:
            os.kill(players[kill % len(players)], signal.SIGKILL)
        crew.pass_over()

    def is_over() -> bool:
        crew.pass_over()
        crew.tick()
        return not left(round_)

    wait_until(is_over, "the round", pause=0.2)
    assert_each_counts_once(round_)
    assert [outcome_of(round_)] == quiet
    assert ratings_of() == ratings
    killed = Attempt.objects.filter(match__round=round_, outcome="lost").count()
    assert killed > 1
    tell(f"{killed} processes killed in {kills + 2} matches", left(round_))


def test_another_attempt_starts_within_ninety_seconds_of_a_workers_death(
    crew: Crew, tell: Tell
) -> None:
    """Fault 2: SIGKILL to the whole group, which compares versions beside the match.

    With `--long` the time is waited for.
    """
    newest, before = (bot := two_versions()).versions.all()
    beside = compare_versions(SYSTEM, bot, newest, before, ruleset="mano-a-mano", sets=COMPARED)
    crew.take(SLOWNESS)
    worker = crew.hire()
    wait_until(lambda: not wake_comparisons() and beside.played.exists(), "a set of the comparison")
    round_ = play_round(SYSTEM, a_round_of(1))
    wait_until(lambda: some_play(crew), "somebody at play", pause=0.01)
    crew.dismiss(worker)
    now = Match.objects.annotate(now=Now()).values_list("now", flat=True)[0]
    last = Match.objects.filter(round=round_).aggregate(last=Max("lease_until"))["last"]
    assert (last - now).total_seconds() + 2 * SWEEP < LIMIT
    assert last - now <= LEASE
    crew.hire()
    crew.pass_over()
    passed = 0.0 if LONG else LEASE.total_seconds()

    def begun_again() -> bool:
        crew.tick()
        return Attempt.objects.filter(match__round=round_).count() == 2

    wait_until(begun_again, "another attempt", pause=SWEEP / 5)
    second_start = Attempt.objects.aggregate(last=Max("started_at"))["last"]
    assert (second_start - now).total_seconds() + passed <= LIMIT
    wait_until(lambda: not left(round_), "the round")
    assert_each_counts_once(round_)
    tell("1 worker killed with a match in its hands", left(round_))
    VersionComparison.objects.playing().update(lease_until=None)

    def is_compared() -> bool:
        return not wake_comparisons() and not VersionComparison.objects.playing().exists()

    wait_until(is_compared, "the comparison beside")
    assert list(beside.played.values_list("number", flat=True)) == list(range(1, COMPARED + 1))


def test_a_process_that_starts_slowly_in_the_place_of_a_killed_one_is_left_to_start(
    crew: Crew, tell: Tell
) -> None:
    """Fault 46: SIGKILL to all processes of a worker; those after them take seven seconds."""
    round_ = play_round(SYSTEM, a_round_of(2))
    crew.take(0.0)
    worker = crew.hire(BAZA_DRILL_START=str(SLOW_START))
    first = crew.processes(worker)
    for number in first:
        os.kill(number, signal.SIGKILL)

    def is_over() -> bool:
        crew.pass_over()
        crew.tick()
        return not left(round_)

    wait_until(is_over, "the round", pause=SWEEP / 5)
    assert not set(first) & set(crew.processes(worker))
    assert_each_counts_once(round_)
    tell(f"{len(first)} processes killed that take {SLOW_START:.0f} s to start", left(round_))


@pytest.mark.parametrize("comes_back", ["while the other plays", "when all is over"])
def test_one_who_was_held_still_and_comes_back_is_late(
    comes_back: str, crew: Crew, tell: Tell
) -> None:
    """Fault 3: SIGSTOP, another takes over, SIGCONT: the stale record counts nothing."""
    round_ = play_round(SYSTEM, a_round_of(1))
    crew.take(SLOWNESS)
    worker = crew.hire()
    crew.tick()
    player = crew.hold_somebody()
    os.killpg(worker.pid, signal.SIGSTOP)
    crew.hire()
    if LONG:
        wait_until(lambda: not Match.objects.leased().exists(), "the end of the lease")
    attempts = Attempt.objects.filter(match__round=round_)

    def is_tried_again() -> bool:
        crew.pass_over()  # the first message may go to the worker that is held still
        crew.tick()
        return attempts.count() == 2

    wait_until(is_tried_again, "another attempt", pause=1.0)
    if comes_back == "when all is over":
        wait_until(lambda: not left(round_), "the match")
    crew.let_go(player)
    os.killpg(worker.pid, signal.SIGCONT)
    wait_until(lambda: not left(round_), "the match")

    def is_known() -> bool:
        refused = Record.objects.filter(match__round=round_, state=Record.State.REFUSED)
        return refused.exists() or not attempts.filter(outcome="").exists()

    wait_until(is_known, "the stale result")
    refused = Record.objects.filter(match__round=round_, state=Record.State.REFUSED)
    assert {record.code for record in refused} <= {"late_result"}
    assert_each_counts_once(round_)
    assert attempts.filter(outcome="played").count() == 1
    tell(f"1 worker held still, back {comes_back}", left(round_))


def test_workers_asked_to_go_one_after_another_lose_nothing(crew: Crew, tell: Tell) -> None:
    """Fault 24: a rolling restart under load, house bots and programs; no forfeits."""
    programs = [a_program(text_of_example("first_steps.py"), f"Paso {n}") for n in (1, 2)]
    rounds = [
        play_round(SYSTEM, a_round_of(2, *programs * 2, options={"deals": 2})),
        play_round(SYSTEM, a_round_of(times(24, 60), deal_sets=times(6, 40))),
    ]
    quiet, _ = undisturbed(*rounds)
    crew.take(SLOWNESS / 5)
    for worker in [crew.begin() for _ in range(ROLLED + 1)]:
        crew.wait_for(worker)
    for _ in range(RESTARTS):
        wait_until(lambda: some_play(crew), "somebody at play", pause=0.01)
        old = crew.worker_of(next(iter(crew.players()), 0))
        old.terminate()
        assert old.wait(timeout=30) == 0
        crew.workers.remove(old)
        if LONG:
            crew.hire()

    def is_over() -> bool:
        crew.tick()
        return not any(map(left, rounds))

    wait_until(is_over, "both rounds", pause=0.5)
    assert [outcome_of(round_) for round_ in rounds] == quiet
    assert not BotForfeit.objects.exists()
    outcomes = set(Attempt.objects.values_list("outcome", flat=True))
    assert outcomes <= {"played", "partly"}
    handed_on = Attempt.objects.filter(detail="the worker was stopped").count()
    assert handed_on
    tell(f"{RESTARTS} workers told to go, {handed_on} matches handed on", sum(map(left, rounds)))


def test_a_match_that_kills_its_worker_is_left_to_the_arbiter_and_the_others_go_on(
    crew: Crew, tell: Tell
) -> None:
    """Fault 25: an attempt among others and three alone, each of which ends the process.

    No other attempt has to wait.
    """
    round_ = play_round(SYSTEM, a_round_of(8))
    poison = round_.matches.get(table=3)
    crew.app = "tests.drills.strange"
    crew.hire(BAZA_DRILL_POISON=str(poison.pk))

    def is_left() -> bool:
        crew.pass_over()
        crew.tick()
        return Match.objects.filter(pk=poison.pk, abandoned_at__isnull=False).exists()

    wait_until(is_left, "the end of three attempts", pause=0.2)
    wait_until(lambda: left(round_) == 1, "the others")
    outcomes = Attempt.objects.filter(match=poison).values_list("outcome", flat=True)
    assert list(outcomes) == ["lost"] * (1 + ATTEMPTS)
    assert not Record.objects.filter(match=poison).exists()
    tell("1 match that kills whoever plays it, among 8", left(round_) - 1)
