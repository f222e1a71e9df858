"""Hypothesis strategies: whole tournaments, for the laws of files and proofs."""

from typing import Any

from hypothesis import strategies as st

from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
    Points,
    Round,
    Scale,
    Stage,
    StageRules,
    State,
    Table,
    TournamentRows,
)

NAMES = st.text("abcñ 1·'\"\\", max_size=8)
ROUNDS = st.integers(1, 30)


@st.composite
def entrants(draw: st.DrawFn, number: int) -> Entrant:
    start = draw(ROUNDS)
    return Entrant(
        number,
        draw(NAMES),
        tuple(draw(st.lists(NAMES, max_size=2))),
        draw(st.sampled_from([0.0, 1500.0, 1733.25])),
        draw(NAMES),
        tuple(draw(st.lists(NAMES, max_size=2))),
        draw(ROUNDS),
        draw(st.sampled_from([(), ((start, None),), ((start, start + 2),)])),
        tuple(sorted(draw(st.dictionaries(ROUNDS, st.sampled_from(Bye), max_size=2)).items())),
    )


@st.composite
def tables(draw: st.DrawFn, number: int, sides: tuple[tuple[int, ...], ...]) -> Table:
    if len(sides) == 1:
        return Table(number, sides, bye=draw(st.sampled_from(Bye)))
    marks = st.tuples(*[st.builds(Mark, st.integers(0, 4), st.integers(-9, 300)) for _ in sides])
    side_indices = st.lists(st.integers(0, len(sides) - 1), unique=True).map(tuple)
    boards = draw(st.sampled_from([(), (1,), (3, 4)]))
    is_ranked = draw(st.booleans())
    scores: Any = st.tuples(*[st.tuples(*[st.integers(0, 130) for _ in sides]) for _ in boards])
    return Table(
        number,
        sides,
        marks=draw(marks if is_ranked else st.none() | marks),
        places=tuple(range(len(sides), 0, -1)) if is_ranked else (),
        forfeits=draw(st.just(()) | side_indices),
        decided=draw(st.none() | st.integers(0, len(sides) - 1)),
        boards=boards,
        board_points=draw(scores),
        pinned=draw(st.booleans()),
    )


@st.composite
def rounds(draw: st.DrawFn, number: int, entrants: tuple[int, ...]) -> Round:
    left = list(draw(st.permutations(entrants)))
    seated: list[Table] = []
    while left:
        seats = draw(st.sampled_from([2, 2, 2, 3, 4]))
        together, left = left[:seats], left[seats:]
        couples = len(together) == 4 and draw(st.booleans())
        pairs = (tuple(together[::2]), tuple(together[1::2]))
        sides = pairs if couples else tuple((entrant,) for entrant in together)
        seated.append(draw(tables(len(seated) + 1, sides)))
    return Round(number, tuple(seated), draw(st.sampled_from(State)))


@st.composite
def stages(draw: st.DrawFn, number: int, entrants: list[int], first: int) -> Stage:
    present = tuple(draw(st.lists(st.sampled_from(entrants), unique=True))) if entrants else ()
    played = draw(st.integers(0, 2))
    kind = draw(st.sampled_from(sorted(FORMATS)))
    own = FORMATS[kind].rules
    sizes: Any = {"table_size": own.table_size, "other_size": own.other_size}
    return Stage(
        number,
        kind,
        draw(st.sampled_from([own, StageRules(scale=Scale(win=Points(5, 2)), **sizes)])),
        present,
        tuple(draw(rounds(first + index, present)) for index in range(played)),
        draw(st.sampled_from(["", "00ff"])),
        draw(st.dictionaries(st.sampled_from(present), st.integers(0, 9))) if present else {},
        draw(NAMES),
    )


@st.composite
def tournaments(draw: st.DrawFn) -> TournamentRows:
    """Draw a tournament that is in order as a file, if not as an event."""
    numbers = draw(st.lists(st.integers(1, 99), unique=True, max_size=7))
    drawn_stages: list[Stage] = []
    for number in range(1, draw(st.integers(0, 2)) + 1):
        first = 1 + max((r.number for stage in drawn_stages for r in stage.rounds), default=0)
        drawn_stages.append(draw(stages(number, numbers, first)))
    blame = st.builds(
        Penalty,
        st.sampled_from(numbers or [1]),
        ROUNDS,
        st.sampled_from([Points(0), Points(1, 2), Points(-3)]),
        st.integers(-2, 2),
        st.integers(-50, 50),
        NAMES,
    )
    return TournamentRows(
        draw(NAMES),
        draw(st.sampled_from(["", "parejas-online"])),
        draw(st.sampled_from([{}, {"cotos": 3, "list": [1, {"a": None}]}])),
        tuple(draw(entrants(number)) for number in numbers),
        tuple(drawn_stages),
        tuple(draw(st.lists(blame, max_size=2 if numbers else 0))),
    )
