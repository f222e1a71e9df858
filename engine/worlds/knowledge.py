"""Derives what a seat may know of the cards it does not see from the events at the table.

A card played shows what its player did not hold at that moment: a player who does not follow has
nothing of the suit, one who does not beat has nothing better, one who neither follows nor trumps
has no trump (R4). Declarations, exchanges and the card that shows trumps name cards that a player
did hold (R5, R6). All this is certain. What silence makes unlikely is not counted here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.actions import ACTIONS, Action, Kind
from engine.cards import (
    ABOVE,
    CARDS,
    COUPLES,
    PACK,
    RANK_MASKS,
    RANKS,
    SEATS,
    SUIT_MASKS,
    SUIT_OF,
    cards_in,
    mask_of,
)
from engine.notation import Record
from engine.rules import declared_suit, winning_card
from engine.rulesets import Ruleset
from engine.view import View, position_at

ALWAYS: Final = 1 << 30
"""Later than everything that happened."""

BEFORE: Final = -1
"""Earlier than everything that happened; a hand is dealt at 0."""


class PlayedCard(NamedTuple):
    """A card as the table saw it: who, which, and the trick it came to, lead first.

    ``moment`` numbers what happened from 1; ``stock`` counts the cards that were left to draw.
    """

    moment: int
    seat: int
    card: int
    table: tuple[int, ...]
    stock: int


class HoldingPeriod(NamedTuple):
    """The period in which a card may have come that a seat is now known to have had.

    Not before ``after``, and before ``until``.
    """

    after: int
    until: int


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The knowledge of ``seat`` at one moment of a hand.

    Card sets are by seat. ``certain`` are cards that a seat surely holds, ``possible`` those of the
    ``unseen`` cards that it may hold beside them, ``sizes`` how many it holds in all. Of the cards
    in ``exclusions`` a seat does not hold all. ``stock`` counts the cards to draw whose place is
    not known, ``upcard`` is the open one. ``plays`` are all cards played, ``actions`` what was
    said, as (moment, action).

    Where cards are drawn, ``arrivals`` are the moments at which a seat came by cards that nobody
    else saw, ``kept`` what is known of those among them that are not unseen any more, and
    ``barred`` for each unseen card the last moment at which the seat did not hold it. ``lacking``
    are the cards that by its plays, as everybody saw, a seat lacks since it last drew.
    """

    rules: Ruleset
    seat: int
    trump: int
    players: tuple[int, ...]
    hand: int
    unseen: int
    sizes: tuple[int, ...]
    certain: tuple[int, ...]
    possible: tuple[int, ...]
    exclusions: tuple[tuple[int, int], ...] = ()
    stock: int = 0
    upcard: int | None = None
    plays: tuple[PlayedCard, ...] = ()
    actions: tuple[tuple[int, Action], ...] = ()
    arrivals: tuple[tuple[int, ...], ...] = ()
    kept: tuple[tuple[HoldingPeriod, ...], ...] = ()
    barred: tuple[Mapping[int, int], ...] = ()
    lacking: tuple[int, ...] = ()

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats that play, in playing order."""
        return tuple(each for each in self.players if each != self.seat)

    def hidden(self, seat: int) -> int:
        """The number of unseen cards in a seat's hand."""
        return self.sizes[seat] - self.certain[seat].bit_count()


def knowledge_of(view: View) -> Knowledge:
    """The knowledge of a view's seat."""
    hand = mask_of(CARDS[card] for card in view.hand)
    seat = SEATS.index(view.seat)
    return gather_knowledge(view.rules, seat, view.dealer, view.trump_card, hand, view.history)


def knowledge_at(record: Record, hand_index: int, token: int, seat: int | None = None) -> Knowledge:
    """The knowledge of a seat, by default the one in turn, before ``token`` (from 0) of a hand.

    Raises ``IndexError`` where the hand does not get that far (:func:`engine.position_at`).
    """
    hand = record.hands[hand_index]
    state = position_at(record, hand_index, token)
    seat = state.turn if seat is None else seat
    history = tuple((each[0], each) for each in (hand.play or "").split()[:token])
    return gather_knowledge(
        record.ruleset, seat, hand.dealer, hand.trump or "", state.hands[seat] or 0, history
    )


def gather_knowledge(
    rules: Ruleset,
    seat: int,
    dealer: str,
    trump_card: str,
    hand: int,
    history: Iterable[tuple[str, str]],
) -> Knowledge:
    """The knowledge from its parts: ``hand`` is what the seat holds now, ``history`` as in a view.

    The seat letters of cards in ``history`` are not looked at: whose a card is follows from play.
    """
    table = _Table(rules, SEATS.index(dealer), trump_card)
    for _letter, token in history:
        table.apply_action(ACTIONS[token])
    return table.knowledge_of_seat(seat, hand)


@dataclass(slots=True)
class _Seat:
    """The public record of one seat; moments number the events of the hand."""

    size: int
    open: int = 0
    """Cards that it took openly and still holds."""
    shown: dict[int, int] = field(default_factory=dict)
    """Cards that came unseen and that it surely holds, with the moment that showed them."""
    arrivals: list[int] = field(default_factory=list)
    left: dict[int, int] = field(default_factory=dict)
    """Cards that came unseen and have gone, with the moment from which they were known."""
    lacked: list[tuple[int, int]] = field(default_factory=list)
    """Cards that it did not hold at a moment, as (moment, cards)."""
    never_both: list[tuple[int, int]] = field(default_factory=list)
    """Cards of which it did not hold all at a moment."""
    played: list[tuple[int, int]] = field(default_factory=list)
    silent: int = 0
    """Windows of its side that it let pass without a word (R6.2)."""

    def show_cards(self, moment: int, cards: int) -> None:
        for card in cards_in(cards & ~self.open):
            self.shown.setdefault(card, moment)

    def lose_card(self, moment: int, card: int) -> None:
        if self.open >> card & 1:
            self.open &= ~(1 << card)
        else:
            self.left[card] = self.shown.pop(card, moment)
        self.size -= 1

    def cards_not_held(self) -> int:
        """The cards that it did not hold at some moment since its last card came."""
        since, cards = max(self.arrivals, default=0), 0
        for moment, lack in self.lacked:
            cards |= lack if moment > since else 0
        return cards

    def last_moment_without(self, card: int, until: int = ALWAYS) -> int:
        """The last moment before ``until`` at which it did not hold a card."""
        lacks = (when for when, cards in self.lacked if when < until and cards >> card & 1)
        return max(lacks, default=BEFORE)


class _Table:
    """A hand as everybody at the table sees it."""

    def __init__(self, rules: Ruleset, dealer: int, trump_card: str) -> None:
        self.rules = rules
        self.trump = CARDS[trump_card] // 10
        self.players = rules.players(dealer)
        self.seats = [
            _Seat(rules.cards_each if seat in self.players else 0)
            for seat in range(rules.seat_count)
        ]
        for each in self.seats:
            each.arrivals = [0] * each.size
        self.turn = next((seat for seat in self.players if seat > dealer), self.players[0])
        self.upcard = None if rules.trump_shown == "dealer" else CARDS[trump_card]
        if self.upcard is None:
            self.seats[dealer].shown[CARDS[trump_card]] = 0
        self.stock = rules.stock_size
        self.table: list[int] = []
        self.gone = 0
        self.moment = 0
        self.plays: list[PlayedCard] = []
        self.said: list[tuple[int, Action]] = []
        self.declared = 0
        self.last_winner: int | None = None
        self.speakers: set[int] = set()

    def apply_action(self, action: Action) -> None:
        self.moment += 1
        if action.kind is Kind.PLAY:
            self._play(action.value)
            return
        self.said.append((self.moment, action))
        if action.kind is Kind.EXCHANGE:
            self._exchange(action)
        elif action.kind in (Kind.TWENTY, Kind.FORTY):
            self._declare(action)
        elif action.kind is Kind.TUTE:
            self.seats[action.seat].show_cards(self.moment, RANK_MASKS[RANKS.index(action.rank)])

    # --- cards ---------------------------------------------------------------------------------

    def _play(self, card: int) -> None:
        if not self.table:
            self._close_window()
        seat, player = self.turn, self.seats[self.turn]
        player.lacked.append((self.moment, self._excluded_cards(card)))
        player.lose_card(self.moment, card)
        player.played.append((self.moment, card))
        self.plays.append(PlayedCard(self.moment, seat, card, tuple(self.table), self.stock))
        self.gone |= 1 << card
        self.table.append(card)
        self.turn = self._after(seat)
        if len(self.table) == len(self.players):
            self._take_trick()

    def _excluded_cards(self, card: int) -> int:
        """The cards that a player did not hold if this card is legal (R4)."""
        if not self.table:
            return 0
        bit, led, trumps = 1 << card, SUIT_OF[self.table[0]], SUIT_MASKS[self.trump]
        if self.stock and self.rules.duties_while_stock == "trumps":
            return trumps if led == trumps and not bit & trumps else 0
        best = winning_card(tuple(self.table), trumps)
        ruffed = 1 << best & trumps and led != trumps
        if bit & led:
            return 0 if ruffed or bit & ABOVE[best] else ABOVE[best]
        if not ruffed:
            return led if bit & trumps else led | trumps
        due = ABOVE[best] if self.rules.must_overtrump else trumps
        return led if bit & due else led | due

    def _take_trick(self) -> None:
        best = winning_card(tuple(self.table), SUIT_MASKS[self.trump])
        index = self.players.index(self.turn) + self.table.index(best)
        self.turn = self.last_winner = self.players[index % len(self.players)]
        self.table.clear()
        seat = self.turn
        for stock_left in range(self.stock, max(self.stock - len(self.players), 0), -1):
            player = self.seats[seat]
            player.size += 1
            if stock_left > 1:
                player.arrivals.append(self.moment)
            elif self.upcard is not None:
                player.open |= 1 << self.upcard
                self.upcard = None
            seat = self._after(seat)
        self.stock = max(self.stock - len(self.players), 0)

    def _after(self, seat: int) -> int:
        return self.players[(self.players.index(seat) + 1) % len(self.players)]

    # --- what is said --------------------------------------------------------------------------

    def _exchange(self, action: Action) -> None:
        player, card = self.seats[action.seat], 10 * self.trump + RANKS.index(action.rank)
        player.lose_card(self.moment, card)
        if self.upcard is not None:
            player.open |= 1 << self.upcard
            player.size += 1
        self.upcard = card

    def _declare(self, action: Action) -> None:
        rules, player = self.rules, self.seats[action.seat]
        suit = declared_suit(action, self.trump)
        open_forty = not self.declared >> self.trump & 1
        player.show_cards(self.moment, COUPLES[suit])
        if action.kind is Kind.TWENTY and open_forty:
            kept_back = rules.omitted_is_lost and player.silent and not rules.stock_size
            if rules.declaring_order == "forty_alone" and kept_back:
                # R6.6: this twenty survived a silence only because the forty was forfeited instead.
                self._show_forty(player)
            elif rules.declaring_order in ("forty_alone", "forty_first"):
                player.never_both.append((self.moment, COUPLES[self.trump]))
        self.declared |= 1 << suit
        self.speakers.add(action.seat)

    def _show_forty(self, player: _Seat) -> None:
        for card in cards_in(COUPLES[self.trump] & ~self.gone):
            player.show_cards(0, 1 << card)

    def _close_window(self) -> None:
        """A lead ends what may be said after the trick before."""
        if self.last_winner is not None:
            side = self.rules.side_of(self.last_winner)
            for seat in self.players:
                if self.rules.side_of(seat) == side and seat not in self.speakers:
                    self.seats[seat].silent += 1
        self.speakers.clear()

    # --- what one seat makes of it -------------------------------------------------------------

    def knowledge_of_seat(self, seat: int, hand: int) -> Knowledge:
        certain = [each.open | mask_of(each.shown) for each in self.seats]
        certain[seat] = hand
        known_cards = self.gone | (0 if self.upcard is None else 1 << self.upcard)
        for cards in certain:
            known_cards |= cards
        unseen = PACK & ~known_cards
        barred = tuple(
            {card: each.last_moment_without(card) for card in cards_in(unseen)}
            for each in self.seats
        )
        possible = [self._possible(each, barred[n], unseen) for n, each in enumerate(self.seats)]
        possible[seat] = 0
        couples = self._excluded_couples(seat, possible)
        return Knowledge(
            self.rules,
            seat,
            self.trump,
            self.players,
            hand,
            unseen,
            tuple(each.size for each in self.seats),
            tuple(certain),
            tuple(possible),
            couples,
            self.stock - (self.stock > 0 and self.upcard is not None),
            self.upcard,
            tuple(self.plays),
            tuple(self.said),
            tuple(tuple(each.arrivals) for each in self.seats),
            tuple(self._held_cards(each) for each in self.seats),
            barred,
            tuple(each.cards_not_held() for each in self.seats),
        )

    @staticmethod
    def _possible(player: _Seat, barred: Mapping[int, int], unseen: int) -> int:
        last = player.arrivals[-1] if player.arrivals else BEFORE
        return mask_of(card for card, moment in barred.items() if moment <= last) & unseen

    def _excluded_couples(self, seat: int, possible: list[int]) -> tuple[tuple[int, int], ...]:
        """Couples that a seat did not hold; who held one card of it cannot hold the other."""
        couples = []
        for other, player in enumerate(self.seats):
            if other == seat or player.arrivals[-1:] > [0]:
                continue
            for moment, cards in player.never_both:
                held_cards = mask_of(card for when, card in player.played if when > moment)
                held_cards |= player.open | mask_of(player.shown)
                if held_cards & cards:
                    possible[other] &= ~cards
                elif cards & possible[other] == cards:
                    couples.append((other, cards))
        return tuple(couples)

    @staticmethod
    def _held_cards(player: _Seat) -> tuple[HoldingPeriod, ...]:
        return tuple(
            HoldingPeriod(player.last_moment_without(card, moment), moment)
            for card, moment in sorted({**player.left, **player.shown}.items())
        )
