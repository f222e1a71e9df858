"""Plans of an individual: what follows when a player comes, leaves or is moved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.events import event, played
from tests.quick import examples
from tournaments.domain.movements import rotating
from tournaments.domain.movements.balance import Imbalance, guide, imbalance
from tournaments.domain.movements.history import Task
from tournaments.domain.movements.rotating import PlannedRound
from tournaments.domain.movements.seats import balance_sides
from tournaments.domain.pairing import individual
from tournaments.domain.pairing.individual import Plan, draw, replan
from tournaments.domain.rows import Bye, Entrant, Round, Table, TournamentRows
from tournaments.domain.stages import field_for, with_stage

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True, scope="module")
def little_annealing() -> Iterator[None]:
    """What follows from a plan follows from any."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rotating, "STEPS", 3000)
        individual.plan_from.cache_clear()
        yield
    individual.plan_from.cache_clear()


def plan_of(rows: TournamentRows) -> Plan:
    return replan(field_for(rows, 1))


def people(
    size: int, leaves: dict[int, int] | None = None, comes: dict[int, int] | None = None
) -> list[Entrant]:
    """`size` players; some leave before a round, some come in one."""
    leaves, comes = leaves or {}, comes or {}
    return [
        Entrant(
            number,
            joined=comes.get(number, 1),
            absences=((leaves[number], None),) if number in leaves else (),
        )
        for number in range(1, size + 1)
    ]


def sides(tables: tuple[Table, ...]) -> list[tuple[tuple[int, ...], ...]]:
    return [table.sides for table in tables]


def test_the_plan_of_the_first_round_is_the_design_and_perfect() -> None:
    plan = plan_of(event("individual", 16))
    assert plan.is_design
    assert plan.turning_point == 1
    assert [round_.number for round_ in plan.rounds] == [*range(1, 16)]
    assert plan.before == plan.after
    assert plan.after == Imbalance(seats=plan.after.seats)


@settings(max_examples=examples(15), deadline=None)
@given(
    st.integers(5, 10),
    st.integers(2, 7),
    st.dictionaries(st.integers(5, 10), st.integers(2, 6), max_size=2),
    st.dictionaries(st.integers(5, 10), st.integers(2, 4), max_size=1),
)
def test_every_round_is_the_first_of_the_plan_and_follows_the_plan_before_it(
    size: int, last: int, leaves: dict[int, int], comes: dict[int, int]
) -> None:
    rows = event("individual", people(size, leaves, comes), rounds=last)
    before: Plan | None = None
    for _ in range(last):
        field, plan = field_for(rows, 1), plan_of(rows)
        tables = draw(field).tables
        assert plan.rounds[0] == Round(field.round, tables)
        if before is not None and plan.turning_point == before.turning_point:
            assert plan.rounds == before.rounds[1:]
            assert plan.after == before.after
        else:
            assert plan.turning_point == field.round
        rows, before = played(rows, rounds=1), plan


def test_a_plan_is_made_again_from_the_facts_alone() -> None:
    rows = played(event("individual", people(14, leaves={3: 3}), rounds=7), rounds=4)
    once = plan_of(rows)
    individual.plan_from.cache_clear()
    assert plan_of(rows) == once
    assert once.turning_point == 3


def test_when_a_person_leaves_the_rounds_left_are_planned_again() -> None:
    rows = played(event("individual", people(16, leaves={5: 4})), rounds=3)
    plan = plan_of(rows)
    assert (plan.turning_point, plan.is_design, len(plan.rounds)) == (4, False, 12)
    # The design promised everybody every opponent twice; fifteen cannot have that.
    assert plan.before == Imbalance(seats=plan.before.seats)
    assert plan.after.partners == 0
    assert plan.after.sit_outs <= 1
    assert plan.after.opponents > 0
    assert all(5 not in table.entrants for round_ in plan.rounds for table in round_.tables)


def test_the_published_figures_are_those_of_the_tables() -> None:
    rows = played(event("individual", people(13, comes={13: 3}), rounds=6), rounds=2)
    field, plan = field_for(rows, 1), plan_of(rows)
    rounds = [*(round_.tables for round_ in rows.stages[0].rounds)]
    rounds += [round_.tables for round_ in plan.rounds]
    assert plan.after == imbalance(rounds, range(1, 14))
    pairing = draw(field)
    for name, published in (("", plan.after), ("_before", plan.before)):
        figures = {
            f"partner_repeats{name}": published.partners,
            f"opponents_over{name}": published.opponents_over,
            f"sit_out_spread{name}": published.sit_outs,
            f"seat_spread{name}": published.seats,
        }
        assert figures.items() <= pairing.quality.items()
    assert [reason.code for reason in pairing.reasons].count("individual_replanned") == 1


def test_planning_as_a_whole_is_no_worse_than_round_by_round() -> None:
    task = Task(tuple(range(1, 15)), 9, (1,) * 14, seed="5eed")
    hasty = rotating.Draft.draw_by_matching(task)
    planned = rotating.Draft.draw_by_matching(task)
    planned.anneal()
    assert planned.energy < hasty.energy
    assert planned.repeats == 0


def test_a_published_round_that_was_changed_by_hand_turns_the_plan() -> None:
    rows = played(event("individual", 8), rounds=2)
    stage = rows.stages[0]
    first, other = stage.rounds[1].tables
    (a, c), (b, d) = first.sides
    (e, g), (f, h) = other.sides
    moved = (replace(first, sides=((e, c), (b, d))), replace(other, sides=((a, g), (f, h))))
    second = replace(stage.rounds[1], tables=moved)
    rows = with_stage(rows, replace(stage, rounds=(stage.rounds[0], second)))
    plan = plan_of(rows)
    assert plan.turning_point == 3
    assert plan.rounds == plan_of(rows).rounds
    later = plan_of(played(rows, rounds=1))
    assert later.rounds == plan.rounds[1:]


def test_seats_and_table_numbers_changed_by_hand_leave_the_plan_as_it_is() -> None:
    rows = played(event("individual", 8), rounds=2)
    stage = rows.stages[0]
    first, other = stage.rounds[1].tables
    turned = (replace(other, number=1), replace(first, number=2, sides=first.sides[::-1]))
    second = replace(stage.rounds[1], tables=turned)
    changed = with_stage(rows, replace(stage, rounds=(stage.rounds[0], second)))
    assert plan_of(changed).turning_point == 1
    assert [sides(r.tables) for r in plan_of(changed).rounds] == [
        sides(r.tables) for r in plan_of(rows).rounds
    ]


def test_a_guide_card_says_where_with_whom_and_against_whom() -> None:
    plan = plan_of(event("individual", 9))
    cards = guide({round_.number: round_.tables for round_ in plan.rounds})
    assert sorted(cards) == [*range(1, 10)]
    for entrant, card in cards.items():
        assert [line.round for line in card] == [*range(1, 10)]
        for line, round_ in zip(card, plan.rounds, strict=True):
            (table,) = [table for table in round_.tables if entrant in table.entrants]
            if line.table is None:
                assert table.bye is Bye.PAIRING
                continue
            assert line.table == table.number
            side = table.sides["BD".count(line.seat)]
            assert side["CD".count(line.seat)] == entrant
            assert {entrant, line.partner} == set(side)
            assert set(line.opponents) == set(table.entrants) - set(side)
        assert {line.partner for line in card} == set(cards) - {entrant} | {None}


def test_counting_an_uneven_schedule_by_hand() -> None:
    # 1 and 2 are partners twice; 1-3, 1-4, 2-3 and 2-4 are opponents twice, 1-2 and 3-4 never:
    # the mean is 8/6, the squares 4 * (2 - 8/6)^2 + 2 * (8/6)^2 = 16/3; an even spread of eight
    # meetings over six twos has 4 * 1 + 2 * 4 = 12 in squares where here there are 16.
    table = Table(1, ((1, 2), (3, 4)))
    result = imbalance([[table, Table(2, ((5,),), bye=Bye.PAIRING)]] * 2, [1, 2, 3, 4])
    assert result.partners == 2
    assert (result.opponents, result.opponents_over) == (Fraction(16, 3), 4)
    assert (result.sit_outs, result.seats) == (0, 2)
    assert imbalance([[table, Table(2, ((5,),), bye=Bye.PAIRING)]], range(1, 6)).sit_outs == 1
    assert imbalance([[table, Table(2, ((5,),), bye=Bye.ZERO)]], range(1, 6)).sit_outs == 0


def test_counting_the_three_rounds_of_four_players_finds_nothing() -> None:
    rounds = [[Table(1, two)] for two in (((1, 2), (3, 4)), ((3, 1), (2, 4)), ((4, 1), (2, 3)))]
    assert imbalance(rounds, range(1, 5)) == Imbalance(seats=3)
    assert imbalance([], []) == Imbalance()


def test_results_do_not_move_the_plan() -> None:
    rows = played(event("individual", 11, rounds=6), rounds=2)
    stage = rows.stages[0]
    last = stage.rounds[-1]
    open_ = replace(last, tables=tuple(replace(table, marks=None) for table in last.tables))
    changed = with_stage(rows, replace(stage, rounds=(*stage.rounds[:-1], open_)))
    assert open_ != last
    assert plan_of(changed) == plan_of(rows)


@pytest.mark.parametrize("seed", range(4))
def test_those_who_sat_first_and_led_in_the_round_before_do_neither_in_the_next(seed: int) -> None:
    table = ((1, 2), (3, 4))
    assert balance_sides([PlannedRound((table,), ())], ((table,),), Random(seed)) == [
        (((4, 3), (2, 1)),)
    ]
