"""The queue for the arbiter: honest players stay out of it, one who sees all cards does not."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

import engine
from benchmarks.arbiter import Peeking
from engine.analysis import FALSE_ALARM_RATE, MIN_HANDS, Terms, arbiter_queue, fit_of, sums_by_seat
from engine.contest.intervals import student_quantile, student_tail

CHEAP = Terms(worlds=10, fair_from=5)
HANDS = 16
SEED = b"a peeking player".ljust(32)
RULES = engine.RULESETS["parejas-online"]


@cache
def fits(*, peeking: bool) -> dict[str, tuple[float, ...]]:
    """Of each seat the fit of every hand; with a cheat at A, or none."""
    bots: dict[str, engine.Bot] = {seat: engine.Sensible(SEED) for seat in RULES.seats}
    if peeking:
        bots["A"] = Peeking(SEED, "match", since=5, every=1, honest=bots["A"])
    names = list(RULES.seats)
    document = engine.play_match(RULES, bots, SEED, "match", names, {"deals": HANDS})
    analysis = engine.analyse(engine.parse_record(document), CHEAP)
    return {seat.seat: seat.fits for seat in analysis.seats}


@pytest.mark.slow
def test_who_sees_all_cards_is_found() -> None:
    """Among honest players, after sixteen hands, and no other player."""
    (suspect,) = arbiter_queue(fits(peeking=True))
    assert suspect.player == "A"
    assert suspect.corrected <= FALSE_ALARM_RATE / 10
    assert suspect.fit.hands == HANDS


@pytest.mark.slow
def test_honest_players_are_not_queued() -> None:
    assert arbiter_queue(fits(peeking=False)) == ()


@pytest.mark.slow
def test_the_fit_of_honest_players_is_nothing() -> None:
    together = [fit for each in fits(peeking=False).values() for fit in each]
    result = fit_of(together)
    assert result.error is not None
    assert abs(result.a_hand) < 3 * result.error


def test_the_chance_of_honest_players_is_what_it_says() -> None:
    """Ranks by chance, five choices a hand: one in twenty players below 5 %, one in a hundred 1 %.

    The allowance makes it somewhat less; never more.
    """
    chance = Random("ranks")
    chances = []
    for _ in range(3000):
        hands = [sum(chance.random() - 0.5 for _ in range(5)) for _ in range(20)]
        chances.append(fit_of(hands).chance or 0.0)
    below = {
        rate: sum(value <= rate for value in chances) / len(chances) for rate in (0.01, 0.05, 0.5)
    }
    assert 0.003 < below[0.01] < 0.015
    assert 0.02 < below[0.05] < 0.06
    assert 0.35 < below[0.5] < 0.52


def test_the_queue_of_honest_players_is_empty_but_for_its_rate() -> None:
    """Forty players at a time: a player is queued in about one of a hundred evenings."""
    chance = Random("evenings")
    evenings = 400
    alarms = 0
    for _ in range(evenings):
        players = {
            number: [sum(chance.random() - 0.5 for _ in range(5)) for _ in range(15)]
            for number in range(20)
        }
        alarms += bool(arbiter_queue(players))
    assert alarms <= 3 * FALSE_ALARM_RATE * evenings


def test_of_a_few_hands_nothing_is_said() -> None:
    few = [2.0] * (MIN_HANDS - 1)
    assert fit_of(few).chance is None
    assert arbiter_queue({"Ana": few}) == ()
    with pytest.raises(ValueError, match="no hand"):
        fit_of([])


def test_who_never_had_anything_to_guess_fits_nothing() -> None:
    """Two players without a stock know all cards: every fit is 0, whatever they play."""
    assert fit_of([0.0] * 40).chance == 1
    assert arbiter_queue({"Ana": [0.0] * 40}) == ()


def test_the_more_players_are_looked_at_the_more_it_takes() -> None:
    chance = Random("many")
    suspect = [0.4 + chance.gauss(0, 0.5) for _ in range(20)]
    honest = {str(number): [chance.gauss(0, 0.5) for _ in range(20)] for number in range(200)}
    (alone,) = arbiter_queue({"Ana": suspect})
    together = {"Ana": suspect, **honest}
    assert alone.corrected == alone.fit.chance
    assert all(entry.corrected <= FALSE_ALARM_RATE for entry in arbiter_queue(together))
    assert arbiter_queue(together) == () or arbiter_queue(together)[0].corrected == pytest.approx(
        201 * alone.corrected
    )


@pytest.mark.parametrize("rate", [0, 1, -0.1])
def test_a_rate_is_between_nothing_and_all(rate: float) -> None:
    with pytest.raises(ValueError, match="no rate"):
        arbiter_queue({"Ana": [0.0]}, rate)


def test_sums_over_hands_carry_the_fits_along() -> None:
    record = engine.parse_record(
        engine.play_match(
            RULES,
            {seat: engine.Sensible(SEED) for seat in RULES.seats},
            SEED,
            "match",
            list("ABCD"),
            {"deals": 2},
        )
    )
    hands = list(engine.analyse_hands(record, Terms(worlds=2, fair_from=7)))
    for seat in sums_by_seat(hands):
        assert list(seat.fits) == [
            row.fit for hand in hands for row in hand.seats if row.seat == seat.seat
        ]


@pytest.mark.parametrize("freedom", [1, 7, 40, 200])
def test_the_tail_is_the_quantile_the_other_way_round(freedom: int) -> None:
    for probability in (0.6, 0.95, 0.999):
        quantile = student_quantile(probability, freedom)
        assert student_tail(quantile, freedom) == pytest.approx(1 - probability, rel=1e-5)
        assert student_tail(-quantile, freedom) == pytest.approx(probability, rel=1e-5)
    with pytest.raises(ValueError, match="degrees"):
        student_tail(1.0, 0)
