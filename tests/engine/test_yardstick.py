"""The C yardstick of the benchmarks does the whole work: it is the third to say who won a hand."""

from __future__ import annotations

import subprocess
from random import Random
from typing import TYPE_CHECKING

import pytest

import engine
from benchmarks import __main__ as benchmark
from benchmarks import peers, yardstick
from tests.engine import chance, mutations, naive
from tests.engine.naive_play import PACK, SEATS, side_of

if TYPE_CHECKING:
    from pathlib import Path


def compiler() -> str:
    text = yardstick.compiler()
    if text is None:
        pytest.skip("no C compiler (cc, gcc, clang) on this machine")
    return text


def record_of(hand: chance.HandRecord) -> engine.Record:
    names = ["Ana", "Bea", "Carlos", "Diego"]
    head = {"format": "baza/1", "ruleset": "parejas-online", "seats": names}
    return engine.parse_record({**head, "hands": [hand]})


def test_points_winners_and_forfeits_are_those_of_the_naive_implementation(tmp_path: Path) -> None:
    rng = Random(20)
    hands = [chance.hand(rng, rng.choice(SEATS))[0] for _ in range(400)]
    verdicts = [naive.verdict(mutations.only(hand)) for hand in hands]
    assert sum("tute" in hand["play"] for hand in hands) > 5
    command = yardstick.build(compiler(), tmp_path, [record_of(hand).hands[0] for hand in hands])
    reading = yardstick.measure(command, 0.0)
    points = [verdict.hands[0].points or {} for verdict in verdicts]
    assert reading.points == (
        sum(point["AC"] for point in points),
        sum(point["BD"] for point in points),
    )
    assert reading.won == sum(verdict.hands[0].winner == side_of("A") for verdict in verdicts)
    assert reading.forfeited == sum(
        notice.code == "declare.omitted" for verdict in verdicts for notice in verdict.notices
    )


@pytest.mark.parametrize("code", ["play.must_head", "play.not_held", "declare.window"])
def test_an_illegal_hand_is_refused(tmp_path: Path, code: str) -> None:
    rng = Random(30)
    while True:
        hand = chance.hand(rng, rng.choice(SEATS))[0]
        tokens = mutations.DECLARING_TOKENS if code.startswith("declare") else PACK
        places = mutations.places(hand, tokens, mutations.fault_is(code))
        if places:
            mutations.put(hand, *rng.choice(places))
            break
    command = yardstick.build(compiler(), tmp_path, record_of(hand).hands)
    with pytest.raises(subprocess.CalledProcessError, match="exit status 1"):
        yardstick.measure(command, 0.0)


def test_the_table_shows_which_aims_are_met() -> None:
    figures = benchmark.Figures(4_250_000, 60_000, 1_000, 300_000, 300_000, 1_000, 0.0, 12.0, 37.0)
    rows = benchmark.table(figures)
    assert [row.met for row in rows] == ["", "yes", "no", "yes", "yes", "no", "no", "yes"]


def test_without_a_compiler_there_are_rates_and_no_ratios() -> None:
    figures = benchmark.Figures(0.0, 60_000, 10_000, 300_000, 300_000, 60_000, 0.0, 5.0, 37.0)
    rows = benchmark.table(figures)
    assert [row.ratio for row in rows] == ["", *["-"] * 5, "", ""]
    assert [row.met for row in rows] == ["", *["-"] * 5, "yes", "yes"]


def test_a_peer_that_cannot_be_installed_is_reported() -> None:
    figures = benchmark.Figures(4_250_000, 60_000, 10_000, 300_000)
    readings = [
        peers.PeerReading("RLCard, bridge", error="cannot be installed here"),
        peers.PeerReading("python-chess, PGN", "1.11.2", 1000.0, 80_000.0),
    ]
    _head, first, second = benchmark.peer_rows(figures, readings)
    assert first == ["RLCard, bridge", "cannot be installed here", "-", "-", "-"]
    assert second == ["python-chess, PGN 1.11.2", "1,000", "80,000", "5.0", "150"]


def test_hands_that_a_tute_ended_are_passed_over_when_plays_change_places() -> None:
    rng = Random(20)
    hands = [chance.hand(rng, rng.choice(SEATS))[0] for _ in range(400)]
    short = [hand for hand in hands if len(hand["play"].split()) < 30]
    assert short
    refused = list(benchmark.refused_hands(map(record_of, hands)))
    assert 0 < len(refused) < len(hands)
    assert not any(engine.audit(record).valid for record in refused)
