"""R8 said a second time: who pays whom in `arrastrado`, and what lies on the plate."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.engine.naive_play import Play
    from tests.engine.naive_rules import Table

ENTRY, LATER_DEALER = 100, 20  # R8.4
TUTE, FLAT, FLAT_FROM_101, SUPPORT = 200, 100, 200, 200  # R8.2 to R8.4
UNDERTAKEN = 101


class Purse:
    """What everybody at the table has won and lost so far, and the plate."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.plate: int | None = None
        self.balance = dict.fromkeys(table.seats, 0)
        self.payments = dict.fromkeys(table.seats, 0)

    def before_the_deal(self, dealer: str) -> None:
        """R8.4: at the start everybody puts in 100, each later dealer 20."""
        self.payments = dict.fromkeys(self.table.seats, 0)
        if self.table.stakes == "plate":
            if self.plate is None:
                self.fill()
            else:
                self.put(dealer, LATER_DEALER)

    def after_the_deal(self, play: Play) -> None:
        """R8.2 to R8.4, for a valid hand."""
        for seat, name in play.declared:
            if not name.startswith("tute"):
                self.collect(play, seat, int(name[:2]))
        winner = play.winner()
        assert winner is not None
        if play.tute_side is not None:
            self.collect(play, winner, TUTE)
        elif self.table.stakes == "flat":
            much = play.points()[winner] >= UNDERTAKEN
            self.collect(play, winner, FLAT_FROM_101 if much else FLAT)
        elif play.supporter is None:
            self.without_supporter(play, winner)
        elif play.points()[play.supporter] >= UNDERTAKEN:
            self.collect(play, play.supporter, SUPPORT)
            self.take_the_plate(play.supporter)
        else:
            self.collect(play, play.supporter, -SUPPORT)

    def without_supporter(self, play: Play, winner: str) -> None:
        if play.points()[winner] >= UNDERTAKEN:
            self.collect(play, winner, FLAT)
        else:
            self.pay(poorest_opponent(play, winner), winner, FLAT)

    def end_of_hand(self) -> dict[str, int]:
        for seat in self.table.seats:
            self.balance[seat] += self.payments[seat]
        return self.payments

    # ---- moving points

    def pay(self, payer: str, payee: str, points: int) -> None:
        self.payments[payer] -= points
        self.payments[payee] += points

    def collect(self, play: Play, payee: str, points: int) -> None:
        """From each opponent: R8.1, who plays this hand."""
        for opponent in play.active:
            if opponent != payee:
                self.pay(opponent, payee, points)

    def put(self, seat: str, points: int) -> None:
        self.payments[seat] -= points
        self.plate = (self.plate or 0) + points

    def fill(self) -> None:
        for seat in self.table.seats:
            self.put(seat, ENTRY)

    def take_the_plate(self, seat: str) -> None:
        """R8.4: then everybody refills 100."""
        self.payments[seat] += self.plate or 0
        self.plate = 0
        self.fill()


def poorest_opponent(play: Play, winner: str) -> str:
    """R8.4: fewest points; of two, the one whose last won trick is the earlier."""
    points = play.points()

    def last_won_trick(seat: str) -> int:
        won = [index for index, other in enumerate(play.trick_winners) if other == seat]
        return max(won, default=-1)

    opponents = [seat for seat in play.active if seat != winner]
    return min(opponents, key=lambda seat: (points[seat], last_won_trick(seat)))
