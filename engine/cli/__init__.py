"""The command ``baza``: what needs the game alone, no database and no Django (F5)."""

from engine.cli.failure import CommandError
from engine.cli.main import main

__all__ = ["CommandError", "main"]
