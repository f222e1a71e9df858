"""Reads lists of entries: columns with a heading or without, or names that are pasted."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tournaments.domain.names import fold_name, marked_name
from tournaments.domain.person_names import judge_person
from tournaments.domain.roster.checks import (
    DuplicateCheck,
    escape_invisible,
    in_order,
    is_given,
    read_name,
)
from tournaments.domain.roster.columns import are_counters, recognise_columns
from tournaments.domain.roster.doubts import (
    MARKS_OF_MISREAD,
    are_no_persons,
    are_unlike,
    is_doubtful_label,
    is_state_label,
)
from tournaments.domain.roster.headings import (
    begins_as_title,
    is_number_of_pair,
    is_title,
    is_total,
)
from tournaments.domain.roster.plain import holds_two, is_inverted, plain_lines
from tournaments.domain.roster.ratings import read_ratings
from tournaments.domain.roster.rows import (
    FAULTS_OF_LISTS,
    MIRRORED,
    OPEN,
    RECOGNISE,
    REPEATED,
    RESERVE,
    SAME,
    TITLE,
    Column,
    EnteredLine,
    EntryList,
    LeftOut,
    ListedEntrant,
    Reading,
    RosterFault,
    Source,
)
from tournaments.domain.roster.tables import NamedRow, Table, divide_rows, read_table
from tournaments.domain.roster.text import clean_text, split_text

MAX_EXAMPLES: Final = 3
"""Cells of a column that a preview shows."""

_QUOTED: Final = re.compile(r'(?:^|[,;\t|]) *"', re.MULTILINE)
"""The beginning of a cell in quotes, in which a comma divides nothing."""


@dataclass(slots=True)
class _Draft:
    """A list while it is read: rows of named cells by line, and what goes into `EntryList`.

    ``texts`` are the lines as they are written; those ``labelled`` have a label that is no name, of
    those ``unread`` no row was made.
    """

    rows: list[NamedRow] = field(default_factory=list)
    faults: list[RosterFault] = field(default_factory=list)
    columns: tuple[Column, ...] = ()
    left_out: list[LeftOut] = field(default_factory=list)
    first_line: int = 1
    asked_rating: str = ""
    marks: int = 0
    texts: dict[int, str] = field(default_factory=dict)
    labelled: set[int] = field(default_factory=set)
    unread: set[int] = field(default_factory=set)
    is_repaired: bool = False


def read_entries(
    source: Source,
    *,
    pairs: bool,
    reading: Reading = RECOGNISE,
    current_name: Callable[[str], str] = str,
    is_known: Callable[[str], bool] | None = None,
) -> EntryList:
    """Read a list of entries, all by their names; nobody may be in it twice.

    The lines of what a program says are counted from 1. ``current_name`` returns the name that a
    player who was renamed has now, and every other name as it is. Names that no player has
    (``is_known``) are judged; without the function none is. A single player who is the same as one
    of an earlier line is left out.
    """
    draft = _Draft()
    if isinstance(source, (bytes, str)):
        _read_text(source, draft, reading, pairs=pairs)
    else:
        draft.rows += _entrant_rows(source, draft, pairs=pairs)
    seats = ("first", "second")[: 1 + pairs]
    seen: dict[int, tuple[str, ...]] = {}
    for line, row in draft.rows:
        seen[line] = (*seen.get(line, ()), *(row.get(seat, "") for seat in seats))
    _apply_answers(draft, reading.lines, seats)
    if is_known is not None:
        _doubt_names(draft, seats, is_known, reading.lines)
    values = _ratings(draft, reading.decimal_mark)
    lines = _entered_lines(draft, values, reading, current_name, pairs=pairs)
    return EntryList(
        lines,
        in_order(draft.faults),
        draft.columns,
        tuple(sorted(draft.left_out, key=lambda left: left.line)),
        draft.first_line,
        draft.asked_rating,
        draft.marks,
        draft.texts,
        seen,
    )


def _entered_lines(
    draft: _Draft,
    ratings: Sequence[float],
    reading: Reading,
    current_name: Callable[[str], str],
    *,
    pairs: bool,
) -> tuple[EnteredLine, ...]:
    """Return the entrants of the rows; the same pair or single player again is left out."""
    faults = draft.faults
    names = DuplicateCheck("duplicate_name", faults)
    players = DuplicateCheck("player_in_two_pairs" if pairs else "duplicate_name", faults)
    seated: set[tuple[str, str]] = set()
    lines = []
    for (line, row), rating in zip(draft.rows, ratings, strict=True):
        name = read_name(row["name"], line, faults) if is_given(row.get("name", "")) else ""
        people = [read_name(row[seat], line, faults) for seat in ("first", "second")[: 1 + pairs]]
        answers = [reading.answer_to((line, n), person) for n, person in enumerate(people, 1)]
        current = [
            current_name(person)
            if answer is None
            else read_name(answer.name or marked_name(person, answer.mark), line, faults)
            for person, answer in zip(people, answers, strict=True)
        ]
        earlier = {new: old for new, old in zip(current, people, strict=True) if new != old}
        first, second = (*current, "")[:2]
        if not pairs and answers[0] and answers[0].name and fold_name(first) in players.texts:
            draft.left_out.append(LeftOut(line, people[0], SAME))
            continue
        if first and (fold_name(second), fold_name(first)) in seated:
            draft.left_out.append(LeftOut(line, " / ".join(people), MIRRORED))
            continue
        seated.add((fold_name(first), fold_name(second)))
        club = read_name(row["club"], line, faults) if is_given(row.get("club", "")) else ""
        names.add(name, line)
        if first and fold_name(first) == fold_name(second):
            faults.append(RosterFault(line, "same_player_twice", first))
        else:
            players.add(first, line)
            players.add(second, line)
        lines.append(EnteredLine(line, name, first, second, club, rating, earlier))
    return tuple(lines)


def _apply_answers(
    draft: _Draft, answers: Mapping[int, Sequence[str]], seats: Sequence[str]
) -> None:
    """Put the names that were answered into the rows of their lines, and leave out the others.

    A line with several rows has the names of all of them. A label in doubt is no name then.
    """
    rows = [*draft.rows, *((line, {}) for line in answers if line in draft.unread)]
    left = {line: [name for name in answers[line] if is_given(name)] for line in answers}
    draft.rows = []
    for line, row in sorted(rows, key=lambda row: row[0]):
        if line not in answers:
            draft.rows.append((line, row))
        elif names := left[line][: len(seats)]:
            del left[line][: len(seats)]
            label = {"name": ""} if line in draft.labelled else {}
            named = dict(zip(seats, [*names, *[""] * len(seats)], strict=False))
            draft.rows.append((line, {"name": "", **row, **label, **named}))
        else:
            draft.left_out.append(LeftOut(line, draft.texts.get(line, ""), OPEN))
    draft.faults = [
        fault
        for fault in draft.faults
        if fault.line not in answers or fault.code in FAULTS_OF_LISTS
    ]


def _doubt_names(
    draft: _Draft,
    seats: Sequence[str],
    is_known: Callable[[str], bool],
    answers: Mapping[int, Sequence[str]],
) -> None:
    """Add a fault for each new name that may be none; in answered lines for what is none at all."""
    everybody = [
        (line, person)
        for line, row in draft.rows
        for seat in seats
        if is_given(person := " ".join(row.get(seat, "").split()))
    ]
    people = [(line, person) for line, person in everybody if not is_known(person)]
    names = [person for line, person in people if line not in answers]
    inverted = 2 * sum(name.count(",") == 1 for name in names) > len(names)
    # Among those whom the club knows, too: beside a known partner a remark would be the only name.
    unlike = are_unlike([person for line, person in everybody if line not in answers])
    for line, person in people:
        doubt = judge_person(person, may_be_inverted=inverted)
        if line in answers and (doubt is None or not doubt.is_refused):
            continue
        if doubt is not None:
            draft.faults.append(RosterFault(line, doubt.code, escape_invisible(person)))
        elif holds_two(person) or person in unlike:
            draft.faults.append(RosterFault(line, "line_remark", escape_invisible(person)))
        elif draft.is_repaired and not {*person}.isdisjoint(MARKS_OF_MISREAD):
            draft.faults.append(RosterFault(line, "misread_name", person))


def _ratings(draft: _Draft, decimal_mark: str) -> list[float]:
    """Read the ratings of all rows together: each is read as the others say."""
    cells = [row.get("rating", "") for _line, row in draft.rows]
    cells = [cell if is_given(cell) else "" for cell in cells]
    ratings = read_ratings(cells, decimal_mark)
    for place, (line, _row) in enumerate(draft.rows):
        text = escape_invisible(cells[place].strip())[:40]
        if place in ratings.ambiguous:
            draft.faults.append(RosterFault(line, "ambiguous_rating", text))
        elif ratings.values[place] is None:
            draft.faults.append(RosterFault(line, "bad_rating", text))
    draft.asked_rating = ratings.asked
    return [value or 0.0 for value in ratings.values]


def _entrant_rows(
    source: Sequence[ListedEntrant], draft: _Draft, *, pairs: bool
) -> Iterator[NamedRow]:
    """Yield what a program says as lines that were read."""
    faults = draft.faults
    for line, entrant in enumerate(source, 1):
        draft.texts[line] = " / ".join(entrant.players)
        if len(entrant.players) != 1 + pairs:
            draft.unread.add(line)
            faults.append(RosterFault(line, "wrong_number", str(len(entrant.players))))
            continue
        if entrant.name and not pairs:
            faults.append(RosterFault(line, "unknown_column", "name", "players, club, rating"))
        people = dict(zip(("first", "second"), entrant.players, strict=False))
        rating = str(entrant.rating) if entrant.rating else ""
        yield (
            line,
            {"name": entrant.name, "club": entrant.club, "rating": rating, **people},
        )


def _read_text(source: bytes | str, draft: _Draft, reading: Reading, *, pairs: bool) -> None:
    """Read a text into the draft, by its columns if it has any."""
    cleaned = clean_text(source, draft.faults, repair=reading.repair)
    if (
        cleaned is None or draft.faults or not cleaned.text.strip()
    ):  # an empty list is the caller's to refuse
        return
    draft.marks, draft.is_repaired = cleaned.marks, cleaned.is_repaired
    delimiter, grid = split_text(cleaned.text)
    table = divide_rows(grid.rows, reading.first_line)
    is_chosen = any(reading.columns) and len(reading.columns) == table.width
    is_table = grid.fault is None and _has_columns(table, delimiter, cleaned.text, pairs=pairs)
    if not (is_chosen or is_table or table.headings):
        _read_plain(cleaned.text, draft, reading.first_line, pairs=pairs)
        if table.width > 1:
            _doubt_columns(draft, pairs=pairs)
        if draft.faults and table.width > 1:  # it is asked what the columns hold
            draft.columns = _columns(table, ("",) * table.width)
        return
    if grid.fault:
        draft.faults.append(grid.fault)
    fields = reading.columns if is_chosen else recognise_columns(table, pairs=pairs)
    draft.columns = _columns(table, fields)
    draft.first_line = table.rows[0].line if table.rows else 1
    for why, rows in ((TITLE, table.titles), (REPEATED, table.repeated)):
        draft.left_out += [
            LeftOut(row.line, " ".join(filter(None, row.cells)), why) for row in rows
        ]
    draft.texts |= {row.line: " ".join(filter(None, row.cells)) for row in table.rows}
    draft.rows += read_table(table, fields, draft.faults, draft.left_out, pairs=pairs)
    draft.unread |= {fault.line for fault in draft.faults if fault.code not in FAULTS_OF_LISTS}
    if not is_chosen and table.width > 1:
        _doubt_columns(draft, pairs=pairs)


def _doubt_columns(draft: _Draft, *, pairs: bool) -> None:
    """Ask what the columns hold where the cells of one person are none in most lines."""
    seats = ("first", "second")[: 1 + pairs]
    if any(are_no_persons([row.get(seat, "") for _line, row in draft.rows]) for seat in seats):
        line = draft.rows[0][0]
        draft.rows = []
        draft.faults.append(RosterFault(line, "players_unknown"))


def _has_columns(table: Table, delimiter: str, text: str, *, pairs: bool) -> bool:
    """Tell whether a list that can be divided into cells is more than names."""
    columns = [table.cells(column) for column in range(table.width)]
    is_divided = table.width > 1 + pairs and (delimiter != "," or any(map(_are_notes, columns)))
    is_numbered = table.width > 1 and are_counters(columns[0])
    return is_divided or is_numbered or _QUOTED.search(text) is not None


def _are_notes(cells: Sequence[str]) -> bool:
    """Tell whether cells are too short for names: a cross, a tick, a telephone number."""
    return all(sum(map(str.isalpha, cell)) < 3 for cell in cells)


def _columns(table: Table, fields: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns as a preview shows them."""
    return tuple(
        Column(table.heading(column), field, tuple(table.cells(column)[:MAX_EXAMPLES]))
        for column, field in enumerate(fields)
    )


def _read_plain(text: str, draft: _Draft, first_line: int, *, pairs: bool) -> None:
    """Read names a line each into the draft; titles above them are left out."""
    draft.first_line = 0
    state = ""  # of a section such as "Reservas:"
    for line in plain_lines(text, pairs=pairs):
        is_right = len(line.players) == 1 + pairs
        is_label = line.content.rstrip(" *_").endswith(":") or is_state_label(line.content)
        is_above = not (draft.first_line or first_line) and is_title(line.content)
        is_names = is_right and (line.name or not begins_as_title(line.content))
        if line.line < first_line or is_label or (is_above and not is_names):
            draft.left_out.append(LeftOut(line.line, line.text, TITLE))
            state = line.content if is_state_label(line.content) else ""
            continue
        if line.is_open or is_total(line.content):
            draft.left_out.append(LeftOut(line.line, line.text, OPEN))
            continue
        draft.texts[line.line] = line.text
        if line.reserve:
            draft.left_out.append(LeftOut(line.line, line.reserve, RESERVE))
        if not is_right:
            count = str(len(line.players))
            draft.faults.append(RosterFault(line.line, "not_two_names", count))
            draft.unread.add(line.line)
            continue
        draft.first_line = draft.first_line or line.line
        seats = dict(zip(("first", "second"), line.players, strict=False))
        name = "" if is_number_of_pair(line.name) else line.name
        draft.rows.append((line.line, {"name": name, **seats}))
        if line.is_struck:
            draft.faults.append(RosterFault(line.line, "line_struck"))
        elif state:
            draft.faults.append(RosterFault(line.line, "line_below", state))
        elif is_inverted(line.content.strip(), line.players):
            draft.faults.append(RosterFault(line.line, "line_inverted", line.content.strip()))
        elif name and is_doubtful_label(name):
            draft.labelled.add(line.line)
            draft.faults.append(RosterFault(line.line, "line_label", name))
