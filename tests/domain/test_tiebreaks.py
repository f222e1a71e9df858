"""Each criterion by its article, on tournaments small enough to add up with a pencil."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.domain.crosstables import (
    FORMATS,
    crosstable,
    numbers,
    places,
    ranked,
    sum_of_terms,
    untyped,
)
from tournaments.domain.ranking import tally_of
from tournaments.domain.rows import (
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
from tournaments.domain.tiebreaks import CRITERIA, Family, Term

HALF = Fraction(1, 2)


def terms_of(rows: TournamentRows, code: str, entrant: int) -> tuple[Term, ...]:
    tally = tally_of(rows, rows.stages[0], formats=FORMATS)
    return CRITERIA[code].terms(tally, entrant, ())


def notes(rows: TournamentRows, code: str, entrant: int) -> list[tuple[int, Fraction, str]]:
    terms = terms_of(rows, code, entrant)
    return [(term.round, Fraction(term.amount), term.cut or term.note) for term in terms]


# --- Article 16: rounds that were not played ---------------------------------------------------

WITHDRAWN = ["4+ 2+ 3=", "3= 1- B", "2= B 1=", "1- . ."]
"""Scores 2.5, 1.5, 2 and 0; the fourth went home after the first round."""


def withdrawn(edition: Edition = Edition.E2026) -> TournamentRows:
    entrants = [Entrant(1), Entrant(2), Entrant(3), Entrant(4, absences=((2, None),))]
    return crosstable(WITHDRAWN, entrants=entrants, edition=edition)


def test_16_3_2_rounds_after_a_withdrawal_are_draws_to_ones_opponents() -> None:
    """The fourth is worth 0 + ½ + ½ to the first."""
    assert notes(withdrawn(), "buchholz", 1) == [
        (1, Fraction(1), "opponent_adjusted"),
        (2, Fraction(3, 2), "opponent"),
        (3, Fraction(2), "opponent"),
    ]


def test_16_3_1_a_zero_bye_before_a_game_stays_worth_nothing_to_the_opponents() -> None:
    rows = crosstable(["2+ 3+ 4+", "1- Z 3+", "B 1- 2-", "Z B 1-"])
    assert terms_of(rows, "buchholz", 1)[0] == Term(1, (2,), 1, "opponent")


def test_16_2_5_byes_before_a_forfeit_at_the_end_are_draws_and_the_forfeit_a_loss() -> None:
    """The second asked for a zero bye and then did not come: voluntary to the end."""
    rows = crosstable(["2+ B 3+", "1- Z 4x", "4+ 4+ 1-", "3- 3- 2f"])
    assert terms_of(rows, "buchholz", 1)[0].amount == HALF


def test_16_2_5_an_open_game_shows_that_they_are_still_there() -> None:
    rows = crosstable(["2+ B 3+", "1- Z 4?", "4+ 4+ 1-", "3- 3- 2?"])
    assert terms_of(rows, "buchholz", 1)[0].amount == 0


def test_16_3_1_pairing_byes_and_full_byes_count_as_given_to_the_opponents() -> None:
    rows = crosstable(["2+ 3+", "1- B", "F 1-"])
    assert [term.amount for term in terms_of(rows, "buchholz", 1)] == [1, 1]


def test_16_4_2_a_bye_is_a_dummy_with_ones_own_score_but_no_more_than_all_draws() -> None:
    """The third made 2 points; three draws are 1½."""
    assert notes(withdrawn(), "buchholz", 3)[1] == (2, Fraction(3, 2), "dummy_bye")
    assert notes(withdrawn(), "buchholz", 2)[2] == (3, Fraction(3, 2), "dummy")


def test_before_2026_the_dummy_was_not_capped() -> None:
    assert notes(withdrawn(Edition.E2024), "buchholz", 3)[1] == (2, Fraction(2), "dummy")


FORFEIT = ["2f 3+ 4+", "1x 4= 3-", "4+ 1- 2+", "3- 2= 1-"]
"""Scores 3, ½, 2 and ½."""


def test_16_4_1_after_a_forfeit_the_dummy_has_no_more_than_the_opponent() -> None:
    assert notes(crosstable(FORFEIT), "buchholz", 1)[0] == (1, HALF, "dummy_forfeit")
    old = crosstable(FORFEIT, edition=Edition.E2024)
    assert notes(old, "buchholz", 1)[0] == (1, Fraction(3), "dummy")


def test_16_4_1_who_lost_by_forfeit_has_a_dummy_with_their_own_score() -> None:
    assert notes(crosstable(FORFEIT), "buchholz", 2)[0] == (1, HALF, "dummy")


def test_16_4_the_dummy_is_won_drawn_or_lost_by_what_the_round_gave() -> None:
    rows = crosstable(["H 2+ B", "3= 1- Z", "2= B H"])
    assert [(t.amount, t.factors) for t in terms_of(rows, "sonneborn_berger", 1)] == [
        (Fraction(3, 4), (Fraction(3, 2), HALF)),
        (1, (1, 1)),
        (Fraction(3, 2), (Fraction(3, 2), 1)),
    ]


def test_15_2_in_a_fixed_schedule_a_forfeit_counts_against_the_real_opponent() -> None:
    rows = crosstable(["2f 3+ .", "1x . 3=", ". 1- 2="], "preset")
    assert notes(rows, "sonneborn_berger", 1) == [
        (1, HALF, "opponent"),
        (2, HALF, "opponent"),
    ]


def test_15_2_a_free_round_of_a_fixed_schedule_is_no_element() -> None:
    scale = Scale(bye=Points(0))
    rows = crosstable(["2+ B 3+", "1- 3+ B", "B 2- 1-"], "preset", scale=scale)
    assert [term.round for term in terms_of(rows, "sonneborn_berger", 1)] == [1, 3]
    assert [term.cut for term in terms_of(rows, "sonneborn_berger_cut1", 1)] == ["", "cut_least"]


# --- Article 14: modifiers ---------------------------------------------------------------------

CUTS = [
    "2+ 3+ 4= 5-",
    "1- 6+ 5+ 3+",
    "4+ 1- 6+ 2-",
    "3- 5+ 1= 6+",
    "6+ 4- 2- 1+",
    "5- 2- 3- 4-",
]
"""Scores 2½, 3, 2, 2½, 2 and 0."""


def test_14_1_cut_1_drops_the_lowest_opponent() -> None:
    assert notes(crosstable(CUTS), "buchholz_cut1", 1) == [
        (1, Fraction(3), "opponent"),
        (2, Fraction(2), "cut_least"),
        (3, Fraction(5, 2), "opponent"),
        (4, Fraction(2), "opponent"),
    ]


@pytest.mark.parametrize(
    ("code", "left"),
    [
        ("buchholz", "3 2 5/2 2"),
        ("buchholz_cut1", "3 5/2 2"),
        ("buchholz_cut2", "3 5/2"),
        ("median_buchholz", "5/2 2"),
        ("median2", ""),
    ],
)
def test_14_1_to_14_4_what_each_modifier_leaves(code: str, left: str) -> None:
    terms = terms_of(crosstable(CUTS), code, 1)
    assert [t.amount for t in terms if not t.cut] == [Fraction(word) for word in left.split()]


def test_14_1_1_in_sonneborn_berger_the_lowest_opponent_goes_not_the_lowest_product() -> None:
    """The fourth beat 3 and 2, who have one point each, and lost to 1, who has two."""
    rows = crosstable(["2- 3+ 4+", "1+ 4- 3-", "4- 1- 2+", "3+ 2+ 1-"])
    terms = terms_of(rows, "sonneborn_berger_cut1", 4)
    assert [(t.amount, t.cut) for t in terms] == [(1, "cut_least"), (1, ""), (0, "")]


def test_14_1_1_of_opponents_equally_low_the_lower_product_goes() -> None:
    """The second drew with 3 and beat 4, who have half a point each, and lost to 1."""
    rows = crosstable(["4= 2+ 3+", "3= 1- 4+", "2= . 1-", "1= . 2-"], "preset")
    assert [(t.amount, t.cut) for t in terms_of(rows, "sonneborn_berger_cut1", 2)] == [
        (Fraction(1, 4), "cut_least"),
        (0, ""),
        (HALF, ""),
    ]


def test_16_5_a_voluntary_absence_goes_before_the_lowest_opponent() -> None:
    """The dummy of the half bye is worth 1½, the lowest opponent ½: the dummy goes."""
    rows = crosstable(["H 2+ 3=", "3= 1- Z", "2= B 1="])
    cut_notes = notes(rows, "buchholz_cut1", 1)
    assert cut_notes[0] == (1, Fraction(3, 2), "cut_voluntary")
    assert [cut for *_, cut in cut_notes[1:]] == ["opponent_adjusted", "opponent"]


def test_16_5_a_pairing_bye_is_not_voluntary() -> None:
    rows = crosstable(["B 2+ 3=", "3= 1- Z", "2= B 1="])
    assert [term.cut for term in terms_of(rows, "buchholz_cut1", 1)] == ["", "cut_least", ""]


def test_16_5_an_absence_worth_less_than_the_lowest_opponent_stays() -> None:
    """The zero bye gives 1½ · 0, the wins over the two lowest opponents 1 · 1 each."""
    rows = crosstable(["Z 2+ 3+", "3= 1- 4=", "2= 4= 1-", "B 3= 2="])
    terms = terms_of(rows, "sonneborn_berger_cut1", 1)
    assert [(t.amount, t.cut) for t in terms] == [(0, ""), (1, "cut_least"), (1, "")]


def test_16_5_2_cut_2_looks_for_an_absence_again() -> None:
    rows = crosstable(["H H 2+", "3= B 1-", "2= 4+ 4+", "Z 3- 3-"])
    cuts = [term.cut for term in terms_of(rows, "buchholz_cut2", 1)]
    assert cuts == ["cut_voluntary", "cut_voluntary", ""]


def test_14_3_the_median_cuts_the_least_first_and_then_the_most() -> None:
    """Both half byes are dummies of 2; of four rounds the two others give 1 and ½."""
    rows = crosstable(["H H 2+ 3+", "3= Z 1- Z", "2= 4- 4- 1-", "Z 3+ 3+ Z"])
    cuts = [term.cut for term in terms_of(rows, "median_buchholz", 1)]
    assert sorted(cuts) == ["", "", "cut_most", "cut_voluntary"]
    assert numbers(rows, "median_buchholz")[1] == Fraction(3, 2)


# --- Article 6: direct encounter ---------------------------------------------------------------


def test_6_2_all_have_met_and_each_remaining_tie_is_looked_at_again() -> None:
    """Among the first four 1 and 2 have two points, 3 and 4 one; 1 beat 2 and 3 beat 4."""
    rows = crosstable(
        [
            *("2+ 3+ 4- 6-", "1- 4+ 3+ 7-", "4+ 1- 2- 5+", "3- 2- 1+ 8+"),
            *(". . . 3-", ". . . 1+", ". . . 2+", ". . . 4-"),
        ],
        "preset",
    )
    lines = ranked(rows, "direct_encounter")[:4]
    assert places(lines) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert untyped([(line.values[0].number, line.values[0].among) for line in lines]) == [
        (1, (1, 2)),
        (0, (1, 2)),
        (1, (3, 4)),
        (0, (3, 4)),
    ]


def test_6_1_1_in_a_swiss_a_forfeit_is_no_encounter_and_15_2_in_a_schedule_it_is() -> None:
    lines = ["2f 3-", "1x 4+", "4= 1+", "3= 2-"]
    assert places(ranked(crosstable(lines), "direct_encounter"))[1:3] == [(2, 1), (2, 2)]
    preset = ranked(crosstable(lines, "preset"), "direct_encounter")
    assert places(preset)[1:3] == [(2, 1), (3, 2)]


def test_6_1_2_several_meetings_count_with_their_average() -> None:
    """1 and 2 met twice, a win and a draw: three quarters to a quarter."""
    rows = crosstable(["2+ 2= 3-", "1- 1= 4+", "4= 4= 1+", "3= 3= 2-"])
    lines = ranked(rows, "direct_encounter")
    assert places(lines) == [(1, 3), (2, 1), (3, 2), (4, 4)]
    assert [line.values[0].number for line in lines[1:3]] == [Fraction(3, 4), Fraction(1, 4)]


def test_6_3_nobody_leads_for_certain_while_a_missing_game_could_change_it() -> None:
    """1 beat 2; 3 has met neither and could win both."""
    rows = crosstable(["2+ 4-", "1- 5+", "6+ 7-", "7= 1+", "6= 2-", "3- 5=", "4= 3+"])
    tied = [line for line in ranked(rows, "direct_encounter") if line.match_points == 1]
    assert [line.entrant for line in tied] == [1, 2, 3]
    assert len({line.rank for line in tied}) == 1


# --- Others ------------------------------------------------------------------------------------


def test_7_1_a_win_counts_with_or_without_playing_and_7_2_only_at_the_table() -> None:
    rows = crosstable(["2+ B 3f F H", "1- Z B 3- Z", "B H 1x 2+ 1="])
    assert numbers(rows, "wins")[1] == 4
    assert numbers(rows, "won")[1] == 1


def test_7_6_byes_asked_for_and_forfeit_losses_are_rounds_not_elected() -> None:
    rows = crosstable(["2x H Z B F 2+", "1f B B Z Z 1-"])
    assert numbers(rows, "rounds_elected")[1] == 3


def test_7_7_standard_points_compare_with_the_opponent_or_with_a_draw() -> None:
    """Under 3-1-0: a win 1, a draw ½, a half bye ½, a pairing bye 1, a double forfeit ½."""
    scale = Scale(Points(3), Points(1), bye=Points(3), half=Points(1), forfeit_win=Points(3))
    rows = crosstable(["2+ 2= H B 2x", "1- 1= Z Z 1x"], scale=scale)
    assert [term.amount for term in terms_of(rows, "standard_points", 1)] == [
        1,
        HALF,
        HALF,
        1,
        HALF,
    ]
    assert numbers(rows, "standard_points")[2] == 1


def test_7_5_a_penalty_lowers_the_running_score_from_its_round_on() -> None:
    rows = crosstable(["2+ 2+ 2=", "1- 1- 1="], penalties=(Penalty(1, 2, HALF),))
    assert [t.amount for t in terms_of(rows, "progressive", 1)] == [1, Fraction(3, 2), 2]


def test_7_5_a_round_without_a_game_adds_the_score_so_far_again() -> None:
    rows = crosstable(["2+ . 3-", "1- 3+ .", ". 2- 1+"], "preset")
    assert numbers(rows, "progressive") == {1: 1 + 1 + 1, 2: 0 + 1 + 1, 3: 0 + 0 + 1}


def test_9_2_koya_counts_points_against_those_with_half_of_the_most() -> None:
    rows = crosstable(["2+ 3+ 4=", "1- 4+ 3+", "4= 1- 2-", "3= 2- 1="], "preset")
    assert [(t.entrants, t.amount) for t in terms_of(rows, "koya", 1)] == [((2,), 1)]
    assert [(t.entrants, t.amount) for t in terms_of(rows, "koya", 4)] == [((2,), 0), ((1,), HALF)]


def hands(*results: tuple[int, int, int, int]) -> TournamentRows:
    """Return a liguilla-like event: (home, away, home's hands, away's), a round each."""
    entrants = tuple(sorted({n for home, away, *_ in results for n in (home, away)}))
    rounds = tuple(
        Round(number, (Table(1, ((a,), (b,)), marks=(Mark(x, 10 * x), Mark(y, 10 * y))),))
        for number, (a, b, x, y) in enumerate(results, 1)
    )
    stage = Stage(1, "preset", StageRules(), entrants, rounds)
    return TournamentRows("", entrants=tuple(Entrant(n) for n in entrants), stages=(stage,))


CIRCLE = hands((1, 2, 3, 0), (2, 3, 3, 1), (3, 1, 3, 2), (4, 1, 0, 3), (4, 2, 0, 3), (4, 3, 0, 3))
"""1, 2 and 3 beat one another and the fourth: 4 points each."""


def test_13_2_extended_sonneborn_berger_multiplies_match_points_or_hands() -> None:
    """Match points 4 4 4 0; hands 8, 6, 7, 0."""
    assert [numbers(CIRCLE, code)[1] for code in ("emmsb", "emgsb", "egmsb", "eggsb")] == [
        4 * 2,
        4 * 3 + 4 * 2,
        6 * 2,
        6 * 3 + 7 * 2,
    ]
    assert numbers(CIRCLE, "match_points_v_game_points") == {1: 8, 2: 6, 3: 7, 4: 0}


def test_13_3_extended_direct_encounter_goes_on_with_hands() -> None:
    """Among the three 1 has 5 hands, 2 has 3 and 3 has 4."""
    lines = ranked(CIRCLE, "extended_direct_encounter")
    assert places(lines) == [(1, 1), (2, 3), (3, 2), (4, 4)]
    assert [line.values[0].number for line in lines[:3]] == [5, 4, 3]
    assert places(ranked(CIRCLE, "direct_encounter")) == [(1, 1), (1, 2), (1, 3), (4, 4)]


def test_three_tied_are_separated_by_the_difference_among_them() -> None:
    """1: +3 -1 = 2; 2: -3 +2 = -1; 3: -2 +1 = -1, and 2 beat 3."""
    order = ("direct_of_two", "mini_hand_difference", "direct_of_two")
    lines = ranked(CIRCLE, *order)
    assert places(lines) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [line.decided_by for line in lines] == [
        "",
        "mini_hand_difference",
        "direct_of_two",
        "match_points",
    ]
    assert [value.number for value in lines[1].values] == [None, -1, 2]
    assert lines[1].values[1].among == (1, 2, 3)
    assert lines[1].values[2].among == (2, 3)


def test_two_tied_look_at_their_own_match_first() -> None:
    rows = hands((1, 2, 3, 2), (2, 3, 3, 0), (1, 3, 0, 3), (2, 4, 3, 0), (1, 4, 3, 0), (3, 4, 0, 3))
    lines = ranked(rows, "direct_of_two", "mini_hand_difference")
    assert [(line.entrant, line.decided_by) for line in lines[:2]] == [
        (1, ""),
        (2, "direct_of_two"),
    ]


def test_opponents_over_partners() -> None:
    """Four players change partners in three rounds; final scores 4, 2, 4 and 2."""
    meetings = [(((1, 2), (3, 4)), 1), (((1, 3), (2, 4)), 0), (((1, 4), (2, 3)), 1)]
    rounds = tuple(
        Round(n, (Table(1, sides, marks=(Mark(won == 0 or n == 1), Mark(won == 1 and n != 1))),))
        for n, (sides, won) in enumerate(meetings, 1)
    )
    stage = Stage(1, "swiss", StageRules(), (1, 2, 3, 4), rounds)
    rows = TournamentRows("", stages=(stage,))
    scores = numbers(rows, "match_points")
    assert scores == {1: 4, 2: 4, 3: 4, 4: 0}
    assert numbers(rows, "opponents_partners")[1] == Fraction(2 * (4 + 4 + 0), 4 + 4 + 0)
    assert numbers(rows, "opponents_partners")[4] == Fraction(2 * 12, 12)
    assert [t.round for t in terms_of(rows, "opponents_partners", 1)] == [1, 1, 2, 2, 3, 3]


def test_opponents_win_percentage_leaves_byes_out_and_never_counts_less_than_0_33() -> None:
    """3 points a win: 1 met 2 (3 of 9: a third) and 3 (0 of 6: 0.33)."""
    scale = Scale(Points(3), Points(1), bye=Points(3), forfeit_win=Points(3))
    rows = crosstable(["2+ 3+ B", "1- 4+ 4-", "4- 1- Z", "3+ 2- 2+"], scale=scale)
    assert [t.factors[0] for t in terms_of(rows, "opponent_match_wins", 1)] == [
        Fraction(1, 3),
        Fraction(33, 100),
    ]
    assert numbers(rows, "opponent_match_wins")[1] == (Fraction(1, 3) + Fraction(33, 100)) / 2


def test_the_sum_of_the_opponents_points_takes_them_as_they_are() -> None:
    """Neither dummies nor draws for the absent: a bye is worth nothing."""
    assert numbers(withdrawn(), "opponents_points") == {
        1: Fraction(7, 2),
        2: Fraction(9, 2),
        3: 4,
        4: Fraction(5, 2),
    }


def test_differences_are_sums_over_all_matches_and_penalties() -> None:
    rows = replace(CIRCLE, penalties=(Penalty(1, 1, hands=2, points=7),))
    assert numbers(rows, "hand_difference")[1] == 3 - 1 + 3 - 2
    assert numbers(rows, "hands_for")[1] == 8 - 2
    assert numbers(rows, "point_difference")[1] == 30 - 10 + 30 - 7
    assert numbers(rows, "points_for")[1] == 80 - 7
    assert terms_of(rows, "hands_for", 1)[-1] == Term(1, (), -2, "penalty")


def test_a_penalty_lowers_what_opponents_get_for_having_met_them() -> None:
    rows = crosstable(["2+", "1-"], penalties=(Penalty(1, 1, HALF),))
    assert numbers(rows, "buchholz")[2] == HALF


def test_every_criterion_has_a_family_and_fides_have_an_article() -> None:
    for code, criterion in CRITERIA.items():
        assert code == criterion.code
        assert criterion.family in Family
        assert not criterion.article or criterion.acronym
    assert not CRITERIA["median_buchholz"].in_preset
    assert [CRITERIA[c].article for c in ("buchholz_cut1", "buchholz_cut2", "median2")] == [
        "14.1",
        "14.2",
        "14.4",
    ]


def test_a_number_is_the_sum_of_the_terms_that_are_not_cut() -> None:
    rows = crosstable(CUTS)
    for code, criterion in CRITERIA.items():
        if criterion.family is not Family.AMONG:
            values = numbers(rows, code)
            assert values == {n: sum_of_terms(terms_of(rows, code, n)) for n in values}, code
