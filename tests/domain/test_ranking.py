"""The ranking, what decided each place, and what a correction would change."""

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.domain.crosstables import FORMATS, crosstable, places, ranked, stand_in, sums, untyped
from tournaments.domain.pairing import FORMATS as REGISTERED
from tournaments.domain.pairing.base import Format
from tournaments.domain.profiles import PROFILES, Profile
from tournaments.domain.ranking import (
    CannotRank,
    Move,
    Value,
    compare_tables,
    order_of,
    ranking,
    tables,
    terms,
)
from tournaments.domain.rows import (
    Edition,
    Entrant,
    Mark,
    Penalty,
    Points,
    Round,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)
from tournaments.domain.tiebreaks import CRITERIA, Family

GROUPED = {"grouped": stand_in("grouped", groups=lambda _: ((1, 2, 3), (4, 5, 6)))}


def ordered(rows: TournamentRows, *order: str, **rules: object) -> TournamentRows:
    stage = rows.stages[0]
    stage = replace(stage, rules=replace(stage.rules, order=order, **rules))  # type: ignore[arg-type]
    return replace(rows, stages=(stage,))


# --- The order -----------------------------------------------------------------------------------


def test_match_points_come_before_any_criterion() -> None:
    lines = ranked(crosstable(["2+ 3=", "1- 4+", "4+ 1=", "3- 2-"]), "won")
    assert [(line.entrant, line.match_points, line.rank) for line in lines] == [
        (1, Fraction(3, 2), 1),
        (3, Fraction(3, 2), 1),
        (2, 1, 3),
        (4, 0, 4),
    ]
    assert [line.decided_by for line in lines] == ["", "shared", "match_points", "match_points"]


def test_without_an_order_of_its_own_a_stage_uses_that_of_its_format() -> None:
    rows = crosstable(["2+", "1-"])
    assert order_of(rows.stages[0], formats=FORMATS) == FORMATS["swiss"].order
    values = ranking(rows, rows.stages[0], formats=FORMATS)[0].values
    assert tuple(value.code for value in values) == FORMATS["swiss"].order


def test_a_line_has_its_counts_and_sums() -> None:
    lines = ranked(crosstable(["2+ 3= B 4x F", "1- 4+ 3- Z 3=", "4f 1= 2+ B 2=", "3x 2- Z 1f Z"]))
    first_line = next(line for line in lines if line.entrant == 1)
    assert (
        first_line.played,
        first_line.won,
        first_line.tied,
        first_line.lost,
        first_line.byes,
    ) == (3, 1, 1, 1, 2)
    assert (first_line.hands, first_line.hands_against) == (1, 0)


def test_a_criterion_can_stand_in_the_order_twice() -> None:
    rows = crosstable(["2+ 3- 4=", "1- 4+ 3+", "4= 1+ 2-", "3= 2- 1="])
    lines = ranked(rows, "direct_encounter", "buchholz", "direct_encounter")
    assert [value.code for value in lines[0].values].count("direct_encounter") == 2


def test_buchholz_is_refused_where_everybody_meets_everybody() -> None:
    """FIDE C.07, article 8."""
    for code in ("buchholz", "buchholz_cut1", "median2", "opponents_points"):
        with pytest.raises(CannotRank) as refusal:
            ranked(crosstable(["2+", "1-"], "preset"), code)
        assert (refusal.value.code, refusal.value.criterion) == ("not_in_round_robin", code)


def test_an_unknown_criterion_is_refused() -> None:
    with pytest.raises(CannotRank, match="unknown_criterion"):
        ranked(crosstable(["2+", "1-"]), "beauty")


def test_lots_decide_what_nothing_else_does_when_the_rules_say_so() -> None:
    rows = ordered(crosstable(["Z", "Z", "Z", "Z"]), lots=True)
    stage = replace(rows.stages[0], lots={1: 3, 2: 1, 3: 2})
    lines = ranking(rows, stage, formats=FORMATS)
    assert places(lines) == [(1, 2), (2, 3), (3, 1), (4, 4)]
    assert [line.decided_by for line in lines] == ["", "lots", "lots", "lots"]
    assert [line.lot for line in lines] == [1, 2, 3, None]
    shared = ranking(rows, replace(stage, lots={}), formats=FORMATS)
    assert [line.rank for line in shared] == [1, 1, 1, 1]


def test_without_the_rule_lots_change_nothing() -> None:
    stage = replace(crosstable(["Z", "Z"]).stages[0], lots={1: 2, 2: 1})
    lines = ranking(TournamentRows("", stages=(stage,)), stage, formats=FORMATS)
    assert places(lines) == [(1, 1), (1, 2)]
    assert lines[0].lot is None


def test_a_penalty_is_in_the_sums_and_on_the_line() -> None:
    penalty = Penalty(1, 2, Points(1), hands=1, reason="late")
    rows = crosstable(["2+ 2+", "1- 1-"], penalties=(penalty,))
    line = ranked(rows, "hands_for")[0]
    assert untyped((line.match_points, line.hands, line.values[0].number)) == (1, 2, 1)
    assert line.penalties == (penalty,)


def test_who_has_withdrawn_is_marked_and_stays_in_the_table() -> None:
    entrants = [Entrant(1), Entrant(2, absences=((2, None),)), Entrant(3, absences=((1, 2),))]
    lines = ranked(crosstable(["2+", "1-", "Z"], entrants=entrants), "won")
    assert {line.entrant: line.withdrawn for line in lines} == {1: False, 2: True, 3: False}


def test_who_will_leave_later_has_not_yet_withdrawn() -> None:
    entrants = [Entrant(1), Entrant(2, absences=((3, None),))]
    assert not ranked(crosstable(["2+", "1-"], entrants=entrants))[1].withdrawn


def test_the_table_after_an_earlier_round_is_what_it_was_then() -> None:
    rows = crosstable(["2+ 2-", "1- 1+"])
    first = replace(rows.stages[0], rounds=rows.stages[0].rounds[:1])
    assert ranked(rows, "won", last_round=1) == ranked(replace(rows, stages=(first,)), "won")


def test_nobody_makes_no_table() -> None:
    assert ranked(TournamentRows("", stages=(Stage(1, "swiss"),))) == ()


def test_lines_can_be_kept_in_a_cache() -> None:
    lines = ranked(crosstable(["2+ 2=", "1- 1="]), "buchholz_cut1", "direct_encounter")
    data = pickle.dumps(lines)
    assert pickle.loads(data) == lines  # noqa: S301 - bytes of our own


# --- Formats that say who came how far -----------------------------------------------------------


def knockout(*, inside: bool) -> dict[str, Format]:
    exits = ((1,), (2,), (3, 4))
    return {"swiss": stand_in("swiss", ranking=lambda *_: exits, ranked_inside=inside)}


def test_in_a_knock_out_places_come_from_the_round_of_going_out() -> None:
    rows = ordered(crosstable(["3+ 2+", "4+ 1-", "1- .", "2- ."]), "hand_difference")
    lines = ranking(rows, rows.stages[0], formats=knockout(inside=False))
    assert places(lines) == [(1, 1), (2, 2), (3, 3), (3, 4)]
    assert [line.decided_by for line in lines] == ["", "exit_round", "exit_round", "shared"]
    assert lines[2].values[0].number == -1


def test_equal_places_are_separated_when_the_format_says_so() -> None:
    rows = crosstable(["3+ 2+", "4+ 1-", "1- 4-", "2- 3+"])
    lines = ranking(ordered(rows, "won"), rows.stages[0], formats=knockout(inside=True))
    assert places(lines) == [(1, 1), (2, 2), (3, 4), (4, 3)]
    assert lines[3].decided_by == "match_points"


GROUPS = ["2+ 3+ .", "1- . 3-", ". 1- 2+", "5- 6- .", "4+ . 6+", ". 4+ 5-"]


def grouped(rows: TournamentRows) -> TournamentRows:
    return replace(rows, stages=(replace(rows.stages[0], format="grouped"),))


def test_each_group_has_a_table_of_its_own() -> None:
    rows = grouped(crosstable(GROUPS))
    group_tables = tables(rows, rows.stages[0], formats=GROUPED)
    assert [(group_table.group, places(group_table.lines)) for group_table in group_tables] == [
        (1, [(1, 1), (2, 3), (3, 2)]),
        (2, [(1, 5), (2, 6), (3, 4)]),
    ]


def test_without_groups_there_is_one_table_numbered_nought() -> None:
    rows = crosstable(["2+", "1-"])
    (only,) = tables(rows, rows.stages[0], formats=FORMATS)
    assert only.group == 0
    assert only.lines == ranking(rows, rows.stages[0], formats=FORMATS)


def test_all_groups_together_are_ranked_by_the_place_in_the_group_first() -> None:
    rows = ordered(grouped(crosstable(GROUPS)), "hands_for")
    lines = ranking(rows, rows.stages[0], formats=GROUPED)
    assert [line.entrant for line in lines] == [1, 5, 3, 6, 2, 4]
    assert [line.rank for line in lines] == [1, 1, 3, 3, 5, 5]
    assert lines[2].decided_by == "group_place"


def test_who_is_in_no_group_yet_is_not_forgotten() -> None:
    rows = grouped(crosstable([*GROUPS, "Z Z Z"]))
    group_tables = tables(rows, rows.stages[0], formats=GROUPED)
    assert [places(group_table.lines) for group_table in group_tables][2] == [(1, 7)]
    assert len(ranking(rows, rows.stages[0], formats=GROUPED)) == 7


def test_whom_the_format_has_no_place_for_comes_last() -> None:
    rows = crosstable(["3+ 2+", "4+ 1-", "1- .", "2- .", "Z Z"])
    lines = ranking(rows, rows.stages[0], formats=knockout(inside=False))
    assert places(lines)[-1] == (5, 5)
    assert lines[-1].decided_by == "exit_round"


@pytest.mark.parametrize("name", list(REGISTERED))
def test_the_order_of_every_format_can_be_used_in_it(name: str) -> None:
    stage = Stage(1, name, REGISTERED[name].rules)
    assert order_of(stage) == REGISTERED[name].order
    assert ranking(TournamentRows("", stages=(stage,)), stage) == ()


# --- Down to the sum -----------------------------------------------------------------------------


def test_every_number_of_a_line_can_be_opened_down_to_its_sum() -> None:
    rows = crosstable(["2+ 3= B", "1- 4= 3-", "4+ 1= 2+", "3- 2= H"])
    order = tuple(CRITERIA)
    pairs = sums(ordered(rows, *order), ranked(rows, *order))
    of_everybody = [
        criterion for criterion in CRITERIA.values() if criterion.family is not Family.AMONG
    ]
    assert len(pairs) >= 4 * len(of_everybody)
    assert all(number == total for number, total in pairs)


def test_a_number_that_was_not_needed_has_no_terms() -> None:
    rows = crosstable(["2+", "1-"])
    value = ranked(rows, "direct_encounter")[0].values[0]
    assert value == Value("direct_encounter", None)
    assert terms(rows, rows.stages[0], 1, value, formats=FORMATS) == ()


# --- What if -------------------------------------------------------------------------------------

BEFORE = ["2+ 3+", "1- 4+", "4+ 1-", "3- 2-"]


def test_what_a_correction_would_change_is_shown_before_it_is_made() -> None:
    """2 did not beat 4 in the second round but lost: 4 comes in for 2."""
    rows = ordered(crosstable(BEFORE), "hand_difference", "direct_encounter")
    stage = rows.stages[0]
    table = next(table for table in stage.rounds[1].tables if 4 in table.entrants)
    turned = replace(table, marks=(Mark(0), Mark(1)))
    effect = compare_tables(rows, stage, {(2, table.number): turned}, places=3, formats=FORMATS)
    assert places(effect.before[0].lines) == [(1, 1), (2, 2), (2, 3), (4, 4)]
    assert places(effect.after[0].lines) == [(1, 1), (2, 3), (3, 4), (4, 2)]
    assert effect.moves == (Move(4, 4, 3), Move(2, 2, 4))
    assert (effect.comes_in, effect.drops_out) == ((4,), (2,))


def test_a_correction_that_changes_no_place_moves_nobody() -> None:
    rows = crosstable(["2+", "1-"])
    table = replace(rows.stages[0].rounds[0].tables[0], marks=(Mark(4), Mark(1)))
    effect = compare_tables(rows, rows.stages[0], {(1, 1): table}, places=1, formats=FORMATS)
    assert (effect.moves, effect.comes_in, effect.drops_out) == ((), (), ())
    assert effect.before != effect.after


def test_only_a_table_that_exists_can_be_corrected() -> None:
    rows = crosstable(["2+", "1-"])
    with pytest.raises(ValueError, match="no such tables"):
        compare_tables(rows, rows.stages[0], {(2, 1): Table(1, ((1,), (2,)))}, formats=FORMATS)


# --- Profiles ------------------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", PROFILES.values(), ids=list(PROFILES))
def test_a_profile_names_criteria_that_its_formats_allow(chosen: Profile) -> None:
    assert all(code in CRITERIA for code in chosen.order)
    if "liguilla" in chosen.formats:
        assert all(CRITERIA[code].in_preset for code in chosen.order)
    rules = chosen.applied_to(StageRules(rounds=7))
    assert (rules.order, rules.rounds, rules.lots) == (chosen.order, 7, chosen.lots)


def test_the_two_swiss_profiles_of_fide_differ_in_the_edition_alone() -> None:
    new, old = PROFILES["fide_swiss_2026"], PROFILES["fide_swiss_2024"]
    assert (new.edition, old.edition) == (Edition.E2026, Edition.E2024)
    assert replace(new, code=old.code, edition=old.edition) == old


def test_in_a_mus_league_more_games_won_decide() -> None:
    rows = crosstable(["2+ 3-", "1- 3+", "2- 1+"], "preset")
    tied = Table(1, ((1,), (2,)), marks=(Mark(3), Mark(2)))
    stage = Stage(
        1,
        "preset",
        PROFILES["mus_league"].applied_to(StageRules()),
        (1, 2, 3),
        (
            Round(1, (tied,)),
            Round(2, (Table(1, ((2,), (3,)), marks=(Mark(3), Mark(0))),)),
            Round(3, (Table(1, ((3,), (1,)), marks=(Mark(3), Mark(1))),)),
        ),
    )
    lines = ranking(replace(rows, stages=(stage,)), stage, formats=FORMATS)
    assert untyped([(line.entrant, line.values[0].number) for line in lines]) == [
        (2, 5),
        (1, 4),
        (3, 3),
    ]
