"""Whist designs, checked by counting who met whom."""

from collections import Counter
from itertools import combinations

import pytest

from tournaments.domain.movements.whist import FIRST_ROUNDS, has_design, parse_tables, whist

UP_TO_41 = [n for n in range(4, 42) if n % 4 in (0, 1)]
PRIMES = [n for n in range(5, 198, 4) if all(n % divisor for divisor in range(2, int(n**0.5) + 1))]
POWERS_OF_PRIMES = [49, 81, 121, 125, 169]
SIZES = sorted({*UP_TO_41, *PRIMES, *POWERS_OF_PRIMES})


@pytest.mark.parametrize("players", SIZES)
def test_everybody_partners_everybody_once_and_opposes_everybody_twice(players: int) -> None:
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for tables in whist(players):
        for first, second in tables:
            partners.update((frozenset(first), frozenset(second)))
            opponents.update(frozenset((player, other)) for player in first for other in second)
    all_pairs = [frozenset(two) for two in combinations(range(players), 2)]
    assert partners == dict.fromkeys(all_pairs, 1)
    assert opponents == dict.fromkeys(all_pairs, 2)


@pytest.mark.parametrize("players", SIZES)
def test_nobody_sits_twice_in_a_round_and_at_most_one_sits_out(players: int) -> None:
    movement = whist(players)
    assert len(movement) == (players if players % 4 else players - 1)
    out: Counter[int] = Counter()
    for tables in movement:
        seated = [player for sides in tables for side in sides for player in side]
        assert len(seated) == len(set(seated)) == players // 4 * 4
        out.update(set(range(players)) - set(seated))
    assert out == (dict.fromkeys(range(players), 1) if players % 4 else {})


def test_twenty_one_primes_and_both_forms_up_to_41_are_there() -> None:
    assert len(PRIMES) == 21
    assert PRIMES[-1] == 197
    assert all(has_design(players) for players in SIZES)


def test_five_players_sit_as_in_the_field_of_five_elements() -> None:
    # The powers of 2 modulo 5 are 1, 2, 4, 3: 1 and -1 = 4 play 2 and -2 = 3, and 0 sits out.
    assert whist(5)[0] == (((1, 4), (2, 3)),)
    assert whist(5)[1] == (((2, 0), (3, 4)),)


@pytest.mark.parametrize("players", FIRST_ROUNDS)
def test_a_tabled_first_round_seats_everybody_or_all_but_player_0(players: int) -> None:
    seated = sorted(player for table in parse_tables(FIRST_ROUNDS[players]) for player in table)
    assert seated == (list(range(1, players)) if players % 4 else [*range(-1, players - 1)])


@pytest.mark.parametrize("players", [-4, 0, 1, 2, 3, 6, 7, 10, 22, 27, 35, 45, 44])
def test_other_numbers_have_no_design(players: int) -> None:
    assert not has_design(players)
    with pytest.raises(ValueError, match="no whist design"):
        whist(players)
