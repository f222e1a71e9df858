"""The offer of a running tournament to give places by what was played, with its effect."""

from dataclasses import replace
from typing import NamedTuple

from tournaments.director.queries.snapshot import rows_of
from tournaments.domain.ranking import CannotRank, ranking
from tournaments.domain.rows import PlaceRule, Stage, TournamentRows
from tournaments.domain.stages import source_of, with_stage
from tournaments.models import Tournament


class PlaceMove(NamedTuple):
    """An entry of a stage whose place changes with the rule."""

    stage: int
    name: str
    before: int
    after: int


class PlaceOffer(NamedTuple):
    """The stages whose rule can be changed, by number, and the places that change with it."""

    stages: tuple[int, ...]
    moves: tuple[PlaceMove, ...]


def place_offer(tournament: Tournament) -> PlaceOffer:
    """Return what changes if a tournament gives its places by what was played: eight queries.

    No stage is offered once it is over, and none from whose table a later one was filled: that
    was done by the table as it was.
    """
    rows = rows_of(tournament)
    if tournament.state == Tournament.State.FINISHED:
        return PlaceOffer((), ())
    filled = {
        source.number
        for stage in rows.stages
        if stage.entrants and (source := source_of(rows, stage)) is not None
    }
    stages = tuple(
        stage
        for stage in rows.stages
        if stage.rules.places is PlaceRule.LISTED and stage.number not in filled
    )
    moves = tuple(move for stage in stages for move in _moves(rows, stage))
    return PlaceOffer(tuple(stage.number for stage in stages), moves)


def _moves(rows: TournamentRows, stage: Stage) -> tuple[PlaceMove, ...]:
    """Return the changes of places in the table of a stage, in its new order."""
    changed = replace(stage, rules=replace(stage.rules, places=PlaceRule.PLAYED))
    try:
        before = {line.entrant: line.rank for line in ranking(rows, stage)}
        after = ranking(with_stage(rows, changed), changed)
    except CannotRank:
        return ()
    names = rows.shown_names
    return tuple(
        PlaceMove(stage.number, names[line.entrant], before[line.entrant], line.rank)
        for line in after
        if line.rank != before[line.entrant]
    )
