"""Checks of published standings, and of results by the verdicts of their records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from engine import Verdict
from tournaments.domain.awards import byes_earn_mean
from tournaments.domain.match_parts import Coto, DealSet, Part, ends_after, part_of, sets_of, tally
from tournaments.domain.proof import (
    Bundle,
    PublishedStandings,
    TableRecord,
    published_standings,
)
from tournaments.domain.ranking import CannotRank
from tournaments.domain.rows import Bye, PlaceRule, SumRule, Table, TournamentRows
from tournaments.domain.scores import CROSSED, Score
from tournaments.domain.verification.findings import Finding, facts_of


def missing_standings(bundle: Bundle) -> Iterator[Finding]:
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


def check_standings(rows: TournamentRows, standings: PublishedStandings) -> Iterator[Finding]:
    """The standings are those that follow from the results."""
    stage = next((stage for stage in rows.stages if stage.number == standings.stage), None)
    if stage is None or standings.after not in {round_.number for round_ in stage.published}:
        yield Finding("no_such_round", holds=False, stage=standings.stage, round=standings.after)
        return
    try:
        expected = published_standings(rows, stage, standings.after)
    except CannotRank as error:
        facts = facts_of(why=error.code)
        yield Finding(
            "cannot_rank", holds=False, stage=standings.stage, round=standings.after, facts=facts
        )
        return
    wrong = False
    for claimed, line in zip(standings.lines, expected.lines, strict=False):
        for name, value in line.items():
            if claimed.get(name) != value:
                wrong = True
                facts = facts_of(field=name, stated=claimed.get(name), found=value)
                yield Finding(
                    "standing_differs",
                    holds=False,
                    stage=standings.stage,
                    round=standings.after,
                    entrants=(line["entrant"],),
                    facts=facts,
                )
    if len(standings.lines) != len(expected.lines):
        facts = facts_of(stated=len(standings.lines), found=len(expected.lines))
        yield Finding("lines_missing", False, standings.stage, standings.after, facts=facts)
    elif not wrong:
        yield Finding("standings", holds=True, stage=standings.stage, round=standings.after)


def rules_of_before(rows: TournamentRows) -> Iterator[Finding]:
    """Name what `SumRule.ROUNDED` does in the table of a stage that has begun."""
    for stage in rows.stages:
        if stage.rules.sums is not SumRule.ROUNDED or not stage.published:
            continue
        tables = [table for _, table in stage.tables()]
        has_bye = any(table.bye is Bye.PAIRING for table in tables)
        lacks_points = any(table.lacks_points for table in tables)
        exact = replace(stage.rules, sums=SumRule.EXACT)
        if stage.rules.is_butler:
            yield Finding("butler_rounded", holds=True, stage=stage.number)
        if has_bye and byes_earn_mean(exact):
            yield Finding("bye_worth_a_win", holds=True, stage=stage.number)
        if stage.rules.drop_rounds and stage.rules.places is PlaceRule.PLAYED and lacks_points:
            yield Finding("dropped_round_blocks", holds=True, stage=stage.number)


def check_records(bundle: Bundle, verdicts: Mapping[str, Verdict] | None) -> Iterator[Finding]:
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
        facts = facts_of(digest=record.digest)
        if verdict is None:
            yield Finding("record_missing", True, 0, record.round, record.table, facts=facts)
            continue
        reason = verdict.faults[0].code if not verdict.valid else ""
        if not reason and sorted(record.sides) != sorted(verdict.score or {}):
            reason = "record.seats"  # the proof names sides that did not sit at this table
        if reason:
            facts = facts_of(digest=record.digest, why=reason)
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
    facts = facts_of(stated=claimed, found=expected)
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
