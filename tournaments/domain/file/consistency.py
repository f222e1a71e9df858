"""Whether the parts of a tournament fit together: everybody at a table is known, and sits once."""

from collections.abc import Iterable

from tournaments.domain.file.places import FileError, below
from tournaments.domain.rows import Round, Stage, Table, TournamentRows


def check(rows: TournamentRows) -> None:
    """Raise :class:`FileError` at the first place that contradicts another one."""
    everybody = [entrant.number for entrant in rows.entrants]
    once("/entrants", everybody, "number")
    once("/stages", [stage.number for stage in rows.stages], "number")
    rounds: set[int] = set()
    for index, stage in enumerate(rows.stages):
        path = below("/stages", index)
        known(below(path, "entrants"), stage.entrants, set(everybody))
        once(below(path, "entrants"), stage.entrants)
        _check_source(rows, index, f"{path}/rules/source")
        for entrant in stage.lots:
            known(below(path, "lots"), (entrant,), set(stage.entrants))
        _check_rounds(stage, below(path, "rounds"), rounds)
    for index, penalty in enumerate(rows.penalties):
        known(below("/penalties", index) + "/entrant", (penalty.entrant,), set(everybody))


def check_table(table: Table, path: str) -> None:
    """Raise :class:`FileError` when what a table says does not fit its sides."""
    sides = len(table.sides)
    if (sides == 1) != (table.bye is not None):
        raise FileError("bye_alone", path, sides=sides)
    if table.bye is not None and (table.marks is not None or table.forfeits):
        raise FileError("bye_without_marks", path)
    for index in table.forfeits:
        if index >= sides:
            raise FileError("no_such_side", below(path, "forfeits"), found=index, sides=sides)
    once(below(path, "forfeits"), table.forfeits)
    if table.decided is not None and table.decided >= sides:
        raise FileError("no_such_side", below(path, "decided"), found=table.decided, sides=sides)
    if table.board_points and len(table.board_points) != sides:
        place = below(path, "board_points")
        raise FileError("one_a_side", place, found=len(table.board_points), sides=sides)
    for row in table.board_points:
        if len(row) != len(table.boards):
            place = below(path, "board_points")
            raise FileError("one_a_board", place, found=len(row), boards=len(table.boards))


def once(path: str, numbers: Iterable[int], field: str = "") -> None:
    """Raise :class:`FileError` when a number comes twice in a list."""
    seen: set[int] = set()
    for index, number in enumerate(numbers):
        if number in seen:
            place = below(path, index) + (f"/{field}" if field else "")
            raise FileError("twice", place, found=number)
        seen.add(number)


def known(path: str, numbers: Iterable[int], everybody: set[int]) -> None:
    """Raise :class:`FileError` when an entrant is not among those who take part."""
    for number in numbers:
        if number not in everybody:
            raise FileError("unknown_entrant", path, found=number)


def _check_source(rows: TournamentRows, index: int, path: str) -> None:
    source = rows.stages[index].rules.source
    if source is not None and source not in {stage.number for stage in rows.stages[:index]}:
        raise FileError("unknown_stage", path, found=source)


def _check_rounds(stage: Stage, path: str, seen: set[int]) -> None:
    last = 0
    entrants = set(stage.entrants)
    for index, round_ in enumerate(stage.rounds):
        place = below(path, index)
        if round_.number <= last:
            raise FileError("out_of_order", below(place, "number"), found=round_.number, after=last)
        if round_.number in seen:
            raise FileError("twice", below(place, "number"), found=round_.number)
        last = round_.number
        seen.add(last)
        check_round(round_, place, entrants)


def check_round(round_: Round, path: str, entrants: set[int]) -> None:
    """Raise :class:`FileError` when an entrant sits at two tables, or is unknown."""
    tables = below(path, "tables")
    once(tables, (table.number for table in round_.tables), "number")
    seated: set[int] = set()
    for index, table in enumerate(round_.tables):
        place = below(tables, index)
        check_table(table, place)
        known(below(place, "sides"), table.entrants, entrants)
        for entrant in table.entrants:
            if entrant in seated:
                raise FileError("seated_twice", below(place, "sides"), found=entrant)
            seated.add(entrant)
