"""Background work is asked for by name, after the commit; no broker, no harm."""

import pytest
from celery import Celery
from django.db import transaction

from tournaments.core import jobs
from tournaments.core.jobs import Job, post


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Celery application whose broker is not there: nobody listens on port 1.

    No socket's path would do: kombu keeps one pool for all brokers on sockets.
    """
    app = Celery("nowhere", set_as_current=False, broker="redis://127.0.0.1:1/0")
    monkeypatch.setattr(jobs, "current_app", app)


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_is_logged_and_breaks_nothing(
    no_broker: None, caplog: pytest.LogCaptureFixture
) -> None:
    with transaction.atomic():
        post(Job.PLAY_ROUND, 7)
        assert not caplog.records, "nothing is sent before the commit"
    assert "waits for the sweep" in caplog.text
    assert "tournaments.arena.tasks.play_round(7,)" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_change_undone_posts_nothing(no_broker: None, caplog: pytest.LogCaptureFixture) -> None:
    with transaction.atomic():
        post(Job.PLAY_ROUND, 7)
        transaction.set_rollback(True)
    assert not caplog.records


def test_every_job_is_a_task_that_workers_know() -> None:
    from tournaments.celery import app

    app.loader.import_default_modules()
    assert {job.value for job in Job} <= set(app.tasks)
