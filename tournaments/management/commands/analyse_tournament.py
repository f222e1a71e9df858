"""`manage.py analyse_tournament TOURNAMENT`: analyses its records in this process."""

import time
from argparse import ArgumentParser
from typing import Any

from tournaments.analysis.queries.play import luck_page
from tournaments.analysis.services import analyse_record, reset_analysis
from tournaments.core.find import find_tournament
from tournaments.core.permissions import Actor
from tournaments.management.base import ServiceCommand
from tournaments.models import Record, Tournament

FOREVER = float("inf")


class Command(ServiceCommand):
    """Analyse all accepted records, matches between bots too; what is done is not done again."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the tournament."""
        parser.add_argument("tournament", help="its short name, as in its address")

    def handle(self, *, tournament: str, **_options: Any) -> None:
        """Analyse the records that have no analysis yet, one after another."""
        system = Actor.system()
        row = find_tournament(tournament, system)
        start = time.monotonic()
        records = accepted(row)
        for number, record in enumerate(records, start=1):
            if not has_analysis(record):
                reset_analysis(record)
            analyse_record(record.pk, budget=FOREVER, gives_way=False)
            self.stdout.write(f"record {number} of {len(records)}", ending="\r")
            self.stdout.flush()
        page = luck_page(tournament, system)
        seconds = time.monotonic() - start
        self.stdout.write(f"{page.analysed} of {page.total} hands analysed, {seconds:.1f} s")


def accepted(tournament: Tournament) -> list[Record]:
    """Return the records of a tournament in the order of its rounds and tables."""
    records = Record.objects.accepted().filter(match__round__stage__tournament=tournament)
    order = ("match__round__number", "match__table", "coto")
    return list(records.select_related("match", "analysis").order_by(*order))


def has_analysis(record: Record) -> bool:
    """Return whether the record's analysis was requested and has not been given up."""
    row = getattr(record, "analysis", None)
    return row is not None and row.state in {row.State.WAITING, row.State.DONE}
