"""Reading a report as a tournament of one stage."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine import decode_text
from tournaments.domain.awards import awards
from tournaments.domain.file.places import FileError, points
from tournaments.domain.file.reading import MAX_BYTES
from tournaments.domain.pairing import FORMATS
from tournaments.domain.profiles import CHESS
from tournaments.domain.rows import (
    MAX_ROUNDS,
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
    BYE_OF,
    HEADERS,
    MAX_NUMBER,
    ROUND_ROBIN,
    ROUNDS_AT,
    SWISS,
    with_defaults,
)

Cell = tuple[int, str, str]
"""What a participant says of a round: opponent, colour, result."""


@dataclass(frozen=True, slots=True)
class _Abnormal:
    """Record 299: points for a result (``kind``) of some participants, or for none of them."""

    line: int
    kind: str
    round: int
    worth: Points
    who: tuple[int, ...]


@dataclass(slots=True)
class _Report:
    """The lines of a report, parsed one by one.

    ``lines`` are those of the participants; ``named`` are participants and the line of another
    record that speaks of them; ``notes`` what could not be read as it stands.
    """

    name: str = ""
    type: str = ""
    rounds: int | None = None
    headers: dict[str, list[str]] = field(default_factory=dict)
    worth: dict[str, Points] = field(default_factory=dict)
    apart: set[tuple[int, ...]] = field(default_factory=set)
    byes: dict[int, dict[int, Bye]] = field(default_factory=dict)
    absent: set[int] = field(default_factory=set)
    abnormal: list[_Abnormal] = field(default_factory=list)
    penalties: list[Penalty] = field(default_factory=list)
    players: dict[int, Entrant] = field(default_factory=dict)
    cells: dict[int, list[Cell]] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)
    named: list[tuple[int, int]] = field(default_factory=list)
    notes: list[FileError] = field(default_factory=list)


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

    def bad_line(self, text: str, column: int = 1) -> FileError:
        return FileError("bad_line", found=text[:60], line=self.number, column=column)

    def number_at(self, first: int, last: int, max_value: int = MAX_NUMBER) -> int:
        """The whole number in some columns; 0 where they are blank."""
        text = self.cut(first, last)
        if text and not (text.isascii() and text.isdecimal() and int(text) <= max_value):
            raise self.bad_line(text, first)
        return int(text or 0)

    def numbers(self, text: str) -> tuple[int, ...]:
        """The starting numbers in a text."""
        words = text.split()
        if not all(word.isascii() and word.isdecimal() and len(word) <= 4 for word in words):
            raise self.bad_line(text)
        return tuple(int(word) for word in words)

    def points(self, text: str) -> Points:
        """Points as a report writes them; a decimal comma is read too."""
        try:
            return points(text.strip().replace(",", "."), "")
        except FileError as error:
            raise self.bad_line(text) from error


_TAG: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:###|[0-9]{3}[ \r\n]|[A-Z]{3} )")


def is_report(source: bytes) -> bool:
    """Return whether a source is a report: its lines begin with a tag or a remark."""
    return _TAG.match(source) is not None


def read_trf(source: bytes | str) -> tuple[TournamentRows, tuple[FileError, ...]]:
    """Read a report as a tournament of one stage: Swiss unless it says round robin.

    Records that say nothing about who met whom, the scale, byes or penalties are passed over; those
    about the event are kept in the option ``trf``. A last round of byes alone, and records 240, are
    byes asked for. Returns the tournament and a note for everything that could not be read as it
    stands, with its line: such a record is left out, a result of which the two sides say different
    things counts for each as the own line says. Nobody is left out. Raises `FileError` for a file
    without participants, or with a starting number that is no number or is there twice.
    """
    report = _Report()
    for line in _lines(source):
        reader = _READERS.get(line.tag)
        if line.tag == "001":
            _read_player(report, line)
        elif reader is not None:
            try:
                reader(report, line)
            except FileError as error:
                report.notes.append(error)
        elif line.tag in HEADERS:
            report.headers.setdefault(line.tag, []).append(line.text[4:].rstrip())
    if not report.players:
        raise FileError("no_players")
    rows = _assemble_rows(report)
    return rows, tuple(sorted(report.notes, key=lambda note: note.facts["line"]))


def _lines(source: bytes | str) -> Iterator[_Line]:
    if len(source) > MAX_BYTES:
        raise FileError("too_large", most=MAX_BYTES)
    lines = _decoded(source).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, text in enumerate(lines, 1):
        if text.strip() and not text.startswith("###"):
            yield _Line(number, text)


def _decoded(source: bytes | str) -> str:
    if isinstance(source, str):
        return source
    try:
        return decode_text(source)[0]
    except UnicodeDecodeError:
        raise FileError("bad_encoding") from None


def _read_player(report: _Report, line: _Line) -> None:
    entrant = line.number_at(5, 8)
    if not entrant or entrant in report.players:
        raise line.bad_line(line.cut(5, 8), 5)
    try:
        rating = line.number_at(49, 52)
    except FileError as error:
        report.notes.append(error)
        rating = 0
    report.players[entrant] = Entrant(entrant, line.cut(15, 47), rating=float(rating))
    report.lines[entrant] = line.number
    report.cells[entrant] = list(_read_cells(report, line))


def _read_cells(report: _Report, line: _Line) -> Iterator[Cell]:
    """Yield opponent, colour and result of every round; one that cannot be read is blank."""
    for start in range(ROUNDS_AT + 1, len(line.text) + 1, 10):
        if start > ROUNDS_AT + 10 * MAX_ROUNDS:
            report.notes.append(line.bad_line(line.text[start:], start))
            return
        colour, result = line.cut(start + 5, start + 5), line.cut(start + 7, start + 7)
        try:
            opponent = line.number_at(start, start + 3)
            if colour.lower() not in ("w", "b", "-", "") or result.upper() not in _RESULTS:
                raise line.bad_line(line.cut(start, start + 7), start)
        except FileError as error:
            report.notes.append(error)
            yield 0, "", ""
        else:
            yield opponent, colour.lower(), result.upper()


_RESULTS: Final = frozenset(["", *"1=0+-WDLHFUZ"])
_WON, _TIED, _LOST = "1W", "=D", "0L"


def _read_name(report: _Report, line: _Line) -> None:
    report.name = line.rest[:200]


def _read_type(report: _Report, line: _Line) -> None:
    report.type = line.rest


def _read_rounds(report: _Report, line: _Line) -> None:
    report.rounds = line.number_at(5, len(line.text), MAX_ROUNDS) or None


def _read_worth(report: _Report, line: _Line) -> None:
    for start in range(6, len(line.text) + 1, 9):
        code = line.cut(start, start).upper()
        if code:
            _note_worth(report, line, code, line.points(line.cut(start + 1, start + 4)))


def _read_old_worth(report: _Report, line: _Line) -> None:
    """XXS: a code, an equals sign, points; the same for white and black here."""
    codes = {"WW": "W", "BW": "W", "WD": "D", "BD": "D", "WL": "L", "BL": "L", "PAB": "P"}
    for word in line.rest.split():
        code, equals, value = word.partition("=")
        if not equals:
            raise line.bad_line(word)
        code = codes.get(code.upper(), code.upper())
        _note_worth(report, line, code, line.points(value))


def _note_worth(report: _Report, line: _Line, code: str, value: Points) -> None:
    """An absence that is worth something is a scale that the service does not have."""
    if code == "A" and value:
        raise FileError("no_such_bye", found=f"A={value}", line=line.number, column=1)
    report.worth[code] = value


def _read_apart(report: _Report, line: _Line) -> None:
    text = line.rest if line.tag == "XXP" else line.text[12:]
    together = line.numbers(text)
    report.named += [(entrant, line.number) for entrant in together]
    if len(together) > 1:
        report.apart.add(tuple(sorted(set(together))))


def _read_absent(report: _Report, line: _Line) -> None:
    """XXZ: who is not to be paired in the next round."""
    absent = line.numbers(line.rest)
    report.named += [(entrant, line.number) for entrant in absent]
    report.absent.update(absent)


def _read_byes(report: _Report, line: _Line) -> None:
    kind, number = line.cut(5, 5).upper(), line.number_at(7, 9)
    if kind not in ("F", "H", "Z") or not number:
        raise line.bad_line(line.text)
    for entrant in line.numbers(line.text[10:]):
        report.named.append((entrant, line.number))
        report.byes.setdefault(entrant, {})[number] = BYE_OF[kind]


def _read_penalty(report: _Report, line: _Line) -> None:
    """Record 299 takes or gives points; with a type it says what a result is worth for some."""
    kind = line.cut(5, 5).upper()
    if kind and kind not in _KINDS:
        raise line.bad_line(line.text, 5)
    value, number = line.points(line.cut(14, 17)), line.number_at(20, 22)
    entrants = line.numbers(line.text[23:])
    report.named += [(entrant, line.number) for entrant in entrants]
    report.abnormal.append(_Abnormal(line.number, kind, number, value, entrants))


_KINDS: Final[Mapping[str, str]] = {
    "W": _WON,
    "D": _TIED,
    "L": _LOST,
    **{letter: letter for letter in "FHZ+-"},
}
"""The types of record 299 and the results that they mean."""

_READERS: Final[Mapping[str, Callable[[_Report, _Line], None]]] = {
    "012": _read_name,
    "092": _read_type,
    "142": _read_rounds,
    "XXR": _read_rounds,
    "162": _read_worth,
    "XXS": _read_old_worth,
    "260": _read_apart,
    "XXP": _read_apart,
    "XXZ": _read_absent,
    "240": _read_byes,
    "299": _read_penalty,
}


# --- putting a report together -----------------------------------------------------------------


def _assemble_rows(report: _Report) -> TournamentRows:
    _forget_unknown(report)
    scale = _stated_scale(report)
    columns = max(map(len, report.cells.values()))
    rounds = [_round(report, index, scale) for index in range(columns)]
    _add_abnormal(report, scale)
    while rounds and not any(len(table.sides) > 1 for table in rounds[-1].tables):
        bye_round = rounds.pop()
        for table in bye_round.tables:
            if table.bye is not None:
                report.byes.setdefault(table.entrants[0], {})[bye_round.number] = table.bye
        _absent_next(report, bye_round.number)
    for entrant in report.absent:
        report.byes.setdefault(entrant, {}).setdefault(len(rounds) + 1, Bye.ZERO)
    entrants = tuple(_entrant(report, entrant) for entrant in sorted(report.players))
    kind = _kind(report.type)
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


def _forget_unknown(report: _Report) -> None:
    """Note records about a participant who has no line of their own, and leave that one out."""
    for entrant, line in report.named:
        if entrant not in report.players:
            report.notes.append(FileError("unknown_entrant", found=entrant, line=line, column=1))
    players = report.players.keys()
    groups = {tuple(entrant for entrant in group if entrant in players) for group in report.apart}
    report.apart = {group for group in groups if len(group) > 1}
    report.byes = {entrant: byes for entrant, byes in report.byes.items() if entrant in players}
    report.absent &= players


def _add_abnormal(report: _Report, scale: Scale) -> None:
    """Add records 299 as penalties: what a result is worth by the scale less what they say."""
    for record in report.abnormal:
        for entrant in record.who:
            if entrant not in report.players:
                continue
            if not record.kind:
                penalty = Penalty(entrant, max(1, record.round), match_points=-record.worth)
                report.penalties.append(penalty)
                continue
            rounds = [
                number
                for number, (_, _, result) in enumerate(report.cells[entrant], 1)
                if record.round in (0, number) and result and result in _KINDS[record.kind]
            ]
            for number in rounds:
                less = _result_points(scale, report.cells[entrant][number - 1][2]) - record.worth
                if less:
                    report.penalties.append(Penalty(entrant, number, match_points=less))
            if not rounds:
                text = f"299 {record.kind} {entrant}"
                report.notes.append(FileError("bad_line", found=text, line=record.line, column=5))


def _result_points(scale: Scale, result: str) -> Points:
    """Return the match points of a result as a report writes it."""
    if result in BYE_OF:
        return scale.bye_points(BYE_OF[result])
    if result in ("+", "-"):
        return scale.forfeit_win if result == "+" else scale.forfeit_loss
    if result in _WON:
        return scale.win
    return scale.tie if result in _TIED else scale.loss


def _absent_next(report: _Report, number: int) -> None:
    """In a column for the round to be drawn, ``Z`` says who will not be there."""
    for entrant, cells in report.cells.items():
        if len(cells) >= number and cells[number - 1][2] == "Z":
            report.byes.setdefault(entrant, {})[number] = Bye.ZERO


def _kind(text: str) -> str:
    plain = text.casefold().replace("-", " ")
    is_robin = "round robin" in plain or "berger" in plain or ROUND_ROBIN in plain
    return ROUND_ROBIN if is_robin else SWISS


def _stated_scale(report: _Report) -> Scale:
    values = report.worth
    win, tie = values.get("W", CHESS.win), values.get("D", CHESS.tie)
    return with_defaults(win, tie, values.get("L", CHESS.loss), values.get("P", win))


def _entrant(report: _Report, entrant: int) -> Entrant:
    labels = [
        f"260-{index}" for index, group in enumerate(sorted(report.apart), 1) if entrant in group
    ]
    byes = tuple(sorted(report.byes.get(entrant, {}).items()))
    return replace(report.players[entrant], apart=tuple(labels), byes=byes)


def _round(report: _Report, index: int, scale: Scale) -> Round:
    """Return a round: its tables in the order of the lower starting number, byes last."""
    of_round = {
        entrant: cells[index] for entrant, cells in report.cells.items() if index < len(cells)
    }
    meetings: list[Table] = []
    byes: list[Table] = []
    for entrant in sorted(of_round):
        opponent, colour, result = of_round[entrant]
        opponent_cell = of_round.get(opponent, (0, "", ""))
        if opponent and opponent_cell[0] == entrant and opponent != entrant:
            if entrant < opponent:
                table = _meeting(entrant, opponent, colour, result, opponent_cell)
                meetings.append(table)
                if not _results_fit(result, opponent_cell[2]):
                    _even_out(report, index + 1, table, scale, of_round)
            continue
        if opponent:
            report.notes.append(_not_mutual_error(report, entrant, opponent))
        elif result not in ("", "+", "-", *BYE_OF):
            line, column = report.lines[entrant], ROUNDS_AT + 1 + 10 * index
            text = f"0000 {colour or '-'} {result}"
            report.notes.append(FileError("bad_line", found=text, line=line, column=column))
        bye = BYE_OF.get(_AS_BYE.get(result, result))
        if bye is not None and bye is not Bye.ZERO:
            byes.append(Table(0, ((entrant,),), bye=bye))
    numbered = (replace(table, number=n) for n, table in enumerate([*meetings, *byes], 1))
    return Round(index + 1, tuple(numbered), State.CLOSED)


_AS_BYE: Final[Mapping[str, str]] = {
    **dict.fromkeys("+1W", "F"),
    **dict.fromkeys("=D", "H"),
    **dict.fromkeys("-0L", "Z"),
}
"""Results without an opponent: TRF16 writes ``0000 - +`` where the edition of 2026 writes F."""


def _not_mutual_error(report: _Report, entrant: int, opponent: int) -> FileError:
    line = report.lines[entrant]
    return FileError("not_mutual", entrant=entrant, opponent=opponent, line=line, column=1)


def _even_out(
    report: _Report, number: int, table: Table, scale: Scale, of_round: Mapping[int, Cell]
) -> None:
    """Note a meeting whose sides report results that do not fit.

    Penalties give each the points of the own line; a side that reports nothing gets those of the
    other's report.
    """
    first, other = sorted(table.entrants)
    report.notes.append(_not_mutual_error(report, first, other))
    stage = Stage(1, SWISS, replace(FORMATS[SWISS].rules, scale=scale))
    scored_stage = replace(stage, rounds=(Round(1, (replace(table, number=1),), State.CLOSED),))
    for entrant, award in zip(table.entrants, awards(scored_stage).get((1, 1), ()), strict=False):
        result = of_round[entrant][2]
        if result and award != _result_points(scale, result):
            less = award - _result_points(scale, result)
            report.penalties.append(Penalty(entrant, number, match_points=less))


def _results_fit(result: str, opponent_result: str) -> bool:
    """Tell whether two results can be of the same meeting."""
    pairs = ((_WON, _LOST), (_TIED, _TIED), (_LOST, _WON), ("+", "-"), ("-", "+"), ("-", "-"))
    if not result or not opponent_result:
        return result == opponent_result
    return any(result in own_results and opponent_result in other for own_results, other in pairs)


def _meeting(entrant: int, opponent: int, colour: str, result: str, opponent_cell: Cell) -> Table:
    """Return the table of two; white first, and the lower number where no colour is said."""
    black = colour == "b" or (colour != "w" and opponent_cell[1] == "w")
    sides = ((opponent,), (entrant,)) if black else ((entrant,), (opponent,))
    results = (opponent_cell[2], result) if black else (result, opponent_cell[2])
    if not any(results):
        return Table(0, sides)
    if "+" in results or (set(results) <= {"-", ""}):
        forfeits = tuple(index for index, code in enumerate(results) if code != "+")
        return Table(0, sides, forfeits=forfeits or (1,))
    if "-" in results and not _results_fit(*results):
        return Table(0, sides, forfeits=tuple(i for i, code in enumerate(results) if code == "-"))
    marks = tuple(Mark(hands=int(code in _WON)) for code in results)
    if "" in results:
        only = "".join(results)
        first = Mark(int(only in _WON)), Mark(int(only in _LOST))
        marks = first if results[0] else first[::-1]
    return Table(0, sides, marks=marks)
