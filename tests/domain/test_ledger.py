"""What every entrant took from every round."""

from dataclasses import replace

import pytest

from tests.domain.crosstables import crosstable
from tournaments.domain.ledger import Game, Ledger, RoundKind, ledger
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
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


def lines(rows: TournamentRows, through: int | None = None, *, everybody: bool = True) -> Ledger:
    return ledger(rows, rows.stages[0], through, fill_absences=everybody)


def kinds(rows: TournamentRows, entrant: int) -> list[RoundKind]:
    return [game.kind for game in lines(rows).games[entrant]]


def one_table(table: Table, *, rules: StageRules | None = None) -> Ledger:
    stage = Stage(1, "x", rules or StageRules(), tuple(sorted(table.entrants)), (round_(table),))
    return ledger(TournamentRows("", stages=(stage,)), stage)


def round_(*tables: Table, number: int = 1, state: State = State.CLOSED) -> Round:
    return Round(number, tables, state)


def test_a_match_is_a_line_of_each_side() -> None:
    lines = one_table(Table(4, ((7,), (3,)), marks=(Mark(3, 310), Mark(1, 250))))
    assert lines.games == {
        7: (Game(1, RoundKind.PLAYED, 2, 0, (3,), (), 3, 1, 310, 250, 4, True),),
        3: (Game(1, RoundKind.PLAYED, 0, 2, (7,), (), 1, 3, 250, 310, 4, False),),
    }


def test_four_single_players_have_a_partner_and_two_opponents() -> None:
    lines = one_table(Table(1, ((1, 3), (2, 4)), marks=(Mark(3), Mark(0))))
    game = lines.games[3][0]
    assert (game.partners, game.opponents, game.match_points) == ((1,), (2, 4), 2)
    assert lines.games[2][0].opponents == (1, 3)


def test_three_at_a_table_are_each_against_the_two_others() -> None:
    marks = (Mark(2, 60), Mark(1, 50), Mark(0, 20))
    lines = one_table(Table(1, ((1,), (2,), (3,)), marks=marks))
    assert lines.games[2][0].opponents == (1, 3)
    assert (lines.games[2][0].points, lines.games[2][0].points_against) == (50, 80)
    assert [lines.games[n][0].won for n in (1, 2, 3)] == [True, False, False]
    assert [lines.games[n][0].lost for n in (1, 2, 3)] == [False, True, True]


@pytest.mark.parametrize(
    ("word", "kind", "points"),
    [
        ("B", RoundKind.PAIRING_BYE, Points(1)),
        ("F", RoundKind.FULL_BYE, Points(1)),
        ("H", RoundKind.HALF_BYE, Points(1, 2)),
        ("Z", RoundKind.ZERO_BYE, Points(0)),
        ("2f", RoundKind.FORFEIT_WIN, Points(1)),
        ("2x", RoundKind.FORFEIT_LOSS, Points(0)),
    ],
)
def test_each_unplayed_round_has_its_kind_and_its_worth(
    word: str, kind: RoundKind, points: Points
) -> None:
    other = {"f": "1x", "x": "1f"}.get(word[-1], "Z")
    game = lines(crosstable([word, other])).games[1][0]
    assert (game.kind, game.match_points, game.won and game.kind is RoundKind.PLAYED) == (
        kind,
        points,
        False,
    )


def test_when_neither_comes_both_have_lost_by_forfeit() -> None:
    rows = crosstable(["2x", "1x"])
    assert kinds(rows, 1) == kinds(rows, 2) == [RoundKind.FORFEIT_LOSS]


def test_a_pairing_bye_brings_the_hands_and_points_of_the_scale() -> None:
    rules = StageRules(scale=Scale(bye_mark=Mark(3, 300)))
    assert one_table(Table(1, ((1,),), bye=Bye.PAIRING), rules=rules).games[1][0].hands == 3
    assert one_table(Table(1, ((1,),), bye=Bye.FULL), rules=rules).games[1][0].hands == 0


def test_points_above_the_cap_count_as_the_cap_and_the_winner_stays() -> None:
    rules = StageRules(points_cap=110)
    table = Table(1, ((1,), (2,)), marks=(Mark(2, 70), Mark(3, 150)))
    lines = one_table(table, rules=rules)
    assert [(game.points, game.points_against) for (game,) in lines.games.values()] == [
        (70, 110),
        (110, 70),
    ]
    assert [game.won for (game,) in lines.games.values()] == [False, True]
    level = Table(1, ((1,), (2,)), marks=(Mark(1, 120), Mark(3, 150)))
    assert one_table(level, rules=rules).games[2][0].won
    by_rank = replace(rules, scoring=Scoring.TABLE)
    assert one_table(level, rules=by_rank).games[2][0].won


def test_a_walk_over_counts_its_own_score_for_both_sides() -> None:
    scale = Scale(forfeit_win_mark=Mark(3, 30), forfeit_loss_mark=Mark(1, 10))
    rules = StageRules(scale=scale)
    lines = one_table(Table(1, ((1,), (2,)), forfeits=(0,)), rules=rules)
    assert [(g.hands, g.points, g.points_against) for (g,) in lines.games.values()] == [
        (1, 10, 30),
        (3, 30, 10),
    ]
    neither = one_table(Table(1, ((1,), (2,)), forfeits=(0, 1)), rules=rules)
    assert {(g.points, g.match_points) for (g,) in neither.games.values()} == {(10, 0)}


def test_a_table_without_a_result_is_open_and_no_line() -> None:
    result = lines(crosstable(["2?", "1?", "Z"]))
    assert result.games[1] == ()
    assert result.open == {1: (1,), 2: (1,), 3: ()}


def test_a_draft_counts_for_nothing() -> None:
    rows = crosstable(["2+ 2+", "1- 1-"])
    stage = rows.stages[0]
    drafted = replace(stage.rounds[1], state=State.DRAFT)
    stage = replace(stage, rounds=(stage.rounds[0], drafted))
    assert [game.round for game in ledger(rows, stage).games[1]] == [1]
    assert ledger(rows, stage).rounds == (1,)


def test_a_latecomer_gets_what_the_rules_give_for_the_rounds_they_missed() -> None:
    entrants = [Entrant(1), Entrant(2), Entrant(3, joined=3)]
    for late, kind in ((Bye.HALF, RoundKind.HALF_BYE), (Bye.ZERO, RoundKind.ZERO_BYE)):
        rows = crosstable(["2+ 2+ 3+", "1- 1- B", ". . 1-"], entrants=entrants, late=late)
        assert kinds(rows, 3) == [kind, kind, RoundKind.PLAYED]


def test_one_who_is_away_has_zero_byes() -> None:
    entrants = [Entrant(1), Entrant(2, absences=((2, 3),)), Entrant(3, absences=((3, None),))]
    rows = crosstable(["2+ 3+ 2+", "1- . 1-", "B 1- ."], entrants=entrants)
    assert kinds(rows, 2) == [RoundKind.PLAYED, RoundKind.ZERO_BYE, RoundKind.PLAYED]
    assert kinds(rows, 3) == [RoundKind.PAIRING_BYE, RoundKind.PLAYED, RoundKind.ZERO_BYE]


def test_one_who_is_knocked_out_has_no_lines_any_more() -> None:
    rows = crosstable(["2+ 3+", "1- .", "4+ 1-", "3- ."])
    result = lines(rows, everybody=False)
    assert [len(result.games[n]) for n in (1, 2, 3, 4)] == [2, 1, 2, 1]
    assert kinds(rows, 2) == [RoundKind.PLAYED, RoundKind.ZERO_BYE]


def test_a_ledger_can_stop_after_any_round() -> None:
    rows = crosstable(["2+ 3+ B", "1- B 3+", "B 1- 2-"], penalties=(Penalty(1, 3, Points(1)),))
    assert lines(rows, 2).rounds == (1, 2)
    assert [game.round for game in lines(rows, 2).games[3]] == [1, 2]
    assert lines(rows, 2).penalties == {}
    assert lines(rows).penalties[1][0].match_points == 1


def test_a_penalty_belongs_to_the_stage_of_its_round() -> None:
    first = crosstable(["2+", "1-"]).stages[0]
    second = replace(first, number=2, rounds=(replace(first.rounds[0], number=2),))
    rows = TournamentRows("", stages=(first, second), penalties=(Penalty(2, 2, Points(1)),))
    assert ledger(rows, first).penalties == {}
    assert [penalty.round for penalty in ledger(rows, second).penalties[2]] == [2]


def test_a_penalty_before_the_first_round_counts_in_the_first_stage() -> None:
    rows = crosstable(["2+", "1-"], penalties=(Penalty(2, 0, Points(1)), Penalty(9, 1)))
    assert [penalty.round for penalty in lines(rows).penalties[2]] == [0]
    assert set(lines(rows).penalties) == {2}


def test_nobody_plays_who_is_not_in_the_stage() -> None:
    stage = Stage(1, "x", entrants=(1,), rounds=(round_(Table(1, ((1,), (2,)))),))
    with pytest.raises(ValueError, match="not in the stage"):
        ledger(TournamentRows("", stages=(stage,)), stage)


def test_whole_points_are_whole_numbers() -> None:
    game = one_table(Table(1, ((1,), (2,)), marks=(Mark(1), Mark(0)))).games[1][0]
    assert type(game.match_points) is int
