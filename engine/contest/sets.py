"""The deal set: the same deals played by the same bots with their seats changed.

Luck of the cards falls on each bot alike: in a game of two sides both halves are played, in one of
three every rotation, or all six orders. Every match gets new bots, so that none can remember the
cards; their seeds contain nothing of the deals.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from engine.bots.base import Bot, Closeable
from engine.bots.table import Forfeit, agreed_rules, play_match
from engine.rulesets import Ruleset

BENCHED_AFTER: Final = 3
"""Hands lost in a row after which a bot loses the rest of its match unplayed."""

Maker = Callable[[Ruleset, str, bytes], Bot]
"""What makes a bot for one match: of the rules, the seat letter and a seed of its own."""

Seating = tuple[int, ...]
"""Which bot plays each side, by number, in the order of the sides."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """One match of a deal set; ``points`` and ``shares`` are by bot, as they were numbered.

    ``shares`` say who won: 1 for the winner, equal parts for who shared the lead at the end.
    ``forfeits`` counts the codes of what each bot did wrong; ``money`` is what each won or lost
    where something is staked (R8), empty where nothing is.
    """

    seating: Seating
    record: Mapping[str, Any]
    points: tuple[int, ...]
    shares: tuple[float, ...]
    forfeits: tuple[Mapping[str, int], ...]
    money: tuple[int, ...] = ()

    @property
    def margins(self) -> tuple[float, ...]:
        """Each bot's points above the mean of its opponents'."""
        total, others = sum(self.points), len(self.points) - 1
        return tuple(points - (total - points) / others for points in self.points)


def seatings(sides: int, *, all_orders: bool = False) -> tuple[Seating, ...]:
    """The ways in which the bots sit down in turn: the rotations, or every order there is."""
    order = range(sides)
    if all_orders:
        return tuple(permutations(order))
    return tuple(tuple((side - turn) % sides for side in order) for turn in order)


def play_deal_set(
    rules: Ruleset,
    makers: Sequence[Maker],
    names: Sequence[str],
    seed: bytes,
    label: str,
    *,
    seat_count: int | None = None,
    options: Mapping[str, Any] | None = None,
    tags: Mapping[str, str] | None = None,
    orders: Sequence[Seating] | None = None,
) -> tuple[PlayedMatch, ...]:
    """Play the same deals once for each seating in ``orders``, by default every rotation.

    ``makers`` and ``names`` are those of the bots, one a side. What a bot does wrong costs it the
    hand (:mod:`engine.bots.table`), three in a row the rest of the match. Raises
    :class:`~engine.bots.failures.BotFailure` for what is not a bot's fault, ``KeyError`` and
    ``ValueError`` for options that the ruleset does not take.
    """
    options = dict(options or {})
    table = agreed_rules(rules, options, seat_count or rules.seat_counts[0])
    if len(makers) != len(table.sides) or len(names) != len(makers):
        raise ValueError(f"{rules.name} is played by {len(table.sides)} sides")
    matches = []
    for number, seating in enumerate(orders or seatings(len(makers)), 1):
        own_seed = _seed_of(seed, label, number)
        players = {seat: _bot_at(table, seating, seat) for seat in table.seats}
        seated_bots = SeatedBots(_maker(table, makers, seating, own_seed), players)
        sitting = [names[seating[table.side_of(seat)]] for seat in range(table.seat_count)]
        all_tags = {**(tags or {}), "deals": label, "seating": str(number)}
        with seated_bots:
            record = play_match(
                rules,
                seated_bots.bots(),
                seed,
                label,
                sitting,
                options,
                all_tags,
                seated_bots.after_forfeit,
            )
        forfeits = tuple(Counter[str]() for _ in makers)
        for forfeit in seated_bots.forfeits:
            forfeits[_bot_at(table, seating, forfeit.seat)][forfeit.code] += 1
        matches.append(_match_result(table, seating, record, forfeits))
    return tuple(matches)


def _bot_at(rules: Ruleset, seating: Seating, seat: str) -> int:
    return seating[rules.side_of(rules.seats.index(seat))]


def _maker(
    rules: Ruleset, makers: Sequence[Maker], seating: Seating, seed: bytes
) -> Callable[[str, int], Bot]:
    def make(seat: str, attempt: int) -> Bot:
        bot_seed = hashlib.sha256(seed + f"|{seat}|{attempt}".encode()).digest()
        return makers[_bot_at(rules, seating, seat)](rules, seat, bot_seed)

    return make


class SeatedBots:
    """The bots of one match: replaced after a hand that one forfeits, closed at the end.

    ``make`` makes the bot of a seat letter, given how many have failed there before it.
    ``who`` names the player by seat letter: partners are one, whose hands are counted together.
    ``lost`` are hands in a row that players had already lost when the match began, where several
    records make one match. ``forfeits`` are those that have happened, in their order, ``benched``
    the seats that lost the rest unplayed after the last of them.
    """

    def __init__(
        self,
        make: Callable[[str, int], Bot],
        who: Mapping[str, Hashable],
        lost: Mapping[Any, int] = MappingProxyType({}),
    ) -> None:
        self.forfeits: list[Forfeit] = []
        self.benched: list[str] = []
        self._make = make
        self._who = who
        self._lost = {player: (0, lost.get(player, 0)) for player in who.values()}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def bots(self) -> dict[str, Bot]:
        """Makes the bots that begin the match, by seat letter."""
        return {seat: self._make_bot(seat) for seat in self._who}

    def after_forfeit(self, forfeit: Forfeit) -> Bot | None:
        """Replaces the failed bot; ``None`` after :data:`BENCHED_AFTER` forfeits in a row."""
        self.forfeits.append(forfeit)
        player = self._who[forfeit.seat]
        last, row = self._lost[player]
        row = row + 1 if forfeit.hand == last + 1 else 1
        self._lost[player] = (forfeit.hand, row)
        if row >= BENCHED_AFTER:
            self.benched.append(forfeit.seat)
            return None
        return self._make_bot(forfeit.seat)

    def _make_bot(self, seat: str) -> Bot:
        bot = self._make(seat, sum(forfeit.seat == seat for forfeit in self.forfeits))
        if isinstance(bot, Closeable):
            self._stack.callback(bot.close)
        return bot


def _seed_of(seed: bytes, label: str, number: int) -> bytes:
    """Derives the seed of a match's bots, from which nothing of the deals follows."""
    return hashlib.sha256(b"bots|" + seed + f"|{label}|{number}".encode()).digest()


def _match_result(
    rules: Ruleset,
    seating: Seating,
    record: Mapping[str, Any],
    forfeits: tuple[Mapping[str, int], ...],
) -> PlayedMatch:
    points = [sum(hand["points"].get(side, 0) for hand in record["hands"]) for side in rules.sides]
    scores = [record["score"][side] for side in rules.sides]
    best = max(scores)
    share = 1 / scores.count(best)
    staked = rules.stakes != "none"
    payments = [
        sum(hand.get("payments", {}).get(side, 0) for hand in record["hands"])
        for side in rules.sides
    ]
    places = [seating.index(bot) for bot in range(len(seating))]
    return PlayedMatch(
        seating,
        record,
        tuple(points[side] for side in places),
        tuple(share * (scores[side] == best) for side in places),
        forfeits,
        tuple(payments[side] for side in places) if staked else (),
    )


class MatchSummary(NamedTuple):
    """A finished match as worker processes return it: the record as JSON text, and its result."""

    written: str
    hands: int
    points: tuple[int, ...]
    shares: tuple[float, ...]
    margins: tuple[float, ...]
    forfeits: tuple[Mapping[str, int], ...]
    money: tuple[int, ...] = ()


def summary_of(match: PlayedMatch) -> MatchSummary:
    """Converts a finished match to its summary."""
    return MatchSummary(
        json.dumps(match.record, ensure_ascii=False),
        len(match.record["hands"]),
        match.points,
        match.shares,
        match.margins,
        tuple(dict(codes) for codes in match.forfeits),
        match.money,
    )
