"""Computes the payments after a hand of `arrastrado` (R8): flat stakes, or a plate."""

from dataclasses import dataclass
from typing import Final

from engine.actions import Kind
from engine.cards import SEATS
from engine.rulesets import Ruleset
from engine.state import State

ANTE: Final = 100
"""What everybody puts into the plate at the start and whenever it is taken (R8.4)."""
DEALERS_ANTE: Final = 20
TUTE: Final = 200
GOAL: Final = 101
"""Points from which a hand is paid double, and that a supporter undertakes to reach (R8)."""
WIN: Final = 100
BIG_WIN: Final = 200  # from GOAL points on


@dataclass(slots=True)
class MatchMoney:
    """The money of a match: what each seat has won or lost, and what lies in the plate.

    ``plate`` is ``None`` where there is none. Amounts are those of R8; what a seat puts into the
    plate is a payment of its own, so that payments and plate always add up to nothing.
    """

    rules: Ruleset
    balance: dict[str, int]
    plate: int | None
    opened: bool = False
    """Whether the first hand has been paid for."""

    @property
    def plate_now(self) -> int | None:
        """The content of the plate, ``None`` where there is none or nobody has put in yet."""
        return self.plate if self.opened else None

    def settle(self, dealer: str, state: State | None) -> dict[str, int]:
        """The amount that each seat received, less what it paid, in one hand; ``state`` is its end.

        A hand that scores nothing (``None``) is paid for by nobody, but the plate is fed.
        """
        payments = dict.fromkeys(self.rules.seats, 0)
        if self.opened:
            self._pay_plate(payments, (dealer,), DEALERS_ANTE)
        else:
            self._pay_plate(payments, self.rules.seats, ANTE)
            self.opened = True
        if state is not None:
            self._declarations(payments, state)
            self._hand(payments, state)
        for seat, amount in payments.items():
            self.balance[seat] += amount
        return payments

    def _pay_plate(self, payments: dict[str, int], seats: tuple[str, ...], amount: int) -> None:
        if self.plate is None:
            return
        for seat in seats:
            payments[seat] -= amount
            self.plate += amount

    def _declarations(self, payments: dict[str, int], state: State) -> None:
        """R8.2: 40 or 20 from each opponent."""
        for action in state.declared:
            amount = {Kind.FORTY: 40, Kind.TWENTY: 20}.get(action.kind, 0)
            _collect(payments, state, action.seat, amount)

    def _hand(self, payments: dict[str, int], state: State) -> None:
        winner = state.winner
        if winner is None:
            return
        if state.cut_by is Kind.TUTE:
            _collect(payments, state, winner, TUTE)
        elif self.plate is None:
            _collect(payments, state, winner, BIG_WIN if state.points[winner] >= GOAL else WIN)
        elif state.supporter is not None:
            self._supported(payments, state, state.supporter)
        elif state.points[winner] >= GOAL:
            _collect(payments, state, winner, WIN)
        else:
            loser = _lowest_seat(state)
            payments[SEATS[winner]] += WIN
            payments[SEATS[loser]] -= WIN

    def _supported(self, payments: dict[str, int], state: State, supporter: int) -> None:
        if state.points[supporter] < GOAL:
            _collect(payments, state, supporter, -BIG_WIN)
            return
        _collect(payments, state, supporter, BIG_WIN)
        payments[SEATS[supporter]] += self.plate or 0
        self.plate = 0
        self._pay_plate(payments, self.rules.seats, ANTE)


def new_match_money(rules: Ruleset) -> MatchMoney | None:
    """The money at the start of a match, ``None`` where nothing is staked."""
    if rules.stakes == "none":
        return None
    return MatchMoney(rules, dict.fromkeys(rules.seats, 0), 0 if rules.stakes == "plate" else None)


def _collect(payments: dict[str, int], state: State, seat: int, amount: int) -> None:
    """``amount`` from every opponent who plays; who sits out neither collects nor pays (R8.1)."""
    for other in state.players:
        if other != seat:
            payments[SEATS[other]] -= amount
            payments[SEATS[seat]] += amount


def _lowest_seat(state: State) -> int:
    """The player with fewest points; of two, the one whose last won trick is the earlier (R8.4)."""
    dealer, around = state.dealer or 0, state.rules.seat_count
    return min(
        state.players,
        key=lambda seat: (
            state.points[seat],
            state.last_won[seat],
            -((seat - dealer - 1) % around),
        ),
    )
