"""The deal set: the same deals played by the same bots with their seats changed.

Luck of the cards falls on each bot alike: in a game of two sides both halves are played, in one of
three every rotation, or all six orders. Bots are made anew for every match, so that none can
remember the cards; their seeds tell nothing of the deals.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final, NamedTuple

from engine.bots.base import Bot, Closing
from engine.bots.failures import ILLEGAL_PLAY, BotFailure
from engine.bots.table import Forfeit, agreed_rules, play_match
from engine.rulesets import Ruleset

BENCHED_AFTER: Final = 3
"""Hands lost in a row after which a bot loses the rest of its match unplayed."""

Maker = Callable[[Ruleset, str, bytes], Bot]
"""What makes a bot for one match: of the rules, the seat letter and a seed of its own."""

Seating = tuple[int, ...]
"""Which bot plays each side, by number, in the order of the sides."""


@dataclass(frozen=True, slots=True)
class Played:
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
        """How far each bot's points lie above the mean of its opponents'."""
        total, others = sum(self.points), len(self.points) - 1
        return tuple(own - (total - own) / others for own in self.points)


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
) -> tuple[Played, ...]:
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
    played = []
    for number, seating in enumerate(orders or seatings(len(makers)), 1):
        seated = _Seated(table, makers, seating, _seed_of(seed, label, number))
        sitting = [names[seating[table.side_of(seat)]] for seat in range(table.seat_count)]
        told = {**(tags or {}), "deals": label, "seating": str(number)}
        with seated.stack:
            record = play_match(
                rules, seated.bots(), seed, label, sitting, options, told, seated.after_forfeit
            )
        played.append(_played(table, seating, record, seated.forfeits))
    return tuple(played)


class _Seated:
    """The bots of one match, what they did wrong, and what has to be let go afterwards."""

    def __init__(
        self, rules: Ruleset, makers: Sequence[Maker], seating: Seating, seed: bytes
    ) -> None:
        self.stack = ExitStack()
        self.forfeits: tuple[Counter[str], ...] = tuple(Counter() for _ in makers)
        self._rules = rules
        self._makers = makers
        self._seating = seating
        self._seed = seed
        self._lost: dict[str, list[int]] = {seat: [] for seat in rules.seats}

    def bots(self) -> dict[str, Bot]:
        return {seat: self._made(seat) for seat in self._rules.seats}

    def after_forfeit(self, forfeit: Forfeit) -> Bot | None:
        """Start the bot anew, unless it has lost as many hands in a row as it may."""
        error = forfeit.error
        code = error.code if isinstance(error, BotFailure) else ILLEGAL_PLAY
        self.forfeits[self._number(forfeit.seat)][code] += 1
        lost = self._lost[forfeit.seat]
        lost.append(forfeit.hand)
        row = lost[-BENCHED_AFTER:]
        benched = len(row) == BENCHED_AFTER and row[-1] - row[0] == BENCHED_AFTER - 1
        return None if benched else self._made(forfeit.seat)

    def _number(self, seat: str) -> int:
        return self._seating[self._rules.side_of(self._rules.seats.index(seat))]

    def _made(self, seat: str) -> Bot:
        again = len(self._lost[seat])
        seed = hashlib.sha256(self._seed + f"|{seat}|{again}".encode()).digest()
        bot = self._makers[self._number(seat)](self._rules, seat, seed)
        if isinstance(bot, Closing):
            self.stack.callback(bot.close)
        return bot


def _seed_of(seed: bytes, label: str, number: int) -> bytes:
    """What the bots of a match get their seeds from: it tells nothing of the deals."""
    return hashlib.sha256(b"bots|" + seed + f"|{label}|{number}".encode()).digest()


def _played(
    rules: Ruleset,
    seating: Seating,
    record: Mapping[str, Any],
    forfeits: tuple[Mapping[str, int], ...],
) -> Played:
    made = [sum(hand["points"].get(side, 0) for hand in record["hands"]) for side in rules.sides]
    won = [record["score"][side] for side in rules.sides]
    best = max(won)
    share = 1 / won.count(best)
    staked = rules.stakes != "none"
    paid = [
        sum(hand.get("payments", {}).get(side, 0) for hand in record["hands"])
        for side in rules.sides
    ]
    places = [seating.index(bot) for bot in range(len(seating))]
    return Played(
        seating,
        record,
        tuple(made[side] for side in places),
        tuple(share * (won[side] == best) for side in places),
        forfeits,
        tuple(paid[side] for side in places) if staked else (),
    )


class Line(NamedTuple):
    """A match as it goes from one process to another: its record, and what it came to."""

    written: str
    hands: int
    points: tuple[int, ...]
    shares: tuple[float, ...]
    margins: tuple[float, ...]
    forfeits: tuple[Mapping[str, int], ...]
    money: tuple[int, ...] = ()


def line_of(played: Played) -> Line:
    """The match, written."""
    return Line(
        json.dumps(played.record, ensure_ascii=False),
        len(played.record["hands"]),
        played.points,
        played.shares,
        played.margins,
        tuple(dict(codes) for codes in played.forfeits),
        played.money,
    )
