"""Worlds: nothing that a seat knows is contradicted, nothing possible is left out, all are even."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.bots.table import agreed_rules
from engine.cards import CARDS, PACK, SEATS, cards_in, mask_of
from engine.replay import states
from engine.view import view
from engine.worlds import (
    HoldingPeriod,
    Knowledge,
    NoWorldError,
    World,
    gather_knowledge,
    knowledge_at,
    knowledge_of,
    sample_worlds,
)
from tests.engine import redealing
from tests.engine.test_bots import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.state import State

SEED = b"worlds"
DRAWS = 4000
REPLAYED = [
    table
    for table in TABLES
    if not ("omitted_is_lost" in table[2] and engine.RULESETS[table[0]].stock_size)
]
"""All but the house rule that worlds ignore: silence forfeits while one draws."""


def record_of(ruleset: str, seats: int, options: dict[str, Any], kind: str) -> engine.Record:
    bots = {seat: engine.HOUSE_BOTS[kind](seat.encode()) for seat in SEATS[:seats]}
    rules, sitting = engine.RULESETS[ruleset], list("wxyz")[:seats]
    played = engine.play_match(rules, bots, SEED, f"{kind}/1", sitting, options)
    return engine.parse_record(json.dumps(played))


def moments(
    record: engine.Record, every: int, hands: int = 2
) -> Iterator[tuple[list[State], list[str], int, Knowledge]]:
    """The states of a hand so far, its tokens so far, a seat and what it knows."""
    for number, hand in enumerate(record.hands[:hands]):
        steps = list(states(record.ruleset, hand))
        tokens = (hand.play or "").split()
        for token, state in enumerate(steps):
            if token % every == number % every and not state.over:
                for seat in state.players:
                    knowledge = knowledge_at(record, number, token, seat)
                    yield steps[: token + 1], tokens[:token], seat, knowledge


@pytest.mark.parametrize("kind", ["random", "simple"])
@pytest.mark.parametrize(("ruleset", "seats", "options"), TABLES, ids=str)
def test_the_cards_as_they_lie_are_never_ruled_out(
    ruleset: str, seats: int, options: dict[str, Any], kind: str
) -> None:
    for steps, _tokens, _seat, knowledge in moments(record_of(ruleset, seats, options, kind), 5):
        hands = steps[-1].hands
        for other in knowledge.others:
            hand = hands[other] or 0
            assert knowledge.sizes[other] == hand.bit_count()
            assert not knowledge.certain[other] & ~hand
            assert not hand & knowledge.unseen & ~knowledge.possible[other]
        assert not any((hands[seat] or 0) & pair == pair for seat, pair in knowledge.exclusions)
        hidden = sum(knowledge.hidden(other) for other in knowledge.others)
        assert knowledge.unseen.bit_count() == hidden + knowledge.stock


@pytest.mark.parametrize(("ruleset", "seats", "options"), REPLAYED, ids=str)
def test_every_world_is_a_deal_in_which_all_that_was_played_and_said_was_allowed(
    ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    for steps, tokens, seat, knowledge in moments(record_of(ruleset, seats, options, "random"), 9):
        for world in sample_worlds(knowledge, 2, f"{len(tokens)} {seat}"):
            if knowledge.rules.stock_size:
                other = knowledge.others[0]
                start = redealing.with_stock(steps[0], tokens, world, other, knowledge.unseen)
            else:
                start = redealing.without_stock(steps[0], tokens, world)
            state = start
            for token in tokens:
                state = state.apply(token)
            assert state.hands == world.hands
            assert state.draws == world.stock
            assert state.hands[seat] == steps[-1].hands[seat]


def is_even(counts: Counter[Any], expected: dict[Any, float]) -> bool:
    """Whether draws are spread as expected: the sum of squares within 5 standard deviations."""
    assert counts.keys() <= expected.keys()
    total, weight = counts.total(), sum(expected.values())
    square = sum(
        (counts[each] - total * share / weight) ** 2 / (total * share / weight)
        for each, share in expected.items()
    )
    freedom = len(expected) - 1
    return bool(square <= freedom + 5 * (2 * freedom) ** 0.5)


def late_moments() -> Iterator[tuple[list[State], list[str], Knowledge]]:
    """Moments with few cards left, in games of pairs."""
    for ruleset in ("parejas-online", "parejas", "cuatro"):
        for steps, tokens, seat, knowledge in moments(record_of(ruleset, 4, {}, "random"), 1, 3):
            if knowledge.unseen.bit_count() in (5, 6) and seat == steps[-1].turn:
                yield steps, tokens, knowledge


@pytest.mark.slow
def test_all_deals_of_the_last_cards_are_equally_likely() -> None:
    number = 0
    for steps, tokens, knowledge in late_moments():
        possible = {world.hands: 1.0 for world in deals_of(steps, tokens, knowledge)}
        counts = Counter(world.hands for world in sample_worlds(knowledge, DRAWS, SEED))
        assert is_even(counts, possible) if len(possible) > 1 else set(counts) == set(possible)
        number += len(possible) > 1
    assert number > 10


def deals_of(steps: list[State], tokens: list[str], knowledge: Knowledge) -> Iterator[World]:
    """Every way to deal the unseen cards in which all tokens were allowed."""
    for hands in shared_out(knowledge.unseen | sum(knowledge.certain) & ~knowledge.hand, knowledge):
        world = World(hands)
        try:
            state = redealing.without_stock(steps[0], tokens, world)
            for token in tokens:
                state = state.apply(token)
        except engine.IllegalAction:
            continue
        yield world


def shared_out(cards: int, knowledge: Knowledge) -> Iterator[tuple[int, ...]]:
    """Hands of the known sizes from some cards, own hand as it is."""
    first, second, third = knowledge.others
    numbers = list(cards_in(cards))
    for combination in combinations(numbers, knowledge.sizes[first]):
        rest = [card for card in numbers if card not in combination]
        for two in combinations(rest, knowledge.sizes[second]):
            hands = {
                knowledge.seat: knowledge.hand,
                first: mask_of(combination),
                second: mask_of(two),
            }
            hands[third] = cards & ~hands[first] & ~hands[second]
            yield tuple(hands[seat] for seat in range(4))


def synthetic(
    arrivals: list[int], holdings: list[HoldingPeriod], barred: dict[int, int], stock: int
) -> Knowledge:
    """A seat drew cards at these moments; not from any game, but small enough to be counted."""
    unseen = mask_of(barred)
    size = len(arrivals) - len(holdings)
    assert len(barred) == size + stock
    return Knowledge(
        rules=engine.RULESETS["habanero"],
        seat=0,
        trump=0,
        players=(0, 1),
        hand=0,
        unseen=unseen,
        sizes=(0, size),
        certain=(0, 0),
        possible=(0, unseen),
        stock=stock,
        arrivals=((), tuple(arrivals)),
        kept=((), tuple(holdings)),
        barred=({}, barred),
    )


STORIES = [
    synthetic([0, 0, 0, 4, 8], [HoldingPeriod(-1, 3)], {1: -1, 2: -1, 3: 2, 4: 6, 5: -1, 6: -1}, 2),
    synthetic(
        [0, 0, 4, 8], [HoldingPeriod(3, 6), HoldingPeriod(-1, 2)], {1: -1, 2: 7, 3: 7, 4: 2}, 2
    ),
    synthetic(
        [0, 0, 2, 4, 6],
        [HoldingPeriod(1, 9), HoldingPeriod(3, 9)],
        {1: -1, 2: 5, 3: 1, 4: -1, 5: 1},
        2,
    ),
    synthetic([0, 3, 5], [], {1: -1, 2: 4, 3: 4, 4: 2, 5: -1}, 2),
]


@pytest.mark.parametrize("knowledge", STORIES)
def test_of_cards_that_were_drawn_every_story_is_equally_likely(knowledge: Knowledge) -> None:
    expected: Counter[Any] = Counter()
    arrivals, holdings, barred = knowledge.arrivals[1], knowledge.kept[1], knowledge.barred[1]
    for order in permutations([*barred, *range(-1, -len(holdings) - 1, -1)], len(arrivals)):
        came = dict(zip(order, arrivals, strict=True))
        if all(
            -1 - n in came and holding.after <= came[-1 - n] < holding.until
            for n, holding in enumerate(holdings)
        ) and all(barred[card] <= when for card, when in came.items() if card >= 0):
            expected[mask_of(card for card in came if card >= 0)] += 1
    counts = Counter(world.hands[1] for world in sample_worlds(knowledge, DRAWS, SEED))
    assert is_even(counts, dict(expected))


def test_the_same_seed_draws_the_same_worlds_and_another_draws_others() -> None:
    record = record_of("parejas-online", 4, {}, "simple")
    knowledge = knowledge_at(record, 0, 6)
    assert (
        sample_worlds(knowledge, 5, "a")
        == sample_worlds(knowledge, 5, "a")
        != sample_worlds(knowledge, 5, "b")
    )


@pytest.mark.parametrize("ruleset", engine.RULESETS)
def test_a_view_and_a_record_tell_the_same(ruleset: str) -> None:
    record = record_of(ruleset, engine.RULESETS[ruleset].seat_counts[0], {}, "simple")
    hand = record.hands[0]
    tokens = (hand.play or "").split()
    for token, state in enumerate(list(states(record.ruleset, hand))[:-1]):
        history = tuple(
            (engine.SEATS[before.turn] if ":" not in next_token else next_token[0], next_token)
            for before, next_token in zip(
                states(record.ruleset, hand), tokens[:token], strict=False
            )
        )
        bot_view = view(state, state.turn, hand.trump or "", history, ())
        assert knowledge_of(bot_view) == knowledge_at(record, 0, token)


def test_a_twenty_kept_through_a_silence_mentions_the_forty_r6_6() -> None:
    """parejas-online: without a forty to lose, silence would have cost the twenty."""
    knowledge = after_declarations(("1o", "2o", "4o", "5o"), ("1c", "2c", "4c", "5c"), "A:20e")
    assert knowledge.certain[0] & mask_of([CARDS["Rb"], CARDS["Cb"]]) == mask_of(
        [CARDS["Rb"], CARDS["Cb"]]
    )


def test_a_twenty_at_the_first_chance_shows_that_there_is_no_forty_r6_5c() -> None:
    knowledge = after_declarations(("1o", "2o", "4o", "5o"), "A:20e")
    assert (0, mask_of([CARDS["Rb"], CARDS["Cb"]])) in knowledge.exclusions
    assert not any(
        world.hands[0] >> CARDS["Rb"] & world.hands[0] >> CARDS["Cb"] & 1
        for world in sample_worlds(knowledge, 200, SEED)
    )


def after_declarations(*declarations: tuple[str, ...] | str) -> Knowledge:
    """What B knows, bastos being trumps and D the dealer, after tricks that A won and said."""
    history: list[tuple[str, str]] = []
    for each in declarations:
        history += [(each[0], each)] if isinstance(each, str) else [("?", card) for card in each]
    mask = mask_of(CARDS[card] for _seat, card in history if card in CARDS)
    own_cards = mask_of(CARDS[rank + suit] for suit in "oce" for rank in "67S")
    played = sum(1 for each in declarations if isinstance(each, tuple))
    hand = mask_of(list(cards_in(own_cards & ~mask))[: 10 - played])
    return gather_knowledge(engine.RULESETS["parejas-online"], 1, "D", "2b", hand, history)


def test_what_contradicts_itself_is_refused() -> None:
    record = record_of("parejas-online", 4, {}, "simple")
    knowledge = knowledge_at(record, 0, 20)
    torn = replace(knowledge, possible=(0, 0, 0, 0))
    with pytest.raises(NoWorldError):
        sample_worlds(torn, 1, "a")


def test_moving_hidden_cards_changes_nothing_in_what_is_known() -> None:
    rules = agreed_rules(engine.RULESETS["habanero"], {}, 2)
    record = record_of("habanero", 2, {}, "simple")
    state = next(states(rules, record.hands[0]))
    trump = record.hands[0].trump or ""
    other = PACK & ~(state.hands[0] or 0) & ~(1 << CARDS[trump])
    cards = list(cards_in(other))
    moved = state._replace(hands=(state.hands[0], mask_of(cards[:8])), draws=tuple(cards[8:]))
    bot_view, moved_view = (view(each, 0, trump, (), ()) for each in (state, moved))
    assert knowledge_of(bot_view) == knowledge_of(moved_view)
    assert sample_worlds(knowledge_of(bot_view), 3, "s") == sample_worlds(
        knowledge_of(moved_view), 3, "s"
    )
