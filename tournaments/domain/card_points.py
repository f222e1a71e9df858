"""Tells where card points decide places, and which tables and columns lack them."""

from collections.abc import Iterable

from tournaments.domain.ranking import StandingsLine, order_of
from tournaments.domain.rows import SCORED_BY_HANDS, PlaceRule, Stage, StageRules
from tournaments.domain.tiebreaks import CRITERIA


def uses_points(format_: str, rules: StageRules) -> bool:
    """Tell whether card points can decide a place in a stage of this format."""
    order = order_of(Stage(1, format_, rules))
    return rules.scoring not in SCORED_BY_HANDS or any(CRITERIA[code].of_points for code in order)


def columns_without_points(stage: Stage, lines: Iterable[StandingsLine]) -> tuple[str, ...]:
    """Return the criteria of the order that no line has card points for.

    None where places are given by what is listed: there all columns are shown.
    """
    if stage.rules.places is PlaceRule.LISTED:
        return ()
    with_points = {
        value.code
        for line in lines
        for value in line.values
        if value.number is not None and (line.points or line.points_against)
    }
    codes = order_of(stage)
    return tuple(code for code in codes if CRITERIA[code].of_points and code not in with_points)


def tables_without_points(stage: Stage, last_round: int | None = None) -> int:
    """Return how many tables of the rounds were played and reported without card points."""
    return sum(
        table.lacks_points
        for round_, table in stage.tables()
        if last_round is None or round_ <= last_round
    )
