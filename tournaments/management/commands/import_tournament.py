"""`manage.py import_tournament`: imports a tournament of a club from its export."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from tournaments.core.find import find_club
from tournaments.core.permissions import Actor
from tournaments.exchange.services.imports import MAX_BYTES, import_tournament
from tournaments.management.base import ServiceCommand


class Command(ServiceCommand):
    """Make it again, all of it or nothing."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the club and the file."""
        parser.add_argument("club", help="the short name of the club that it becomes one of")
        parser.add_argument("file", help="the export, - for standard input")

    def handle(self, *, club: str, file: str, **_options: Any) -> None:
        """Import the tournament, or print the fault and its place."""
        system = Actor.system()
        try:
            source = _read(file)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        tournament = import_tournament(system, find_club(club), source)
        self.stdout.write(f"{tournament.slug}: {tournament.entries.count()} entries")


def _read(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(file).open("rb") as stream:
        return stream.read(MAX_BYTES + 1)
