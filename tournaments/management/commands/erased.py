"""`manage.py erased`: the list of who was erased, and erasing them again after a restore.

Without a word it prints the list: numbers and keys, no names. Keep it apart from the backups, newer
than them. `--again FILE` erases whoever of the list is back; do it before anybody uses what was
restored.
"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.profiles.services.erasing import listed, reapply


class Command(BaseCommand):
    """Print the list, or carry it out."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the list that is to be carried out."""
        parser.add_argument("--again", type=Path, help="a list, as this command prints it")

    def handle(self, *, again: Path | None, **_options: Any) -> None:
        """Do it, or say what is wrong with the list."""
        if again is None:
            self.stdout.write("".join(json.dumps(line) + "\n" for line in listed()), ending="")
            return
        try:
            lines = [json.loads(line) for line in again.read_text(encoding="ascii").splitlines()]
            count = reapply(lines)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{again} is no list of the erased: {error}") from error
        self.stdout.write(f"{count} erased again, of {len(lines)} on the list.")
