"""Adds up deal sets: shares won and margins of each bot and pair, and the sequential test."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Any

from engine.contest.intervals import Interval, mean_interval, share_interval
from engine.contest.sequential import Sprt, strength
from engine.contest.series import PlayedSet


@dataclass(slots=True)
class Account:
    """One bot: the share of its matches that it won, its margin and money, deal set by deal set.

    A set that was played at several tables is one observation: its cards are the same at all.
    """

    shares: list[float] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    money: list[float] = field(default_factory=list)
    forfeits: Counter[str] = field(default_factory=Counter)
    _number: int = 0
    _tables: int = 0

    def add(self, number: int, share: float, margin: float, money: float = 0.0) -> None:
        """Count the deal set of that number at one table; sets come in order."""
        lists = (self.shares, self.margins, self.money)
        if number != self._number:
            self._number, self._tables = number, 0
            for each in lists:
                each.append(0.0)
        self._tables += 1
        for each, value in zip(lists, (share, margin, money), strict=True):
            each[-1] += (value - each[-1]) / self._tables


@dataclass(slots=True)
class Tally:
    """The results of a series; deal sets are to be added in their order.

    ``between`` holds, for two bots, by how many points a match the first was better at the tables
    at which both sat. ``counts`` are, in games of two sides, the deal sets of the first two bots by
    how many matches of the set the first one won, ties as halves.
    """

    names: tuple[str, ...]
    sides: int
    matches_a_set: int
    sprt: Sprt | None = None
    accounts: tuple[Account, ...] = ()
    between: dict[tuple[int, int], list[float]] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)
    sets: int = 0
    matches: int = 0
    hands: int = 0
    decision: str | None = None
    staked: bool = False

    def __post_init__(self) -> None:
        self.accounts = tuple(Account() for _ in self.names)
        self.counts = [0] * (2 * self.matches_a_set + 1)

    def add(self, deal_set: PlayedSet) -> None:
        """Count a deal set."""
        self.sets += 1
        self.matches += len(deal_set.lines)
        self.hands += sum(line.hands for line in deal_set.lines)
        shares = _means([line.shares for line in deal_set.lines])
        margins = _means([line.margins for line in deal_set.lines])
        points = _means([line.points for line in deal_set.lines])
        money = _means([line.money for line in deal_set.lines])
        self.staked = self.staked or bool(money)
        for index, bot in enumerate(deal_set.who):
            account = self.accounts[bot]
            account.add(
                deal_set.number, shares[index], margins[index], money[index] if money else 0.0
            )
            for line in deal_set.lines:
                account.forfeits.update(line.forfeits[index])
        for first, other in combinations(range(len(deal_set.who)), 2):
            pair = (deal_set.who[first], deal_set.who[other])
            self.between.setdefault(pair, []).append(points[first] - points[other])
        if self.sides == 2 and deal_set.who == (0, 1):
            self.counts[round(2 * self.matches_a_set * shares[0])] += 1
        if self.sprt is not None:
            self.decision = self.sprt.decision(self.llr, self.sets)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the first bot's deal sets, 0 where nothing is tested."""
        if self.sprt is None:
            return 0.0
        return self.sprt.llr(self.accounts[0].margins, self.counts)

    def won(self, bot: int) -> Interval:
        """The share of matches won, of deal sets."""
        return share_interval(self.accounts[bot].shares)

    def margin(self, bot: int) -> Interval:
        """Points a match above the mean of the opponents."""
        return mean_interval(self.accounts[bot].margins)

    def money(self, bot: int) -> Interval:
        """The bot's money won or lost a match, where something is staked (R8)."""
        return mean_interval(self.accounts[bot].money)

    def margin_between(self, bot: int, other: int) -> Interval | None:
        """The margin a match of ``bot`` over ``other``, in points; ``None`` if they never met."""
        if (bot, other) in self.between:
            return mean_interval(self.between[bot, other])
        if (other, bot) in self.between:
            return mean_interval([-value for value in self.between[other, bot]])
        return None

    def as_dict(self) -> dict[str, Any]:
        """Converts to a JSON object; a deal set's numbers are means of its matches."""
        bots = range(len(self.names)) if self.sets else ()
        document: dict[str, Any] = {
            "sets": self.sets,
            "matches": self.matches,
            "hands": self.hands,
            "bots": [
                {
                    "name": self.names[bot],
                    "sets": len(self.accounts[bot].shares),
                    "won": _to_dict(self.won(bot)),
                    "margin": _to_dict(self.margin(bot)),
                    "money": _to_dict(self.money(bot)) if self.staked else None,
                    "forfeits": dict(self.accounts[bot].forfeits),
                }
                for bot in bots
                if self.accounts[bot].shares
            ],
            "pairs": [
                {"bots": [self.names[bot] for bot in pair], "margin": _to_dict(mean_interval(each))}
                for pair, each in sorted(self.between.items())
            ],
        }
        if self.sides == len(self.names) == 2:
            document["counts"] = self.counts
            document["strength"] = self._strength()
        if self.sprt is not None:
            document["sprt"] = self._sprt(self.sprt)
        return document

    def _strength(self) -> dict[str, float | None] | None:
        """Elo and its like; ``None`` where the results do not bound it."""
        try:
            estimates = strength(self.counts)._asdict()
        except ValueError:  # nothing counted, or nothing but the same
            return None
        return {name: value if math.isfinite(value) else None for name, value in estimates.items()}

    def _sprt(self, sprt: Sprt) -> dict[str, Any]:
        return {
            "model": sprt.model,
            "low": sprt.low,
            "high": sprt.high,
            "llr": self.llr,
            "bounds": list(sprt.bounds),
            "decision": self.decision,
        }


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    return [fmean(column) for column in zip(*rows, strict=True)]


def _to_dict(interval: Interval) -> dict[str, float | None]:
    return {"mean": interval.mean, "low": interval.low, "high": interval.high}
