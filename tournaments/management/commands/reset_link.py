"""`manage.py reset_link`: prints the link to set a new password for a forgotten one.

It is valid for a day, once, and until the user signs in. Give it to the user alone.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.management.base import find_user, password_link


class Command(BaseCommand):
    """Print the link."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the user."""
        parser.add_argument("user", help="the user's name")

    def handle(self, *, user: str, **_options: Any) -> None:
        """Print the link."""
        self.stdout.write(password_link(find_user(user)))
