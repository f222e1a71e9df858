"""`manage.py backup`: writes a consistent backup of the database to one file, while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from tournaments.management.base import ServiceCommand
from tournaments.operations.services.archives import BackupError, backup_errors
from tournaments.operations.services.backups import keep_newest, make_backup


class Command(ServiceCommand):
    """Write it whole or not at all, and read it through; exit 1 when there is none."""

    help = __doc__ or ""
    failures = (BackupError,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the target, the number of backups to keep, and whether to include the keys."""
        parser.add_argument(
            "path", metavar="FILE|FOLDER", type=Path, help="in a folder it is named by its moment"
        )
        parser.add_argument(
            "--keep", metavar="N", type=int, help="of those in the folder keep the newest N"
        )
        parser.add_argument(
            "--with-keys",
            action="store_true",
            help="the secret key and the key of the history too: anyone with the file has them",
        )

    def handle(self, *, path: Path, keep: int | None, with_keys: bool, **_options: Any) -> None:
        """Write the backup, and print its size and age."""
        with backup_errors(path):
            is_folder = path.is_dir()
        if keep is not None and (keep < 1 or not is_folder):
            raise CommandError("--keep takes a number from 1, and a folder")
        backup = make_backup(path, keys=with_keys, progress=self.progress)
        self.stdout.write(f"{backup.path}: {backup.size} bytes, {backup.age.total_seconds():.1f} s")
        for note in backup.notes:
            self.stderr.write(note)
        if with_keys:
            self.stdout.write("the keys are in it: keep it as you keep them")
        for old_backup in keep_newest(path, keep, backup) if keep else ():
            self.stdout.write(f"removed {old_backup.name}")
