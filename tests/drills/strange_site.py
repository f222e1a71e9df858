"""A web server that is not quite the service's: `granian … tests.drills.strange_site:application`.

It dies, like one that is killed, as soon as it is about to judge a record.
"""

import os
import signal
from typing import Any

from tournaments.asgi import application
from tournaments.results.services import submit

__all__ = ["application"]


def die(*_: Any) -> None:
    """Kill this process: its idempotency key is locked, its transaction open."""
    os.kill(os.getpid(), signal.SIGKILL)


vars(submit)["judge"] = die
