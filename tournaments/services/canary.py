"""Whether a worker of this machine still listens: it sings when asked, and leaves the time.

A task that was asked for through a worker's own queue writes when that was. A worker that is silent
although the broker is there is deaf; unless it plays matches, whose leases say that it lives.
"""

import hashlib
import platform
import tempfile
import time
from pathlib import Path

from django.conf import settings

from tournaments.models import Match
from tournaments.services.attempts import host_name


def queue_of(name: str) -> str:
    """Return the queue of one worker of this machine and folder, which nobody else listens to."""
    mark = hashlib.sha256(f"{platform.node()} {settings.VAR}".encode()).hexdigest()[:12]
    return f"canary-{name}-{mark}"


def sing(name: str) -> None:
    """Leave the time, on the clock that all processes of this machine share and nobody sets."""
    path = _path(name)
    path.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as draft:
        draft.write(str(time.monotonic()))
    Path(draft.name).replace(path)


def last_song(name: str) -> float:
    """Return when it sang last, in seconds of the monotonic clock; 0 when it never did."""
    try:
        return float(_path(name).read_text())
    except (FileNotFoundError, ValueError):
        return 0.0


def plays_matches() -> bool:
    """Tell whether a worker of this machine holds a match with a lease that lives."""
    mine = Match.objects.leased().filter(
        bot_attempts__worker__startswith=f"{host_name()}:", bot_attempts__outcome=""
    )
    return mine.exists()


def _path(name: str) -> Path:
    return Path(settings.VAR) / "canary" / name
