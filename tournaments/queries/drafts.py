"""A round that is still a draft, as the one who arranges it by hand sees it."""

from __future__ import annotations

from dataclasses import replace

from tournaments.domain.pairing.base import Field, Why
from tournaments.domain.pairing.checks import IMPOSSIBLE, objections
from tournaments.domain.rows import State, Table, TournamentRows
from tournaments.domain.stages import field_for
from tournaments.models import Round
from tournaments.queries.papers import rows_of


def draft_field(rows: TournamentRows, round_: Round) -> Field:
    """Return who is there for a draft, and what was played before it."""
    before = tuple(
        replace(stage, rounds=tuple(r for r in stage.rounds if r.number < round_.number))
        for stage in rows.stages
    )
    published = tuple(
        replace(stage, rounds=tuple(replace(r, state=State.PUBLISHED) for r in stage.rounds))
        for stage in before
    )
    return field_for(replace(rows, stages=published), round_.stage.number)


def draft_tables(rows: TournamentRows, round_: Round) -> tuple[Table, ...]:
    """Return the tables of a round."""
    drawn = (r for stage in rows.stages for r in stage.rounds if r.number == round_.number)
    return next((r.tables for r in drawn), ())


def warnings_of(round_: Round) -> tuple[Why, ...]:
    """Return what a draft breaks, the impossible first; ten queries."""
    rows = rows_of(round_.stage.tournament)
    return objections(draft_field(rows, round_), draft_tables(rows, round_))


def impossible(whys: tuple[Why, ...]) -> tuple[Why, ...]:
    """Keep those that forbid to publish the round."""
    return tuple(why for why in whys if why.code in IMPOSSIBLE)
