"""A moment of a hand as a value, and the one function that changes it: :meth:`State.apply`.

A replay is a fold of ``apply`` over tokens; undo is keeping the old state. A state may know only
some hands (F4): what is unknown is not judged.
"""

from typing import Any, NamedTuple

from engine.actions import CALLS, DECLARATIONS, Action, Kind, read_token
from engine.cards import (
    CARD_NAMES,
    LAST_TRICK,
    PACK,
    RANK_MASKS,
    RANKS,
    REY,
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
    EXCHANGED_FOR,
    Declarations,
    broken_duty,
    declared_suit,
    forfeited_by_lead,
    legal_cards,
    passes_over_forty,
    refused_declaration,
    winning_card,
)
from engine.rulesets import Ruleset

WORTH = {Kind.TWENTY: 20, Kind.FORTY: 40, Kind.TUTE: 0}
"""Points of a declaration (R6.1); a tute wins the hand instead (R6.7)."""


class State(NamedTuple):
    """One moment of a hand.

    ``hands`` are card sets by seat, ``None`` where unknown, and ``players`` the seats that were
    dealt cards. ``trick`` numbers the trick on the table or about to be led; ``tricks_left`` counts
    it and those after it, 0 at the end. ``stock`` counts the cards to draw, ``upcard`` included,
    ``draws`` are those whose order is known, next first. ``window`` holds the declarations since
    the last trick, ``notices`` what they left out and ``forfeited`` the same as (seat, suit).
    ``passed_over`` are the seats of R6.5a and b, as bits. ``carried`` are the points of the game's
    first deal and ``first_there`` the side that first reached the race's end (R9). ``supporter``
    undertook to win the plate; ``to_speak`` are those still to say (R8.4). ``cut_by`` and
    ``cut_for`` tell what ended the hand before its last card, and for which side (R7.5).
    """

    rules: Ruleset
    trump: int
    hands: tuple[int | None, ...]
    turn: int
    trick: int
    tricks_left: int
    players: tuple[int, ...]
    table: tuple[int, ...] = ()
    seen: int = 0
    points: tuple[int, ...] = ()
    tricks_won: tuple[int, ...] = ()
    last_won: tuple[int, ...] = ()
    last_winner: int | None = None
    last_side: int | None = None
    stock: int = 0
    draws: tuple[int, ...] = ()
    upcard: int | None = None
    declared: tuple[Action, ...] = ()
    forfeited: tuple[tuple[int, int], ...] = ()
    window: tuple[Action, ...] = ()
    passed_over: int = 0
    notices: tuple[Fault, ...] = ()
    tokens: int = 0
    dealer: int | None = None
    carried: tuple[int, ...] = ()
    deal_of_game: int = 1
    first_there: int | None = None
    capote: int | None = None
    supporter: int | None = None
    to_speak: tuple[int, ...] = ()
    cut_by: Kind | None = None
    cut_for: int | None = None

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.cut_by is not None or not self.tricks_left

    @property
    def leader(self) -> int:
        """The seat that led the trick on the table, or leads the next one."""
        index = self.players.index(self.turn) - len(self.table)
        return self.players[index % len(self.players)]

    @property
    def winner(self) -> int | None:
        """Index of the side that won the hand, or the game of a race (R6.7, R7.2, R7.3, R9).

        ``None`` while it is played, and after the first deal of a race that it did not decide.
        """
        if self.cut_for is not None:
            return self.cut_for
        if not self.over:
            return None
        if self.rules.race_to:
            return self.first_there
        best = max(self.points)
        tied = [side for side, points in enumerate(self.points) if points == best]
        return max(tied, key=lambda side: self.last_won[side])

    @property
    def talk(self) -> Declarations:
        """The declarations so far, as they bear on the next one."""
        declared, side_spoke = 0, [False] * len(self.rules.sides)
        for action in self.declared:
            if action.kind is not Kind.TUTE:
                declared |= 1 << declared_suit(action, self.trump)
                side_spoke[self.rules.side_of(action.seat)] = True
        call_counts = tuple(
            sum(action.seat == seat for action in self.window)
            for seat in range(self.rules.seat_count)
        )
        forfeited = mask_of(suit for _seat, suit in self.forfeited)
        return Declarations(declared, forfeited, call_counts, tuple(side_spoke), self.passed_over)

    def legal(self) -> int:
        """The cards that the seat in turn may play; of an unknown hand, every unseen card."""
        if self.over or self.to_speak:
            return 0
        hand = self.hands[self.turn]
        if hand is None:
            return self._unseen()
        return legal_cards(self.rules, hand, self.table, SUIT_MASKS[self.trump], self.stock)

    def calls(self, seat: int) -> tuple[Action, ...]:
        """Lists the tokens that a seat may say now: declarations, exchanges, claims, support."""
        calls = CALLS[seat]
        possible = (
            *(calls.exchanges if self.rules.exchange != "none" else ()),
            *(calls.claims if self.rules.race_to else ()),
            *(calls.supports if self.to_speak else ()),
        )
        return (
            *self.declarations(seat),
            *(action for action in possible if self._refusal(action) is None),
        )

    def declarations(self, seat: int) -> tuple[Action, ...]:
        """The declarations that a seat may make now (R6)."""
        tricks = self._side_tricks(seat)
        if tricks == 0:
            return ()
        rules, hand, trump, talk = self.rules, self.hands[seat], self.trump, self.talk
        return tuple(
            action
            for action in CALLS[seat].declarations
            if refused_declaration(rules, action, hand, trump, talk, tricks) is None
        )

    def legal_tokens(self) -> tuple[str, ...]:
        """Every token that may come next: what any seat may say, then the cards."""
        tokens = [action.token for seat in self.players for action in self.calls(seat)]
        return (*tokens, *names(self.legal()))

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
        refusal = self._refusal(action)
        if refusal is not None:
            code, rule = refusal
            raise IllegalAction(self._fault(code, rule, seat=action.seat, declaration=token))
        return self._apply_call(action)._replace(tokens=self.tokens + 1)

    def incomplete(self) -> Fault:
        """The fault of a play that stops here, before its end."""
        if self.to_speak:
            return self._fault("play.incomplete", "F1", seat=self.to_speak[0])
        return self._fault("play.incomplete", "F1", seat=self.turn, legal=self.legal())

    # --- cards ---------------------------------------------------------------------------------

    def _play(self, card: int) -> "State":
        if self.to_speak:
            raise IllegalAction(self._fault("support.window", "R8.4", seat=self.to_speak[0]))
        self._refuse_card(card)
        # A lead ends the window of the trick before: what it left undeclared is lost (R6.6).
        state = self if self.table else self._close_window()
        hands, hand = list(self.hands), self.hands[self.turn]
        if hand is not None:
            hands[self.turn] = hand & ~(1 << card)
        table = (*self.table, card)
        complete = len(table) == len(self.players)
        result = state._replace(
            hands=tuple(hands),
            seen=self.seen | 1 << card,
            table=table,
            tokens=self.tokens + 1,
            turn=self.turn if complete else self._next_seat(self.turn),
        )
        return result._take_trick() if complete else result  # noqa: SLF001 - a state of our own making

    def _refuse_card(self, card: int) -> None:
        hand, legal = self.hands[self.turn], self.legal()
        # Of a hand that is not known, any card that nobody has shown may be played.
        if not 1 << card & (self._unseen() if hand is None else hand):
            raise IllegalAction(self._refused_card(card, "play.not_held", "R4.1", legal))
        if not 1 << card & legal:
            code, rule = broken_duty(
                self.rules, hand or 0, self.table, SUIT_MASKS[self.trump], card, self.stock
            )
            raise IllegalAction(self._refused_card(card, code, rule, legal))

    def _take_trick(self) -> "State":
        """The complete trick goes to its winner (R4.7, R7.1), then all draw (R5.1)."""
        leader = self._next_seat(self.turn)  # the last to play precedes the leader
        best = winning_card(self.table, SUIT_MASKS[self.trump])
        index = self.players.index(leader) + self.table.index(best)
        winner = self.players[index % len(self.players)]
        side = self.rules.side_of(winner)
        last = self.tricks_left == 1
        gained = points_in(mask_of(self.table)) + (LAST_TRICK if last else 0)
        after_trick = self._replace(
            table=(),
            turn=winner,
            last_winner=winner,
            last_side=side,
            tricks_won=_add_at(self.tricks_won, side, 1),
            last_won=_set_at(self.last_won, side, self.trick),
            trick=self.trick if last else self.trick + 1,
            tricks_left=self.tricks_left - 1,
            **self._gain(side, gained),
        )
        return after_trick._after_capote(side)._draw(winner)  # noqa: SLF001 - of our own making

    def _after_capote(self, side: int) -> "State":
        """R9.5: the first trick lost loses it, the last one won wins it."""
        if self.capote is None:
            return self
        announcer = self.rules.side_of(self.capote)
        if side != announcer:
            other = next(n for n in range(len(self.rules.sides)) if n != announcer)
            return self._replace(cut_by=Kind.CAPOTE, cut_for=other)
        return self if self.tricks_left else self._replace(cut_for=announcer)

    def _draw(self, winner: int) -> "State":
        """The winner draws first, then the others in order; the upcard is the last (R5.1)."""
        if not self.stock:
            return self
        hands, draws, upcard = list(self.hands), list(self.draws), self.upcard
        seat = winner
        for stock_left in range(self.stock, self.stock - len(self.players), -1):
            # The order of the stock is not known in a position (F4): the drawn hand is then not.
            card = upcard if stock_left == 1 else draws.pop(0) if draws else None
            hand = hands[seat]
            hands[seat] = None if hand is None or card is None else hand | 1 << card
            seat = self._next_seat(seat)
        stock = self.stock - len(self.players)
        return self._replace(
            hands=tuple(hands),
            draws=tuple(draws),
            stock=stock,
            upcard=upcard if stock else None,
        )

    def _close_window(self) -> "State":
        """Forfeit what the side that won the trick left undeclared (R6.6)."""
        closed = self
        if self.window:
            closed = self._replace(window=(), passed_over=self._passed_over_in_deal())
        if self.last_side is None or not self.rules.omitted_is_lost:
            return closed
        # Only the side's first trick opens a window there, so only it can forfeit (R6.2).
        if self.rules.declare_at == "first" and self.tricks_won[self.last_side] > 1:
            return closed
        side = [seat for seat in self.players if self.rules.side_of(seat) == self.last_side]
        hands = [self.hands[seat] or 0 for seat in side]
        if not any(hand & hand << 1 & RANK_MASKS[REY] for hand in hands):  # nobody has a couple
            return closed
        talk = self.talk
        omissions = tuple(
            (seat, suit)
            for seat, hand in zip(side, hands, strict=True)
            for suit in cards_in(forfeited_by_lead(self.rules, hand, self.trump, talk, seat))
        )
        return closed._replace(
            forfeited=(*self.forfeited, *omissions),
            notices=(*self.notices, *(self._omission(seat, suit) for seat, suit in omissions)),
        )

    def _passed_over_in_deal(self) -> int:
        return self.passed_over if self.rules.declaring_order == "forty_in_deal" else 0

    def _omission(self, seat: int, suit: int) -> Fault:
        letter = SEATS[seat]
        declaration = f"{letter}:40" if suit == self.trump else f"{letter}:20{SUITS[suit]}"
        return self._fault("declare.omitted", "R6.6", seat=seat, declaration=declaration)

    # --- what is said --------------------------------------------------------------------------

    def _refusal(self, action: Action) -> tuple[str, str] | None:
        """Why something may not be said now, as code and rule, or ``None`` when it may."""
        if self.over:
            return "play.after_end", "F1"
        if action.kind in DECLARATIONS:
            return refused_declaration(
                self.rules,
                action,
                self.hands[action.seat],
                self.trump,
                self.talk,
                self._side_tricks(action.seat),
            )
        if action.kind is Kind.EXCHANGE:
            return self._refused_exchange(action)
        if action.kind is Kind.SUPPORT:
            if self.rules.stakes != "plate":
                return (
                    "support.not_admitted",
                    "R8.4" if self.rules.exchange == "before_play" else "R3",
                )
            return None if self.to_speak[:1] == (action.seat,) else ("support.window", "R8.4")
        return self._refused_claim(action)

    def _refused_exchange(self, action: Action) -> tuple[str, str] | None:
        rules = self.rules
        if rules.exchange == "none":
            return "exchange.not_admitted", "R3"
        if rules.exchange == "stock" and self.stock <= 2:
            return "exchange.window", "R5.3"
        if rules.exchange == "before_play" and not self._is_before_first_lead:
            return "exchange.window", "R5.5"
        if rules.exchange_needs_trick and not self.tricks_won[rules.side_of(action.seat)]:
            return "exchange.no_trick", "R5.4"
        hand = self.hands[action.seat]
        if hand is not None and not hand >> self._exchanged_card(action) & 1:
            return "exchange.not_held", "R5.2"
        if self.upcard is not None and RANKS[self.upcard % 10] not in EXCHANGED_FOR[action.rank]:
            return "exchange.upcard", "R5.2"
        return None

    def _refused_claim(self, action: Action) -> tuple[str, str] | None:
        if not self.rules.race_to:
            return "claim.not_admitted", "R3"
        if action.kind is Kind.CLAIM:
            just_won = not self.table and self.last_winner == action.seat
            in_time = self.deal_of_game == 2 and just_won and self.capote is None
            return None if in_time else ("claim.window", "R9.3")
        in_window = not self.stock and not self.table and self.tricks_left == self.rules.cards_each
        return None if in_window and self.capote is None else ("claim.window", "R9.5")

    def _apply_call(self, action: Action) -> "State":
        side = self.rules.side_of(action.seat)
        if action.kind in DECLARATIONS:
            return self._declare(action, side)
        if action.kind is Kind.EXCHANGE:
            return self._exchange(action)
        if action.kind is Kind.SUPPORT:
            supporter = self.supporter
            if action.value and supporter is None:
                supporter = action.seat
            return self._replace(supporter=supporter, to_speak=self.to_speak[1:])
        if action.kind is Kind.CAPOTE:
            return self._replace(capote=action.seat)
        # A claim of 101 ends the game whether it is true or not: a false one loses it (R9.3).
        total = self.points[side] + self.carried[side]
        other = next(n for n in range(len(self.rules.sides)) if n != side)
        cut_for = side if total >= self.rules.race_to else other
        return self._replace(cut_by=Kind.CLAIM, cut_for=cut_for)

    def _declare(self, action: Action, side: int) -> "State":
        hand, passed_over = self.hands[action.seat], self.passed_over
        if hand is not None and passes_over_forty(action, hand, self.trump, self.talk):
            passed_over |= 1 << action.seat
        tute = action.kind is Kind.TUTE
        return self._replace(
            declared=(*self.declared, action),
            window=(*self.window, action),
            passed_over=passed_over,
            cut_by=Kind.TUTE if tute else None,
            cut_for=side if tute else None,
            **self._gain(side, 0 if self.capote is not None else WORTH[action.kind]),
        )

    def _exchange(self, action: Action) -> "State":
        card, upcard = self._exchanged_card(action), self.upcard
        hand = self.hands[action.seat]
        if hand is not None:
            hand = None if upcard is None else hand & ~(1 << card) | 1 << upcard
        hands = tuple(hand if seat == action.seat else h for seat, h in enumerate(self.hands))
        return self._replace(hands=hands, upcard=card)

    def _exchanged_card(self, action: Action) -> int:
        return 10 * self.trump + RANKS.index(action.rank)

    # --- bookkeeping ---------------------------------------------------------------------------

    def _gain(self, side: int, amount: int) -> dict[str, Any]:
        """The fields that points for a side change: these, and the end of the race (R9.1)."""
        points = _add_at(self.points, side, amount)
        goal_side = self.first_there
        if self.rules.race_to and goal_side is None and self.capote is None:
            carry = self.carried[side] if self.carried else 0
            goal_side = side if points[side] + carry >= self.rules.race_to else None
        return {"points": points, "first_there": goal_side}

    def _side_tricks(self, seat: int) -> int:
        """Tricks that the seat's side has won, if a window is open for it, else 0 (R6.2)."""
        side = self.rules.side_of(seat)
        if self.over or self.table or self.last_side != side:
            return 0
        if not self.rules.declare_to_the_end and self.stock <= 2:
            return 0
        return max(1, self.tricks_won[side])

    @property
    def _is_before_first_lead(self) -> bool:
        return not self.table and not any(self.tricks_won)

    def _next_seat(self, seat: int) -> int:
        return self.players[(self.players.index(seat) + 1) % len(self.players)]

    def _unseen(self) -> int:
        known_cards = self.seen | (0 if self.upcard is None else 1 << self.upcard)
        for hand in self.hands:
            known_cards |= hand or 0
        return PACK & ~known_cards

    def _refused_card(self, card: int, code: str, rule: str, legal: int) -> Fault:
        facts = {}
        if self.table:
            best = winning_card(self.table, SUIT_MASKS[self.trump])
            facts = {"best": CARD_NAMES[best], "led": CARD_NAMES[self.table[0]]}
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
        facts: dict[str, Any] | None = None,
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


def _add_at(totals: tuple[int, ...], index: int, amount: int) -> tuple[int, ...]:
    return tuple(total + amount * (i == index) for i, total in enumerate(totals))


def _set_at(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return tuple(value if i == index else old for i, old in enumerate(values))


def first_state(
    rules: Ruleset,
    dealer: int,
    hands: tuple[int, ...],
    trump: int,
    *,
    stock: tuple[int, ...] = (),
    upcard: int | None = None,
    carried: tuple[int, ...] = (),
    deal_of_game: int = 1,
) -> State:
    """A hand just dealt: the seat after the dealer is mano and leads (R2.3).

    ``stock`` is in drawing order, the upcard last; ``upcard`` is the card left over where there is
    no stock (R5.5). ``carried`` are the points of the game's first deal (R9.2).
    """
    nothing = (0,) * len(rules.sides)
    players = rules.players(dealer)
    index = next((i for i, seat in enumerate(players) if seat > dealer), 0)
    from_mano = (*players[index:], *players[:index])
    return State(
        rules,
        trump,
        hands,
        turn=from_mano[0],
        trick=1,
        tricks_left=rules.trick_count,
        players=players,
        points=nothing,
        tricks_won=nothing,
        last_won=nothing,
        stock=len(stock),
        draws=stock[:-1],
        upcard=stock[-1] if stock else upcard,
        dealer=dealer,
        carried=carried or nothing,
        first_there=next((side for side, n in enumerate(carried) if n >= rules.race_to > 0), None),
        deal_of_game=deal_of_game,
        to_speak=from_mano if rules.stakes == "plate" else (),
    )
