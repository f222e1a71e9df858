"""`parejas-online` said a second time, as plainly as possible: one hand and its play.

Nothing here is fast and nothing is shared with the engine: cards are strings such as ``"Ro"``,
hands are lists, and each function stands beside the rule of ``rules.md`` whose number it cites
(``F1`` and ``F3`` are sections of ``record-format.md``). `tests.engine.naive` is the rest of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# --------------------------------------------------------------------------- R1, R2: words, seats

SUITS = ["o", "c", "e", "b"]
RANKS = ["1", "3", "R", "C", "S", "7", "6", "5", "4", "2"]  # R1: high to low
TANTOS = {"1": 11, "3": 10, "R": 4, "C": 3, "S": 2, "7": 0, "6": 0, "5": 0, "4": 0, "2": 0}
PACK = [rank + suit for suit in SUITS for rank in RANKS]
SEATS = ["A", "B", "C", "D"]  # R2.1: in playing order
SIDES = ["AC", "BD"]  # R2.2
CARDS_EACH = 10  # R3
LAST_TEN = 10  # R1: últimas


def rank_of(card: str) -> str:
    return card[0]


def suit_of(card: str) -> str:
    return card[1]


def seat_after(seat: str) -> str:
    """R2.1: the seat after the last is A."""
    return SEATS[(SEATS.index(seat) + 1) % len(SEATS)]


def side_of(seat: str) -> str:
    """R2.2: the sides are AC and BD."""
    return "AC" if seat in ["A", "C"] else "BD"


def is_stronger(card: str, other: str) -> bool:
    """R1: of two cards of one suit, the first beats the second."""
    return RANKS.index(rank_of(card)) < RANKS.index(rank_of(other))


def strongest(cards: Iterable[str]) -> str:
    return min(cards, key=lambda card: RANKS.index(rank_of(card)))


def of_suit(suit: str, cards: Iterable[str]) -> list[str]:
    return [card for card in cards if suit_of(card) == suit]


def winning_card(cards: Sequence[str], trump: str) -> str:
    """R4.7: the highest trump, else the highest card of the led suit."""
    return strongest(of_suit(trump, cards) or of_suit(suit_of(cards[0]), cards))


# --------------------------------------------------------------------------- what is said of it


@dataclass(frozen=True)
class Remark:
    """A fault, or a notice: F3's fields that the rules decide (never its words)."""

    code: str
    rule: str
    hand: int | None = None
    trick: int | None = None
    token: int | None = None
    seat: str | None = None
    card: str | None = None
    legal: frozenset[str] = frozenset()
    declaration: str | None = None


# --------------------------------------------------------------------------- R4: what may be played


def legal_cards(held: Sequence[str], table: Sequence[str], trump: str) -> list[str]:
    """R4.1 to R4.5, with pisar (R4.4a): the cards that a player may put on this table."""
    if not table:
        return list(held)  # R4.1
    led = suit_of(table[0])
    trumps_on_table = of_suit(trump, table)
    followers = of_suit(led, held)
    if followers:
        if led != trump and trumps_on_table:
            return followers  # R4.3
        best = strongest(of_suit(led, table))
        return [card for card in followers if is_stronger(card, best)] or followers  # R4.2
    if led == trump:
        return list(held)  # R4.5
    if not trumps_on_table:
        return of_suit(trump, held) or list(held)  # R4.4, R4.5
    best = strongest(trumps_on_table)
    higher = [card for card in of_suit(trump, held) if is_stronger(card, best)]
    return higher or list(held)  # R4.4a


def wrong_card(
    card: str, held: Sequence[str], table: Sequence[str], trump: str
) -> tuple[str, str] | None:
    """The code and rule against playing this card, judged duty by duty (F3's order), or None."""
    if card not in held:
        return "play.not_held", "R4.1"
    if not table:
        return None  # R4.1
    if of_suit(suit_of(table[0]), held):
        return wrong_follower(card, held, table, trump)
    if suit_of(table[0]) == trump:
        return None  # R4.5
    return wrong_when_void(card, held, table, trump)


def wrong_follower(
    card: str, held: Sequence[str], table: Sequence[str], trump: str
) -> tuple[str, str] | None:
    """Asistir and montar, for one who holds the led suit."""
    led = suit_of(table[0])
    if suit_of(card) != led:
        return "play.must_follow", "R4.2"
    if led != trump and of_suit(trump, table):
        return None  # R4.3
    best = strongest(of_suit(led, table))
    can_head = any(is_stronger(mine, best) for mine in of_suit(led, held))
    if can_head and not is_stronger(card, best):
        return "play.must_head", "R4.2"
    return None


def wrong_when_void(
    card: str, held: Sequence[str], table: Sequence[str], trump: str
) -> tuple[str, str] | None:
    """Fallar and pisar, for one void in a plain led suit."""
    due = of_suit(trump, held)
    on_table = of_suit(trump, table)
    if on_table:
        due = [mine for mine in due if is_stronger(mine, strongest(on_table))]
    if not due:
        return None  # R4.5, contrafallo
    if suit_of(card) != trump:
        return "play.must_trump", "R4.4"
    if card not in due:
        return "play.must_overtrump", "R4.4a"
    return None


# --------------------------------------------------------------------------- the tokens of F1

TOKEN = re.compile(
    "(?P<card>[1234567RCS][oceb])"
    "|(?P<seat>[ABCD]):(?:(?P<declaration>40|20[oceb]|tute[RC])"
    "|(?P<exchange>x7|x2)|(?P<claim>capote|101)|(?P<support>voy|paso))"
)


def read_token(token: str) -> re.Match[str] | None:
    return TOKEN.fullmatch(token)


# --------------------------------------------------------------------------- one hand being played


class Play:
    """A hand at some moment: who holds what, what lies on the table, what has been said."""

    def __init__(self, hands: Mapping[str, Sequence[str]], trump: str, leader: str) -> None:
        self.hands = {seat: list(hands[seat]) for seat in SEATS}
        self.trump = trump
        self.turn = leader
        self.table: list[tuple[str, str]] = []
        self.tricks: list[tuple[str, list[str]]] = []
        self.tricks_won = dict.fromkeys(SIDES, 0)
        self.card_points = dict.fromkeys(SIDES, 0)
        self.last_winner: str | None = None
        self.declared: list[tuple[str, str]] = []
        self.said_in_window: list[str] = []
        self.forfeited: list[tuple[str, str]] = []
        self.tute_side: str | None = None

    @classmethod
    def from_position(cls, position: Mapping[str, Any]) -> Play:
        """The moment that F4 describes, all four hands known."""
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
        other = Play(self.hands, self.trump, self.turn)
        other.table = list(self.table)
        other.tricks = list(self.tricks)
        other.tricks_won = dict(self.tricks_won)
        other.card_points = dict(self.card_points)
        other.last_winner = self.last_winner
        other.declared = list(self.declared)
        other.said_in_window = list(self.said_in_window)
        other.forfeited = list(self.forfeited)
        other.tute_side = self.tute_side
        return other

    # ---- where the hand stands

    @property
    def over(self) -> bool:
        """F1: a hand ends with its last card, or at a tute."""
        all_played = not self.table and not any(self.hands.values())
        return self.tute_side is not None or all_played

    @property
    def trick_number(self) -> int:
        """F3: between tricks, the one about to be led."""
        return len(self.tricks) + 1

    @property
    def window_side(self) -> str | None:
        """R6.2: after a trick won by a side, before the next lead, that side may declare."""
        if self.table or self.last_winner is None or self.over:
            return None
        return side_of(self.last_winner)

    def cards_on_table(self) -> list[str]:
        return [card for _, card in self.table]

    def legal_cards(self) -> list[str]:
        return legal_cards(self.hands[self.turn], self.cards_on_table(), self.trump)

    # ---- R6: declarations

    def name_of(self, suit: str) -> str:
        """R6.1: 40 in trumps, 20 otherwise."""
        return "40" if suit == self.trump else "20" + suit

    def held_combinations(self, seat: str) -> list[str]:
        """R6.1: suits in which the seat holds both R and C at this moment."""
        held = self.hands[seat]
        return [self.name_of(suit) for suit in SUITS if "R" + suit in held and "C" + suit in held]

    def open_combinations(self, seat: str) -> list[str]:
        """Those held and neither declared (R6.3) nor forfeited (R6.6)."""
        gone = self.declared + self.forfeited
        return [name for name in self.held_combinations(seat) if (seat, name) not in gone]

    def side_has_declared(self, side: str) -> bool:
        return any(side_of(seat) == side for seat, _ in self.declared)

    def wrong_declaration(self, seat: str, name: str) -> tuple[str, str] | None:
        """The code and rule against a declaration, in F3's order, or None."""
        if name.startswith("tute"):
            return self.wrong_tute(seat, rank_of(name[-1]))
        if name == "20" + self.trump:
            return "declare.not_admitted", "R6.1"
        if self.window_side != side_of(seat):
            return "declare.window", "R6.2"
        if name not in self.held_combinations(seat):
            return "declare.not_held", "R6.1"
        if (seat, name) in self.declared:
            return "declare.repeated", "R6.3"
        if (seat, name) in self.forfeited:
            return "declare.forfeited", "R6.6"
        if name != "40" and "40" in self.open_combinations(seat):
            return "declare.order", "R6.5c"
        if seat in self.said_in_window:
            return "declare.limit", "R6.4"
        return None

    def wrong_tute(self, seat: str, rank: str) -> tuple[str, str] | None:
        """R6.7 and R6.8: at the side's first won trick only, nothing declared by the side yet."""
        if self.window_side != side_of(seat):
            return "declare.window", "R6.2"
        if self.tricks_won[side_of(seat)] > 1:
            return "declare.window", "R6.8"
        if any(rank + suit not in self.hands[seat] for suit in SUITS):
            return "declare.not_held", "R6.7"
        if self.side_has_declared(side_of(seat)):
            return "declare.order", "R6.8"
        return None

    def combinations_lost_by_silence(self, seat: str) -> list[str]:
        """R6.6: what this seat forfeits if the window ends now."""
        if self.window_side != side_of(seat) or seat in self.said_in_window:
            return []
        could = self.open_combinations(seat)
        return ["40"] if "40" in could else could

    def legal_declarations(self) -> list[str]:
        names = ["40"] + ["20" + suit for suit in SUITS] + ["tuteR", "tuteC"]
        return [
            f"{seat}:{name}"
            for seat in SEATS
            for name in names
            if self.wrong_declaration(seat, name) is None
        ]

    # ---- judging and applying one token

    def wrong(self, token: str) -> Remark | None:
        """The fault of this token at this moment (without its place in the record), or None."""
        if self.over:
            return Remark("play.after_end", "F1", trick=min(self.trick_number, CARDS_EACH))
        read = read_token(token)
        if read is None:
            return Remark("play.token", "F1", trick=self.trick_number)
        seat = read["seat"]
        if read["card"]:
            return self.wrong_play(read["card"])
        if read["declaration"]:
            found = self.wrong_declaration(seat, read["declaration"])
        elif read["exchange"]:
            found = "exchange.not_admitted", "R3"
        elif read["claim"]:
            found = "claim.not_admitted", "R3"
        else:
            found = "support.not_admitted", "R3"
        if found is None:
            return None
        return Remark(found[0], found[1], trick=self.trick_number, seat=seat)

    def wrong_play(self, card: str) -> Remark | None:
        found = wrong_card(card, self.hands[self.turn], self.cards_on_table(), self.trump)
        if found is None:
            return None
        legal = frozenset(self.legal_cards())
        return Remark(found[0], found[1], None, self.trick_number, None, self.turn, card, legal)

    def apply(self, token: str) -> list[tuple[str, str]]:
        """Lets a legal token happen; returns the (seat, combination) that it forfeited (R6.6)."""
        read = read_token(token)
        assert read is not None
        if read["card"]:
            return self.apply_card(read["card"])
        seat, name = read["seat"], read["declaration"]
        self.declared.append((seat, name))
        self.said_in_window.append(seat)
        if name.startswith("tute"):
            self.tute_side = side_of(seat)  # R6.7
        return []

    def apply_card(self, card: str) -> list[tuple[str, str]]:
        lost: list[tuple[str, str]] = []
        if not self.table:  # a lead ends the window
            for seat in SEATS:
                lost += [(seat, name) for name in self.combinations_lost_by_silence(seat)]
            self.forfeited += lost
            self.said_in_window = []
        self.hands[self.turn].remove(card)
        self.table.append((self.turn, card))
        self.turn = seat_after(self.turn)
        if len(self.table) == len(SEATS):
            self.gather()
        return lost

    def gather(self) -> None:
        """R4.7 and R2.3: the winner of the trick takes it and leads the next."""
        cards = self.cards_on_table()
        best = winning_card(cards, self.trump)
        winner = next(seat for seat, card in self.table if card == best)
        self.tricks.append((self.table[0][0], cards))
        self.tricks_won[side_of(winner)] += 1
        self.card_points[side_of(winner)] += sum(TANTOS[rank_of(card)] for card in cards)
        self.last_winner = self.turn = winner
        self.table = []

    # ---- R7: scoring

    def points(self) -> dict[str, int]:
        """R7.1: tantos, last ten, declarations; R7.5: no last ten in a hand cut short."""
        points = dict(self.card_points)
        for seat, name in self.declared:
            if not name.startswith("tute"):
                points[side_of(seat)] += int(name[:2])
        if self.over and self.tute_side is None and self.last_winner is not None:
            points[side_of(self.last_winner)] += LAST_TEN
        return points

    def winner(self) -> str:
        """R6.7: the tute; R7.2: most points; R7.3: at a tie, the last trick."""
        assert self.last_winner is not None
        if self.tute_side is not None:
            return self.tute_side
        points = self.points()
        if points["AC"] == points["BD"]:
            return side_of(self.last_winner)
        return "AC" if points["AC"] > points["BD"] else "BD"


# --------------------------------------------------------------------------- perft


def count_lines(play: Play, *, declarations: bool, depth: int) -> int:
    """Perft: how many legal lines of so many tokens there are from here; a line may end earlier."""
    if depth == 0 or play.over:
        return 1
    tokens = play.legal_cards() + (play.legal_declarations() if declarations else [])
    lines = 0
    for token in tokens:
        after = play.copied()
        after.apply(token)
        lines += count_lines(after, declarations=declarations, depth=depth - 1)
    return lines
