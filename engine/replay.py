"""A hand played again: what it came to, or the first thing that is wrong with it (F3)."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.cards import CARDS, SEATS
from engine.dealing import Deal
from engine.deals import complete_deal
from engine.errors import Fault, IllegalAction
from engine.notation import HandRecord
from engine.rulesets import Ruleset
from engine.state import State, first_state


class Outcome(NamedTuple):
    """The outcome of replaying one hand's play.

    ``points`` and ``last_side`` are by side and ``None`` while a fault stopped it before its end;
    so is ``winner``, and after the first deal of a race that it did not decide. ``leaders`` are the
    seats that led the complete tricks. ``state`` is where the replay stopped.
    """

    points: tuple[int, ...] | None
    winner: int | None
    last_side: int | None
    leaders: tuple[int, ...]
    declarations: tuple[str, ...]
    fault: Fault | None = None
    notices: tuple[Fault, ...] = ()
    state: State | None = None

    @property
    def ended_by_tute(self) -> bool:
        """Whether a tute ended the hand (R6.7)."""
        return any(":tute" in declaration for declaration in self.declarations)


class CarryOver(NamedTuple):
    """Points and number of the deal that the second deal of a race has from the first (R9.2)."""

    carried: tuple[int, ...] = ()
    deal: int = 1


FIRST: Final = CarryOver()
"""A hand that brings nothing along."""


def replay_hand(rules: Ruleset, hand: HandRecord, game: CarryOver = FIRST) -> Outcome:
    """Replays one hand.

    Raises ``ValueError`` when the deal is not in order.
    """
    dealt = complete_deal(rules, hand)
    if dealt is None or hand.trump is None or hand.play is None:
        raise ValueError("a hand without a whole deal and a play cannot be replayed")
    return replay_dealt(rules, hand, dealt, hand.trump, hand.play, game)


def replay_dealt(
    rules: Ruleset, hand: HandRecord, dealt: tuple[int, ...], trump: str, play: str, game: CarryOver
) -> Outcome:
    """Replays a hand whose deal was read already."""
    return _play_tokens(dealt_state(rules, hand, dealt, trump, game), play)


def states(rules: Ruleset, hand: HandRecord, game: CarryOver = FIRST) -> Iterator[State]:
    """The hand before its first token and after each legal one; none unless the deal is whole."""
    dealt = complete_deal(rules, hand)
    if dealt is None or hand.trump is None:
        return
    state = dealt_state(rules, hand, dealt, hand.trump, game)
    yield state
    for token in (hand.play or "").split():
        try:
            state = state.apply(token)
        except IllegalAction:
            return
        yield state


def dealt_state(
    rules: Ruleset, hand: HandRecord | Deal, dealt: tuple[int, ...], trump: str, game: CarryOver
) -> State:
    """The hand before its first token; ``dealt`` are its hands as card sets."""
    return first_state(
        rules,
        SEATS.index(hand.dealer),
        dealt,
        CARDS[trump] // 10,
        stock=tuple(CARDS[card] for card in (hand.stock or "").split()),
        upcard=CARDS[trump] if rules.trump_shown == "aside" else None,
        carried=game.carried,
        deal_of_game=game.deal,
    )


def _play_tokens(state: State, play: str) -> Outcome:
    leaders: list[int] = []
    fault = None
    for token in play.split():
        before = state
        try:
            state = state.apply(token)
        except IllegalAction as error:
            fault = error.fault
            break
        if state.tricks_left < before.tricks_left:
            leaders.append(before.leader)
    if fault is None and not state.over:
        fault = state.incomplete()
    is_over = state.over
    return Outcome(
        state.points if is_over else None,
        state.winner,
        state.last_side if is_over else None,
        tuple(leaders),
        tuple(action.token for action in state.declared),
        fault,
        state.notices,
        state,
    )
