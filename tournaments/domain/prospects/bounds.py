"""The least and the most that the matches left can give, where there are too many cases."""

from collections.abc import Iterator
from typing import NamedTuple

from tournaments.domain.awards import SCORINGS, Key
from tournaments.domain.ledger import Number
from tournaments.domain.prospects.contest import Contest, Prospect, ResultLines, Verdict
from tournaments.domain.rows import Points, Table
from tournaments.domain.tiebreaks import MATCH_POINTS


class _Piece(NamedTuple):
    """Entrants whose results do not depend on others', and the match points that they can end with.

    Two who meet and have no other match left, by the results of ``key``; else one, with the fewest
    and the most.
    """

    entrants: tuple[int, ...]
    totals: tuple[tuple[Number, ...], ...]
    key: Key | None = None


class _Counts(NamedTuple):
    """How many entrants end above, and at least level with, some match points.

    ``by_piece`` are those of each piece by its totals, ``least_above`` and ``most_level`` the sums.
    """

    by_piece: tuple[tuple[tuple[int, int], ...], ...]
    least_above: int
    most_level: int


class Bounds:
    """A contest of many cases: what each match can give at least and at most, by match points.

    ``slack`` is what rounds of unknown pairs can give to one entrant more than to another.
    """

    def __init__(self, contest: Contest, lines: ResultLines, unknown: int) -> None:
        self.contest, self.lines = contest, lines
        rules, scale = contest.stage.rules, contest.stage.rules.scale
        worth = [scale.bye, scale.full, scale.half, scale.forfeit_win, scale.forfeit_loss]
        for outcome in lines.outcomes:
            worth += SCORINGS[rules.scoring](rules, Table(1, ((1,), (2,)), **outcome))
        most, least = max(worth), min(Points(0), *worth)
        self.slack = unknown * (most - least)
        self.pieces = tuple(self._pieces())
        self.piece_of = {n: i for i, piece in enumerate(self.pieces) for n in piece.entrants}
        self.counts: dict[Number, _Counts] = {}

    def _pieces(self) -> Iterator[_Piece]:
        totals, matches, here = self.lines.totals, self.contest.matches, self.contest.here
        for key, table in self.contest.open.items():
            members = tuple(n for n in table.entrants if n in here)
            if members and all(len(matches[n]) == 1 for n in table.entrants):
                ends = [[totals[n] + p for p in self.lines.points(key, n)] for n in members]
                yield _Piece(members, tuple(zip(*ends, strict=True)), key)
                here -= set(members)
        for n in here:
            points = [self.lines.points(key, n) for key in matches[n]]
            low, high = sum(map(min, points), totals[n]), sum(map(max, points), totals[n])
            yield _Piece((n,), ((low,), (high,)))

    def prospects(self) -> Iterator[tuple[int, Prospect]]:
        """Yield the entrants of whom something is certain."""
        for entrant in sorted(self.contest.here):
            prospect = self._prospect(entrant)
            if prospect is not None:
                yield entrant, prospect

    def _prospect(self, entrant: int) -> Prospect | None:
        places, piece = self.contest.places, self.pieces[self.piece_of[entrant]]
        side = piece.entrants.index(entrant)
        ends = [(totals[side], index) for index, totals in enumerate(piece.totals)]
        if all(self._most_level(entrant, *end) < places for end in ends):
            return self.contest.prospect(entrant, Verdict.THROUGH, MATCH_POINTS.code)
        if all(self._least_above(entrant, *end) >= places for end in ends):
            return self.contest.prospect(entrant, Verdict.OUT, MATCH_POINTS.code)
        key = self.contest.next_match(entrant)
        if key is None:
            return None
        wins, points = self.lines.wins(key, entrant), self.lines.points(key, entrant)
        if piece.key is not None:
            ends = [end for end, won in zip(ends, wins, strict=True) if won]
        else:  # the fewest with a win of the next
            least = min(number for number, won in zip(points, wins, strict=True) if won)
            ends = [(ends[0][0] - min(points) + least, -1)]
        if ends and all(self._most_level(entrant, *end) < places for end in ends):
            return self.contest.prospect(entrant, Verdict.WIN, MATCH_POINTS.code)
        return None

    def _most_level(self, entrant: int, points: Number, index: int) -> int:
        """Return how many others can end at least level with an entrant.

        Of its own piece, by the result with the ``index``.
        """
        counts = self._count(points)
        own = [level for _, level in counts.by_piece[self.piece_of[entrant]]]
        return counts.most_level - max(own) + own[index] - 1

    def _least_above(self, entrant: int, points: Number, index: int) -> int:
        """Return how many others end above an entrant at least; ``index`` as before."""
        counts = self._count(points)
        own = [above for above, _ in counts.by_piece[self.piece_of[entrant]]]
        return counts.least_above - min(own) + own[index]

    def _count(self, points: Number) -> _Counts:
        """Count those who can end above these match points, and level with them."""
        if points not in self.counts:
            slack = self.slack
            by_piece = tuple(
                tuple(
                    (
                        sum(end - slack > points for end in ends),
                        sum(end + slack >= points for end in ends),
                    )
                    for ends in piece.totals
                )
                for piece in self.pieces
            )
            self.counts[points] = _Counts(
                by_piece,
                sum(min(above for above, _ in piece) for piece in by_piece),
                sum(max(level for _, level in piece) for piece in by_piece),
            )
        return self.counts[points]
