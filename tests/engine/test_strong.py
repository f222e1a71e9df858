"""The strong bot: its compiled rules are the rules, its worlds are even, it sees no hidden card."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.bots.sensible import Sensible
from engine.bots.strong import Level, Search, Strong, setting, thinking
from engine.bots.strong.capote import can_announce_capote
from engine.bots.strong.playing import FEATURES, WORLD
from engine.bots.strong.weights import WEIGHTS_OF
from engine.bots.table import agreed_rules
from engine.cards import CARDS, PACK, SEATS, SUIT_MASKS, cards_in, mask_of, names
from engine.fast import masks as at
from engine.fast.compiling import fractions, whole_numbers
from engine.position import position_from_dict
from engine.replay import states
from engine.state import State, first_state
from engine.view import MatchScore, View, view
from engine.worlds import knowledge_of
from tests.engine.test_bots import TABLES
from tests.engine.test_worlds import DRAWS, deals_of, is_even, late_moments, record_of
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

LOW = Level(12, 20, by_policy=True)
SEED = b"strong"
DEAL_SETS = 16


def views(ruleset: str, kind: str = "simple", hands: int = 2) -> Iterator[tuple[View, State]]:
    """The view of the seat in turn, before every card of some hands."""
    record = record_of(ruleset, engine.RULESETS[ruleset].seat_counts[0], {}, kind)
    for hand in record.hands[:hands]:
        history: list[tuple[str, str]] = []
        for state, token in zip(
            states(record.ruleset, hand), (hand.play or "").split(), strict=False
        ):
            if ":" not in token:
                legal = names(state.legal())
                yield view(state, state.turn, hand.trump or "", tuple(history), legal), state
            history.append((token[0] if ":" in token else SEATS[state.turn], token))


def looked_at(bot_view: View, state: State) -> tuple[Any, at.Suits]:
    """The compiled game of a moment, the hand in turn in its place."""
    knowledge = knowledge_of(bot_view)
    suits = at.Suits(knowledge.trump, knowledge.players)
    game = setting.current_game(bot_view, knowledge, suits)
    game[at.HANDS + suits.seat(knowledge.seat)] = suits.cards(knowledge.hand)
    return game, suits


def room() -> tuple[Any, Any]:
    return fractions([0.0] * (at.MAX_MOVES * FEATURES)), fractions([0.0] * (at.MAX_MOVES + 1))


@pytest.mark.parametrize("ruleset", engine.RULESETS)
@pytest.mark.parametrize("kind", ["simple", "random"])
def test_the_compiled_rules_allow_what_the_rules_allow(ruleset: str, kind: str) -> None:
    for bot_view, state in views(ruleset, kind):
        game, suits = looked_at(bot_view, state)
        count = thinking.list_moves(game, WEIGHTS_OF["pairs"], *room())
        allowed = {suits.card(int(card)) for card in game[at.MOVES : at.MOVES + count]}
        assert mask_of(allowed) == state.legal()


@pytest.mark.parametrize("ruleset", ["parejas", "parejas-online", "cuatro", "arrastrado"])
def test_a_hand_stepped_through_makes_the_points_that_it_made(ruleset: str) -> None:
    """The simple bot declares all it can, and so does a hand that is played out."""
    record = record_of(ruleset, engine.RULESETS[ruleset].seat_counts[0], {}, "simple")
    for hand in record.hands:
        tokens = (hand.play or "").split()
        if any(":tute" in token or ":x" in token for token in tokens):
            continue
        first, *_rest, last = states(record.ruleset, hand)
        bot_view = view(first, first.turn, hand.trump or "", (), names(first.legal()))
        game, suits = looked_at(bot_view, first)
        for seat in first.players:
            game[at.HANDS + suits.seat(seat)] = suits.cards(first.hands[seat] or 0)
        for token in tokens:
            if token in CARDS:
                thinking.step(game, suits.card(CARDS[token]))
        game_points = [int(points) for points in game[at.MADE : at.MADE + len(last.points)]]
        assert game_points == list(last.points), hand.play


def test_what_everybody_saw_a_seat_lack_is_what_was_gathered() -> None:
    for ruleset in ("parejas", "parejas-online", "arrastrado"):
        steps = list(views(ruleset, "random", hands=1))
        first_view, first = steps[0]
        game, suits = looked_at(first_view, first)
        for seat in first.players:
            game[at.HANDS + suits.seat(seat)] = suits.cards(first.hands[seat] or 0)
        for (_seen, state), (after, _state) in pairwise(steps):
            thinking.step(
                game,
                suits.card(
                    CARDS[after.history[-1][1]]
                    if after.history[-1][1] in CARDS
                    else _last_card(after)
                ),
            )
            lacking = knowledge_of(after).lacking
            for seat in state.players:
                assert int(game[at.LACKS + suits.seat(seat)]) == suits.cards(lacking[seat])


def _last_card(bot_view: View) -> int:
    return next(CARDS[token] for _seat, token in reversed(bot_view.history) if token in CARDS)


def drawn(bot_view: Any, count: int) -> list[tuple[int, ...]]:
    """Worlds as the compiled part draws them, from what is known."""
    suits = at.Suits(bot_view.trump, bot_view.players)
    worlds = whole_numbers([0] * (count * WORLD))
    shares = fractions([0.0] * 11**3)
    deal, logs = setting.deal_of(bot_view, suits), setting.factorials(bot_view)
    assert thinking.draw_worlds(deal, logs, shares, worlds, count, 5)
    rows = [worlds[row * WORLD : row * WORLD + 4] for row in range(count)]
    return [tuple(suits.cards(int(cards)) for cards in row) for row in rows]


@pytest.mark.slow
def test_the_compiled_worlds_are_all_that_are_possible_and_equally_likely() -> None:
    number = 0
    for steps, tokens, knowledge in late_moments():
        if knowledge.exclusions:
            continue
        possible = {world.hands: 1.0 for world in deals_of(steps, tokens, knowledge)}
        counts = Counter(drawn(knowledge, DRAWS))
        assert is_even(counts, possible) if len(possible) > 1 else set(counts) == set(possible)
        number += len(possible) > 1
    assert number > 10


def test_early_worlds_agree_with_what_is_known() -> None:
    for ruleset in ("parejas-online", "arrastrado"):
        for bot_view, _state in views(ruleset, "random"):
            knowledge = knowledge_of(bot_view)
            for hands in drawn(knowledge, 3):
                assert sum(hands) == knowledge.unseen | sum(knowledge.certain)
                for seat in knowledge.others:
                    assert hands[knowledge.players.index(seat)].bit_count() == knowledge.sizes[seat]
                    hidden = hands[knowledge.players.index(seat)] & knowledge.unseen
                    assert not hidden & ~knowledge.possible[seat]


@pytest.mark.parametrize("ruleset", engine.RULESETS)
def test_the_choice_does_not_change_when_unseen_cards_change_places(ruleset: str) -> None:
    rng = Random(3)
    for bot_view, state in list(views(ruleset, hands=1))[::4]:
        others = [seat for seat in state.players if seat != state.turn]
        hidden = [card for seat in others for card in cards_in(state.hands[seat] or 0)]
        hidden += state.draws
        rng.shuffle(hidden)
        hands, left = list(state.hands), list(hidden)
        for seat in others:
            size = (state.hands[seat] or 0).bit_count()
            hands[seat], left = mask_of(left[:size]), left[size:]
        moved = state._replace(hands=tuple(hands), draws=tuple(left))
        moved_view = view(
            moved, moved.turn, bot_view.trump_card, bot_view.history, names(moved.legal())
        )
        assert Strong(LOW, SEED).choose(bot_view) == Strong(LOW, SEED).choose(moved_view)


def test_a_choice_depends_on_nothing_but_seed_and_view() -> None:
    bot = Strong(LOW, SEED)
    bot_views = [bot_view for bot_view, _state in views("parejas-online")]
    first = [bot.choose(bot_view) for bot_view in bot_views]
    assert [bot.choose(bot_view) for bot_view in reversed(bot_views)] == first[::-1]


@pytest.mark.parametrize(("ruleset", "seats", "options"), TABLES, ids=str)
def test_it_plays_every_ruleset_and_house_rule(
    ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    bots = {seat: Strong(Level(4, 4), seat.encode()) for seat in SEATS[:seats]}
    rules, sitting = engine.RULESETS[ruleset], list("wxyz")[:seats]
    played = engine.play_match(rules, bots, SEED, "all/1", sitting, options)
    assert engine.audit(played).valid


def test_worlds_with_a_couple_that_a_seat_cannot_hold_do_not_count() -> None:
    for ruleset in ("parejas-online", "arrastrado"):
        for bot_view, _state in views(ruleset, "simple", 3):
            thought = Search(bot_view, LOW, 1)
            if thought.known.exclusions:
                worlds = thought.sample_worlds()
                weights = thought._without_couples([1.0] * LOW.worlds, worlds)
                for seat, cards in thought.known.exclusions:
                    pair = thought.suits.cards(cards)
                    for number, weight in enumerate(weights):
                        world_hand = worlds[number * WORLD + thought.suits.seat(seat)]
                        assert not weight or int(world_hand) & pair != pair
                return
    pytest.fail("nobody declared a twenty at the first chance")


def test_the_same_seed_plays_the_same_match() -> None:
    rules = engine.RULESETS["parejas-online"]

    def played() -> dict[str, Any]:
        bots = {seat: engine.HOUSE_BOTS["quick"](seat.encode()) for seat in rules.seats}
        return engine.play_match(rules, bots, SEED, "twice/1", list("wxyz"), {"deals": 2})

    assert json.dumps(played()) == json.dumps(played())


PLAIN = """
import sys
sys.modules["numba"] = None
from engine.bots.strong import Strong
from engine.fast import compiling
from tests.engine.test_strong import LOW, SEED, views
assert not compiling.COMPILED
for ruleset in ("parejas-online", "habanero", "arrastrado"):
    asked = [seen for seen, _ in views(ruleset, hands=1)][3::9]
    print(*[Strong(LOW, SEED).choose(seen) for seen in asked])
"""


def test_without_the_compiler_the_choices_are_the_same() -> None:
    words = [sys.executable, "-W", "ignore", "-c", PLAIN]
    answer = subprocess.run(
        words, cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    expected = []
    for ruleset in ("parejas-online", "habanero", "arrastrado"):
        bot_views = [bot_view for bot_view, _state in views(ruleset, hands=1)][3::9]
        expected.append(" ".join(Strong(LOW, SEED).choose(bot_view) for bot_view in bot_views))
    assert answer.stdout.splitlines() == expected


def margin(one: str, other: str, ruleset: str = "parejas-online") -> float:
    """Points a hand of the first over the same deals, sides changed."""
    rules = engine.RULESETS[ruleset]
    makers = [
        lambda _rules, _seat, seed, kind=kind: engine.HOUSE_BOTS[kind](seed)
        for kind in (one, other)
    ]
    sets = [
        engine.play_deal_set(rules, makers, [one, other], SEED, f"m/{n}", options={"deals": 1})
        for n in range(DEAL_SETS)
    ]
    return sum(match.margins[0] for each in sets for match in each) / (2 * DEAL_SETS)


def test_the_quick_bot_beats_the_simple_one_and_that_one_the_random_one() -> None:
    assert margin("quick", "simple") > 0
    assert margin("simple", "random") > 0


@pytest.mark.slow
def test_the_bots_of_two_players_beat_the_simple_one() -> None:
    assert margin("quick", "simple", "habanero") > 0


# --- what it says --------------------------------------------------------------------------------


def two_hands(mine: str, theirs: str, turn: str) -> View:
    """A moment of mano-a-mano without stock, seen by A; all other cards have been played."""
    position = {
        "ruleset": "mano-a-mano",
        "trump": "o",
        "turn": turn,
        "hands": {"A": mine, "B": theirs},
    }
    state = position_from_dict(position)
    mask = mask_of(CARDS[card] for card in f"{mine} {theirs}".split())
    pairs = tuple(("?", card) for card in names(PACK & ~mask))
    return view(state, 0, "2o", pairs, names(state.legal()))


def test_a_capote_is_announced_when_nothing_can_stop_it_r9_5() -> None:
    hand = "1o 3o Ro Co 1c 3c Rc 1e"
    assert can_announce_capote(two_hands(hand, "So 7o 6o 5o Cc Sc 3e 2e", "A"))
    assert not can_announce_capote(
        two_hands("3o Ro Co So 1c 3c Rc 1e", "1o 7o 6o 5o 4o Cc Sc 3e", "A")
    )


def test_a_capote_counts_the_trumps_that_are_drawn_first_r9_5() -> None:
    """Who leads must win with every card; low cards of a long suit win once the others are gone."""
    assert can_announce_capote(two_hands("1o 3o Ro 7c 6c 5c 4c 2c", "2o 4o 1e 3e Re Ce Se 7e", "A"))
    assert not can_announce_capote(
        two_hands("1o 7c 6c 5c 4c 2c 2e 2b", "3o Ro 1e 3e Re Ce Se 7e", "A")
    )


def plate(hand: str) -> View:
    """A is asked whether to support a plate of 300."""
    rules = engine.RULESETS["arrastrado"]
    others = [card for card in range(40) if card not in {CARDS[each] for each in hand.split()}]
    up = CARDS["4o"]
    others.remove(up)
    agreed = agreed_rules(rules, {"stakes": "plate"}, 3)
    hands = (
        mask_of(CARDS[card] for card in hand.split()),
        mask_of(others[:13]),
        mask_of(others[13:]),
    )
    state = first_state(agreed, 2, hands, 0, upcard=up)
    return view(state, 0, "4o", (), ("A:voy", "A:paso"), MatchScore(1, {}, 300))


def test_a_plate_is_supported_with_a_hand_that_makes_101_and_not_with_a_poor_one_r8_4() -> None:
    strong = Strong(LOW, SEED)
    assert strong.choose(plate("1o 3o Ro Co So 7o 6o 1c 3c 1e 3e 1b 3b")) == "A:voy"
    assert strong.choose(plate("2o 5o 2c 4c 5c 6c 2e 4e 5e 6e 2b 4b 5b")) == "A:paso"
    assert Sensible().choose(plate("2o 5o 2c 4c 5c 6c 2e 4e 5e 6e 2b 4b 5b")) == "A:paso"


def test_worthless_cards_next_to_each_other_are_one_choice() -> None:
    bot_view = next(sample_view for sample_view, _state in views("cuatro"))
    thought = Search(bot_view, LOW, 1)
    assert set(thought.moves) <= {CARDS[card] for card in bot_view.legal}
    for suit in SUIT_MASKS:
        low = [card for card in thought.moves if suit >> card & 1 and card % 10 < 5]
        others = thought.known.unseen | sum(
            thought.known.certain[seat] for seat in thought.known.others
        )
        for card, other in pairwise(low):
            assert (1 << other) - (2 << card) & others
