"""Judging hands that were read into columns, and the matches they make up (rules R2.4, R7)."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from engine.cards import PACK, SEATS, SUITS
from engine.errors import Fault
from engine.fast.fast_replay import FastReplay, play_through
from engine.fast.heads import Head
from engine.fast.lockstep import Bytes, Flags, Hands, Masks, Whole, play_all
from engine.fast.plays import CARDS, read_plays
from engine.fast.shapes import NOTHING, Columns
from engine.rulesets import Ruleset

_BIT: Final = np.uint64(1) << np.arange(CARDS, dtype=np.uint64)


@dataclass(slots=True)
class Judged:
    """The results of hands of one ruleset, one a row.

    ``omitted`` are the forfeits as (row, trick, token, seat, suit), in order; ``replays`` holds
    the hands that were replayed one by one, for what they say in an unusual way.
    """

    good: Flags
    points: Whole
    winner: Whole
    last_side: Bytes
    trump: Bytes
    omitted: Whole
    replays: dict[int, FastReplay] = field(default_factory=dict)

    def notices(self, first: int, end: int) -> list[Fault]:
        """The notices of the hands of one record, which are the rows from ``first`` on (R6.6)."""
        at, to = np.searchsorted(self.omitted[:, 0], [first, end])
        events = [tuple(event) for event in self.omitted[at:to].tolist()]
        for row in range(first, end) if self.replays else ():
            if row in self.replays:
                events += [(row, *event) for event in self.replays[row].omitted]
        return [self._omission(first, *event) for event in sorted(events)]

    def _omission(
        self, first: int, row: int, trick: int, token: int, seat: int, suit: int
    ) -> Fault:
        letter = SEATS[seat]
        declared = f"{letter}:40" if suit == self.trump[row] else f"{letter}:20{SUITS[suit]}"
        return Fault(
            "declare.omitted",
            "R6.6",
            hand=row - first + 1,
            trick=trick,
            token=token,
            path=f"/hands/{row - first}/play",
            seat=letter,
            declaration=declared,
        )


def sum_last_axis(parts: Masks) -> Masks:
    """The sums along the last axis, which is short."""
    total = parts[..., 0].copy()
    for index in range(1, parts.shape[-1]):
        total += parts[..., index]
    return total


def judge(rules: Ruleset, buffer: Bytes, columns: Columns) -> Judged:
    """Replay hands that were read: which are in order and agree with what they state."""
    dealer, trump = columns.dealer & 3, np.minimum(columns.trump, CARDS - 1)
    dealt = sum_last_axis(_BIT.take(np.minimum(columns.deal, CARDS - 1)))
    rows = np.arange(len(dealt))
    whole = columns.read & (sum_last_axis(dealt) == np.uint64(PACK)) & (columns.trump < CARDS)
    whole &= columns.deal.reshape(-1, CARDS).max(axis=1) < CARDS
    whole &= (dealt[rows, dealer] & _BIT[trump]) != 0
    suit, mano = (trump // 10).astype(np.uint8), ((dealer + 1) & 3).astype(np.uint8)
    plays = read_plays(buffer, columns.play_at, columns.play_end, suit)
    cards = np.minimum(plays.cards, CARDS - 1)
    hands = Hands(dealt, cards, mano, suit, plays.said_at, plays.said_by, plays.late_forty)
    results = play_all(rules, hands)
    good = whole & plays.read & results.legal
    omitted = results.omitted[good[results.omitted[:, 0]]]
    row, trick = omitted[:, 0], omitted[:, 1]
    # The tokens before a lead are the cards of the tricks before it and what was said until then.
    until = np.searchsorted(16 * plays.row + plays.trick, 16 * row + trick, side="right")
    token = 4 * trick + until - np.searchsorted(plays.row, row)
    events = np.stack([row, trick + 1, token, omitted[:, 2], omitted[:, 3]], axis=1)
    judged = Judged(
        good, results.points, results.winner.astype(np.int64), results.last_side, suit, events
    )
    for index in np.flatnonzero(whole & ~good).tolist():
        text = bytes(buffer[columns.play_at[index] : columns.play_end[index]])
        replayed = _one_by_one(rules, int(mano[index]), dealt[index], int(suit[index]), text)
        if replayed is not None:
            _put(judged, index, replayed)
    stated = columns.points[:, 0] != NOTHING
    judged.good &= ~stated | (columns.points == judged.points).all(axis=1)
    judged.good &= (columns.winner == NOTHING) | (columns.winner == judged.winner)
    return judged


def _one_by_one(
    rules: Ruleset, mano: int, dealt: Masks, trump: int, play: bytes
) -> FastReplay | None:
    """A hand with a tute, or with blanks of its own, if it is in order all the same."""
    text = play.decode("ascii", "replace")
    if not text.isascii() or not text.isprintable() or "\\" in text:
        return None
    return play_through(rules, mano, tuple(dealt.tolist()), trump, text)


def _put(judged: Judged, row: int, replayed: FastReplay) -> None:
    first, second = replayed.points
    winner = 0 if first > second else 1 if second > first else replayed.last_side
    if replayed.tute_by is not None:
        winner = rules_side(replayed.tute_by)
    judged.good[row] = True
    judged.points[row] = replayed.points
    judged.winner[row] = winner
    judged.last_side[row] = replayed.last_side
    judged.replays[row] = replayed


def rules_side(seat: int) -> int:
    """The side of a seat in a game of pairs (R2.2)."""
    return seat & 1


@dataclass(slots=True)
class Matches:
    """The results of matches, one a row; ``winner`` is -1 where there is none."""

    good: Flags
    score: Whole
    winner: Whole
    decided: Flags


def count_matches(
    judged: Judged, dealer: Bytes, first: Whole, number: Whole, heads: list[Head]
) -> Matches:
    """The matches whose hands are the rows from ``first`` on, ``number`` of each (R7.4)."""
    last = first + number - 1
    follows = np.ones(len(dealer), dtype=np.bool_)
    follows[1:] = dealer[1:] == (dealer[:-1] + 1) & 3
    follows[first] = True
    good = np.logical_and.reduceat(judged.good & follows, first)
    second = np.add.reduceat(judged.winner, first)
    score = np.stack([number - second, second], axis=1)
    before = score.copy()
    before[np.arange(len(first)), judged.winner[last]] -= 1
    target = np.array([head.target for head in heads])
    deals = np.array([head.deals for head in heads])
    good &= np.where(deals > 0, number <= deals, before.max(axis=1) < target)
    decided = np.where(deals > 0, number == deals, score.max(axis=1) >= target)
    ahead = np.where(score[:, 0] > score[:, 1], 0, 1)
    winner = np.where(decided & (score[:, 0] != score[:, 1]), ahead, NOTHING)
    stated = np.array([(-1, -1) if head.score is None else head.score for head in heads])
    unstated = np.array([head.score is None for head in heads])
    claimed = np.array([head.winner for head in heads])
    good &= unstated | (stated == score).all(axis=1)
    good &= (claimed == NOTHING) | (claimed == winner)
    return Matches(good, score, winner, decided)
