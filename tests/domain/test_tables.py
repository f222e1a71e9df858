"""Tables of three, four and five: their sizes, who meets whom, what they are worth."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from tournaments.domain.awards import table_awards
from tournaments.domain.file import FileError
from tournaments.domain.file.consistency import check_table
from tournaments.domain.movements.threes import (
    History,
    design_seats,
    history,
    imbalance,
    plan,
    table_sizes,
)
from tournaments.domain.pairing.base import CannotDraw, Draw, Field
from tournaments.domain.pairing.checks import objections
from tournaments.domain.pairing.tables import FORMAT
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import (
    Entrant,
    Mark,
    Points,
    Round,
    Scale,
    Scoring,
    SeatedBy,
    Stage,
    StageRules,
    State,
    Table,
    TournamentRows,
)


@pytest.mark.parametrize(
    ("players", "size", "other", "sizes"),
    [
        (13, 4, 3, (4, 3, 3, 3)),
        (22, 4, 5, (4, 4, 4, 5, 5)),
        (12, 4, 3, (4, 4, 4)),
        (11, 5, 3, (5, 3, 3)),
        (5, 4, 3, (4,)),
        (3, 4, 3, (3,)),
        (10, 3, None, (3, 3, 3)),
        (2, 4, 3, ()),
    ],
)
def test_as_few_as_can_be_rest_then_as_few_as_can_be_sit_at_the_other_size(
    players: int, size: int, other: int | None, sizes: tuple[int, ...]
) -> None:
    assert table_sizes(players, size, other) == sizes


@pytest.mark.parametrize("other", [3, 5])
@pytest.mark.parametrize("players", [13, 16, 17, 22, 50])
def test_over_five_rounds_at_fours_nobody_meets_anybody_oftener_than_must_nearly_be(
    players: int, other: int
) -> None:
    people = range(1, players + 1)
    sizes = table_sizes(players, 4, other)
    seats = design_seats(people, people, 4)
    rounds = plan(people, 5, History(seats=max(sizes)), sizes=sizes, seats=seats, seed="c0ffee")
    assert all(sorted(p for t in r.tables for p in t) == list(people) for r in rounds)
    balance = imbalance(rounds, people)
    assert balance.most <= (1 if players == 16 else math.ceil(5 * 3 / (players - 1)) + 1)
    assert balance.seats <= (1 if len(set(sizes)) == 1 else 2)


def test_at_fives_twenty_five_meet_once_and_go_on_when_five_more_come() -> None:
    first, later = range(1, 26), range(1, 31)
    seats = design_seats(first, first, 5)
    six = plan(first, 6, History(seats=5), sizes=(5,) * 5, seats=seats)
    assert set(history(six, seats=5).meetings.values()) == {1}
    before = history(six[:2], later, seats=5)
    balance = imbalance((*six[:2], *plan(later, 4, before, sizes=(5,) * 6)), first)
    assert balance.most <= 2
    # Two games were played, in which only two of the five chairs came up.
    assert balance.seats <= 2


# --- what a table is worth ----------------------------------------------------------------------

RULES = StageRules(
    scoring=Scoring.TABLE,
    table_size=4,
    points_by_size=tuple(
        tuple(map(Points, points)) for points in ((2, 0, -2), (3, 1, -1, -3), (4, 2, 0, -2, -4))
    ),
    scale=Scale(forfeit_loss=Points(-5)),
)


def table(*places: int, hands: tuple[int, ...] = (), forfeits: tuple[int, ...] = ()) -> Table:
    """Return a table by stated places, or by hands."""
    sides = tuple((n,) for n in range(1, max(len(places), len(hands)) + 1))
    marks = tuple(map(Mark, hands or (0,) * len(places)))
    return Table(1, sides, marks=marks, places=places, forfeits=forfeits)


@pytest.mark.parametrize(
    ("played", "points", "winner"),
    [
        (table(2, 1, 3), (0, 2, -2), 1),
        (table(1, 2, 2, 4), (3, 0, 0, -3), 0),
        (table(1, 1, 3, 4), (2, 2, -1, -3), None),
        (table(5, 4, 3, 2, 1), (-4, -2, 0, 2, 4), 4),
        (table(hands=(1, 3, 0, 2)), (-1, 3, -3, 1), 1),
        (table(1, 2, 3, 4, forfeits=(3,)), (3, 1, -1, -5), None),
    ],
)
def test_places_rank_where_they_are_stated_and_each_size_of_table_has_its_points(
    played: Table, points: tuple[int, ...], winner: int | None
) -> None:
    assert table_awards(RULES, played) == points
    assert played.winner == winner


def test_a_table_of_two_has_the_points_by_rank_of_before_and_shares_may_be_broken() -> None:
    assert list(table_awards(RULES, table(hands=(0, 1)))) == [0, 2]
    assert list(table_awards(RULES, table(1, 1, 1, 4))) == [1, 1, 1, -3]
    default = StageRules(scoring=Scoring.TABLE, table_size=4)
    assert list(table_awards(default, table(1, 2, 2, 4))) == [4, Fraction(5, 2), Fraction(5, 2), 1]


@pytest.mark.parametrize("places", [(1, 2, 3), (1, 2, 2, 3), (2, 3, 4, 5), (1, 1, 2, 4)])
def test_a_file_with_impossible_places_is_refused(places: tuple[int, ...]) -> None:
    bad = Table(1, ((1,), (2,), (3,), (4,)), marks=(Mark(),) * 4, places=places)
    with pytest.raises(FileError, match="bad_places"):
        check_table(bad, "/table")
    check_table(table(1, 2, 2, 4), "/table")


# --- the rounds ---------------------------------------------------------------------------------


def draw(stage: Stage, present: tuple[int, ...] = (), pinned: tuple[Table, ...] = ()) -> Draw:
    """Draw a round; who has a lower number stands better."""
    entrants = {number: Entrant(number) for number in range(1, 61)}
    here, number = present or stage.entrants, len(stage.rounds) + 1
    return FORMAT.draw(Field(stage, entrants, number, here, {}, pinned, tuple(sorted(entrants))))


def play(stage: Stage, drawn: Draw) -> Stage:
    """Play a round, in which the lower number always comes before the higher."""
    tables = tuple(
        table if table.is_bye else replace(table, places=places, marks=(Mark(),) * len(places))
        for table in drawn.tables
        for places in [tuple(sorted(table.sides).index(side) + 1 for side in table.sides)]
    )
    return replace(stage, rounds=(*stage.rounds, Round(len(stage.rounds) + 1, tables)))


def stage_of(players: int, **rules: object) -> Stage:
    settings = replace(FORMAT.rules, rounds=5, **rules)  # type: ignore[arg-type]
    return Stage(1, "tables", settings, tuple(range(1, players + 1)), seed="c0ffee")


def most_meetings(stage: Stage) -> int:
    pairs = [two for _, t in stage.tables() for two in combinations(sorted(t.entrants), 2)]
    return max(map(pairs.count, pairs))


@pytest.mark.parametrize("seated_by", [SeatedBy.LOT, SeatedBy.STANDING, SeatedBy.PLANNED])
def test_everybody_is_at_one_table_in_every_round_also_when_some_come_and_go(
    seated_by: SeatedBy,
) -> None:
    stage = stage_of(13, seated_by=seated_by)
    here = stage.entrants
    for present in (here, here, here[:5], (*here, 14, 15), here):
        drawn = draw(stage, present)
        assert sorted(e for table in drawn.tables for e in table.entrants) == list(present)
        assert sum(table.is_bye for table in drawn.tables) == (len(present) == 5)
        stage = play(stage, drawn)
    with pytest.raises(CannotDraw, match="stage_over"):
        draw(stage)


@pytest.mark.parametrize("players", [13, 16, 17, 22, 50])
def test_planned_tables_of_an_event_bring_people_together_as_seldom_as_can_be(players: int) -> None:
    stage = stage_of(players)
    for _ in range(5):
        stage = play(stage, draw(stage))
    most = 1 if players == 16 else math.ceil(5 * 3 / (players - 1)) + 1
    assert most_meetings(stage) <= most


def test_by_standing_the_best_sit_together_and_level_ones_change_places_not_to_meet_again() -> None:
    stage = stage_of(16, seated_by=SeatedBy.STANDING)
    first = draw(stage)
    stage = play(stage, first)
    winners = {min(table.entrants) for table in first.tables}
    second = draw(stage)
    assert set(second.tables[0].entrants) == winners
    assert most_meetings(play(stage, second)) == 1


def test_two_alone_do_not_play_at_tables_of_three_to_five() -> None:
    stage = stage_of(4)
    field = Field(stage, {number: Entrant(number) for number in stage.entrants}, 1, stage.entrants)
    tables = [Table(1, ((1,), (2,))), Table(2, ((3,),)), Table(3, ((4,),))]
    assert [each.code for each in objections(field, tables)] == ["check_sides"]


def test_by_lot_a_round_depends_on_the_seed_alone_and_not_on_who_met() -> None:
    stage = stage_of(16, seated_by=SeatedBy.LOT)
    assert draw(stage) == draw(stage) != draw(replace(stage, seed="beef"))
    drawn = draw(stage)
    for _ in range(5):
        drawn = draw(stage)
        stage = play(stage, drawn)
    assert most_meetings(stage) > 1
    assert {reason.code for reason in drawn.reasons} <= {"tables_met", "tables_new"}


@pytest.mark.parametrize(
    ("players", "size", "other", "nearest"),
    [
        (5, 4, 3, 6),
        (7, 4, 5, 8),
        (11, 4, 5, 12),
        (13, 4, None, 12),
        (14, 4, None, 16),
        (7, 3, 5, 8),
    ],
)
def test_who_finds_no_seat_before_the_first_round_is_refused_with_the_nearest_number(
    players: int, size: int, other: int, nearest: int
) -> None:
    stage = stage_of(players, table_size=size, other_size=other)
    with pytest.raises(CannotDraw) as refusal:
        draw(stage)
    assert refusal.value.code == "bad_size"
    assert refusal.value.facts == {"players": players, "nearest": nearest}


def test_points_a_hand_compare_who_sat_at_a_four_with_who_sat_at_a_three() -> None:
    """Of four deals everybody at the four plays three."""
    four, three = (150, 100, 100, 30), (180, 140, 100)
    tables = (
        Table(1, ((1,), (2,), (3,), (4,)), marks=tuple(map(Mark, (2, 1, 1, 0), four))),
        Table(2, ((5,), (6,), (7,)), marks=tuple(map(Mark, (2, 1, 1), three))),
    )
    stage = replace(stage_of(7), rounds=(Round(1, tables, State.CLOSED),))
    lines = ranking(TournamentRows("Mesas", stages=(stage,)), stage)
    assert {line.entrant: line.values[1].number for line in lines} == {
        1: 50,
        2: Fraction(100, 3),
        3: Fraction(100, 3),
        4: 10,
        5: 45,
        6: 35,
        7: 25,
    }
    assert [line.entrant for line in lines][:2] == [1, 5]
