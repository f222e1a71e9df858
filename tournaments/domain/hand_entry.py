"""Enters a hand card by card, while only the cards that were played are known.

The engine is asked everything: a state with unknown hands (F4) knows whose turn it is, who took
the trick and its points. So does it know the cards that a player cannot hold any more: of a hand
with all the cards that they might hold, those legal before the card that they played are excluded,
or the play would have been against the rules (R4).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Final

import engine

PLACES: Final = {name: place for place, name in enumerate(engine.CARD_NAMES)}
"""The index of each card in the engine's card sets."""

DUTY, DECLARED, SHOWN, TAKEN, RULE = "duty", "declared", "shown", "taken", "rule"


@dataclass(frozen=True)
class Table:
    """The settings of a table: the ruleset, its options, the names at the seats."""

    ruleset: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]

    def record(self, hands: Iterable[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
        """Return a record (F1) of some hands at this table."""
        return {
            "format": "baza/1",
            "ruleset": self.ruleset,
            "options": dict(self.options),
            "seats": list(self.seats),
            **more,
            "hands": list(hands),
        }

    @cached_property
    def rules(self) -> engine.Ruleset:
        """The ruleset with its house rules, for the number of players at the table."""
        return engine.parse_record(self.record([])).ruleset


@dataclass(frozen=True, slots=True)
class Written:
    """A hand as far as it is written down.

    ``deal`` holds the cards of the seats that were entered beforehand, ``rest`` the cards that
    were left when a hand ended early; ``stock`` is in drawing order, the upcard last.
    """

    dealer: str
    trump: str = ""
    deal: Mapping[str, str] = field(default_factory=dict)
    stock: str = ""
    rest: Mapping[str, str] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Why:
    """Why a player cannot hold a card, or why a token is refused.

    ``kind`` is DUTY (the rules would have required it at ``token``), DECLARED (``seat`` declared
    with it at ``token``), SHOWN (``seat`` showed it after the deal), TAKEN (``seat`` exchanged for
    it) or RULE. ``fault`` is the engine's, where it has one.
    """

    kind: str
    token: int | None = None
    trick: int | None = None
    seat: str = ""
    fault: engine.Fault | None = None


class NotPossible(ValueError):  # noqa: N818 - named like the engine's IllegalAction
    """A token that cannot come next; ``why`` says why."""

    def __init__(self, why: Why) -> None:
        super().__init__(why.kind)
        self.why = why


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a hand being written down; everything by seat is in the order of the seats.

    ``barred`` are the cards that a seat cannot hold, ``sure`` those that it certainly was seen to
    hold, ``dealt`` the cards known to have been dealt to it, ``taken`` those got by an exchange.
    ``last`` is the trick before, with ``won``, who took it.
    """

    state: engine.State
    barred: tuple[Mapping[str, Why], ...]
    sure: tuple[frozenset[str], ...]
    dealt: tuple[tuple[str, ...], ...]
    taken: frozenset[str] = frozenset()
    last: tuple[tuple[str, str], ...] = ()
    won: str = ""

    @property
    def seats(self) -> tuple[str, ...]:
        """The letters of the seats."""
        return self.state.rules.seats

    @property
    def table(self) -> tuple[tuple[str, str], ...]:
        """The trick on the table, as (seat, card), the lead first."""
        players, leader = self.state.players, self.state.players.index(self.state.leader)
        return tuple(
            (self.seats[players[(leader + n) % len(players)]], engine.CARD_NAMES[card])
            for n, card in enumerate(self.state.table)
        )

    def unseen(self, seat: int) -> frozenset[str]:
        """Return the cards that a seat might hold after all events so far; or its known hand."""
        held = self.state.hands[seat]
        if held is None:
            held = self.state._replace(turn=seat, table=(), to_speak=(), cut_by=None).legal()
        return frozenset(named(held))

    def possible(self, seat: int) -> frozenset[str]:
        """Return the cards that a seat may hold now."""
        unseen = self.unseen(seat)
        if self.state.hands[seat] is not None:
            return unseen
        sure = self.sure[seat] & unseen
        if len(sure) >= self.left(seat):
            return sure
        return unseen - self.barred[seat].keys()

    def left(self, seat: int) -> int:
        """Return the number of cards that a seat has still to play."""
        has_played = self.seats[seat] in dict(self.table)
        return self.state.tricks_left - has_played

    def cards(self) -> frozenset[str]:
        """Return the cards that may be played now: what may be held, and is legal if all is known.

        Of a hand that is not known every card that it may hold is offered: whether it was legal
        shows when a card is played that stood against it.
        """
        state = self.state
        if state.over or state.to_speak:
            return frozenset()
        legal = frozenset(named(state.legal()))
        return legal & self.possible(state.turn)

    def calls(self) -> tuple[str, ...]:
        """Return the tokens that any seat may say now."""
        return tuple(
            action.token
            for seat in self.state.players
            for action in self.state.calls(seat)
            if self._may_hold(seat, needed(action.token, self.state.trump))
        )

    def _may_hold(self, seat: int, cards: frozenset[str]) -> bool:
        return cards <= self.possible(seat)


def named(cards: int) -> tuple[str, ...]:
    """Return the names of a set of the engine's."""
    return tuple(name for name, place in PLACES.items() if cards >> place & 1)


def set_of(cards: Iterable[str]) -> int:
    """Return the engine's set of some cards; raises ``KeyError`` for what is no card."""
    return sum(1 << PLACES[card] for card in cards)


def needed(token: str, trump: int) -> frozenset[str]:
    """Return the cards that a seat must hold to declare this (R5.2, R6.1, R6.7)."""
    declaration, suit = token.partition(":")[2], engine.SUITS[trump]
    if declaration.startswith("tute"):
        return frozenset(declaration[-1] + each for each in engine.SUITS)
    if declaration.startswith("20"):
        suit = declaration[-1]
    if declaration.startswith(("20", "40")):
        return frozenset((f"R{suit}", f"C{suit}"))
    return frozenset((declaration[1:] + suit,)) if declaration in {"x7", "x2"} else frozenset()


def first_moment(table: Table, hand: Written, carried: Mapping[str, int] | None = None) -> Moment:
    """Return the moment before the first token.

    ``carried`` are the points of the first deal, when this is the second of a race. Raises
    ``ValueError`` for a deal that cannot be, or a trump card that is none.
    """
    rules = table.rules
    if hand.trump not in PLACES:
        raise ValueError("no trump card")
    stock = tuple(hand.stock.split())
    position: dict[str, Any] = {
        "ruleset": table.ruleset,
        "options": dict(table.options),
        "trump": hand.trump[-1],
        "dealer": hand.dealer,
        "turn": rules.seats[rules.after(rules.seats.index(hand.dealer))],
        "hands": entered_hands(table, hand),
    }
    if rules.trump_shown != "dealer":
        position |= {"upcard": hand.trump, "stock": rules.stock_size}
    if carried is not None:
        position |= {"carried": dict(carried), "deal_of_game": 2}
    state = engine.position_from_dict(position)
    state = state._replace(draws=tuple(PLACES[card] for card in stock[:-1]))
    if rules.stakes == "plate":
        at = state.players.index(state.turn)
        state = state._replace(to_speak=(*state.players[at:], *state.players[:at]))
    nobody: tuple[frozenset[str], ...] = (frozenset(),) * len(rules.seats)
    cards = tuple(() if held is None else named(held) for held in state.hands)
    moment = Moment(state, ({},) * len(rules.seats), nobody, cards)
    if rules.trump_shown != "dealer":
        return moment
    why = Why(SHOWN, seat=hand.dealer)
    return _is_held(moment, rules.seats.index(hand.dealer), frozenset((hand.trump,)), why)


def entered_hands(table: Table, hand: Written) -> dict[str, str]:
    """Return the hands that are known whole before the play; the last one follows from the others.

    Raises ``ValueError`` where a card appears twice.
    """
    rules = table.rules
    players = [rules.seats[n] for n in rules.players(rules.seats.index(hand.dealer))]
    whole = {
        seat: hand.deal[seat]
        for seat in players
        if len(hand.deal.get(seat, "").split()) == rules.cards_each
    }
    lying = {card for cards in whole.values() for card in cards.split()}
    lying |= set(hand.stock.split())
    missing = [seat for seat in players if seat not in whole]
    if rules.trump_shown == "aside":
        lying.add(hand.trump)
    if len(missing) == 1 and len(PLACES) - len(lying) == rules.cards_each:
        whole[missing[0]] = " ".join(card for card in PLACES if card not in lying)
    return whole


def after(moment: Moment, token: str) -> Moment:
    """Return the moment after a token. Raises `NotPossible`."""
    seat = moment.state.turn
    is_unknown = moment.state.hands[seat] is None and not moment.state.to_speak
    if is_unknown and (why := moment.barred[seat].get(token)) is not None:
        raise NotPossible(why)
    if ":" in token:
        _refuse_unheld(moment, token)
    try:
        state = moment.state.apply(token)
    except engine.IllegalAction as refused:
        fault = refused.fault
        raise NotPossible(Why(RULE, fault.token, fault.trick, fault=fault)) from refused
    if ":" in token:
        return _said(replace(moment, state=state), token, moment.state)
    return _played(moment, state, token)


def _refuse_unheld(moment: Moment, token: str) -> None:
    if token[0] not in moment.seats:
        return
    seat = moment.seats.index(token[0])
    for card in sorted(needed(token, moment.state.trump)):
        if moment.state.hands[seat] is None and card in moment.barred[seat]:
            raise NotPossible(moment.barred[seat][card])


def _played(moment: Moment, state: engine.State, card: str) -> Moment:
    before, seat = moment.state, moment.state.turn
    barred = dict(moment.barred[seat])
    if before.hands[seat] is None:
        barred |= _against_duty(moment, seat, card)
    dealt = moment.dealt[seat]
    if before.hands[seat] is None and card not in moment.taken:
        dealt = (*dealt, card)
    is_taken = sum(state.tricks_won) > sum(before.tricks_won)
    won = state.last_winner if is_taken else None
    return replace(
        moment,
        state=state,
        barred=_put(moment.barred, seat, barred),
        dealt=_put(moment.dealt, seat, dealt),
        last=(*moment.table, (moment.seats[seat], card)) if is_taken else moment.last,
        won=moment.won if won is None else moment.seats[won],
    )


def _against_duty(moment: Moment, seat: int, card: str) -> Iterator[tuple[str, Why]]:
    """Yield the cards that a player cannot hold, having played another, with the reason."""
    state, held = moment.state, set_of(moment.possible(seat) | {card})
    while not (earlier := _with(state, seat, held).legal()) >> PLACES[card] & 1:
        for name in named(earlier):
            fault = _fault(_with(state, seat, set_of((name, card))), card)
            yield name, Why(DUTY, state.tokens, state.trick, moment.seats[seat], fault)
        held &= ~earlier


def _with(state: engine.State, seat: int, held: int) -> engine.State:
    return state._replace(hands=_put(state.hands, seat, held))


def _fault(state: engine.State, token: str) -> engine.Fault | None:
    try:
        state.apply(token)
    except engine.IllegalAction as refused:
        return refused.fault
    return None


def _said(moment: Moment, token: str, before: engine.State) -> Moment:
    seat = moment.seats.index(token[0])
    cards = needed(token, before.trump)
    reason = Why(DECLARED, before.tokens, before.trick, token[0])
    if before.upcard == moment.state.upcard:
        return _is_held(moment, seat, cards, reason)
    upcard = frozenset(() if before.upcard is None else (engine.CARD_NAMES[before.upcard],))
    dealt = moment.dealt[seat]
    if before.hands[seat] is None:
        dealt = (*dealt, *(card for card in cards if card not in moment.taken))
    got = replace(
        moment, dealt=_put(moment.dealt, seat, dealt), taken=(moment.taken | upcard) - cards
    )
    return _is_held(got, seat, upcard, replace(reason, kind=TAKEN))


def _is_held(moment: Moment, holder: int, cards: frozenset[str], why: Why) -> Moment:
    """Note that a seat holds some cards, and so nobody else does."""
    barred = tuple(
        others if seat == holder else {**others, **dict.fromkeys(cards, why)}
        for seat, others in enumerate(moment.barred)
    )
    return replace(
        moment, barred=barred, sure=_put(moment.sure, holder, moment.sure[holder] | cards)
    )


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return tuple(value if i == index else old for i, old in enumerate(values))


@cache
def beaten_by(trump: str) -> dict[str, str]:
    """Return for every card those that take the trick from it while it wins, as one text (R4.7).

    With this a page can tell who took a trick while it cannot ask.
    """
    beats: dict[str, str] = {}
    for best in engine.CARD_NAMES:
        position = {"ruleset": "habanero", "trump": trump, "turn": "B", "trick": best}
        state = engine.position_from_dict(position)
        others = [card for card in engine.CARD_NAMES if card != best]
        beats[best] = " ".join(card for card in others if state.apply(card).last_winner == 1)
    return beats
