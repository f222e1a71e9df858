"""Kirkman triple systems: the designs themselves, each proved."""

from collections import Counter
from itertools import combinations

import pytest

from tournaments.domain.movements.kirkman import CYCLIC_DESIGNS, Design, kirkman, least_design

ODD = range(3, 64, 6)
NEARLY = range(18, 61, 6)


def meetings(design: Design) -> Counter[tuple[int, ...]]:
    return Counter(
        pair for round_ in design for table in round_ for pair in combinations(sorted(table), 2)
    )


def of(players: int) -> Design:
    design = kirkman(players)
    assert design is not None
    return design


@pytest.mark.parametrize("players", [*ODD, 93, 111, 129])
def test_in_a_kirkman_system_everybody_sits_with_everybody_once(players: int) -> None:
    design = of(players)
    assert len(design) == (players - 1) // 2
    assert meetings(design) == Counter(dict.fromkeys(combinations(range(players), 2), 1))


@pytest.mark.parametrize("players", NEARLY)
def test_in_a_nearly_kirkman_system_everybody_misses_one_other(players: int) -> None:
    design = of(players)
    assert len(design) == players // 2 - 1
    counts = meetings(design)
    assert set(counts.values()) == {1}
    missed = Counter(
        player for pair in combinations(range(players), 2) if pair not in counts for player in pair
    )
    assert missed == Counter(dict.fromkeys(range(players), 1))


@pytest.mark.parametrize("players", [3, 21, 39, 57, *CYCLIC_DESIGNS])
def test_in_each_round_everybody_is_at_one_table(players: int) -> None:
    for round_ in of(players):
        assert sorted(player for table in round_ for player in table) == list(range(players))


@pytest.mark.parametrize("players", [6, 12, 10, 20])
def test_there_is_no_design_for_other_numbers(players: int) -> None:
    assert kirkman(players) is None


def test_two_players_fill_no_table() -> None:
    with pytest.raises(ValueError, match="no table of three"):
        kirkman(2)


def test_twenty_players_are_held_by_the_design_for_twenty_one() -> None:
    assert least_design(20) == 21
    assert least_design(12) is None
