"""Heartbeats: the scheduler sends a task through every queue, and a worker stores the time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models.functions import Now
from django.utils import timezone

from tests.clubs import a_bot_liguilla, the_round
from tests.servers import kill_group
from tests.support.bot_tables import a_bot_match
from tournaments.celery import app
from tournaments.core.jobs import Job
from tournaments.environment import ROOT
from tournaments.management.commands.up import analyst_command
from tournaments.models import Heartbeat, Mail
from tournaments.models.heartbeats import QUEUES
from tournaments.operations.services import readiness
from tournaments.operations.tasks import store_heartbeat
from tournaments.results.services.leases import claim_match
from tournaments.results.services.turns import host_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client


def scheduled() -> list[dict[str, Any]]:
    """Return the entries of the schedule that send heartbeats."""
    entries: list[dict[str, Any]] = list(settings.CELERY_BEAT_SCHEDULE.values())
    return [entry for entry in entries if entry["task"] == Job.HEARTBEAT]


def test_the_scheduler_sends_a_heartbeat_through_every_queue() -> None:
    pairs = [(entry["args"], entry["options"]["queue"]) for entry in scheduled()]
    assert pairs == [((queue,), queue) for queue in QUEUES]
    assert {entry["schedule"] for entry in scheduled()} == {timedelta(seconds=30)}
    assert all(entry["options"]["expires"] for entry in scheduled())
    assert Job.HEARTBEAT.value in app.tasks


def test_where_nothing_is_analysed_no_heartbeat_is_sent_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BAZA_ANALYSIS", "off")
    names = "from tournaments.settings import CELERY_BEAT_SCHEDULE as s; print(*s, sep=chr(10))"
    printed = subprocess.run(
        [sys.executable, "-c", names], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert "heartbeat of webhooks" in printed
    assert "heartbeat of analysis" not in printed


@pytest.mark.django_db
def test_a_heartbeat_renews_the_row_of_its_queue_and_of_no_other() -> None:
    store_heartbeat("matches")
    first = Heartbeat.objects.get().at
    store_heartbeat("matches")
    assert Heartbeat.objects.get().name == "matches"
    assert Heartbeat.objects.get().at >= first


@pytest.mark.django_db
def test_the_heartbeat_of_a_single_worker_counts_for_no_queue() -> None:
    queue = readiness.worker_queue("worker")
    store_heartbeat(queue)
    assert list(readiness.heartbeats()) == [queue]
    assert readiness.queue_ages() == {}


@pytest.mark.django_db
def test_nothing_waits_for_a_moment_that_a_clock_set_back_has_undone() -> None:
    """Fault 37: a lease, a wake-up and a mail of before the clock was set back by three hours."""
    undone = Now() + timedelta(hours=3)
    round_ = the_round(a_bot_liguilla(), 1)
    round_.matches.update(woken_at=undone, lease_until=undone + timedelta(seconds=30))
    user = User.objects.create(username="olga")
    Mail.objects.create(user=user, kind="password", next_at=timezone.now() + timedelta(hours=3))
    Heartbeat.objects.create(name="default", at=undone)
    store_heartbeat("matches")
    assert round_.matches.filter(lease_until__gt=Now() + timedelta(hours=2)).exists()
    store_heartbeat("default")
    soon = Now() + timedelta(seconds=31)
    assert not round_.matches.exclude(woken_at__lt=soon, lease_until__lt=soon).exists()
    assert Mail.objects.filter(next_at__lt=soon).exists()
    assert Heartbeat.objects.filter(name="default", at__lte=Now()).exists()


@pytest.mark.django_db
def test_only_a_host_that_others_answer_for_is_deaf() -> None:
    for _ in range(200):
        readiness.store_heartbeat("matches", "one")
    assert readiness.unresponsive_hosts() == {"matches@one": False}, "it is alone"
    readiness.store_heartbeat("matches", "two")
    for count in range(1, 41):
        assert not any(readiness.unresponsive_hosts().values()), count
        readiness.store_heartbeat("matches", "one")
        readiness.store_heartbeat("default", "three")
    unresponsive_hosts = readiness.unresponsive_hosts()
    assert [name for name, is_deaf in unresponsive_hosts.items() if is_deaf] == ["matches@two"]
    assert readiness.queue_ages().keys() == {"matches", "default"}
    readiness.store_heartbeat("matches", "two")
    assert not any(readiness.unresponsive_hosts().values())


@pytest.mark.django_db
def test_a_host_that_plays_is_not_deaf() -> None:
    assert claim_match(a_bot_match().pk) is not None
    for host in (host_name(), "idle"):
        Heartbeat.objects.create(name=f"matches@{host}", at=Now(), missed=1000)
    unresponsive_hosts = readiness.unresponsive_hosts()
    assert unresponsive_hosts == {f"matches@{host_name()}": False, "matches@idle": True}


@pytest.mark.django_db
def test_a_host_that_was_silent_for_a_day_is_forgotten() -> None:
    """The row of the queue stays, so that its age is seen."""
    for name in ("default@old", "default@new", "matches@old", "webhooks"):
        Heartbeat.objects.create(name=name, at=Now() - timedelta(hours=25))
    readiness.store_heartbeat("default", "new")
    assert set(readiness.heartbeats()) == {"default", "default@new", "matches@old", "webhooks"}


@pytest.mark.django_db(transaction=True)
def test_of_two_real_hosts_the_frozen_one_is_named_and_one_that_is_stopped_is_not(
    start_worker: Callable[..., subprocess.Popen[bytes]], client: Client
) -> None:
    workers = {host: start_worker(host=host) for host in ("here", "there")}

    def send_until(is_reached: Callable[[], object]) -> None:
        for _ in range(400):
            if is_reached():
                return
            app.send_task(Job.HEARTBEAT.value, args=("default",), queue="default", expires=60)
            time.sleep(0.1)
        raise AssertionError(readiness.heartbeats())

    send_until(lambda: len(readiness.unresponsive_hosts()) == 2)
    os.killpg(workers["there"].pid, signal.SIGSTOP)
    send_until(lambda: readiness.unresponsive_hosts()["default@there"])
    readiness.clear_cached_checks()
    body = client.get("/readyz").json()
    assert body["deaf"] == ["host default@there"]
    assert not any("there" in name for name in body["missing"])
    assert b'baza_host_deaf{host="default@there"} 1.0' in client.get("/metrics").content
    os.killpg(workers["there"].pid, signal.SIGCONT)
    send_until(lambda: not readiness.unresponsive_hosts()["default@there"])
    workers["there"].terminate()
    assert workers["there"].wait(30) == 0
    assert "default@there" not in readiness.unresponsive_hosts()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_analyst_has_a_process_for_its_task_while_there_is_one(
    child_environment: dict[str, str],
) -> None:
    """Its code is compiled in that process, which takes 300 MiB."""
    analyst = subprocess.Popen(
        analyst_command("analyst@test"),
        cwd=ROOT,
        env=child_environment | {"AUTOSCALE_KEEPALIVE": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
    children = Path(f"/proc/{analyst.pid}/task/{analyst.pid}/children")

    def wait_for(is_reached: Callable[[], object]) -> None:
        deadline = time.monotonic() + 60
        while not is_reached():
            assert time.monotonic() < deadline, readiness.heartbeats()
            time.sleep(0.05)

    try:
        for _ in range(2):
            analysis = readiness.heartbeats().get("analysis")
            app.send_task(Job.HEARTBEAT.value, args=("analysis",), queue="analysis")
            wait_for(lambda before=analysis: readiness.heartbeats().get("analysis") != before)  # type: ignore[misc]
            wait_for(lambda: not children.read_text())
    finally:
        kill_group(analyst)
