"""Slips in the play: tokens swapped, misread, left out, put in, noted at the wrong moment.

The rules accept all tokens before the fault, so a repair must change one at or before it; and
the first token that it changes must be one that the rules accept there. The states before the
fault are known, so nearly every candidate falls at its first token, and nothing is replayed twice.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from engine.actions import ACTIONS, Kind
from engine.cards import CARD_NAMES, CARDS, cards_in
from engine.errors import Hint, IllegalAction
from engine.hints.repairs import Hand, Repair, make_repair, visual_distance
from engine.replay import Outcome, states
from engine.state import State

MAX_TOKENS: Final = 64
"""A longer play holds more than one slip: only what follows its end is looked at."""

MAX_APPLIED: Final = 4000
"""Tokens that are applied in search of one hint: what lies nearest to the fault is tried first."""

_CODES_WITHOUT_CARDS: Final = frozenset(
    {
        "claim.not_admitted",
        "declare.limit",
        "declare.not_admitted",
        "declare.repeated",
        "exchange.not_admitted",
        "exchange.upcard",
        "support.not_admitted",
        "support.window",
    }
)
"""Faults that no other card in the play would mend."""

_HAND_ENDING: Final = frozenset({Kind.TUTE, Kind.CAPOTE, Kind.CLAIM})
_CALL_KINDS: Final = frozenset(Kind) - {Kind.PLAY}
_DECLARED: Final = frozenset({Kind.TWENTY, Kind.FORTY})

_MISSING_CALLS: Final[Mapping[str, frozenset[Kind]]] = MappingProxyType(
    {
        "play.not_held": frozenset({Kind.EXCHANGE}),
        "play.must": frozenset({Kind.EXCHANGE}),
        "play.incomplete": frozenset({Kind.TUTE, Kind.CLAIM, Kind.CAPOTE, Kind.SUPPORT}),
        "declare": _DECLARED | {Kind.EXCHANGE},
        "exchange": frozenset({Kind.EXCHANGE}),
        "support": frozenset({Kind.SUPPORT}),
        "score": _DECLARED,
    }
)
"""Declarations that may have been left out of the record, by the fault that follows from it."""


def repaired_plays(hand: Hand) -> list[Repair]:
    """Every repair of the play that makes the hand legal."""
    return list(_Play(hand).repairs())


class _Play:
    """The play of a refused hand, legal up to the token ``last``."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.rules = hand.rules
        self.tokens = hand.tokens
        self.states = list(states(hand.rules, hand.record, hand.game))
        self.last = len(self.states) - 1
        self.legal = [0 if state.to_speak else state.legal() for state in self.states]
        self.absent = ~sum(1 << CARDS[card] for card in {*self.tokens} & CARDS.keys())
        self.calls = {
            token: action
            for token, action in ACTIONS.items()
            if 0 <= action.seat < self.rules.seat_count
        }
        self.budget = MAX_APPLIED
        needed = self.rules.trick_count * self.rules.player_count
        self.lacking = needed - sum(token in CARDS for token in self.tokens)
        self.cut = any(self._may_end_hand(token) for token in self.tokens)
        self.doubled = {token for token in self.tokens if self.tokens.count(token) > 1}
        """No token appears twice in a legal hand: a repair must change one of these."""
        self.tried = {tuple(self.tokens)}

    def repairs(self) -> Iterator[Repair]:
        """The likeliest kinds of slip first, so that of two equal writings the likelier is kept."""
        fault = self.hand.fault
        if fault.code == "play.after_end":
            yield from self._delete_tail()
        if len(self.tokens) > MAX_TOKENS:
            return
        if fault.code == "play.incomplete":
            yield from self._forced_cards()
        yield from self._delete_tokens()
        yield from self._misread_calls()
        if fault.code != "play.token" and not self.doubled:
            yield from self._missing_calls()
            yield from self._move_calls()
        if fault.code not in _CODES_WITHOUT_CARDS and not self.hand.has_legal_play:
            yield from self._cards()

    def _cards(self) -> Iterator[Repair]:
        yield from self._misread_cards()
        if self.hand.fault.code == "play.token" or self.doubled:
            return
        if self._has_missing(0):
            yield from self._swap_tokens()
        if self._has_missing(1):
            yield from self._missing_cards()

    def _has_missing(self, cards: int) -> bool:
        """Whether this number of cards is missing from a full hand; a cut one may lack any number.

        A repair that leaves a card too many or too few needs no replay to be refused.
        """
        return self.cut or self.lacking == cards

    # --- one slip at a time ---------------------------------------------------------------------

    def _delete_tail(self) -> Iterator[Repair]:
        """Repairs that delete all tokens after the end of the hand."""
        rest, tail = self.tokens[: self.last], " ".join(self.tokens[self.last :])
        places = tuple(range(self.last, len(self.tokens)))
        yield from self._try_play(rest, self.last, 0, "superfluous", places, tail)

    def _delete_tokens(self) -> Iterator[Repair]:
        """A token too many; likeliest one that is there twice, or something said."""
        for index, token in enumerate(self._tokens_to_fault()):
            if not self._may_change(index) or (token in CARDS and not self._has_missing(-1)):
                continue
            following = self.tokens[index + 1 : index + 2]
            if not following or self._is_legal_at(index, following[0]):
                twice = self.tokens.count(token) > 1
                cost = 1 if twice else 2 if token not in CARDS else 4
                rest = [*self.tokens[:index], *self.tokens[index + 1 :]]
                yield from self._try_play(rest, index, cost, "superfluous", (index,), token)

    def _swap_tokens(self) -> Iterator[Repair]:
        """Two tokens in each other's place, likeliest within one trick."""
        tricks = self._tricks()
        for index, first in reversed(list(enumerate(self._tokens_to_fault()))):
            for other in range(index + 1, len(self.tokens)):
                second = self.tokens[other]
                if second != first and self._is_legal_at(index, second):
                    swapped = self.tokens.copy()
                    swapped[index], swapped[other] = second, first
                    cost = 1 if tricks[index] == tricks[other] else 2
                    pair = (first, second)
                    yield from self._try_play(swapped, index, cost, "swap", (index, other), pair)

    def _misread_cards(self) -> Iterator[Repair]:
        for index, token in enumerate(self._tokens_to_fault()):
            lacking = 0 if token in CARDS else 1
            if token not in self.calls and self._may_change(index) and self._has_missing(lacking):
                for card in cards_in(self.legal[index] & self.absent):
                    yield from self._change_token(index, token, CARD_NAMES[card], "card")

    def _misread_calls(self) -> Iterator[Repair]:
        for index, token in enumerate(self._tokens_to_fault()):
            if token not in CARDS and self._may_change(index):
                for call in self._calls(index, _CALL_KINDS):
                    yield from self._change_token(index, token, call, "call")

    def _missing_cards(self) -> Iterator[Repair]:
        for index in range(self.last + 1):
            for card in cards_in(self.legal[index] & self.absent):
                yield from self._insert_token(index, CARD_NAMES[card], 3)

    def _missing_calls(self) -> Iterator[Repair]:
        code = self.hand.fault.code
        cost = 1 if code.startswith("play.") else 2  # an exchange gives the card not held
        for family, kinds in _MISSING_CALLS.items():
            if code.startswith(family):
                for index in range(self.last + 1):
                    for call in self._calls(index, kinds):
                        yield from self._insert_token(index, call, cost)

    def _move_calls(self) -> Iterator[Repair]:
        """Something said, noted at another moment than when it was said."""
        for origin, call in enumerate(self.tokens):
            if call not in self.calls:
                continue
            rest = [*self.tokens[:origin], *self.tokens[origin + 1 :]]
            for now in self._call_places(call, rest):
                first = min(origin, now)
                tokens = [*rest[:now], call, *rest[now:]]
                if now != origin and first <= self.last and self._is_legal_at(first, tokens[first]):
                    cost = 2 if abs(now - origin) <= len(self.rules.seats) else 3
                    yield from self._try_play(
                        tokens, first, cost, "moved", (origin, now), call, call
                    )

    def _forced_cards(self) -> Iterator[Repair]:
        """The end of a play that leaves nobody a choice."""
        state, cards = self.states[-1], list[str]()
        while not state.over and not state.to_speak and state.legal().bit_count() == 1:
            cards += state.legal_tokens()[-1:]
            state = state.apply(cards[-1])
        if cards:
            tokens = [*self.tokens, *cards]
            yield from self._try_play(
                tokens, self.last, 2, "missing", (self.last,), write=" ".join(cards)
            )

    # --- what a token may be --------------------------------------------------------------------

    def _tokens_to_fault(self) -> list[str]:
        """The tokens up to the fault: a repair touches one of them."""
        return self.tokens[: self.last + 1]

    def _may_change(self, index: int) -> bool:
        """Whether a repair may change the token at a place and leave all others."""
        if self.hand.fault.code == "play.token":
            return index == self.last
        return not self.doubled or self.doubled == {self.tokens[index]}

    def _is_legal_at(self, index: int, token: str) -> bool:
        """Whether ``token`` may stand at a place up to the fault."""
        card = CARDS.get(token)
        if card is not None:
            return bool(self.legal[index] >> card & 1)
        return _apply(self.states[index], token) is not None

    def _calls(self, index: int, kinds: frozenset[Kind]) -> Iterator[str]:
        """The declarations that are possible at a place up to the fault."""
        state = self.states[index]
        for token, action in self.calls.items():
            if action.kind not in kinds:
                continue
            if state.table and action.kind is not Kind.EXCHANGE:
                continue
            if _apply(state, token) is not None:
                yield token

    def _call_places(self, call: str, tokens: list[str]) -> Iterator[int]:
        """The places in a play for a declaration: an exchange anywhere, others between tricks."""
        size, cards = self.rules.player_count, 0
        for index in range(len(tokens) + 1):
            if self.calls[call].kind is Kind.EXCHANGE or not cards % size:
                yield index
            cards += tokens[index : index + 1] != [] and tokens[index] in CARDS

    def _tricks(self) -> list[int]:
        """The trick of each token."""
        tricks, cards = [], 0
        for token in self.tokens:
            tricks.append(cards // self.rules.player_count)
            cards += token in CARDS
        return tricks

    # --- whether a writing is legal -------------------------------------------------------------

    def _may_end_hand(self, token: str) -> bool:
        """Whether a token may end the hand before its last card (R7.5)."""
        return token in self.calls and self.calls[token].kind in _HAND_ENDING

    def _change_token(self, index: int, original: str, write: str, kind: str) -> Iterator[Repair]:
        tokens = [*self.tokens[:index], write, *self.tokens[index + 1 :]]
        cost = 1 + visual_distance(original, write)
        yield from self._try_play(tokens, index, cost, kind, (index,), original, write)

    def _insert_token(self, index: int, write: str, cost: int) -> Iterator[Repair]:
        tokens = [*self.tokens[:index], write, *self.tokens[index:]]
        yield from self._try_play(tokens, index, cost, "missing", (index,), write=write)

    def _try_play(
        self,
        tokens: list[str],
        first: int,
        cost: int,
        kind: str,
        places: tuple[int, ...],
        original: str | tuple[str, str] | None = None,
        write: str | None = None,
    ) -> Iterator[Repair]:
        """The repair, if the play that it gives is legal from ``first`` on."""
        if tuple(tokens) in self.tried or self.budget < 0:
            return
        self.tried.add(tuple(tokens))
        text = " ".join(tokens)
        outcome = self._outcome(tokens, first)
        if outcome is not None:
            mended = replace(self.hand.record, play=text)
            hint = Hint(kind, places, found=original, write=write)
            yield make_repair(self.hand, cost, hint, mended, outcome)

    def _outcome(self, tokens: list[str], first: int) -> Outcome | None:
        """The outcome of a play that is legal up to ``first``, ``None`` unless all of it is."""
        state = self.states[first]
        try:
            for token in tokens[first:]:
                self.budget -= 1
                state = state.apply(token)
        except IllegalAction:
            return None
        if not state.over:
            return None
        return Outcome(state.points, state.winner, state.last_side, (), ())


def _apply(state: State, token: str) -> State | None:
    """The state after a token, ``None`` where the rules refuse it."""
    try:
        return state.apply(token)
    except IllegalAction:
        return None
