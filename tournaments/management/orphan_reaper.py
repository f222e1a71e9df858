"""Kills the process groups that the supervisor leaves behind when it is killed itself.

Run as a program of its own, standard library only. The supervisor writes `+PID` for a process group
that was started and `-PID` for one that has ended. When its end of the pipe closes, for any reason,
every group still listed gets SIGTERM, and SIGKILL after the number of seconds in the argument.
"""

import os
import signal
import sys
import time


def main() -> None:
    """Read until the supervisor has ended, then kill what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    grace = float(sys.argv[1])
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line.startswith("+"):
            groups.add(group)
        else:
            groups.discard(group)
    end_groups(groups, grace)


def end_groups(groups: set[int], grace: float) -> None:
    """End these process groups: with SIGTERM, and after `grace` seconds with SIGKILL."""
    deadline = time.monotonic() + grace
    groups = {group for group in groups if send_signal(group, signal.SIGTERM)}
    while groups and time.monotonic() < deadline:
        time.sleep(0.05)
        groups = {group for group in groups if send_signal(group, 0)}
    for group in groups:
        send_signal(group, signal.SIGKILL)


def send_signal(group: int, number: int) -> bool:
    """Send a signal to a group; False when it has no process left."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main()
