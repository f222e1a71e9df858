"""Heartbeats: the scheduler sends a task through every queue, and a worker stores the time."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models.functions import Now
from django.utils import timezone

from tests.clubs import a_bot_liguilla, the_round
from tournaments.celery import app
from tournaments.core.jobs import Job
from tournaments.environment import ROOT
from tournaments.models import Heartbeat, Mail
from tournaments.models.heartbeats import QUEUES
from tournaments.operations.services import readiness
from tournaments.operations.tasks import store_heartbeat


def scheduled() -> list[dict[str, Any]]:
    """Return the entries of the schedule that send heartbeats."""
    entries: list[dict[str, Any]] = list(settings.CELERY_BEAT_SCHEDULE.values())
    return [entry for entry in entries if entry["task"] == Job.HEARTBEAT]


def test_the_scheduler_sends_a_heartbeat_through_every_queue() -> None:
    sent = [(entry["args"], entry["options"]["queue"]) for entry in scheduled()]
    assert sent == [((queue,), queue) for queue in QUEUES]
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
