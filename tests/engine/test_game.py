"""A hand as questions: the order, the numbers of answers, what a seat knows, and a race."""

from __future__ import annotations

import random

import pytest

import engine
from engine import conformance
from engine.game import ACTIONS, Game, games, new_game
from engine.state import State

RULES = list(engine.RULESETS.values())
IDS = list(engine.RULESETS)
EVERY_RULESET = pytest.mark.parametrize("rules", RULES, ids=IDS)


def at_random(game: Game, chance: random.Random) -> list[Game]:
    """Return a game after each answer, all answers at random."""
    passed = [game]
    while not game.over:
        game = game.step(chance.choice(game.legal_actions))
        passed.append(game)
    return passed


def test_there_are_54_answers_whose_numbers_stay() -> None:
    assert len(ACTIONS) == len(set(ACTIONS)) == 54
    assert ACTIONS[:40] == engine.CARD_NAMES
    assert ACTIONS[40:] == (
        *("", "40", "20o", "20c", "20e", "20b", "tuteR", "tuteC"),
        *("x7", "x2", "capote", "101", "voy", "paso"),
    )


@EVERY_RULESET
def test_what_is_played_by_numbers_is_a_record_without_faults(rules: engine.Ruleset) -> None:
    chance = random.Random(7)
    for game, _ in zip(games(rules, b"numbers"), range(20), strict=False):
        last = at_random(game, chance)[-1]
        assert last.over
        assert last.player == -1
        assert last.legal == ()
        assert sum(last.returns) == 0
        won = {rules.side_of(seat) for seat, result in enumerate(last.returns) if result == 1}
        assert won == {last.state.winner} - {None}


@EVERY_RULESET
def test_a_game_is_a_value_and_refuses_what_was_not_asked(rules: engine.Ruleset) -> None:
    game = next(games(rules, b"value"))
    before = tuple(game)
    with pytest.raises(ValueError, match="is not one of"):
        game.apply("Z:40")
    for number in set(range(-1, len(ACTIONS) + 1)) - set(game.legal_actions):
        with pytest.raises(ValueError, match="is "):
            game.step(number)
    for number, token in zip(game.legal_actions, game.legal, strict=True):
        assert game.step(number) == game.apply(token)
    assert tuple(game) == before


@EVERY_RULESET
def test_a_seat_sees_nothing_of_other_hands_and_of_the_stock(rules: engine.Ruleset) -> None:
    chance = random.Random(5)
    for game, _ in zip(games(rules, b"hidden"), range(5), strict=False):
        for moment in at_random(game, chance):
            state = moment.state
            for seat in state.players:
                hands = [hand if one == seat else None for one, hand in enumerate(state.hands)]
                blind = moment._replace(state=state._replace(hands=tuple(hands), draws=()))
                assert blind.observation(seat) == moment.observation(seat)


def test_silence_is_an_answer_of_which_the_table_learns_nothing() -> None:
    chance = random.Random(1)
    moments = (
        moment
        for game in games(engine.RULESETS["parejas"], b"silence")
        for moment in at_random(game, chance)
    )
    asked = next(moment for moment in moments if "" in moment.legal)
    after = asked.apply("")
    assert after.history == asked.history
    assert after.state == asked.state
    assert (after.player, after.legal) != (asked.player, asked.legal)


def test_a_race_that_its_first_deal_does_not_decide_has_a_second_one() -> None:
    chance = random.Random(3)
    evenings = (at_random(game, chance) for game in games(engine.RULESETS["mano-a-mano"], b"race"))
    passed = next(one for one in evenings if one[-1].state.deal_of_game == 2)
    second = next(moment for moment in passed if moment.state.deal_of_game == 2)
    before = passed[passed.index(second) - 1]
    first = before.state.apply(before.legal[0])
    assert len(before.legal) == 1, "the last card of the first deal"
    assert (second.state.carried, second.state.dealer) == (first.points, first.last_winner)
    assert second.history == ()
    assert passed[-1].state.deal_of_game == 2


def test_the_deals_of_games_are_those_of_a_match() -> None:
    rules = engine.RULESETS["cuatro"]
    dealt = [game.state.hands for game, _ in zip(games(rules, b"s", "t"), range(3), strict=False)]
    assert dealt == [
        new_game(rules, engine.deal(rules, b"s", "t", number)).state.hands for number in (1, 2, 3)
    ]


def test_numbers_of_answers_count_the_same_trees() -> None:
    numbers = {answer: number for number, answer in enumerate(ACTIONS)}

    def count(state: State, depth: int) -> int:
        if depth == 0 or state.over:
            return 1
        total = 0
        for token in state.legal_tokens():
            seat, colon, answer = token.rpartition(":")
            total += count(state.apply(f"{seat}{colon}{ACTIONS[numbers[answer]]}"), depth - 1)
        return total

    cases = [case for case in conformance.read_cases() if case.kind == "perft"]
    assert len(cases) == 184
    for case in cases:
        state = conformance.perft_state(case.input)
        assert count(state, case.input["depth"]) == case.expect["count"], case.id
