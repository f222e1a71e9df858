"""`manage.py export_tournament`: writes a whole tournament as one JSON document."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from tournaments.core.permissions import Actor
from tournaments.exchange.queries.exports import export_of
from tournaments.management.base import ServiceCommand


class Command(ServiceCommand):
    """Write everything that another server needs to go on with it."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the tournament, and a file to write to."""
        parser.add_argument("tournament", help="its short name")
        parser.add_argument("--output", metavar="FILE", type=Path, help="a file to write to")

    def handle(self, *, tournament: str, output: Path | None, **_options: Any) -> None:
        """Write the document, or print the refusal."""
        document = export_of(tournament, Actor.system())
        if output is None:
            self.stdout.write(document.decode(), ending="")
            return
        try:
            output.write_bytes(document)
        except OSError as error:
            raise CommandError(f"{output}: {error.strerror}") from error
