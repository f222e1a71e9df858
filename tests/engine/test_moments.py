"""Moments of legal hands written as positions (F4): both implementations allow the same tokens.

What a position cannot say is left out: that a player has yet to say whether they support (R8.4),
and that a forty came into the hand by an exchange after a twenty of the same window (R6.5a).
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import engine
from tests.engine import chance, mutations, naive
from tests.engine.naive_rules import NAMES, PACK
from tests.engine.naive_sayings import SAYINGS, open_combinations

if TYPE_CHECKING:
    from tests.engine.chance import Record
    from tests.engine.naive_play import Play

MOMENTS_OF_A_MATCH = 12


def position_of(play: Play, record: Record, dealer: str) -> dict[str, Any]:
    """A naive moment as F4 writes it."""
    stakes = {name: value for name, value in record["options"].items() if name == "stakes"}
    position: dict[str, Any] = {"ruleset": play.ruleset, "options": stakes, "trump": play.trump}
    position |= {"dealer": dealer, "turn": play.turn, "trick": " ".join(play.cards_on_table())}
    position["hands"] = {seat: " ".join(play.hands[seat]) for seat in play.seats}
    position["tricks_won"] = dict(play.tricks_won)
    position["last_trick"] = play.last_winner
    position["points"] = play.points()
    for name, sayings in [("declared", play.declared), ("forfeited", play.forfeited)]:
        position[name] = {
            seat: [saying for other, saying in sayings if other == seat] for seat, _ in sayings
        }
    count = len(play.said_in_window)
    position["window"] = [f"{seat}:{name}" for seat, name in play.declared[-count:] if count]
    if play.stock:
        position["stock"] = len(play.stock)
    if play.upcard:
        position["upcard"] = play.upcard
    if play.ruleset == "mano-a-mano":
        position |= {"deal_of_game": play.deal_of_juego, "carried": play.carried}
        position["capote"] = play.capote
    if play.ruleset == "arrastrado":
        position["supported"] = play.supporter
    return position


def can_be_written(play: Play) -> bool:
    """A twenty of this window may have been said before or after the forty came into the hand."""
    late = [
        seat
        for seat in play.said_in_window
        if "40" in open_combinations(play, seat) and seat not in play.forty_refused
    ]
    return not play.yet_to_speak and not late


def moments_of(seed: int, ruleset: str) -> list[tuple[Play, dict[str, Any]]]:
    """Some moments of a legal match, and the positions that describe them."""
    rng = Random(seed)
    record = chance.match(rng, ruleset)
    pairs: list[tuple[Play, dict[str, Any]]] = []
    for hand, start in zip(record["hands"], naive.verdict(record).starts, strict=True):
        plays = mutations.moments(hand, start) if start is not None else []
        pairs += [
            (play, position_of(play, record, hand["dealer"]))
            for play in plays
            if can_be_written(play)
        ]
    return rng.sample(pairs, min(MOMENTS_OF_A_MATCH, len(pairs)))


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("seed", range(12))
def test_a_position_allows_what_the_naive_implementation_allows(seed: int, ruleset: str) -> None:
    for play, position in moments_of(seed, ruleset):
        state = engine.position_from_dict(position)
        allowed = play.legal_cards() + play.legal_sayings()
        assert sorted(state.legal_tokens()) == sorted(allowed), position


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("seed", range(12))
def test_a_position_refuses_with_the_same_fault(seed: int, ruleset: str) -> None:
    for play, position in moments_of(seed, ruleset)[:4]:
        state = engine.position_from_dict(position)
        for token in [*PACK, *(f"{seat}:{saying}" for seat in "ABCD" for saying in SAYINGS)]:
            wrong = play.wrong(token)
            if wrong is None:
                continue
            with pytest.raises(engine.IllegalAction) as refusal:
                state.apply(token)
            fault = refusal.value.fault
            assert (fault.code, fault.rule) == (wrong.code, wrong.rule), (token, position)
            assert set(fault.legal) == set(wrong.legal), (token, position)
