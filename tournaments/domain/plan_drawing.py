"""The rounds of a planned tournament on a line of time: the numbers of a drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.domain.plans import StageSize

WIDTH: Final = 600
"""Units of the drawing from the first card to the last."""
MAX_NUMBERED: Final = 12
"""Rounds of which each is wide enough for its number, also on a phone."""


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round: its number, its stage from 1, and where it stands in the drawing."""

    number: int
    stage: int
    left: int
    width: int

    @property
    def middle(self) -> int:
        """Where its number is written."""
        return self.left + self.width // 2


def stages_in_time(stages: Sequence[StageSize]) -> tuple[StageSize, ...]:
    """Return the stages that follow each other: of two boards at the same time the longer one.

    None of the boards for places, which end with the knock-out that fills them.
    """
    stages = [stage for stage in stages if not stage.is_for_places]
    boards = [stage for stage in stages if stage.name]
    longest = max(boards, key=lambda stage: stage.rounds or 0, default=None)
    return tuple(stage for stage in stages if not stage.name or stage is longest)


def planned_rounds(
    stages: Sequence[StageSize], minutes_a_round: int, minutes_between: int
) -> tuple[PlannedRound, ...]:
    """Return the rounds of stages one after the other; those without a number of rounds have none.

    The first begins at 0, the last ends at `WIDTH`.
    """
    stage_of_round = [
        number for number, stage in enumerate(stages, 1) for _ in range(stage.rounds or 0)
    ]
    minutes = len(stage_of_round) * (minutes_a_round + minutes_between) - minutes_between
    rounds = []
    for index, stage in enumerate(stage_of_round):
        begins = index * (minutes_a_round + minutes_between)
        left = WIDTH * begins // minutes
        right = WIDTH * (begins + minutes_a_round) // minutes
        rounds.append(PlannedRound(index + 1, stage, left, right - left))
    return tuple(rounds)
