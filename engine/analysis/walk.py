"""Steps through a hand for the analysis: the cards played once all cards are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.analysis.answer import CAPOTE, FAULT, NO_PLAY, SIDES, STOCK
from engine.auditor import game_of
from engine.cards import CARDS, SEATS
from engine.replay import states
from engine.solver import Moment, moment_of

if TYPE_CHECKING:
    from engine.notation import Record
    from engine.rulesets import Ruleset
    from engine.state import State


class Step(NamedTuple):
    """A card about to be played: by its token, the state before it and the same for the solver.

    ``gained`` is the margin of the first side in points that the card makes by ending its trick.
    """

    token: int
    state: State
    moment: Moment
    card: int
    gained: int

    @property
    def seat(self) -> str:
        """The letter of the seat that plays the card."""
        return SEATS[self.state.turn]

    @property
    def choices(self) -> int:
        """The number of legal cards."""
        return self.moment.legal.bit_count()


class Walk(NamedTuple):
    """The steps of a hand from token ``first`` on, where nothing is left to draw.

    ``opening`` is the state there, ``end`` the last one, ``rest`` what was still to be played when
    a tute or a claim ended the hand.
    """

    rules: Ruleset
    first: int
    opening: State
    steps: tuple[Step, ...]
    end: State
    rest: Moment | None


def walk(record: Record, index: int) -> Walk | str:
    """The steps of a hand, or the code of :data:`NOT_ANALYSED` that says why there are none."""
    rules, hand = record.ruleset, record.hands[index]
    if len(rules.sides) != 2:
        return SIDES
    if hand.play is None or hand.deal is None:
        return NO_PLAY
    tokens = hand.play.split()
    passed = list(states(rules, hand, game_of(record, index)))
    if len(passed) <= len(tokens) or not passed[-1].over:
        return FAULT
    first = next((n for n, state in enumerate(passed) if not state.stock), len(passed))
    if first == len(passed) or passed[first].over:
        return STOCK
    if passed[-1].capote is not None:
        return CAPOTE
    return _build_walk(rules, tokens, passed, first)


def _build_walk(rules: Ruleset, tokens: list[str], passed: list[State], first: int) -> Walk:
    steps = []
    moment = moment_of(passed[first])
    for token in range(first, len(tokens)):
        if ":" not in tokens[token]:
            card = CARDS[tokens[token]]
            next_moment, points = moment.after(card)
            gained = 2 * points - (moment.rest - next_moment.rest) if not next_moment.table else 0
            steps.append(Step(token, passed[token], moment, card, gained))
            moment = next_moment
    rest = moment if any(moment.hands) else None
    return Walk(rules, first, passed[first], tuple(steps), passed[-1], rest)


def margin(points: tuple[int, ...]) -> int:
    """The first side's points less the second's."""
    return points[0] - points[1]
