"""Webhooks sent by a real worker, killed while an address keeps it waiting (fault 32)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.arena.test_bot_round_tasks import wait_until
from tests.clubs import SYSTEM, a_bot_liguilla, the_round
from tests.endpoints import Endpoint, answers, serving
from tests.servers import kill_group
from tests.support.webhook_scenes import let_time_pass
from tournaments.arena.services import dispatch
from tournaments.core.jobs import Job
from tournaments.environment import ROOT
from tournaments.management.commands.up import courier_command
from tournaments.models import Delivery, Match, Webhook
from tournaments.webhooks.services import deliveries
from tournaments.webhooks.services.webhooks import add_webhook, ping

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def start_courier(
    child_environment: dict[str, str], tmp_path: Path
) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Give a function that starts the worker of `./baza up` that sends webhooks."""
    couriers: list[subprocess.Popen[bytes]] = []
    environment = {**child_environment, "BAZA_WEBHOOKS_TO_PRIVATE": "1"}

    def start() -> subprocess.Popen[bytes]:
        command = courier_command(f"courier-{os.getpid()}-{len(couriers)}@localhost")
        assert command[0] == sys.executable
        with (tmp_path / f"courier-{len(couriers)}.log").open("wb") as log:
            courier = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
        couriers.append(courier)
        return courier

    yield start
    for courier in couriers:
        kill_group(courier)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving(None) as endpoints:
        yield endpoints


def test_a_killed_courier_loses_no_message_and_holds_up_no_round(
    endpoint: Endpoint,
    start_courier: Callable[[], subprocess.Popen[bytes]],
    start_worker: Callable[[], subprocess.Popen[bytes]],
) -> None:
    """The address takes the message and says nothing; the round of bots is played meanwhile."""
    league = a_bot_liguilla()
    hangs, released = threading.Event(), threading.Event()

    def hang(_: object) -> None:
        hangs.set()
        released.wait(60)

    endpoint.answer = hang
    webhook = add_webhook(SYSTEM, league.club, url="https://club.example/")
    Webhook.objects.update(url=f"http://127.0.0.1:{endpoint.port}/")
    ping(SYSTEM, webhook)
    courier = start_courier()
    assert hangs.wait(60)
    start_worker()
    dispatch.play_round(SYSTEM, the_round(league, 1))
    matches = Match.objects.filter(round__stage__tournament=league, round__number=1)
    wait_until(lambda: not matches.exclude(state=Match.State.ACCEPTED).exists(), "the round")
    os.killpg(courier.pid, signal.SIGKILL)
    courier.wait()
    delivery = Delivery.objects.get(kind="ping")
    assert (delivery.state, delivery.attempts) == ("waiting", 1)
    endpoint.answer = answers(204)
    released.set()
    start_courier()
    let_time_pass(minutes=2)  # the lease of the dead runs out

    def swept() -> bool:
        deliveries.wake_due()
        return not Delivery.objects.exclude(state="arrived").exists()

    wait_until(swept, "what was due")
    webhook_ids = [received.headers["webhook-id"] for received in endpoint.received]
    assert webhook_ids.count(delivery.message) == 2
    others = Delivery.objects.filter(kind="event")
    assert others.filter(type="result.accepted").count() == matches.count()
    assert set(webhook_ids) == {delivery.message, *others.values_list("message", flat=True)}


def test_a_message_to_the_queue_is_what_the_courier_listens_to() -> None:
    from tournaments.celery import app

    for job in (Job.SEND_WEBHOOKS, Job.SWEEP_WEBHOOKS):
        assert app.amqp.router.route({}, job.value)["queue"].name == "webhooks"
    assert "webhooks" in " ".join(courier_command("courier"))
