"""`manage.py export_person`: prints all data about a person, as JSON.

Give the name of an account, or a club's short name and the code of one of its players.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.management.base import find_user
from tournaments.models import Player
from tournaments.profiles.queries.person import account_document, player_document


class Command(BaseCommand):
    """Print the document."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the account, or the club and the player."""
        parser.add_argument("--account", help="the name of an account")
        parser.add_argument("--club", help="the short name of a club")
        parser.add_argument("--player", help="the code of a player of the club")

    def handle(
        self, *, account: str | None, club: str | None, player: str | None, **_options: Any
    ) -> None:
        """Print the document, or the name that was not found."""
        if account is not None and club is None and player is None:
            document = account_document(find_user(account))
        elif account is None and club is not None and player is not None:
            document = player_document(player_of(club, player))
        else:
            raise CommandError("Give --account, or --club and --player.")
        self.stdout.write(document.decode(), ending="")


def player_of(club: str, code: str) -> Player:
    """Return a player of a club, or the main one; raises CommandError."""
    players = Player.objects.select_related("club", "same_as__club")
    player = players.filter(club__slug=club, code=code).first()
    if player is None:
        raise CommandError(f"There is no player {code!r} in {club!r}.")
    return player.main
