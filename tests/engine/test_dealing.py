"""Deals follow from a committed seed; the vectors below are what other programs check against."""

import hashlib
import hmac
from collections import Counter

import pytest

import engine
from engine.deals import complete_deal
from engine.rulesets import at_table

RULES = engine.RULESETS["parejas-online"]
SEED = bytes(range(32))


def by_the_book(seed: bytes, label: str, number: int) -> list[str]:
    """The pack as the documentation of ``engine.dealing`` describes it, written once more."""
    pack = [rank + suit for suit in "oceb" for rank in "24567SCR31"]
    stream = b"".join(
        hmac.new(seed, f"{label}|{number}|{block}".encode(), hashlib.sha256).digest()
        for block in range(8)
    )
    at = 0
    for last in range(39, 0, -1):
        while stream[at] >= 256 - 256 % (last + 1):
            at += 1
        other = stream[at] % (last + 1)
        pack[last], pack[other] = pack[other], pack[last]
        at += 1
    return pack


def test_a_deal_is_what_the_documented_function_gives() -> None:
    dealt = engine.deal(RULES, SEED, "otoño/1/2", 3)
    mano = RULES.seats[(RULES.seats.index(dealt.dealer) + 1) % 4]
    pack = by_the_book(SEED, "otoño/1/2", 3)
    assert dealt.hands[mano].split() == pack[:10]
    assert dealt.hands[dealt.dealer].split() == pack[30:]
    assert dealt.trump == pack[39]


def test_the_deal_passes_to_the_next_seat_r2_4() -> None:
    dealers = [engine.deal(RULES, SEED, "x", number).dealer for number in range(1, 6)]
    first = RULES.seats.index(dealers[0])
    assert dealers == [RULES.seats[(first + n) % 4] for n in range(5)]


def test_a_commitment_binds_round_and_seed() -> None:
    expected = hashlib.sha256(b"baza-arena/1|otono/1|" + SEED).hexdigest()
    assert engine.commitment("otono/1", SEED) == expected
    assert engine.commitment("otono/2", SEED) != expected


def test_every_card_comes_to_every_seat_about_as_often() -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for number in range(1, 1201):
        dealt = engine.deal(RULES, SEED, "even", number)
        counts.update((seat, card) for seat, cards in dealt.hands.items() for card in cards.split())
    assert len(counts) == 160
    assert all(220 < count < 380 for count in counts.values())  # 300 expected, five deviations


def test_first_dealers_are_drawn_evenly_r2_4() -> None:
    counts = Counter(engine.deal(RULES, SEED, f"match {n}", 1).dealer for n in range(800))
    assert all(140 < counts[seat] < 260 for seat in RULES.seats)


@pytest.mark.parametrize("ruleset", ["habanero", "mano-a-mano"])
def test_a_stock_is_what_is_left_with_the_upcard_under_it_r3(ruleset: str) -> None:
    rules = engine.RULESETS[ruleset]
    dealt = engine.deal(rules, SEED, "otoño/1/2", 3)
    mano = "AB"["BA".index(dealt.dealer)]
    pack = by_the_book(SEED, "otoño/1/2", 3)
    assert dealt.hands[mano].split() == pack[:8]
    assert dealt.hands[dealt.dealer].split() == pack[8:16]
    assert dealt.trump == pack[16]
    assert (dealt.stock or "").split() == [*pack[17:], pack[16]]


@pytest.mark.parametrize("seats", [3, 4])
def test_three_get_thirteen_and_the_fortieth_card_is_set_aside_r3(seats: int) -> None:
    rules = at_table(engine.RULESETS["arrastrado"], seats)
    dealt = engine.deal(rules, SEED, "otoño/1/2", 3)
    pack = by_the_book(SEED, "otoño/1/2", 3)
    at = rules.seats.index(dealt.dealer)
    from_mano = [rules.seats[(at + turn) % seats] for turn in range(1, 4)]
    assert [dealt.hands[seat].split() for seat in from_mano] == [
        pack[:13],
        pack[13:26],
        pack[26:39],
    ]
    assert dealt.trump == pack[39]
    assert (dealt.dealer in from_mano) == (seats == 3)
    assert set(dealt.hands) == set(rules.seats)


def test_every_ruleset_is_dealt_whole() -> None:
    for rules in engine.RULESETS.values():
        for count in rules.seat_counts:
            table = at_table(rules, count)
            for number in range(1, 9):
                dealt = engine.deal(table, SEED, "whole", number)
                hand_record = engine.HandRecord(
                    dealt.dealer, dealt.trump, dealt.hands, "", None, None, dealt.stock, None
                )
                assert complete_deal(table, hand_record) is not None


def test_who_deals_changes_who_gets_the_cards_and_not_the_cards() -> None:
    rules = engine.RULESETS["mano-a-mano"]
    first, other = (engine.deal(rules, SEED, "race", 2, dealer) for dealer in (0, 1))
    assert (first.dealer, other.dealer) == ("A", "B")
    assert first.hands == {"A": other.hands["B"], "B": other.hands["A"]}
    assert first.stock == other.stock
