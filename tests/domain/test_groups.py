"""Groups: equal in size and strength, a liguilla in each, all at the same time."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.events import by_chance, event, meetings, played
from tests.quick import examples
from tournaments.domain.drafts import draw_again
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.rows import Entrant, Table
from tournaments.domain.seeding import separate_in_groups, serpentine
from tournaments.domain.stages import next_draw

parted = FORMATS["groups"].groups


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(2, 5), st.integers(0, 14), st.integers(1, 2), st.integers(0, 2**32))
def test_everybody_meets_their_own_group_and_nobody_else(
    groups: int, more: int, turns: int, seed: int
) -> None:
    chance = Random(seed)
    size = 2 * groups + more
    late = [Entrant(size + n, joined=n + 1) for n in range(1, chance.randrange(3))]
    people = [*map(Entrant, range(1, size + 1)), *late]
    rows = played(event("groups", people, groups=groups, turns=turns), by_chance(chance))
    assert parted is not None
    dealt = parted(rows.stages[0])
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    came = {p.number for p in people if p.joined <= len(rows.stages[0].rounds)}
    assert meetings(rows) == {
        frozenset(pair): turns for group in dealt for pair in combinations(came & set(group), 2)
    }


def test_the_best_are_dealt_to_and_fro() -> None:
    assert serpentine(10, 3) == ((0, 5, 6), (1, 4, 7), (2, 3, 8, 9))


def test_two_of_one_club_go_into_different_groups_where_that_is_free() -> None:
    clubs = {1: "north", 2: "south", 3: "east", 4: "east", 5: "south", 6: "north"}
    order = separate_in_groups((1, 2, 3, 4, 5, 6), 3, clubs)
    assert order[:3] == (1, 2, 3)
    for group in serpentine(6, 3):
        assert len({clubs[order[place]] for place in group}) == 2


def test_without_clubs_the_order_stays() -> None:
    assert separate_in_groups(range(1, 12), 4, dict.fromkeys(range(1, 12), "")) == tuple(
        range(1, 12)
    )


def test_tables_are_numbered_through_and_byes_come_last() -> None:
    tables = next_draw(event("groups", 10, groups=2)).tables
    assert [table.number for table in tables] == [1, 2, 3, 4, 5, 6]
    assert [table.is_bye for table in tables] == [False] * 4 + [True] * 2


def test_a_group_of_one_is_refused() -> None:
    with pytest.raises(CannotDraw) as refusal:
        next_draw(event("groups", 5, groups=3))
    assert (refusal.value.code, refusal.value.facts) == ("too_few", {"least": 6})


def test_a_pinned_table_of_two_groups_is_not_kept_when_its_draft_is_drawn_again() -> None:
    """Two entries of different groups had changed places by hand."""
    rows = event("groups", list(map(Entrant, range(1, 9))), groups=2)
    assert parted is not None
    one, other = parted(rows.stages[0])
    apart = Table(1, ((one[0],), (other[0],)), pinned=True)
    together = Table(2, ((one[1],), (one[2],)), pinned=True)
    draw, _ = draw_again(rows, 1, 1, (apart, together))
    assert together in draw.tables
    assert apart not in draw.tables
