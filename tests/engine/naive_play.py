"""One hand of any ruleset being played: who holds what, what happens, what it counts.

What may be said besides cards is judged in `tests.engine.naive_sayings`, what may be played in
`tests.engine.naive_duties`; here it happens.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from tests.engine import naive_sayings
from tests.engine.naive_duties import Duties, legal_cards, winning_card, wrong_card
from tests.engine.naive_rules import (
    CARDS_EACH,
    FOLLOW_ONLY,
    IN_PAIRS,
    LAST_TEN,
    LIGA,
    PACK,
    PISAR,
    RACE_TO_101,
    SEATS,
    SIDES,
    STOCK,
    STOCK_TO_DECLARE,
    SUITS,
    TANTOS,
    Remark,
    Table,
    rank_of,
    seat_after,
    side_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["PACK", "SEATS", "SIDES", "SUITS", "Play", "Remark", "count_lines", "seat_after"]
__all__ += ["side_of"]


class Play:
    """A hand at some moment: who holds what, what lies on the table, what has been said."""

    def __init__(
        self,
        hands: Mapping[str, Sequence[str]],
        trump: str,
        leader: str,
        *,
        table: Table = LIGA,
        dealer: str = "",
        stock: Sequence[str] = (),
        set_aside: str | None = None,
        deal_of_juego: int = 1,
        carried: Mapping[str, int] | None = None,
    ) -> None:
        self.ruleset = table.ruleset
        self.seats = table.seats
        self.active = table.active(dealer)
        self.sides = table.sides_of_hand(dealer)
        self.hands = {seat: list(hands[seat]) for seat in table.seats}
        self.stock = list(stock)  # in drawing order, the upcard last
        self.set_aside = set_aside  # the 40th card of `arrastrado`
        self.trump = trump
        self.turn = leader
        self.table: list[tuple[str, str]] = []
        self.tricks: list[tuple[str, list[str]]] = []
        self.trick_winners: list[str] = []
        self.tricks_won = dict.fromkeys(self.sides, 0)
        self.last_winner: str | None = None
        self.made = dict.fromkeys(self.sides, 0)  # points so far, those of this hand alone
        # R6
        self.declared: list[tuple[str, str]] = []
        self.said_in_window: list[str] = []
        self.forfeited: list[tuple[str, str]] = []
        self.forty_refused: list[str] = []  # R6.5a, R6.5b
        self.tute_side: str | None = None
        # R8.4: who must still say whether they support the plate, and who does
        first = self.active.index(leader) if leader in self.active else 0
        in_order = self.active[first:] + self.active[:first]
        self.plate = table.stakes == "plate"
        self.yet_to_speak = in_order if self.plate else []
        self.supporter: str | None = None
        # R9
        self.deal_of_juego = deal_of_juego
        self.carried = {side: (carried or {}).get(side, 0) for side in self.sides}
        self.reached = [side for side in self.sides if self.carried[side] >= 101]
        self.claimed_by: str | None = None
        self.capote: str | None = None
        self.capote_lost = False

    @classmethod
    def from_position(cls, position: Mapping[str, Any]) -> Play:
        """The moment of `parejas-online` that F4 describes, all four hands known."""
        hands = {seat: position["hands"][seat].split() for seat in SEATS}
        play = cls(hands, position["trump"], position["turn"])
        cards = position.get("trick", "").split()
        seat = position["turn"]
        for card in reversed(cards):
            seat = SEATS[SEATS.index(seat) - 1]
            play.table.insert(0, (seat, card))
        for seat, number in position.get("tricks_won", {}).items():
            play.tricks_won[side_of(seat[0])] += number
        if position.get("last_trick"):
            play.last_winner = position["last_trick"][0]
        for seat, combinations in position.get("declared", {}).items():
            play.declared += [(seat, combination) for combination in combinations]
        for seat, combinations in position.get("forfeited", {}).items():
            play.forfeited += [(seat, combination) for combination in combinations]
        play.said_in_window = [token[0] for token in position.get("window", [])]
        return play

    def copied(self) -> Play:
        """The same moment, to go on from differently."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict):
                setattr(other, name, copy(value))
        other.hands = {seat: list(cards) for seat, cards in self.hands.items()}
        return other

    # ---- where the hand stands

    @property
    def all_played(self) -> bool:
        return not self.table and not any(self.hands.values())

    @property
    def cut_short(self) -> bool:
        """R7.5: by a tute, a claim, or a capote lost before the last trick."""
        ended = self.tute_side is not None or self.claimed_by is not None or self.capote_lost
        return ended and not self.all_played

    @property
    def over(self) -> bool:
        """F1: a hand ends with its last card, or at a tute, a decided claim or capote."""
        return self.all_played or self.cut_short

    @property
    def trick_number(self) -> int:
        """F3: between tricks, the one about to be led."""
        return len(self.tricks) + 1

    @property
    def last_trick_number(self) -> int:
        return CARDS_EACH[self.ruleset] + STOCK[self.ruleset] // 2

    def side_of(self, seat: str) -> str:
        """R2.2."""
        return side_of(seat) if IN_PAIRS[self.ruleset] else seat

    @property
    def window_side(self) -> str | None:
        """R6.2: after a trick won by a side and the drawing, before the next lead, it may declare.

        Where R3 says "trick winner", every seat is a side.
        """
        if self.table or self.last_winner is None or self.over:
            return None
        if len(self.stock) < STOCK_TO_DECLARE[self.ruleset]:
            return None
        return self.side_of(self.last_winner)

    @property
    def upcard(self) -> str | None:
        """R5.2: under the stock, or left on the table."""
        return self.stock[-1] if self.stock else self.set_aside

    def cards_on_table(self) -> list[str]:
        return [card for _, card in self.table]

    # ---- what may happen

    def duties(self) -> Duties:
        follow_only = FOLLOW_ONLY[self.ruleset] and bool(self.stock)  # R4.6
        return Duties(PISAR[self.ruleset], follow_only)

    def legal_cards(self) -> list[str]:
        if self.over or self.yet_to_speak:
            return []
        return legal_cards(self.hands[self.turn], self.cards_on_table(), self.trump, self.duties())

    def legal_sayings(self) -> list[str]:
        """Everything but cards that may be said at this moment."""
        return [token for token in naive_sayings.thinkable(self) if not self.wrong(token)]

    def legal_declarations(self) -> list[str]:
        declarations = naive_sayings.DECLARATIONS
        return [token for token in self.legal_sayings() if token[2:] in declarations]

    def wrong(self, token: str) -> Remark | None:
        """The fault of this token at this moment (without its place in the record), or None."""
        trick = self.trick_number
        if self.over:
            return Remark("play.after_end", "F1", trick=min(trick, self.last_trick_number))
        read = naive_sayings.read_token(token)
        if read is None or (read.seat and read.seat not in self.seats):
            return Remark("play.token", "F1", trick=trick)
        if read.card:
            return self.wrong_play(read.card)
        wrong_saying = naive_sayings.wrong_saying(self, read.seat, read.saying)
        return Remark(*wrong_saying, trick=trick, seat=read.seat) if wrong_saying else None

    def wrong_play(self, card: str) -> Remark | None:
        trick = self.trick_number
        if self.yet_to_speak:  # R8.4: first all say whether they support
            return Remark("support.window", "R8.4", trick=trick, seat=self.yet_to_speak[0])
        hand = self.hands[self.turn]
        fault = wrong_card(card, hand, self.cards_on_table(), self.trump, self.duties())
        if fault is None:
            return None
        legal = frozenset(self.legal_cards())
        return Remark(*fault, trick=trick, seat=self.turn, card=card, legal=legal)

    # ---- what happens

    def apply(self, token: str) -> list[tuple[str, str]]:
        """Lets a legal token happen; returns the (seat, combination) that it forfeited (R6.6)."""
        read = naive_sayings.read_token(token)
        assert read is not None
        if read.card:
            return self.apply_card(read.card)
        naive_sayings.apply_saying(self, read.seat, read.saying)
        return []

    def apply_card(self, card: str) -> list[tuple[str, str]]:
        lost = [] if self.table else self.end_window()
        self.hands[self.turn].remove(card)
        self.table.append((self.turn, card))
        self.turn = seat_after(self.turn, self.active)
        if len(self.table) == len(self.active):
            self.gather()
        return lost

    def end_window(self) -> list[tuple[str, str]]:
        """A lead ends the window: what is forfeited by it (R6.6)."""
        lost = [
            (seat, name)
            for seat in self.active
            for name in naive_sayings.combinations_lost(self, seat)
        ]
        self.forfeited += lost
        self.said_in_window = []
        if naive_sayings.forty_refused_in_window_only(self):
            self.forty_refused = []
        return lost

    def gather(self) -> None:
        """R4.7 and R2.3: the winner of the trick takes it, draws first and leads the next."""
        cards = self.cards_on_table()
        best = winning_card(cards, self.trump)
        winner = next(seat for seat, card in self.table if card == best)
        side = self.side_of(winner)
        self.tricks.append((self.table[0][0], cards))
        self.trick_winners.append(winner)
        self.tricks_won[side] += 1
        self.table = []
        self.last_winner = self.turn = winner
        if self.stock:  # R5.1
            for seat in [winner, seat_after(winner, self.active)]:
                self.hands[seat].append(self.stock.pop(0))
        self.score(side, sum(TANTOS[rank_of(card)] for card in cards))
        if self.all_played:
            self.score(side, LAST_TEN)
        if self.capote is not None and side != self.capote:
            self.capote_lost = True  # R9.5

    def score(self, side: str, points: int) -> None:
        self.made[side] += points
        if side not in self.reached and self.carried[side] + self.made[side] >= 101:
            self.reached.append(side)

    # ---- R7, R9: what it counts

    def points(self) -> dict[str, int]:
        """R7.1: tantos, last ten, declarations; R7.5: no last ten in a hand cut short."""
        return dict(self.made)

    def winner(self) -> str | None:
        """R6.7: the tute; R9 in the race to 101, perhaps nobody; else R7.2 and R7.3."""
        if self.tute_side is not None:
            return self.tute_side
        if RACE_TO_101[self.ruleset]:
            return self.winner_of_race()
        leaders = [side for side in self.sides if self.made[side] == max(self.made.values())]
        if len(leaders) == 1:
            return leaders[0]
        return next(side for side in map(self.side_of, self.trick_winners[::-1]) if side in leaders)

    def winner_of_race(self) -> str | None:
        if self.capote is not None:  # R9.5: it replaces the count
            return seat_after(self.capote, self.seats) if self.capote_lost else self.capote
        if self.claimed_by is not None:  # R9.3
            true = self.claimed_by in self.reached
            return self.claimed_by if true else seat_after(self.claimed_by, self.seats)
        return self.reached[0] if self.reached else None  # R9.1, R9.3


# --------------------------------------------------------------------------- perft


def count_lines(play: Play, *, declarations: bool, depth: int) -> int:
    """Perft: how many legal lines of `depth` tokens there are from here; a line may end earlier."""
    if depth == 0 or play.over:
        return 1
    tokens = play.legal_cards() + (play.legal_declarations() if declarations else [])
    lines = 0
    for token in tokens:
        after = play.copied()
        after.apply(token)
        lines += count_lines(after, declarations=declarations, depth=depth - 1)
    return lines
