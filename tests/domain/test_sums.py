"""Sums by the rule of a stage: a Butler, sitting out under victory points, a dropped round."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from tests.domain.test_comparison import awarded, played
from tests.domain.test_dropped_rounds import FIVE, met, swiss
from tournaments.domain.file import rows_from_bytes, rows_to_bytes
from tournaments.domain.proof import Bundle, digest_of
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Points,
    Round,
    Scale,
    Scoring,
    Stage,
    StageRules,
    SumRule,
    Table,
    TournamentRows,
)
from tournaments.domain.stages import with_stage
from tournaments.domain.verification import verify

BUTLER_TIE = Path("tests/inputs/tournaments/butler_tie.json")


def by(rows: TournamentRows, sums: SumRule) -> TournamentRows:
    """Return a tournament of one stage with a rule of sums."""
    stage = rows.stages[0]
    return with_stage(rows, replace(stage, rules=replace(stage.rules, sums=sums)))


def test_a_file_without_the_rule_keeps_its_rounded_butler_and_is_named() -> None:
    rows = rows_from_bytes(BUTLER_TIE.read_bytes())
    assert [line.rank for line in ranking(rows, rows.stages[0])] == [1, 2, 3, 4, 5, 5, 7, 8]
    assert b"sums" not in rows_to_bytes(rows, explicit=True)
    assert digest_of(rows) == digest_of(by(rows, SumRule.ROUNDED)) != digest_of(exact(rows))
    assert "butler_rounded" in {finding.code for finding in verify(Bundle(rows))}
    assert "butler_rounded" not in {finding.code for finding in verify(Bundle(exact(rows)))}


def exact(rows: TournamentRows) -> TournamentRows:
    return by(rows, SumRule.EXACT)


def test_by_the_rule_the_butler_is_exact_and_its_tie_stands() -> None:
    rows = exact(rows_from_bytes(BUTLER_TIE.read_bytes()))
    lines = ranking(rows, rows.stages[0])
    assert [line.rank for line in lines] == [1, 2, 3, 4, 4, 4, 7, 7]
    assert [line.match_points for line in lines[3:]] == [Fraction(-40, 3)] * 3 + [
        Fraction(-80, 3)
    ] * 2


@pytest.mark.parametrize("seed", range(40))
def test_an_exact_butler_ranks_by_the_sums_of_whole_numbers(seed: int) -> None:
    """With N tables a deal, N - 1 times the difference to the mean of the others is whole."""
    chance = Random(seed)
    tables = 4
    rounds = []
    for number in range(1, 4):
        deals = [chance.choice(range(40, 91, 5)) for _ in range(tables)]
        moved = [(n, 5 + (n + number) % tables) for n in range(1, tables + 1)]
        rounds.append(
            tuple(
                played(n, sides, **{f"d{number}": (points, 130 - points)})
                for n, (sides, points) in enumerate(zip(moved, deals, strict=True), 1)
            )
        )
    rules = StageRules(scoring=Scoring.COMPARISON, comparison="average", deals=1, order=())
    stage = Stage(
        1,
        "duplicate",
        replace(rules, sums=SumRule.EXACT),
        tuple(range(1, 9)),
        tuple(Round(number, tables) for number, tables in enumerate(rounds, 1)),
    )
    whole = dict.fromkeys(stage.entrants, 0)
    for round_ in rounds:
        total = sum(table.board_points[0][0] - table.board_points[0][1] for table in round_)
        for table in round_:
            (home, away) = table.board_points[0]
            for side, sign in enumerate((1, -1)):
                whole[table.sides[side][0]] += sign * (tables * (home - away) - total)
    rows = TournamentRows("", entrants=tuple(map(Entrant, stage.entrants)), stages=(stage,))
    expected = {n: 1 + sum(other > mine for other in whole.values()) for n, mine in whole.items()}
    assert {line.entrant: line.rank for line in ranking(rows, stage)} == expected


def five(sums: SumRule, bye: int | Points = 2) -> Stage:
    """A stage of five under victory points; each sits out once, 5 has played nothing."""
    rules = StageRules(scoring=Scoring.VICTORY, sums=sums, scale=Scale(bye=Points(bye)))

    def victory(number: int, one: int, other: int, points: int) -> Table:
        marks = (Mark(1, points), Mark(0, 130 - points))
        return Table(number, ((one,), (other,)), marks=marks)

    rounds = (
        (victory(1, 1, 2, 75), victory(2, 3, 4, 80), Table(3, ((5,),), bye=Bye.PAIRING)),
        (victory(1, 2, 3, 90), Table(2, ((1,),), bye=Bye.PAIRING)),
        (Table(1, ((2,), (4,)), forfeits=(1,)), Table(2, ((3,),), bye=Bye.FULL)),
    )
    rounds_ = tuple(Round(number, tables) for number, tables in enumerate(rounds, 1))
    return Stage(1, "swiss", rules, (1, 2, 3, 4, 5), rounds_)


def test_sitting_out_under_victory_points_earns_the_mean_of_the_own_rounds() -> None:
    before, now = awarded(five(SumRule.ROUNDED)), awarded(five(SumRule.EXACT))
    assert (before[1, 3], before[2, 2]) == ((20,), (20,))
    assert now[2, 2] == (now[1, 1][0],) != (20,)
    assert now[1, 3] == (10,)  # no round of its own
    assert now[3, 2] == (20,)  # asked for, and worth what the scale says
    assert {key: before[key] for key in now if key not in {(1, 3), (2, 2)}}.items() <= now.items()


def test_a_stage_with_a_figure_of_its_own_gives_it_to_who_sits_out() -> None:
    now = awarded(five(SumRule.EXACT, Points(6, 5)))
    assert (now[1, 3], now[2, 2]) == ((12,), (12,))


def test_only_a_round_that_counts_can_lack_its_points() -> None:
    dropped = (met(1, 3, 1, "3-1", "0-0"), met(2, 2, 4, "3-2", "100-95"))
    rows = swiss(FIVE[0], dropped, *FIVE[2:])  # round 2 is the worst of entrant 1
    before, now = (
        {line.entrant: {v.code: v.number for v in line.values} for line in ranking(r, r.stages[0])}
        for r in (rows, exact(rows))
    )
    assert before[1]["point_difference"] is None
    assert now[1]["point_difference"] == (120 - 90) + (125 - 75) + (105 - 100) + (110 - 70)
    assert now[3]["point_difference"] is None  # its worst round is another
    assert now[1]["best_round"] is None  # which looks at all rounds
    assert "dropped_round_blocks" in {finding.code for finding in verify(Bundle(rows))}
