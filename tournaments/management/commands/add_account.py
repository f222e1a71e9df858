"""`manage.py add_account`: creates an account and prints the link to set its password.

Roles are given by invitation, and clubs are founded by the service's staff: the first account of an
empty installation is one of `manage.py createsuperuser`. This is for people without an invitation.
"""

from argparse import ArgumentParser
from typing import Any

from tournaments.accounts.services.accounts import create_account
from tournaments.management.base import ServiceCommand, password_link


class Command(ServiceCommand):
    """Print the link."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the user name."""
        parser.add_argument("user", help="the user's name")

    def handle(self, *, user: str, **_options: Any) -> None:
        """Create the account, or print the refusal."""
        self.stdout.write(password_link(create_account(user, None)))
