"""The stages that are to get another round now: of several side by side each by itself."""

from collections.abc import Mapping
from dataclasses import replace
from math import inf

from tournaments.domain.beside import stages_beside, tables_beside
from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Stage, State, TournamentRows
from tournaments.domain.stages import (
    is_finished,
    is_ready,
    open_tables,
    source_of,
    sources_of,
    takes_those_out,
)


def stages_to_draw(rows: TournamentRows) -> tuple[Stage, ...]:
    """Return the stages that are to get another round now, in order.

    Such a stage has no round that is open, a round left to draw, and it is certain who comes into
    it (`is_ready`). Of two that an entrant can come into, the earlier one is played first.
    """
    ready: list[Stage] = []
    busy = [stage for stage in rows.stages if _has_open_round(stage)]
    for stage in rows.stages:
        is_over = bool(stage.entrants) and FORMATS[stage.format].is_over(
            replace(stage, rounds=stage.published), rows.by_number
        )
        if is_over and not open_tables(stage):
            continue
        if not is_ready(rows, stage):
            continue
        is_blocked = any(
            other.number != stage.number
            and not _is_on_way(rows, stage, other)
            and can_share_entrants(rows, stage, other)
            for other in busy
        )
        if not is_over and not is_blocked and not _has_open_round(stage):
            ready.append(stage)
        busy.append(stage)
    return tuple(ready)


def _is_on_way(rows: TournamentRows, stage: Stage, other: Stage) -> bool:
    """Tell whether one of two stages is played for places by those who are out of the other."""
    return any(
        two.rules.take_from > 0
        and any(one.number == s.number and takes_those_out(two, s) for s in sources)
        for one, two in ((stage, other), (other, stage))
        for sources in (sources_of(rows, two),)
    )


def _has_open_round(stage: Stage) -> bool:
    return any(round_.state is not State.CLOSED for round_ in stage.rounds)


def is_forked(sources: Mapping[int, int | None]) -> bool:
    """Tell whether a stage is filled from another one than that before it.

    Only then two stages can be played side by side. ``sources`` are `StageRules.source` by the
    numbers of the stages.
    """
    return any(source not in (None, number - 1) for number, source in sources.items())


def stage_to_begin_beside(rows: TournamentRows, stage: Stage) -> int | None:
    """Return the number of the stage beside which a stage begins now; None if it plays alone.

    Of several that are being played it is the one whose tables are numbered last.
    """
    playing = (
        other
        for other in rows.stages
        if other.number != stage.number
        and other.entrants
        and not is_finished(rows, other)
        and not can_share_entrants(rows, stage, other)
        and all(one.number != stage.number for one in stages_beside(rows, other))
    )
    last = max(playing, key=lambda other: tables_beside(rows, other), default=None)
    return None if last is None else last.number


def with_fixed_lines(rows: TournamentRows) -> TournamentRows:
    """Return the rows with `StageRules.without` of the stages that have no published round.

    Once a stage has one, the line between it and the others that are filled from the same table is
    fixed: its entrants stay, however the table changes. ``rows`` say which rounds are published.
    """
    return replace(rows, stages=tuple(_with_fixed_line(rows, stage) for stage in rows.stages))


def _with_fixed_line(rows: TournamentRows, stage: Stage) -> Stage:
    if stage.published:
        return stage
    without = tuple(
        other.number
        for other in rows.stages
        if other.published
        and source_of(rows, other) == source_of(rows, stage) is not None
        and not can_share_entrants(rows, stage, other)
    )
    if without == stage.rules.without:
        return stage
    return replace(stage, rules=replace(stage.rules, without=without))


def can_share_entrants(rows: TournamentRows, stage: Stage, other: Stage) -> bool:
    """Tell whether an entrant can come into both stages, by the places that they take."""
    ways = [[one, *sources_of(rows, one)][::-1] for one in (stage, other)]
    for one, another in zip(*ways, strict=False):
        if one.number != another.number:
            first, last = _places(one)
            other_first, other_last = _places(another)
            return first < other_last and other_first < last
    return True


def _places(stage: Stage) -> tuple[int, float]:
    """Return the places of its source that a stage takes, half-open, counted from 0."""
    rules = stage.rules
    return rules.take_from, rules.take_from + rules.take if rules.take else inf
