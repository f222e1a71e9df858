"""Signs of life: asked for through every queue, left as rows by whoever serves it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models.functions import Now
from django.utils import timezone
from kombu.exceptions import OperationalError

from tests.clubs import a_bot_liguilla, the_round
from tournaments.core.jobs import Job
from tournaments.models import Mail, Pulse
from tournaments.models.pulses import QUEUES
from tournaments.operations import tasks as operations_tasks
from tournaments.operations.services import readiness


class Messenger:
    """A broker that takes down what is sent, or does not answer."""

    def __init__(self, is_there: bool = True) -> None:
        self.is_there = is_there
        self.sent: list[tuple[str, str]] = []

    def send_task(self, name: str, **options: Any) -> None:
        if not self.is_there:
            raise OperationalError
        assert name == Job.ANSWER
        assert options["expires"] > 0
        self.sent.append((options["queue"], *options["args"]))


@pytest.fixture
def messenger(monkeypatch: pytest.MonkeyPatch) -> Messenger:
    messenger = Messenger()
    monkeypatch.setattr(readiness, "current_app", messenger)
    return messenger


def test_every_queue_is_asked_through_itself(messenger: Messenger) -> None:
    operations_tasks.call()
    assert messenger.sent == [(queue, queue) for queue in QUEUES]


def test_where_nothing_is_analysed_nobody_is_asked_to_answer_for_it(
    messenger: Messenger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "ENVIRONMENT", replace(settings.ENVIRONMENT, analysis=False))
    operations_tasks.call()
    assert "analysis" not in dict(messenger.sent)


def test_without_a_broker_it_is_said_once(
    messenger: Messenger, caplog: pytest.LogCaptureFixture
) -> None:
    messenger.is_there = False
    operations_tasks.call()
    assert len(caplog.records) == 1


@pytest.mark.django_db
def test_an_answer_renews_the_row_of_its_queue_and_of_no_other() -> None:
    operations_tasks.answer("matches")
    first = Pulse.objects.get().at
    operations_tasks.answer("matches")
    operations_tasks.answer("nobody's")
    assert Pulse.objects.get().queue == "matches"
    assert Pulse.objects.get().at >= first


@pytest.mark.django_db
def test_nothing_waits_for_a_moment_that_a_clock_set_back_has_undone() -> None:
    """Fault 37: a lease, a wake-up and a mail of before the clock was set back by three hours."""
    undone = Now() + timedelta(hours=3)
    round_ = the_round(a_bot_liguilla(), 1)
    round_.matches.update(woken_at=undone, lease_until=undone + timedelta(seconds=30))
    user = User.objects.create(username="olga")
    Mail.objects.create(user=user, kind="password", next_at=timezone.now() + timedelta(hours=3))
    Pulse.objects.create(queue="default", at=undone)
    readiness.answer("matches")
    assert round_.matches.filter(lease_until__gt=Now() + timedelta(hours=2)).exists()
    readiness.answer("default")
    soon = Now() + timedelta(seconds=31)
    assert not round_.matches.exclude(woken_at__lt=soon, lease_until__lt=soon).exists()
    assert Mail.objects.filter(next_at__lt=soon).exists()
    assert Pulse.objects.filter(queue="default", at__lte=Now()).exists()
