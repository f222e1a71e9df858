"""Entrants who cannot move about sit at their table in every round, whatever the format."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.test_proof_formats import begun, played
from tournaments.domain.file import rows_from_bytes, rows_to_bytes
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import Draw, Field
from tournaments.domain.pairing.checks import objections
from tournaments.domain.pairing.numbering import at_fixed_tables
from tournaments.domain.proof import prove
from tournaments.domain.rows import Entrant, Round, Stage, Table, TournamentRows
from tournaments.domain.stages import next_draw
from tournaments.domain.verification import all_hold, verify

MOVABLE = sorted(name for name, kind in FORMATS.items() if not kind.same_deals)


def keeping(rows: TournamentRows, tables: Mapping[int, int]) -> TournamentRows:
    """Give entrants the tables that they keep."""
    return replace(
        rows,
        entrants=tuple(
            replace(entrant, fixed_table=tables.get(entrant.number, 0)) for entrant in rows.entrants
        ),
    )


def everybody_has_a_reason(rows: TournamentRows, round_: Round) -> None:
    """Everybody sits at the table they keep, unless another who keeps it, or theirs, sits there."""
    entrants = rows.by_number
    at = {table.number: table for table in round_.tables}
    for table in round_.tables:
        for entrant in table.entrants if not table.is_bye else ():
            fixed_table = entrants[entrant].fixed_table
            if not fixed_table or fixed_table == table.number:
                continue
            occupants = at[fixed_table].entrants if fixed_table in at else ()
            holders = [
                person
                for number, people in ((table.number, table.entrants), (fixed_table, occupants))
                for person in people
                if entrants[person].fixed_table == number
            ]
            assert holders
            assert min(holders) < entrant
    byes = [table.number for table in round_.tables if table.is_bye]
    assert byes == sorted(at)[len(at) - len(byes) :]


@pytest.mark.parametrize("name", MOVABLE)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_each_keeps_its_table_in_every_round_and_the_proof_holds(
    name: str, data: st.DataObject
) -> None:
    entrants = data.draw(st.integers(9, 13))
    tables = st.dictionaries(
        st.integers(1, entrants - 1), st.sampled_from([1, 2, 3, 9, 40]), min_size=1, max_size=4
    )
    chance = Random(data.draw(st.integers(0, 99)))
    rows, before = played(keeping(begun(name, entrants, chance), data.draw(tables)), chance)
    assert rows.stages[0].rounds
    for round_ in rows.stages[0].rounds:
        everybody_has_a_reason(rows, round_)
    assert all_hold(verify(prove(rows, before=before)))


@pytest.mark.parametrize("name", MOVABLE)
def test_one_who_keeps_a_table_is_at_it_and_everybody_meets_whom_they_would_meet(name: str) -> None:
    plain, _ = played(begun(name, 10, Random(5)), Random(5))
    with_fixed, _ = played(keeping(begun(name, 10, Random(5)), {4: 2}), Random(5))
    first, fixed = (rows.stages[0].rounds[0].tables for rows in (plain, with_fixed))
    assert {table.sides for table in first} == {table.sides for table in fixed}
    for round_ in with_fixed.stages[0].rounds:
        tables = [t.number for t in round_.tables if 4 in t.entrants and not t.is_bye]
        assert tables in ([2], [])


def test_no_table_can_be_kept_where_the_deals_move_by_plan() -> None:
    rows = keeping(begun("duplicate", 9, Random(1)), {3: 4})
    draw = next_draw(rows)
    assert draw.tables == next_draw(keeping(rows, {})).tables
    assert [reason.entrants for reason in draw.reasons if reason.code == "fixed_table_plan"] == [
        (3,)
    ]


def field(tables: Mapping[int, int], pinned: tuple[Table, ...] = ()) -> Field:
    entrants = {n: Entrant(n, f"Pareja {n}", fixed_table=tables.get(n, 0)) for n in range(1, 9)}
    return Field(Stage(1, "swiss"), entrants, 1, tuple(entrants), pinned_tables=pinned)


def drawn(field: Field, *sides: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Return the numbers of tables with these sides, by who sits there."""
    tables = tuple(
        Table(number, tuple((entrant,) for entrant in side))
        for number, side in enumerate(sides, start=1)
    )
    draw = at_fixed_tables(Draw(tables), field, same_deals=False)
    return {table.entrants: table.number for table in draw.tables}


def test_the_lower_number_keeps_the_table_that_two_keep() -> None:
    round_field = field({6: 4, 3: 4})
    assert drawn(round_field, (1, 2), (5, 6), (3, 4), (7, 8)) == {
        (1, 2): 1,
        (5, 6): 2,
        (3, 4): 4,
        (7, 8): 3,
    }


def test_two_who_keep_tables_and_meet_sit_at_that_of_the_lower_number() -> None:
    assert drawn(field({6: 4, 5: 2}), (5, 6), (1, 2))[5, 6] == 2


def test_a_pinned_table_keeps_its_number_before_all() -> None:
    pin = Table(1, ((1,), (2,)), pinned=True)
    round_field = field({3: 1, 2: 3}, pinned=(pin,))
    assert drawn(round_field, (1, 2), (3, 4)) == {(1, 2): 1, (3, 4): 2}


def test_a_round_arranged_by_hand_names_who_is_not_at_the_table_that_they_keep() -> None:
    round_field = field({3: 1, 4: 1, 6: 3})
    tables = [Table(1, ((1,), (4,))), Table(2, ((2,), (3,))), Table(3, ((6,), (5,)))]
    numbers = {
        (reason.code, reason.table, reason.entrants, reason.facts["kept"])
        for reason in objections(round_field, tables)
        if reason.code.startswith("fixed")
    }
    assert numbers == {("fixed_table_taken", 2, (3, 4), 1)}
    tables[0] = Table(1, ((1,), (8,)))
    codes = {
        reason.code for reason in objections(round_field, tables) if reason.code.startswith("fixed")
    }
    assert codes == {"fixed_table_other"}


@pytest.mark.parametrize("name", ["knockout", "double", "swiss", "liguilla", "threes", "lives"])
def test_pinned_tables_stay_where_one_keeps_a_table(name: str) -> None:
    rows = keeping(begun(name, 9, Random(2)), {2: 30, 5: 1})
    first = next_draw(rows).tables
    matches = [table for table in first if not table.is_bye]
    pinned = [replace(table, pinned=True) for table in matches[-2:]]
    second = next_draw(rows, pinned).tables
    assert set(pinned) <= set(second)
    assert 30 in {table.number for table in second}


def test_a_file_carries_the_tables_and_an_old_one_reads_alike() -> None:
    rows = begun("swiss", 9, Random(1))
    assert b"fixed_table" not in rows_to_bytes(rows)
    tournament_rows = keeping(rows, {3: 7})
    assert rows_from_bytes(rows_to_bytes(tournament_rows)) == tournament_rows
    assert rows_from_bytes(rows_to_bytes(rows)) == rows
