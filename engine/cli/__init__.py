"""The command ``baza``: what needs the game alone, no database and no Django (F5)."""

from engine.cli.failure import CommandError
from engine.cli.main import main
from engine.cli.sources import print_encoding, print_form

__all__ = ["CommandError", "main", "print_encoding", "print_form"]
