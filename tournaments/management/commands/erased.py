"""`manage.py erased`: prints the list of erasures, and repeats them after a restore.

Without an option it prints the list: numbers and keys, no names. Keep it apart from the backups,
newer than them. `--again FILE` erases everyone on the list who is present again; do it before
anybody uses what was restored.
"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.profiles.services.erasing import erasure_list, read_list, repeat_erasures


class Command(BaseCommand):
    """Print the list, or carry it out."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the list to carry out."""
        parser.add_argument("--again", type=Path, help="a list, as this command prints it")

    def handle(self, *, again: Path | None, **_options: Any) -> None:
        """Print or carry out the list, or print its first error."""
        if again is None:
            self.stdout.write(
                "".join(json.dumps(line) + "\n" for line in erasure_list()), ending=""
            )
            return
        try:
            lines = read_list(again)
        except (OSError, ValueError) as error:
            raise CommandError(f"{again} is no list of the erased: {error}") from error
        self.stdout.write(f"{repeat_erasures(lines)} erased again, of {len(lines)} on the list.")
