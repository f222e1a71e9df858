"""Duplicate movements: nobody meets a pair or a deal twice, and everybody knows where to go."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.quick import examples
from tournaments.domain.messages import explain
from tournaments.domain.movements.howell import Movement, howell
from tournaments.domain.movements.mitchell import mitchell
from tournaments.domain.pairing.base import CannotDraw, Draw, Field
from tournaments.domain.pairing.duplicate import (
    FORMAT,
    HOWELL,
    MITCHELL,
    draw,
    guide,
    rounds,
    separate_halves,
    separate_lists,
    unlinked_parts,
)
from tournaments.domain.rows import Bye, Entrant, Mark, Round, Stage, StageRules, SwitchRule, Table

SIZES = range(4, 31, 2)
TABLES = range(2, 26)
FEW = settings(max_examples=examples(40), deadline=None)


def meetings(movement: Movement) -> Counter[frozenset[int]]:
    return Counter(frozenset((s.first, s.second)) for round_ in movement for s in round_)


def deals_played(movement: Movement) -> Counter[tuple[int, int]]:
    return Counter(
        (pair, s.boards) for round_ in movement for s in round_ for pair in (s.first, s.second)
    )


@pytest.mark.parametrize("pairs", SIZES)
def test_in_a_howell_every_pair_meets_every_other_once(pairs: int) -> None:
    counts = meetings(howell(pairs))
    assert counts == Counter(dict.fromkeys(map(frozenset, combinations(range(pairs), 2)), 1))


@pytest.mark.parametrize("pairs", SIZES)
def test_in_a_howell_every_pair_plays_every_deal_once(pairs: int) -> None:
    counts = deals_played(howell(pairs))
    assert counts == Counter(
        {(pair, set_): 1 for pair in range(pairs) for set_ in range(pairs - 1)}
    )


@pytest.mark.parametrize("pairs", range(8, 31, 2))
def test_in_a_howell_a_deal_is_at_one_table_at_a_time(pairs: int) -> None:
    for round_ in howell(pairs):
        assert len({s.boards for s in round_}) == len(round_) == pairs // 2


def test_six_pairs_share_deals_in_one_round_only_and_four_in_each() -> None:
    assert [len({s.boards for s in round_}) for round_ in howell(6)] == [1, 3, 3, 3, 3]
    assert [len({s.boards for s in round_}) for round_ in howell(4)] == [1, 1, 1]


@pytest.mark.parametrize("pairs", range(8, 31, 2))
def test_in_a_howell_the_last_pair_sits_still_and_everybody_follows_the_number_below(
    pairs: int,
) -> None:
    movement = howell(pairs)
    for before, following in pairwise(movement):
        for old, new in zip(before, following, strict=True):
            assert new.boards == (old.boards + 1) % (pairs - 1)
            assert new.second == (old.second + 1) % (pairs - 1)
            assert new.first in (pairs - 1, (old.first + 1) % (pairs - 1))


@pytest.mark.parametrize("pairs", [8, 12, 20, 24])
def test_where_it_can_be_a_howell_compares_every_two_pairs_equally_often(pairs: int) -> None:
    alike: Counter[frozenset[int]] = Counter()
    by_set: dict[int, tuple[set[int], set[int]]] = {}
    for station in (s for round_ in howell(pairs) for s in round_):
        first, second = by_set.setdefault(station.boards, (set(), set()))
        first.add(station.first)
        second.add(station.second)
    for sides in by_set.values():
        alike.update(frozenset(two) for side in sides for two in combinations(side, 2))
    assert set(alike.values()) == {pairs // 2 - 1}


@pytest.mark.parametrize("tables", TABLES)
def test_in_a_mitchell_nobody_meets_a_pair_or_a_deal_again(tables: int) -> None:
    movement = mitchell(2 * tables)
    assert len(movement) == (tables if tables % 2 else tables - 1)
    assert set(meetings(movement).values()) == {1}
    assert set(deals_played(movement).values()) == {1}
    for round_ in movement:
        assert sorted(s.boards for s in round_) == list(range(tables))
        assert sorted(p for s in round_ for p in (s.first, s.second)) == list(range(2 * tables))


@pytest.mark.parametrize("tables", TABLES)
def test_in_a_mitchell_the_still_pairs_keep_their_table_and_the_deals_move_down(
    tables: int,
) -> None:
    for number, round_ in enumerate(mitchell(2 * tables)):
        assert [min(s.first, s.second) for s in round_] == list(range(tables))
        assert [s.boards for s in round_] == [(t + number) % tables for t in range(tables)]


def test_the_sides_change_over_in_the_last_eighth_of_a_mitchell() -> None:
    turned = [round_[0].first >= 9 for round_ in mitchell(18)]
    assert turned == [False] * 8 + [True]


@pytest.mark.parametrize("tables", TABLES)
def test_in_a_shorter_mitchell_the_sides_change_over_in_the_last_eighth_of_its_rounds(
    tables: int,
) -> None:
    full = mitchell(2 * tables)
    for played in range(2, len(full)):
        movement = mitchell(2 * tables, played)
        turned = [round_[0].first >= tables for round_ in movement]
        switched = max(1, played // 8)
        assert turned == [False] * (played - switched) + [True] * switched
        for round_, whole in zip(movement, full, strict=False):
            assert {(s.table, s.boards, frozenset((s.first, s.second))) for s in round_} == {
                (s.table, s.boards, frozenset((s.first, s.second))) for s in whole
            }
    assert mitchell(2 * tables, len(full)) == mitchell(2 * tables, 99) == full


@pytest.mark.parametrize("pairs", [2, 3, 7, 32])
def test_there_is_no_howell_for_odd_numbers_or_more_than_thirty(pairs: int) -> None:
    with pytest.raises(ValueError, match="no Howell"):
        howell(pairs)


@pytest.mark.parametrize("pairs", [2, 5])
def test_there_is_no_mitchell_for_odd_numbers_or_two(pairs: int) -> None:
    with pytest.raises(ValueError, match="no Mitchell"):
        mitchell(pairs)


# --- the format --------------------------------------------------------------------------------


def stage_of(pairs: int, movement: str = "", rounds_: int | None = None) -> Stage:
    rules = replace(FORMAT.rules, movement=movement, rounds=rounds_)
    return Stage(1, "duplicate", rules, tuple(range(1, pairs + 1)), seed="c0ffee")


def entrants_of(stage: Stage) -> Mapping[int, Entrant]:
    return {number: Entrant(number) for number in stage.entrants}


def field_of(
    stage: Stage, absent: frozenset[int] = frozenset(), pinned: tuple[Table, ...] = ()
) -> Field:
    present = tuple(pair for pair in stage.entrants if pair not in absent)
    return Field(stage, entrants_of(stage), len(stage.rounds) + 1, present, {}, pinned)


def after(stage: Stage, drawn: Draw) -> Stage:
    return replace(stage, rounds=(*stage.rounds, Round(len(stage.rounds) + 1, drawn.tables)))


def laws_hold(stage: Stage) -> None:
    """Nobody meets a pair twice, or plays a deal twice, and sides of a table are two pairs."""
    counts: Counter[frozenset[int]] = Counter()
    deals: Counter[tuple[int, int]] = Counter()
    for _, table in stage.tables():
        if table.is_bye:
            assert table.bye is Bye.PAIRING
            assert not table.boards
            continue
        counts[frozenset(table.entrants)] += 1
        assert len(table.boards) == stage.rules.deals
        deals.update((pair, board) for pair in table.entrants for board in table.boards)
    assert not counts or max(counts.values()) == 1
    assert not deals or max(deals.values()) == 1


@given(st.integers(3, 40), st.sampled_from(["", "howell", "mitchell"]))
@FEW
def test_a_whole_stage_repeats_neither_meetings_nor_deals(pairs: int, movement: str) -> None:
    if movement == "howell" and pairs > 30:
        movement = "mitchell"
    stage = stage_of(pairs, movement)
    while not FORMAT.is_over(stage, entrants_of(stage)):
        stage = after(stage, draw(field_of(stage)))
        assert sorted(entrant for t in stage.rounds[-1].tables for entrant in t.entrants) == [
            *stage.entrants
        ]
    laws_hold(stage)
    assert len(stage.rounds) == rounds(pairs, stage.rules)


@pytest.mark.parametrize("pairs", [5, 7, 9, 11, 13])
def test_with_an_odd_number_in_a_howell_everybody_rests_once(pairs: int) -> None:
    stage = stage_of(pairs)
    for _ in range(rounds(pairs, stage.rules)):
        stage = after(stage, draw(field_of(stage)))
    rests = Counter(t.entrants[0] for _, t in stage.tables() if t.is_bye)
    assert rests == Counter(dict.fromkeys(stage.entrants, 1))


@st.composite
def comings_and_goings(draw_: st.DrawFn) -> tuple[int, str, list[frozenset[int]]]:
    pairs = draw_(st.integers(6, 24))
    movement = draw_(st.sampled_from(["howell", "mitchell"]))
    absent = draw_(st.frozensets(st.integers(1, pairs), max_size=3))
    away = []
    for _ in range(draw_(st.integers(2, 9))):
        if draw_(st.booleans()):
            absent ^= draw_(st.frozensets(st.integers(1, pairs), max_size=2))
        away.append(absent)
    return pairs, movement, away


@given(comings_and_goings())
@FEW
def test_one_who_comes_and_goes_nobody_meets_a_pair_or_a_deal_again(
    case: tuple[int, str, list[frozenset[int]]],
) -> None:
    pairs, movement, away = case
    stage = stage_of(pairs, movement)
    for absent in away:
        present = [pair for pair in stage.entrants if pair not in absent]
        if FORMAT.is_over(stage, entrants_of(stage)) or len(present) < 3:
            break
        pairing = draw(field_of(stage, absent))
        assert sorted(entrant for t in pairing.tables for entrant in t.entrants) == present
        assert len({t.number for t in pairing.tables}) == len(pairing.tables)
        stage = after(stage, pairing)
    laws_hold(stage)


def test_a_late_pair_takes_the_empty_seat() -> None:
    stage = stage_of(8)
    stage = after(stage, draw(field_of(stage, frozenset({8}))))
    pairing = draw(field_of(stage))
    assert not any(table.is_bye for table in pairing.tables)


def test_two_late_pairs_in_a_full_movement_play_each_other_once() -> None:
    stage = stage_of(10, "howell")
    late = frozenset({9, 10})
    stage = after(stage, draw(field_of(stage, late)))
    pairing = draw(field_of(stage))
    extra = next(table for table in pairing.tables if set(table.entrants) == late)
    assert "duplicate_late" in {
        reason.code for reason in pairing.reasons if reason.table == extra.number
    }
    stage = after(stage, pairing)
    following = draw(field_of(stage))
    assert sorted(t.entrants for t in following.tables if t.is_bye) == [(9,), (10,)]


def test_when_a_pair_leaves_its_opponents_rest_in_turn() -> None:
    stage = stage_of(8)
    stage = after(stage, draw(field_of(stage)))
    pairing = draw(field_of(stage, frozenset({3})))
    byes = [table for table in pairing.tables if table.is_bye]
    assert len(byes) == 1
    assert pairing.quality == {"resting": 1, "shared": 0}


def test_a_pinned_table_is_kept_and_its_pairs_are_nowhere_else() -> None:
    stage = stage_of(8)
    pinned = Table(1, ((2,), (5,)), boards=(99, 100), pinned=True)
    pairing = draw(field_of(stage, pinned=(pinned,)))
    assert pinned in pairing.tables
    assert sorted(entrant for t in pairing.tables for entrant in t.entrants) == [*stage.entrants]


@given(st.integers(3, 24), st.sampled_from(["howell", "mitchell"]))
@FEW
def test_the_guide_cards_say_what_is_drawn(pairs: int, movement: str) -> None:
    stage = stage_of(pairs, movement)
    cards = guide(stage.entrants, stage.rules)
    for number in range(rounds(pairs, stage.rules)):
        pairing = draw(field_of(stage))
        for table in pairing.tables:
            for side, (pair,) in enumerate(table.sides):
                step = cards[pair][number]
                if table.is_bye:
                    assert step == (number + 1, None, 0, None, ())
                else:
                    opponent = table.sides[1 - side][0]
                    assert step == (number + 1, table.number, side, opponent, table.boards)
        stage = after(stage, pairing)


def test_small_fields_play_a_howell_and_larger_ones_a_mitchell() -> None:
    assert rounds(14, StageRules()) == 13
    assert rounds(16, StageRules()) == 7
    assert rounds(16, StageRules(movement="howell")) == 15
    assert rounds(10, StageRules(rounds=5)) == 5


def test_a_deal_compares_nothing_with_fewer_than_three_pairs() -> None:
    with pytest.raises(CannotDraw) as refusal:
        draw(field_of(stage_of(2)))
    assert refusal.value.code == "too_few"
    with pytest.raises(CannotDraw) as refusal:
        draw(field_of(stage_of(31, "howell")))
    assert refusal.value.code == "too_many"


def test_after_the_last_round_nothing_is_drawn() -> None:
    stage = stage_of(4, rounds_=1)
    stage = after(stage, draw(field_of(stage)))
    with pytest.raises(CannotDraw) as refusal:
        draw(field_of(stage))
    assert refusal.value.code == "stage_over"


def test_every_reason_has_its_sentence_in_both_languages() -> None:
    stage = stage_of(11, "mitchell")
    stage = after(stage, draw(field_of(stage, frozenset({9, 10, 11}))))
    pairing = draw(field_of(stage, frozenset({1})))
    assert {reason.code for reason in pairing.reasons} >= {"duplicate_mitchell"}
    for reason in pairing.reasons:
        assert explain(reason, str) != explain(reason, str, "en")


# --- whether the halves of a Mitchell compare ---------------------------------------------------


def with_results(stage: Stage, count: int) -> Stage:
    """Return a stage with its first rounds drawn, each deal of them with points."""
    marks = Mark(2, 160), Mark(0, 100)
    for _ in range(count):
        tables = tuple(
            table
            if table.is_bye
            else replace(table, marks=marks, board_points=((80, 50),) * len(table.boards))
            for table in draw(field_of(stage)).tables
        )
        stage = after(stage, Draw(tables))
    return stage


def test_twenty_pairs_in_six_rounds_are_compared_across_the_halves_since_the_switch_fits() -> None:
    stage = stage_of(20, rounds_=6)
    stage = replace(stage, rules=replace(stage.rules, switch=SwitchRule.PLAYED))
    still, moving = tuple(range(1, 20, 2)), tuple(range(2, 21, 2))
    for played in range(1, 6):
        assert separate_halves(with_results(stage, played)) == (still, moving)
    assert separate_halves(with_results(stage, 6)) == ()


def test_by_the_rule_of_earlier_files_the_same_rounds_are_two_lists() -> None:
    stage = with_results(stage_of(20, rounds_=6), 6)
    assert [sorted(half) for half in separate_halves(stage)] == [
        list(range(1, 20, 2)),
        list(range(2, 21, 2)),
    ]


def test_without_an_arrow_switch_a_pair_whose_tables_were_not_played_stays_in_its_line() -> None:
    stage = stage_of(20, rounds_=6)
    stage = with_results(replace(stage, rules=replace(stage.rules, switch=SwitchRule.NEVER)), 1)
    (round_,) = stage.rounds
    first, *others = round_.tables
    unplayed = replace(first, marks=(), board_points=())
    stage = replace(stage, rounds=(replace(round_, tables=(unplayed, *others)),))
    assert separate_halves(stage) == (tuple(range(1, 20, 2)), tuple(range(2, 21, 2)))


@pytest.mark.parametrize("pairs", [15, 16, 17, 18, 30])
def test_a_whole_mitchell_is_one_list(pairs: int) -> None:
    stage = stage_of(pairs)
    assert separate_halves(with_results(stage, rounds(pairs, stage.rules))) == ()


def test_before_the_first_result_and_in_a_howell_there_is_one_list() -> None:
    assert separate_halves(stage_of(20)) == ()
    assert separate_halves(after(stage_of(20), draw(field_of(stage_of(20))))) == ()
    assert separate_halves(with_results(stage_of(10), 2)) == ()


# --- movements that fall into parts --------------------------------------------------------------


def cut(pairs: int, movement: str, rounds_: int) -> Stage:
    stage = stage_of(pairs, movement=movement, rounds_=rounds_)
    return replace(stage, rules=replace(stage.rules, switch=SwitchRule.PLAYED))


@pytest.mark.parametrize(
    ("pairs", "movement", "rounds_", "sizes"),
    [
        (13, HOWELL, 3, [10, 2, 1]),
        (14, HOWELL, 3, [11, 3]),
        (16, HOWELL, 3, [13, 2, 1]),
        (16, HOWELL, 4, [16]),
        (6, MITCHELL, 2, [2, 2, 2]),
        (18, MITCHELL, 2, [6, 6, 6]),
        (18, MITCHELL, 3, [18]),
    ],
)
def test_a_cut_movement_that_falls_into_parts_says_so_from_the_draw_on(
    pairs: int, movement: str, rounds_: int, sizes: list[int]
) -> None:
    stage = cut(pairs, movement, rounds_)
    for played in (0, 1, rounds_):
        parts = unlinked_parts(with_results(stage, played))
        assert [len(part) for part in parts] == sizes
    note, lists = separate_lists(stage)
    said = ("place.unlinked_lists", len(sizes)) if len(sizes) > 1 else ("", 0)
    assert (note, len(lists)) == said


def test_pairs_of_different_parts_never_hold_the_same_side_of_a_deal() -> None:
    stage = with_results(cut(15, HOWELL, 3), 3)
    where = {pair: n for n, part in enumerate(unlinked_parts(stage)) for pair in part}
    holders: dict[tuple[int, int], set[int]] = {}
    for _, table in stage.tables():
        for board in table.boards:
            for pair in table.entrants:
                holders.setdefault((board, table.side_of(pair)), set()).add(where[pair])
    assert all(len(parts) == 1 for parts in holders.values())
    assert len(set(where.values())) == 3
