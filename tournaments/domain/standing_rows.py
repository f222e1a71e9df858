"""The rows of a standings table: built by a query, read by pages, the API and the papers."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from tournaments.domain.names import players_below, shown_name
from tournaments.domain.prizes import close_gaps
from tournaments.domain.prospects import Prospect
from tournaments.domain.tiebreaks import CRITERIA, Family

ON_PODIUM: Final = 3  # first, second, third

Number = int | float
"""A number to be shown: whole as such, else a decimal."""


class Value(NamedTuple):
    """A number of a line: of a criterion by its code, among the tied where it is of their games.

    A criterion of the games among the tied that was not needed has no number, nor has one that
    lacks card points.
    """

    code: str
    number: Number | None
    among: tuple[int, ...] = ()

    @property
    def lacks_points(self) -> bool:
        """There is no number because card points of a match were not reported."""
        criterion = CRITERIA[self.code]
        was_needed = bool(self.among) or criterion.family is not Family.AMONG
        return self.number is None and criterion.of_points and was_needed


class PenaltyRow(NamedTuple):
    """What was taken from an entry, in a round (0: before the first), and why."""

    round: int
    match_points: Number
    hands: int
    points: int
    reason: str


class StandingRow(NamedTuple):
    """A line of the standings.

    ``decided_by`` is what put it below the line above: ``match_points``, the code of a criterion of
    the stage's order, ``exit_round``, ``group_place``, ``lots``, ``shared`` (nothing did), or empty
    for the first. ``direct_points`` are the match points among those level, where a direct
    encounter separated them. A place is ``shared`` by all who have the same ``rank``.
    ``match_points`` are whole numbers as such, else decimals; they have the penalties in, the sums
    of hands and points have not. ``values`` are the numbers of the order's criteria, in its order.
    Only ``on_podium`` can stand on a podium and get a diploma. ``possible`` are the most match
    points that its rounds could have given, where deals are compared by match points; else 0.
    ``who`` names whose it is (``player-12``, ``pair-5``, ``bot-azar``). ``climbed`` are the places
    won since the last round, negative if lost, None where there were none before; ``outcomes`` the
    last results (``won``, ``tied``, ``lost``), the latest last. ``prospect`` is what is certain of
    its place in the next stage.
    """

    rank: int
    shared: bool
    number: int
    name: str
    players: tuple[str, ...]
    is_bot: bool
    played: int
    won: int
    tied: int
    lost: int
    match_points: Number
    hands_for: int
    hands_against: int
    points_for: int
    points_against: int
    decided_by: str
    direct_points: Number | None
    values: tuple[Value, ...]
    penalties: tuple[PenaltyRow, ...] = ()
    withdrawn: bool = False
    lot: int | None = None
    group: int = 0
    who: str = ""
    on_podium: bool = True
    possible: Number = 0
    climbed: int | None = None
    outcomes: tuple[str, ...] = ()
    prospect: Prospect | None = None

    @property
    def shown_name(self) -> str:
        """The name on pages and papers (`ShownNames`)."""
        return shown_name(self.name, self.players)

    @property
    def shown_players(self) -> tuple[str, ...]:
        """The players to show below the name (`ShownNames`)."""
        return () if self.is_bot else players_below(self.name, self.players)

    @property
    def deciding_number(self) -> Number | None:
        """The number of the criterion that put it below the line above; None without one."""
        return next((v.number for v in self.values if v.code == self.decided_by), None)

    @property
    def percentage(self) -> Number | None:
        """The match points in percent of the possible ones; None where deals are not compared."""
        return round(100 * self.match_points / self.possible, 2) if self.possible else None

    @property
    def hand_difference(self) -> int:
        """Hands won less hands lost."""
        return self.hands_for - self.hands_against

    @property
    def point_difference(self) -> int:
        """Points made less points conceded."""
        return self.points_for - self.points_against


class GroupRows(NamedTuple):
    """The table of one group; ``group`` is 0 where the stage has no groups."""

    group: int
    rows: tuple[StandingRow, ...]

    @property
    def podium(self) -> tuple[StandingRow, ...]:
        """The first three, of those who can stand on a podium."""
        return _first_three(self.rows)

    @property
    def people_podium(self) -> tuple[StandingRow, ...]:
        """The first three without bots, whose places go to those below them."""
        return _first_three(row for row in self.rows if not row.is_bot)

    @property
    def places(self) -> dict[int, int]:
        """The places by entry number of those who can stand on a podium."""
        return _places(self.rows)


def _places(rows: Sequence[StandingRow]) -> dict[int, int]:
    left_out = {row.number for row in rows if not row.on_podium}
    return close_gaps([(row.number, row.rank) for row in rows], left_out)


def _first_three(rows: Iterable[StandingRow]) -> tuple[StandingRow, ...]:
    """Return those who can stand on a podium, three at most; the next move up for the others."""
    rows = tuple(rows)
    places = _places(rows)
    standing = (row._replace(rank=places[row.number]) for row in rows if row.number in places)
    return tuple(islice((row for row in standing if row.rank <= ON_PODIUM), ON_PODIUM))
