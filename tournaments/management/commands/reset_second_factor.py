"""`manage.py reset_second_factor`: for somebody who has lost his phone and his recovery codes.

His sessions end. Make sure that it is he who asks.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.accounts.services.accounts import reset_second_factor
from tournaments.core.permissions import Actor
from tournaments.management.links import named


class Command(BaseCommand):
    """Take the second factor away."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take whose it is."""
        parser.add_argument("user", help="the user's name")

    def handle(self, *, user: str, **_options: Any) -> None:
        """Take it away."""
        reset_second_factor(Actor.system(), named(user))
        self.stdout.write(f"{user} signs in with his password alone, and can set it up anew.")
