"""`manage.py bring_bot`: adds a bot to a club, or the next version of an existing bot.

A text runs in the sandbox as everybody's does; only here a command of the machine itself can be
named, and only with `--trusted` is it run without the sandbox.
"""

import shlex
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from django.db import transaction

from tournaments.core.errors import Refusal
from tournaments.core.find import find_club
from tournaments.core.names import validate_name
from tournaments.core.permissions import Actor
from tournaments.management.base import ServiceCommand
from tournaments.models import Bot, BotVersion
from tournaments.people.services.bots import register_bot, register_command, submit_version

LANGUAGES: Final = {".py": BotVersion.Language.PYTHON, ".pl": BotVersion.Language.PERL}


class Command(ServiceCommand):
    """The bot is named; a new name makes a new bot."""

    help = __doc__ or ""
    failures = (Refusal, OSError, ValueError)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the club, the name, and a file or a command."""
        parser.add_argument("club", help="the club's short name")
        parser.add_argument("name", help="the bot's name")
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--file", type=Path, help="its text, a .py or .pl file")
        source.add_argument("--command", dest="words", help="a command of this machine, quoted")
        parser.add_argument(
            "--ruleset",
            action="append",
            default=[],
            help="a ruleset that a new bot plays; else all",
        )
        parser.add_argument(
            "--trusted", action="store_true", help="run the command without the sandbox"
        )

    def handle(
        self, *, club: str, name: str, file: Path | None, words: str | None, **options: Any
    ) -> None:
        """Add the version; its check follows in the background."""
        with transaction.atomic():
            version = create_version(
                club, name, file, words, trusted=options["trusted"], rulesets=options["ruleset"]
            )
        self.stdout.write(f"{version.bot.slug}: version {version.number}, {version.state}")


def create_version(
    club_slug: str,
    name: str,
    file: Path | None,
    words: str | None,
    *,
    trusted: bool,
    rulesets: Sequence[str] = (),
) -> BotVersion:
    """Create the version and return it."""
    system = Actor.system()
    club, called = find_club(club_slug), validate_name(name)
    bot = Bot.objects.filter(club=club, name=called).first()
    if bot is None:
        kind = Bot.Kind.PROGRAM
        bot = register_bot(system, club, name=called, kind=kind, rulesets=rulesets)
    if file is None:
        return register_command(system, bot, shlex.split(words or ""), trusted=trusted)
    if trusted:
        raise ValueError("a text always runs in the sandbox")
    language = LANGUAGES.get(file.suffix, file.suffix)
    return submit_version(system, bot, language=language, source=file.read_bytes())
