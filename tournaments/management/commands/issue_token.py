"""`manage.py issue_token`: issues a token for a program, for one user in one club.

The token is printed once; only a digest of its secret is stored.
"""

from argparse import ArgumentParser
from typing import Any

from tournaments.accounts.services.invitations import USUAL_TOKEN_DAYS, issue_token
from tournaments.core.find import find_club
from tournaments.core.permissions import Actor
from tournaments.management.base import ServiceCommand, find_user
from tournaments.models import ApiToken


class Command(ServiceCommand):
    """Print a new token."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the user, the club, and the token's scopes."""
        parser.add_argument("club", help="the club's short name")
        parser.add_argument("user", help="the user's name; a token never does more than its user")
        parser.add_argument("--name", required=True, help="what the history calls it")
        parser.add_argument(
            "--scope",
            action="append",
            choices=ApiToken.Scope.values,
            help="may be given several times; games:submit and games:read by default",
        )

        parser.add_argument(
            "--days", type=int, default=USUAL_TOKEN_DAYS, help="how long it is good"
        )

    def handle(
        self, *, club: str, user: str, name: str, scope: list[str] | None, days: int, **_: Any
    ) -> None:
        """Issue the token, or print the refusal."""
        system = Actor.system()
        owner = find_user(user)
        scopes = scope or [ApiToken.Scope.SUBMIT, ApiToken.Scope.READ]
        _row, text = issue_token(
            system, find_club(club), owner, name=name, scopes=scopes, days=days
        )
        self.stdout.write(text)
