"""`manage.py reset_link`: the link by which somebody who forgot his password sets another.

It is good for a day, once, and until he signs in. Give it to nobody else.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.management.links import named, password_link


class Command(BaseCommand):
    """Print the link."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take whose it is."""
        parser.add_argument("user", help="the user's name")

    def handle(self, *, user: str, **_options: Any) -> None:
        """Print it."""
        self.stdout.write(password_link(named(user)))
