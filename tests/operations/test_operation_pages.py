"""What machines ask: whether the service lives and is ready, and its figures."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

import pytest
import redis
from django.conf import settings
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from tests.clubs import a_bot_liguilla, submitted, the_liguilla, the_round
from tests.support.bot_tables import a_bot_match
from tournaments.core import metrics
from tournaments.environment import ROOT
from tournaments.models import Analysis, Heartbeat
from tournaments.models.heartbeats import QUEUES
from tournaments.operations.services import readiness
from tournaments.operations.services.backups import STAMP, is_due
from tournaments.operations.views import MULTIPROC_VARIABLE
from tournaments.results.services.leases import claim_match

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_readiness() -> Iterator[None]:
    readiness.clear_cached_checks()
    yield
    readiness.clear_cached_checks()


@pytest.fixture
def live_queues() -> None:
    """Every queue was heard of just now."""
    for queue in QUEUES:
        readiness.store_heartbeat(queue)


def missing(client: Client) -> list[str]:
    readiness.clear_cached_checks()
    response = client.get("/readyz")
    texts: list[str] = response.json()["missing"]
    assert response.status_code == (503 if texts else 200)
    assert response["Cache-Control"] == "no-store"
    return texts


@contextmanager
def at_most_queries(most: int) -> Iterator[None]:
    """Assert that at most this number of queries is made."""
    with CaptureQueriesContext(connection) as queries:
        yield
    assert len(queries) <= most


def test_a_process_that_answers_is_healthy_and_asks_for_no_row(client: Client) -> None:
    with at_most_queries(0):
        response = client.get("/healthz", headers={"Host": "whatever.example"})
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert not response.cookies
    assert client.post("/healthz").status_code == 405


@pytest.mark.usefixtures("live_queues")
def test_it_is_ready_when_all_its_parts_are_there(client: Client) -> None:
    assert missing(client) == []


def test_before_the_first_sign_of_life_it_names_who_is_missing(client: Client) -> None:
    assert missing(client) == [*(f"worker {queue}" for queue in QUEUES), "scheduler"]


@pytest.mark.usefixtures("live_queues")
def test_a_queue_that_nobody_serves_is_named(client: Client) -> None:
    long_ago = Now() - timedelta(seconds=settings.ENVIRONMENT.deaf_after + 60)
    Heartbeat.objects.filter(name="webhooks").update(at=long_ago)
    assert missing(client) == ["worker webhooks"]


@pytest.mark.usefixtures("live_queues")
def test_a_worker_at_play_may_be_silent(client: Client) -> None:
    Heartbeat.objects.filter(name="matches").delete()
    assert missing(client) == ["worker matches"]
    assert claim_match(a_bot_match().pk) is not None
    assert missing(client) == []


@pytest.mark.usefixtures("live_queues")
def test_a_worker_that_analyses_may_be_silent(client: Client) -> None:
    Heartbeat.objects.filter(name="analysis").delete()
    assert missing(client) == ["worker analysis"]
    record = submitted(the_liguilla(), 0).record
    Analysis.objects.filter(record=record).update(lease_until=Now() + timedelta(minutes=1))
    assert missing(client) == []


def migrated(ago: timedelta) -> None:
    """Have all migrations been applied so long ago."""
    MigrationRecorder(connection).migration_qs.update(applied=timezone.now() - ago)


@pytest.mark.usefixtures("live_queues")
def test_migrations_a_broker_and_a_backup_that_are_missing_are_named(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    leaves = frozenset({("tournaments", "9999_of_tomorrow")})
    monkeypatch.setattr(readiness, "_leaves", lambda: leaves)

    def away(*_: object, **__: object) -> None:
        raise redis.ConnectionError

    monkeypatch.setattr(redis.Redis, "from_url", away)
    monkeypatch.setattr(readiness, "MIN_FREE", 2**80)
    with override_settings(BACKUPS=tmp_path):
        assert missing(client) == ["migrations", "redis", "disk"]
        migrated(timedelta(days=2))
        assert missing(client) == ["migrations", "backup", "redis", "disk"]
        (tmp_path / timezone.now().astimezone(UTC).strftime(STAMP)).touch()
        assert "backup" not in missing(client)


@pytest.mark.usefixtures("live_queues")
def test_a_sign_of_life_from_the_future_does_not_pass_for_a_recent_one(client: Client) -> None:
    """Fault 37: it was left before the clock was set back by three hours."""
    Heartbeat.objects.update(at=Now() + timedelta(hours=3))
    assert missing(client) == [*(f"worker {queue}" for queue in QUEUES), "scheduler"]
    assert figures_of(client)['baza_pulse_age_seconds{queue="default"}'] > 3 * 3600 - 60
    for queue in QUEUES:
        readiness.store_heartbeat(queue)
    assert missing(client) == []


@pytest.mark.usefixtures("live_queues")
def test_a_backup_from_the_future_does_not_pass_for_a_recent_one(
    client: Client, tmp_path: Path
) -> None:
    """Fault 37: it was made before the clock was set back."""
    migrated(timedelta(days=2))
    future = timezone.now().astimezone(UTC) + timedelta(days=400)
    (tmp_path / future.strftime(STAMP)).touch()
    with override_settings(BACKUPS=tmp_path):
        assert missing(client) == ["backup"]
        assert is_due(timezone.now())


def test_without_its_database_it_says_so_and_no_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise OperationalError

    monkeypatch.setattr(readiness, "_migrations", away)
    assert missing(client) == ["database"]


@pytest.mark.usefixtures("live_queues")
def test_it_is_looked_into_once_in_two_seconds_however_often_one_asks(client: Client) -> None:
    client.get("/readyz")
    with at_most_queries(0):
        client.get("/readyz")


@pytest.mark.usefixtures("live_queues")
def test_what_was_seen_is_shown_to_this_machine_alone(client: Client) -> None:
    assert "checks" in client.get("/readyz").json()
    assert "checks" not in client.get("/readyz", REMOTE_ADDR="203.0.113.9").json()
    passed_on = client.get("/readyz", headers={"X-Forwarded-For": "203.0.113.9"})
    assert "checks" not in passed_on.json()


def test_figures_are_for_this_machine_or_a_token(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 404
    far = {"REMOTE_ADDR": "203.0.113.9"}
    empty = {"Authorization": "Bearer "}
    assert client.get("/metrics", headers=empty, **far).status_code == 404  # type: ignore[arg-type]
    token = "t" * 30
    monkeypatch.setattr(settings, "ENVIRONMENT", replace(settings.ENVIRONMENT, metrics_token=token))
    headers = {"Authorization": f"Bearer {token}"}
    assert client.get("/metrics", headers=headers, **far).status_code == 200  # type: ignore[arg-type]
    other = {"Authorization": f"Bearer {token}x"}
    assert client.get("/metrics", headers=other, **far).status_code == 404  # type: ignore[arg-type]


def figures_of(client: Client) -> dict[str, float]:
    """Return the figures by name and labels."""
    lines = client.get("/metrics").content.decode().splitlines()
    rows = (line.rpartition(" ") for line in lines if line and line[0] != "#")
    return {name: float(value) for name, _, value in rows}


@pytest.mark.usefixtures("live_queues")
def test_figures_tell_of_rows_and_of_requests(client: Client) -> None:
    round_ = the_round(a_bot_liguilla(), 1)
    round_.play_requested_at = timezone.now()
    round_.save()
    before = figures_of(client)
    assert before['baza_matches{state="waiting"}'] == round_.matches.of_bots().count() > 0
    assert before['baza_up{part="database"}'] == before['baza_up{part="redis"}'] == 1
    assert before['baza_pulse_age_seconds{queue="default"}'] >= 0
    client.get("/rules/")
    client.get("/invitations/nobody-may-know/")
    after = figures_of(client)
    page = 'baza_requests_total{method="GET",route="rules",status="200"}'
    assert after[page] == before.get(page, 0) + 1
    assert not any("nobody" in name for name in after)


COUNT = """
from tournaments.core.metrics import REQUESTS
REQUESTS.labels("rules", "GET", "200").inc(3)
"""


def test_workers_that_share_a_folder_tell_the_sum_of_what_they_count(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(MULTIPROC_VARIABLE, str(tmp_path))
    for _ in range(2):
        subprocess.run([sys.executable, "-c", COUNT], cwd=ROOT, check=True)
    assert figures_of(client)['baza_requests_total{method="GET",route="rules",status="200"}'] == 6


STREAM = """
from tournaments.core.metrics import STREAMS
STREAMS.inc()
print(flush=True)
input()
"""


def test_streams_of_a_killed_web_worker_are_counted_no_longer(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(MULTIPROC_VARIABLE, str(tmp_path))
    pipe = subprocess.PIPE
    workers = [
        subprocess.Popen([sys.executable, "-c", STREAM], cwd=ROOT, stdin=pipe, stdout=pipe)
        for _ in range(2)
    ]
    for worker in workers:
        assert worker.stdout is not None
        worker.stdout.readline()
    assert figures_of(client)["baza_streams"] == 2
    for worker, still_open in zip(workers, (1, 0), strict=True):
        worker.kill()
        worker.communicate()
        assert figures_of(client).get("baza_streams", 0) == still_open


def test_figures_cost_a_bounded_number_of_queries(client: Client) -> None:
    with at_most_queries(14):
        client.get("/metrics")


def test_where_the_database_is_away_the_figures_say_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tournaments.operations import views as operations_views

    def away() -> None:
        raise OperationalError

    monkeypatch.setattr(operations_views, "database_gauges", away)
    assert figures_of(client)['baza_up{part="database"}'] == 0


def test_every_figure_is_explained(client: Client) -> None:
    readiness.store_heartbeat("default")
    text = client.get("/metrics").content.decode()
    names = set(re.findall(r"^# HELP (baza_\w+)", text, flags=re.MULTILINE))
    assert len(names) > 12
    page = (ROOT / "docs" / "operators" / "running.md").read_text(encoding="utf-8")
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


def test_a_transaction_begun_again_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.core.test_patience_api import busy, failing
    from tournaments.core import db

    monkeypatch.setattr(db, "sleep", lambda _: None)
    count = metrics.RETRIED_TRANSACTIONS._value.get()
    assert db.retry_transaction(failing(2, busy(), lambda: "done")) == "done"
    assert metrics.RETRIED_TRANSACTIONS._value.get() == count + 2
