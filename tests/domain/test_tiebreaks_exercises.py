"""The Swiss tournament and the round robin of FIDE's own exercises in tie-breaking.

FIDE's technical commission published them with solutions under the regulations of 2023 (pages 5 and
6: sixteen players in five rounds, with half and zero byes, forfeits, pairing byes and a withdrawal;
six players, with a forfeit). The edition of 1 August 2024 solves them alike. That of 1 March 2026
caps the dummy of article 16.4, so that the figures of players 4, 6 and 11 are lower.
"""

from collections.abc import Mapping
from fractions import Fraction

import pytest

from tests.domain.crosstables import crosstable, numbers, places, ranked
from tournaments.domain.rows import Edition

SWISS = (
    "9+ 13= 2= 15+ 4=",
    "10+ 7+ 1= 16+ 3=",
    "11= 6+ 8+ 4= 2=",
    "12+ H 13+ 3= 1=",
    "13- 15- 11+ 7= 10+",
    "14- 3- B 10+ 8+",
    "15+ 2- 16- 5= 11-",
    "16= 14+ 3- 13+ 6-",
    "1- 10- H 11x B",
    "2- 9+ 15- 6- 5-",
    "3= 16- 5- 9f 7+",
    "4- B 14f Z Z",
    "5+ 1= 4- 8- 14-",
    "6+ 8- 12x Z 13+",
    "7- 5+ 10+ 1- 16-",
    "8= 11+ 7+ 2- 15+",
)

LONGER = (
    "9+ 13= 2= 15+ 4= 6= 3= 16= 8+",
    "10+ 7+ 1= 16+ 3+ 4= 6- 15= 5=",
    "11= 6+ 8+ 4= 2- 16+ 1= 14+ 10+",
    "12+ H 13+ 3= 1= 2= 16= 6= 15+",
    "13- 15- 11+ 7= 10+ 14- 9+ 8- 2=",
    "14- 3- B 10+ 8+ 1= 2+ 4= 16+",
    "15+ 2- 16- 5= 11- 10- 13+ 9+ 14+",
    "16= 14+ 3- 13+ 6- 11= 15= 5+ 1-",
    "1- 10- H 11x B 13+ 5- 7- 12=",
    "2- 9+ 15- 6- 5- 7+ 12+ 11+ 3-",
    "3= 16- 5- 9f 7+ 8= 14- 10- 13=",
    "4- B 14f Z Z 15- 10- 13= 9=",
    "5+ 1= 4- 8- 14- 9- 7- 12= 11=",
    "6+ 8- 12x Z 13+ 5+ 11+ 3- 7-",
    "7- 5+ 10+ 1- 16- 12+ 8= 2= 4-",
    "8= 11+ 7+ 2- 15+ 3- 4= 1= 6-",
)

ROUND_ROBIN = (
    "5= 2+ 3+ 4- 6+",
    "6+ 1- 5+ 3= 4+",
    "4+ 6+ 1- 2= 5+",
    "3- 5- 6= 1+ 2-",
    "1= 4+ 2- 6x 3-",
    "2- 3- 4= 5f 1-",
)

BOTH = (Edition.E2024, Edition.E2026)


def by_number(figures: str) -> dict[int, Fraction]:
    return {number: Fraction(figure) for number, figure in enumerate(figures.split(), 1)}


def some(figures: str) -> dict[int, Fraction]:
    pairs = (pair.split(":") for pair in figures.split())
    return {int(number): Fraction(figure) for number, figure in pairs}


def assert_figures(result: Mapping[int, Fraction], expected: Mapping[int, Fraction]) -> None:
    assert {number: result[number] for number in expected} == expected


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("code", "figures"),
    [
        ("match_points", "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5"),
        ("wins", "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3"),
        ("won", "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3"),
        ("rounds_elected", "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5"),
        ("standard_points", "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5"),
        ("progressive", "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5"),
    ],
)
def test_a_players_own_rounds(edition: Edition, code: str, figures: str) -> None:
    """Articles 7.1, 7.2, 7.5, 7.6 and 7.7 do not depend on the edition."""
    assert_figures(numbers(crosstable(SWISS, edition=edition), code), by_number(figures))


@pytest.mark.parametrize(
    ("edition", "code", "figures"),
    [
        (
            Edition.E2024,
            "buchholz",
            "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5",
        ),
        (
            Edition.E2026,
            "buchholz",
            "12.5 13 15.5 14 8.5 11.5 14.5 13.5 9 13 12.5 11.5 14 11 12 12.5",
        ),
        (
            Edition.E2024,
            "sonneborn_berger",
            "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25",
        ),
        (
            Edition.E2026,
            "sonneborn_berger",
            "8 9.5 10.5 9.25 4.25 6 3.25 5.25 2.25 1.5 4.75 4 4.25 4.5 3.5 7.25",
        ),
        (
            Edition.E2024,
            "sonneborn_berger_cut1",
            "7.25 8.5 9.25 8 3.25 5.5 1.25 3.75 2.25 0 4.25 4 4.25 3 2.5 5.75",
        ),
        (
            Edition.E2026,
            "sonneborn_berger_cut1",
            "7.25 8.5 9.25 7.75 3.25 5 1.25 3.75 2.25 0 3.25 4 4.25 3 2.5 5.75",
        ),
    ],
)
def test_the_scores_of_the_opponents(edition: Edition, code: str, figures: str) -> None:
    """Articles 8.1, 9.1, 14.1 and 16.1 to 16.5 in both editions."""
    assert_figures(numbers(crosstable(SWISS, edition=edition), code), by_number(figures))


@pytest.mark.parametrize(
    ("edition", "eleventh"), [(Edition.E2024, Fraction(12)), (Edition.E2026, Fraction(11))]
)
def test_buchholz_without_the_lowest(edition: Edition, eleventh: Fraction) -> None:
    """Articles 14.1 and 16.5: of who has a voluntary absence, that goes first."""
    values = numbers(crosstable(SWISS, edition=edition), "buchholz_cut1")
    expected = some("5:7.5 8:12 7:12.5 9:7.5 13:12 1:11 3:13 4:11.5 16:11 12:9.5 14:9 15:11")
    assert_figures(values, expected | {11: eleventh})


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("code", "figures"),
    [
        ("match_points", "3.5 3.5 3.5 1.5 1.5 1.5"),
        ("sonneborn_berger", "9.25 6.25 6.25 4.25 3.25 2.25"),
        ("sonneborn_berger_cut1", "9.25 4.75 4.75 4.25 3.25 1.5"),
        ("koya", "2 .5 .5 1 .5 0"),
    ],
)
def test_in_a_round_robin_a_forfeit_is_a_game(edition: Edition, code: str, figures: str) -> None:
    """Article 15.2: player 6 won the forfeit, player 5 lost it, and both sums show it."""
    rows = crosstable(ROUND_ROBIN, "preset", edition=edition)
    assert_figures(numbers(rows, code), by_number(figures))


def test_direct_encounter_in_a_round_robin() -> None:
    """Articles 6.2 and 15.2: twice three are tied, and all have met."""
    lines = ranked(crosstable(ROUND_ROBIN, "preset"), "direct_encounter")
    assert places(lines) == [(1, 1), (2, 2), (2, 3), (4, 6), (5, 5), (6, 4)]


def test_direct_encounter_when_not_all_have_met() -> None:
    """Article 6.3: of 1, 2, 4 and 6 only two have not met; 6 is first whatever they would do."""
    lines = ranked(crosstable(LONGER), "direct_encounter")
    assert places(lines)[:5] == [(1, 3), (2, 6), (3, 1), (3, 4), (5, 2)]
