"""A tournament as the rows that everybody may know: those of its published rounds."""

from collections.abc import Iterable
from dataclasses import replace

from tournaments.director.queries.snapshot import rows_of
from tournaments.domain.proof import not_begun
from tournaments.domain.rows import Round, TournamentRows
from tournaments.models import Round as RoundRow
from tournaments.models import Tournament


def public_rows(tournament: Tournament) -> TournamentRows:
    """Return a tournament without drafts, as its proof states it; nine queries."""
    rounds = RoundRow.objects.filter(stage__tournament=tournament)
    return rows_of_rounds(rows_of(tournament), rounds.exclude(state=RoundRow.State.DRAFT))


def rows_of_rounds(rows: TournamentRows, rounds: Iterable[RoundRow]) -> TournamentRows:
    """Return the rows with these rounds alone; stages without any of them have not begun.

    Tables are pinned as they were when their round was drawn.
    """
    by_number = {row.number: row for row in rounds}
    stages = []
    for stage in rows.stages:
        stage_rounds = tuple(
            _pinned(r, by_number[r.number]) for r in stage.rounds if r.number in by_number
        )
        stages.append(replace(stage, rounds=stage_rounds) if stage_rounds else not_begun(stage))
    last = max(by_number, default=0)
    penalties = tuple(penalty for penalty in rows.penalties if penalty.round <= last)
    return replace(rows, stages=tuple(stages), penalties=penalties)


def _pinned(round_: Round, row: RoundRow) -> Round:
    pinned_sides = {tuple(map(tuple, sides)) for sides in row.drawn.get("pinned", ())}
    tables = tuple(replace(table, pinned=table.sides in pinned_sides) for table in round_.tables)
    return replace(round_, tables=tables)
