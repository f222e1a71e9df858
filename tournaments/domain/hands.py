"""The scores of the hands of a match, where the table wrote down nothing else.

They are audited as the engine audits the hands of a record that lack their play: points that no
play gives, a winner with fewer points than the others, a hand after the end of the match.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

import engine
from tournaments.domain.scores import SEATS, Score, score_of, sides_of

HOME_AT: Final = {4: "AC", 2: "A", 3: "ABC"}
"""Where home is put for the audit, by the number of seats."""


@dataclass(frozen=True, slots=True)
class HandScore:
    """The points of one hand, side by side; ``winner`` is the index of the side that won it.

    Without a winner, the side with most points has won it; in a race (R9) nobody has yet.
    """

    points: tuple[int, ...]
    winner: int | None = None
    board: int | None = None


@dataclass(frozen=True, slots=True)
class AuditedHands:
    """Hands that were audited: what the engine says, the score, and the hands with their winners.

    ``score`` is missing when there is a fault.
    """

    verdict: engine.Verdict
    score: Score | None
    hands: tuple[HandScore, ...]

    @property
    def is_finished(self) -> bool:
        """The match came to its end."""
        return not any(notice.code == "match.unfinished" for notice in self.verdict.notices)


class AmbiguousWinner(ValueError):  # noqa: N818 - an answer, not an error
    """The winner of this hand (from 1) is missing: several sides made as many points (R7.3)."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class WithoutDealer(ValueError):  # noqa: N818 - an answer, not an error
    """In this hand (from 1) nobody has no points who can be the dealer, who sits out (R8.1)."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def audit_hands(
    ruleset: str, options: Mapping[str, Any], hands: Sequence[HandScore]
) -> AuditedHands:
    """Audit the hands of a match, and add them up. Raises AmbiguousWinner, WithoutDealer."""
    rules = engine.RULESETS[ruleset]
    seats, side = tuple(rules.seats), HOME_AT[len(rules.seats)]
    if hands and len(hands[0].points) > len(seats):
        seats, side = tuple(SEATS), _sitting(hands)
    names = sides_of(side)
    is_race = bool(rules.race_to)
    complete = tuple(
        hand if is_race else _with_winner(hand, number) for number, hand in enumerate(hands, 1)
    )
    document = {
        "format": "baza/1",
        "ruleset": ruleset,
        "options": dict(options),
        "seats": list(seats),
        "hands": list(_record_hands(rules, seats, names, complete)),
    }
    verdict = engine.audit(document)
    score = score_of(verdict, side) if verdict.valid else None
    return AuditedHands(verdict, score, complete)


def _sitting(hands: Sequence[HandScore]) -> str:
    """Return where the sides of a table of four sat: the dealer of each hand has no points in it.

    The table wrote down neither; the deal goes round (R2.4).
    """
    fitting = 0
    for order in permutations(range(len(SEATS))):
        dealers = (hand.points[order[n % len(order)]] for n, hand in enumerate(hands))
        fits = next((n for n, points in enumerate(dealers) if points), len(hands))
        if fits == len(hands):
            return "".join(SEATS[order.index(side)] for side in range(len(SEATS)))
        fitting = max(fitting, fits)
    raise WithoutDealer(fitting + 1)


def _with_winner(hand: HandScore, number: int) -> HandScore:
    if hand.winner is not None:
        return hand
    max_points = max(hand.points)
    if hand.points.count(max_points) > 1:
        raise AmbiguousWinner(number)
    return HandScore(hand.points, hand.points.index(max_points), hand.board)


def _record_hands(
    rules: engine.Ruleset, seats: Sequence[str], names: Sequence[str], hands: Sequence[HandScore]
) -> Iterator[dict[str, Any]]:
    """Yield the hands as a record has them, the deal going round (R2.4, R9.4)."""
    dealer, is_second = 0, False
    for hand in hands:
        winner = None if hand.winner is None else names[hand.winner]
        points = dict(zip(names, hand.points, strict=True))
        if len(seats) > len(rules.seats):
            del points[seats[dealer]]
        yield {
            "dealer": seats[dealer],
            "play": None,
            "points": points,
            "winner": winner,
        }
        is_second = bool(rules.race_to) and winner is None and not is_second
        if not is_second:
            dealer = (dealer + 1) % len(seats)
