"""What must hold of every value, whatever the cards: laws of the game, not of the search."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

import engine
from engine import solver
from engine.cards import CARD_NAMES, SUITS
from engine.solver.fast import FastSearch
from engine.solver.moments import Moment, moment_of
from engine.solver.plain import PlainSearch
from tests.engine.solver.minimax import TWO_SIDED, position
from tests.quick import examples


def turned(moment: Moment) -> Moment:
    """The same cards one seat further on, so that the other side has even seats."""
    seats = len(moment.hands)
    hands = tuple(moment.hands[seat - 1] for seat in range(seats))
    return moment._replace(hands=hands, turn=(moment.turn + 1) % seats)


def renamed(moment: Moment, suits: list[int]) -> Moment:
    """The same cards with other suits."""

    def card_of(card: int) -> int:
        return 10 * suits[card // 10] + card % 10

    def set_of(cards: int) -> int:
        return sum(1 << card_of(card) for card in range(40) if cards >> card & 1)

    return moment._replace(
        hands=tuple(set_of(hand) for hand in moment.hands),
        table=tuple(card_of(card) for card in moment.table),
        trump=suits[moment.trump],
    )


def even(moment: Moment) -> int:
    return FastSearch(moment).value(moment)


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_it_does_not_matter_which_side_is_asked(ruleset: str) -> None:
    rng = Random(f"turned{ruleset}")
    for number in range(60):
        moment = moment_of(position(rng, ruleset, 7, on_table=number % 2))
        assert even(turned(moment)) == moment.rest - even(moment)


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_suits_are_names(ruleset: str) -> None:
    rng = Random(f"suits{ruleset}")
    for number in range(60):
        moment = moment_of(position(rng, ruleset, 7, on_table=number % 2))
        assert even(renamed(moment, rng.sample(range(4), 4))) == even(moment)


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_the_table_of_positions_changes_no_value(ruleset: str) -> None:
    rng = Random(f"table{ruleset}")
    for _ in range(examples(40)):
        moment = moment_of(position(rng, ruleset, 5))
        expected = even(moment)
        assert FastSearch(moment, forgetful=True).value(moment) == expected
        assert PlainSearch(moment, forgetful=True).value(moment) == expected


def test_what_was_found_of_a_deal_does_not_leak_into_the_next() -> None:
    """Two deals of the same forty cards share every key of the table but the generation."""
    rng = Random("leak")
    for _ in range(examples(30)):
        moment = moment_of(position(rng, "cuatro", 10))
        other = moment._replace(hands=tuple(rng.sample(moment.hands, 4)))
        expected = even(other)
        even(moment)
        assert even(other) == expected


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_who_can_make_more_can_make_less(ruleset: str) -> None:
    rng = Random(f"less{ruleset}")
    for _ in range(20):
        moment = moment_of(position(rng, ruleset, 5))
        for search in (FastSearch(moment), PlainSearch(moment)):
            value = search.value(moment)
            reached = [search.reaches(moment, target) for target in range(moment.rest + 2)]
            assert reached == [target <= value for target in range(moment.rest + 2)]


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_a_deal_is_worth_what_its_best_card_leaves(ruleset: str) -> None:
    rng = Random(f"bellman{ruleset}")
    for _ in range(12):
        state = position(rng, ruleset, 8 if len(engine.RULESETS[ruleset].seats) == 2 else 7)
        solution = solver.solve(state, line=True)
        values = solver.card_values(state)
        assert max(values.values()) == solution.value
        assert set(solution.best) == {c for c in values if values[c] == solution.value}
        first = solver.margins_along(state, solution.line)
        assert len(set(first)) == 1
        assert abs(first[0]) == abs(solution.value)


def test_a_card_never_gains_by_the_open_cards() -> None:
    """And what all cards of a play lost together is how far its end is from par."""
    rng = Random("losses")
    for _ in range(10):
        state = position(rng, "parejas", 6)
        play, at = [], state
        while not at.over:
            play.append(rng.choice([t for t in at.legal_tokens() if ":" not in t]))
            at = at.apply(play[-1])
        margins, seat = solver.margins_along(state, play), state
        for card, before, after in zip(play, margins, margins[1:], strict=False):
            first = not state.rules.side_of(seat.turn)
            assert after <= before if first else after >= before
            seat = seat.apply(card)
        assert margins[-1] == at.points[0] - at.points[1]


def test_worlds_are_solved_as_if_alone() -> None:
    rng = Random("worlds")
    for ruleset in TWO_SIDED:
        moment = moment_of(position(rng, ruleset, 5, on_table=1))
        own_hand = moment.hands[moment.turn]
        worlds = []
        for _ in range(8):
            others = [n for n in range(len(moment.hands)) if n != moment.turn]
            cards = [c for n in others for c in range(40) if moment.hands[n] >> c & 1]
            rng.shuffle(cards)
            hands = list(moment.hands)
            for n in others:
                size = moment.hands[n].bit_count()
                hands[n] = sum(1 << card for card in cards[:size])
                del cards[:size]
            worlds.append(hands)
            assert hands[moment.turn] == own_hand
        together = solver.values_in(moment, worlds)
        assert together == solver.values_in(moment, worlds, plain=True)
        targets = [dict.fromkeys(each, rng.randrange(moment.rest)) for each in together]
        sign = (1, -1)[moment.turn & 1]
        reached = [
            {card: (sign * value + moment.rest) // 2 >= goals[card] for card, value in each.items()}
            for each, goals in zip(together, targets, strict=True)
        ]
        assert solver.reached_in(moment, worlds, targets) == reached
        assert solver.reached_in(moment, worlds, targets, plain=True) == reached
        assert [set(each) for each in together] == [set(together[0])] * 8


def test_threads_do_not_disturb_one_another() -> None:
    rng = Random("threads")
    states = [position(rng, "cuatro", 8) for _ in range(24)]
    alone = [solver.solve(state, line=True) for state in states]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda state: solver.solve(state, line=True), states))
    assert together == alone


def test_par_is_the_value_of_the_first_lead_seen_by_the_first_side() -> None:
    rules = engine.RULESETS["parejas"]
    deal = engine.deal(rules, b"par", "night", 1)
    hands = {seat: deal.hands[seat] for seat in "ABCD"}
    leader = "ABCD"[("ABCD".index(deal.dealer) + 1) % 4]
    state = solver.deal_from_dict(
        {"ruleset": "parejas", "trump": deal.trump[1], "leader": leader, "hands": hands}
    )
    value = solver.solve(state).value
    assert engine.par_of_deal(rules, deal) == (value if leader in "AC" else -value)


def test_what_was_made_and_declared_before_is_kept_apart() -> None:
    state = engine.position_from_dict(
        {"ruleset": "cuatro", "trump": SUITS[0], "turn": "B", "points": {"AC": 61, "BD": 32},
         "declared": {"B": ["20c"]}, "tricks_won": {"AC": 5, "BD": 4}, "last_trick": "B",
         "hands": {"A": "1o", "B": "3o", "C": "2c", "D": "4c"}}
    )  # fmt: skip
    solution = engine.solve(state, line=True)
    assert (solution.side, solution.value) == ("BD", -31)
    assert solution.points == {"AC": 92, "BD": 32}
    assert solution.line == ("3o", "2c", "4c", "1o")


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"ruleset": "arrastrado", "hands": {"A": "1o", "B": "2o", "C": "3o"}}, "/ruleset"),
        ({"hands": {"A": "1o", "B": "2o", "C": "3o"}}, "/hands/D"),
        ({"hands": {"A": "", "B": "", "C": "", "D": ""}}, "/hands"),
        ({"ruleset": "habanero", "hands": {"A": "1o", "B": "2o"}, "stock": 2}, "/stock"),
        ({"ruleset": "mano-a-mano", "hands": {"A": "1o", "B": "2o"}, "capote": "A"}, "/capote"),
    ],
)
def test_what_cannot_be_solved_is_refused_by_its_place(
    changed: dict[str, object], place: str
) -> None:
    hands = {"A": "1o", "B": "2o", "C": "3o", "D": "4o"}
    deal = {"ruleset": "cuatro", "trump": "o", "turn": "A", "hands": hands, **changed}
    with pytest.raises(engine.SolverError) as refused:
        engine.solve(engine.position_from_dict(deal))
    assert refused.value.path == place


def test_a_card_that_may_not_be_played_ends_the_look_along_a_play() -> None:
    state = position(Random(1), "cuatro", 3)
    strange = next(card for card in CARD_NAMES if card not in state.legal_tokens())
    with pytest.raises(engine.SolverError, match="/play/0"):
        engine.margins_along(state, [strange])
