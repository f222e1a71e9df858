"""A moment of a hand as a value, and the one function that changes it: :meth:`State.apply`.

A replay is a fold of ``apply`` over tokens; undo is keeping the old state. A state may know only
some hands (F4): what is unknown is not judged.
"""

from dataclasses import dataclass, replace
from typing import Any

from engine.actions import ACTIONS, DECLARATIONS, Action, Kind, read_token
from engine.cards import (
    CARD_NAMES,
    LAST_TRICK,
    PACK,
    SEATS,
    SUIT_MASKS,
    SUITS,
    cards_in,
    mask_of,
    names,
    points_in,
)
from engine.errors import Fault, IllegalAction
from engine.rules import (
    NOT_ADMITTED,
    Ruleset,
    Talk,
    best_on,
    broken_duty,
    declared_suit,
    legal_cards,
    may_still_declare,
    refused_declaration,
)


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a hand.

    ``hands`` are card sets by seat, ``None`` where unknown. ``trick`` numbers the trick on the
    table or about to be led; ``tricks_left`` counts it and those after it, 0 at the end.
    ``window`` holds the declarations since the last trick, ``notices`` what they left out and
    ``forfeited`` the same as (seat, suit) (R6.6).
    ``winner`` is the index of the side that ended the hand with a tute.
    """

    rules: Ruleset
    trump: int
    hands: tuple[int | None, ...]
    turn: int
    trick: int
    tricks_left: int
    table: tuple[int, ...] = ()
    seen: int = 0
    points: tuple[int, ...] = ()
    tricks_won: tuple[int, ...] = ()
    last_winner: int | None = None
    last_side: int | None = None
    declared: tuple[Action, ...] = ()
    forfeited: tuple[tuple[int, int], ...] = ()
    window: tuple[Action, ...] = ()
    notices: tuple[Fault, ...] = ()
    tokens: int = 0
    tute_by: int | None = None
    dealer: int | None = None

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.tute_by is not None or not self.tricks_left

    @property
    def leader(self) -> int:
        """The seat that led the trick on the table, or leads the next one."""
        return (self.turn - len(self.table)) % self.rules.seat_count

    @property
    def winner(self) -> int | None:
        """Index of the side that won the hand, ``None`` while it is played (R6.7, R7.2, R7.3)."""
        if self.tute_by is not None:
            return self.rules.side_of(self.tute_by)
        if not self.over:
            return None
        best = max(self.points)
        leaders = [side for side, points in enumerate(self.points) if points == best]
        if len(leaders) == 1 or self.last_side is None:
            return leaders[0]
        return self.last_side

    @property
    def talk(self) -> Talk:
        """What the declarations so far mean for the next one."""
        declared, side_spoke = 0, [False] * len(self.rules.sides)
        for action in self.declared:
            if action.kind is not Kind.TUTE:
                declared |= 1 << declared_suit(action, self.trump)
                side_spoke[self.rules.side_of(action.seat)] = True
        spoken = tuple(
            sum(action.seat == seat for action in self.window)
            for seat in range(self.rules.seat_count)
        )
        forfeited = mask_of(suit for _seat, suit in self.forfeited)
        return Talk(declared, forfeited, spoken, tuple(side_spoke))

    def legal(self) -> int:
        """The cards that the seat in turn may play; of an unknown hand, every unseen card."""
        if self.over:
            return 0
        hand = self.hands[self.turn]
        if hand is None:
            return self._unseen()
        return legal_cards(self.rules, hand, self.table, SUIT_MASKS[self.trump])

    def declarations(self, seat: int) -> tuple[Action, ...]:
        """The declarations that a seat may make now (R6)."""
        if self._side_tricks(seat) == 0:
            return ()
        return tuple(
            action
            for action in ACTIONS.values()
            if action.kind in DECLARATIONS and action.seat == seat and self._refusal(action) is None
        )

    def legal_tokens(self) -> tuple[str, ...]:
        """Every token that may come next: declarations of any seat, then the cards."""
        spoken = [
            action.token
            for seat in range(self.rules.seat_count)
            for action in self.declarations(seat)
        ]
        return (*spoken, *names(self.legal()))

    def apply(self, token: str) -> "State":
        """The state after ``token``.

        Raises :class:`~engine.errors.IllegalAction` with the fault of F3 when the rules refuse.
        """
        action = read_token(token, self.rules.seat_count)
        if self.over:
            raise IllegalAction(self._fault("play.after_end", "F1", facts={"text": token}))
        if action is None:
            raise IllegalAction(self._fault("play.token", "F1", facts={"text": token}))
        if action.kind is Kind.PLAY:
            return self._play(action.value)
        if action.kind in DECLARATIONS:
            return self._declare(action)
        raise IllegalAction(
            self._fault(NOT_ADMITTED[action.kind], "R3", seat=action.seat, declaration=token)
        )

    def incomplete(self) -> Fault:
        """The fault of a play that stops here, before its end."""
        return self._fault("play.incomplete", "F1", seat=self.turn, legal=self.legal())

    def _play(self, card: int) -> "State":
        hand, legal = self.hands[self.turn], self.legal()
        if not 1 << card & (self._unseen() if hand is None else hand):
            raise IllegalAction(self._refused_card(card, "play.not_held", "R4.1", legal))
        if not 1 << card & legal:
            trumps = SUIT_MASKS[self.trump]
            code, rule = broken_duty(hand or 0, self.table, trumps, card)
            raise IllegalAction(self._refused_card(card, code, rule, legal))
        opened = self if self.table else self._close_window()
        hands = tuple(
            held & ~(1 << card) if seat == self.turn and held is not None else held
            for seat, held in enumerate(self.hands)
        )
        table = (*self.table, card)
        complete = len(table) == self.rules.seat_count
        return replace(
            opened,
            hands=hands,
            seen=self.seen | 1 << card,
            tokens=self.tokens + 1,
            **(
                self._taken(table)
                if complete
                else {"table": table, "turn": self.rules.after(self.turn)}
            ),
        )

    def _taken(self, table: tuple[int, ...]) -> dict[str, Any]:
        """What changes when ``table`` completes a trick (R4.7, R7.1)."""
        best = best_on(table, SUIT_MASKS[self.trump])
        winner = (self.leader + table.index(best)) % self.rules.seat_count
        side = self.rules.side_of(winner)
        last = self.tricks_left == 1
        gained = points_in(mask_of(table)) + (LAST_TRICK if last else 0)
        return {
            "table": (),
            "turn": winner,
            "last_winner": winner,
            "last_side": side,
            "points": _added(self.points, side, gained),
            "tricks_won": _added(self.tricks_won, side, 1),
            "trick": self.trick if last else self.trick + 1,
            "tricks_left": self.tricks_left - 1,
        }

    def _close_window(self) -> "State":
        """Forfeit what silent players of the winning side could have declared (R6.6)."""
        if self.last_side is None or not self.rules.omitted_is_lost:
            return self
        talk = self.talk
        lost = tuple(
            (seat, suit)
            for seat, hand in enumerate(self.hands)
            if self.rules.side_of(seat) == self.last_side and not talk.spoken[seat]
            for suit in cards_in(may_still_declare(self.rules, hand or 0, self.trump, talk))
        )
        return replace(
            self,
            forfeited=(*self.forfeited, *lost),
            notices=(*self.notices, *(self._omission(seat, suit) for seat, suit in lost)),
            window=(),
        )

    def _omission(self, seat: int, suit: int) -> Fault:
        letter = SEATS[seat]
        spoken = f"{letter}:40" if suit == self.trump else f"{letter}:20{SUITS[suit]}"
        return self._fault("declare.omitted", "R6.6", seat=seat, declaration=spoken)

    def _declare(self, action: Action) -> "State":
        refusal = self._refusal(action)
        if refusal is not None:
            code, rule = refusal
            raise IllegalAction(self._fault(code, rule, seat=action.seat, declaration=action.token))
        side = self.rules.side_of(action.seat)
        worth = {Kind.TWENTY: 20, Kind.FORTY: 40, Kind.TUTE: 0}[action.kind]
        return replace(
            self,
            declared=(*self.declared, action),
            window=(*self.window, action),
            points=_added(self.points, side, worth),
            tute_by=action.seat if action.kind is Kind.TUTE else None,
            tokens=self.tokens + 1,
        )

    def _refusal(self, action: Action) -> tuple[str, str] | None:
        return refused_declaration(
            self.rules,
            action,
            self.hands[action.seat],
            self.trump,
            self.talk,
            self._side_tricks(action.seat),
        )

    def _side_tricks(self, seat: int) -> int:
        """Tricks that the seat's side has won, if a window is open for it, else 0 (R6.2)."""
        side = self.rules.side_of(seat)
        if self.over or self.table or self.last_side != side:
            return 0
        return max(1, self.tricks_won[side])

    def _unseen(self) -> int:
        known = self.seen
        for hand in self.hands:
            known |= hand or 0
        return PACK & ~known

    def _refused_card(self, card: int, code: str, rule: str, legal: int) -> Fault:
        facts = (
            {"best": CARD_NAMES[best_on(self.table, SUIT_MASKS[self.trump])]} if self.table else {}
        )
        facts |= {"led": CARD_NAMES[self.table[0]]} if self.table else {}
        return self._fault(
            code, rule, seat=self.turn, card=CARD_NAMES[card], legal=legal, facts=facts
        )

    def _fault(
        self,
        code: str,
        rule: str,
        *,
        seat: int | None = None,
        card: str | None = None,
        declaration: str | None = None,
        legal: int = 0,
        facts: dict[str, str] | None = None,
    ) -> Fault:
        return Fault(
            code,
            rule,
            trick=self.trick,
            token=self.tokens,
            seat=None if seat is None else SEATS[seat],
            card=card,
            declaration=declaration,
            legal=names(legal),
            facts=facts or {},
        )


def _added(totals: tuple[int, ...], index: int, amount: int) -> tuple[int, ...]:
    return tuple(total + amount * (i == index) for i, total in enumerate(totals))


def first_state(rules: Ruleset, dealer: int, hands: tuple[int, ...], trump: int) -> State:
    """A hand just dealt: the seat after the dealer is mano and leads (R2.3)."""
    nothing = (0,) * len(rules.sides)
    return State(
        rules,
        trump,
        hands,
        turn=rules.after(dealer),
        trick=1,
        tricks_left=rules.cards_each,
        points=nothing,
        tricks_won=nothing,
        dealer=dealer,
    )
