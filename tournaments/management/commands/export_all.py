"""`manage.py export_all`: writes all data of the installation, to move it to another one."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tournaments.management.base import ServiceCommand
from tournaments.operations.services.archives import BackupError
from tournaments.operations.services.everything import export_all


class Command(ServiceCommand):
    """Write lines of JSON, without passwords, tokens and secrets; exit 1 when there is no file."""

    help = __doc__ or ""
    failures = (BackupError,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file to write."""
        parser.add_argument("path", metavar="FILE", type=Path)

    def handle(self, *, path: Path, **_options: Any) -> None:
        """Write the file, and print its size."""
        report = export_all(path)
        self.stdout.write(f"{path}: {report.rows} rows, {path.stat().st_size} bytes")
