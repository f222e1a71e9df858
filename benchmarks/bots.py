"""How strong the bots of the house are: ``python -m benchmarks.bots`` writes ``docs/bots/bots.md``.

All meet over duplicate deals: the same cards from every side, one hand a match. The scale is 0 for
the random bot and 1 for a player that sees all cards and solves them; that one is no bot of the
house and gets what no player gets, the seed of the deals. Flat Monte Carlo is none either
(:mod:`benchmarks.flat`). Times are of the processor, each bot asked once before they count.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final

import engine
from benchmarks.flat import FlatMonteCarlo
from engine.bots.strong import LEVELS
from engine.cards import SEATS
from engine.contest.intervals import Interval, mean_interval
from engine.solver.moments import state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DOCUMENT: Final = Path(__file__).parents[1] / "docs" / "bots" / "bots.md"
BEGIN: Final = "<!-- figures: written by python -m benchmarks.bots -->"
END: Final = "<!-- end of figures -->"
SEED: Final = b"how strong"
SEEING: Final = "all-seeing"
CHANCE: Final = "flat, by chance"
RULE: Final = "flat, by rules"
PAIRS: Final = "parejas-online"
THREE: Final = "arrastrado"

PAIRINGS: Final = (
    ("simple", "random", 4.0),
    ("quick", "random", 2.0),
    ("quick", "simple", 2.0),
    ("strong", "random", 5.0),
    ("strong", "simple", 1.0),
    ("strong", "quick", 1.0),
    ("deep", "strong", 0.5),
    (SEEING, "random", 6.0),
    (SEEING, "simple", 2.0),
)
"""Who meets whom in the game of pairs, and with how many times the number of deal sets."""

OTHERS: Final = (
    ("parejas", 0.5),
    ("cuatro", 0.5),
    ("habanero", 0.6),
    ("mano-a-mano", 0.25),
    (THREE, 0.6),
)
"""The other rulesets, in which quick and strong meet simple."""

FLAT: Final = (
    (PAIRS, "quick", CHANCE, 2.0),
    (PAIRS, "quick", RULE, 2.0),
    (THREE, "quick", CHANCE, 2.0),
    (THREE, "quick", RULE, 2.0),
    (THREE, "strong", CHANCE, 0.5),
    (THREE, "strong", RULE, 0.5),
)
"""Who meets flat Monte Carlo, which plays as many hands out as quick does."""

Pairing = tuple[str, str, str, float]
"""A meeting: ruleset, who meets whom, and how many times the number of deal sets."""


@dataclass
class Clock:
    """What a bot took for its cards."""

    seconds: float = 0.0
    cards: int = 0

    @property
    def milliseconds(self) -> float:
        """A card, where there was a choice or not."""
        return 1000 * self.seconds / max(1, self.cards)


@dataclass
class Timed:
    """A bot with a clock beside it, which runs when a card is asked for."""

    bot: engine.Bot
    clock: Clock

    def choose(self, view: engine.View) -> str:
        """What the bot answers."""
        start = time.process_time()
        answer = self.bot.choose(view)
        if not any(":" in token for token in view.legal):
            self.clock.seconds += time.process_time() - start
            self.clock.cards += 1
        return answer


@dataclass
class AllSeeing:
    """Solves the open cards before each of its own; it finds them by the seed of the deals."""

    label: str
    _sayings: engine.Sensible = field(default_factory=engine.Sensible)

    def choose(self, view: engine.View) -> str:
        """The best card there is; it says what the simple bot says."""
        if any(":" in token for token in view.legal):
            return self._sayings.choose(view)
        if len(view.legal) == 1:
            return view.legal[0]
        dealer, number = SEATS.index(view.dealer), view.standing.hand
        state = state_of(view.rules, engine.deal(view.rules, SEED, self.label, number, dealer))
        for _seat, token in view.history:
            state = state.apply(token)
        card_values = engine.card_values(state)
        return max(card_values, key=lambda card: card_values[card])


@dataclass(frozen=True)
class Meeting:
    """What one bot made more than another, a hand, and what its cards took."""

    ruleset: str
    one: str
    other: str
    sets: int
    margin: Interval
    milliseconds: float


Tables = tuple[list[Meeting], list[Meeting], list[Meeting]]
"""Of the game of pairs, of the others, against flat Monte Carlo."""


def bot_of(kind: str, seed: bytes, label: str) -> engine.Bot:
    """A bot of the house, the one that sees all, or flat Monte Carlo."""
    if kind in (CHANCE, RULE):
        return FlatMonteCarlo(LEVELS["quick"].trials, kind == RULE, seed)
    return AllSeeing(label) if kind == SEEING else engine.HOUSE_BOTS[kind](seed)


def meet(ruleset: str, one: str, other: str, sets: int) -> Meeting:
    """Play deal sets of one hand, or one game of the race, from every side."""
    rules = engine.RULESETS[ruleset]
    clock, spare, margins = Clock(), Clock(), []
    for number in range(sets):
        label = f"bots/{number}"
        makers = [maker(one, label, clock)] + [maker(other, label, spare)] * (len(rules.sides) - 1)
        names = [one, *[f"{other} {n}" for n in range(1, len(makers))]]
        options = {} if rules.race_to else {"deals": 1}
        played = engine.play_deal_set(rules, makers, names, SEED, label, options=options)
        margins.append(fmean(each.margins[0] / len(each.record["hands"]) for each in played))
    return Meeting(ruleset, one, other, sets, mean_interval(margins), clock.milliseconds)


def maker(
    kind: str, label: str, clock: Clock
) -> Callable[[engine.Ruleset, str, bytes], engine.Bot]:
    """What makes a bot of a kind, with its clock."""
    return lambda _rules, _seat, seed: Timed(bot_of(kind, seed, label), clock)


def figures(sets: int) -> Tables:
    """Play everything: the game of pairs, the others, and against flat Monte Carlo.

    ``sets`` deal sets for strong against quick, more or fewer elsewhere.
    """
    engine.warm_solver()
    for ruleset in engine.RULESETS:  # what is compiled is loaded before any clock runs
        meet(ruleset, "quick", CHANCE, 1)
    pairs = [(PAIRS, bot, other, times) for bot, other, times in PAIRINGS]
    others = [
        (ruleset, bot, "simple", times) for ruleset, times in OTHERS for bot in ("quick", "strong")
    ]
    return play_meetings(pairs, sets), play_meetings(others, sets), play_meetings(FLAT, sets)


def play_meetings(pairings: Sequence[Pairing], sets: int) -> list[Meeting]:
    """Play meetings and print each as it ends."""
    meetings = []
    for ruleset, bot, other, times in pairings:
        meetings.append(meet(ruleset, bot, other, max(2, round(sets * times))))
        print(*row_of(meetings[-1]), sep=" | ", file=sys.stderr, flush=True)
    return meetings


# --- the document --------------------------------------------------------------------------------


def block(tables: Tables, what: str) -> str:
    """The figures as they stand in the document, between their marks."""
    pairs, others, flat = tables
    head = ["ruleset", "bot", "against", "deal sets", "points a hand", "ms a card"]
    how = (
        "A deal set is one deal played from every side; points a hand are those of the bot less the"
        " mean of its opponents', with the 95 % interval over deal sets."
    )
    return "\n\n".join(
        [
            BEGIN,
            f"{what} {how}",
            in_columns([head, *[row_of(each) for each in pairs]]),
            "On the scale from random (0) to all-seeing (1):",
            in_columns([["bot", "place", "by way of simple"], *scale(pairs)]),
            in_columns([head, *[row_of(each) for each in others]]),
            "Against flat Monte Carlo with as many hands played out as by `quick`:",
            in_columns([head, *[row_of(each) for each in flat]]),
            END,
        ]
    )


def row_of(each: Meeting) -> list[str]:
    """A line of the table of meetings."""
    return [
        each.ruleset,
        each.one,
        each.other,
        str(each.sets),
        points(each.margin),
        f"{each.milliseconds:.1f}",
    ]


def points(interval: Interval) -> str:
    """A mean with half its interval."""
    return f"{interval.mean:+.1f} ± {half(interval):.1f}"


def scale(pairs: list[Meeting]) -> list[list[str]]:
    """Where the bots stand: their margin over random as a part of that of who sees all.

    *By way of simple*: simple's margin over random and the bot's over simple, added up.
    """
    margins = {(each.one, each.other): each.margin for each in pairs}
    whole = margins[SEEING, "random"]
    simple = margins["simple", "random"]
    rows = []
    for kind in ("simple", "quick", "strong"):
        direct = ratio([margins[kind, "random"]], whole)
        around = "" if kind == "simple" else ratio([simple, margins[kind, "simple"]], whole)
        rows.append([kind, direct, around])
    return rows


def ratio(parts: list[Interval], whole: Interval) -> str:
    """A part of the whole with half its interval, the errors taken as independent of each other."""
    part = sum(each.mean for each in parts)
    spread = sum(half(each) ** 2 for each in parts) / part**2 + (half(whole) / whole.mean) ** 2
    return f"{part / whole.mean:.2f} ± {part / whole.mean * spread**0.5:.2f}"


def half(interval: Interval) -> float:
    """Half of an interval; of more than one deal set there is one."""
    return interval.margin or 0.0


def in_columns(cells: list[list[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(line) + " |" for line in cells]
    lines.insert(1, "|" + "---|" * len(cells[0]))
    return "\n".join(lines)


def with_block(document: str, text: str) -> str:
    """The document with other figures."""
    before, _begin, rest = document.partition(BEGIN)
    return before + text + rest.partition(END)[2]


def main() -> None:
    """Play, print the figures, and with ``--write`` put them into docs/bots/bots.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bots", description=main.__doc__)
    parser.add_argument("--sets", type=int, default=110, help="deal sets, strong against quick")
    parser.add_argument("--write", action="store_true", help="update docs/bots/bots.md")
    options = parser.parse_args()
    start = time.process_time()
    tables = figures(options.sets)
    minutes = (time.process_time() - start) / 60
    caption = (
        f"Measured by `python -m benchmarks.bots --sets {options.sets} --write` in {minutes:.0f}"
        f" minutes of one core (CPython {platform.python_version()}, {platform.machine()})."
    )
    block_text = block(tables, caption)
    print(block_text)
    if options.write:
        text = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(with_block(text, block_text), encoding="utf-8")


if __name__ == "__main__":
    main()
