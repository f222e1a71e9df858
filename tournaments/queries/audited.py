"""Comparing the rows that count with the events that made them (docs/audit.md)."""

from __future__ import annotations

from tournaments.domain.trail.rows import KINDS, ROWS, RowFault, RowHistory
from tournaments.models import AuditEvent, Tournament
from tournaments.models.audited import FETCHED, audited_rows
from tournaments.queries.records_file import one_moment


def check_rows(tournament: Tournament) -> tuple[RowFault, ...]:
    """Return where the rows of a tournament differ from its history, by event.

    A query for the events and one for each kind of row, read in batches within one moment of the
    database; in memory are the digests of one tournament.
    """
    found = RowHistory()
    with one_moment():
        events = AuditEvent.objects.filter(tournament=tournament, facts__has_key=ROWS)
        told = events.order_by("sequence").values_list("sequence", "salt", "facts")
        for event in told.iterator(chunk_size=FETCHED):
            found.take(*event)
        for kind in KINDS:
            found.compare(kind, audited_rows(kind, tournament.pk))
    return tuple(found.faults)
