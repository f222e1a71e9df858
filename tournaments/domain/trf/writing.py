"""Writing a stage as a report."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Any

from tournaments.domain.file.places import FileError
from tournaments.domain.messages import message
from tournaments.domain.profiles import CHESS
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import Bye, Entrant, Points, Round, Scale, Stage, Table, TournamentRows
from tournaments.domain.trf.columns import (
    BYES,
    HEADERS,
    MAX_NAME_LENGTH,
    MAX_NUMBER,
    TYPES,
    with_defaults,
)


def rows_to_trf(rows: TournamentRows, stage: int | None = None) -> bytes:
    """Return a stage as a report, by default the only one that has begun.

    Raises `FileError` for what a report cannot hold (``not_alone``, ``not_two_sides``,
    ``no_such_bye``, ``out_of_range``), and `CannotRank`.
    """
    report_stage = _report_stage(rows, stage)
    _check(report_stage)
    lines = chain(
        _head(rows, report_stage), _players(rows, report_stage), _tail(rows, report_stage)
    )
    return "".join(f"{line}\r\n" for line in lines).encode()


def lost_facts(rows: TournamentRows, stage: int | None = None) -> tuple[str, ...]:
    """Return the losses of a stage's report, as codes of the messages ``file.lost``."""
    report_stage = _report_stage(rows, stage)
    tables = [table for _, table in report_stage.tables()]
    entrants = [rows.by_number[number] for number in report_stage.entrants]
    losses = {
        "format": report_stage.format not in TYPES,
        "hands": any(mark.hands > 1 for table in tables for mark in table.marks or ()),
        "points": any(mark.points for table in tables for mark in table.marks or ()),
        "boards": any(table.boards for table in tables),
        "players": any(entrant.players for entrant in entrants),
        "clubs": any(entrant.club for entrant in entrants),
        "names": any(len(entrant.name) > MAX_NAME_LENGTH for entrant in entrants),
        "penalties": any(penalty.hands or penalty.points for penalty in rows.penalties),
        "stages": len(rows.stages) > 1,
        "seed": bool(report_stage.seed),
    }
    return tuple(code for code, is_lost in losses.items() if is_lost)


def loss_messages(rows: TournamentRows, stage: int | None, language: str) -> tuple[str, ...]:
    """Return the losses of a stage's report as sentences, that of its format with its name."""
    format_name = message(language, f"format.{_report_stage(rows, stage).format}")
    return tuple(
        message(language, f"file.lost.{code}", format=format_name)
        for code in lost_facts(rows, stage)
    )


def _report_stage(rows: TournamentRows, number: int | None) -> Stage:
    stages = [stage for stage in rows.stages if stage.published] or list(rows.stages)
    if number is not None:
        stages = [stage for stage in rows.stages if stage.number == number]
    if not stages:
        raise FileError("unknown_stage", "/stages", found=number or 1)
    if len(stages) > 1:
        raise FileError("not_alone", "/stages/1", found=stages[1].number)
    return stages[0]


def _check(stage: Stage) -> None:
    """Refuse what has no place in a report."""
    for number, table in stage.tables():
        path = f"/rounds/{number}/tables/{table.number}"
        if len(table.sides) > 2 or len(table.entrants) > len(table.sides):
            raise FileError("not_two_sides", path, found=len(table.entrants))
    scale = stage.rules.scale
    values_by_name = {
        "full": (scale.full, scale.win),
        "half": (scale.half, scale.tie),
        "forfeit_win": (scale.forfeit_win, scale.win),
        "forfeit_loss": (scale.forfeit_loss, Points(0)),
    }
    used = {name for _, table in stage.tables() for name in _unusual(table)}
    for name, (value, expected) in values_by_name.items():
        if name in used and value != expected:
            raise FileError("no_such_bye", f"/rules/scale/{name}", found=str(value))
    for entrant in stage.entrants:
        if entrant > MAX_NUMBER:
            raise FileError("out_of_range", "/entrants", found=entrant, least=1, most=MAX_NUMBER)


def _unusual(table: Table) -> Iterator[str]:
    if table.bye is not None:
        yield table.bye.value
    if table.forfeits:
        yield "forfeit_loss"
        yield "forfeit_win"


def _head(rows: TournamentRows, stage: Stage) -> Iterator[str]:
    yield f"012 {_plain(rows.name)}".rstrip()
    stored = rows.options.get("trf", {})
    headers: Mapping[str, Any] = stored if isinstance(stored, Mapping) else {}
    entrants = [rows.by_number[number] for number in stage.entrants]
    counts = {"062": len(entrants), "072": sum(entrant.rating > 0 for entrant in entrants)}
    type_ = TYPES.get(stage.format, f"Individual: {stage.format}")
    for tag in sorted({*HEADERS, "062", "072", "092"}):
        if tag == "092":
            yield f"092 {type_}"
        elif tag in counts:
            yield f"{tag} {counts[tag]}"
        else:
            texts = headers.get(tag, ())
            yield from (f"{tag} {_line(text)}" for text in texts if isinstance(text, str))
    if stage.rules.rounds is not None:
        yield f"142 {stage.rules.rounds}"
        yield f"XXR {stage.rules.rounds}"
    yield from _scale(stage.rules.scale)


def _scale(scale: Scale) -> Iterator[str]:
    if with_defaults(scale.win, scale.tie, scale.loss, scale.bye) == CHESS:
        return  # what a report means that states none
    values = {"W": scale.win, "D": scale.tie, "L": scale.loss, "P": scale.bye}
    columns = [f"{code}{_points(value)}" for code, value in values.items()]
    yield "162  " + "    ".join(columns)
    yield f"XXS W={_points(scale.win).strip()} D={_points(scale.tie).strip()}" + "".join(
        f" {code}={_points(value).strip()}"
        for code, value in (("WL", scale.loss), ("BL", scale.loss), ("PAB", scale.bye))
    )


def _points(value: Fraction) -> str:
    """Write points in four columns, with one decimal."""
    tenths = value * 10
    if tenths.denominator != 1 or not -100 < value < 1000:
        raise FileError("out_of_range", "/rules/scale", found=str(value), least=-9.9, most=999.9)
    sign = "-" if tenths < 0 else ""
    units, rest = divmod(abs(int(tenths)), 10)
    text = f"{sign}{units}.{rest}"
    return text.rjust(4)


def _players(rows: TournamentRows, stage: Stage) -> Iterator[str]:
    alone = replace(stage, rules=replace(stage.rules, carry=False))
    lines = {line.entrant: line for line in ranking(rows, alone)}
    cells = [_cells(round_) for round_ in stage.published]
    for player in sorted(stage.entrants):
        entrant, line = rows.by_number[player], lines[player]
        rating = min(MAX_NUMBER, max(0, round(entrant.rating)))
        static = (
            f"001 {player:4}      {_plain(entrant.name)[:MAX_NAME_LENGTH]:<{MAX_NAME_LENGTH}} "
            f"{rating or '':>4}"
        )
        results = "".join(
            "  " + (round_.get(player) or _absent(stage, entrant, number))
            for number, round_ in zip(_numbers(stage), cells, strict=True)
        )
        standing = f"{_points(line.match_points)} {line.rank:4}"
        yield f"{static:<80}{standing}{results}".rstrip()


def _numbers(stage: Stage) -> list[int]:
    return [round_.number for round_ in stage.published]


def _absent(stage: Stage, entrant: Entrant, number: int) -> str:
    late_bye = stage.rules.late
    if number < entrant.joined and late_bye is not Bye.PAIRING:
        return f"0000 - {BYES[late_bye]}"
    return "0000 - Z"


def _cells(round_: Round) -> dict[int, str]:
    """Return the cells of a round for everybody at a table: opponent, colour, result."""
    cells: dict[int, str] = {}
    for table in round_.tables:
        if table.bye is not None:
            cells[table.entrants[0]] = f"0000 - {BYES[table.bye]}"
            continue
        first, second = table.entrants
        cells[first] = f"{second:4} w {_result(table, 0)}"
        cells[second] = f"{first:4} b {_result(table, 1)}"
    return cells


def _result(table: Table, side: int) -> str:
    if table.forfeits:
        return "-" if side in table.forfeits else "+"
    if not table.counts:
        return " "
    if table.winner is None:
        return "="
    return "1" if table.winner == side else "0"


def _tail(rows: TournamentRows, stage: Stage) -> Iterator[str]:
    last = stage.rules.rounds or max(_numbers(stage), default=1)
    for together in _apart(rows, stage):
        ids = " ".join(f"{entrant:4}" for entrant in together)
        yield f"260 001 {last:03} {ids}"
        yield "XXP " + " ".join(map(str, together))
    last_round = max(_numbers(stage), default=0)
    for entrant in sorted(stage.entrants):
        for number, bye in rows.by_number[entrant].byes:
            if number > last_round and bye is not Bye.PAIRING:
                yield f"240 {BYES[bye]} {number:03} {entrant:4}"
    for penalty in rows.penalties:
        if penalty.match_points and penalty.entrant in stage.entrants:
            points = _points(-penalty.match_points)
            yield f"299          {points}  {penalty.round:03} {penalty.entrant:4}"


def _apart(rows: TournamentRows, stage: Stage) -> list[tuple[int, ...]]:
    labels: dict[str, list[int]] = {}
    for entrant in sorted(stage.entrants):
        for label in rows.by_number[entrant].apart:
            labels.setdefault(label, []).append(entrant)
    return sorted({tuple(entrants) for entrants in labels.values() if len(entrants) > 1})


def _plain(text: str) -> str:
    """A name on one line, without what would move the columns."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _line(text: str) -> str:
    """A header as it was, in which columns may matter."""
    return "".join(c if c.isprintable() else " " for c in text).rstrip()
