"""Calls the compiled search: converts positions to its arrays and its results to cards.

Making the first one compiles the search or loads it (:func:`engine.solver.warm_solver`). The trump
suit is exchanged with suit 0 on the way in, and back on the way out.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.cards import CARD_POINTS, PACK, SUIT_MASKS
from engine.fast.masks import TRUMPS, with_trumps_first
from engine.rules import winning_card
from engine.solver import search as parts
from engine.solver.moments import Moment

_CEILING = 1000
"""More points than there are."""

_NO_TARGETS = np.empty((0, 40), np.int64)


def _places(moment: Moment) -> list[int]:
    """The number of each card where the trump suit is exchanged with suit 0, and back."""
    return [with_trumps_first(1 << card, moment.trump).bit_length() - 1 for card in range(40)]


def _rows_of(moment: Moment, worlds: Sequence[Sequence[int]]) -> Any:
    trump, idle = moment.trump, (0,) * (4 - len(moment.hands))
    rows = [[*(with_trumps_first(hand, trump) for hand in world), *idle] for world in worlds]
    return np.array(rows, np.int64).reshape(len(rows), 4)


class _ThreadState(threading.local):
    """A desk and a table of positions for each thread: a search lets go of the GIL."""

    def __init__(self) -> None:
        self.desk = np.zeros(parts.DESK_SIZE, np.int64)
        self.table = np.zeros(parts.ENTRIES, np.int64)


_THREAD_STATE = _ThreadState()


class FastSearch:
    """The compiled search from a moment on, which can be asked again as the hand goes on.

    A thread has room for one at a time: a new one makes the one before it forget.
    """

    compiled = True

    def __init__(self, deal: Moment, *, forgetful: bool = False) -> None:
        self.desk: Any = _THREAD_STATE.desk
        self.table: Any = _THREAD_STATE.table
        self._put(deal)
        self.desk[parts.NODES], self.desk[parts.WITHOUT_TABLE] = 0, forgetful
        parts.new_deal(self.desk, self.table)

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return int(self.desk[parts.NODES])

    def value(self, moment: Moment, guess: int | None = None) -> int:
        """The points that the even side makes with best play, from ``moment`` on."""
        rest = self._put(moment)
        guess = rest // 2 if guess is None else guess
        return int(parts.search_value(self.desk, self.table, guess, -1, _CEILING))

    def reaches(self, moment: Moment, target: int) -> bool:
        """Whether the even side makes ``target`` points from ``moment`` on."""
        rest = self._put(moment)
        if not 0 < target <= rest:
            return target <= 0
        return int(parts.search_value(self.desk, self.table, target, target - 1, target)) >= target

    def values(self, moment: Moment) -> dict[int, int]:
        """The even side's points after each legal card."""
        self._put(moment)
        worlds = self.desk[parts.HANDS : parts.HANDS + 4].copy().reshape(1, 4)
        return self._each(moment, worlds, fresh=0)[0]

    def values_in(self, moment: Moment, worlds: Sequence[Sequence[int]]) -> list[dict[int, int]]:
        """The even side's points after each legal card, for other hands behind the same table."""
        self._put(moment)
        return self._each(moment, _rows_of(moment, worlds), fresh=1)

    def reached_in(
        self,
        moment: Moment,
        worlds: Sequence[Sequence[int]],
        targets: Sequence[Mapping[int, int]],
    ) -> list[dict[int, bool]]:
        """Whether the even side makes its target in each of other hands, after some cards."""
        self._put(moment)
        places, goals = _places(moment), np.zeros((len(worlds), 40), np.int64)
        for row, each in enumerate(targets):
            for card, target in each.items():
                goals[row, places[card]] = target
        asked = sum(1 << places[card] for card in targets[0])
        values = self._each(moment, _rows_of(moment, worlds), 1, asked, goals)
        return [
            {card: points >= each[card] for card, points in found.items()}
            for found, each in zip(values, targets, strict=True)
        ]

    def _each(
        self, moment: Moment, worlds: Any, fresh: int, asked: int = PACK, targets: Any = _NO_TARGETS
    ) -> list[dict[int, int]]:
        values = np.empty((len(worlds), 40), np.int64)
        parts.solve_worlds(self.desk, self.table, fresh, asked, worlds, targets, values)
        names = _places(moment)
        return [
            {names[card]: points for card, points in enumerate(row) if points >= 0}
            for row in values.tolist()
        ]

    def _put(self, moment: Moment) -> int:
        """Write a moment into the first frame; the points that are still to be made."""
        desk, frame, trump = self.desk, parts.FRAMES, moment.trump
        hands = [with_trumps_first(hand, trump) for hand in moment.hands]
        table = [with_trumps_first(1 << card, trump).bit_length() - 1 for card in moment.table]
        seats = len(hands)
        rest = moment.rest
        present = 0
        for cards in (*hands, *(1 << card for card in table)):
            present |= cards
        desk[parts.SEATS], desk[parts.PISAR] = seats, moment.rules.must_overtrump
        desk[parts.HANDS : parts.HANDS + 4] = hands + [0] * (4 - seats)
        best = winning_card(tuple(table), TRUMPS) if table else 0
        holder = (moment.turn - len(table) + (table.index(best) if table else 0)) % seats
        desk[frame : frame + parts.PRESENT + 1] = (
            moment.turn,
            len(table),
            best,
            holder,
            SUIT_MASKS[table[0] // 10] if table else 0,
            sum(CARD_POINTS[card] for card in table),
            0,
            rest,
            present,
        )
        return rest
