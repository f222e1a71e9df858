"""The solver's positions: a moment of a hand with all cards known."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.cards import LAST_TRICK, SEATS, SUIT_MASKS, points_in
from engine.dealing import Deal
from engine.errors import PositionError
from engine.position import position_from_dict
from engine.rules import legal_cards, winning_card
from engine.rulesets import Ruleset
from engine.state import State


class SolverError(PositionError):
    """A position that cannot be solved; ``path`` names the place, ``reason`` what is missing."""


class Moment(NamedTuple):
    """Open cards, a trick that may be begun, and who plays next: all that decides the rest.

    ``hands`` are card sets by seat, ``trump`` is a suit and ``table`` holds cards, lead first, as
    in :class:`engine.state.State`. Seats of even number are one side, the others the other.
    The last trick is worth ``last`` points, as many as by the rules unless ties are to be decided.
    """

    rules: Ruleset
    hands: tuple[int, ...]
    trump: int
    turn: int
    table: tuple[int, ...] = ()
    last: int = LAST_TRICK

    @property
    def rest(self) -> int:
        """Points that are still to be made, the last ten among them; 0 at the end."""
        cards = 0
        for hand in self.hands:
            cards |= hand
        for card in self.table:
            cards |= 1 << card
        return points_in(cards) + self.last if cards else 0

    @property
    def legal(self) -> int:
        """The cards that may be played (R4)."""
        return legal_cards(self.rules, self.hands[self.turn], self.table, SUIT_MASKS[self.trump])

    def after(self, card: int) -> tuple["Moment", int]:
        """The moment after a card, and the points that the even side made with it."""
        seats = len(self.hands)
        hands = tuple(
            hand & ~(1 << card) if seat == self.turn else hand
            for seat, hand in enumerate(self.hands)
        )
        table = (*self.table, card)
        turn = (self.turn + 1) % seats
        if len(table) < seats:
            return self._replace(hands=hands, table=table, turn=turn), 0
        best = winning_card(table, SUIT_MASKS[self.trump])
        winner = (turn + table.index(best)) % seats
        next_moment = self._replace(hands=hands, table=(), turn=winner)
        return next_moment, 0 if winner & 1 else self.rest - next_moment.rest


def moment_of(state: State) -> Moment:
    """The moment that a state is in; raises :class:`SolverError` where it cannot be solved."""
    rules = state.rules
    if len(rules.sides) != 2:
        raise SolverError("/ruleset", f"{rules.name} is not played by two sides")
    for seat, hand in enumerate(state.hands):
        if hand is None:
            raise SolverError(f"/hands/{SEATS[seat]}", "the hand is not known")
    if state.stock:
        raise SolverError("/stock", "there are cards to draw: only what follows can be solved")
    if state.capote is not None:
        raise SolverError("/capote", "a capote is played for tricks, not for points")
    if state.over:
        raise SolverError("/hands", "the hand is over")
    hands = tuple(hand or 0 for hand in state.hands)
    return Moment(rules, hands, state.trump, state.turn, state.table)


def state_of(rules: Ruleset, deal: Deal) -> State:
    """The state before the first lead of a deal without stock."""
    if deal.stock is not None:
        raise SolverError("/stock", "there are cards to draw: only what follows can be solved")
    mano = rules.after(SEATS.index(deal.dealer))
    return position_from_dict(
        {
            "ruleset": rules.name,
            "trump": deal.trump[1],
            "dealer": deal.dealer,
            "turn": SEATS[mano],
            "hands": deal.hands,
        }
    )._replace(rules=rules)


_FIELDS = frozenset({"ruleset", "options", "trump", "leader", "hands"})


def deal_from_dict(deal: Mapping[str, Any]) -> State:
    """The state that a deal (F5) or a position (F4) describes; a deal names who leads.

    Raises :class:`~engine.errors.PositionError` naming the field that is wrong.
    """
    if "leader" not in deal:
        return position_from_dict(deal)
    for name in deal:
        if name not in _FIELDS:
            raise PositionError(f"/{name}", "unknown field of a deal")
    position = {name: value for name, value in deal.items() if name != "leader"}
    try:
        return position_from_dict({**position, "turn": deal["leader"]})
    except PositionError as error:
        if error.path == "/turn":
            raise PositionError("/leader", error.reason) from error
        raise
