"""Board A and board B are filled from one table, and are played at the same time."""

from dataclasses import replace

from tests.domain.events import better_seed_wins
from tournaments.domain.drafts import draw_again, numbers_from, rows_before
from tournaments.domain.file import rows_from_bytes, rows_to_bytes
from tournaments.domain.next_stages import (
    can_share_entrants,
    is_forked,
    stage_to_begin_beside,
    stages_to_draw,
    with_fixed_lines,
)
from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Entrant, Round, Stage, State, TournamentRows
from tournaments.domain.stages import (
    begin_stage,
    next_draw,
    next_round,
    stage_of,
    with_round,
    with_stage,
)


def after_the_groups(
    boards: tuple[str, str] = ("knockout", "knockout"), take: int = 2
) -> TournamentRows:
    """Four groups of four that are over; the two best of each go to board A, all others to B."""
    first, second = boards
    stages = (
        Stage(1, "groups", replace(FORMATS["groups"].rules, groups=4), tuple(range(1, 17))),
        Stage(2, first, replace(FORMATS[first].rules, take=take)),
        Stage(3, second, replace(FORMATS[second].rules, take_from=take, source=1)),
    )
    entrants = tuple(Entrant(number) for number in range(1, 17))
    rows = TournamentRows("event", entrants=entrants, stages=stages)
    for _ in range(3):
        rows = play(rows, 1)
    return rows


def begun(rows: TournamentRows, number: int) -> TournamentRows:
    """Begin a stage, as the service does: it notes beside which one."""
    rows = with_fixed_lines(rows)
    stage = stage_of(rows, number)
    rules = replace(stage.rules, beside=stage_to_begin_beside(rows, stage))
    rows = with_stage(rows, replace(stage, rules=rules))
    return with_stage(rows, replace(stage_of(rows, number), entrants=begin_stage(rows, number)))


def drawn(rows: TournamentRows, number: int, state: State = State.PUBLISHED) -> TournamentRows:
    """Draw the next round of a stage, without results."""
    tables = next_draw(rows, stage=number).tables
    rows = with_round(rows, number, tables)
    stage = stage_of(rows, number)
    last = replace(stage.rounds[-1], state=state)
    return with_stage(rows, replace(stage, rounds=(*stage.rounds[:-1], last)))


def play(rows: TournamentRows, number: int) -> TournamentRows:
    """Draw, play and close the next round of a stage."""
    return results(drawn(rows, number), number)


def results(rows: TournamentRows, number: int) -> TournamentRows:
    stage = stage_of(rows, number)
    last = stage.rounds[-1]
    closed = Round(last.number, tuple(better_seed_wins(table) for table in last.tables))
    return with_stage(rows, replace(stage, rounds=(*stage.rounds[:-1], closed)))


def to_draw(rows: TournamentRows) -> list[int]:
    return [stage.number for stage in stages_to_draw(rows)]


def test_both_boards_can_be_drawn_once_the_groups_are_over() -> None:
    rows = after_the_groups()
    assert to_draw(rows) == [2, 3]
    first = stage_of(rows, 1)
    assert to_draw(with_stage(rows, replace(first, rounds=first.rounds[:-1]))) == [1]


def test_a_round_of_one_board_does_not_keep_the_other_from_its_own() -> None:
    rows = drawn(begun(after_the_groups(), 2), 2)
    assert to_draw(rows) == [3]
    rows = drawn(begun(rows, 3), 3)
    assert to_draw(rows) == []
    assert [r.number for r in stage_of(rows, 2).rounds + stage_of(rows, 3).rounds] == [4, 5]
    rows = drawn(results(rows, 2), 2)
    assert stage_of(rows, 2).rounds[-1].number == 6
    assert to_draw(results(rows, 3)) == [3]


def test_the_second_board_sits_at_the_tables_after_those_of_the_first() -> None:
    rows = begun(begun(after_the_groups(), 2), 3)
    first, second = (next_draw(rows, stage=number) for number in (2, 3))
    assert [table.number for table in first.tables] == [1, 2, 3, 4]
    assert [table.number for table in second.tables] == [5, 6, 7, 8]
    assert {reason.table for reason in second.reasons} >= {5, 6, 7, 8}


def test_pinned_tables_of_the_second_board_keep_their_numbers_in_every_format() -> None:
    for format_ in ("knockout", "swiss", "liguilla", "double", "lives", "repesca"):
        rows = begun(begun(after_the_groups(("knockout", format_)), 2), 3)
        tables = next_draw(rows, stage=3).tables
        pinned = tuple(replace(table, pinned=True) for table in tables[1:3])
        again = next_draw(rows, pinned, stage=3).tables
        assert {table.number: frozenset(table.entrants) for table in again} == {
            table.number: frozenset(table.entrants) for table in tables
        }


def test_who_has_left_one_board_or_came_back_does_not_move_the_other() -> None:
    rows = drawn(begun(after_the_groups(), 2), 2)
    best = stage_of(rows, 2).entrants
    others = set(range(1, 17)) - set(best)
    gone = tuple(
        replace(entrant, absences=((4, None),)) if entrant.number == best[0] else entrant
        for entrant in rows.entrants
    )
    assert set(stage_of(begun(replace(rows, entrants=gone), 3), 3).entrants) == others
    was_away = [replace(rows.entrants[0], absences=((4, None),)), *rows.entrants[1:]]
    early = drawn(begun(replace(after_the_groups(), entrants=tuple(was_away)), 2), 2)
    back = replace(early, entrants=rows.entrants)
    taken = set(stage_of(early, 2).entrants)
    assert 1 not in taken
    assert set(stage_of(begun(back, 3), 3).entrants) == set(range(1, 17)) - taken


def test_a_board_that_begins_after_the_other_is_over_has_all_who_were_in_none() -> None:
    rows = begun(after_the_groups(), 2)
    for _ in range(3):
        rows = play(rows, 2)
    best = stage_of(rows, 2).entrants
    others = set(range(1, 17)) - set(best)
    after = stage_of(begun(rows, 3), 3)
    assert (set(after.entrants), after.rules.beside) == (others, None)
    gone = tuple(
        replace(entrant, absences=((5, None),)) if entrant.number == best[-1] else entrant
        for entrant in rows.entrants
    )
    assert set(stage_of(begun(replace(rows, entrants=gone), 3), 3).entrants) == others


def test_stages_that_an_entrant_can_come_into_both_are_played_one_after_the_other() -> None:
    rows = after_the_groups()
    rules = replace(stage_of(rows, 3).rules, take_from=1)
    shared = with_stage(rows, replace(stage_of(rows, 3), rules=rules))
    assert can_share_entrants(shared, stage_of(shared, 2), stage_of(shared, 3))
    assert to_draw(shared) == [2]
    assert to_draw(drawn(begun(shared, 2), 2)) == []
    assert not can_share_entrants(rows, stage_of(rows, 2), stage_of(rows, 3))
    assert can_share_entrants(rows, stage_of(rows, 1), stage_of(rows, 3))
    assert is_forked({1: None, 2: None, 3: 1})
    assert not is_forked({1: None, 2: 1, 3: 2})


def test_a_final_of_one_board_is_played_beside_the_other() -> None:
    rows = after_the_groups()
    final = Stage(4, "knockout", replace(FORMATS["knockout"].rules, source=2, take=2))
    rows = begun(begun(replace(rows, stages=(*rows.stages, final)), 2), 3)
    rows = drawn(rows, 3)
    for _ in range(3):
        rows = play(rows, 2)
    assert to_draw(rows) == [4]
    rows = begun(rows, 4)
    assert stage_of(rows, 4).rules.beside == 3
    assert [table.number for table in next_draw(rows, stage=4).tables] == [9]


def test_a_draft_that_was_discarded_leaves_its_number_to_the_next() -> None:
    rows = begun(begun(after_the_groups(("liguilla", "knockout")), 2), 3)
    for _ in range(3):
        rows = drawn(rows, 2)
    rows = drawn(rows, 3)
    assert stage_of(rows, 3).rounds[0].number == 7
    assert list(zip(range(5), numbers_from(rows, 2, 5), strict=False)) == [
        (0, 5),
        (1, 6),
        (2, 8),
        (3, 9),
        (4, 10),
    ]
    without = with_stage(rows, replace(stage_of(rows, 2), rounds=()))
    assert next_round(without, 2) == 4
    assert next_round(without, 3) == 8


def test_a_draft_is_drawn_again_whatever_the_other_board_does() -> None:
    rows = drawn(begun(after_the_groups(), 2), 2)
    rows = drawn(begun(rows, 3), 3, State.DRAFT)
    tables = stage_of(rows, 3).rounds[-1].tables
    again, field = draw_again(rows_before(rows, 5), 5, 3, ())
    assert (again.tables, field.round) == (tables, 5)


def test_the_file_says_beside_which_stage_one_was_played_and_nothing_else_is_new() -> None:
    rows = begun(begun(after_the_groups(), 2), 3)
    text = rows_to_bytes(rows)
    assert text.count(b'"beside"') == 1
    assert rows_from_bytes(text) == rows
    assert b'"beside"' not in rows_to_bytes(after_the_groups())
