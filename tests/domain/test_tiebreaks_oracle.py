"""Figures of another program: the checker of FIDE's technical commission (TieBreakServer 1.9.57).

Events drawn by chance, full of byes, forfeits, double forfeits and withdrawals, were written as TRF
and given to it, and its numbers copied here: two Swiss tournaments in both editions, and a round
robin of seven with forfeits, in which the edition makes no difference.
"""

from fractions import Fraction

import pytest

from tests.domain.crosstables import crosstable, numbers
from tournaments.domain.rows import Edition

TWELVE, NINE, SEVEN = "twelve in seven rounds", "nine in six rounds", "seven, all against all"

EVENTS = {
    TWELVE: (
        "3+ 4- 7- 5- 10= 9+ 11-",
        "10- 5- B 6- 11= 3+ 9=",
        "1- 11= H B 5x 2- 6x",
        "8= 1+ 9+ 7+ Z H 10x",
        "9- 2+ 6x 1+ 3x 10- B",
        "11+ 10x 5x 2+ 9- H 3x",
        "12f 9= 1+ 4- Z Z Z",
        "4= Z Z Z Z Z Z",
        "5+ 7= 4- 10= 6+ 1- 2=",
        "2+ 6x H 9= 1= 5+ 4x",
        "6- 3= H H 2= B 1+",
        "7x Z Z Z Z Z Z",
    ),
    NINE: (
        "2- 3+ 9- 5= H 4=",
        "1+ 8+ 6x 7+ 5+ 9+",
        "6- 1- 8- 4- B 5+",
        "5- 7- B 3+ H 1=",
        "4+ 6= 7- 1= 2- 3-",
        "3+ 5= 2x 9+ 8+ 7+",
        "8x 4+ 5+ 2- Z 6-",
        "7f 2- 3+ H 6- Z",
        "H B 1+ 6- H 2-",
    ),
    SEVEN: (
        ". 7x 6- 5f 4+ 3x 2=",
        "7- 5- 3= . 6= 4+ 1=",
        "6= 4f 2= 7- 5- 1f .",
        "5+ 3x . 6+ 1- 2- 7+",
        "4- 2+ 7+ 1x 3+ . 6+",
        "3= . 1+ 4- 2= 7- 5-",
        "2+ 1f 5- 3+ . 6+ 4-",
    ),
}

SAME = (
    (TWELVE, "match_points", "2.5 3 2 4 3 2.5 2.5 .5 3.5 3.5 4 0"),
    (TWELVE, "median2", "11 9.5 6.5 9.5 8.5 8 7.5 1.5 9.5 8.5 7 0"),
    (TWELVE, "wins", "2 2 1 3 3 2 2 0 2 2 2 0"),
    (TWELVE, "won", "2 1 0 3 2 2 1 0 2 2 1 0"),
    (TWELVE, "rounds_elected", "7 7 4 4 5 3 4 1 7 4 5 0"),
    (TWELVE, "progressive", "10.5 9 9.5 19.5 11 12 15 3.5 15.5 15 12 0"),
    (TWELVE, "koya", "1.5 1 .5 1 0 1 .5 .5 .5 .5 0 0"),
    (NINE, "match_points", "2.5 5 2 3 2 4.5 2 2.5 3"),
    (NINE, "wins", "1 5 2 2 1 4 2 2 2"),
    (NINE, "won", "1 5 1 1 1 4 2 1 1"),
    (NINE, "rounds_elected", "5 5 6 5 6 5 4 4 4"),
    (NINE, "progressive", "8 17 3 8.5 10 14.5 9 11.5 13"),
    (NINE, "koya", ".5 1 0 0 1.5 1 1 0 0"),
    (SEVEN, "match_points", "2.5 2.5 3 3 4 2 4"),
    (SEVEN, "sonneborn_berger", "8.25 6.75 7.75 10 11.5 5.25 10"),
    (SEVEN, "sonneborn_berger_cut1", "8.25 5.75 6.75 8 9.5 4 8"),
    (SEVEN, "wins", "2 1 2 3 4 1 4"),
    (SEVEN, "won", "1 1 0 3 4 1 3"),
    (SEVEN, "rounds_elected", "4 6 6 5 5 6 6"),
    (SEVEN, "progressive", "7.5 6.5 14 12 15 10 19"),
    (SEVEN, "koya", "2 1.5 1 2 2 .5 1"),
)
IN_2024 = (
    (TWELVE, "buchholz", "24.5 21.5 17.5 25.5 21.5 20.5 20.5 7.5 23 22.5 22 0"),
    (TWELVE, "buchholz_cut1", "22.5 19.5 15.5 21.5 18.5 18 18 7 20.5 19 18 0"),
    (TWELVE, "buchholz_cut2", "19.5 17 13.5 17.5 15.5 15.5 15.5 6.5 18 15.5 14 0"),
    (TWELVE, "median_buchholz", "18 15.5 11.5 17.5 15 14 13.5 2.5 16 15.5 14 0"),
    (TWELVE, "sonneborn_berger", "7.25 8.75 5 13.75 8.5 8.25 6.75 2.25 10.75 10.75 13 0"),
    (TWELVE, "sonneborn_berger_cut1", "5.25 6.75 5 11.25 6 8.25 6.75 2.25 10.75 9.5 11 0"),
    (NINE, "buchholz", "17.5 17.5 17 14.5 19 16.5 18.5 19 21"),
    (NINE, "buchholz_cut1", "15 12.5 15 11.5 17 12 16.5 16.5 18"),
    (NINE, "buchholz_cut2", "13 10.5 13 9.5 15 10 14.5 14 15"),
    (NINE, "median_buchholz", "10 9.5 10.5 8.5 12 9 11.5 11.5 13"),
    (NINE, "median2", "5 4.5 5.5 4 5.5 4 5 4.5 5.5"),
    (NINE, "sonneborn_berger", "5.75 12.5 4 7.75 6.5 11 5 5.75 8.5"),
    (NINE, "sonneborn_berger_cut1", "4.5 10.5 2 6.25 6.5 10 5 3.75 6"),
)
IN_2026 = (
    (TWELVE, "buchholz", "24.5 21.5 17.5 24 20 20 20.5 7.5 23 21.5 20.5 0"),
    (TWELVE, "buchholz_cut1", "22.5 19.5 15.5 20.5 18 18 18 7 20.5 19 17 0"),
    (TWELVE, "buchholz_cut2", "19.5 17 13.5 17 15.5 15.5 15.5 6.5 18 15.5 13.5 0"),
    (TWELVE, "median_buchholz", "18 15.5 11.5 16.5 14.5 14 13.5 2.5 16 15.5 13.5 0"),
    (TWELVE, "sonneborn_berger", "7.25 8.75 5 13.5 8.5 8.25 6.75 2.25 10.75 10.75 12 0"),
    (TWELVE, "sonneborn_berger_cut1", "5.25 6.75 5 11 8.5 8.25 6.75 2.25 10.75 10.75 10.25 0"),
    (NINE, "buchholz", "17.5 17 17 14.5 19 16.5 18.5 18.5 21"),
    (NINE, "buchholz_cut1", "15 12.5 15 11.5 17 12 16.5 16 18"),
    (NINE, "buchholz_cut2", "13 10.5 13 9.5 15 10 14.5 13.5 15"),
    (NINE, "median_buchholz", "10 9.5 10.5 8.5 12 9 11.5 11 13"),
    (NINE, "median2", "5 4.5 5.5 4 5.5 4 5 4 5.5"),
    (NINE, "sonneborn_berger", "5.75 12.5 4 7.75 6.5 11 5 5.25 8.5"),
    (NINE, "sonneborn_berger_cut1", "4.5 10.5 2 6.25 6.5 10 5 3.25 6"),
)


def figures(event: str, code: str, edition: Edition) -> list[Fraction]:
    format_ = "preset" if event == SEVEN else "swiss"
    rows = crosstable(EVENTS[event], format_, edition=edition)
    return list(numbers(rows, code).values())


def read(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


@pytest.mark.parametrize(("event", "code", "expected"), SAME)
def test_what_both_editions_count_alike(event: str, code: str, expected: str) -> None:
    for edition in Edition:
        assert figures(event, code, edition) == read(expected)


@pytest.mark.parametrize(("event", "code", "expected"), IN_2024)
def test_opponents_scores_in_the_edition_of_2024(event: str, code: str, expected: str) -> None:
    assert figures(event, code, Edition.E2024) == read(expected)


@pytest.mark.parametrize(("event", "code", "expected"), IN_2026)
def test_opponents_scores_in_the_edition_of_2026(event: str, code: str, expected: str) -> None:
    """Article 16.4 as changed: no dummy above a draw a round, or above who was to come."""
    assert figures(event, code, Edition.E2026) == read(expected)
