"""Detects workers that are alive but no longer take messages, and kills them to restart them.

A worker can lose its broker without noticing, or hang; its process exists, and nothing is done.
Every half a minute each gets a message through a queue of its own, executed by the same pool as all
other work.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, connection
from kombu.exceptions import OperationalError

from tournaments.celery import app
from tournaments.core.jobs import Job
from tournaments.operations.services import readiness

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.management.processes import Child

logger = logging.getLogger(__name__)

SOCKET_TIMEOUT = 5.0  # seconds to wait for the broker


class Canary:
    """Watches one worker; ``name`` is that of its queue and of its file."""

    def __init__(self, child: Child, kill: Callable[[Child], None]) -> None:
        """Watch from now on; ``kill`` ends a worker with all its processes."""
        self.child = child
        self.kill = kill
        self.patience = settings.ENVIRONMENT.deaf_after
        self.asked = time.monotonic()
        self.heard = self.asked

    def look(self) -> None:
        """Send a message when it is time, and kill the worker when it was silent for too long."""
        now = time.monotonic()
        if self.child.exit_code is not None:
            self.heard = now
            return
        if now - self.asked >= self.patience / 4:
            self.asked = now
            if not ask(self.child.name):
                self.heard = now  # without a broker no worker can answer
        self.heard = max(self.heard, self.child.started_at, readiness.last_song(self.child.name))
        if now - self.heard > self.patience:
            self._is_silent(now)

    def _is_silent(self, now: float) -> None:
        if is_at_play():
            self.heard = now - self.patience * 3 / 4  # checked again in a while
            return
        logger.error(
            "%s takes no messages since %.0f s: it is killed and started again. Its log: %s",
            self.child.name,
            now - self.heard,
            self.child.log,
        )
        self.heard = now
        self.kill(self.child)


def ask(name: str) -> bool:
    """Send a worker a message to answer; ``False`` when the broker does not accept it."""
    options = {**app.conf.broker_transport_options, "socket_timeout": SOCKET_TIMEOUT}
    try:
        with app.connection_for_write(transport_options=options) as line:
            app.send_task(
                Job.SING.value,
                args=(name,),
                queue=readiness.queue_of(name),
                expires=settings.ENVIRONMENT.deaf_after,
                retry=False,
                connection=line,
            )
    except (OperationalError, OSError):
        return False
    return True


def is_at_play() -> bool:
    """Return whether a worker of this machine plays; True also without a database."""
    try:
        return readiness.plays_matches()
    except DatabaseError as error:
        logger.warning("nobody knows who plays: %s", error)
        return True
    finally:
        connection.close()
