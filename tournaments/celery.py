"""The Celery application, for `celery -A tournaments`; set up by the `CELERY_…` settings."""

import os
import sys
from typing import Any

from celery import Celery, Task
from celery.signals import beat_init, worker_init, worker_process_init, worker_shutdown
from django.core.exceptions import ImproperlyConfigured

from tournaments.core.db import refuse_damaged_database, retry_transaction
from tournaments.core.logs import begin_task
from tournaments.core.processor import limit_garbage_collection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")


class RetryingTask(Task[..., Any]):
    """A task that retries a transaction that the database undid (`core.db`)."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task; after the last failed attempt the sweep will find the row again."""
        if not self.request.called_directly:
            headers = self.request.headers or {}
            begin_task(self.name, str(headers.get("request_id") or ""))
        return retry_transaction(lambda: self.run(*args, **kwargs))


@worker_init.connect
@beat_init.connect
def check_database(**_: Any) -> None:
    """End a worker or the scheduler before it starts on a damaged SQLite file.

    Celery only logs an exception of a receiver.
    """
    try:
        refuse_damaged_database()
    except ImproperlyConfigured as error:
        sys.exit(f"celery: {error}")


@worker_init.connect
@worker_process_init.connect
def limit_worker_garbage_collection(**_: Any) -> None:
    """Exclude the objects present at the start of a worker process from garbage collection.

    In the parent too: what a child's collection does not touch, it shares with the parent.
    """
    limit_garbage_collection()


@worker_shutdown.connect
def leave_queues(sender: Any, **_: Any) -> None:
    """Delete the heartbeats of a worker that was stopped on purpose: its host is not deaf."""
    from tournaments.operations.services.readiness import forget_host  # needs Django's set-up

    forget_host(sender.app.amqp.queues.consume_from, sender.hostname.partition("@")[2])


app = Celery("tournaments", task_cls=RetryingTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        "tournaments.people",
        "tournaments.signup",
        "tournaments.ratings",
        "tournaments.analysis",
        "tournaments.results",
        "tournaments.exchange",
        "tournaments.arena",
        "tournaments.accounts",
        "tournaments.profiles",
        "tournaments.webhooks",
        "tournaments.push",
        "tournaments.operations",
    ]
)
