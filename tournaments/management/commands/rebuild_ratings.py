"""`manage.py rebuild_ratings`: computes ratings again from the first match."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import Tournament
from tournaments.ratings.services import rebuild_ratings


class Command(BaseCommand):
    """Throw the ratings away and make them again; what comes out is what was there, or is right."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the ruleset; all by default."""
        parser.add_argument("--ruleset", metavar="NAME", help="this one alone")

    def handle(self, *, ruleset: str | None, **_options: Any) -> None:
        """Rebuild one ruleset after the other, each in one transaction."""
        rulesets = sorted(set(Tournament.objects.values_list("ruleset", flat=True)))
        if ruleset is not None and ruleset not in rulesets:
            raise CommandError(f"no tournament is played under {ruleset}")
        for name in rulesets if ruleset is None else [ruleset]:
            summary = rebuild_ratings(name)
            self.stdout.write(f"{name}: {summary.added} matches rated")
