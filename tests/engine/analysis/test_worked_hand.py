"""The worked hand of docs/programs/analysis.md: every step by hand, asked of the rules again.

That the document shows what the command prints is tested with the other examples of the documents.
"""

from __future__ import annotations

from functools import cache

import pytest

import engine
from engine.analysis.fair_losses import Table, draw_deals, fair_losses_over
from engine.analysis.walk import Step, Walk, walk
from engine.cards import CARDS, mask_of, names
from tournaments.environment import ROOT

WORKED = ROOT / "docs" / "examples" / "worked-hand.tute"
BLUNDERS = {7: "Sc", 9: "Ce"}


@cache
def record() -> engine.Record:
    text = engine.parse_text(WORKED.read_bytes())
    return engine.parse_record(text.document)


def step(trick: int) -> Step:
    """Teresa's card in a trick."""
    walked = walk(record(), 0)
    assert isinstance(walked, Walk)
    return next(
        walk_step
        for walk_step in walked.steps
        if walk_step.seat == "B" and walk_step.state.trick == trick
    )


def legal(state: engine.State) -> set[str]:
    return set(names(state.legal()))


def margin(state: engine.State) -> int:
    """What BD makes more than AC."""
    return state.points[1] - state.points[0]


def test_the_marked_cards_are_those_of_the_document() -> None:
    (hand,) = engine.analyse_hands(record())
    marked = {play.trick: play for play in hand.plays if play.mark}
    assert {trick: play.card for trick, play in marked.items()} == BLUNDERS
    assert {play.seat for play in marked.values()} == {"B"}
    assert {play.better for play in marked.values()} == {"3b"}
    assert [marked[trick].open_loss for trick in BLUNDERS] == [30, 24]


def test_after_the_sota_nobody_has_a_choice_and_fifteen_are_lost() -> None:
    state = step(7).state.apply("Sc")
    assert legal(state) == {"4c", "2c"}
    for card in ("4c", "2c"):
        after = state.apply(card)
        assert legal(after) == {"Cc"}
        last = after.apply("Cc")
        assert legal(last) == {"3c"}
        end_state = last.apply("3c")
        assert margin(end_state) - margin(step(7).state) == -15
        assert end_state.turn == 0


def test_after_the_tres_of_trumps_all_tricks_are_won_whatever_the_others_throw() -> None:
    """A and C can win nothing: every card that they might throw is tried."""
    before = step(7).state
    assert step(7).moment.rest == 57
    for first in names(before.hands[0] or 0):
        state = before.apply("3b")
        assert legal(state) == {"Rb"}
        state = state.apply("Rb")
        assert legal(state) == {"6b"}
        state = state.apply("6b").apply(first)
        assert state.turn == 1
        ends = [
            end
            for trick in played_on(state, "Sb", {"D": "Cc"})
            for next_one in played_on(trick, "Ce", {"D": "Re"})
            for end in played_on(next_one, "Se", {})
        ]
        assert ends
        assert {margin(end) - margin(before) for end in ends} == {57}


def played_on(state: engine.State, lead: str, chosen: dict[str, str]) -> list[engine.State]:
    """The states after a trick: A and C throw each card that they may, BD what is chosen."""
    states = [state.apply(lead)]
    for _ in range(3):
        states = [
            position.apply(card)
            for position in states
            for card in (
                [chosen["ABCD"[position.turn]]]
                if "ABCD"[position.turn] in chosen
                else legal(position)
            )
        ]
    return states


def test_she_knew_where_the_king_of_trumps_lay() -> None:
    table = Table(record().ruleset, record().hands[0])
    knows = table.knowledge(step(7))
    assert names(knows.certain[2]) == ("Rb",)
    bastos = {name for name in names(knows.unseen) if name.endswith("b")}
    assert bastos == {"6b"}


@pytest.mark.parametrize(
    ("trick", "deals", "loss", "counts"),
    [(7, 1200, 12.24, (730, 262, 208)), (9, 3, 25.33, (3, 0, 0))],
)
def test_over_all_deals_the_other_card_was_better(
    trick: int, deals: int, loss: float, counts: tuple[int, int, int]
) -> None:
    """All deals that the player could not distinguish, found by drawing until no new one comes."""
    walk_step = step(trick)
    draws = draw_deals(walk_step, Table(record().ruleset, record().hands[0]), 25 * deals)
    assert len(draws) == deals
    every = fair_losses_over(walk_step, dict.fromkeys(draws, 1))
    assert round(every.loss, 2) == loss
    assert every.best == CARDS["3b"]
    gains = [deal.values[CARDS["3b"]] - deal.values[walk_step.card] for deal in every.deals]
    better, worse = (sum(sign * gain > 0 for gain in gains) for sign in (1, -1))
    assert (better, deals - better - worse, worse) == counts


@pytest.mark.parametrize(
    ("of_c", "of_a", "after_ce"), [("Ro", "Co 7o", 12), ("Co", "Ro 7o", 10), ("7o", "Ro Co", 10)]
)
def test_with_two_cards_each_of_the_three_deals_says_so(
    of_c: str, of_a: str, after_ce: int
) -> None:
    before = step(9).state
    hands = (
        mask_of(CARDS[card] for card in of_a.split()),
        before.hands[1],
        mask_of(CARDS[card] for card in (of_c, "Rb")),
        mask_of(CARDS[card] for card in ("Se", "6b")),
    )
    values = engine.card_values(before._replace(hands=hands))
    assert values == {"3b": 36, "Ce": after_ce}


def test_she_could_tell_who_had_the_oros_at_trick_nine() -> None:
    knows = Table(record().ruleset, record().hands[0]).knowledge(step(9))
    assert names(knows.possible[3]) == ("Se", "6b")
