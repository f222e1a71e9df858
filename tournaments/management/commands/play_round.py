"""`manage.py play_round TOURNAMENT ROUND`: hand a bot round to Celery and watch it being played."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.errors import Refusal
from tournaments.permissions import Actor
from tournaments.queries.find import find_round
from tournaments.queries.rounds import round_page
from tournaments.services import bots

PULSE = 0.3  # seconds between two looks at the round


class Command(BaseCommand):
    """Ask for the matches of bots in one round; asking twice changes nothing."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the round, and how long to watch."""
        parser.add_argument("tournament", help="its short name, as in its address")
        parser.add_argument("round", type=int)
        parser.add_argument(
            "--wait", type=float, default=120.0, metavar="SECONDS", help="0 only asks"
        )

    def handle(self, *, tournament: str, round: int, wait: float, **_options: Any) -> None:  # noqa: A002
        """Ask, then print the progress until all is played or the time is over."""
        system = Actor.system()
        try:
            bots.play_round(system, find_round(tournament, round, system))
        except Refusal as refusal:
            raise CommandError(f"{refusal.code}: {refusal.message}") from refusal
        deadline = time.monotonic() + wait
        while True:
            progress = round_page(tournament, round, system).progress
            if progress is None:
                raise CommandError("no match of this round is between bots")
            self.stdout.write(f"played {progress.played} of {progress.total}", ending="\r")
            self.stdout.flush()
            if progress.finished or time.monotonic() >= deadline:
                break
            time.sleep(PULSE)
        self.stdout.write("")
        if wait and not progress.finished:
            raise CommandError(f"{progress.waiting} matches still wait: is a worker running?")
