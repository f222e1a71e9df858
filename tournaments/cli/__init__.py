"""The command ``baza``: the card game's commands, and those that read a tournament from a file.

No database and no Django: what needs the tournament's rules is imported when it is asked for.
"""

from tournaments.cli.main import main

__all__ = ["main"]
