"""FIDE's tournament report file (TRF): a stage of meetings of two, in and out.

Columns and records follow the format's edition of 2026 (FIDE Handbook C.04, annex; in force from
1 September 2025), which keeps the columns of 2016. For older programs the number of rounds, the
scale and the forbidden pairs are written a second time in the notation of the JaVaFo manual (XXR,
XXS, XXP); both are read. White is the first side, which deals last.

A report holds who met whom, on which side, and who won. It does not hold hands, card points, the
members of a pair or what is decided beside the score: `losses` names what a tournament would lose.
What cannot be said at all (three at a table, a half bye that is not worth a tie) is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from tournaments.domain.file.places import FileError, points
from tournaments.domain.pairing import FORMATS
from tournaments.domain.proof import published
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
    Points,
    Round,
    Scale,
    Stage,
    State,
    Table,
    TournamentRows,
)

MOST_BYTES: Final = 16 * 1024 * 1024
LARGEST_NUMBER: Final = 9999
MOST_ROUNDS: Final = 500
LONGEST_NAME: Final = 33
ROUNDS_AT: Final = 91
"""Columns before the first round; each round has ten."""

HALF: Final = Points(1, 2)
CHESS: Final = Scale(
    win=Points(1),
    tie=HALF,
    loss=Points(0),
    bye=Points(1),
    full=Points(1),
    half=HALF,
    forfeit_win=Points(1),
    forfeit_loss=Points(0),
)
"""The scale of a report that states none."""

BYES: Final[Mapping[Bye, str]] = {
    Bye.PAIRING: "U",
    Bye.FULL: "F",
    Bye.HALF: "H",
    Bye.ZERO: "Z",
}
HEADERS: Final = ("022", "032", "042", "052", "082", "102", "112", "122", "132", "152")
"""Records about the event that are kept as they are, in the tournament's option ``trf``."""

SWISS, ROUND_ROBIN = "swiss", "liguilla"
TYPES: Final[Mapping[str, str]] = {
    SWISS: "Individual: Swiss-System",
    ROUND_ROBIN: "Individual: Round-Robin",
}


# --- writing -----------------------------------------------------------------------------------


def rows_to_trf(rows: TournamentRows, stage: int | None = None) -> bytes:
    """Return a stage as a report, by default the only one that has begun.

    Raises `FileError` for what a report cannot hold (``not_alone``, ``not_two_sides``,
    ``no_such_bye``, ``out_of_range``), and `CannotRank`.
    """
    one = _only(rows, stage)
    _check(one)
    lines = chain(_head(rows, one), _players(rows, one), _tail(rows, one))
    return "".join(f"{line}\r\n" for line in lines).encode()


def losses(rows: TournamentRows, stage: int | None = None) -> tuple[str, ...]:
    """Return what the report of a stage does not hold, as codes of `words.file` (``lost``)."""
    one = _only(rows, stage)
    tables = [table for _, table in one.tables()]
    who = [rows.by_number[number] for number in one.entrants]
    lost = {
        "hands": any(mark.hands > 1 for table in tables for mark in table.marks or ()),
        "points": any(mark.points for table in tables for mark in table.marks or ()),
        "boards": any(table.boards for table in tables),
        "players": any(entrant.players for entrant in who),
        "clubs": any(entrant.club for entrant in who),
        "names": any(len(entrant.name) > LONGEST_NAME for entrant in who),
        "penalties": any(penalty.hands or penalty.points for penalty in rows.penalties),
        "stages": len(rows.stages) > 1,
        "seed": bool(one.seed),
    }
    return tuple(code for code, is_lost in lost.items() if is_lost)


def _only(rows: TournamentRows, number: int | None) -> Stage:
    begun = [stage for stage in rows.stages if published(stage)] or list(rows.stages)
    if number is not None:
        begun = [stage for stage in rows.stages if stage.number == number]
    if not begun:
        raise FileError("unknown_stage", "/stages", found=number or 1)
    if len(begun) > 1:
        raise FileError("not_alone", "/stages/1", found=begun[1].number)
    return begun[0]


def _check(stage: Stage) -> None:
    """Refuse what has no place in a report."""
    for number, table in stage.tables():
        path = f"/rounds/{number}/tables/{table.number}"
        if len(table.sides) > 2 or len(table.entrants) > len(table.sides):
            raise FileError("not_two_sides", path, found=len(table.entrants))
    scale = stage.rules.scale
    worth = {
        "full": (scale.full, scale.win),
        "half": (scale.half, scale.tie),
        "forfeit_win": (scale.forfeit_win, scale.win),
        "forfeit_loss": (scale.forfeit_loss, Points(0)),
    }
    used = {what for _, table in stage.tables() for what in _unusual(table)}
    for what, (found, expected) in worth.items():
        if what in used and found != expected:
            raise FileError("no_such_bye", f"/rules/scale/{what}", found=str(found))
    for who in stage.entrants:
        if who > LARGEST_NUMBER:
            raise FileError("out_of_range", "/entrants", found=who, least=1, most=LARGEST_NUMBER)


def _unusual(table: Table) -> Iterator[str]:
    if table.bye is not None:
        yield table.bye.value
    if table.forfeits:
        yield "forfeit_loss"
        yield "forfeit_win"


def _head(rows: TournamentRows, stage: Stage) -> Iterator[str]:
    yield f"012 {_plain(rows.name)}".rstrip()
    kept = rows.options.get("trf", {})
    headers: Mapping[str, Any] = kept if isinstance(kept, Mapping) else {}
    who = [rows.by_number[number] for number in stage.entrants]
    counts = {"062": len(who), "072": sum(entrant.rating > 0 for entrant in who)}
    type_ = TYPES.get(stage.format, f"Individual: {stage.format}")
    for tag in sorted({*HEADERS, "062", "072", "092"}):
        if tag == "092":
            yield f"092 {type_}"
        elif tag in counts:
            yield f"{tag} {counts[tag]}"
        else:
            said = headers.get(tag, ())
            yield from (f"{tag} {_line(text)}" for text in said if isinstance(text, str))
    if stage.rules.rounds is not None:
        yield f"142 {stage.rules.rounds}"
        yield f"XXR {stage.rules.rounds}"
    yield from _scale(stage.rules.scale)


def _scale(scale: Scale) -> Iterator[str]:
    if _with_defaults(scale.win, scale.tie, scale.loss, scale.bye) == _with_defaults(
        CHESS.win, CHESS.tie, CHESS.loss, CHESS.bye
    ):
        return
    worth = {"W": scale.win, "D": scale.tie, "L": scale.loss, "P": scale.bye}
    columns = [f"{code}{_points(value)}" for code, value in worth.items()]
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
    whole, rest = divmod(abs(int(tenths)), 10)
    text = f"{sign}{whole}.{rest}"
    return text.rjust(4)


def _players(rows: TournamentRows, stage: Stage) -> Iterator[str]:
    lines = {line.entrant: line for line in ranking(rows, stage)}
    cells = [_cells(round_) for round_ in published(stage)]
    for who in sorted(stage.entrants):
        entrant, line = rows.by_number[who], lines[who]
        rating = min(LARGEST_NUMBER, max(0, round(entrant.rating)))
        static = (
            f"001 {who:4}      {_plain(entrant.name)[:LONGEST_NAME]:<{LONGEST_NAME}} "
            f"{rating or '':>4}"
        )
        results = "".join(
            "  " + (round_.get(who) or _absent(stage, entrant, number))
            for number, round_ in zip(_numbers(stage), cells, strict=True)
        )
        place = f"{_points(line.match_points)} {line.rank:4}"
        yield f"{static:<80}{place}{results}".rstrip()


def _numbers(stage: Stage) -> list[int]:
    return [round_.number for round_ in published(stage)]


def _absent(stage: Stage, entrant: Entrant, number: int) -> str:
    late = stage.rules.late
    if number < entrant.joined and late is not Bye.PAIRING:
        return f"0000 - {BYES[late]}"
    return "0000 - Z"


def _cells(round_: Round) -> dict[int, str]:
    """What a round was for everybody who sat at a table: opponent, colour, result."""
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
        ids = " ".join(f"{who:4}" for who in together)
        yield f"260 001 {last:03} {ids}"
        yield "XXP " + " ".join(map(str, together))
    coming = max(_numbers(stage), default=0)
    for who in sorted(stage.entrants):
        for number, bye in rows.by_number[who].byes:
            if number > coming and bye is not Bye.PAIRING:
                yield f"240 {BYES[bye]} {number:03} {who:4}"
    for penalty in rows.penalties:
        if penalty.match_points and penalty.entrant in stage.entrants:
            worth = _points(-penalty.match_points)
            yield f"299          {worth}  {penalty.round:03} {penalty.entrant:4}"


def _apart(rows: TournamentRows, stage: Stage) -> list[tuple[int, ...]]:
    labels: dict[str, list[int]] = {}
    for who in sorted(stage.entrants):
        for label in rows.by_number[who].apart:
            labels.setdefault(label, []).append(who)
    return sorted({tuple(who) for who in labels.values() if len(who) > 1})


def _plain(text: str) -> str:
    """A name on one line, without what would move the columns."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _line(text: str) -> str:
    """A header as it was, in which columns may matter."""
    return "".join(c if c.isprintable() else " " for c in text).rstrip()


def _with_defaults(win: Points, tie: Points, loss: Points, bye: Points) -> Scale:
    """A scale as a report can state it: byes and forfeits are worth what they stand for."""
    return Scale(
        win=win,
        tie=tie,
        loss=loss,
        bye=bye,
        full=win,
        half=tie,
        forfeit_win=win,
        forfeit_loss=Points(0),
    )


# --- reading -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Report:
    """What the lines say, before it is put together."""

    name: str = ""
    type: str = ""
    rounds: int | None = None
    headers: dict[str, list[str]] = field(default_factory=dict)
    worth: dict[str, Points] = field(default_factory=dict)
    apart: set[tuple[int, ...]] = field(default_factory=set)
    byes: dict[int, dict[int, Bye]] = field(default_factory=dict)
    penalties: list[Penalty] = field(default_factory=list)
    players: dict[int, Entrant] = field(default_factory=dict)
    cells: dict[int, list[tuple[int, str, str]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a report; columns count from 1, as the format counts them."""

    number: int
    text: str

    @property
    def tag(self) -> str:
        return self.text[:3].upper()

    @property
    def rest(self) -> str:
        return self.text[4:].strip()

    def cut(self, first: int, last: int) -> str:
        return self.text[first - 1 : last].strip()

    def wrong(self, text: str, column: int = 1) -> FileError:
        return FileError("bad_line", found=text[:60], line=self.number, column=column)

    def number_at(self, first: int, last: int, most: int = LARGEST_NUMBER) -> int:
        """The whole number in some columns; 0 where they are blank."""
        text = self.cut(first, last)
        if text and not (text.isascii() and text.isdecimal() and int(text) <= most):
            raise self.wrong(text, first)
        return int(text or 0)

    def numbers(self, text: str) -> tuple[int, ...]:
        """The starting numbers in a text."""
        words = text.split()
        if not all(word.isascii() and word.isdecimal() and len(word) <= 4 for word in words):
            raise self.wrong(text)
        return tuple(int(word) for word in words)

    def points(self, text: str) -> Points:
        """Points as a report writes them; a decimal comma is read too."""
        try:
            return points(text.strip().replace(",", "."), "")
        except FileError as error:
            raise self.wrong(text) from error


def rows_from_trf(source: bytes | str) -> TournamentRows:
    """Read a report as a tournament of one stage: Swiss unless it says round robin.

    Records that say nothing about who met whom, the scale, byes or penalties are passed over; those
    about the event are kept in the option ``trf``. A last round of byes alone, and records 240, are
    byes asked for. Raises `FileError` (``bad_line`` with line and column, ``not_mutual``, …).
    """
    report = _Report()
    for line in _lines(source):
        reader = _READERS.get(line.tag)
        if reader is not None:
            reader(report, line)
        elif line.tag in HEADERS:
            report.headers.setdefault(line.tag, []).append(line.text[4:].rstrip())
    if not report.players:
        raise FileError("no_players")
    return _assembled(report)


def _lines(source: bytes | str) -> Iterator[_Line]:
    if len(source) > MOST_BYTES:
        raise FileError("too_large", most=MOST_BYTES)
    lines = _decoded(source).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, text in enumerate(lines, 1):
        if text.strip() and not text.startswith("###"):
            yield _Line(number, text)


def _decoded(source: bytes | str) -> str:
    """UTF-8, or Latin-1 as older programs write it."""
    if isinstance(source, str):
        return source
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return source.decode("latin-1")


def _read_player(report: _Report, line: _Line) -> None:
    who = line.number_at(5, 8)
    if not who or who in report.players:
        raise line.wrong(line.cut(5, 8), 5)
    name, rating = line.cut(15, 47), line.number_at(49, 52)
    report.players[who] = Entrant(who, name, rating=float(rating))
    report.cells[who] = list(_read_cells(line))


def _read_cells(line: _Line) -> Iterator[tuple[int, str, str]]:
    """Yield opponent, colour and result of every round."""
    for start in range(ROUNDS_AT + 1, len(line.text) + 1, 10):
        if start > ROUNDS_AT + 10 * MOST_ROUNDS:
            raise line.wrong(line.text[start:], start)
        colour, result = line.cut(start + 5, start + 5), line.cut(start + 7, start + 7)
        if colour.lower() not in ("w", "b", "-", "") or result.upper() not in _RESULTS:
            raise line.wrong(line.cut(start, start + 7), start)
        yield line.number_at(start, start + 3), colour.lower(), result.upper()


_RESULTS: Final = frozenset(["", *"1=0+-WDLHFUZ"])
_WON, _TIED, _LOST = "1W", "=D", "0L"


def _read_name(report: _Report, line: _Line) -> None:
    report.name = line.rest[:200]


def _read_type(report: _Report, line: _Line) -> None:
    report.type = line.rest


def _read_rounds(report: _Report, line: _Line) -> None:
    report.rounds = line.number_at(5, len(line.text), MOST_ROUNDS) or None


def _read_worth(report: _Report, line: _Line) -> None:
    for start in range(6, len(line.text) + 1, 9):
        code = line.cut(start, start).upper()
        if code:
            report.worth[code] = line.points(line.cut(start + 1, start + 4))


def _read_old_worth(report: _Report, line: _Line) -> None:
    """XXS: a code, an equals sign, points; white's and black's are not told apart here."""
    codes = {"WW": "W", "BW": "W", "WD": "D", "BD": "D", "WL": "L", "BL": "L", "PAB": "P"}
    for word in line.rest.split():
        code, equals, worth = word.partition("=")
        if not equals:
            raise line.wrong(word)
        report.worth[codes.get(code.upper(), code.upper())] = line.points(worth)


def _read_apart(report: _Report, line: _Line) -> None:
    text = line.rest if line.tag == "XXP" else line.text[12:]
    together = line.numbers(text)
    if len(together) > 1:
        report.apart.add(tuple(sorted(set(together))))


def _read_byes(report: _Report, line: _Line) -> None:
    kind, number = line.cut(5, 5).upper(), line.number_at(7, 9)
    byes = {code: bye for bye, code in BYES.items()}
    if kind not in ("F", "H", "Z") or not number:
        raise line.wrong(line.text)
    for who in line.numbers(line.text[10:]):
        report.byes.setdefault(who, {})[number] = byes[kind]


def _read_penalty(report: _Report, line: _Line) -> None:
    """Record 299 takes or gives points.

    With a type it changes what a result is worth, which no scale here can follow.
    """
    if line.cut(5, 5):
        raise line.wrong(line.text, 5)
    number = max(1, line.number_at(20, 22))
    worth = line.points(line.cut(14, 17))
    for who in line.numbers(line.text[23:]):
        report.penalties.append(Penalty(who, number, match_points=-worth))


_READERS: Final[Mapping[str, Callable[[_Report, _Line], None]]] = {
    "001": _read_player,
    "012": _read_name,
    "092": _read_type,
    "142": _read_rounds,
    "XXR": _read_rounds,
    "162": _read_worth,
    "XXS": _read_old_worth,
    "260": _read_apart,
    "XXP": _read_apart,
    "240": _read_byes,
    "299": _read_penalty,
}


# --- putting a report together -----------------------------------------------------------------


def _assembled(report: _Report) -> TournamentRows:
    _check_numbers(report)
    columns = max(map(len, report.cells.values()))
    rounds = [_round(report, index) for index in range(columns)]
    while rounds and not any(len(table.sides) > 1 for table in rounds[-1].tables):
        asked = rounds.pop()
        for table in asked.tables:
            if table.bye is not None:
                report.byes.setdefault(table.entrants[0], {})[asked.number] = table.bye
        _absent_next(report, asked.number)
    entrants = tuple(_entrant(report, who) for who in sorted(report.players))
    kind = _kind(report.type)
    scale = _stated_scale(report)
    rules = replace(FORMATS[kind].rules, scale=scale, rounds=report.rounds)
    order = sorted(report.players.values(), key=lambda e: (-e.rating, e.number))
    stage = Stage(1, kind, rules, tuple(e.number for e in order), tuple(rounds))
    options = {"trf": report.headers} if report.headers else {}
    return TournamentRows(
        report.name,
        options=options,
        entrants=entrants,
        stages=(stage,),
        penalties=tuple(report.penalties),
    )


def _check_numbers(report: _Report) -> None:
    """Refuse records about somebody who has no line of his own."""
    named = chain(*report.apart, report.byes, (penalty.entrant for penalty in report.penalties))
    for who in named:
        if who not in report.players:
            raise FileError("unknown_entrant", found=who)


def _absent_next(report: _Report, number: int) -> None:
    """In a column for the round to be drawn, ``Z`` says who will not be there."""
    for who, cells in report.cells.items():
        if len(cells) >= number and cells[number - 1][2] == "Z":
            report.byes.setdefault(who, {})[number] = Bye.ZERO


def _kind(text: str) -> str:
    plain = text.casefold().replace("-", " ")
    is_robin = "round robin" in plain or "berger" in plain or ROUND_ROBIN in plain
    return ROUND_ROBIN if is_robin else SWISS


def _stated_scale(report: _Report) -> Scale:
    worth = report.worth
    win, tie = worth.get("W", CHESS.win), worth.get("D", CHESS.tie)
    if worth.get("A", Points(0)) != 0:
        raise FileError("no_such_bye", found=f"A={worth['A']}")
    return _with_defaults(win, tie, worth.get("L", CHESS.loss), worth.get("P", win))


def _entrant(report: _Report, who: int) -> Entrant:
    labels = [f"260-{index}" for index, group in enumerate(sorted(report.apart), 1) if who in group]
    byes = tuple(sorted(report.byes.get(who, {}).items()))
    return replace(report.players[who], apart=tuple(labels), byes=byes)


def _round(report: _Report, index: int) -> Round:
    """Return a round: its tables in the order of the lower starting number, byes last."""
    said = {who: cells[index] for who, cells in report.cells.items() if index < len(cells)}
    meetings: list[Table] = []
    byes: list[Table] = []
    codes = {code: bye for bye, code in BYES.items()}
    for who in sorted(said):
        opponent, colour, result = said[who]
        if opponent:
            _check_mutual(said, who)
            if who < opponent:
                meetings.append(_meeting(who, opponent, colour, result, said[opponent]))
        elif result in codes and result != "Z":
            byes.append(Table(0, ((who,),), bye=codes[result]))
        elif result not in ("", "Z"):
            raise FileError("not_mutual", entrant=who, opponent=0)
    numbered = (replace(table, number=n) for n, table in enumerate([*meetings, *byes], 1))
    return Round(index + 1, tuple(numbered), State.CLOSED)


def _check_mutual(said: Mapping[int, tuple[int, str, str]], who: int) -> None:
    opponent = said[who][0]
    other = said.get(opponent, (0, "", ""))
    if other[0] != who or opponent == who or not _fit(said[who][2], other[2]):
        raise FileError("not_mutual", entrant=who, opponent=opponent)


def _fit(ours: str, theirs: str) -> bool:
    """Tell whether two results can be of the same meeting."""
    pairs = ((_WON, _LOST), (_TIED, _TIED), (_LOST, _WON), ("+", "-"), ("-", "+"), ("-", "-"))
    if not ours or not theirs:
        return ours == theirs
    return any(ours in one and theirs in other for one, other in pairs)


def _meeting(
    who: int, opponent: int, colour: str, result: str, theirs: tuple[int, str, str]
) -> Table:
    """Return the table of two; white first, and the lower number where no colour is said."""
    black = colour == "b" or (colour != "w" and theirs[1] == "w")
    sides = ((opponent,), (who,)) if black else ((who,), (opponent,))
    results = (theirs[2], result) if black else (result, theirs[2])
    forfeits = tuple(index for index, one in enumerate(results) if one == "-")
    if forfeits or not result:
        return Table(0, sides, forfeits=forfeits)
    marks = tuple(Mark(hands=int(one in _WON)) for one in results)
    return Table(0, sides, marks=marks)
