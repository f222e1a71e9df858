"""``baza standings``: the table with its criteria, and the terms of a number."""

import argparse
import json
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.cli import CommandError
from tournaments.cli.reading import format_number, name_of, read_bundle, refusal_text
from tournaments.domain.card_points import columns_without_points, tables_without_points
from tournaments.domain.messages import has_message, message, passed_over_text
from tournaments.domain.pairing import FORMATS
from tournaments.domain.proof import line_document
from tournaments.domain.ranking import (
    CannotRank,
    GroupTable,
    StandingsLine,
    Value,
    order_of,
    tables,
    terms,
)
from tournaments.domain.rows import Stage, TournamentRows
from tournaments.domain.tiebreaks import Term
from tournaments.sheets.spreadsheets import MEDIA_TYPES, Cell, Column, make_table, to_bytes


def print_standings(options: argparse.Namespace) -> int:
    """Print the standings of each begun stage, or the terms of one entrant's numbers."""
    rows = read_bundle(options.file, options.lang).rows
    stages = [stage for stage in rows.stages if stage.published]
    if options.stage is not None:
        stages = [stage for stage in rows.stages if stage.number == options.stage]
        if not stages:
            raise CommandError(f"{options.file}: no stage {options.stage}")
    try:
        stage_tables = [(stage, tables(rows, stage, options.after)) for stage in stages]
    except CannotRank as error:
        text = refusal_text(error.code, options.lang, criterion=error.criterion)
        raise CommandError(f"{options.file}: {text}") from error
    if options.explain is not None:
        _explain(rows, stage_tables, options)
    elif options.output:
        _write_table(rows, stage_tables, options)
    elif options.json:
        print(json.dumps(document(rows, stage_tables, options.after), ensure_ascii=False))
    else:
        parts = (
            "\n".join(_table_lines(rows, stage, groups, options.after, options.lang))
            for stage, groups in stage_tables
        )
        print("\n\n".join(parts))
    return 0


StageTables = Sequence[tuple[Stage, Sequence[GroupTable]]]


def document(rows: TournamentRows, stage_tables: StageTables, after: int | None) -> dict[str, Any]:
    """Return the standings as JSON types."""
    return {
        "name": rows.name,
        "stages": [
            {
                "stage": stage.number,
                "format": stage.format,
                "after": _last(stage, after),
                "order": list(order_of(stage)),
                "tables": [
                    {
                        "group": group.group,
                        "lines": [
                            line_document(line) | {"name": rows.by_number[line.entrant].name}
                            for line in group.lines
                        ],
                    }
                    for group in groups
                ],
            }
            for stage, groups in stage_tables
        ],
    }


def _last(stage: Stage, after: int | None) -> int:
    numbers = [round_.number for round_ in stage.published]
    return max((n for n in numbers if after is None or n <= after), default=0)


def _table_lines(
    rows: TournamentRows,
    stage: Stage,
    groups: Sequence[GroupTable],
    after: int | None,
    language: str,
) -> Iterator[str]:
    """Yield the lines of a stage's tables in columns, and what was passed over in them."""
    hidden = columns_without_points(stage, [line for group in groups for line in group.lines])
    title = stage.name or f"{stage.number}. {stage.format}"
    yield f"{rows.name} · {title}"
    for group in groups:
        if group.group:
            yield f"  {message(language, 'cli.group', number=group.group)}"
        yield from in_columns(_cells(rows, stage, group.lines, hidden, language))
        if group.passed_over:
            count = tables_without_points(stage, after)
            yield passed_over_text(language, group.passed_over, count)
    lists = FORMATS[stage.format].lists
    if lists and (separate := lists(_until(stage, after))).lists:
        yield message(language, separate.note)


def _until(stage: Stage, after: int | None) -> Stage:
    """Return a stage as it was after a round."""
    rounds = (round_ for round_ in stage.rounds if after is None or round_.number <= after)
    return replace(stage, rounds=tuple(rounds))


def _cells(
    rows: TournamentRows,
    stage: Stage,
    lines: Sequence[StandingsLine],
    hidden: Container[str],
    language: str,
) -> Iterator[list[str]]:
    codes = [code for code in order_of(stage) if code not in hidden]
    percentages = any(line.possible for line in lines)
    yield [
        message(language, "cli.heading.place"),
        message(language, "cli.heading.name"),
        message(language, "column.match_points"),
        *(["%"] if percentages else []),
        *(message(language, f"column.{code}") for code in codes),
        message(language, "cli.heading.decided"),
    ]
    for line in lines:
        values = (value.number for value in line.values if value.code not in hidden)
        percentage = [_percentage(line)] if percentages else []
        yield [
            f"{line.rank}{'=' if line.shared else ''}",
            name_of(rows, line.entrant),
            format_number(line.match_points),
            *map(str, percentage),
            *map(format_number, values),
            deciding_criterion(line.decided_by, language),
        ]


def _write_table(rows: TournamentRows, stage_tables: StageTables, options: Any) -> None:
    """Write the standings of the only stage as CSV or XLSX, by the ending of the file's name."""
    path = Path(options.output)
    if (kind := path.suffix.removeprefix(".")) not in MEDIA_TYPES:
        raise CommandError(f"{path}: the name has to end in {' or '.join(MEDIA_TYPES)}")
    if len(stage_tables) != 1:
        raise CommandError(f"{options.file}: {len(stage_tables)} stages; name one by --stage")
    ((stage, groups),) = stage_tables
    lines = [(group.group, line) for group in groups for line in group.lines]
    columns = _columns(rows, stage, lines, options.lang)
    try:
        path.write_bytes(to_bytes(make_table(rows.name, columns, lines), kind))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error


GroupLine = tuple[int, StandingsLine]


def _columns(
    rows: TournamentRows, stage: Stage, lines: Sequence[GroupLine], language: str
) -> list[Column[GroupLine]]:
    """Return the columns of a table to take away; groups are numbered where there are any."""
    hidden = columns_without_points(stage, [line for _, line in lines])

    def heading(name: str) -> str:
        return message(language, f"cli.heading.{name}")

    def value_of(code: str) -> Callable[[GroupLine], Cell]:
        return lambda row: next(_plain(v.number) for v in row[1].values if v.code == code)

    criteria = [
        Column(message(language, f"column.{code}"), value_of(code))
        for code in order_of(stage)
        if code not in hidden
    ]
    groups = [Column[GroupLine](heading("group"), lambda row: row[0])]
    percentages = [Column[GroupLine]("%", lambda row: _percentage(row[1]))]
    return [
        *(groups if any(group for group, _ in lines) else ()),
        Column(heading("place"), lambda row: row[1].rank),
        Column(heading("name"), lambda row: name_of(rows, row[1].entrant)),
        Column(message(language, "column.match_points"), lambda row: _plain(row[1].match_points)),
        *(percentages if any(line.possible for _, line in lines) else ()),
        *criteria,
        Column(heading("decided"), lambda row: deciding_criterion(row[1].decided_by, language)),
    ]


def _percentage(line: StandingsLine) -> Cell:
    """Return the match points in percent of the possible ones, where there are any."""
    return round(float(100 * line.match_points / line.possible), 2) if line.possible else None


def _plain(number: Fraction | int | None) -> Cell:
    """Return an exact number as a spreadsheet takes it."""
    if number is None or number == int(number):
        return None if number is None else int(number)
    return round(float(number), 4)


def deciding_criterion(code: str, language: str) -> str:
    """Return the name of the criterion that put an entrant below the one above."""
    for family in ("decided", "column"):
        if has_message(f"{family}.{code}"):
            return message(language, f"{family}.{code}")
    return code


def in_columns(rows: Iterator[list[str]]) -> Iterator[str]:
    """Yield rows of cells as lines: names to the left, numbers to the right."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    last = len(widths) - 1
    for row in cells:
        yield "  ".join(
            cell.ljust(width) if index in (1, last) else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()


# --- terms of a number --------------------------------------------------------------------------


def _explain(rows: TournamentRows, stage_tables: StageTables, options: argparse.Namespace) -> None:
    entrant = _entrant(rows, options)
    sums = []
    for stage, groups in stage_tables:
        line = next((ln for group in groups for ln in group.lines if ln.entrant == entrant), None)
        if line is None:
            continue
        values = (Value("match_points", line.match_points), *line.values)
        for value in values:
            addends = terms(rows, stage, entrant, value, options.after)
            sums.append((stage, value, addends))
    if options.json:
        print(json.dumps([_sum_document(*sum_row) for sum_row in sums], ensure_ascii=False))
        return
    print(name_of(rows, entrant))
    for stage, value, addends in sums:
        print(f"{stage.number}. {message(options.lang, f'criterion.{value.code}')}: ", end="")
        print(format_number(value.number))
        for term in addends:
            print("   " + _addend(rows, term, options.lang))


def _entrant(rows: TournamentRows, options: argparse.Namespace) -> int:
    query = options.explain
    numbers = [entrant.number for entrant in rows.entrants if entrant.name == query]
    if len(numbers) == 1:
        return numbers[0]
    if query.isdecimal() and int(query) in rows.by_number:
        return int(query)
    raise CommandError(f"{options.file}: no entrant {query!r}; give a number or a name in full")


def _addend(rows: TournamentRows, term: Term, language: str) -> str:
    """Return a term as one line: round, amount, kind, and opponent."""
    prefix = "R" if term.round else ""
    amount = format_number(term.amount)
    if term.factors:
        amount += " = " + " × ".join(map(format_number, term.factors))
    parts = [f"{prefix}{term.round or ''}".rjust(4), amount.rjust(6)]
    parts.append(message(language, f"term.{term.note}"))
    if term.entrants:
        parts.append("· " + ", ".join(name_of(rows, entrant) for entrant in term.entrants))
    if term.cut:
        parts.append(f"[{message(language, f'cut.{term.cut}')}]")
    return " ".join(parts)


def _sum_document(stage: Stage, value: Value, addends: Sequence[Term]) -> dict[str, Any]:
    return {
        "stage": stage.number,
        "criterion": value.code,
        "number": None if value.number is None else str(value.number),
        "among": list(value.among),
        "terms": [
            {
                "round": term.round,
                "entrants": list(term.entrants),
                "amount": str(term.amount),
                "note": term.note,
                "factors": [str(factor) for factor in term.factors],
                "cut": term.cut,
            }
            for term in addends
        ],
    }
