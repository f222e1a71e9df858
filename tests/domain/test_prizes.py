"""Prizes follow from the places: money is shared to the cent, goods by lot."""

import pytest

from tournaments.domain.prizes import Award, PlacedEntry, PrizeRow, PrizeTerms, amount_of, awards

LOTS = {number: -number for number in range(1, 60)}
"""The order by lot: the highest number first."""


def table(*places: int) -> list[PlacedEntry]:
    return [PlacedEntry(number, place) for number, place in enumerate(places, 1)]


def money(given: tuple[Award, ...]) -> dict[int, int]:
    return {award.number: award.cents for award in given}


@pytest.mark.parametrize("first", [1, 2, 3])
@pytest.mark.parametrize("sharers", range(3, 9))
def test_the_money_of_shared_places_sums_to_the_cent(first: int, sharers: int) -> None:
    rows = [PrizeRow(n, n, n, cents=cents) for n, cents in enumerate((60001, 30000, 10001), 1)]
    places = [*range(1, first), *[first] * sharers]
    given = awards(rows, table(*places), PrizeTerms(20), LOTS)
    assert sum(money(given).values()) == 100002
    shares = [cents for number, cents in money(given).items() if number >= first]
    assert len(shares) == sharers
    assert max(shares) - min(shares) <= 1
    assert shares == sorted(shares, reverse=True), "the cents that are left go to the first"


def test_shares_of_what_was_taken_leave_the_rest_with_the_club() -> None:
    rows = [PrizeRow(n, n, n, percent=percent) for n, percent in enumerate((45, 35, 15), 1)]
    given = awards(rows, table(1, 2, 3, 4), PrizeTerms(31, takings=31 * 1200), LOTS)
    assert money(given) == {1: 16740, 2: 13020, 3: 5580}


@pytest.mark.parametrize(
    ("entries", "scale_up", "expected"),
    [
        (40, False, [60000, 30000, 10000]),
        (31, False, [46500, 23000, 7500]),
        (52, False, [60000, 30000, 10000]),
        (52, True, [78000, 39000, 13000]),
    ],
)
def test_amounts_meant_for_forty_entries_follow_the_entries(
    entries: int, scale_up: bool, expected: list[int]
) -> None:
    terms = PrizeTerms(entries, meant_for=40, scale_up=scale_up, unit=500)
    assert [amount_of(PrizeRow(1, 1, 1, cents=c), terms) for c in (60000, 30000, 10000)] == expected


def test_a_ham_for_each_of_four_places_is_not_shared() -> None:
    rows = [PrizeRow(1, 5, 8, text="Jamón")]
    given = awards(rows, table(1, 2, 3, 4, 5, 5, 5, 5), PrizeTerms(8), LOTS)
    assert [(award.number, award.goods, award.by_lot) for award in given] == [
        (number, (1,), False) for number in (5, 6, 7, 8)
    ]


def test_goods_of_shared_places_go_by_lot_and_money_is_shared() -> None:
    rows = [PrizeRow(1, 1, 1, text="Copa"), PrizeRow(2, 2, 2, text="Jamón", cents=501)]
    given = awards(rows, table(1, 1, 3), PrizeTerms(3), LOTS)
    assert [(a.number, a.cents, a.goods, a.by_lot) for a in given] == [
        (1, 251, (2,), True),
        (2, 250, (1,), True),
    ]


def test_each_person_of_the_winners_gets_money_and_nobody_is_called_for_a_gift_to_all() -> None:
    rows = [PrizeRow(1, 0, 0, text="Vino"), PrizeRow(2, 1, 1, cents=2000, per_person=True)]
    given = awards(rows, table(1, 2), PrizeTerms(2), LOTS)
    assert [(a.number, a.cents, a.goods, a.lines) for a in given] == [
        (1, 4000, (), (2,)),
    ]


def test_fewer_entries_than_prizes() -> None:
    rows = [PrizeRow(n, n, n, cents=1000) for n in (1, 2, 3)]
    assert money(awards(rows, table(1, 2), PrizeTerms(2), LOTS)) == {1: 1000, 2: 1000}
