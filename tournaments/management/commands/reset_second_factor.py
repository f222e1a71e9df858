"""`manage.py reset_second_factor`: for a user without phone and recovery codes.

The user's sessions end. Make sure that the user is the one who asks.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.accounts.services.accounts import reset_second_factor
from tournaments.core.permissions import Actor
from tournaments.management.base import find_user


class Command(BaseCommand):
    """Take the second factor away."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the user."""
        parser.add_argument("user", help="the user's name")

    def handle(self, *, user: str, **_options: Any) -> None:
        """Remove the second factor."""
        reset_second_factor(Actor.system(), find_user(user))
        self.stdout.write(
            f"{user} signs in with the password alone; a new second factor can be set up."
        )
