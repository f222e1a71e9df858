"""Compares a tournament with the newest statement of it in the signed history of its club."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Max

from tournaments.director.queries.public_rows import public_rows
from tournaments.domain.file import FileError
from tournaments.domain.proof import DealCommitment, StageDraw
from tournaments.domain.rows import TournamentRows
from tournaments.domain.signed_proof import (
    DIFFERING,
    PLAN_BASELINE,
    RENAMING,
    SIGNED,
    STATED,
    last_closed,
    may_change_statement,
    statement_of,
)
from tournaments.domain.trail.rows import BASELINE
from tournaments.exchange.queries.proofs import draws_of
from tournaments.models import AuditEvent, Tournament

UNREADABLE: Final = (FileError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading a tournament raises when its rows were changed into what no service writes."""


@dataclass(frozen=True, slots=True)
class ComparedStatement:
    """A tournament compared with the newest event that states it.

    ``event`` is that event; one that only says that the rows differ is passed over. ``present`` is
    the statement that is true now, None before a round is closed. ``differing`` are the fields of
    ``event`` that are not true now, ``changed_by`` is the first later event that may have changed
    them, None without one.
    """

    event: AuditEvent | None
    present: Mapping[str, Any] | None
    differing: tuple[str, ...] = ()
    changed_by: int | None = None

    @property
    def is_contradicted(self) -> bool:
        """Whether the rows differ from the statement, and no later event may have changed them."""
        return bool(self.differing) and self.changed_by is None


def compare_statement(tournament: Tournament) -> ComparedStatement:
    """Compare a tournament with the newest statement of it, recomputed from its rows."""
    event = _newest_statement(tournament)
    try:
        rows, draws, deals = _public_rows(tournament)
        last = last_closed(rows)
        present = statement_of(rows, draws, deals, last) if last else None
        if event is None:
            return ComparedStatement(None, present)
        then = statement_of(rows, draws, deals, event.facts["after"])
    except UNREADABLE:
        differing: tuple[str, ...] = () if event is None else STATED
        present = None
    else:
        differing = tuple(name for name in STATED if then[name] != event.facts.get(name))
    changed_by = _first_change(event) if event is not None and differing else None
    return ComparedStatement(event, present, differing, changed_by)


def _newest_statement(tournament: Tournament) -> AuditEvent | None:
    """Return the newest statement that this installation signed, not one that repeats it."""
    events = AuditEvent.objects.filter(tournament=tournament)
    imports = events.filter(verb=BASELINE, facts__why="import")
    imported = imports.aggregate(last=Max("sequence"))["last"] or 0
    statements = events.filter(verb=SIGNED, sequence__gt=imported)
    return statements.exclude(facts__has_key=DIFFERING).order_by("-sequence").first()


def _public_rows(
    tournament: Tournament,
) -> tuple[TournamentRows, tuple[StageDraw, ...], tuple[DealCommitment, ...]]:
    """Return the rows of the published rounds, with every draw and commitment to deals."""
    rows = public_rows(tournament)
    return rows, *draws_of(tournament, rows)


def _first_change(event: AuditEvent) -> int | None:
    """Return the number of the first event that may have changed what ``event`` states."""
    of_club = AuditEvent.objects.filter(club=event.club_id, sequence__gt=event.sequence)
    later = of_club.filter(tournament=event.tournament_id).order_by("sequence")
    renamings = of_club.none()
    for sequence, verb, facts in later.values_list("sequence", "verb", "facts").iterator():
        if may_change_statement(verb, facts):
            return sequence
        if verb == BASELINE and facts.get("why") == PLAN_BASELINE:
            renamings = of_club.filter(verb__in=RENAMING, sequence__lt=sequence)
    return renamings.values_list("sequence", flat=True).order_by("sequence").first()
