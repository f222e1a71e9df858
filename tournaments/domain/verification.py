"""Checking a tournament from its file alone: rounds are drawn again, standings computed again.

A round that nobody changed must be exactly what the draw gives from what was known then. Of a round
that the arbiter changed (`Edit`) the tables that differ are checked for what makes a pairing legal.
What does not hold is said with its place; nothing is put right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

import engine
from engine import Verdict
from tournaments.domain.match_parts import Coto, DealSet, Part, ends_after, part_of, sets_of, tally
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import CannotDraw, Field
from tournaments.domain.pairing.checks import objections
from tournaments.domain.proof import (
    Bundle,
    Drawing,
    Edit,
    PublishedStandings,
    StageDraw,
    TableRecord,
    digest_of,
    published_standings,
    rows_before_draw,
)
from tournaments.domain.ranking import CannotRank
from tournaments.domain.rows import Entrant, Round, Seeding, Stage, Table, TournamentRows
from tournaments.domain.scores import CROSSED, Score
from tournaments.domain.signed_proof import matches_checkpoint, statement_of
from tournaments.domain.stages import (
    begin_stage,
    field_for,
    next_draw,
    qualified_entrants,
    stage_of,
    with_stage,
)
from tournaments.domain.trail.checkpoints import is_signed


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: ``holds`` or not, or a note about it.

    ``code`` is part of its message's id. ``round``, ``table`` and ``stage`` are 0
    where they do not apply.
    """

    code: str
    holds: bool
    stage: int = 0
    round: int = 0
    table: int = 0
    entrants: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


Findings = tuple[Finding, ...]


NOTES: Final = frozenset(
    {
        "no_standings",
        "no_draws",
        "unsigned",
        "own_key",
        "signed_until",
        "drawn_again",
        "deals_again",
    }
)
"""Findings that hold and say what the file does not prove, or what to look at."""


def verify(
    bundle: Bundle,
    verdicts: Mapping[str, Verdict] | None = None,
    keys: Collection[str] = (),
) -> Findings:
    """Check everything that a tournament file states, and return what was found, in its order.

    ``verdicts`` are those of its records by their digests, where the records are at hand. With
    ``keys``, public keys that are trusted, the proof has to be signed with one of them. Everything
    holds when every finding does.
    """
    findings = [*_check_contents(bundle), *_check_signature(bundle, keys), *_check_draws(bundle)]
    drawings = {drawing.round: drawing for drawing in bundle.proof.drawings}
    for stage in bundle.rows.stages:
        for index, round_ in enumerate(stage.published):
            drawing = drawings.get(round_.number, Drawing(round_.number))
            if not index:
                old_rows = _rows_at_draw(bundle, stage, drawing)
                findings += _check_seeding(bundle.rows, stage, old_rows)
                findings += _check_qualifiers(old_rows, stage, drawing)
            findings += _check_round(bundle.rows, stage, round_, drawings)
    for standings in bundle.proof.standings:
        findings += _check_standings(bundle.rows, standings)
    findings += _missing_standings(bundle)
    findings += _check_records(bundle, verdicts)
    return tuple(findings)


def all_hold(findings: Iterable[Finding]) -> bool:
    """Tell whether nothing was found wrong."""
    return all(finding.holds for finding in findings)


def _check_contents(bundle: Bundle) -> Iterator[Finding]:
    """The tournament is the one that was proved; without a digest nothing is proved."""
    if not bundle.proof.digest:
        yield Finding("no_proof", holds=False)
        return
    now = digest_of(bundle.rows)
    is_same = now == bundle.proof.digest
    code = "contents" if is_same else "contents_changed"
    yield Finding(code, is_same, facts={"stated": bundle.proof.digest, "found": now})


# --- signatures and draws ----------------------------------------------------------------------


def _check_signature(bundle: Bundle, keys: Collection[str]) -> Iterator[Finding]:
    """A checkpoint of the club's history signs the tournament, up to its last closed round."""
    signed = bundle.proof.signed
    if signed is None:
        if bundle.proof.digest or keys:
            yield Finding("not_signed" if keys else "unsigned", holds=not keys)
        return
    key = signed.checkpoint.key
    if keys and key not in keys:
        yield Finding("unknown_key", holds=False, facts={"key": key})
    if not matches_checkpoint(signed) or not is_signed(signed.checkpoint):
        yield Finding("bad_signature", holds=False, facts={"key": key})
        return
    stated_facts = dict(signed.event.texts.facts)
    after = stated_facts.get("after")
    last = max((r.number for s in bundle.rows.stages for r in s.published), default=0)
    if not isinstance(after, int) or not 0 < after <= last:
        yield Finding(
            "signed_differs", False, facts=_facts(field="after", stated=after, found=last)
        )
        return
    statement = statement_of(bundle.rows, bundle.proof.draws, bundle.proof.deals, after)
    differ = [name for name in statement if statement[name] != stated_facts.get(name)]
    for name in differ:
        facts = _facts(field=name, stated=stated_facts.get(name), found=statement[name])
        yield Finding("signed_differs", holds=False, facts=facts)
    if not differ:
        facts = _facts(at=signed.checkpoint.at, after=after, key=key)
        yield Finding("signed", holds=True, facts=facts)
    if not keys:
        yield Finding("own_key", holds=True, facts={"key": key})
    if after < last:
        yield Finding("signed_until", holds=True, facts={"after": after})


def _check_draws(bundle: Bundle) -> Iterator[Finding]:
    """Each draw of a stage opens its commitment, and the last one is the seed of the stage."""
    proof = bundle.proof
    for stage in bundle.rows.stages:
        draws = [draw for draw in proof.draws if draw.stage == stage.number]
        for number, draw in enumerate(draws, start=1):
            fault = _draw_fault(draw, number)
            if not fault and draw is draws[-1] and stage.rounds and draw.seed != stage.seed:
                fault = "seed"
            facts = _facts(
                number=draw.number, commitment=draw.commitment, reason=draw.reason or "–"
            )
            if fault:
                yield Finding("draw_differs", False, stage.number, facts=facts | {"field": fault})
            else:
                code = "drawn" if number == 1 else "drawn_again"
                yield Finding(code, holds=True, stage=stage.number, facts=facts)
        if not draws and stage.published and proof.digest:
            yield Finding("no_draws", holds=True, stage=stage.number)
    for (stage_, round_), count in Counter(
        (deal.stage, deal.round) for deal in proof.deals
    ).items():
        if count > 1:
            yield Finding("deals_again", True, stage_, round_, facts={"count": count})


def _draw_fault(draw: StageDraw, number: int) -> str:
    """Return the field of a draw that does not fit, the ``number``-th in its list; or nothing."""
    if draw.number != number:
        return "number"
    if not draw.label.endswith(f"/{draw.stage}/draw/{number}"):
        return "label"
    commitment = engine.commitment(draw.label, bytes.fromhex(draw.seed))
    return "" if commitment == draw.commitment else "commitment"


# --- rounds ------------------------------------------------------------------------------------


def _rows_at_draw(bundle: Bundle, stage: Stage, drawing: Drawing) -> TournamentRows:
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


def _check_seeding(
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
    facts = _facts(count=len(drawn_entrants), late=len(stage.entrants) - len(drawn_entrants))
    if not is_drawn:
        facts = _facts(found=", ".join(map(str, order)), stated=list(drawn_entrants))
    code = "seeded" if is_drawn else "not_seeded"
    yield Finding(code, is_drawn, stage.number, facts=facts)


def _initial_order(
    rows: TournamentRows, stage: Stage, entrants: Iterable[Entrant]
) -> tuple[int, ...]:
    """Return the order in which a first stage began with these entrants, with those who left."""
    present = tuple(replace(entrant, absences=()) for entrant in entrants)
    alone = replace(stage, entrants=(), rounds=())
    return begin_stage(replace(rows, entrants=present, stages=(alone,)), stage.number)


def _check_qualifiers(
    old_rows: TournamentRows, stage: Stage, drawing: Drawing
) -> Iterator[Finding]:
    """Those who began a later stage are those whom the table before it sends there."""
    if stage.number == min(other.number for other in old_rows.stages):
        return
    old_stage = next(other for other in old_rows.stages if other.number == stage.number)
    by_hand = old_stage.rules.seeding is Seeding.MANUAL
    try:
        qualifiers = qualified_entrants(old_rows, stage.number)
    except (CannotDraw, CannotRank) as error:
        yield _refused("cannot_begin", error, drawing, stage)
        return
    first = drawing.round
    entrants = old_rows.by_number
    starters = tuple(
        entrant
        for entrant in old_stage.entrants
        if entrant in qualifiers or entrants[entrant].joined < first
    )
    if starters == qualifiers or (by_hand and set(starters) == set(qualifiers)):
        yield Finding("qualified", holds=True, stage=stage.number)
        return
    accepted = _accepts(drawing.edited, "qualified")
    strange = tuple(sorted(set(starters) ^ set(qualifiers)))
    facts = _facts(rule="qualified", stated=list(starters), found=list(qualifiers))
    code = "accepted" if accepted else "not_qualified" if strange else "other_order"
    yield Finding(code, accepted, stage.number, entrants=strange, facts=facts)


def _check_round(
    rows: TournamentRows, stage: Stage, round_: Round, drawings: Mapping[int, Drawing]
) -> Iterator[Finding]:
    """A round is what the draw gives, or was changed by hand into something legal."""
    drawing = drawings.get(round_.number, Drawing(round_.number))
    old_rows = rows_before_draw(rows, drawing)
    try:
        expected = _drawn_tables(old_rows, stage, round_)
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
        facts = _facts(by=drawing.edited.by, reason=drawing.edited.reason, tables=len(other))
        yield Finding("edited", True, stage.number, round_.number, facts=facts)
        field_ = field_for(old_rows, stage.number, round_.number)
        for breach in breaches(field_, round_, other):
            yield _to_finding(breach, drawing.edited, stage, round_)


def _drawn_tables(rows: TournamentRows, stage: Stage, round_: Round) -> tuple[Table, ...]:
    """Return the tables that the draw of a round gives, around those that were pinned."""
    pinned_tables = tuple(without_result(table) for table in round_.tables if table.pinned)
    return next_draw(rows, pinned_tables, round_.number, stage.number).tables


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
    if not FORMATS[stage.format].all_at_once:
        return
    edited = [number for number, drawing in drawings.items() if drawing.edited is not None]
    for first in sorted(edited, reverse=True):
        rows = old_rows
        try:
            for earlier in stage_of(old_rows, stage.number).rounds:
                if earlier.number in edited and first <= earlier.number < round_.number:
                    drawn = replace(earlier, tables=_drawn_tables(rows, stage, earlier))
                    rows = _with_round(rows, stage.number, drawn)
            yield _drawn_tables(rows, stage, round_)
        except (CannotDraw, CannotRank):
            continue


def _with_round(rows: TournamentRows, number: int, changed: Round) -> TournamentRows:
    """Return the rows with one round of a stage in place of that of its number."""
    stage = stage_of(rows, number)
    rounds = (changed if old.number == changed.number else old for old in stage.rounds)
    return with_stage(rows, replace(stage, rounds=tuple(rounds)))


def without_result(table: Table) -> Table:
    """Return a table as it was before it was played."""
    return Table(table.number, table.sides, bye=table.bye, boards=table.boards)


def _table_differences(
    stage: Stage, round_: Round, tables: Sequence[Table], expected: Sequence[Table]
) -> Iterator[Finding]:
    by_number = {table.number: table for table in expected}
    for table in tables:
        drawn_table = by_number.get(table.number)
        facts = _facts(stated=_format_table(table), found=_format_table(drawn_table))
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
        facts = _facts(stated=len(round_.tables), found=len(expected))
        yield Finding("tables_missing", False, stage.number, round_.number, facts=facts)


def _format_table(table: Table | None) -> str:
    """Write a table as its sides: ``1+3 - 2+4``; a bye as ``5 (pairing)``."""
    if table is None:
        return "-"
    sides = " - ".join("+".join(map(str, side)) for side in table.sides)
    return sides + (f" ({table.bye.value})" if table.bye else "")


def _refused(code: str, error: CannotDraw | CannotRank, drawing: Drawing, stage: Stage) -> Finding:
    facts = _facts(why=error.code)
    return Finding(code, holds=False, stage=stage.number, round=drawing.round, facts=facts)


def _facts(**facts: Any) -> dict[str, Any]:
    return facts


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
        facts=_facts(rule=breach.rule),
    )


# --- what a change by hand may break -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule of pairing that a table breaks; ``table`` is 0 where it is about the whole round."""

    rule: str
    table: int
    entrants: tuple[int, ...]


RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "check_missing": "without_table",
        "check_not_here": "not_here",
        "check_asked_bye": "asked_bye",
        "check_rematch": "rematch",
        "check_apart": "apart",
        "check_second_bye": "second_bye",
    }
)
"""The rules that count here, by the code of the objection; two of one club may well meet."""


def breaches(field_: Field, round_: Round, tables: Iterable[Table]) -> Iterator[Breach]:
    """Yield what is wrong with some tables of a round, and who of those here sits at none.

    Where a schedule says who meets whom, how often is its own affair.
    """
    looked_at = {0, *(table.number for table in tables)}
    preset = FORMATS[field_.stage.format].is_preset
    for reason in objections(field_, tuple(without_result(table) for table in round_.tables)):
        rule = RULES.get(reason.code)
        if rule is None or reason.table not in looked_at or (rule == "rematch" and preset):
            continue
        yield Breach(rule, reason.table, reason.entrants)


# --- standings and records ---------------------------------------------------------------------


def _missing_standings(bundle: Bundle) -> Iterator[Finding]:
    """A proof states the standings of every stage that has begun, after its last round."""
    stated = {(standings.stage, standings.after) for standings in bundle.proof.standings}
    missing = [
        stage
        for stage in bundle.rows.stages
        if stage.published and (stage.number, stage.published[-1].number) not in stated
    ]
    if bundle.proof.digest and missing:
        yield from (Finding("no_standings", holds=False, stage=stage.number) for stage in missing)
    elif not stated:
        yield Finding("no_standings", holds=True)


def _check_standings(rows: TournamentRows, standings: PublishedStandings) -> Iterator[Finding]:
    """The standings are those that follow from the results."""
    stage = next((stage for stage in rows.stages if stage.number == standings.stage), None)
    if stage is None or standings.after not in {round_.number for round_ in stage.published}:
        yield Finding("no_such_round", holds=False, stage=standings.stage, round=standings.after)
        return
    try:
        expected = published_standings(rows, stage, standings.after)
    except CannotRank as error:
        facts = _facts(why=error.code)
        yield Finding(
            "cannot_rank", holds=False, stage=standings.stage, round=standings.after, facts=facts
        )
        return
    wrong = False
    for claimed, line in zip(standings.lines, expected.lines, strict=False):
        for name, value in line.items():
            if claimed.get(name) != value:
                wrong = True
                facts = _facts(field=name, stated=claimed.get(name), found=value)
                yield Finding(
                    "standing_differs",
                    holds=False,
                    stage=standings.stage,
                    round=standings.after,
                    entrants=(line["entrant"],),
                    facts=facts,
                )
    if len(standings.lines) != len(expected.lines):
        facts = _facts(stated=len(standings.lines), found=len(expected.lines))
        yield Finding("lines_missing", False, standings.stage, standings.after, facts=facts)
    elif not wrong:
        yield Finding("standings", holds=True, stage=standings.stage, round=standings.after)


def _check_records(bundle: Bundle, verdicts: Mapping[str, Verdict] | None) -> Iterator[Finding]:
    """The marks of a table are those of its record, played again."""
    if verdicts is None:
        return
    tables = {
        (round_, table.number): table
        for stage in bundle.rows.stages
        for round_, table in stage.tables()
    }
    good = 0
    by_table: dict[tuple[int, int], list[TableRecord]] = {}
    for record in bundle.proof.records:
        by_table.setdefault((record.round, record.table), []).append(record)
    for table_key, records in by_table.items():
        wrong = tuple(_missing_verdicts(records, verdicts))
        findings = wrong or _marks_difference(bundle.rows, tables.get(table_key), records, verdicts)
        good += 0 if findings else len(records)
        yield from findings
    yield Finding("records", holds=True, facts={"count": good})


def _missing_verdicts(
    records: Iterable[TableRecord], verdicts: Mapping[str, Verdict]
) -> Iterator[Finding]:
    """Yield what keeps the marks of a table from being compared: records missing or invalid."""
    for record in records:
        verdict = verdicts.get(record.digest)
        facts = _facts(digest=record.digest)
        if verdict is None:
            yield Finding("record_missing", True, 0, record.round, record.table, facts=facts)
            continue
        reason = verdict.faults[0].code if not verdict.valid else ""
        if not reason and sorted(record.sides) != sorted(verdict.score or {}):
            reason = "record.seats"  # the proof names sides that did not sit at this table
        if reason:
            facts = _facts(digest=record.digest, why=reason)
            yield Finding("record_invalid", False, 0, record.round, record.table, facts=facts)


def _marks_difference(
    rows: TournamentRows,
    table: Table | None,
    records: Sequence[TableRecord],
    verdicts: Mapping[str, Verdict],
) -> tuple[Finding, ...]:
    """Return the fault in a table's marks; nothing when they follow from its records."""
    round_, number = records[0].round, records[0].table
    score = _score_of(rows, sorted(records, key=lambda record: record.part), verdicts)
    if score is None:
        return (Finding("sets_differ", False, 0, round_, number),)
    expected = [[hands, points] for hands, points in zip(score.hands, score.points, strict=True)]
    claimed = [] if table is None else [[mark.hands, mark.points] for mark in table.marks or ()]
    if claimed == expected:
        return ()
    facts = _facts(stated=claimed, found=expected)
    return (Finding("marks_differ", False, 0, round_, number, facts=facts),)


def _score_of(
    rows: TournamentRows, records: Sequence[TableRecord], verdicts: Mapping[str, Verdict]
) -> Score | None:
    """Return the score of a match's records; nothing for sets that do not make a match."""
    parts = [_record_part(record, verdicts[record.digest]) for record in records]
    sides = len(records[0].sides)
    if records[0].set:
        return _sets_score(rows, records, sets_of(parts))
    if records[0].part:
        cotos = [Coto(part.points, part.shares.index(max(part.shares))) for part in parts]
        return tally(cotos, sides)
    marks = marks_of(verdicts[records[0].digest], records[0].sides)
    return Score.of(tuple(hands for hands, _ in marks), parts[0].points)


def _record_part(record: TableRecord, verdict: Verdict) -> Part:
    home = record.sides[0] if len(record.sides) == len(CROSSED) else "".join(record.sides)
    return part_of(verdict.score or {}, [hand.points for hand in verdict.hands], home)


def _sets_score(
    rows: TournamentRows, records: Sequence[TableRecord], sets: Sequence[DealSet]
) -> Score | None:
    """Return the score of sets, if they are whole and neither too many nor too few."""
    sides = len(records[0].sides)
    places = [(record.part, record.set) for record in records]
    if places != [(index + 1, index // sides + 1) for index in range(len(sets) * sides)]:
        return None
    max_sets = rows.options.get("deal_sets", len(sets))
    is_over = ends_after(sets, max_sets, rows.options.get("stop", {})) == len(sets)
    return tally(sets, sides) if is_over else None


def marks_of(verdict: Verdict, sides: Sequence[str]) -> list[list[int]]:
    """Return the hands and the points of each side of a record, as they were replayed."""
    score = verdict.score or {}
    points = [hand.points for hand in verdict.hands if hand.points is not None]
    return [[score.get(side, 0), sum(hand.get(side, 0) for hand in points)] for side in sides]
