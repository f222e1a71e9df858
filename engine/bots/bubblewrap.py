"""Bubblewrap around the launcher, where it is installed and allowed: no network, few folders.

It hides what Landlock only closes (names, sizes, dates of files) and gives the bot an empty network
of its own. Nothing depends on it: what it does is done by the other parts too. Recent Ubuntu
forbids it to ordinary users, so whether it works is tried, once.
"""

import functools
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from engine.bots.commands import Command

_ISOLATION_OPTIONS: Final = (
    "--die-with-parent",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
)
"""Processes keep their numbers: the clock of a bot's CPU time is asked for by its number."""

_DEVICES: Final = ("/dev/null", "/dev/urandom")
_TRIAL_TIMEOUT: Final = 10  # seconds for the trial run


@functools.cache
def find_bubblewrap() -> str | None:
    """The path of a bubblewrap that works here; ``None`` without one."""
    program = shutil.which("bwrap")
    if program is None or sys.platform != "linux":
        return None
    trial = [program, *_ISOLATION_OPTIONS, "--ro-bind", "/", "/", "/bin/true"]
    try:
        result = subprocess.run(  # noqa: S603 - its own arguments alone
            trial, capture_output=True, check=False, timeout=_TRIAL_TIMEOUT
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return program if result.returncode == 0 else None


def wrap_command(program: str, command: Command, launcher: Path) -> list[str]:
    """The words to put before the launcher's own, for a world with nothing else in it."""
    python = Path(sys.executable)
    needed = {
        *command.readable,
        *command.executable,
        launcher,
        python,
        python.resolve(),
        python.parent.parent / "pyvenv.cfg",
        Path(sys.base_prefix) / "lib",
    }
    words = [program, *_ISOLATION_OPTIONS]
    for path in sorted(needed):
        if not str(path).startswith("/dev/"):
            words += ["--ro-bind-try", str(path), str(path)]
    for device in _DEVICES:
        words += ["--dev-bind", device, device]
    return [*words, "--"]
