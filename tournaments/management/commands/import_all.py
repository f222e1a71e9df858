"""`manage.py import_all`: fills an empty installation from the export of another one."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tournaments.management.base import ServiceCommand
from tournaments.operations.services.archives import BackupError
from tournaments.operations.services.everything import import_all


class Command(ServiceCommand):
    """Bring all of it in or nothing; exit 1 with the first line that does not fit."""

    help = __doc__ or ""
    failures = (BackupError,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file."""
        parser.add_argument("path", metavar="FILE", type=Path)

    def handle(self, *, path: Path, **_options: Any) -> None:
        """Import the file, and print the remaining steps."""
        report = import_all(path)
        self.stdout.write(
            f"{report.rows} rows; the histories hold, the standings are equal byte for byte"
        )
        for note in report.notes:
            self.stderr.write(note)
