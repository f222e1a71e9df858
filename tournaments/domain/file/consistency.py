"""Whether the parts of a tournament fit together: everybody at a table is known, and sits once."""

from collections.abc import Iterable

from tournaments.domain.file.places import FileError, child_path
from tournaments.domain.rows import Round, Stage, Table, TournamentRows
from tournaments.domain.scores import are_places


def check(rows: TournamentRows) -> None:
    """Raise :class:`FileError` at the first place that contradicts another one."""
    numbers = [entrant.number for entrant in rows.entrants]
    check_unique("/entrants", numbers, "number")
    check_unique("/stages", [stage.number for stage in rows.stages], "number")
    rounds: set[int] = set()
    for index, stage in enumerate(rows.stages):
        path = child_path("/stages", index)
        check_known(child_path(path, "entrants"), stage.entrants, set(numbers))
        check_unique(child_path(path, "entrants"), stage.entrants)
        _check_source(rows, index, f"{path}/rules/source")
        _check_beside(rows, stage, f"{path}/rules")
        for entrant in stage.lots:
            check_known(child_path(path, "lots"), (entrant,), set(stage.entrants))
        _check_rounds(stage, child_path(path, "rounds"), rounds)
    for index, penalty in enumerate(rows.penalties):
        check_known(child_path("/penalties", index) + "/entrant", (penalty.entrant,), set(numbers))


def check_table(table: Table, path: str) -> None:
    """Raise :class:`FileError` when what a table says does not fit its sides."""
    sides = len(table.sides)
    if (sides == 1) != (table.bye is not None):
        raise FileError("bye_alone", path, sides=sides)
    if table.bye is not None and (table.marks is not None or table.forfeits):
        raise FileError("bye_without_marks", path)
    for index in table.forfeits:
        if index >= sides:
            raise FileError("no_such_side", child_path(path, "forfeits"), found=index, sides=sides)
    check_unique(child_path(path, "forfeits"), table.forfeits)
    if table.cut and (table.marks is None or table.forfeits):
        raise FileError("cut_unplayed", child_path(path, "cut"))
    if table.decided is not None and table.decided >= sides:
        raise FileError(
            "no_such_side", child_path(path, "decided"), found=table.decided, sides=sides
        )
    _check_places(table, child_path(path, "places"))
    points_path = child_path(path, "board_points")
    if table.board_points and len(table.board_points) != len(table.boards):
        found, boards = len(table.board_points), len(table.boards)
        raise FileError("one_a_board", points_path, found=found, boards=boards)
    for index, row in enumerate(table.board_points):
        if len(row) != sides:
            row_path = child_path(points_path, index)
            raise FileError("one_a_side", row_path, found=len(row), sides=sides)


def _check_places(table: Table, path: str) -> None:
    if table.places and table.marks is None:
        raise FileError("places_unplayed", path)
    if table.places and not are_places(table.places, len(table.sides)):
        raise FileError("bad_places", path, sides=len(table.sides))


def check_unique(path: str, numbers: Iterable[int], field: str = "") -> None:
    """Raise :class:`FileError` when a number comes twice in a list."""
    seen_numbers: set[int] = set()
    for index, number in enumerate(numbers):
        if number in seen_numbers:
            item_path = child_path(path, index) + (f"/{field}" if field else "")
            raise FileError("twice", item_path, found=number)
        seen_numbers.add(number)


def check_known(path: str, numbers: Iterable[int], known_numbers: set[int]) -> None:
    """Raise :class:`FileError` when an entrant is not among those who take part."""
    for number in numbers:
        if number not in known_numbers:
            raise FileError("unknown_entrant", path, found=number)


def _check_source(rows: TournamentRows, index: int, path: str) -> None:
    source = rows.stages[index].rules.source
    if source is not None and source not in {stage.number for stage in rows.stages[:index]}:
        raise FileError("unknown_stage", path, found=source)


def _check_beside(rows: TournamentRows, stage: Stage, path: str) -> None:
    beside = stage.rules.beside
    others = {other.number for other in rows.stages} - {stage.number}
    if beside is not None and beside not in others:
        raise FileError("unknown_stage", f"{path}/beside", found=beside)
    for index, number in enumerate(stage.rules.without):
        if number not in others:
            raise FileError("unknown_stage", child_path(f"{path}/without", index), found=number)


def _check_rounds(stage: Stage, path: str, round_numbers: set[int]) -> None:
    last = 0
    entrants = set(stage.entrants)
    for index, round_ in enumerate(stage.rounds):
        round_path = child_path(path, index)
        if round_.number <= last:
            raise FileError(
                "out_of_order", child_path(round_path, "number"), found=round_.number, after=last
            )
        if round_.number in round_numbers:
            raise FileError("twice", child_path(round_path, "number"), found=round_.number)
        last = round_.number
        round_numbers.add(last)
        check_round(round_, round_path, entrants)


def check_round(round_: Round, path: str, entrants: set[int]) -> None:
    """Raise :class:`FileError` when an entrant sits at two tables, or is unknown."""
    tables = child_path(path, "tables")
    check_unique(tables, (table.number for table in round_.tables), "number")
    seated_entrants: set[int] = set()
    for index, table in enumerate(round_.tables):
        table_path = child_path(tables, index)
        check_table(table, table_path)
        check_known(child_path(table_path, "sides"), table.entrants, entrants)
        for entrant in table.entrants:
            if entrant in seated_entrants:
                raise FileError("seated_twice", child_path(table_path, "sides"), found=entrant)
            seated_entrants.add(entrant)
