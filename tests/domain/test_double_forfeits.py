"""Where neither of two comes, both are out of the bracket, and stand behind who played on."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.events import better_seed_wins, by_chance, event, played
from tests.quick import examples
from tournaments.domain.pairing import CannotDraw
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import Bye, PlaceRule, Table, TournamentRows
from tournaments.domain.stages import is_finished, next_draw, next_round


def nobody_at_the_second_table(table: Table) -> Table:
    """Play seeds 2 and 3, who meet in round 1 of four, as a match that neither came to."""
    if set(table.entrants) == {2, 3}:
        return replace(table, forfeits=(0, 1))
    return better_seed_wins(table)


@pytest.mark.parametrize(
    ("format_", "ranks"),
    [
        ("knockout", [(1, 1), (2, 2), (3, 2), (4, 2)]),
        ("double", [(1, 1), (4, 2), (2, 3), (3, 3)]),
        ("repesca", [(1, 1), (4, 2), (2, 3), (3, 3)]),
    ],
)
def test_neither_came_to_a_match_of_the_first_round(
    format_: str, ranks: list[tuple[int, int]]
) -> None:
    rows = played(event(format_, 4, places=PlaceRule.PLAYED), nobody_at_the_second_table)
    lines = ranking(rows, rows.stages[0])
    assert [(line.entrant, line.rank) for line in lines] == ranks


@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.parametrize("format_", ["knockout", "double", "repesca"])
def test_a_final_that_nobody_would_play_as_a_bye_was_granted_waits(
    format_: str, *, leaves: bool
) -> None:
    """Both finalists have a bye, or one of them has and the other has left."""
    rows = event(format_, 2, places=PlaceRule.PLAYED)
    if format_ != "double":
        rows = played(event(format_, 4, places=PlaceRule.PLAYED), rounds=1)
    else:
        rows = played(rows, rounds=1)
    number = next_round(rows)

    def with_byes(*numbers: int) -> TournamentRows:
        entrants = (
            replace(
                one,
                byes=((number, Bye.ZERO),) if one.number in numbers else (),
                absences=((number, None),) if leaves and one.number == 2 else (),
            )
            for one in rows.entrants
        )
        return replace(rows, entrants=tuple(entrants))

    resting = with_byes(1) if leaves else with_byes(1, 2)
    assert not is_finished(resting, resting.stages[0])
    with pytest.raises(CannotDraw) as refused:
        next_draw(resting)
    assert (refused.value.code, refused.value.facts) == ("final_rests", {"entrants": (1, 2)})
    one_plays = with_byes(2)
    if not is_finished(one_plays, one_plays.stages[0]):
        one_plays = played(one_plays)
    ranks = [(line.entrant, line.rank) for line in ranking(one_plays, one_plays.stages[0])]
    assert ranks[:2] == [(1, 1), (2, 2)]


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(["knockout", "double"]), st.integers(2, 24), st.integers(0, 2**32))
def test_a_bracket_whose_last_match_was_played_has_one_first(
    format_: str, size: int, seed: int
) -> None:
    result = by_chance(Random(seed), forfeits=0.3)
    rows = played(event(format_, size, places=PlaceRule.PLAYED), result)
    last = [table for table in rows.stages[0].rounds[-1].tables if not table.is_bye]
    if all(table.winner is not None for table in last):
        ranks = [line.rank for line in ranking(rows, rows.stages[0])]
        assert ranks.count(1) == 1
