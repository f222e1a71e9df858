"""The strong bot at the table: what it thinks about before a card, and what it says."""

import hashlib
from math import gcd
from typing import Any, Final, NamedTuple

from engine.actions import Kind
from engine.bots.base import SILENCE
from engine.bots.sensible import Sensible
from engine.bots.strong import setting, thinking
from engine.bots.strong.beliefs import PRIORS, weigh_by_policy
from engine.bots.strong.capote import can_announce_capote, capote_card
from engine.bots.strong.playing import FEATURES, WORLD
from engine.bots.strong.policy import ROOM, RULESET
from engine.bots.strong.policy_weights import WEIGHTS as POLICY
from engine.bots.strong.weights import WEIGHTS_OF
from engine.cards import CARD_NAMES, CARDS, COUPLES, mask_of
from engine.fast import masks as at
from engine.fast.compiling import fractions, whole_numbers
from engine.fast.masks import Suits
from engine.rules import declared_suit
from engine.solver import Moment, values_in
from engine.view import View
from engine.worlds import Knowledge, knowledge_of, sample_worlds

_SHARES: Final = 11**3
_WORLD_DIVISOR, _MIN_WORLDS = 10, 12
_STAKE: Final = 200
"""What a supporter wins or loses with each of the others (R8.4)."""


class Level(NamedTuple):
    """The amount of search at a level, in worlds and not in time, so that a match can be replayed.

    ``worlds`` are drawn and weighed; in ``trials`` of them, by their weight, the hand is played out
    after every card that may be played. Of ``doubt`` parts of their cards the others are thought to
    play at random. With ``by_policy`` the worlds are weighed by the learnt policy where there is
    one, else by the judgement that plays the hands out.
    """

    worlds: int
    trials: int
    doubt: float = 0.1
    by_policy: bool = False


QUICK: Final = Level(60, 90)
STRONG: Final = Level(800, 2000, by_policy=True)
DEEP: Final = Level(4000, 20_000, by_policy=True)
LEVELS: Final = {"quick": QUICK, "strong": STRONG, "deep": DEEP}
"""By the names under which the house has them."""


class Strong:
    """Plays what does best in worlds that agree with all it has seen.

    The same view and seed get the same answer. A view with no choice costs nothing.
    """

    def __init__(self, level: Level, seed: bytes = b"") -> None:
        self.level = level
        self._seed = seed

    def choose(self, view: View) -> str:
        """The card that makes most in the mean, or what is worth saying."""
        if any(":" in token for token in view.legal):
            return self._choose_declaration(view)
        if len(view.legal) == 1:
            return view.legal[0]
        if view.capote is not None and (card := capote_card(view)) >= 0:
            return CARD_NAMES[card]
        return CARD_NAMES[self._choose_card(view)]

    def _choose_card(self, view: View) -> int:
        thought = Search(view, self.level, search_seed(self._seed, view))
        if len(thought.moves) == 1:
            return thought.moves[0]
        values = thought.values()
        return max(thought.moves, key=lambda card: values[card])

    def _choose_declaration(self, view: View) -> str:
        if any(token.endswith(":voy") for token in view.legal):
            return self._support(view)
        choice, capote = Sensible().choose(view), f"{view.seat}:capote"
        if choice == SILENCE and capote in view.legal and can_announce_capote(view):
            return capote
        return choice

    def _support(self, view: View) -> str:
        """Undertakes to win the plate where that pays (R8.4), unless another seat has."""
        if view.supporter is not None:
            return f"{view.seat}:paso"
        thought = Search(view, self.level, search_seed(self._seed, view))
        chance = thought.chance_of_goal()
        others, plate = len(view.players) - 1, view.standing.plate or 0
        gain = chance * (_STAKE * others + plate) - (1 - chance) * _STAKE * others
        return f"{view.seat}:{'voy' if gain > 0 else 'paso'}"


def search_seed(seed: bytes, view: View) -> int:
    """The seed of the search: it depends on the bot's seed and on what the seat has seen."""
    observation = " ".join([view.seat, *view.hand, "|", *(token for _seat, token in view.history)])
    return int.from_bytes(hashlib.sha256(seed + observation.encode()).digest()[:6], "big")


class Search:
    """The search for one card."""

    def __init__(self, view: View, level: Level, seed: int) -> None:
        self.view, self.level, self.seed = view, level, seed
        self.known: Knowledge = knowledge_of(view)
        self.suits = Suits(self.known.trump, self.known.players)
        legal = mask_of(CARDS[card] for card in view.legal if card in CARDS)
        self.moves = setting.distinct_cards(self.known, legal)
        self.game = whole_numbers([0] * at.GAME)
        self.weights = WEIGHTS_OF[_weights_name(self.known)]
        self.features = fractions([0.0] * (at.MAX_MOVES * FEATURES))
        self.scores = fractions([0.0] * (at.MAX_MOVES + 1))

    def values(self) -> dict[int, float]:
        """The mean of the own side's points less the others' after each card."""
        if self._all_cards_known():
            return self._solve_exactly()
        start = setting.current_game(self.view, self.known, self.suits)
        worlds = self.sample_worlds()
        picks = self._pick_worlds(worlds)
        margins = fractions([0.0] * len(self.moves))
        thinking.mean_margins(
            start,
            self.game,
            worlds,
            whole_numbers(picks),
            self.level.trials,
            whole_numbers([self.suits.card(card) for card in self.moves]),
            len(self.moves),
            self.seed,
            self.weights,
            self.features,
            self.scores,
            margins,
        )
        return dict(zip(self.moves, map(float, margins), strict=True))

    def chance_of_goal(self) -> float:
        """How often the seat makes 101 points when it undertakes to win the plate."""
        start = setting.current_game(self.view, self.known, self.suits)
        setting.set_goal(start, self.suits.seat(self.known.seat))
        worlds = self.sample_worlds()
        share = thinking.goal_share(
            start,
            self.game,
            worlds,
            self._world_count,
            self.level.trials,
            self.seed,
            self.weights,
            self.features,
            self.scores,
        )
        return float(share)

    @property
    def _world_count(self) -> int:
        """The number of worlds to draw: fewer where they are not weighed."""
        if self.known.rules.stock_size:
            return max(_MIN_WORLDS, self.level.worlds // _WORLD_DIVISOR)
        return self.level.worlds

    def sample_worlds(self) -> Any:
        """Worlds, a row each."""
        count = self._world_count
        if self.known.rules.stock_size:
            sample = sample_worlds(self.known, count, str(self.seed))
            rows = [setting.world_row(world, self.known, self.suits) for world in sample]
            return whole_numbers([number for row in rows for number in row])
        worlds = whole_numbers([0] * (count * WORLD))
        deal = setting.deal_of(self.known, self.suits)
        shares = fractions([0.0] * _SHARES)
        logs = setting.factorials(self.known)
        if not thinking.draw_worlds(deal, logs, shares, worlds, count, self.seed):
            raise ValueError("no deal agrees with what is known")
        return worlds

    def _pick_worlds(self, worlds: Any) -> list[int]:
        """The worlds to play in, each as often as its weight says."""
        count, trials = self._world_count, self.level.trials
        if self.known.rules.stock_size or not self.known.plays:
            return [trial % count for trial in range(trials)]
        likelihoods = self.weigh_worlds(worlds)
        return _interleave(_systematic_sample(self._without_couples(likelihoods, worlds), trials))

    def weigh_worlds(self, worlds: Any) -> Any:
        """How likely the others' plays are in each world, the likeliest being 1."""
        count, tokens = self._world_count, setting.tokens_of(self.known, self.suits)
        likelihoods = fractions([0.0] * count)
        first = setting.initial_game(self.view, self.known, self.suits)
        me = self.suits.seat(self.known.seat)
        if self.level.by_policy and self.known.rules.name == RULESET:
            weigh_by_policy(
                first,
                self.game,
                self.known.trump,
                tokens,
                len(tokens),
                me,
                worlds,
                count,
                POLICY,
                self.features,
                fractions([0.0] * ROOM),
                fractions([0.0] * (4 * PRIORS)),
                likelihoods,
            )
            return likelihoods
        thinking.weigh_worlds(
            first,
            self.game,
            tokens,
            len(tokens),
            me,
            worlds,
            count,
            self.level.doubt,
            self.weights,
            self.features,
            self.scores,
            likelihoods,
        )
        return likelihoods

    def _without_couples(self, likelihoods: Any, worlds: Any) -> list[float]:
        """The weights, 0 for worlds in which a seat holds a couple that it cannot (R6.5c, d)."""
        weights = [float(weight) for weight in likelihoods]
        for seat, cards in self.known.exclusions:
            both, index = self.suits.cards(cards), self.suits.seat(seat)
            for number in range(len(weights)):
                if worlds[number * WORLD + index] & both == both:
                    weights[number] = 0.0
        return weights if any(weights) else [1.0] * len(weights)

    def _possible_hands(self) -> tuple[int, ...]:
        """All hands, if each unseen card can lie in one place only."""
        return tuple(
            self.known.certain[seat] | (self.known.unseen if seat in self.known.others else 0)
            for seat in range(len(self.known.sizes))
        )

    def _all_cards_known(self) -> bool:
        """Whether two players know all cards and nobody has a couple left to declare."""
        knowledge = self.known
        if knowledge.stock or self.view.stock or len(knowledge.others) != 1:
            return False
        declared = {
            declared_suit(action, knowledge.trump)
            for _moment, action in knowledge.actions
            if action.kind in (Kind.TWENTY, Kind.FORTY)
        }
        return not any(
            hand & couple == couple
            for hand in self._possible_hands()
            for suit, couple in enumerate(COUPLES)
            if suit not in declared
        )

    def _solve_exactly(self) -> dict[int, float]:
        """The values of the legal cards by the exact solver, once all hands are known."""
        table = tuple(CARDS[card] for _seat, card in self.view.table)
        knowledge = self.known
        moment = Moment(
            knowledge.rules, self._possible_hands(), knowledge.trump, knowledge.seat, table
        )
        (values,) = values_in(moment, [moment.hands])
        return {card: float(values[card]) for card in self.moves}


def _weights_name(knowledge: Knowledge) -> str:
    if knowledge.rules.pairs:
        return "pairs"
    return "two" if len(knowledge.players) == 2 else "three"


def _systematic_sample(weights: list[float], trials: int) -> list[int]:
    """Indices in order, each as often as its share of all weights says (systematic sampling)."""
    step = sum(weights) / trials
    picks: list[int] = []
    up_to = -step / 2
    for number, weight in enumerate(weights):
        up_to += weight
        picks += [number] * int(max(0, up_to // step + 1 - len(picks)))
    return (picks + [len(weights) - 1] * trials)[:trials]


def _interleave(picks: list[int]) -> list[int]:
    """Reorders worlds so that neighbours are apart: the first few are then a sample too."""
    count = len(picks)
    step = next(
        each for each in range(int(count * 0.618) | 1, 2 * count + 2) if gcd(each, count) == 1
    )
    return [picks[number * step % count] for number in range(count)]
