"""A hand as a sequence of questions: who is asked next, what it may answer, what each seat knows.

:class:`~engine.state.State` says what the rules admit of every seat; a table asks one seat at a
time. The order depends on nothing but the play. Before every card each player from the one in turn
on is asked for what it may say, silence included, and asked again when there is something new to
say. Where a plate is played for, supports are asked for after the first such round, from mano on
(R8.4), and another round follows. During a trick only cards of the stock are exchanged (R5.3).

An answer is a token, or its number in :data:`ACTIONS`. A game is a value: :meth:`Game.apply`
returns another one, and the old one stays as it is.

>>> from engine import RULESETS, games
>>> game = next(games(RULESETS["mano-a-mano"], b"seed"))
>>> while not game.over:
...     game = game.step(game.legal_actions[0])
>>> sum(game.returns)
0.0
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.actions import CALLS, Kind
from engine.bots.base import SILENCE
from engine.cards import CARD_NAMES, CARDS, SEATS, mask_of, names
from engine.dealing import Deal, deal
from engine.replay import FIRST, CarryOver, dealt_state
from engine.rulesets import Ruleset
from engine.state import State
from engine.view import MatchScore, View, view

_CALLS: Final = CALLS[0]
_AT_START: Final = MatchScore()

ACTIONS: Final = (
    *CARD_NAMES,
    SILENCE,
    *(
        action.token.removeprefix(f"{SEATS[0]}:")
        for calls in (_CALLS.declarations, _CALLS.exchanges, _CALLS.claims, _CALLS.supports)
        for action in calls
    ),
)
"""Every answer, without its seat: 40 cards, silence and 13 things that are said.

No release changes the number of an answer.
"""

_NUMBERS: Final = {answer: number for number, answer in enumerate(ACTIONS)}


class NextDeal(NamedTuple):
    """The seed, label and number from which the second deal of a race follows."""

    seed: bytes
    label: str
    number: int


class Game(NamedTuple):
    """A hand, or a game of a race (R9), between two answers.

    ``player`` is the seat that is asked (-1 at the end) and ``legal`` the tokens it may answer.
    ``trump_card`` shows trumps, ``history`` lists the events that all players have seen as (seat,
    token), ``passed`` are the tokens that were not said since the last card. ``standing`` is the
    score of the match before this hand, ``next_deal`` where the second deal of a race comes from.
    """

    state: State
    trump_card: str
    player: int
    legal: tuple[str, ...]
    history: tuple[tuple[str, str], ...] = ()
    passed: frozenset[str] = frozenset()
    standing: MatchScore = _AT_START
    next_deal: NextDeal | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.player < 0

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """The numbers in :data:`ACTIONS` that the player may answer, ascending for cards."""
        return tuple(_NUMBERS[token.rpartition(":")[2]] for token in self.legal)

    @property
    def returns(self) -> tuple[float, ...]:
        """The result by seat: 1 for those who won, -1 shared by the sides that lost.

        0 for all before the end, in an undecided race, and for a seat that was dealt no cards.
        """
        rules, winner, players = self.state.rules, self.state.winner, self.state.players
        if winner is None:
            return (0.0,) * rules.seat_count
        sides = {rules.side_of(seat) for seat in players}
        by_side = {side: 1.0 if side == winner else -1 / (len(sides) - 1) for side in sides}
        return tuple(
            by_side[rules.side_of(seat)] if seat in players else 0.0
            for seat in range(rules.seat_count)
        )

    def observation(self, seat: int) -> View:
        """Return what a seat knows, with its legal tokens if it is asked."""
        legal = self.legal if seat == self.player else ()
        return view(self.state, seat, self.trump_card, self.history, legal, self.standing)

    def step(self, action: int) -> "Game":
        """Return the game after an answer, given by its number.

        Raises ``ValueError`` for an answer that is not legal.
        """
        if not 0 <= action < len(ACTIONS):
            raise ValueError(f"{action} is no number of an action")
        answer = ACTIONS[action]
        is_said = action >= len(CARD_NAMES) and answer != SILENCE
        return self.apply(f"{SEATS[self.player]}:{answer}" if is_said else answer)

    def apply(self, token: str) -> "Game":
        """Return the game after an answer, given as a token.

        Raises ``ValueError`` for an answer that is not legal.
        """
        if token not in self.legal:
            raise ValueError(f"{token!r} is not one of {self.legal}")
        if token == SILENCE:
            return self._asked(self.state, self.history, self.passed.union(self.legal))
        state = self.state.apply(token)
        history = (*self.history, (SEATS[self.player], token))
        if state.over and self.next_deal and state.winner is None:
            return self._second_deal(state, self.next_deal)
        ends_round = token in CARDS or (self.state.to_speak and not state.to_speak)
        return self._asked(state, history, frozenset() if ends_round else self.passed)

    def _asked(
        self, state: State, history: tuple[tuple[str, str], ...], passed: frozenset[str]
    ) -> "Game":
        player, legal = _question(state, passed)
        return Game(
            state, self.trump_card, player, legal, history, passed, self.standing, self.next_deal
        )

    def _second_deal(self, first: State, at: NextDeal) -> "Game":
        """R9.2: deal again after a first deal that did not decide the race."""
        dealer = first.dealer if first.last_winner is None else first.last_winner
        dealt = deal(first.rules, at.seed, at.label, at.number, dealer)
        return new_game(first.rules, dealt, CarryOver(first.points, 2), self.standing)


def _question(state: State, passed: frozenset[str]) -> tuple[int, tuple[str, ...]]:
    """Return the seat that is asked and the tokens it may answer."""
    if state.over:
        return -1, ()
    if not state.table or state.stock:
        index = state.players.index(state.turn)
        for seat in (*state.players[index:], *state.players[:index]):
            tokens = tuple(
                each.token for each in state.calls(seat) if each.kind is not Kind.SUPPORT
            )
            if not passed.issuperset(tokens):
                return seat, (*tokens, SILENCE)
    if state.to_speak:
        seat = state.to_speak[0]
        supports = (each.token for each in state.calls(seat) if each.kind is Kind.SUPPORT)
        return seat, tuple(supports)
    return state.turn, names(state.legal())


def new_game(
    rules: Ruleset, dealt: Deal, carry_over: CarryOver = FIRST, standing: MatchScore = _AT_START
) -> Game:
    """Return a hand that was just dealt; every hand of the deal must be known."""
    hands = tuple(
        mask_of(CARDS[card] for card in dealt.hands[seat].split()) for seat in rules.seats
    )
    state = dealt_state(rules, dealt, hands, dealt.trump, carry_over)
    player, legal = _question(state, frozenset())
    return Game(state, dealt.trump, player, legal, standing=standing)


def games(rules: Ruleset, seed: bytes, label: str = "") -> Iterator[Game]:
    """Yield games without end; their deals follow from the seed as those of a match do."""
    deals = 2 if rules.race_to else 1
    number = 1
    while True:
        game = new_game(rules, deal(rules, seed, label, number))
        yield game._replace(next_deal=NextDeal(seed, label, number + 1)) if deals > 1 else game
        number += deals
