"""The Celery application, for `celery -A tournaments`; set up by the `CELERY_…` settings."""

import gc
import os
from typing import Any

from celery import Celery, Task
from celery.signals import worker_process_init

from tournaments.core.db_retry import again
from tournaments.core.logs import begin_task

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")


class PatientTask(Task[..., Any]):
    """A task that retries a transaction that the database undid (`core.db_retry`)."""

    abstract = True

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the task; after the last failed attempt the sweep will find the row again."""
        if not self.request.called_directly:
            given = self.request.headers or {}
            begin_task(self.name, str(given.get("request_id") or ""))
        return again(lambda: self.run(*arguments, **named))


@worker_process_init.connect
def settle(**_: Any) -> None:
    """Exclude the objects present at the start of a worker process from garbage collection."""
    gc.collect()
    gc.freeze()


app = Celery("tournaments", task_cls=PatientTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        "tournaments.people",
        "tournaments.ratings",
        "tournaments.analysis",
        "tournaments.results",
        "tournaments.exchange",
        "tournaments.arena",
        "tournaments.accounts",
        "tournaments.profiles",
        "tournaments.webhooks",
        "tournaments.operations",
    ]
)
