"""A bot round played by real Celery workers, one of them killed half-way (faults 1, 2, 3, 7)."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

import engine
from engine.bots.limits import TABLE_SECONDS
from tests.clubs import new_tournament
from tournaments.arena.services import dispatch, playing
from tournaments.arena.tasks import play_match as task
from tournaments.core.permissions import Actor
from tournaments.director.services import entries, tournaments
from tournaments.director.services.draws import draw
from tournaments.environment import ROOT
from tournaments.models import Attempt, AuditEvent, Bot, Match, Record, Result, Round
from tournaments.people.services import bots, clubs
from tournaments.results.services import leases

pytestmark = pytest.mark.django_db(transaction=True)
SYSTEM = Actor.system()
SLOWNESS = 1.0  # seconds a record: eight of them are long enough to be killed in
PATIENCE = 60.0  # seconds


@pytest.fixture
def bot_round(transactional_db: None) -> Round:
    """Eight matches between sixteen bots, published."""
    return published_round({"deals": 4})


def published_round(options: dict[str, Any], **more: Any) -> Round:
    club = clubs.create_club(SYSTEM, name="Peña de máquinas")
    kinds = [
        bots.register_bot(SYSTEM, club, name=name, kind=kind)
        for name, kind in (("Dado", Bot.Kind.RANDOM), ("Regla", Bot.Kind.SIMPLE))
    ]
    league = tournaments.create_tournament(
        SYSTEM, club, "Liga nocturna", new_tournament(options=options, **more)
    )
    entries.enter_newcomers(SYSTEM, league, kinds * 8)
    draw(SYSTEM, league)
    return tournaments.publish_round(SYSTEM, Round.objects.get(stage__tournament=league, number=1))


def accepted() -> int:
    return Record.objects.filter(state=Record.State.ACCEPTED).count()


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what}: not within {PATIENCE:.0f} s"
        time.sleep(0.05)


def let_a_minute_pass() -> None:
    """What waiting would do to what a worker that is dead has left: its leases, its messages."""
    Match.objects.exclude(lease_until=None).update(
        lease_until=timezone.now() - timedelta(seconds=1)
    )
    Match.objects.exclude(woken_at=None).update(woken_at=timezone.now() - timedelta(minutes=1))


def assert_every_match_counts_once(round_: Round) -> None:
    matches = Match.objects.filter(round=round_)
    assert matches.count() == 8
    assert set(matches.values_list("state", flat=True)) == {Match.State.ACCEPTED}
    for match in matches:
        record = Record.objects.get(match=match, state=Record.State.ACCEPTED)
        assert Result.objects.get(match=match).record == record
        assert engine.audit(record.text).digest == record.digest
    verbs = AuditEvent.objects.filter(verb="record.accepted")
    assert verbs.count() == 8


def start_command(round_: Round, environment: dict[str, str]) -> subprocess.Popen[str]:
    """Ask for the round as an organiser would, with ``manage.py play_round``."""
    return subprocess.Popen(
        [
            *(sys.executable, "manage.py", "play_round"),
            *(round_.stage.tournament.slug, str(round_.number), "--wait", str(PATIENCE)),
        ],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_killed_worker_costs_nothing_but_time(
    bot_round: Round, start_worker: Callable[..., subprocess.Popen[bytes]]
) -> None:
    worker = start_worker(SLOWNESS)
    dispatch.play_round(SYSTEM, bot_round)
    wait_until(lambda: 0 < accepted() < 8, "a first match")
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    played = accepted()
    assert played < 8, "the worker was killed too late to prove anything"
    start_worker()
    let_a_minute_pass()

    def swept() -> bool:
        dispatch.wake_due()  # what the scheduler does every few seconds
        return accepted() == 8

    wait_until(swept, "the rest of the round")
    assert_every_match_counts_once(bot_round)


def test_a_worker_that_is_asked_to_go_hands_its_matches_on(
    transactional_db: None, start_worker: Callable[..., subprocess.Popen[bytes]]
) -> None:
    """Fault 24: SIGTERM reaches the head of the workers alone; those who play hear of it."""
    round_ = published_round({"deals": 4}, deal_sets=40)
    worker = start_worker(0.1)
    dispatch.play_round(SYSTEM, round_)
    wait_until(lambda: accepted() > 4, "the first records")
    worker.terminate()
    worker.wait(timeout=PATIENCE)
    assert not Match.objects.leased().exists()
    handed_on = Attempt.objects.filter(detail="the worker was stopped")
    assert handed_on.exists()
    assert set(handed_on.values_list("outcome", flat=True)) == {"partly"}
    match = handed_on[0].match
    before = list(match.records.accepted().values_list("pk", flat=True))
    assert match.attempts == 0
    assert playing.play_match(match.pk) == playing.PlayOutcome.ACCEPTED
    assert match.records.accepted().filter(pk__in=before).count() == len(before)
    assert match.records.accepted().count() == 80


@pytest.mark.redis
def test_the_same_on_redis(
    bot_round: Round,
    child_environment: dict[str, str],
    start_worker: Callable[..., subprocess.Popen[bytes]],
    redis_url: str,
) -> None:
    child_environment["REDIS_URL"] = redis_url
    worker = start_worker(SLOWNESS)
    process = start_command(bot_round, child_environment)
    wait_until(lambda: 0 < accepted() < 8, "a first match")
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    process.kill()
    process.communicate()
    assert accepted() < 8, "the worker was killed too late to prove anything"
    start_worker()
    let_a_minute_pass()
    second_process = start_command(bot_round, child_environment)
    output, _ = second_process.communicate(timeout=PATIENCE * 2)
    assert second_process.returncode == 0, output
    assert "played 8 of 8" in output
    assert_every_match_counts_once(bot_round)


def test_a_record_begun_last_of_all_ends_within_its_task() -> None:
    """However slow its programs are; half a minute is left for their farewells."""
    assert task.soft_time_limit
    assert task.soft_time_limit >= playing.BUDGET + TABLE_SECONDS + 30


def test_a_message_that_comes_three_times_plays_the_match_once(transactional_db: None) -> None:
    round_ = published_round({"deals": 1})
    dispatch.play_round(SYSTEM, round_)
    match = round_.matches.first()
    assert match is not None
    answers = [playing.play_match(match.pk) for _ in range(3)]
    assert answers == [
        playing.PlayOutcome.ACCEPTED,
        playing.PlayOutcome.SKIPPED,
        playing.PlayOutcome.SKIPPED,
    ]
    assert Record.objects.filter(match=match).count() == 1


def test_a_result_that_comes_after_its_lease_does_not_count(transactional_db: None) -> None:
    round_ = published_round({"deals": 1})
    dispatch.play_round(SYSTEM, round_)
    match = round_.matches.first()
    assert match is not None
    slow = leases.claim_match(match.pk)
    assert slow is not None
    let_a_minute_pass()
    assert playing.play_match(match.pk) == playing.PlayOutcome.ACCEPTED
    assert playing.play_claimed(slow) == playing.PlayOutcome.LATE
    assert Record.objects.get(match=match, state=Record.State.REFUSED).code == "late_result"
    assert Record.objects.filter(match=match, state=Record.State.ACCEPTED).count() == 1
    assert Result.objects.filter(match=match).count() == 1


def test_a_match_is_claimed_by_one_worker_at_a_time(transactional_db: None) -> None:
    round_ = published_round({"deals": 1})
    dispatch.play_round(SYSTEM, round_)
    match = round_.matches.first()
    assert match is not None
    assert leases.claim_match(match.pk) is not None
    assert leases.claim_match(match.pk) is None


def test_a_second_attempt_plays_the_same_match(transactional_db: None) -> None:
    round_ = published_round({"to": 3})
    dispatch.play_round(SYSTEM, round_)
    match = round_.matches.first()
    assert match is not None
    playing.play_match(match.pk)
    first = Record.objects.get(match=match)
    Result.objects.all().delete()
    Record.objects.all().delete()
    Match.objects.filter(pk=match.pk).update(state=Match.State.PENDING, lease_until=None)
    playing.play_match(match.pk)
    assert Record.objects.get(match=match).digest == first.digest


def test_the_seed_opens_the_commitment_once_the_round_is_closed(transactional_db: None) -> None:
    round_ = published_round({"deals": 1})
    dispatch.play_round(SYSTEM, round_)
    for key in round_.matches.values_list("pk", flat=True):
        assert playing.play_match(key) == playing.PlayOutcome.ACCEPTED
    closed = tournaments.close_round(SYSTEM, round_)
    seed = bytes.fromhex(closed.seed)
    assert engine.commitment(closed.label, seed) == closed.commitment
    match = closed.matches.first()
    assert match is not None
    record = engine.parse_record(Record.objects.get(match=match).text)
    dealt = engine.deal(record.ruleset, seed, match.label, 1)
    assert dict(record.hands[0].deal or {}) == dict(dealt.hands)
    assert record.hands[0].trump == dealt.trump
