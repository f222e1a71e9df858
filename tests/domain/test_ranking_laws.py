"""Laws of every table, whatever was played: order, corrections, sums, numbers, the old liguilla."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain import liguilla_table as liguilla
from tests.domain.crosstables import CHESS, FORMATS, sums, untyped
from tests.quick import examples
from tournaments.domain.pairing import berger
from tournaments.domain.ranking import StandingsLine, ranking, with_corrections
from tournaments.domain.rows import (
    Bye,
    Edition,
    Entrant,
    Mark,
    Penalty,
    Points,
    Round,
    Scale,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)
from tournaments.domain.tiebreaks import CRITERIA, Family

PRESET_ORDER = tuple(code for code, criterion in CRITERIA.items() if criterion.in_preset)
FEW = settings(max_examples=examples(60))

RESULTS: tuple[Callable[[Table], Table], ...] = (
    *(
        lambda table, x=x, y=y: replace(table, marks=(Mark(x, 90 + x), Mark(y, 90 + y)))
        for x, y in ((3, 0), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (0, 3))
    ),
    lambda table: replace(table, forfeits=(0,)),
    lambda table: replace(table, forfeits=(1,)),
    lambda table: replace(table, forfeits=(0, 1)),
    lambda table: table,
)


@st.composite
def events(draw: st.DrawFn) -> TournamentRows:
    """A tournament with games and absences of every kind, drawn without any system."""
    random = Random(draw(st.integers(0, 10**9)))
    size, rounds = draw(st.integers(2, 9)), draw(st.integers(1, 6))
    entrants = tuple(
        Entrant(
            number,
            joined=random.choice((1, 1, 1, 2, 3)),
            absences=random.choice(((), (), (), ((2, 4),), ((3, None),))),
        )
        for number in range(1, size + 1)
    )
    rules = StageRules(
        scale=draw(st.sampled_from((Scale(), CHESS, replace(Scale(), win=Points(3))))),
        edition=draw(st.sampled_from(list(Edition))),
        late=draw(st.sampled_from(list(Bye))),
        order=draw(st.permutations(PRESET_ORDER).map(tuple).map(lambda order: order[:8])),
    )
    stage = Stage(
        1,
        draw(st.sampled_from(("swiss", "preset"))),
        rules,
        tuple(range(1, size + 1)),
        tuple(Round(n, tuple(any_tables(entrants, n, random))) for n in range(1, rounds + 1)),
    )
    penalties = (Penalty(random.randint(1, size), random.randint(0, rounds), Points(1, 2), 1, 5),)
    return TournamentRows("", entrants=entrants, stages=(stage,), penalties=penalties)


def any_tables(entrants: tuple[Entrant, ...], number: int, random: Random) -> list[Table]:
    present = [entrant.number for entrant in entrants if entrant.is_here(number)]
    random.shuffle(present)
    tables = [
        Table(n, ((present.pop(),),), bye=random.choice(list(Bye)))
        for n in range(1, random.choice((0, 0, 1, 2)) + 1)
        if present
    ]
    while len(present) > 1:
        table = Table(len(tables) + 1, ((present.pop(),), (present.pop(),)))
        tables.append(random.choice(RESULTS)(table))
    if present:
        tables.append(Table(len(tables) + 1, ((present.pop(),),), bye=Bye.PAIRING))
    return tables


def lines_of(rows: TournamentRows) -> tuple[StandingsLine, ...]:
    return ranking(rows, rows.stages[0], formats=FORMATS)


def with_stage(rows: TournamentRows, stage: Stage) -> TournamentRows:
    return replace(rows, stages=(stage,))


@FEW
@given(rows=events(), random=st.randoms(use_true_random=False))
def test_the_order_in_which_results_are_entered_changes_nothing(
    rows: TournamentRows, random: Random
) -> None:
    stage = rows.stages[0]
    rounds = [
        replace(round_, tables=tuple(random.sample(round_.tables, len(round_.tables))))
        for round_ in stage.rounds
    ]
    random.shuffle(rounds)
    entrants = tuple(random.sample(stage.entrants, len(stage.entrants)))
    shuffled = replace(stage, rounds=tuple(rounds), entrants=entrants)
    assert lines_of(with_stage(rows, shuffled)) == lines_of(rows)


@FEW
@given(rows=events(), random=st.randoms(use_true_random=False))
def test_each_result_entered_wrong_and_corrected_once_gives_the_same_table(
    rows: TournamentRows, random: Random
) -> None:
    stage = rows.stages[0]
    right = {
        (round_.number, table.number): table
        for round_ in stage.rounds
        for table in round_.tables
        if not table.is_bye
    }
    bare = {key: replace(table, marks=None, forfeits=()) for key, table in right.items()}
    so_far = with_corrections(stage, bare)
    for key in random.sample(sorted(bare), len(bare)):
        so_far = with_corrections(so_far, {key: random.choice(RESULTS)(bare[key])})
    for key in random.sample(sorted(right), len(right)):
        so_far = with_corrections(so_far, {key: right[key]})
    assert lines_of(with_stage(rows, so_far)) == lines_of(rows)


@FEW
@given(rows=events())
def test_every_number_is_the_sum_of_the_terms_shown_for_it(rows: TournamentRows) -> None:
    for number, total in sums(rows, lines_of(rows)):
        assert number == total


@FEW
@given(rows=events())
def test_match_points_are_neither_made_nor_lost(rows: TournamentRows) -> None:
    """All lines together have what the tables, byes and late entries gave, less the penalties."""
    stage, scale = rows.stages[0], rows.stages[0].rules.scale
    given_out = -sum((penalty.match_points for penalty in rows.penalties), Fraction())
    for round_ in stage.rounds:
        seated = Counter(number for table in round_.tables for number in table.entrants)
        for table in round_.tables:
            given_out += worth(table, scale)
        for entrant in rows.entrants:
            if entrant.joined > round_.number and not seated[entrant.number]:
                given_out += scale.bye_points(stage.rules.late)
    assert sum(line.match_points for line in lines_of(rows)) == given_out


def worth(table: Table, scale: Scale) -> Fraction:
    """Count what a table gives out."""
    if table.bye is not None:
        return scale.bye_points(table.bye)
    if table.forfeits:
        lost = len(table.forfeits)
        return lost * scale.forfeit_loss + (2 - lost) * scale.forfeit_win
    if table.marks is None:
        return Fraction()
    level = table.marks[0].hands == table.marks[1].hands
    return 2 * scale.tie if level else scale.win + scale.loss


@FEW
@given(rows=events(), random=st.randoms(use_true_random=False))
def test_other_numbers_for_the_entrants_give_the_same_table_but_for_shared_places(
    rows: TournamentRows, random: Random
) -> None:
    stage = rows.stages[0]
    numbers = random.sample(range(1, 100), len(stage.entrants))
    new = dict(zip(stage.entrants, numbers, strict=True))
    renamed = TournamentRows(
        "",
        entrants=tuple(replace(entrant, number=new[entrant.number]) for entrant in rows.entrants),
        stages=(
            replace(
                stage,
                entrants=tuple(new[n] for n in stage.entrants),
                rounds=tuple(
                    replace(
                        round_, tables=tuple(with_numbers(table, new) for table in round_.tables)
                    )
                    for round_ in stage.rounds
                ),
            ),
        ),
        penalties=tuple(
            replace(penalty, entrant=new[penalty.entrant]) for penalty in rows.penalties
        ),
    )
    before = {new[line.entrant]: essence(line, new) for line in lines_of(rows)}
    identity = dict(zip(numbers, numbers, strict=True))
    assert {line.entrant: essence(line, identity) for line in lines_of(renamed)} == before


def with_numbers(table: Table, new: dict[int, int]) -> Table:
    return replace(table, sides=tuple(tuple(new[n] for n in side) for side in table.sides))


def essence(line: StandingsLine, new: dict[int, int]) -> tuple[object, ...]:
    """Say what must not depend on the numbers: all but the order inside a shared place."""
    values = [(value.code, value.number, {new[n] for n in value.among}) for value in line.values]
    return line.rank, line.shared, line.match_points, values


@FEW
@given(rows=events())
def test_places_are_counted_on_after_shared_ones(rows: TournamentRows) -> None:
    lines = lines_of(rows)
    ranks = [line.rank for line in lines]
    assert sorted(line.entrant for line in lines) == sorted(rows.stages[0].entrants)
    for place, line in enumerate(lines, 1):
        assert line.rank == ranks.index(line.rank) + 1 <= place
        assert line.shared == (ranks.count(line.rank) > 1)
        assert (line.decided_by == "shared") == (place > line.rank)


@FEW
@given(rows=events())
def test_who_is_above_is_better_in_the_first_number_in_which_they_differ(
    rows: TournamentRows,
) -> None:
    lines = lines_of(rows)
    for above, below in pairwise(lines):
        assert above.match_points >= below.match_points
        if below.decided_by in CRITERIA and CRITERIA[below.decided_by].family is not Family.AMONG:
            column = [value.code for value in below.values]
            if below.decided_by in column:
                at = column.index(below.decided_by)
                assert above.values[at].number > below.values[at].number  # type: ignore[operator]


@st.composite
def liguillas(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, int, Mark, Mark]]]:
    """Some of the matches of a liguilla, in one or two turns: (round, home, away, marks)."""
    size, turns = draw(st.integers(2, 8)), draw(st.integers(1, 2))
    played = []
    for number, meetings in enumerate(berger(size, turns), 1):
        for meeting in meetings:
            if meeting.away is not None and draw(st.integers(0, 4)):
                hands = draw(st.sampled_from([(3, 0), (3, 2), (2, 2), (1, 3), (0, 3)]))
                points = draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
                marks = [Mark(x, y) for x, y in zip(hands, points, strict=True)]
                played.append((number, meeting.home, meeting.away, marks[0], marks[1]))
    return size, played


@settings(max_examples=examples(150))
@given(liguillas())
def test_a_liguilla_is_ranked_as_it_always_was(
    case: tuple[int, list[tuple[int, int, int, Mark, Mark]]],
) -> None:
    size, played = case
    old = liguilla.standings(
        range(1, size + 1),
        [
            liguilla.Played(
                home, away, liguilla.Score(home_mark.hands, two.hands, home_mark.points, two.points)
            )
            for _, home, away, home_mark, two in played
        ],
    )
    by_round: dict[int, list[Table]] = {}
    for number, home, away, home_mark, two in played:
        tables = by_round.setdefault(number, [])
        tables.append(Table(len(tables) + 1, ((home,), (away,)), marks=(home_mark, two)))
    rounds = tuple(Round(number, tuple(tables)) for number, tables in sorted(by_round.items()))
    order = ("direct_encounter", "hand_difference", "point_difference")
    stage = Stage(1, "preset", StageRules(order=order), tuple(range(1, size + 1)), rounds)
    new = lines_of(TournamentRows("", stages=(stage,)))
    assert untyped(
        [
            (
                line.entry,
                line.rank,
                line.shared,
                line.decided_by,
                line.match_points,
                line.hand_difference,
            )
            for line in old
        ]
    ) == [
        (
            line.entrant,
            line.rank,
            line.shared,
            line.decided_by,
            line.match_points,
            line.hands - line.hands_against,
        )
        for line in new
    ]
    assert [(line.played, line.won, line.tied, line.lost) for line in old] == [
        (line.played, line.won, line.tied, line.lost) for line in new
    ]
