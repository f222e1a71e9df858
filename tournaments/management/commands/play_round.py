"""`manage.py play_round TOURNAMENT ROUND`: posts a bot round to Celery and prints its progress."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from tournaments.arena.services import dispatch
from tournaments.core.find import find_round
from tournaments.core.permissions import Actor
from tournaments.director.queries.rounds import Progress, round_progress
from tournaments.management.base import ServiceCommand

INTERVAL = 0.3  # seconds between two checks of the round
WIDTH = 79  # of the line that is overwritten


class Command(ServiceCommand):
    """Ask for the matches of bots in one round; asking twice changes nothing."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the round, and how long to watch."""
        parser.add_argument("tournament", help="its short name, as in its address")
        parser.add_argument("round", type=int)
        parser.add_argument(
            "--wait", type=float, default=120.0, metavar="SECONDS", help="0 only asks"
        )

    def handle(self, *, tournament: str, round: int, wait: float, **_options: Any) -> None:  # noqa: A002
        """Post the round, then print its progress until all is played or the time is over."""
        system = Actor.system()
        dispatch.play_round(system, find_round(tournament, round, system))
        deadline = time.monotonic() + wait
        while True:
            _, progress = round_progress(tournament, round, system)
            self.stdout.write(f"{describe_progress(progress):<{WIDTH}}", ending="\r")
            self.stdout.flush()
            if progress.finished or time.monotonic() >= deadline:
                break
            time.sleep(INTERVAL)
        self.stdout.write("")
        if wait and not progress.finished:
            reason = "they are paused" if progress.is_paused else "is a worker running?"
            raise CommandError(f"{progress.waiting} matches still wait: {reason}")


def describe_progress(progress: Progress) -> str:
    """Return the progress of a round: matches, hands, hands a second, the estimated end."""
    parts = [f"played {progress.played} of {progress.total}"]
    if progress.running:
        parts.append(f"{progress.running} in play")
    if progress.stuck:
        parts.append(f"{progress.stuck} left to the arbiter")
    if progress.hands:
        parts.append(f"{progress.hands} hands")
    if progress.rate is not None:
        parts.append(f"{progress.rate:.1f} a second")
    if progress.estimated_end is not None:
        parts.append(f"end about {timezone.localtime(progress.estimated_end):%H:%M:%S}")
    if progress.is_paused:
        parts.append("paused")
    return ", ".join(parts)
