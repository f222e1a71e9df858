"""Groups: a liguilla in each, all at the same time.

The entrants come in seeding order and are dealt to and fro (`seeding.serpentine`), so that the
groups are as strong as one another and differ by one entrant at most; a latecomer is the next to be
dealt. Those of one club were put apart in the order itself (`stages.begin_stage`).
"""

from collections.abc import Mapping
from typing import Final

from tournaments.domain.pairing import liguilla
from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format
from tournaments.domain.rows import Entrant, Points, Scale, Stage, StageRules
from tournaments.domain.seeding import serpentine

MIN_IN_A_GROUP: Final = 2  # a match


def groups(stage: Stage) -> tuple[tuple[int, ...], ...]:
    """Return the entrants of each group in seeding order."""
    dealt = serpentine(len(stage.entrants), stage.rules.groups)
    return tuple(tuple(stage.entrants[place] for place in group) for group in dealt)


def draw(field: Field) -> Draw:
    """Answer the next round of every group, tables numbered through, byes last.

    Raises CannotDraw: ``stage_over``; ``too_few`` when a group would have fewer than two.
    """
    if len(field.stage.entrants) < MIN_IN_A_GROUP * field.stage.rules.groups:
        raise CannotDraw("too_few", least=MIN_IN_A_GROUP * field.stage.rules.groups)
    if is_over(field.stage, field.entrants):
        raise CannotDraw("stage_over")
    sittings = [
        sitting
        for members in groups(field.stage)
        for sitting in liguilla.group_tables(field, members)
    ]
    return liguilla.number_tables(field, sittings)


def rounds(entrants: int, rules: StageRules) -> int:
    """Return the rounds of the largest group."""
    return liguilla.rounds(-(-entrants // rules.groups), rules)


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether no group has a meeting left."""
    return bool(stage.rounds) and all(
        liguilla.is_over_among(members, stage, entrants) for members in groups(stage)
    )


FORMAT: Final = Format(
    name="groups",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=liguilla.FORMAT.order,
    settings=("groups", "turns"),
    rules=StageRules(groups=2, scale=Scale(bye=Points(0))),
    min_entrants=2 * MIN_IN_A_GROUP,
    all_at_once=True,
    groups=groups,
    is_preset=True,
    paired_by_place=True,
)
