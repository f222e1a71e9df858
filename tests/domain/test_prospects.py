"""What is certain before the last results, against all that the matches left may give."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

import pytest

from tests.domain.events import event
from tests.quick import IS_QUICK
from tournaments.domain.pairing.base import CannotDraw
from tournaments.domain.prospects import Prospect, Verdict, prospects
from tournaments.domain.ranking import tables
from tournaments.domain.rows import (
    LevelCut,
    Mark,
    Penalty,
    PlaceRule,
    Points,
    Round,
    Scale,
    Scoring,
    Stage,
    StageRules,
    State,
    Table,
    TournamentRows,
)
from tournaments.domain.scores import Length
from tournaments.domain.stages import is_finished, next_draw, next_round, with_stage

EVENTS = int(os.environ.get("BAZA_PROSPECT_EVENTS") or (60 if IS_QUICK else 150))
FIRST = int(os.environ.get("BAZA_PROSPECT_SEED") or 0)
MOST_CASES = 25
"""Cases of an event that are all looked at; of more, so many by chance."""

SCALES = (
    Scale(bye=Points(0)),
    Scale(win=Points(3), bye=Points(3), forfeit_win=Points(3)),
    Scale(forfeit_loss=Points(-1), forfeit_win_mark=Mark(2), bye=Points(1)),
)
ORDERS = (
    None,
    ("direct_encounter", "sonneborn_berger", "won"),
    ("won", "hand_difference"),
    ("mini_hand_difference", "wins", "point_difference"),
    ("point_difference",),
)


class Scene(NamedTuple):
    """An event of chance with matches left."""

    rows: TournamentRows
    length: Length
    chance: random.Random

    @property
    def stage(self) -> Stage:
        return self.rows.stages[0]

    @property
    def places(self) -> int:
        return self.rows.stages[1].rules.take

    def results(self) -> list[dict[str, Any]]:
        """Every result of a match: hands as they can be, with points of chance, and forfeits."""
        to, rule = self.length.to or 1, self.stage.rules.level_cut
        results: list[dict[str, Any]] = [{"forfeits": (0,)}, {"forfeits": (1,)}]
        for hands in product(range(to + 1), repeat=2):
            if hands == (to, to) or (hands[0] == hands[1] and rule is LevelCut.HAND):
                continue
            marks = tuple(Mark(won, won * self.chance.randint(0, 200)) for won in hands)
            results.append({"marks": marks, "cut": to not in hands})
            if hands[0] == hands[1] and rule is LevelCut.POINTS:
                results += [results[-1] | {"decided": side} for side in (0, 1)]
        return results

    def play(self, table: Table) -> Table:
        return table if table.is_bye else replace(table, **self.chance.choice(self.results()))


def scene(seed: int) -> Scene:
    """Play an event to its last rounds."""
    chance = random.Random(f"prospects:{seed}")
    format_ = chance.choice(("liguilla", "groups", "swiss"))
    entrants = chance.randint(4, 6)
    rules: dict[str, Any] = {
        "scale": chance.choice(SCALES),
        "level_cut": chance.choice(tuple(LevelCut)),
        "places": chance.choice(tuple(PlaceRule)),
        "scoring": chance.choice((Scoring.MATCH, Scoring.MATCH, Scoring.HANDS)),
        "order": chance.choice(ORDERS),
    }
    if format_ == "swiss":
        rules["rounds"] = chance.randint(2, 4)
    rows = event(format_, entrants, **rules)
    next_stage = Stage(2, "knockout", StageRules(take=chance.randint(1, 2 + (format_ != "groups"))))
    rows = replace(rows, stages=(*rows.stages, next_stage))
    length = Length(chance.randint(1, 3), None, 200)
    made = Scene(rows, length, chance)
    left = chance.choice((0, 0, 1, 1, 1, 2))
    rounds = made.rows.stages[0].rules.rounds or entrants - 1
    for _ in range(max(1, rounds - left)):
        try:
            made = drawn(made)
        except CannotDraw:
            break
    if chance.random() < 0.3:
        round_ = made.rows.stages[0].rounds[0].number
        loss = Penalty(chance.randint(1, entrants), round_, Fraction(1, 2), hands=1)
        made = made._replace(rows=replace(made.rows, penalties=(loss,)))
    if chance.random() < 0.2:
        gone, number = chance.randrange(entrants), next_round(made.rows)
        people = list(made.rows.entrants)
        people[gone] = replace(people[gone], absences=((number, None),))
        made = made._replace(rows=replace(made.rows, entrants=tuple(people)))
    return reopened(made)


def drawn(made: Scene) -> Scene:
    """Draw a round and play it."""
    stage, draw = made.stage, next_draw(made.rows, stage=1)
    round_ = Round(next_round(made.rows), tuple(map(made.play, draw.tables)))
    return made._replace(rows=with_stage(made.rows, replace(stage, rounds=(*stage.rounds, round_))))


def reopened(made: Scene) -> Scene:
    """Take results of the last round back, and now and then one of the round before."""
    *others, last = made.stage.rounds
    chance = 0.9 if made.chance.random() < 0.7 else 0.4
    rounds = [*others, without_results(made, last, chance)]
    if others and made.chance.random() < 0.3:
        rounds[-2] = without_results(made, rounds[-2], 0.4)
    return made._replace(rows=with_stage(made.rows, replace(made.stage, rounds=tuple(rounds))))


def without_results(made: Scene, round_: Round, chance: float) -> Round:
    played = tuple(
        table if table.is_bye or made.chance.random() > chance else Table(table.number, table.sides)
        for table in round_.tables
    )
    return replace(round_, tables=played, state=State.PUBLISHED)


class End(NamedTuple):
    """The event at its end: the results that made it, and who goes on (None: level at the line)."""

    given: dict[tuple[int, int], dict[str, Any]]
    goes_on: dict[int, bool | None]
    rows: TournamentRows


def endings(made: Scene) -> tuple[list[End], bool]:
    """Return every way to the end of an event, or some by chance where there are many."""
    keys = [(r, table.number) for r, table in made.stage.tables() if not table.counts]
    results = {key: made.results() for key in keys}
    last = with_all(made, {key: results[key][0] for key in keys})
    is_every = prod(map(len, results.values())) <= MOST_CASES and is_finished(last, last.stages[0])
    if is_every:
        cases = [dict(zip(keys, case, strict=True)) for case in product(*results.values())]
    else:
        cases = [{key: made.chance.choice(results[key]) for key in keys} for _ in range(MOST_CASES)]
    ends = []
    for case in cases:
        end = made._replace(rows=with_all(made, case))
        while not is_finished(end.rows, end.stage):
            end = drawn(end)
        ends.append(End(case, places_of(end), end.rows))
    return ends, is_every


def with_all(made: Scene, given: dict[tuple[int, int], dict[str, Any]]) -> TournamentRows:
    rounds = tuple(
        replace(
            round_,
            tables=tuple(
                replace(table, **given.get((round_.number, table.number), {}))
                for table in round_.tables
            ),
        )
        for round_ in made.stage.rounds
    )
    return with_stage(made.rows, replace(made.stage, rounds=rounds))


def places_of(end: Scene) -> dict[int, bool | None]:
    """Return who goes on by the table, without those who have left."""
    goes_on: dict[int, bool | None] = {}
    number = next_round(end.rows)
    for group in tables(end.rows, end.stage):
        here = [
            line for line in group.lines if not end.rows.by_number[line.entrant].has_left(number)
        ]
        for line in here:
            above = sum(other.rank < line.rank for other in here)
            level = sum(other.rank <= line.rank for other in here)
            goes_on[line.entrant] = (
                True if level <= end.places else False if above >= end.places else None
            )
    return goes_on


def own_win(end: End, entrant: int, match: tuple[int, int]) -> bool:
    """Tell whether an entrant wins a match."""
    tables_ = {(r, table.number): table for r, table in end.rows.stages[0].tables()}
    table = tables_[match]
    return table.winner == table.side_of(entrant)


def check(made: Scene) -> tuple[int, int]:
    """Hold every sentence against all ends; return how many there are, and of how many entrants."""
    said = prospects(made.rows, made.stage, made.length)
    ends, is_every = endings(made)
    for entrant, prospect in said.items():
        places = {end.goes_on[entrant] for end in ends}
        if prospect.verdict is Verdict.THROUGH:
            assert places == {True}
        elif prospect.verdict is Verdict.OUT:
            assert places == {False}
        elif prospect.verdict is Verdict.WIN:
            assert prospect.match is not None
            with_win = {
                end.goes_on[entrant] for end in ends if own_win(end, entrant, prospect.match)
            }
            assert with_win <= {True}
        elif is_every:
            check_tables(made, ends, entrant, prospect)
    return len(said), len(ends[0].goes_on)


def check_tables(made: Scene, ends: list[End], entrant: int, prospect: Prospect) -> None:
    """Each table that is named takes the entrant in and out, the others being equal."""
    keys = [(r, table.number) for r, table in made.stage.tables() if not table.counts]
    assert prospect.tables
    assert set(prospect.tables) <= set(keys)
    for named in prospect.tables:
        sides: dict[str, set[bool | None]] = {}
        for end in ends:
            rest = str({key: end.given[key] for key in keys if key != named})
            sides.setdefault(rest, set()).add(end.goes_on[entrant])
        assert any({True, False} <= side for side in sides.values())


@pytest.mark.parametrize("part", range(3))
def test_no_sentence_is_false_whatever_the_matches_left_give(part: int) -> None:
    found = of = 0
    for seed in range(FIRST + part, FIRST + EVENTS, 3):
        sentences, entrants = check(scene(seed))
        found, of = found + sentences, of + entrants
    assert found > of / 3


# --- One table, read by hand ----------------------------------------------------------------------

Results = dict[tuple[int, int], tuple[int, int] | None]
"""The meetings of a round with their hands; None where they are still to be played."""


def four(*rounds: Results, take: int = 2, **rules: Any) -> dict[int, Prospect]:
    """Return what is certain in a liguilla of four to three hands, of which so many go on."""
    rows = event("liguilla", 4, **rules)
    played = tuple(
        Round(
            number,
            tuple(
                Table(n, ((home,), (away,)), marks=hands and tuple(map(Mark, hands)))
                for n, ((home, away), hands) in enumerate(meetings.items(), 1)
            ),
        )
        for number, meetings in enumerate(rounds, 1)
    )
    stage = replace(rows.stages[0], rounds=played)
    rows = replace(rows, stages=(stage, Stage(2, "knockout", StageRules(take=take))))
    return prospects(rows, stage, Length(3, None, 200))


def test_before_the_last_round_one_is_through_one_is_out_and_two_need_a_win() -> None:
    said = four(
        {(1, 2): (3, 0), (3, 4): (3, 0)},
        {(1, 3): (3, 1), (2, 4): (3, 1)},
        {(1, 4): None, (2, 3): None},
    )
    assert {n: prospect.verdict for n, prospect in said.items()} == {
        1: Verdict.THROUGH,
        2: Verdict.WIN,
        3: Verdict.WIN,
        4: Verdict.OUT,
    }
    assert {prospect.decided_by for prospect in said.values()} == {"match_points"}
    assert said[2].match == (3, 2)


def test_who_has_beaten_all_rivals_is_first_by_their_matches() -> None:
    said = four(
        {(1, 2): (3, 0), (3, 4): (3, 0)},
        {(1, 3): (3, 1), (2, 4): (3, 1)},
        {(1, 4): None, (2, 3): None},
        take=1,
    )
    assert said[1] == (Verdict.THROUGH, 2, "direct_encounter", (3, 1), ())


def test_a_difference_that_three_hands_cannot_turn_is_certain() -> None:
    rounds: tuple[Results, ...] = (
        {(1, 3): (3, 0), (2, 4): (3, 2)},
        {(1, 2): (3, 0), (3, 4): (3, 2)},
        {(1, 4): None, (2, 3): None},
    )
    by_hands = four(*rounds, take=1, order=("hand_difference",))
    assert by_hands[1] == (Verdict.THROUGH, 2, "hand_difference", (3, 1), ())
    by_points = four(*rounds, take=1, order=("point_difference",))  # they have no bound
    assert by_points[1].verdict is Verdict.WIN


def test_the_table_of_others_on_which_a_place_depends_is_named() -> None:
    said = four(
        {(1, 2): (3, 0), (3, 4): (3, 0)},
        {(1, 3): (3, 0), (2, 4): (0, 3)},
        {(1, 4): None, (2, 3): None},
    )
    assert said[3] == (Verdict.DEPENDS, 2, "", (3, 2), ((3, 1), (3, 2)))


@pytest.mark.parametrize(
    ("take", "rules"),
    [
        (0, {}),
        (2, {"scoring": Scoring.VICTORY}),
        (2, {"drop_rounds": 1, "order": ("hand_difference",)}),
    ],
)
def test_nothing_is_said_where_all_go_on_or_points_have_no_bound(
    take: int, rules: dict[str, Any]
) -> None:
    last: Results = {(1, 4): None, (2, 3): None}
    assert four({(1, 2): (3, 0), (3, 4): (3, 0)}, last, take=take, **rules) == {}
