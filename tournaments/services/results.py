"""Writing the result of a match: always a new version, the old ones kept."""

from django.db.models import Max

from tournaments.domain.standings import Score
from tournaments.models import Match, Record, Result
from tournaments.permissions import Actor
from tournaments.services.locks import bump


def replace_result(
    actor: Actor,
    match: Match,
    score: Score,
    *,
    depth: Result.Depth,
    record: Record | None = None,
    reason: str = "",
) -> Result:
    """Give a locked match a new live result that counts, and move the standings' version on."""
    version = withdraw_result(match)
    last = match.results.aggregate(last=Max("version"))["last"] or 0
    result = Result.objects.create(
        match=match,
        version=last + 1,
        counts_from=version,
        depth=depth,
        record=record,
        home_hands=score.home_hands,
        away_hands=score.away_hands,
        home_points=score.home_points,
        away_points=score.away_points,
        winner=winner_of(score),
        reason=reason,
        made_by=actor.label[:200],
    )
    match.state = Match.State.ACCEPTED
    match.save(update_fields=["state"])
    return result


def withdraw_result(match: Match) -> int:
    """Keep the live result of a locked match, if it has one, as one that no longer counts.

    Answers the tournament's new version, from which on that is so.
    """
    bump(match.tournament)
    version = match.tournament.version
    match.results.counting().update(counts_until=version)
    match.results.live().update(live=False)
    return version


def winner_of(score: Score) -> Result.Winner:
    """Return who won: whoever has more hands."""
    if score.home_hands == score.away_hands:
        return Result.Winner.TIE
    return Result.Winner.HOME if score.home_hands > score.away_hands else Result.Winner.AWAY


def score_facts(result: Result | None) -> dict[str, int] | None:
    """Return a result as an event tells it."""
    if result is None:
        return None
    return {
        "version": result.version,
        "home_hands": result.home_hands,
        "away_hands": result.away_hands,
        "home_points": result.home_points,
        "away_points": result.away_points,
    }
