"""What cards cost given what their player could know: over deals that look the same."""

from __future__ import annotations

from itertools import combinations
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

import engine
from engine.analysis import Terms
from engine.analysis.fair_losses import (
    STEP,
    Table,
    draw_deals,
    fair_losses_over,
    find_fair_losses,
    stable_rivals,
)
from engine.analysis.marks import find_mark, is_stable
from engine.analysis.open_losses import find_open_losses
from engine.analysis.walk import Step, Walk, walk
from engine.cards import CARDS, SEATS, cards_in, mask_of, names
from engine.worlds import every_world, knowledge_at, sample_worlds
from tests.engine.analysis.table import PAIRS, changed, continued, played
from tests.engine.solver.minimax import margins
from tests.quick import slow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.analysis.marks import Rival

FEW = Terms(worlds=8, fair_from=5)


def steps(record: engine.Record) -> tuple[Step, ...]:
    walked = walk(record, 0)
    assert isinstance(walked, Walk)
    return walked.steps


def late_choice(record: engine.Record, cards: int) -> Step:
    """The first choice with `cards` cards, or fewer, in hand."""
    states = steps(record)
    return next(
        step
        for step in states
        if step.choices > 1 and step.moment.hands[step.moment.turn].bit_count() <= cards
    )


def possible_deals(record: engine.Record, step: Step) -> Iterator[tuple[int, ...]]:
    """Every deal of the cards not seen after which the hand could have gone as it did.

    By trying them all: each is put together with the cards played, and the rules of the whole hand
    so far are asked again.
    """
    seat, hands = step.state.turn, [hand or 0 for hand in step.state.hands]
    others = [other for other in range(4) if other != seat]
    unseen = list(cards_in(mask_of(card for other in others for card in cards_in(hands[other]))))
    sizes = [hands[other].bit_count() for other in others]
    for first in combinations(unseen, sizes[0]):
        left = [card for card in unseen if card not in first]
        for second in combinations(left, sizes[1]):
            third = [card for card in left if card not in second]
            world = list(hands)
            for other, cards in zip(others, (first, second, third), strict=True):
                world[other] = mask_of(cards)
            if possible(record, step, world):
                yield tuple(world)


def possible(record: engine.Record, step: Step, world: list[int]) -> bool:
    """Whether all that was played and said until then is in order with these hands."""
    tokens = (record.hands[0].play or "").split()[: step.token]
    moved = changed(record, deal=dealt(record, step, world), play=" ".join(tokens))
    passed = list(engine.states(moved.ruleset, moved.hands[0]))
    return len(passed) == len(tokens) + 1


def dealt(record: engine.Record, step: Step, world: list[int]) -> dict[str, str]:
    """The deal that leads to these hands: with them the cards that each seat played before."""
    whole = list(world)
    for before in steps(record):
        if before.token < step.token:
            whole[SEATS.index(before.seat)] |= 1 << before.card
    return {seat: " ".join(names(whole[number])) for number, seat in enumerate("ABCD")}


@pytest.mark.parametrize("ruleset", PAIRS)
def test_over_all_deals_a_card_loses_what_minimax_says(ruleset: str) -> None:
    """Two cards each: every deal that agrees with the whole play so far, each solved plainly."""
    for number in range(30, 33):
        record = played(ruleset, number, "random")
        step = late_choice(record, 2)
        worlds = list(possible_deals(record, step))
        assert step.moment.hands in worlds
        sign = (1, -1)[step.state.turn & 1]
        values = [
            {CARDS[card]: sign * value for card, value in margins(state).items()}
            for state in (step.state._replace(hands=world) for world in worlds)
        ]
        means = {card: fmean(value[card] for value in values) for card in values[0]}
        fair_losses = fair_losses_over(step, dict.fromkeys(worlds, 1))
        assert fair_losses.loss == pytest.approx(max(means.values()) - means[step.card])
        assert means[fair_losses.best] == pytest.approx(max(means.values()))
        assert fair_losses.expected == pytest.approx(
            fmean(max(value.values()) - value[step.card] for value in values)
        )


@pytest.mark.parametrize("ruleset", PAIRS)
def test_the_deals_drawn_are_those_that_cannot_be_separated(ruleset: str) -> None:
    """All of them come up in a long draw and no others do."""
    for number in (40, 41):
        record = played(ruleset, number, "random")
        step = late_choice(record, 2)
        worlds = set(possible_deals(record, step))
        counts = draw_deals(step, Table(record.ruleset, record.hands[0]), 40 * len(worlds))
        assert set(counts) == worlds
        knowledge = knowledge_at(record, 0, step.token)
        every = every_world(knowledge, 1000) or ()
        assert sorted(world.hands for world in every) == sorted(worlds)
        assert every_world(knowledge, len(worlds) - 1) is None


@pytest.mark.parametrize("ruleset", [PAIRS[0], *slow(PAIRS[1:])])
def test_what_is_fair_does_not_depend_on_cards_that_nobody_could_see(ruleset: str) -> None:
    """Other hidden cards behind the same history: the same losses for the same card."""
    rng = Random(f"hidden{ruleset}")
    for number in (50, 51):
        record = played(ruleset, number)
        step = late_choice(record, 6)
        tokens = (record.hands[0].play or "").split()[: step.token + 1]
        world = sample_worlds(knowledge_at(record, 0, step.token), 1, str(number))[0]
        deal = dealt(record, step, list(world.hands))
        assert world.hands != step.moment.hands
        other = continued(record, deal, tokens, rng)
        records = [
            next(
                play for play in engine.analyse_hand(each, 0, FEW).plays if play.token == step.token
            )
            for each in (record, other)
        ]
        fair = [
            (play.fair_loss, play.fair_error, play.fair_best, play.expected, play.hand_wins)
            for play in records
        ]
        assert fair[0] == fair[1]
        assert records[0].card == records[1].card


def test_the_same_hand_is_reported_the_same_again() -> None:
    record = played("cuatro", 60)
    first, second = (engine.analyse_hand(record, 0, FEW) for _ in range(2))
    assert first == second
    assert first != engine.analyse_hand(record, 0, Terms(worlds=9))


def test_a_fair_loss_is_never_a_gain() -> None:
    hand = engine.analyse_hand(played("parejas-online", 61, "random"), 0, FEW)
    for play in hand.plays:
        if play.chosen:
            assert (play.fair_loss or 0) >= 0
            assert (play.expected or 0) >= (play.fair_loss or 0)
            assert (play.fair_loss == 0) == (play.fair_best == play.card)
            assert 0 <= (play.rank or 0) <= 1


def test_the_first_two_tricks_are_not_asked_unless_they_are() -> None:
    record = played("cuatro", 62)
    usual = engine.analyse_hand(record, 0, Terms(worlds=3))
    for play in usual.plays:
        assert (play.fair_loss is None) == (play.trick <= 2)
        assert play.trick > 2 or play.mark is None
    whole = engine.analyse_hand(record, 0, Terms(worlds=1, fair_from=1))
    assert None not in [play.fair_loss for play in whole.plays]
    none = engine.analyse_hand(record, 0, Terms(worlds=0))
    assert {play.fair_loss for play in none.plays} == {None}
    assert [play.open_loss for play in none.plays] == [play.open_loss for play in usual.plays]
    assert {seat.choices for seat in none.seats} == {0}


@pytest.mark.parametrize("terms", [{"worlds": -1}, {"fair_from": 0}, {"fair_from": 11}])
def test_terms_that_make_no_sense_are_refused(terms: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="no such terms"):
        Terms(**terms)


def late_marks(record: engine.Record) -> Iterator[tuple[Step, list[Rival], int]]:
    """The choices with five cards or fewer, the gains of other cards, and over how many deals."""
    walked = walk(record, 0)
    assert isinstance(walked, Walk)
    table = Table(record.ruleset, record.hands[0])
    for step, values in zip(walked.steps, find_open_losses(walked).values, strict=True):
        if values and step.moment.hands[step.moment.turn].bit_count() <= 5:
            fair = find_fair_losses(step, table, 40)
            yield step, *stable_rivals(step, table, fair, 40, values)


def test_a_card_near_a_boundary_is_asked_of_more_deals_than_a_clear_one() -> None:
    counts: dict[int, int] = {}
    for number in (80, 81, 82):
        record = played("parejas-online", number, "random")
        table = Table(record.ruleset, record.hands[0])
        for step, rivals, deals in late_marks(record):
            values = {rival.card: rival.open for rival in rivals} | {step.card: 0}
            first = find_fair_losses(step, table, 40).rivals(step.card, values)
            assert (deals == 40) == is_stable(first)
            assert is_stable(rivals) or deals == 40 * STEP**3
            counts[deals] = counts.get(deals, 0) + 1
    assert min(counts) == 40
    assert max(counts) > 40


def test_a_stable_grade_stays_with_four_times_as_many_deals() -> None:
    record = played("parejas-online", 81, "random")
    table = Table(record.ruleset, record.hands[0])
    grades = []
    for step, rivals, deals in late_marks(record):
        if is_stable(rivals):
            values = {rival.card: rival.open for rival in rivals} | {step.card: 0}
            more = find_fair_losses(step, table, STEP * deals).rivals(step.card, values)
            grades.append([mark and mark[0] for mark in (find_mark(rivals), find_mark(more))])
    assert len(grades) > 5
    assert [before for before, _ in grades] == [after for _, after in grades]
