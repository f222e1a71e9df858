"""Set several club nights up in the database of the environment, and print where they are.

Run as a program, since it is about a database that is not the tests' own.
"""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
django.setup()

from django.core.management import call_command  # noqa: E402

from tests.clubs import SYSTEM, a_club, the_liguilla, user  # noqa: E402
from tournaments.accounts.services.invitations import issue_token  # noqa: E402
from tournaments.people.services.clubs import add_member  # noqa: E402


def main(nights: int) -> None:
    """Migrate, make `nights` clubs with a liguilla each, and print slug and token of each."""
    call_command("migrate", verbosity=0)
    slugs = []
    for number in range(nights):
        club = a_club(f"Casino {number}")
        add_member(SYSTEM, club, user("olga"), "organiser")
        tournament = the_liguilla(club)
        _row, token = issue_token(
            SYSTEM, club, user("olga"), name="desk", scopes=["games:submit", "games:read"]
        )
        slugs.append([tournament.slug, token])
    print(json.dumps(slugs))


if __name__ == "__main__":
    main(int(sys.argv[1]))
