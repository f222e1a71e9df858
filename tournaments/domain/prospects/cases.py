"""Every case of the matches that are left, one by one."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from tournaments.domain.awards import Key
from tournaments.domain.prospects.contest import Contest, Prospect, ResultLines, Verdict
from tournaments.domain.ranking import LEFT_UNPLAYED, LOTS, SHARED, StandingsLine, tables
from tournaments.domain.rows import Stage
from tournaments.domain.tiebreaks import MATCH_POINTS

MAX_TABLES: Final = 5
"""Tables that a place may depend on to be named: more say nothing to a player."""

IN, LEVEL, OUTSIDE = 1, 0, -1
"""Whether an entrant goes on by some results; level at the line is neither."""


class Cases:
    """Every case of a contest: each result of each match that is left with each of the others."""

    def __init__(
        self, contest: Contest, lines: ResultLines, order: Sequence[str], ranked: Stage
    ) -> None:
        self.contest, self.lines, self.ranked = contest, lines, ranked
        self.codes = (MATCH_POINTS.code, LEFT_UNPLAYED, *order, LOTS)
        self.keys = sorted(contest.open)
        self.states: dict[int, list[int]] = {n: [] for n in contest.here}
        self.depths: dict[int, list[int]] = {n: [] for n in contest.here}
        for case in product(range(len(lines.outcomes)), repeat=len(self.keys)):
            for entrant, (state, depth) in self._places(dict(zip(self.keys, case, strict=True))):
                self.states[entrant].append(state)
                self.depths[entrant].append(depth)

    def _places(self, case: Mapping[Key, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield on which side of the line each is, with the place in the order of what decides."""
        totals, places = dict(self.lines.totals), self.contest.places
        for key, index in case.items():
            for entrant, games in self.lines.games[key].items():
                totals[entrant] += games[index].match_points
        best = sorted((totals[n] for n in self.contest.here), reverse=True)
        if best[places - 1] == best[places]:
            yield from self._ranked(case)
            return
        for entrant in self.contest.here:
            yield entrant, (IN if totals[entrant] >= best[places - 1] else OUTSIDE, 0)

    def _ranked(self, case: Mapping[Key, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        lines = tables(self.contest.rows, self.ranked, tally=self.lines.tally(case))[0].lines
        here = [n for n, line in enumerate(lines) if line.entrant in self.contest.here]
        last, after = here[self.contest.places - 1], here[self.contest.places]
        for place, index in enumerate(here):
            line = lines[index]
            if lines[last].rank == lines[after].rank == line.rank:
                yield line.entrant, (LEVEL, 0)
            elif place < self.contest.places:
                yield line.entrant, (IN, self._depth(lines[index + 1 : after + 1]))
            else:
                yield line.entrant, (OUTSIDE, self._depth(lines[last + 1 : index + 1]))

    def _depth(self, lines: Sequence[StandingsLine]) -> int:
        """Return the place in the order of what separates the line before from the last."""
        return min(self.codes.index(line.decided_by) for line in lines if line.decided_by != SHARED)

    def prospects(self) -> Iterator[tuple[int, Prospect]]:
        """Yield the entrants of whom something is certain."""
        for entrant in sorted(self.contest.here):
            prospect = self._prospect(entrant)
            if prospect is not None:
                yield entrant, prospect

    def _prospect(self, entrant: int) -> Prospect | None:
        states, depths = self.states[entrant], self.depths[entrant]
        for verdict, state in ((Verdict.THROUGH, IN), (Verdict.OUT, OUTSIDE)):
            if all(one == state for one in states):
                return self.contest.prospect(entrant, verdict, self.codes[max(depths)])
        key = self.contest.next_match(entrant)
        if key is not None:
            won = self.lines.wins(key, entrant)
            step = _case_step(len(won), self.keys, key)
            cases = [n for n in range(len(states)) if won[n // step % len(won)]]
            if cases and all(states[n] == IN for n in cases):
                decided_by = self.codes[max(depths[n] for n in cases)]
                return self.contest.prospect(entrant, Verdict.WIN, decided_by)
        return _depending_prospect(
            self.contest, entrant, states, self.keys, len(self.lines.outcomes)
        )


def _depending_prospect(
    contest: Contest, entrant: int, states: Sequence[int], keys: Sequence[Key], outcomes: int
) -> Prospect | None:
    """Return the prospect of an entrant whom some result of one match takes in and some out."""
    matter = []
    for key in keys:
        step = _case_step(outcomes, keys, key)
        first = (n for n in range(len(states)) if n // step % outcomes == 0)
        sides = (set(states[n : n + step * outcomes : step]) for n in first)
        if any({IN, OUTSIDE} <= side for side in sides):
            matter.append(key)
    if not matter or len(matter) > MAX_TABLES or any(key[0] not in contest.drawn for key in matter):
        return None
    return contest.prospect(entrant, Verdict.DEPENDS, tables_=matter)


def _case_step(outcomes: int, keys: Sequence[Key], key: Key) -> int:
    """Return how many cases are between two that differ in the next result of a match."""
    return int(outcomes ** (len(keys) - 1 - keys.index(key)))
