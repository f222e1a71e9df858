"""The command ``baza``: the card game's commands, and those that read a tournament from a file.

No database and no Django: modules with the tournament's rules are imported when a command needs
them.
"""

from tournaments.cli.main import main

__all__ = ["main"]
