"""Learns how the house bots play: ``python -m benchmarks.beliefs`` writes the strong bot's policy.

Mixed tables of `simple`, `quick` and a smaller `strong` play deal sets of `parejas-online`; each
choice of a card is an example, and a small net learns by Adam how likely each kind is to play each
legal card. Everything follows from the seeds below. What the weights are worth at the table is
measured by :mod:`benchmarks.belief_gains`; docs/decisions/strong-bot.md says why it is like this.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import engine
from engine.bots.strong import QUICK, Level, Strong, beliefs, policy, policy_weights
from engine.bots.strong.playing import DECLARES, FEATURES
from engine.cards import CARDS, SEATS, mask_of
from engine.fast import masks as at
from engine.fast.compiling import fractions, whole_numbers
from engine.rules import declared_suit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Array = np.ndarray[Any, Any]

RULES: Final = engine.RULESETS["parejas-online"]
MODULE: Final = Path(policy_weights.__file__)
SEED: Final = b"beliefs"
"""Of the deals and of the training; the measured deals have other seeds."""
DEAL_SETS: Final = 1300
SHARES: Final = {"simple": 0.25, "quick": 0.35, "strong": 0.4}
"""How often each kind sits at a seat."""
FEWER: Final = Level(200, 500)
"""The strong bot at a third of its work: its cards are much the same, and data cost less."""
TEST_SHARE: Final = 0.15
"""The last deal sets, on which nothing is learnt."""
EPOCHS, BATCH, RATE, DECAY = 10, 256, 3e-3, 1e-3
SCALE: Final = 4096
"""Weights are whole numbers of this part of one, in 16 bits."""


# --- the hands -----------------------------------------------------------------------------------


def bot_of(kind: str, seed: bytes) -> engine.Bot:
    """A bot of a kind that the policy learns; none of them uses the policy."""
    if kind == "simple":
        return engine.HOUSE_BOTS["simple"](seed)
    return Strong(QUICK if kind == "quick" else FEWER, seed)


def play_hands(sets: int, first: int = 0) -> Iterator[dict[str, Any]]:
    """Play deal sets at mixed tables: each hand with the kinds of its seats."""
    for number in range(first, first + sets):
        label = f"beliefs/{number}"
        rng, kinds = random.Random(label), []

        def make(_rules: engine.Ruleset, _seat: str, seed: bytes) -> engine.Bot:
            kinds.append(rng.choices(list(SHARES), list(SHARES.values()))[0])  # noqa: B023
            return bot_of(kinds[-1], seed)  # noqa: B023

        played = engine.play_deal_set(
            RULES, [make, make], ["a", "b"], SEED, label, options={"deals": 1}
        )
        for match, each in enumerate(played):
            yield {"hand": each.record["hands"][0], "kinds": kinds[4 * match : 4 * match + 4]}


@dataclass
class Choices:
    """Choices of cards, one a row of ``moments``; the legal cards of all, one a row of ``cards``.

    ``starts`` and ``counts`` find the cards of a choice, ``chosen`` is the number of the one that
    was played, ``kinds`` the player's kind, ``hands`` the number of the hand.
    """

    moments: Array
    cards: Array
    starts: Array
    counts: Array
    chosen: Array
    kinds: Array
    hands: Array

    def part(self, rows: Array) -> Choices:
        """Some of the choices, with their cards."""
        starts, counts = self.starts[rows], self.counts[rows]
        first = np.cumsum(counts) - counts
        cards = np.repeat(starts - first, counts) + np.arange(counts.sum())
        return Choices(
            self.moments[rows],
            self.cards[cards],
            first,
            counts,
            self.chosen[rows],
            self.kinds[rows],
            self.hands[rows],
        )

    def __len__(self) -> int:
        return len(self.counts)


def read_choices(lines: Iterable[dict[str, Any]]) -> Choices:
    """Replay hands with all cards open and gather every choice."""
    rows: list[list[Any]] = [[] for _ in range(7)]
    features = fractions([0.0] * (at.MAX_MOVES * FEATURES))
    scratch = fractions([0.0] * policy.ROOM)
    for number, line in enumerate(lines):
        hand = line["hand"]
        trump = CARDS[hand["trump"]] // 10
        suits = at.Suits(trump, (0, 1, 2, 3))
        game = first_game(hand, suits)
        for token in hand["play"].split():
            if token not in CARDS:
                action = engine.actions.ACTIONS[token]
                if action.kind in (engine.actions.Kind.TWENTY, engine.actions.Kind.FORTY):
                    suit = suits.suit(declared_suit(action, trump))
                    beliefs.repeat(game, DECLARES + 4 * action.seat + suit)
                continue
            card = suits.card(CARDS[token])
            count = beliefs.describe_choice(game, trump, features, scratch)
            if count > 1:
                legal = [int(each) for each in game[at.MOVES : at.MOVES + count]]
                seen = scratch[policy.CARDS_SEEN : policy.CARDS_SEEN + count * policy.CARD]
                kind = policy.KINDS.index(line["kinds"][game[at.TURN]])
                rows[0].append(scratch[: policy.MOMENT].astype(np.float32))
                rows[1].append(seen.reshape(count, policy.CARD).astype(np.float32))
                for row, value in zip(
                    rows[3:], (count, legal.index(card), kind, number), strict=True
                ):
                    row.append(value)
            beliefs.repeat(game, card)
    counts = np.array(rows[3])
    return Choices(
        np.array(rows[0]),
        np.concatenate(rows[1]),
        np.cumsum(counts) - counts,
        counts,
        *(np.array(row) for row in rows[4:]),
    )


def first_game(hand: dict[str, Any], suits: at.Suits) -> Any:
    """The game before the first lead, with all hands."""
    game = whole_numbers([*at.rules_to_row(RULES), *[0] * (at.GAME - at.RULES)])
    game[at.UPCARD], game[at.TRICKS_LEFT], game[at.LAST_SIDE] = -1, RULES.trick_count, -1
    first = next(token for token in hand["play"].split() if token in CARDS)
    for seat, name in enumerate(SEATS[:4]):
        cards = hand["deal"][name].split()
        game[at.HANDS + seat] = suits.cards(mask_of(CARDS[card] for card in cards))
        if first in cards:
            game[at.TURN] = seat
    return game


# --- the net -------------------------------------------------------------------------------------


class Net:
    """The net of :mod:`engine.bots.strong.policy`, its layers as matrices that learn."""

    def __init__(self, first: int, second: int, kinds: int, rng: np.random.Generator) -> None:
        inputs = policy.MOMENT + policy.CARD

        def start(rows: int, columns: int) -> Array:
            layer: Array = rng.standard_normal((rows, columns)) * np.sqrt(2 / rows)
            return layer.astype(np.float32)

        both = start(inputs, first)
        self.layers = [
            both[: policy.MOMENT],
            both[policy.MOMENT :],
            np.zeros(first, np.float32),
            start(first, second),
            np.zeros(second, np.float32),
            start(second, kinds) * np.float32(0.3),
        ]
        self._means = [np.zeros_like(layer) for layer in self.layers]
        self._squares = [np.zeros_like(layer) for layer in self.layers]
        self._steps = 0

    def chances(self, choices: Choices) -> tuple[Array, Array, Array]:
        """The chance of each card for each kind, and both hidden layers."""
        moment, card, bias, second, second_bias, kinds = self.layers
        of = np.repeat(np.arange(len(choices)), choices.counts)
        one = np.maximum(choices.cards @ card + (choices.moments @ moment + bias)[of], 0)
        two = np.maximum(one @ second + second_bias, 0)
        scores = two @ kinds
        scores = np.exp(scores - np.maximum.reduceat(scores, choices.starts, axis=0)[of])
        return scores / np.add.reduceat(scores, choices.starts, axis=0)[of], one, two

    def log_chances(self, choices: Choices) -> Array:
        """The logarithm of the chance of what was played, by the kind that played it."""
        parts = [choices.part(rows) for rows in np.array_split(np.arange(len(choices)), 20)]
        return np.concatenate(
            [
                np.log(self.chances(part)[0][part.starts + part.chosen, part.kinds] + 1e-9)
                for part in parts
            ]
        )

    def learn(self, choices: Choices, rate: float) -> None:
        """One step of Adam on a batch."""
        _moment, _card, _bias, second, _second_bias, kinds = self.layers
        chances, one, two = self.chances(choices)
        of = np.repeat(np.arange(len(choices)), choices.counts)
        rows = np.arange(len(of))
        error = np.zeros_like(chances)
        error[rows, choices.kinds[of]] = chances[rows, choices.kinds[of]]
        error[choices.starts + choices.chosen, choices.kinds] -= 1
        error /= len(choices)
        of_two = (error @ kinds.T) * (two > 0)
        of_one = (of_two @ second.T) * (one > 0)
        of_moment = np.add.reduceat(of_one, choices.starts, axis=0)
        slopes = [
            choices.moments.T @ of_moment,
            choices.cards.T @ of_one,
            of_moment.sum(0),
            one.T @ of_two,
            of_two.sum(0),
            two.T @ error,
        ]
        self._steps += 1
        for layer, slope, mean, square in zip(
            self.layers, slopes, self._means, self._squares, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            step = mean / (1 - 0.9**self._steps)
            step /= np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8
            layer -= rate * (step + DECAY * layer)


def train(
    choices: Choices,
    first: int = policy.FIRST,
    second: int = policy.SECOND,
    epochs: int = EPOCHS,
) -> Net:
    """A net that has learnt these choices."""
    rng = np.random.default_rng(list(SEED))
    net = Net(first, second, len(policy.KINDS), rng)
    batches = len(choices) // BATCH
    for epoch in range(epochs):
        order = rng.permutation(len(choices))
        for number in range(batches):
            done = (epoch + number / batches) / epochs
            rate = RATE * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-5
            rows = np.sort(order[number * BATCH : (number + 1) * BATCH])
            net.learn(choices.part(rows), float(rate))
    return net


def stored_net() -> Net:
    """The net whose weights the strong bot uses."""
    net = Net(policy.FIRST, policy.SECOND, policy.KIND_COUNT, np.random.default_rng(0))
    weights, start = np.array(policy_weights.WEIGHTS, np.float32), 0
    for number, layer in enumerate(net.layers):
        net.layers[number] = weights[start : start + layer.size].reshape(layer.shape)
        start += layer.size
    return net


def split(choices: Choices) -> tuple[Choices, Choices]:
    """The choices to learn from, and those of the last deal sets, to test with."""
    first_test = int((choices.hands[-1] + 1) * (1 - TEST_SHARE)) // 2 * 2
    tests = choices.hands >= first_test
    return choices.part(np.flatnonzero(~tests)), choices.part(np.flatnonzero(tests))


# --- what comes of it ----------------------------------------------------------------------------

GROUPS: Final = {
    "prices": ((), range(5)),
    "rank": ((), range(5, 15)),
    "ends of the suit": ((), range(15, 18)),
    "a lower card does the same": ((), (18,)),
    "aces": ((), (19, 20)),
    "place in the trick": (range(5), ()),
    "tricks left": ((5,), ()),
    "trumps not seen": ((6, 7), ()),
    "the winning card": (range(8, 14), ()),
}
"""What is seen by the policy alone, in groups: places of the moment, and of the card."""


def ablate(choices: Choices) -> Iterator[str]:
    """Rows of a table: what is lost of the log chance without each group, and by smaller nets."""
    lesson, test = split(choices)
    yield describe_row("uniform", -np.log(test.counts), test.kinds)
    for first, second in ((policy.FIRST, policy.SECOND), (24, 8), (16, 8), (48, 24)):
        net = train(lesson, first, second)
        yield describe_row(f"net {first}-{second}", net.log_chances(test), test.kinds)
    for name, (moment, card) in GROUPS.items():
        parts = [
            replace(each, moments=each.moments.copy(), cards=each.cards.copy())
            for each in (lesson, test)
        ]
        for each in parts:
            each.moments[:, list(moment)] = 0
            each.cards[:, [FEATURES + place for place in card]] = 0
        yield describe_row(f"without: {name}", train(parts[0]).log_chances(parts[1]), test.kinds)


def describe_row(name: str, logs: Array, kinds: Array) -> str:
    """A row of the ablation table: the mean log chance of what was played, of all and by kind."""
    parts = [logs, *(logs[kinds == kind] for kind in range(len(policy.KINDS)))]
    return f"| {name} | " + " | ".join(f"{part.mean():.3f}" for part in parts) + " |"


def module_text(net: Net, recipe: str) -> str:
    """The weights as the module :mod:`engine.bots.strong.policy_weights`."""
    numbers = np.concatenate([layer.ravel() for layer in net.layers])
    whole = np.clip(np.round(numbers * SCALE), -32768, 32767).astype("<i2")
    lines = wrap(base64.b64encode(whole.tobytes()).decode(), 92)
    text = "\n".join(f'    "{line}"' for line in lines)
    return f'''"""The learnt weights of the policy, layer after layer, in 16 bits each.

{recipe}
"""

import base64
import struct
from typing import Any, Final

from engine.fast.compiling import fractions

_SCALE: Final = {SCALE}
_TEXT: Final = (
{text}
)

WEIGHTS: Final[Any] = fractions(
    [number / _SCALE for (number,) in struct.iter_unpack("<h", base64.b64decode(_TEXT))]
)
'''


def main() -> None:
    """Play, learn and write the weights; with ``--ablate`` print the table of the decision."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beliefs", description=main.__doc__)
    parser.add_argument("--sets", type=int, default=DEAL_SETS, help="deal sets to learn from")
    parser.add_argument("--hands", type=Path, help="keep the hands here, or read them from here")
    parser.add_argument("--ablate", action="store_true", help="print the table, write nothing")
    options = parser.parse_args()
    start = time.process_time()
    engine.warm_solver()
    if options.hands and options.hands.exists():
        lines = [json.loads(line) for line in options.hands.read_text().splitlines()]
    else:
        lines = list(play_hands(options.sets))
        if options.hands:
            options.hands.write_text("".join(json.dumps(line) + "\n" for line in lines))
    choices = read_choices(lines)
    if options.ablate:
        for row in ablate(choices):
            print(row, flush=True)
        return
    net = train(choices)
    recipe = (
        f"Written by ``python -m benchmarks.beliefs --sets {len(lines) // 2}``: {len(choices)}"
        f" choices of cards,\nseed {SEED.decode()!r}; a table of what each part is worth is in"
        " docs/decisions/strong-bot.md."
    )
    MODULE.write_text(module_text(net, recipe), encoding="utf-8")
    print(f"{(time.process_time() - start) / 60:.1f} minutes of one core", file=sys.stderr)


if __name__ == "__main__":
    main()
