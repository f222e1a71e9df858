"""A tournament of several stages: who comes in, who goes on, and the one door to a round."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.events import better_seed_wins, played, with_next
from tests.quick import examples
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Round,
    Stage,
    StageRules,
    State,
    Table,
    TournamentRows,
)
from tournaments.domain.stages import (
    begin_stage,
    current_stage,
    field_for,
    is_finished,
    next_draw,
    next_round,
    stage_of,
    with_round,
    with_stage,
)


def club_event(size: int, *stages: Stage, **more: object) -> TournamentRows:
    entrants = tuple(Entrant(number) for number in range(1, size + 1))
    return replace(TournamentRows("event", entrants=entrants, stages=stages), **more)  # type: ignore[arg-type]


def groups_then(format_: str, groups: int, take: int, **rules: object) -> tuple[Stage, Stage]:
    first = replace(FORMATS["groups"].rules, groups=groups)
    second = replace(FORMATS[format_].rules, take=take, **rules)  # type: ignore[arg-type]
    return Stage(1, "groups", first), Stage(2, format_, second)


def begun(rows: TournamentRows, number: int) -> TournamentRows:
    stage = replace(stage_of(rows, number), entrants=begin_stage(rows, number))
    return with_stage(rows, stage)


def test_the_first_stage_takes_the_best_rated_first_and_latecomers_last() -> None:
    entrants = (
        Entrant(1, rating=1400.0),
        Entrant(2, rating=1900.0, joined=3),
        Entrant(3, rating=1800.0),
        Entrant(4, rating=1500.0, absences=((1, None),)),
    )
    rows = TournamentRows("event", entrants=entrants, stages=(Stage(1, "swiss"),))
    assert begin_stage(rows, 1) == (3, 1, 2)


def test_the_first_two_of_each_group_cross_into_the_knockout() -> None:
    rows = begun(club_event(16, *groups_then("knockout", 4, 2)), 1)
    with pytest.raises(CannotDraw) as refusal:
        begin_stage(rows, 2)
    assert refusal.value.code == "waiting"
    rows = with_round_results(rows)
    parted = FORMATS["groups"].groups
    assert parted is not None
    groups = parted(stage_of(rows, 1))
    order = begin_stage(rows, 2)
    assert sorted(order) == list(range(1, 9))
    rows = begun(rows, 2)
    draw = next_draw(rows)
    group_of = {entrant: n for n, group in enumerate(groups) for entrant in group}
    for table in draw.tables:
        home, away = table.entrants
        assert group_of[home] != group_of[away]
        assert {home <= 4, away <= 4} == {True, False}


def with_round_results(rows: TournamentRows) -> TournamentRows:
    """Play the current stage to its end, the better seed winning."""
    stage = current_stage(rows)
    assert stage is not None
    while not is_finished(rows, stage_of(rows, stage.number)):
        rows = with_next(rows, better_seed_wins, stage.number)
    return rows


@settings(max_examples=examples(12), deadline=None)
@given(
    st.integers(2, 4),
    st.integers(1, 2),
    st.sampled_from(["knockout", "double", "repesca", "liguilla", "lives", "swiss"]),
    st.integers(0, 6),
)
def test_groups_lead_into_any_format(groups: int, take: int, format_: str, more: int) -> None:
    rows = begun(club_event(3 * groups + more, *groups_then(format_, groups, take, rounds=2)), 1)
    rows = begun(with_round_results(rows), 2)
    assert sorted(stage_of(rows, 2).entrants) == list(range(1, groups * take + 1))
    first = next_round(rows)
    rows = with_round_results(rows)
    numbers = [round_.number for stage in rows.stages for round_ in stage.rounds]
    assert numbers == list(range(1, len(numbers) + 1))
    assert stage_of(rows, 2).rounds[0].number == first
    assert current_stage(rows) is None
    with pytest.raises(CannotDraw) as refusal:
        next_draw(rows)
    assert refusal.value.code == "stage_over"


def test_a_second_board_takes_those_whom_the_first_one_left() -> None:
    first, main = groups_then("knockout", 2, 2)
    others = Stage(3, "knockout", StageRules(take=2, take_from=2, source=1))
    rows = with_round_results(begun(club_event(8, first, main, others), 1))
    assert sorted(begin_stage(rows, 2)) == [1, 2, 3, 4]
    assert sorted(begin_stage(rows, 3)) == [5, 6, 7, 8]


def test_two_boards_are_played_side_by_side() -> None:
    first, main = groups_then("knockout", 2, 2)
    others = Stage(3, "knockout", StageRules(take=2, take_from=2, source=1))
    rows = with_round_results(begun(club_event(8, first, main, others), 1))
    rows = begun(begun(rows, 2), 3)
    for number in (2, 3, 2, 3):
        rows = with_next(rows, better_seed_wins, number)
    assert [round_.number for round_ in stage_of(rows, 3).rounds] == [5, 7]
    assert current_stage(rows) is None


def test_one_who_left_makes_room_for_the_next_of_the_table() -> None:
    rows = with_round_results(begun(club_event(8, *groups_then("knockout", 2, 2)), 1))
    ends = next_round(rows)
    people = list(rows.entrants)
    people[0] = replace(people[0], absences=((ends, None),))
    rows = replace(rows, entrants=tuple(people))
    assert 1 not in begin_stage(rows, 2)
    assert len(begin_stage(rows, 2)) == 4


def test_a_shared_place_at_the_cut_is_reported_and_not_decided() -> None:
    rules = replace(FORMATS["liguilla"].rules, order=())
    stage = Stage(1, "liguilla", rules)
    rows = begun(club_event(4, stage, Stage(2, "knockout", StageRules(take=2))), 1)

    def level(table: Table) -> Table:
        return replace(table, marks=(Mark(2, 60), Mark(2, 60)))

    rows = played(replace(rows, stages=rows.stages[:1]), level)
    rows = replace(rows, stages=(*rows.stages, Stage(2, "knockout", StageRules(take=2))))
    with pytest.raises(CannotDraw) as refusal:
        begin_stage(rows, 2)
    assert refusal.value.code == "shared_place"
    assert set(refusal.value.facts["entrants"]) == {1, 2, 3, 4}
    drawn_lots = replace(
        rows.stages[0],
        rules=replace(rules, lots=True),
        lots={1: 4, 2: 3, 3: 2, 4: 1},
    )
    assert begin_stage(with_stage(rows, drawn_lots), 2) == (4, 3)


@pytest.mark.parametrize(
    "format_", ["liguilla", "knockout", "double", "lives", "groups", "repesca"]
)
def test_a_round_is_drawn_again_as_it_was_drawn(format_: str) -> None:
    rules = FORMATS[format_].rules
    rows = begun(club_event(9, Stage(1, format_, rules, seed="ab")), 1)
    draws = []
    while not is_finished(rows, stage_of(rows, 1)):
        draws.append(next_draw(rows))
        rows = with_next(rows, better_seed_wins)
    second_draws = [next_draw(rows, round_=number) for number in range(1, len(draws) + 1)]
    assert second_draws == draws


def test_a_bye_that_was_asked_for_is_a_table_after_all_others() -> None:
    entrants = (*map(Entrant, range(1, 6)), Entrant(6, byes=((1, Bye.HALF),)))
    rows = TournamentRows("event", entrants=entrants, stages=(Stage(1, "swiss"),))
    rows = begun(rows, 1)
    draw = next_draw(rows)
    assert draw.tables[-1].bye is Bye.HALF
    assert draw.tables[-1].entrants == (6,)
    assert all(table.number < other.number for table, other in pairwise(draw.tables))
    assert draw.reasons[-1].code == "asked_bye"


def test_drafts_count_for_nothing() -> None:
    rows = begun(club_event(6, Stage(1, "liguilla", FORMATS["liguilla"].rules)), 1)
    first = next_draw(rows)
    draft = replace(stage_of(rows, 1), rounds=(Round(1, tuple(first.tables), State.DRAFT),))
    assert next_draw(with_stage(rows, draft)) == first
    published = with_round(rows, 1, first.tables)
    assert next_round(published) == 2
    assert next_draw(published) != first


def test_the_field_holds_those_who_are_still_in() -> None:
    rows = begun(club_event(4, Stage(1, "knockout")), 1)
    assert field_for(rows).present == (1, 2, 3, 4)
    rows = with_next(rows, better_seed_wins)
    assert field_for(rows).present == (1, 2)


def test_who_waits_in_the_upper_board_has_no_match_and_is_not_in_the_field() -> None:
    rows = begun(club_event(8, Stage(1, "double")), 1)
    for _ in range(2):
        rows = with_next(rows, better_seed_wins)
    assert field_for(rows).present == (3, 4, 5, 6)
    assert {entrant for table in next_draw(rows).tables for entrant in table.entrants} == {
        3,
        4,
        5,
        6,
    }


def test_one_who_joined_late_is_in_the_field_of_a_later_stage() -> None:
    late = Entrant(3, joined=2)
    first, final = Stage(1, "swiss", StageRules(rounds=2)), Stage(2, "knockout")
    rows = TournamentRows("event", entrants=(Entrant(1), Entrant(2), late), stages=(first, final))
    rows = begun(replace(rows, stages=(replace(first, entrants=(1, 2, 3)), final)), 1)
    while not is_finished(rows, rows.stages[0]):
        rows = with_next(rows, better_seed_wins)
    assert set(field_for(begun(rows, 2), 2).present) == {1, 2, 3}


def test_too_few_are_refused_before_the_first_round() -> None:
    with pytest.raises(CannotDraw) as refusal:
        next_draw(club_event(1, Stage(1, "knockout")))
    assert (refusal.value.code, refusal.value.facts) == ("too_few", {"least": 2})
