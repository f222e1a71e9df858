"""`manage.py import_all`: fills an empty installation from the export of another one."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.operations.services.archives import BackupError
from tournaments.operations.services.everything import import_all


class Command(BaseCommand):
    """Bring all of it in or nothing; exit 1 with the first line that does not fit."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file."""
        parser.add_argument("path", metavar="FILE", type=Path)

    def handle(self, *, path: Path, **_options: Any) -> None:
        """Import the file, and print the remaining steps."""
        try:
            taken = import_all(path)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{taken.rows} rows; the histories hold, the standings are equal byte for byte"
        )
        for note in taken.notes:
            self.stderr.write(note)
