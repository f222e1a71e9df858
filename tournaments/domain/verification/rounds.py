"""Checks of rounds: each is drawn again from what was known then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tournaments.domain.beside import stages_beside
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import CannotDraw
from tournaments.domain.proof import (
    Bundle,
    Drawing,
    Edit,
    rows_before_draw,
)
from tournaments.domain.ranking import CannotRank
from tournaments.domain.rows import Entrant, Round, Seeding, Stage, Table, TournamentRows
from tournaments.domain.stages import (
    begin_stage,
    field_for,
    next_draw,
    qualified_entrants,
    qualifiers_changed,
    source_of,
    stage_of,
    with_stage,
)
from tournaments.domain.verification.edits import Breach, breaches, without_result
from tournaments.domain.verification.findings import Finding, facts_of


def rows_at_draw(bundle: Bundle, stage: Stage, drawing: Drawing) -> TournamentRows:
    """Return the rows as they were when a stage was drawn.

    Its first round may have been drawn later, as an entry had changed: the draw of the stage has
    the facts of its own entrants. In files without them those of the first round have to do.
    """
    old_rows = rows_before_draw(bundle.rows, drawing)
    draws = [draw for draw in bundle.proof.draws if draw.stage == stage.number]
    if not draws or draws[-1].entrants is None:
        return old_rows
    entrants = {entrant.number: entrant for entrant in draws[-1].entrants}
    plain = (Entrant(entrant.number, joined=entrant.joined) for entrant in old_rows.entrants)
    return replace(
        old_rows, entrants=tuple(entrants.get(entrant.number, entrant) for entrant in plain)
    )


def check_seeding(
    rows: TournamentRows, stage: Stage, old_rows: TournamentRows
) -> Iterator[Finding]:
    """The first stage's order follows from its seed; those who came after the draw are last."""
    if stage.number != min(other.number for other in rows.stages):
        return
    if stage.rules.seeding not in (Seeding.LOT, Seeding.RATING):
        return
    entrants = {**rows.by_number, **old_rows.by_number}
    drawn_entrants = stage.entrants[: stage.drawn]
    order = _initial_order(rows, stage, [entrants[entrant] for entrant in drawn_entrants])
    is_drawn = order == drawn_entrants
    facts = facts_of(count=len(drawn_entrants), late=len(stage.entrants) - len(drawn_entrants))
    if not is_drawn:
        facts = facts_of(found=", ".join(map(str, order)), stated=list(drawn_entrants))
    code = "seeded" if is_drawn else "not_seeded"
    yield Finding(code, is_drawn, stage.number, facts=facts)


def _initial_order(
    rows: TournamentRows, stage: Stage, entrants: Iterable[Entrant]
) -> tuple[int, ...]:
    """Return the order in which a first stage began with these entrants, with those who left."""
    present = tuple(replace(entrant, absences=()) for entrant in entrants)
    alone = replace(stage, entrants=(), rounds=())
    return begin_stage(replace(rows, entrants=present, stages=(alone,)), stage.number)


def check_qualifiers(
    bundle: Bundle, old_rows: TournamentRows, stage: Stage, drawing: Drawing
) -> Iterator[Finding]:
    """Those who began a later stage are those whom the table before it sends there.

    A board that states no line and was filled by the order of the draws is named.
    """
    if stage.number == min(other.number for other in old_rows.stages):
        return
    old_stage = stage_of(old_rows, stage.number)
    # Where the stage beside it states a line to this one, this one was drawn by lines too.
    may_be_old = old_stage.rules.beside is not None and not old_stage.rules.without
    may_be_old &= all(
        stage.number not in other.rules.without for other in stages_beside(old_rows, old_stage)
    )
    findings: list[Finding] = []
    for by_beside in (False, True) if may_be_old else (False,):
        finding = _compare_qualifiers(old_rows, old_stage, drawing, by_beside=by_beside)
        findings.append(finding)
        if finding.holds and finding.code == "qualified":
            yield finding
            if by_beside:
                yield Finding("filled_by_beside", holds=True, stage=stage.number)
            yield from _corrected_since(bundle, stage, drawing)
            return
    yield findings[0]


def _compare_qualifiers(
    old_rows: TournamentRows, old_stage: Stage, drawing: Drawing, *, by_beside: bool
) -> Finding:
    try:
        qualifiers = qualified_entrants(old_rows, old_stage.number, by_beside=by_beside)
    except (CannotDraw, CannotRank) as error:
        return _refused("cannot_begin", error, drawing, old_stage)
    entrants = old_rows.by_number
    starters = tuple(
        entrant
        for entrant in old_stage.entrants
        if entrant in qualifiers or entrants[entrant].joined < drawing.round
    )
    by_hand = old_stage.rules.seeding is Seeding.MANUAL
    if starters == qualifiers or (by_hand and set(starters) == set(qualifiers)):
        return Finding("qualified", holds=True, stage=old_stage.number)
    accepted = _accepts(drawing.edited, "qualified")
    strange = tuple(sorted(set(starters) ^ set(qualifiers)))
    facts = facts_of(rule="qualified", stated=list(starters), found=list(qualifiers))
    code = "accepted" if accepted else "not_qualified" if strange else "other_order"
    return Finding(code, accepted, old_stage.number, entrants=strange, facts=facts)


def _corrected_since(bundle: Bundle, stage: Stage, drawing: Drawing) -> Iterator[Finding]:
    """Yield a note where others would have come into a stage by the results of now."""
    old_facts = drawing.was
    if not old_facts.tables and old_facts.penalties is None:
        return
    facts_now = replace(old_facts, tables=(), penalties=None)
    then = rows_before_draw(bundle.rows, drawing)
    now = rows_before_draw(bundle.rows, replace(drawing, was=facts_now))
    difference = qualifiers_changed(then, now, stage.number)
    if difference is None:
        return
    source = source_of(now, stage_of(now, stage.number))
    rounds = {round_.number for round_ in source.rounds} if source else set()
    tables = [f"{round_}.{table.number}" for round_, table in old_facts.tables if round_ in rounds]
    code = "filled_before" if tables else "filled_before_penalty"
    entrants = (*difference.comes_in, *difference.drops_out)
    facts = facts_of(tables=", ".join(tables))
    yield Finding(code, True, stage.number, entrants=entrants, facts=facts)


def check_round(
    rows: TournamentRows, stage: Stage, round_: Round, drawings: Mapping[int, Drawing]
) -> Iterator[Finding]:
    """A round is what the draw gives, or was changed by hand into something legal."""
    drawing = drawings.get(round_.number, Drawing(round_.number))
    old_rows = rows_before_draw(rows, drawing)
    try:
        expected = _drawn_tables(old_rows, stage, round_, drawing)
    except (CannotDraw, CannotRank) as error:
        if drawing.edited is None:
            yield _refused("cannot_draw", error, drawing, stage)
            return
        expected = ()
    other = _other_tables(round_, expected)
    if other or len(expected) != len(round_.tables):
        for planned in _planned_tables(old_rows, stage, round_, drawings):
            differing = _other_tables(round_, planned)
            if len(planned) == len(round_.tables) and len(differing) < len(other):
                expected, other = planned, differing
    if not other and len(expected) == len(round_.tables):
        yield Finding("round", holds=True, stage=stage.number, round=round_.number)
    elif drawing.edited is None:
        yield from _table_differences(stage, round_, other, expected)
    else:
        facts = facts_of(by=drawing.edited.by, reason=drawing.edited.reason, tables=len(other))
        yield Finding("edited", True, stage.number, round_.number, facts=facts)
        field_ = field_for(old_rows, stage.number, round_.number)
        for breach in breaches(field_, round_, other):
            yield _to_finding(breach, drawing.edited, stage, round_)


def _drawn_tables(
    rows: TournamentRows, stage: Stage, round_: Round, drawing: Drawing | None
) -> tuple[Table, ...]:
    """Return the tables that the draw of a round gives, around those that were pinned."""
    pinned_tables = tuple(without_result(table) for table in round_.tables if table.pinned)
    in_use = drawing.was.in_use if drawing else ()
    return next_draw(rows, pinned_tables, round_.number, stage.number, in_use).tables


def _other_tables(round_: Round, expected: Iterable[Table]) -> list[Table]:
    drawn_tables = {without_result(table) for table in expected}
    return [table for table in round_.tables if without_result(table) not in drawn_tables]


def _planned_tables(
    old_rows: TournamentRows, stage: Stage, round_: Round, drawings: Mapping[int, Drawing]
) -> Iterator[tuple[Table, ...]]:
    """Yield the tables of a round by the plans that may have held before changes by hand.

    Where all rounds are drawn ahead, a round drawn before an earlier one was changed follows from
    that one as it was drawn: until November 2026 later drafts were not planned again. One plan for
    each changed round, from which on all of them count as they were drawn.
    """
    if not FORMATS[stage.format].is_drawn_ahead(stage.rules):
        return
    edited = [number for number, drawing in drawings.items() if drawing.edited is not None]
    for first in sorted(edited, reverse=True):
        rows = old_rows
        try:
            for earlier in stage_of(old_rows, stage.number).rounds:
                if earlier.number in edited and first <= earlier.number < round_.number:
                    drawing = drawings.get(earlier.number)
                    drawn = replace(earlier, tables=_drawn_tables(rows, stage, earlier, drawing))
                    rows = _with_round(rows, stage.number, drawn)
            yield _drawn_tables(rows, stage, round_, drawings.get(round_.number))
        except (CannotDraw, CannotRank):
            continue


def _with_round(rows: TournamentRows, number: int, changed: Round) -> TournamentRows:
    """Return the rows with one round of a stage in place of that of its number."""
    stage = stage_of(rows, number)
    rounds = (changed if old.number == changed.number else old for old in stage.rounds)
    return with_stage(rows, replace(stage, rounds=tuple(rounds)))


def _table_differences(
    stage: Stage, round_: Round, tables: Sequence[Table], expected: Sequence[Table]
) -> Iterator[Finding]:
    by_number = {table.number: table for table in expected}
    for table in tables:
        drawn_table = by_number.get(table.number)
        facts = facts_of(stated=_format_table(table), found=_format_table(drawn_table))
        yield Finding(
            "table_differs",
            holds=False,
            stage=stage.number,
            round=round_.number,
            table=table.number,
            entrants=table.entrants,
            facts=facts,
        )
    if not tables:
        facts = facts_of(stated=len(round_.tables), found=len(expected))
        yield Finding("tables_missing", False, stage.number, round_.number, facts=facts)


def _format_table(table: Table | None) -> str:
    """Write a table as its sides: ``1+3 - 2+4``; a bye as ``5 (pairing)``."""
    if table is None:
        return "-"
    sides = " - ".join("+".join(map(str, side)) for side in table.sides)
    return sides + (f" ({table.bye.value})" if table.bye else "")


def _refused(code: str, error: CannotDraw | CannotRank, drawing: Drawing, stage: Stage) -> Finding:
    facts = facts_of(why=error.code)
    return Finding(code, holds=False, stage=stage.number, round=drawing.round, facts=facts)


def _accepts(edit: Edit | None, code: str) -> bool:
    return edit is not None and code in edit.accepts


def _to_finding(breach: Breach, edit: Edit, stage: Stage, round_: Round) -> Finding:
    accepted = _accepts(edit, breach.rule)
    return Finding(
        "accepted" if accepted else breach.rule,
        holds=accepted,
        stage=stage.number,
        round=round_.number,
        table=breach.table,
        entrants=breach.entrants,
        facts=facts_of(rule=breach.rule),
    )
