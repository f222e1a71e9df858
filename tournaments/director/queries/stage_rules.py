"""The offers of a running tournament to take a rule of new ones, each with its effect."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tournaments.director.queries.snapshot import rows_of
from tournaments.domain.ranking import CannotRank, ranking
from tournaments.domain.rows import PlaceRule, Stage, StageRules, SumRule, TournamentRows
from tournaments.domain.stages import source_of, with_stage
from tournaments.models import Tournament

NEW_RULES: Final[Mapping[str, StrEnum]] = MappingProxyType(
    {"places": PlaceRule.PLAYED, "sums": SumRule.EXACT}
)
"""Fields of `StageRules` that can change in a running tournament, with the value of new ones; the
field's default is the value of before."""


class PlaceMove(NamedTuple):
    """An entry of a stage whose place changes with the rule."""

    stage: int
    name: str
    before: int
    after: int


class RuleOffer(NamedTuple):
    """A rule, its new value, the stages that can take it, and the places that change with it."""

    rule: str
    value: str
    stages: tuple[int, ...]
    moves: tuple[PlaceMove, ...]


def with_rule(rules: StageRules, rule: str, value: str) -> StageRules:
    """Return the rules with one of `NEW_RULES` at a value, new or of before."""
    change: dict[str, Any] = {rule: type(NEW_RULES[rule])(value)}
    return replace(rules, **change)


def rule_offers(tournament: Tournament) -> tuple[RuleOffer, ...]:
    """Return what changes if a tournament takes each of `NEW_RULES`: eight queries.

    No stage is offered a rule once the tournament is over or where it can change nothing, and none
    from whose table a later one was filled: that was done by the table as it was.
    """
    rows = rows_of(tournament)
    if tournament.state == Tournament.State.FINISHED:
        return ()
    filled = {
        source.number
        for stage in rows.stages
        if stage.entrants and (source := source_of(rows, stage)) is not None
    }
    free = [stage for stage in rows.stages if stage.number not in filled]
    offers = []
    for rule, value in NEW_RULES.items():
        stages = [stage for stage in free if _can_take(stage.rules, rule, value)]
        moves = tuple(move for stage in stages for move in _moves(rows, stage, rule, value))
        numbers = tuple(stage.number for stage in stages)
        if numbers:
            offers.append(RuleOffer(rule, str(value), numbers, moves))
    return tuple(offers)


def _can_take(rules: StageRules, rule: str, value: StrEnum) -> bool:
    return getattr(rules, rule) != value and (rule != "sums" or rules.sums_differ)


def _moves(rows: TournamentRows, stage: Stage, rule: str, value: StrEnum) -> tuple[PlaceMove, ...]:
    """Return the changes of places in the table of a stage, in its new order."""
    changed = replace(stage, rules=with_rule(stage.rules, rule, value))
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
