"""The final places of a tournament of several stages: a board for places never stands above."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.domain.events import by_chance, event, played
from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Stage, TournamentRows
from tournaments.domain.season import final_places
from tournaments.domain.stages import begin_stage, with_stage


def with_board(rows: TournamentRows, format_: str, **rules: object) -> TournamentRows:
    """Return the rows with one more stage, filled from an earlier one and played to its end."""
    number = rows.stages[-1].number + 1
    stage_rules = replace(FORMATS[format_].rules, **rules)  # type: ignore[arg-type]
    rows = replace(rows, stages=(*rows.stages, Stage(number, format_, stage_rules, seed="5eed")))
    stage = replace(rows.stages[-1], entrants=begin_stage(rows, number))
    return played(with_stage(rows, stage))


def order(rows: TournamentRows) -> list[tuple[int, int]]:
    return [(place.rank, place.who) for place in final_places(rows)]


def test_the_champion_stands_above_a_board_for_places_five_to_eight() -> None:
    rows = with_board(played(event("knockout", 8)), "knockout", take=4, take_from=4)
    assert order(rows) == [(1, 1), (2, 2), (3, 3), (3, 4), (5, 5), (6, 6), (7, 7), (7, 8)]


def test_two_boards_beside_each_other_and_who_is_in_neither() -> None:
    swiss = played(event("liguilla", 9))
    rows = with_board(swiss, "knockout", take=2)
    rows = with_board(rows, "knockout", take=4, take_from=4, source=1)
    assert order(rows) == [
        *[(1, 1), (2, 2), (3, 3), (4, 4)],
        *[(5, 5), (6, 6), (7, 7), (7, 8), (9, 9)],
    ]


def test_a_stage_after_the_second_board_does_not_bring_it_above_the_first() -> None:
    rows = with_board(played(event("liguilla", 8)), "knockout", take=4)
    rows = with_board(rows, "liguilla", take=4, take_from=4, source=1)
    rows = with_board(rows, "knockout", take=2, source=3)
    assert [who for _, who in order(rows)] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_thirds_of_groups_stand_between_the_boards_of_the_firsts_and_the_fourths() -> None:
    groups = played(event("groups", 8, groups=2))
    rows = with_board(groups, "knockout", take=2)
    rows = with_board(rows, "knockout", take=1, take_from=3, source=1)
    assert [{who for _, who in order(rows)[n : n + 2]} for n in (0, 2, 4, 6)] == [
        *({1, 2}, {3, 4}, {5, 6}, {7, 8}),
    ]


def test_who_left_makes_room_and_keeps_the_place_above_the_board() -> None:
    rows = played(event("liguilla", 6))
    second = replace(rows.entrants[1], absences=((6, None),))
    rows = replace(rows, entrants=(rows.entrants[0], second, *rows.entrants[2:]))
    rows = with_board(rows, "knockout", take=2, take_from=2)
    assert set(rows.stages[1].entrants) == {4, 5}
    assert [who for _, who in order(rows)] == [1, 2, 3, 4, 5, 6]


@given(
    format_=st.sampled_from(["liguilla", "groups", "lives"]),
    count=st.integers(10, 17),
    take=st.integers(2, 3),
    gap=st.integers(0, 1),
    second=st.sampled_from(["knockout", "repesca", "liguilla"]),
    goes_on=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_places_of_two_boards_never_interleave(
    format_: str, count: int, take: int, gap: int, second: str, goes_on: bool, seed: int
) -> None:
    chance = Random(seed)
    rows = event(format_, count, lots=True)
    lots = dict(zip(range(1, count + 1), chance.sample(range(count), count), strict=True))
    rows = played(with_stage(rows, replace(rows.stages[0], lots=lots)), by_chance(chance, 0.1))
    rows = with_board(rows, "knockout", take=take)
    rows = with_board(rows, second, take=2, take_from=take + gap, source=1, lots=True)
    rows = with_stage(rows, replace(rows.stages[2], lots=lots))
    if goes_on:
        rows = with_board(rows, "knockout", take=2, source=3)
    final = final_places(rows)
    assert sorted(place.who for place in final) == list(range(1, count + 1))
    for board, other in ((1, 2), (2, 1)):
        ranks = [place.rank for place in final if place.who in rows.stages[board].entrants]
        strangers = [place.rank for place in final if place.who in rows.stages[other].entrants]
        assert not any(min(ranks) <= rank <= max(ranks) for rank in strangers)
    assert final[0].who in rows.stages[1].entrants
