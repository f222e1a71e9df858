"""The machine at fault: too busy, without a sandbox, full, or with a clock that jumps."""

from __future__ import annotations

import ast
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis
from django.db import DatabaseError, connection
from django.db.models import F
from django.db.models.functions import Now

import engine
from tests.clubs import SYSTEM
from tests.drills.crew import Crew, times, wait_until
from tests.drills.rounds import (
    a_round_of,
    assert_each_counts_once,
    left,
    outcome_of,
    undisturbed,
)
from tests.engine.bots.conftest import ZOO
from tests.people.test_bots_brought import no_sandbox
from tests.servers import kill_group
from tests.support.bot_tables import a_bot_match, a_program, afresh, house_bot, text_of_example
from tournaments.arena.services.dispatch import play_round, wake_due
from tournaments.arena.services.playing import PlayOutcome, play_match
from tournaments.core import jobs
from tournaments.core.jobs import Job
from tournaments.environment import ROOT
from tournaments.management.commands import up
from tournaments.models import Attempt, AuditEvent, BotForfeit, Heartbeat, Match, Record, Result
from tournaments.models.heartbeats import QUEUES
from tournaments.models.matches import LEASE
from tournaments.settings import CELERY_BEAT_SCHEDULE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.drills.conftest import Tell

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

LAZY = text_of_example("first_steps.py")
HOGS = 4  # on two processors


def thinker() -> str:
    """Return the text of a good bot that uses much of its time for its first answer of a hand."""
    return """
import json, sys, time
thought = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "deal":
        thought = 0
    elif message["type"] == "ask":
        if not thought:
            thought = time.process_time() + 0.8
            while time.process_time() < thought:
                pass
        print(json.dumps({"id": message["id"], "say": message["legal"][0]}), flush=True)
"""


@pytest.fixture
def hogs() -> Iterator[None]:
    """Keep all processors busy."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(HOGS)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


def test_on_a_busy_machine_no_honest_bot_is_blamed(crew: Crew, hogs: None, tell: Tell) -> None:
    """Fault 22: four busy loops beside the arena; CPU time is charged, and the wall's is not."""
    if not engine.capabilities().can_isolate:
        return
    bots = [a_program(LAZY, "Ligero"), a_program(thinker(), "Pensador")]
    bots += [house_bot("simple", 1), house_bot("random", 2)]
    matches = times(2, 20)
    round_ = play_round(SYSTEM, a_round_of(matches, *bots * (matches // 2)))
    crew.hire()

    def is_over() -> bool:
        crew.pass_over()
        crew.tick()
        return not left(round_)

    wait_until(is_over, "the round", pause=0.5)
    assert not BotForfeit.objects.exists()
    assert_each_counts_once(round_)
    attempts = Attempt.objects.filter(match__round=round_)
    assert set(attempts.values_list("outcome", flat=True)) <= {"played", "infrastructure"}
    void = attempts.filter(outcome="infrastructure").count()
    tell(f"{matches} matches of programs beside {HOGS} busy loops; {void} void", left(round_))


def test_where_a_good_bot_does_not_run_either_the_match_is_void_and_played_again(
    monkeypatch: pytest.MonkeyPatch, tell: Tell
) -> None:
    """Fault 22: the reference bot decides whether the machine was at fault."""
    if not engine.capabilities().can_isolate:
        return
    dies = a_program((ZOO / "stillborn.py").read_text(), "Malo")
    match = a_bot_match(dies, house_bot("simple"))
    with monkeypatch.context() as patch:
        patch.setattr(engine, "reference_runs", lambda **_: False)
        assert play_match(match.pk) is PlayOutcome.INFRASTRUCTURE
    assert not BotForfeit.objects.exists()
    assert not Record.objects.exists()
    Match.objects.update(lease_until=None)
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    assert BotForfeit.objects.get().code == "died_at_start"
    tell("1 match on a machine that runs no bot", left(match.round))


def test_a_kernel_that_holds_nobody_plays_no_strangers_program(
    monkeypatch: pytest.MonkeyPatch, tell: Tell
) -> None:
    """Fault 23: Landlock and seccomp answer ENOSYS; the reason is stored with the attempt."""
    match = a_bot_match(a_program(LAZY), house_bot("simple"))
    other = a_bot_match(house_bot("random", 3), house_bot("simple", 4))
    no_sandbox(monkeypatch)
    assert play_match(match.pk) is PlayOutcome.INFRASTRUCTURE
    detail = Attempt.objects.get(match=match).detail
    assert "Landlock" in detail
    assert "seccomp" in detail
    assert not BotForfeit.objects.exists()
    assert play_match(other.pk) is PlayOutcome.ACCEPTED, "bots of the house need no sandbox"
    tell("1 program on a kernel without Landlock and seccomp", left(other.round))


# --- A database that is full --------------------------------------------------------------------


@pytest.fixture
def full(transactional_db: None) -> Iterator[Callable[[str], Callable[[], None]]]:
    """Give a function that lets a table take no row more; what it returns empties the disk."""
    dropped: list[Callable[[], None]] = []

    def fill(table: str) -> Callable[[], None]:
        with connection.cursor() as cursor:
            for statement in trigger(table):
                cursor.execute(statement)

        def empty() -> None:
            with connection.cursor() as cursor:
                on = "" if connection.vendor == "sqlite" else f" ON {table}"
                cursor.execute(f"DROP TRIGGER IF EXISTS is_full{on}")

        dropped.append(empty)
        return empty

    yield fill
    for empty in dropped:
        empty()


def trigger(table: str) -> list[str]:
    """Return what makes a table refuse its next row as a full disk does."""
    if connection.vendor == "sqlite":
        says = "SELECT RAISE(ABORT, 'database or disk is full');"
        return [f"CREATE TRIGGER is_full BEFORE INSERT ON {table} BEGIN {says} END"]
    says = "RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'No space left on device';"
    body = f"BEGIN {says} END"
    return [
        f"CREATE OR REPLACE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS $${body}$$",
        f"CREATE TRIGGER is_full BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION is_full()",
    ]


@pytest.mark.parametrize("sets", [0, 1], ids=["a record", "deal sets"])
@pytest.mark.parametrize("rows", [Record, Result, AuditEvent])
def test_nothing_is_accepted_whose_record_cannot_be_kept(
    rows: type[Record | Result | AuditEvent],
    sets: int,
    full: Callable[[str], Callable[[], None]],
    tell: Tell,
) -> None:
    """Fault 26: the disk is full at the record, its result or its event; later it is accepted."""
    match = a_bot_match(deal_sets=sets)
    empty = full(rows._meta.db_table)
    with pytest.raises(DatabaseError):
        play_match(match.pk)
    assert not Result.objects.exists()
    assert afresh(match).state == Match.State.PENDING
    record_count = Record.objects.filter(state=Record.State.ACCEPTED).count()
    assert record_count == (1 if sets and rows is Result else 0), (
        "the last one alone makes the result"
    )
    attempt = Attempt.objects.get()
    assert attempt.outcome == "broken"
    assert "full" in attempt.detail or "No space" in attempt.detail
    empty()
    wake_due()
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    assert_each_counts_once(match.round)
    tell(f"a full disk when a row of {rows.__name__} is written", left(match.round))


# --- A clock that jumps -------------------------------------------------------------------------


@pytest.fixture
def faketime() -> str:
    """Give the library that lies about the time."""
    paths = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not paths:
        pytest.skip("faketime is not installed")
    return str(paths[0])


@pytest.mark.parametrize("jump", ["+1h", "-1h"])
def test_a_clock_that_jumps_in_the_middle_of_a_match_costs_nobody_a_hand(
    jump: str, faketime: str, crew: Crew, tmp_path: Path, tell: Tell
) -> None:
    """Fault 27: leases go by the database's clock; no forfeits, and the same results."""
    round_ = play_round(SYSTEM, a_round_of(12, options={"deals": 200}))
    quiet, _ = undisturbed(round_)
    clock = tmp_path / "clock"
    clock.write_text("+0\n")
    crew.hire(
        LD_PRELOAD=faketime,
        FAKETIME_TIMESTAMP_FILE=str(clock),
        FAKETIME_CACHE_DURATION="1",
        FAKETIME_DONT_FAKE_MONOTONIC="1",
    )
    send_what_is_scheduled()
    wait_until(lambda: len(crew.players()) == 2, "both at play", pause=0.01)
    wait_until(Heartbeat.objects.filter(name="default").exists, "a heartbeat before the jump")
    clock.write_text(f"{jump}\n")
    if connection.vendor == "sqlite":
        starve_by_the_new_clock()

    def is_over() -> bool:
        send_what_is_scheduled()
        return not left(round_)

    wait_until(is_over, "the round", pause=2)
    assert not BotForfeit.objects.exists()
    assert [outcome_of(round_)] == quiet
    outcomes = set(Attempt.objects.values_list("outcome", flat=True))
    # On SQLite the clock is the worker's own: an hour's jump may end a lease before its time.
    own_clock = {"late", "lost"} if connection.vendor == "sqlite" else set()
    assert outcomes <= {"played"} | own_clock
    tell(f"the clock of a worker set by {jump} while it played", left(round_))


def send_what_is_scheduled() -> None:
    """Send what the scheduler sends, for the worker to do by its own clock.

    On SQLite the database's clock is that of the process that asks. To this process, whose clock
    is right, a lease that has run out by the worker's clock would last an hour more.
    """
    for job, arguments in ((Job.HEARTBEAT, ("default",)), (Job.SWEEP, ())):
        # That of `own_broker`, to which the drill's workers listen
        jobs.current_app.send_task(job.value, args=arguments)  # type: ignore[attr-defined]


def starve_by_the_new_clock() -> None:
    """Let a lease by the new clock run out, as on a machine so busy that it is not renewed."""
    half_an_hour = timedelta(minutes=30)
    near = (Now() - half_an_hour, Now() + half_an_hour)
    moved = Match.objects.filter(lease_until__isnull=False).exclude(lease_until__range=near)
    run_out = {"lease_until": F("lease_until") - LEASE}
    wait_until(lambda: moved.update(**run_out), "a lease by the new clock", pause=0.01)


@pytest.mark.parametrize("jump", ["-3h", "+3h"])
def test_a_clock_that_is_set_stops_no_scheduler_whether_it_runs_or_starts_again(
    jump: str, faketime: str, crew: Crew, tmp_path: Path, tell: Tell
) -> None:
    """Fault 37: all scheduled tasks are sent again at once."""
    queue = redis.Redis.from_url(crew.environment["REDIS_URL"])
    clock = tmp_path / "clock"
    clock.write_text("+0\n")
    faked = {
        "LD_PRELOAD": faketime,
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "BAZA_DRILL_FAKETIME": "1",
    }

    def all_are_queued() -> bool:
        lists = b"".join(b"".join(queue.lrange(name, 0, -1)) for name in QUEUES)  # type: ignore[arg-type]
        return all(str(entry["task"]).encode() in lists for entry in CELERY_BEAT_SCHEDULE.values())

    for way in ("runs", "starts again"):
        scheduler = a_scheduler(crew, faked)
        try:
            wait_until(all_are_queued, f"the schedule, before the clock is set: {way}")
            if way == "starts again":
                kill_group(scheduler)
            clock.write_text(f"{jump}\n")
            queue.flushall()
            if way == "starts again":
                scheduler = a_scheduler(crew, faked)
            wait_until(all_are_queued, f"the schedule, after the clock was set: {way}")
        finally:
            kill_group(scheduler)
            clock.write_text("+0\n")
            queue.flushall()
    tell(f"the clock of a scheduler set by {jump}, while it ran and before it started again", 0)


def a_scheduler(crew: Crew, faked: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start the scheduler as the service does, under another clock."""
    return subprocess.Popen(
        [word.replace("tournaments", "tests.drills.strange") for word in up.scheduler_command()],
        cwd=ROOT,
        env=crew.environment | faked,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )


SETTABLE = {"time.time", "datetime.now", "datetime.today", "datetime.utcnow", "timezone.now"}


def test_no_move_and_no_lease_goes_by_a_clock_that_can_be_set() -> None:
    """Fault 27: what times bots asks the monotonic clock alone, what leases matches the database.

    The programs themselves cannot be run under a library that lies about the time: it breaks the
    sleep of the process that waits for them.
    """
    services = (
        *("results/services/leases", "results/services/turns"),
        *("arena/services/playing", "arena/services/table"),
    )
    files = [*(ROOT / "engine/bots").glob("*.py")]
    files += [ROOT / f"tournaments/{name}.py" for name in services]
    paths = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node).endswith(tuple(SETTABLE))
    ]
    assert len(files) > 20
    assert paths == []
