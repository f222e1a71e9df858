"""`manage.py audit`: replay every accepted record again and compare it with what is stored."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.queries.replays import count_replays, replays


class Command(BaseCommand):
    """Print each record whose rows no longer agree with its text; exit 1 if there is one."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tournament, if not all of them."""
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--all", action="store_true", help="every tournament; so without it")
        which.add_argument("--tournament", metavar="SHORT-NAME", help="this one alone")

    def handle(self, *, tournament: str | None, **_options: Any) -> None:
        """Go through them with progress."""
        total, hands, wrong = count_replays(tournament), 0, 0
        for number, replay in enumerate(replays(tournament), 1):
            hands += replay.hands
            if replay.differences:
                wrong += 1
                told = "; ".join(replay.differences)
                self.stdout.write(f"record {replay.record_pk} of {replay.match}: {told}")
            if self.stdout.isatty():
                self.stdout.write(f"{number} of {total}", ending="\r")
                self.stdout.flush()
        self.stdout.write(f"{total} records, {hands} hands replayed, {wrong} differ")
        if wrong:
            raise CommandError("what is stored is not what was played")
