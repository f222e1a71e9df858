"""The definition of a tie-break criterion, and the sums that criteria share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from tournaments.domain.ledger import (
    REQUESTED,
    VOLUNTARY,
    Game,
    Ledger,
    Number,
    RoundKind,
    simplify,
)
from tournaments.domain.rows import Edition, Penalty


class Term(NamedTuple):
    """One addend of a criterion.

    ``round`` is 0 where the addend belongs to none. ``note`` is the code of what it is, with the
    message ``term.<note>``; ``factors`` are the numbers it is the product of, where it is one. A
    term that ``cut`` names a reason for is shown and not counted.
    """

    round: int
    entrants: tuple[int, ...]
    amount: Number
    note: str
    factors: tuple[Number, ...] = ()
    cut: str = ""


Terms = tuple[Term, ...]


def total(terms: Iterable[Term]) -> Number:
    """Return the number that the terms explain: the sum of those that are not cut."""
    return sum(term.amount for term in terms if not term.cut)


class Family(StrEnum):
    """The input of a criterion."""

    OWN = "own"
    """The entrant's own rounds (FIDE's type B)."""
    OPPONENTS = "opponents"
    """The final scores of the opponents (types C and BC)."""
    AMONG = "among"
    """The games that the tied played among themselves (type A)."""


class TiedPart(NamedTuple):
    """Some of the tied, still level, and the tied whose mini-table put them there."""

    entrants: tuple[int, ...]
    tied_group: tuple[int, ...]


Addends = Callable[["Tally", int, tuple[int, ...]], Terms]
Split = Callable[["Tally", tuple[int, ...]], list[TiedPart]]


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of an order of criteria; more is better in all of them.

    ``terms`` gives the addends of an entrant's number: from the sums so far, the entrant's number,
    and (for the family `AMONG`) the tied of the same mini-table. ``split`` orders the tied, best
    first, where that is more than comparing numbers. ``article`` is of FIDE's C.07, empty where the
    criterion is none of FIDE's. ``in_preset``: allowed where the schedule is fixed beforehand.
    ``is_difference``: its numbers are shown with their sign. ``of_points``: it adds up card points,
    which tables may leave out of their reports. Its name is the message
    ``criterion.<code>``, its column heading ``column.<code>``.
    """

    code: str
    family: Family
    terms: Addends
    acronym: str = ""
    article: str = ""
    split: Split | None = None
    in_preset: bool = True
    is_difference: bool = False
    of_points: bool = False

    def number(self, tally: Tally, entrant: int, tied_group: tuple[int, ...] = ()) -> Number:
        """Return an entrant's number."""
        return total(self.terms(tally, entrant, tied_group))


@dataclass(frozen=True, slots=True)
class Measure:
    """A score that can be added up over rounds: match points, or hands won.

    ``totals`` are the final scores, penalties included; ``adjusted`` the same as opponents see
    them (16.3). ``draw`` is what a drawn round is worth.
    """

    totals: Mapping[int, Number]
    adjusted: Mapping[int, Number]
    draw: Number
    of: Callable[[Game], Number]


class Tally:
    """The sums of a ledger, each computed when first asked for.

    ``is_preset``: the schedule was fixed beforehand, so that forfeits count like games and nothing
    of article 16 applies (15.2, 15.3).
    """

    def __init__(self, ledger: Ledger, *, is_preset: bool = False) -> None:
        self.ledger = ledger
        self.is_preset = is_preset
        self.rules = ledger.rules
        self.caps_dummies = ledger.rules.edition is not Edition.E2024
        self.by_hands: dict[tuple[int, ...], bool] = {}
        """Ties that the extended direct encounter had to look at in hands (13.3.1)."""
        self._dropped: dict[int, frozenset[int]] = {}

    def games(self, entrant: int) -> tuple[Game, ...]:
        """Return the entrant's lines by round."""
        return self.ledger.games[entrant]

    def penalties(self, entrant: int) -> tuple[Penalty, ...]:
        """Return the entrant's penalties."""
        return self.ledger.penalties.get(entrant, ())

    def dropped(self, entrant: int) -> frozenset[int]:
        """Return the entrant's worst rounds, which count for nothing (`StageRules.drop_rounds`).

        Rounds of voluntary absence go first, then those with the fewest match points less the
        round's penalties, of equals an unplayed one; one round always counts.
        """
        if not self.rules.drop_rounds:
            return frozenset()
        if entrant not in self._dropped:
            worst = sorted(self.games(entrant), key=lambda game: self._worth(entrant, game))
            count = min(self.rules.drop_rounds, max(len(worst) - 1, 0))
            self._dropped[entrant] = frozenset(game.round for game in worst[:count])
        return self._dropped[entrant]

    def _worth(self, entrant: int, game: Game) -> tuple[Number, ...]:
        penalties = [penalty for penalty in self.penalties(entrant) if penalty.round == game.round]
        hands = game.hands - game.hands_against - sum(penalty.hands for penalty in penalties)
        points = game.points - game.points_against - sum(penalty.points for penalty in penalties)
        return (
            game.kind not in VOLUNTARY,
            game.match_points - sum(penalty.match_points for penalty in penalties),
            game.kind is RoundKind.PLAYED,
            hands,
            points,
            game.round,
        )

    @cached_property
    def match(self) -> Measure:
        """Match points."""
        return self._measure(
            lambda game: game.match_points,
            lambda penalty: simplify(penalty.match_points),
            simplify(self.rules.scale.tie),
        )

    @cached_property
    def hands(self) -> Measure:
        """Hands won, the secondary score (FIDE's game points).

        A drawn round is worth half of the deals that a table plays, where that number is fixed, or
        half of what a pairing bye adds.
        """
        return self._measure(
            lambda game: game.hands,
            lambda penalty: penalty.hands,
            Fraction(self.rules.deals or self.rules.scale.bye_mark.hands, 2),
        )

    def _measure(
        self,
        value_of: Callable[[Game], Number],
        deduction: Callable[[Penalty], Number],
        draw: Number,
    ) -> Measure:
        totals: dict[int, Number] = {}
        for entrant, games in self.ledger.games.items():
            dropped = self.dropped(entrant)
            totals[entrant] = sum(value_of(game) for game in games if game.round not in dropped)
            totals[entrant] -= sum(
                deduction(penalty)
                for penalty in self.penalties(entrant)
                if penalty.round not in dropped
            )
        adjusted = totals
        if not self.is_preset:
            adjusted = {
                entrant: score + sum(draw - value_of(game) for game in self.final_absences(entrant))
                for entrant, score in totals.items()
            }
        return Measure(totals, adjusted, draw, value_of)

    def final_absences(self, entrant: int) -> list[Game]:
        """Return the requested byes after which the entrant was never available again (16.2.5)."""
        absences: list[Game] = []
        last_open = max(self.ledger.open[entrant], default=0)
        for game in reversed(self.ledger.games[entrant]):
            if game.kind not in VOLUNTARY or game.round < last_open:
                break
            if game.kind in REQUESTED:
                absences.append(game)
        return absences
