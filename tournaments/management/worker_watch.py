"""Detects workers that are alive but no longer take messages, and kills them to restart them.

A worker can lose its broker without noticing, or hang; its process exists, and nothing is done.
Every half a minute each gets a heartbeat task through a queue of its own, executed by the same pool
as all other work. The task stores the time in the worker's row of heartbeats.
"""

import logging
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from kombu.exceptions import OperationalError

from tournaments.celery import app
from tournaments.core.jobs import Job
from tournaments.management.processes import Child
from tournaments.operations.services.readiness import heartbeats, plays_matches, worker_queue

logger = logging.getLogger(__name__)

SOCKET_TIMEOUT: Final = 5.0  # seconds to wait for the broker

TASKS: Final = 4
"""Heartbeat tasks that a worker must leave unanswered before it is killed."""

READS: Final = 24
"""Reads of the rows in that time: a heartbeat is noticed five seconds late at most."""


class WorkerWatch:
    """Watches the workers of one machine.

    A heartbeat counts from the moment when its row was seen to change, by the monotonic clock:
    setting the database's clock kills no worker.
    """

    def __init__(self, workers: Iterable[Child], kill: Callable[[Child], None]) -> None:
        """Watch from now on; ``kill`` ends a worker with all its processes."""
        self.workers = tuple(workers)
        self.kill = kill
        self.patience = settings.ENVIRONMENT.deaf_after
        self.sent_at = self.read_at = time.monotonic()
        self.alive_at = dict.fromkeys(self.workers, self.read_at)
        self.rows: dict[str, datetime] = {}

    def check(self) -> None:
        """Send the tasks and read the rows when it is time; kill workers silent for too long."""
        now = time.monotonic()
        if now - self.read_at < self.patience / READS:
            return
        self.read_at = now
        if now - self.sent_at >= self.patience / TASKS:
            self.sent_at = now
            for worker in self.workers:
                if not send_heartbeat(worker.name):
                    self.alive_at[worker] = now  # without a broker no worker can answer
        try:
            self._read(now)
        except DatabaseError as error:
            logger.warning("Heartbeats cannot be read: %s", error)
            self.alive_at = dict.fromkeys(self.workers, now)  # nor without a database
        finally:
            connection.close()

    def _read(self, now: float) -> None:
        before, self.rows = self.rows, {name: row.at for name, row in heartbeats().items()}
        for worker in self.workers:
            queue = worker_queue(worker.name)
            if worker.exit_code is not None or self.rows.get(queue) != before.get(queue):
                self.alive_at[worker] = now
            silent = now - max(self.alive_at[worker], worker.started_at)
            if silent <= self.patience:
                continue
            if plays_matches():
                self.alive_at[worker] = now - self.patience * 3 / 4  # checked again in a while
                continue
            logger.error(
                "%s takes no messages since %.0f s: it is killed and started again. Its log: %s",
                worker.name,
                silent,
                worker.log,
            )
            self.alive_at[worker] = now
            self.kill(worker)


def send_heartbeat(name: str) -> bool:
    """Send a worker a heartbeat task; return False when the broker does not accept it."""
    options = {**app.conf.broker_transport_options, "socket_timeout": SOCKET_TIMEOUT}
    queue = worker_queue(name)
    try:
        with app.connection_for_write(transport_options=options) as broker:
            app.send_task(
                Job.HEARTBEAT.value,
                args=(queue,),
                queue=queue,
                expires=settings.ENVIRONMENT.deaf_after,
                retry=False,
                connection=broker,
            )
    except (OperationalError, OSError):
        return False
    return True
