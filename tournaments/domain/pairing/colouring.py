"""Schedules meetings in as few rounds as can be: an edge colouring of the graph of meetings.

A round is a colour: nobody meets two people in it. No plan has fewer rounds than one entrant has
meetings left, nor than all meetings need when every table of a round is used; a simple graph never
needs more than one round above the first number (Vizing 1964). Meetings are coloured one by one,
two colours changing places along a chain (Kempe) where none is free at both ends.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from random import Random
from typing import Final

Meeting = tuple[int, int]

ATTEMPTS: Final = 12
"""Orders of the meetings that are tried before another round is allowed."""

SHAKES: Final = 60
"""Chains flipped at random for one meeting that fits nowhere, before an attempt is given up."""


@lru_cache(maxsize=256)
def schedule_meetings(meetings: tuple[Meeting, ...]) -> tuple[tuple[Meeting, ...], ...]:
    """Return the meetings in rounds; the same pair may be given several times.

    The same meetings in the same order give the same rounds.
    """
    if not meetings:
        return ()
    for rounds in count(min_rounds(meetings)):
        for attempt in range(ATTEMPTS):
            coloured = _Colouring(meetings, rounds, attempt).solve()
            if coloured is not None:
                return tuple(map(tuple, coloured))
    raise AssertionError("enough rounds hold one meeting each")


def min_rounds(meetings: Sequence[Meeting]) -> int:
    """Return a number of rounds below which no plan of the meetings can be."""
    meeting_counts = Counter(entrant for meeting in meetings for entrant in meeting)
    if not meeting_counts:
        return 0
    return max(*meeting_counts.values(), -(-len(meetings) // (len(meeting_counts) // 2)))


class _Colouring:
    """One attempt: for every entrant, which of their meetings has which colour."""

    def __init__(self, meetings: Sequence[Meeting], rounds: int, attempt: int) -> None:
        self.meetings = meetings
        self.rounds = rounds
        self.chance = Random(f"colouring {rounds} {attempt}")  # noqa: S311 - a fixed order, no secret
        self.order = list(range(len(meetings)))
        if attempt:
            self.chance.shuffle(self.order)
        self.at: dict[int, dict[int, int]] = {entrant: {} for pair in meetings for entrant in pair}
        self.colour: dict[int, int] = {}

    def solve(self) -> list[list[Meeting]] | None:
        """Return the rounds, or None when a meeting fits nowhere."""
        if not all(self._fit(edge) for edge in self.order):
            return None
        rounds: list[list[Meeting]] = [[] for _ in range(self.rounds)]
        for edge in range(len(self.meetings)):
            rounds[self.colour[edge]].append(self.meetings[edge])
        return [meetings for meetings in rounds if meetings]

    def _fit(self, edge: int) -> bool:
        return self._place(edge) or any(
            self._perturb(edge) and self._place(edge) for _ in range(SHAKES)
        )

    def _place(self, edge: int) -> bool:
        """Give the meeting a colour that is free at both ends, or can be made so by one chain."""
        entrant, other = self.meetings[edge]
        free_colours, its_free = self._free(entrant), self._free(other)
        both = [colour for colour in free_colours if colour in set(its_free)]
        if both:
            self._set(edge, both[0])
            return True
        for colour in free_colours:
            for its_colour in its_free:
                chain, end = self._chain(other, colour, its_colour)
                if end != entrant:
                    self._flip(chain, colour, its_colour)
                    self._set(edge, colour)
                    return True
        return False

    def _perturb(self, edge: int) -> bool:
        """Flip a chain of two colours that starts somewhere; always true."""
        start = self.chance.choice(self.meetings[self.chance.randrange(len(self.meetings))])
        if self.chance.random() < 0.5:
            start = self.meetings[edge][self.chance.randrange(2)]
        free_colours, used = self._free(start), list(self.at[start])
        if free_colours and used:
            colour, its_colour = self.chance.choice(used), self.chance.choice(free_colours)
            chain, _ = self._chain(start, colour, its_colour)
            self._flip(chain, colour, its_colour)
        return True

    def _free(self, entrant: int) -> list[int]:
        used_colours = self.at[entrant]
        return [colour for colour in range(self.rounds) if colour not in used_colours]

    def _chain(self, start: int, colour: int, other: int) -> tuple[list[int], int]:
        """Follow two colours from an entrant who lacks ``other``; return the chain and its end."""
        chain, entrant, next_colour = [], start, colour
        while next_colour in self.at[entrant]:
            edge = self.at[entrant][next_colour]
            chain.append(edge)
            entrant = sum(self.meetings[edge]) - entrant
            next_colour = other if next_colour == colour else colour
        return chain, entrant

    def _flip(self, chain: list[int], colour: int, other: int) -> None:
        colours = [self.colour[edge] for edge in chain]
        for edge, old in zip(chain, colours, strict=True):
            for entrant in self.meetings[edge]:
                del self.at[entrant][old]
        for edge, old in zip(chain, colours, strict=True):
            self._set(edge, other if old == colour else colour)

    def _set(self, edge: int, colour: int) -> None:
        self.colour[edge] = colour
        for entrant in self.meetings[edge]:
            self.at[entrant][colour] = edge
