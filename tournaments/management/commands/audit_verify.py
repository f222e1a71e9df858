"""`manage.py audit_verify`: verifies the history of every club, names the first wrong event."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.domain.trail.checking import document, format_report
from tournaments.domain.trail.checkpoints import Checkpoint
from tournaments.domain.trail.reading import TrailError, read_checkpoints
from tournaments.exchange.queries.contradictions import NOT_COMPARED, check_tournament
from tournaments.exchange.queries.trails import (
    check_club,
    check_club_rows,
    installation_key,
    missing_guards,
)
from tournaments.models import Club, Tournament


class Command(BaseCommand):
    """Print what was found; exit 1 when something is wrong."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the club, stored checkpoints, earlier keys, and the output format."""
        parser.add_argument("--club", metavar="SLUG", help="this club alone")
        parser.add_argument(
            "--checkpoints",
            metavar="FILE",
            type=Path,
            help="checkpoints that were kept as they were published",
        )
        parser.add_argument(
            "--key", metavar="PUBLICKEY", action="append", help="a key used before this one"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(
        self,
        *,
        club: str | None,
        checkpoints: Path | None,
        key: list[str] | None,
        json: bool,
        **_options: Any,
    ) -> None:
        """Verify club after club, with progress."""
        clubs = Club.objects.order_by("pk")
        if club is not None:
            clubs = clubs.filter(slug=club)
            if not clubs:
                raise CommandError(f"there is no club {club!r}")
        keys = {installation_key(), *(key or ())}
        stored = [] if checkpoints is None else _read_file(checkpoints)
        guards = missing_guards()
        answers = [self._check(club_row, keys, stored, as_json=json) for club_row in clubs]
        holds = not guards and all(answer["holds"] for answer in answers)
        if json:
            answer = {"holds": holds, "missing": list(guards), "clubs": answers}
            self.stdout.write(_text(answer | {"not_compared": list(NOT_COMPARED)}))
        else:
            self.stdout.write(f"not compared: {'; '.join(NOT_COMPARED)}")
        for guard in () if json else guards:
            self.stdout.write(f"the database lacks the trigger {guard}")
        if not holds:
            raise CommandError("the history is not as it was written")

    def _check(
        self, club: Club, keys: set[str], stored: list[Checkpoint], *, as_json: bool
    ) -> dict[str, Any]:
        shows = self.stderr.isatty()

        def advance(count: int, all_: int) -> None:
            if shows:
                self.stderr.write(f"{club.slug}: {count} of {all_}", ending="\r")

        report = check_club(club, keys, stored, advance)
        if not as_json:
            for line in format_report(report, club.name, club.checkpoints.count(), "en"):
                self.stdout.write(line)
        answer = {"club": club.slug} | document(report, "en")
        tournaments = Tournament.objects.filter(club=club).order_by("pk")
        checked = {row.slug: check_tournament(row) for row in tournaments}
        own_faults = check_club_rows(club)
        faults = [(slug, fault) for slug, row in checked.items() for fault in row.faults]
        to_sign = [slug for slug, row in checked.items() if row.is_to_sign]
        if not as_json:
            for fault in own_faults:
                self.stdout.write(f"{club.slug}: {fault.words()}")
            for slug, fault in faults:
                self.stdout.write(f"{slug}: {fault.words()}")
            for slug in to_sign:
                self.stdout.write(f"{slug}: changed since it was signed, to be signed again")
        answer["rows"] = [{"tournament": slug} | fault.document() for slug, fault in faults]
        answer["club_rows"] = [fault.document() for fault in own_faults]
        answer["to_sign"] = to_sign
        answer["holds"] = report.holds and not faults and not own_faults
        return answer


def _read_file(path: Path) -> list[Checkpoint]:
    try:
        return read_checkpoints(path.read_bytes())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except TrailError as error:
        raise CommandError(f"{path}: no checkpoints: {error}") from error


def _text(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False)
