"""The results that arbiters give: a score, the hands, or a hand awarded to one side."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.domain.scores import Score, sides_of
from tournaments.domain.sides import SIDES
from tournaments.models import Match, Result
from tournaments.results.services.reports import HandScores, validate_hands
from tournaments.results.services.results import (
    cut_by_time,
    refuse_impossible,
    refuse_without_deals,
    refuse_without_points,
    with_places,
)

WINNER: Final = "winner"
TWO_SIDES: Final = 2


class HandAward(NamedTuple):
    """A hand of the live result, from 1, and the side that gets all of its points.

    0 is a hand of a result by its score alone: one that the other side won.
    """

    hand: int
    side: str


@dataclass(frozen=True, slots=True)
class GivenResult:
    """A result that an arbiter gives: by its score, its hands, or a hand awarded to a side.

    ``cut``: time ended the match.
    """

    score: Score | None = None
    hand_scores: HandScores = ()
    cut: bool = False
    award: HandAward | None = None

    @property
    def ways(self) -> int:
        """The number of ways in which it is given: one, if it is right."""
        return (self.score is not None) + bool(self.hand_scores) + (self.award is not None)


def score_of_given(match: Match, given: GivenResult) -> tuple[Score, HandScores]:
    """Return the score and the hands of a result that an arbiter gives.

    A match that time ended stays so when a hand of it is awarded. Refuses SCORE_MISSING,
    DEALS_MISSING, IMPOSSIBLE_SCORE, LEVEL_CUT, POINTS_MISSING, and what is refused of hands and of
    an award.
    """
    hands: HandScores = ()
    cut = given.cut
    if given.ways != 1:
        raise Refusal(Reason.SCORE_MISSING)
    if given.award is not None:
        live = match.results.live().select_related("record").first()
        give = award_hand if given.award.hand else move_hand
        score, hands = give(match, live, given.award)
        cut = cut or (live is not None and live.cut)
    elif given.score is not None:
        score = given.score
    else:
        score, hands = validate_hands(match, given.hand_scores, finished=False)
    if cut:
        score = cut_by_time(score, match)
    refuse_without_deals(match, hands)
    refuse_impossible(score, match)
    refuse_without_points(score, match)
    return with_places(score, match), hands


def award_facts(award: HandAward | None) -> dict[str, Any]:
    """Return an award as facts of an event."""
    return {} if award is None else {"award": award._asdict()}


def award_hand(
    match: Match, live: Result | None, award: HandAward
) -> tuple[Score, tuple[dict[str, Any], ...]]:
    """Return the score and the hands of a match after an award; later hands may fall away.

    They do where the match is won before them. Refuses HAND_UNKNOWN where the points of the hand
    are not known (a score alone, a coto, a hand that there is not), UNKNOWN_SIDE, IMPOSSIBLE_HAND.
    """
    sides = SIDES[: len(match.sides)]
    refuse_unless_known(Reason.UNKNOWN_SIDE, award.side, sides)
    hands = known_hands(match, live)
    if not 1 <= award.hand <= len(hands):
        raise Refusal(Reason.HAND_UNKNOWN, hand=award.hand)
    hand = hands[award.hand - 1]
    points = dict.fromkeys(sides, 0) | {award.side: sum(hand[side] for side in sides)}
    hands[award.hand - 1] = {**hand, **points, WINNER: award.side}
    while True:
        try:
            return validate_hands(match, hands, finished=False)
        except Refusal as refusal:
            if refusal.reason is not Reason.HAND_TOO_MANY:
                raise
            hands.pop()


def move_hand(match: Match, live: Result | None, award: HandAward) -> tuple[Score, HandScores]:
    """Return the score after a hand of it goes to the other of two sides; the points stay.

    Refuses HAND_UNKNOWN where its hands are known, or where the score counts cotos or deal sets.
    """
    sides = SIDES[: len(match.sides)]
    refuse_unless_known(Reason.UNKNOWN_SIDE, award.side, sides)
    parts = match.tournament.cotos > 1 or match.tournament.deal_sets
    if live is None or len(sides) != TWO_SIDES or parts or known_hands(match, live):
        raise Refusal(Reason.HAND_UNKNOWN, hand=award.hand)
    moved = [1 if side == award.side else -1 for side in sides]
    hands = (live.home_hands + moved[0], live.away_hands + moved[1])
    return Score.of(hands, (live.home_points, live.away_points)), ()


def known_hands(match: Match, live: Result | None) -> list[dict[str, Any]]:
    """Return the hands of the live result as reports give them; none where they are not known."""
    if live is None or match.tournament.cotos > 1 or match.tournament.deal_sets:
        return []
    if live.hand_scores or live.record is None:
        return [dict(hand) for hand in live.hand_scores]
    names = dict(zip(sides_of(live.record.home_side), SIDES, strict=False))
    return [_hand(hand.points, hand.winner, names) for hand in live.record.hands.order_by("number")]


def _hand(points: Mapping[str, int], winner: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a hand of a record by the sides of its match."""
    hand: dict[str, Any] = {side: points.get(name, 0) for name, side in names.items()}
    return hand | {WINNER: names[winner]} if winner else hand
