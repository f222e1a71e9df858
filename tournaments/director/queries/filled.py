"""Stages that were filled before a result of the table that fills them was corrected."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext

from tournaments.core.cache import get_or_compute
from tournaments.director.queries.rows import shown_names
from tournaments.director.queries.snapshot import (
    key_of,
    penalties_at,
    rows_of,
    tournament_snapshot,
)
from tournaments.domain.drafts import rows_before
from tournaments.domain.rows import Stage, TournamentRows
from tournaments.domain.stages import qualifiers_changed, source_of
from tournaments.models import Penalty, Result, Round, Tournament


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """An entry by its number and its name."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class CorrectedTable:
    """A table of a round whose result was corrected."""

    round: int
    table: int


@dataclass(frozen=True, slots=True)
class FilledBefore:
    """A stage whose places would go to other entries by the table of its ``source`` as it is now.

    ``tables`` are those that were corrected since it was filled; none where penalties were given or
    revoked. Its entrants stay in it.
    """

    stage: int
    source: int
    tables: tuple[CorrectedTable, ...]
    comes_in: tuple[NamedEntry, ...]
    drops_out: tuple[NamedEntry, ...]

    @property
    def places(self) -> str:
        """The corrected tables as text."""
        table = gettext("Round %(round)s, table %(table)s")
        return "; ".join(table % {"round": one.round, "table": one.table} for one in self.tables)

    @property
    def stages(self) -> tuple[int, int]:
        """The numbers of the stages at whose tables it is to be said."""
        return self.stage, self.source


def filled_before(tournament: Tournament) -> tuple[FilledBefore, ...]:
    """Return the stages that were filled before a correction; computed once for a version.

    Three queries more than its rows where a later stage has begun; some ten where it was corrected.
    """
    return get_or_compute(key_of("filled", tournament, 0), lambda: _computed(tournament))


def _computed(tournament: Tournament) -> tuple[FilledBefore, ...]:
    rows = tournament_snapshot(tournament).rows
    later = {stage.published[0].number: stage for stage in rows.stages[1:] if stage.published}
    if not later:
        return ()
    firsts = Round.objects.filter(stage__tournament=tournament, number__in=later)
    fillings = firsts.values_list("number", "drawn__version", "stage__begun_at")
    found = (
        _filled_before(tournament, rows, later[number], version, begun_at)
        for number, version, begun_at in fillings.order_by("number")
        if version is not None and begun_at is not None
    )
    return tuple(one for one in found if one is not None)


def _filled_before(
    tournament: Tournament, rows: TournamentRows, stage: Stage, version: int, begun_at: datetime
) -> FilledBefore | None:
    source = source_of(rows, stage)
    if source is None:
        return None
    tables = _corrected_tables(tournament, source, version)
    penalties = list(Penalty.objects.filter(entry__tournament=tournament).select_related("entry"))
    penalties_then = penalties_at(penalties, begun_at)
    if not tables and penalties_then == rows.penalties:
        return None
    first = stage.published[0].number
    now = rows_before(rows, first)
    then = rows_before(rows_of(tournament, at_version=version), first)
    changed = qualifiers_changed(replace(then, penalties=penalties_then), now, stage.number)
    if changed is None:
        return None
    names = shown_names(tournament.pk)

    def named(numbers: Sequence[int]) -> tuple[NamedEntry, ...]:
        return tuple(NamedEntry(number, names[number]) for number in numbers)

    return FilledBefore(
        stage.number, source.number, tables, named(changed.comes_in), named(changed.drops_out)
    )


def _corrected_tables(
    tournament: Tournament, source: Stage, version: int
) -> tuple[CorrectedTable, ...]:
    """Return the tables of a stage with another result than the one that counted at a version."""
    since = Result.objects.filter(
        Q(counts_from__lte=version, counts_until__gt=version)
        | Q(counts_from__gt=version, counts_until=None),
        match__round__stage__tournament=tournament,
        match__round__stage__number=source.number,
    )
    tables = since.order_by("match__round__number", "match__table")
    places = tables.values_list("match__round__number", "match__table").distinct()
    return tuple(CorrectedTable(round_, table) for round_, table in places)
