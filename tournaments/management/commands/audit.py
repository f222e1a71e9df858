"""`manage.py audit`: replays every accepted record, compares rows with text and history."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.exchange.queries.contradictions import check_tournament
from tournaments.exchange.queries.trails import check_club_rows
from tournaments.models import Club, Tournament
from tournaments.results.queries.records import count_replays, replays


class Command(BaseCommand):
    """Print each record whose rows no longer agree with its text; exit 1 if there is one."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the tournament; all by default."""
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--all", action="store_true", help="every tournament; so without it")
        which.add_argument("--tournament", metavar="SHORT-NAME", help="this one alone")

    def handle(self, *, tournament: str | None, **_options: Any) -> None:
        """Check the records, with progress."""
        if tournament is not None and not Tournament.objects.filter(slug=tournament).exists():
            raise CommandError(f"there is no tournament {tournament!r}")
        total, hands, wrong = count_replays(tournament), 0, 0
        for number, replay in enumerate(replays(tournament), 1):
            hands += replay.hands
            if replay.differences:
                wrong += 1
                differences = "; ".join(replay.differences)
                self.stdout.write(f"record {replay.record_pk} of {replay.match}: {differences}")
            if self.stdout.isatty():
                self.stdout.write(f"{number} of {total}", ending="\r")
                self.stdout.flush()
        unlike = self._compare(tournament)
        self.stdout.write(f"{total} records, {hands} hands replayed, {wrong} differ")
        if wrong or unlike:
            raise CommandError("what is stored is not what was played")

    def _compare(self, slug: str | None) -> int:
        """Compare the counted rows with the events that wrote them; return how many differ."""
        tournaments = Tournament.objects.order_by("pk")
        if slug is not None:
            tournaments = tournaments.filter(slug=slug)
        faults = [
            (row.slug, fault) for row in tournaments for fault in check_tournament(row).faults
        ]
        if slug is None:
            clubs = Club.objects.order_by("pk")
            faults += [(club.slug, fault) for club in clubs for fault in check_club_rows(club)]
        for name, fault in faults:
            self.stdout.write(f"{name}: {fault.words()}")
        return len(faults)
