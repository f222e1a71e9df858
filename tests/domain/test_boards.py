"""A tree as people read it: who is in which match, and where the others will come from."""

from dataclasses import replace

import pytest

from tournaments.domain.pairing.boards import (
    CONNECTOR_HEIGHT,
    CONNECTOR_WIDTH,
    Board,
    Column,
    bracket,
)
from tournaments.domain.rows import Entrant, Mark, Round, Stage, StageRules, State, TournamentRows
from tournaments.domain.stages import next_draw, with_round, with_stage

PLAIN = StageRules()


def event(entrants: int, format_: str = "knockout", rules: StageRules = PLAIN) -> TournamentRows:
    numbers = tuple(range(1, entrants + 1))
    stage = Stage(1, format_, rules, numbers, seed="ab" * 32)
    people = tuple(Entrant(n, f"P{n}", rating=1000.0 - n) for n in numbers)
    return TournamentRows("", entrants=people, stages=(stage,))


def played(rows: TournamentRows, rounds: int = 1) -> TournamentRows:
    """Play rounds in which the first side wins."""
    for _ in range(rounds):
        tables = tuple(
            table if table.is_bye else replace(table, marks=(Mark(3), Mark(1)))
            for table in next_draw(rows, stage=1).tables
        )
        rows = with_round(rows, 1, tables)
    return rows


def columns(rows: TournamentRows) -> tuple[Column, ...]:
    return bracket(rows.stages[0], rows.by_number)


def test_a_bracket_of_four_shows_who_meets_and_who_the_final_waits_for() -> None:
    semifinals, final = columns(event(4))
    assert [[place.entrant for place in m.places] for m in semifinals.meetings] == [[1, 4], [2, 3]]
    (last,) = final.meetings
    assert [(place.entrant, place.match, place.won) for place in last.places] == [
        (None, 1, True),
        (None, 2, True),
    ]


def test_a_match_that_was_played_names_its_winner_and_its_table() -> None:
    semifinals, final = columns(played(event(4)))
    assert [(m.winner, m.table) for m in semifinals.meetings] == [(1, (1, 1)), (2, (1, 2))]
    assert [place.entrant for place in final.meetings[0].places] == [1, 2]
    assert final.meetings[0].winner is None


def test_a_match_that_is_drawn_and_not_played_has_its_table() -> None:
    rows = event(4)
    rows = with_round(rows, 1, next_draw(rows, stage=1).tables)
    assert [(m.winner, m.table) for m in columns(rows)[0].meetings] == [
        (None, (1, 1)),
        (None, (1, 2)),
    ]


def test_a_seed_that_rests_goes_through_and_no_match_is_made_up() -> None:
    first, semifinals, _ = columns(event(5))
    assert [m.is_walkover for m in first.meetings].count(True) == 3
    assert len(semifinals.meetings) == 2
    assert {p.entrant for m in semifinals.meetings for p in m.places} == {1, 2, 3, None}
    after = columns(played(event(5)))
    assert {p.entrant for m in after[1].meetings for p in m.places} >= {1, 2, 3}


def test_a_draft_is_not_yet_a_fact() -> None:
    rows = event(4)
    stage = rows.stages[0]
    draft = Round(1, next_draw(rows, stage=1).tables, State.DRAFT)
    board = bracket(replace(stage, rounds=(draft,)), rows.by_number)
    assert all(m.table is None for column in board for m in column.meetings)


def test_the_match_for_third_place_stands_apart() -> None:
    boards = [column.board for column in columns(event(4, rules=StageRules(third_place=True)))]
    assert boards == [Board.MAIN, Board.MAIN, Board.THIRD]


def test_losers_drop_into_the_lower_board() -> None:
    rows = played(event(4, "double"))
    bracket_columns = columns(rows)
    lower = [column for column in bracket_columns if column.board is Board.LOWER]
    assert {p.entrant for p in lower[0].meetings[0].places} == {3, 4}
    assert [column.board for column in bracket_columns][-1] is Board.FINAL


def test_a_second_final_that_is_not_needed_is_not_shown() -> None:
    rows = event(2, "double")
    before = [c for c in columns(rows) if c.board is Board.FINAL]
    rows = played(rows, 2)
    after = [c for c in columns(rows) if c.board is Board.FINAL]
    assert len(before) == 2
    assert len(after) == 1


@pytest.mark.parametrize("format_", ["knockout", "double", "repesca"])
@pytest.mark.parametrize("entrants", [2, 3, 5, 6, 7, 8, 11, 16])
def test_every_match_played_at_a_table_is_in_the_bracket_once(format_: str, entrants: int) -> None:
    rows = event(entrants, format_)
    try:
        for _ in range(20):
            rows = played(rows)
    except ValueError:
        pass
    seated = [
        (round_.number, table.number)
        for round_ in rows.stages[0].rounds
        for table in round_.tables
        if not table.is_bye
    ]
    tables = [m.table for column in columns(rows) for m in column.meetings if m.table]
    assert sorted(tables) == sorted(seated)


def test_a_bracket_that_nobody_has_entered_is_empty() -> None:
    rows = event(4)
    empty = replace(rows.stages[0], entrants=())
    rows = with_stage(rows, empty)
    assert columns(rows) == ()


def test_a_match_that_was_played_has_the_hands_of_its_sides() -> None:
    semifinals, final = columns(played(event(4)))
    assert [[place.hands for place in m.places] for m in semifinals.meetings] == [[3, 1], [3, 1]]
    assert [place.hands for place in final.meetings[0].places] == [None, None]


def test_the_hands_of_a_side_are_its_own_wherever_it_sat() -> None:
    rows = event(2)
    (table,) = next_draw(rows, stage=1).tables
    turned = replace(table, sides=table.sides[::-1], marks=(Mark(1), Mark(3)))
    (final,) = columns(with_round(rows, 1, (turned,)))
    (only,) = final.meetings
    assert {place.entrant: place.hands for place in only.places} == {
        turned.sides[0][0]: 1,
        turned.sides[1][0]: 3,
    }


def test_who_did_not_play_is_absent_and_nobody_has_hands() -> None:
    rows = event(2)
    (table,) = next_draw(rows, stage=1).tables
    (final,) = columns(with_round(rows, 1, (replace(table, forfeits=(1,)),)))
    (only,) = final.meetings
    assert [(place.hands, place.absent) for place in only.places] == [(None, False), (None, True)]
    assert only.winner == table.sides[0][0]


def test_two_matches_lead_to_the_next_by_a_fork_that_ends_in_its_middle() -> None:
    semifinals, final = columns(played(event(4)))
    assert all(not meeting.connectors for meeting in semifinals.meetings)
    upper, lower = final.meetings[0].connectors
    assert (upper.entrant, lower.entrant) == (1, 2)
    assert upper.points == ((0, 1), (1, 1), (1, 2), (2, 2))
    assert lower.points == ((0, 3), (1, 3), (1, 2), (2, 2))
    assert {upper.points[-1], lower.points[-1]} == {(CONNECTOR_WIDTH, CONNECTOR_HEIGHT // 2)}


def test_one_match_leads_to_the_next_by_a_straight_line() -> None:
    board = columns(played(event(4, "double"), 2))
    second = next(column for column in board if (column.board, column.place) == (Board.LOWER, 2))
    (line,) = second.meetings[0].connectors  # the other side lost in the upper board
    assert {height for _, height in line.points} == {2}


def test_the_line_to_a_match_that_waits_has_no_entrant_yet() -> None:
    _semifinals, final = columns(event(4))
    assert [connector.entrant for connector in final.meetings[0].connectors] == [None, None]
