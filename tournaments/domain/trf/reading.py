"""Reading a report as a tournament of one stage."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from tournaments.domain.file.places import FileError, points
from tournaments.domain.pairing import FORMATS
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
from tournaments.domain.trf.columns import (
    BYES,
    CHESS,
    HEADERS,
    LARGEST_NUMBER,
    MOST_BYTES,
    MOST_ROUNDS,
    ROUND_ROBIN,
    ROUNDS_AT,
    SWISS,
    with_defaults,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@dataclass(slots=True)
class _Report:
    """The lines of a report, parsed one by one."""

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
    """XXS: a code, an equals sign, points; the same for white and black here."""
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
    """Refuse records about a participant who has no line of their own."""
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
    return with_defaults(win, tie, worth.get("L", CHESS.loss), worth.get("P", win))


def _entrant(report: _Report, who: int) -> Entrant:
    labels = [f"260-{index}" for index, group in enumerate(sorted(report.apart), 1) if who in group]
    byes = tuple(sorted(report.byes.get(who, {}).items()))
    return replace(report.players[who], apart=tuple(labels), byes=byes)


def _round(report: _Report, index: int) -> Round:
    """Return a round: its tables in the order of the lower starting number, byes last."""
    of_round = {who: cells[index] for who, cells in report.cells.items() if index < len(cells)}
    meetings: list[Table] = []
    byes: list[Table] = []
    codes = {code: bye for bye, code in BYES.items()}
    for who in sorted(of_round):
        opponent, colour, result = of_round[who]
        if opponent:
            _check_mutual(of_round, who)
            if who < opponent:
                meetings.append(_meeting(who, opponent, colour, result, of_round[opponent]))
        elif result in codes and result != "Z":
            byes.append(Table(0, ((who,),), bye=codes[result]))
        elif result not in ("", "Z"):
            raise FileError("not_mutual", entrant=who, opponent=0)
    numbered = (replace(table, number=n) for n, table in enumerate([*meetings, *byes], 1))
    return Round(index + 1, tuple(numbered), State.CLOSED)


def _check_mutual(of_round: Mapping[int, tuple[int, str, str]], who: int) -> None:
    opponent = of_round[who][0]
    other = of_round.get(opponent, (0, "", ""))
    if other[0] != who or opponent == who or not _fit(of_round[who][2], other[2]):
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
