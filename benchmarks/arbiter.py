"""How often the arbiter's queue holds an honest player, and how soon it holds a cheat.

Honest tables and tables with one who sees all cards are played and analysed. Players of a
given number of hands are then put together from the hands of their kind, by chance, and rated.
"""

from __future__ import annotations

import argparse
import math
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import engine
from benchmarks.sections import in_columns
from engine.analysis import Terms, fit_of
from engine.cards import CARDS, SEATS, SUITS
from engine.solver import Moment, values_in
from engine.worlds import knowledge_of, sample_worlds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RULES = engine.RULESETS["parejas-online"]
SEED = b"arbiter".ljust(32)
FROM_TRICK = 3
LENGTHS = (12, 20, 50, 100)
TOGETHER = 4000
ALONE, AMONG_TWENTY = 0.01, 0.01 / 20


class Sampling(engine.Sensible):
    """An honest player: from the third trick on the card that is best over a dozen deals."""

    def choose(self, view: engine.View) -> str:
        """The card; what is said is left to the rules of thumb."""
        if not _chooses(view):
            return super().choose(view)
        hands = [
            list(world.hands) for world in sample_worlds(knowledge_of(view), 12, repr(view.history))
        ]
        table = tuple(CARDS[card] for _seat, card in view.table)
        seat_index = SEATS.index(view.seat)
        moment = Moment(RULES, tuple(hands[0]), SUITS.index(view.trump), seat_index, table)
        values = values_in(moment, hands)
        return max(view.legal, key=lambda card: sum(each[CARDS[card]] for each in values))


class Peeking(engine.Sensible):
    """A cheat: it knows the seed and so all cards, and plays what the solver says.

    It looks at one of ``every`` choices, from trick ``since`` on; ``honest`` chooses the others.
    """

    def __init__(self, seed: bytes, label: str, since: int, every: int, honest: engine.Bot) -> None:
        super().__init__(seed)
        self.seed, self.label, self.since, self.every = seed, label, since, every
        self.honest = honest
        self.chance = Random(label)

    def choose(self, view: engine.View) -> str:
        """A card that loses nothing with all cards seen."""
        looks = _chooses(view, self.since) and not self.chance.randrange(self.every)
        if not looks:
            return self.honest.choose(view)
        values = engine.card_values(_open(view, self.seed, self.label))
        return max(view.legal, key=lambda card: values[card])


def _chooses(view: engine.View, since: int = FROM_TRICK) -> bool:
    cards = not any(":" in token for token in view.legal)
    return cards and len(view.legal) > 1 and view.trick >= since


def _open(view: engine.View, seed: bytes, label: str) -> engine.State:
    dealt = engine.deal(RULES, seed, label, view.standing.hand)
    play = " ".join(token for _seat, token in view.history)
    hand = engine.HandRecord(dealt.dealer, dealt.trump, dealt.hands, play, None, None)
    return list(engine.states(RULES, hand))[-1]


def fits(bots: dict[str, engine.Bot], label: str, hands: int) -> dict[str, tuple[float, ...]]:
    """The fit of each seat in every hand of a match."""
    document = engine.play_match(RULES, bots, SEED, label, RULES.seats, {"deals": hands})
    analysis = engine.analyse(engine.parse_record(document), Terms())
    return {seat.seat: seat.fits for seat in analysis.seats}


def all_seats(make: Callable[[], engine.Bot], label: str, hands: int) -> list[float]:
    """The fits at a table of one kind of player."""
    player_fits = fits({seat: make() for seat in RULES.seats}, label, hands)
    return [fit for each in player_fits.values() for fit in each]


def one_cheat(label: str, hands: int, every: int) -> list[float]:
    """The fits of a cheat at A among honest players who sample."""
    honest = Sampling(SEED)
    bots: dict[str, engine.Bot] = dict.fromkeys(RULES.seats, honest)
    bots["A"] = Peeking(SEED, label, FROM_TRICK, every, honest)
    return list(fits(bots, label, hands)["A"])


def rows(hands: int) -> list[list[str]]:
    """Kinds of players, the fit of their hands, and how often they are below the rates."""
    heads = ["player", "hands", "fit a hand"]
    heads += [f"{length} hands" for length in LENGTHS]
    table_rows = [heads]
    for name, observed in (
        ("honest, rules of thumb", all_seats(lambda: engine.Sensible(SEED), "simple", hands)),
        ("honest, sampling", all_seats(lambda: Sampling(SEED), "sampling", hands)),
        ("honest, strong", all_seats(lambda: engine.HOUSE_BOTS["strong"](SEED), "strong", hands)),
        ("sees all cards", one_cheat("all", hands, 1)),
        ("sees them at one choice of four", one_cheat("some", hands, 4)),
    ):
        error = stdev(observed) / math.sqrt(len(observed))
        texts = [shares_below(observed, length) for length in LENGTHS]
        table_rows.append(
            [name, str(len(observed)), f"{fmean(observed):+.3f} ± {error:.3f}", *texts]
        )
    return table_rows


def shares_below(observed: Sequence[float], length: int) -> str:
    """The shares of players of `length` hands whose chance is below each of the two rates."""
    chance = Random(f"players of {length}")
    chances = [
        fit_of(chance.choices(observed, k=length)).chance or 0.0 for _player in range(TOGETHER)
    ]
    alone, among_twenty = (
        fmean(probability <= rate for probability in chances) for rate in (ALONE, AMONG_TWENTY)
    )
    return f"{alone:.1%}, {among_twenty:.2%}"


def main() -> None:
    """Prints the table of docs/programs/analysis.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arbiter", description=main.__doc__)
    parser.add_argument("--hands", type=int, default=150, help="hands at each table")
    engine.warm_solver()
    print(in_columns(rows(parser.parse_args().hands)))


if __name__ == "__main__":
    main()
