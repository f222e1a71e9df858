"""The drawing of a plan: rounds of equal length with equal pauses, from the start to the end."""

from __future__ import annotations

import pytest

from tournaments.domain.plan_drawing import WIDTH, planned_rounds
from tournaments.domain.plans import StageSize


def test_rounds_fill_the_line_from_the_first_card_to_the_last() -> None:
    rounds = planned_rounds([StageSize("swiss", 24, 5)], 30, 10)
    assert [(one.number, one.left, one.width) for one in rounds] == [
        (1, 0, 94),
        (2, 126, 95),
        (3, 252, 95),
        (4, 378, 95),
        (5, 505, 95),
    ]
    assert rounds[-1].left + rounds[-1].width == WIDTH


def test_stages_follow_each_other_and_rounds_are_numbered_through() -> None:
    rounds = planned_rounds([StageSize("swiss", 24, 3), StageSize("knockout", 4, 2)], 30, 0)
    assert [(one.number, one.stage) for one in rounds] == [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2)]
    assert [one.middle for one in rounds] == [60, 180, 300, 420, 540]


@pytest.mark.parametrize("rounds", [None, 0])
def test_a_stage_that_only_results_end_is_not_drawn(rounds: int | None) -> None:
    assert planned_rounds([StageSize("lives", 9, rounds)], 30, 10) == ()
