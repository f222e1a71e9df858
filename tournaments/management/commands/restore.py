"""`manage.py restore`: restores a backup into an empty database, and compares the two."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tournaments.management.base import ServiceCommand
from tournaments.operations.services.archives import BackupError, on_direct_database
from tournaments.operations.services.backups import restore


class Command(ServiceCommand):
    """Restore all of it or nothing; exit 1 with the first thing that is not as it was."""

    help = __doc__ or ""
    failures = (BackupError,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, and whether to check, replace or restore keys."""
        parser.add_argument("path", metavar="FILE", type=Path)
        parser.add_argument(
            "--check-only",
            action="store_true",
            help="change nothing: read it through, and try it beside where that can be done",
        )
        parser.add_argument(
            "--replace",
            metavar="DATABASE",
            default="",
            help="the name of the database, which is not empty and may be lost",
        )
        parser.add_argument(
            "--with-keys", action="store_true", help="keep the keys of the backup in BAZA_VAR"
        )

    def handle(
        self, *, path: Path, check_only: bool, replace: str, with_keys: bool, **_options: Any
    ) -> None:
        """Restore, and print the amount, age and speed."""
        with on_direct_database():
            report = restore(
                path,
                replace=replace,
                keys=with_keys,
                check_only=check_only,
                progress=self.progress,
            )
        label = "would be restored" if check_only else "restored"
        self.stdout.write(
            f"{label}: {report.clubs} clubs with {report.events} events,"
            f" {report.tournaments} tournaments, {report.rows} rows;"
            f" {report.migrated} migrations since"
        )
        if not check_only:
            self.stdout.write("compared: it is equal to all that the backup states")
        age = _format_duration(report.age.total_seconds())
        self.stdout.write(f"recovery time {report.seconds:.1f} s; the backup is {age} old")
        for note in report.notes:
            self.stderr.write(note)


def _format_duration(seconds: float) -> str:
    """Return a duration as text, in a suitable unit."""
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} seconds"
