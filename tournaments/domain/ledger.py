"""The ledger of a stage: one line for each entrant and round, a game, a bye or an absence.

Standings are sums over these lines and nothing else. A table without a result is no line: it is
listed in `Ledger.open`, and only shows that its entrants were there to play. Penalties are lines of
their own (`Penalty`), so that each sum can show them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from tournaments.domain.awards import awards, late_awards
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
    PlaceRule,
    Points,
    Stage,
    StageRules,
    State,
    Table,
    TournamentRows,
)


class RoundKind(StrEnum):
    """The kind of an entrant's round (FIDE C.07, articles 15.1 and 16.2)."""

    PLAYED = "played"
    FORFEIT_WIN = "forfeit_win"
    FORFEIT_LOSS = "forfeit_loss"
    PAIRING_BYE = "pairing_bye"
    FULL_BYE = "full_bye"
    HALF_BYE = "half_bye"
    ZERO_BYE = "zero_bye"
    """Asked for, or the entrant was not there: withdrawn, or not yet entered."""


REQUESTED: Final = frozenset({RoundKind.HALF_BYE, RoundKind.ZERO_BYE})
"""Requested byes (16.1.1); rounds after a withdrawal and before a late entry are among them."""

VOLUNTARY: Final = REQUESTED | {RoundKind.FORFEIT_LOSS}
"""Voluntary unplayed rounds (16.1.2): the entrant was not available to play."""

FORFEITS: Final = frozenset({RoundKind.FORFEIT_WIN, RoundKind.FORFEIT_LOSS})

BYES: Final[Mapping[Bye, RoundKind]] = {
    Bye.PAIRING: RoundKind.PAIRING_BYE,
    Bye.FULL: RoundKind.FULL_BYE,
    Bye.HALF: RoundKind.HALF_BYE,
    Bye.ZERO: RoundKind.ZERO_BYE,
}

SEATS_OF_A_HAND: Final = 3
"""How many single players play a hand at a table of four (docs/programs/rules.md)."""

Number = Points | int
"""Exact: whole numbers as such, since they add up faster, and fractions; never a float."""


def simplify(points: Points) -> Number:
    """Return a whole number as an int."""
    return points.numerator if points.denominator == 1 else points


@dataclass(frozen=True, slots=True)
class Game:
    """One round of one entrant.

    ``match_points`` are the entrant's own and ``opposed`` those of the best other side;
    ``hands`` and ``points`` what the entrant's side took, ``hands_against`` and ``points_against``
    what all other sides took together. ``table`` is 0 without a table; ``first`` is true for the
    first side (it deals last).
    """

    round: int
    kind: RoundKind
    match_points: Number
    opposed: Number = 0
    opponents: tuple[int, ...] = ()
    partners: tuple[int, ...] = ()
    hands: int = 0
    hands_against: int = 0
    points: int = 0
    points_against: int = 0
    table: int = 0
    first: bool = False

    @property
    def lacks_points(self) -> bool:
        """Played, and reported without the card points."""
        return self.kind is RoundKind.PLAYED and not (self.points or self.points_against)

    @property
    def hands_played(self) -> Number:
        """The hands that the entrant played: of four single players the dealer sits out (R8.1)."""
        hands = self.hands + self.hands_against
        sits_out = len(self.opponents) == SEATS_OF_A_HAND
        return simplify(Points(hands * SEATS_OF_A_HAND, SEATS_OF_A_HAND + 1)) if sits_out else hands

    @property
    def won(self) -> bool:
        """Played or awarded, and more match points than any other side."""
        if self.kind is RoundKind.PLAYED:
            return self.match_points > self.opposed
        return self.kind is RoundKind.FORFEIT_WIN

    @property
    def lost(self) -> bool:
        """Played or awarded, and fewer match points than another side."""
        if self.kind is RoundKind.PLAYED:
            return self.match_points < self.opposed
        return self.kind is RoundKind.FORFEIT_LOSS

    @property
    def tied(self) -> bool:
        """Played, and as many match points as the best other side."""
        return self.kind is RoundKind.PLAYED and self.match_points == self.opposed


@dataclass(frozen=True, slots=True)
class Ledger:
    """The lines of a stage, each entrant's by round; ``rounds`` are the numbers of the rounds."""

    rules: StageRules
    entrants: tuple[int, ...]
    rounds: tuple[int, ...]
    games: Mapping[int, tuple[Game, ...]]
    open: Mapping[int, tuple[int, ...]]
    penalties: Mapping[int, tuple[Penalty, ...]]

    def after(self, before: "Ledger") -> "Ledger":
        """Return these lines with those of an earlier stage before them.

        Those of entrants who have not come into this stage stay, as they were met.
        """
        numbers = tuple(dict.fromkeys((*before.games, *self.games)))
        return replace(
            self,
            rounds=(*before.rounds, *self.rounds),
            games={n: (*before.games.get(n, ()), *self.games.get(n, ())) for n in numbers},
            open={n: (*before.open.get(n, ()), *self.open.get(n, ())) for n in numbers},
            penalties={
                n: (*before.penalties.get(n, ()), *self.penalties.get(n, ())) for n in numbers
            },
        )


def ledger(
    rows: TournamentRows, stage: Stage, last_round: int | None = None, *, fill_absences: bool = True
) -> Ledger:
    """Return the lines of all who play in the stage, up to and including a round (its number).

    An entrant at no table of a round gets what latecomers get (`StageRules.late`) before the round
    in which they join, and a zero bye when they are away. An entrant who was there and was not
    drawn gets a zero bye too with ``fill_absences``, and no line where entrants may be out (a
    knock-out). Raises ValueError when a table seats an entrant who is not in the stage.
    """
    rounds = tuple(
        sorted(
            round_.number
            for round_ in stage.published
            if last_round is None or round_.number <= last_round
        )
    )
    games, open_ = _table_lines(stage, rounds)
    by_number = rows.by_number
    absences = [
        (number, by_number.get(entrant, Entrant(entrant)))
        for entrant in stage.entrants
        for number in sorted(
            set(rounds).difference((game.round for game in games[entrant]), open_[entrant])
        )
    ]
    late = late_awards(stage, ((n, one.number) for n, one in absences if one.joined > n))
    for number, one in absences:
        if (credit := late.get((number, one.number))) is not None:
            games[one.number].append(Game(number, BYES[stage.rules.late], simplify(credit)))
        elif fill_absences or not one.is_here(number):
            games[one.number].append(Game(number, RoundKind.ZERO_BYE, 0))
    return Ledger(
        rules=stage.rules,
        entrants=stage.entrants,
        rounds=rounds,
        games={n: tuple(sorted(games[n], key=lambda game: game.round)) for n in stage.entrants},
        open={n: tuple(sorted(open_[n])) for n in stage.entrants},
        penalties=_penalties(rows, stage, last_round),
    )


def _table_lines(
    stage: Stage, rounds: tuple[int, ...]
) -> tuple[dict[int, list[Game]], dict[int, set[int]]]:
    """Return the lines of all tables that count, and the rounds of those that are still open."""
    games: dict[int, list[Game]] = {entrant: [] for entrant in stage.entrants}
    open_: dict[int, set[int]] = {entrant: set() for entrant in stage.entrants}
    awarded, last = awards(stage), rounds[-1] if rounds else 0
    unplayed = _unplayed_rounds(stage)
    for round_, table in stage.tables():
        if strangers := [number for number in table.entrants if number not in games]:
            raise ValueError(f"round {round_}, table {table.number}: not in the stage: {strangers}")
        if round_ > last:
            continue
        if not table.counts or (table.is_bye and round_ in unplayed):
            for entrant in table.entrants:
                open_[entrant].add(round_)
            continue
        for entrant, game in _lines(round_, table, awarded[round_, table.number], stage.rules):
            games[entrant].append(game)
    return games, open_


def _unplayed_rounds(stage: Stage) -> set[int]:
    """Return the rounds whose byes do not count yet: they are open and no match has a result."""
    if stage.rules.places is not PlaceRule.PLAYED:
        return set()
    return {
        round_.number
        for round_ in stage.published
        if round_.state is not State.CLOSED
        and not all(table.is_bye for table in round_.tables)
        and not any(table.counts for table in round_.tables if not table.is_bye)
    }


def _lines(
    round_: int, table: Table, points: tuple[Points, ...], rules: StageRules
) -> Iterator[tuple[int, Game]]:
    if table.is_bye:
        yield from _bye_lines(round_, table, points[0], rules)
        return
    plain_points = tuple(simplify(award) for award in points)
    marks = _counted_marks(table, rules)
    hands, cards = sum(mark.hands for mark in marks), sum(mark.points for mark in marks)
    for index, side in enumerate(table.sides):
        kind = _kind(table, index)
        opposed = max(plain_points[:index] + plain_points[index + 1 :])
        opponents = _opponents(table.sides, index)
        mark = marks[index]
        for entrant in side:
            yield (
                entrant,
                Game(
                    round_,
                    kind,
                    plain_points[index],
                    opposed,
                    opponents,
                    tuple(other for other in side if other != entrant),
                    mark.hands,
                    hands - mark.hands,
                    mark.points,
                    cards - mark.points,
                    table.number,
                    index == 0,
                ),
            )


def _counted_marks(table: Table, rules: StageRules) -> tuple[Mark, ...]:
    """Return what each side gets: a forfeit by the scale, points of a result up to the cap."""
    marks = table.marks or (Mark(),) * len(table.sides)
    for_win, for_loss = rules.scale.forfeit_win_mark, rules.scale.forfeit_loss_mark
    if table.forfeits and (for_win != Mark() or for_loss != Mark()):
        return tuple(
            for_loss if index in table.forfeits else for_win for index in range(len(marks))
        )
    cap = rules.points_cap
    if cap is None:
        return marks
    return tuple(Mark(mark.hands, min(mark.points, cap)) for mark in marks)


def _bye_lines(
    round_: int, table: Table, points: Points, rules: StageRules
) -> Iterator[tuple[int, Game]]:
    kind = BYES[table.bye or Bye.PAIRING]
    mark = rules.scale.bye_mark if kind is RoundKind.PAIRING_BYE else Mark()
    for entrant in table.entrants:
        yield (
            entrant,
            Game(
                round_,
                kind,
                simplify(points),
                hands=mark.hands,
                points=mark.points,
                table=table.number,
            ),
        )


def _kind(table: Table, index: int) -> RoundKind:
    if not table.forfeits:
        return RoundKind.PLAYED
    return RoundKind.FORFEIT_LOSS if index in table.forfeits else RoundKind.FORFEIT_WIN


def _opponents(sides: tuple[tuple[int, ...], ...], index: int) -> tuple[int, ...]:
    if len(sides) == 2:
        return sides[1 - index]
    return tuple(number for n, side in enumerate(sides) if n != index for number in side)


def _penalties(
    rows: TournamentRows, stage: Stage, last_round: int | None
) -> dict[int, tuple[Penalty, ...]]:
    """Return the penalties of the stage's rounds; those from before any round are the first's."""
    numbers = {round_.number for round_ in stage.rounds}
    if rows.stages and stage.number == rows.stages[0].number:
        numbers.add(0)
    by_entrant = defaultdict(list)
    for penalty in _sort_penalties(rows.penalties):
        counted = penalty.round in numbers and (last_round is None or penalty.round <= last_round)
        if counted and penalty.entrant in stage.entrants:
            by_entrant[penalty.entrant].append(penalty)
    return {entrant: tuple(penalties) for entrant, penalties in by_entrant.items()}


def _sort_penalties(penalties: Iterable[Penalty]) -> list[Penalty]:
    """Return them by round, so that the order of entry changes no line."""
    return sorted(
        penalties,
        key=lambda penalty: (penalty.round, penalty.match_points, penalty.hands, penalty.points),
    )
